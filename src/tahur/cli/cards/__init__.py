"""`tahur cards equity`, `range`, `hand`, `fourteen`, `tour`: questions about cards and chips."""
