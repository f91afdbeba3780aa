"""Full-resolution postflop hold'em for two: exact ranges, from any street to the river, with configurable bet trees."""
