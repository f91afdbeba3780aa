"""No-limit hold'em for two from the first card to the last: blueprint, preflop charts and subgame solving."""
