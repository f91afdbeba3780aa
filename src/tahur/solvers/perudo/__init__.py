"""Two-player rounds of Perudo, solved on a tree that is never built: nodes are computed from the bids."""
