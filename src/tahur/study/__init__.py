"""Study without HTTP: a library of solved spots, and views of their nodes. `web` and the terminal explorer use it."""
