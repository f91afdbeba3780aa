"""`tahur serve` and `tahur room`: the card room."""
