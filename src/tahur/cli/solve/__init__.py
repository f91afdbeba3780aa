"""`tahur solve`, `train` and `show`: strategies and nets."""
