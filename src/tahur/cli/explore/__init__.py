"""`tahur postflop explore`: a solved spot walked with the arrow keys."""
