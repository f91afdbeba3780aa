"""`tahur postflop` and `tahur postflop drill`: hold'em from the flop on."""
