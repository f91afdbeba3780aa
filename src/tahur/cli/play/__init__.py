"""`tahur play`: a table in the terminal. One loop drives the referee; a screen per kind of game draws and reads."""
