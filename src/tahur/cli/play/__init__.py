"""`tahur play`: a table in the terminal. One loop drives the referee; each kind of game has a screen."""
