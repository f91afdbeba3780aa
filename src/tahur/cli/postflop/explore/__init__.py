"""`tahur postflop explore`: browse a solved spot with the arrow keys."""
