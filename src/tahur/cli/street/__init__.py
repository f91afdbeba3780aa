"""`tahur postflop street`: one street of betting over nine buckets of hands."""
