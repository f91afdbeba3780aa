"""Rounds of Perudo between two seats, solved on a tree that is never built: places are reckoned from the bids."""
