"""`tahur postflop` and `tahur drill`: hold'em from the flop on."""
