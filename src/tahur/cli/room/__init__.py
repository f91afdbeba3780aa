"""`tahur room serve` and `tahur room`: the card room."""
