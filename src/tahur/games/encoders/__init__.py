"""What a net is told of a game: the cards as one row of numbers, the betting as another."""
