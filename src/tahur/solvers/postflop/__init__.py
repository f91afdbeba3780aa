"""Full-resolution postflop hold'em for two: exact ranges, any street to the river, bet trees of one's own."""
