"""Card abstraction: hands grouped by the distribution of their strength at the river, up to suit isomorphism."""
