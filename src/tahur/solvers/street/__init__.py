"""The street solver: one street of betting over nine buckets of hands, for each of five flop textures."""
