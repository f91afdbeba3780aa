"""The terminal door: the only place, beside the browser door, that prints or reads the clock."""
