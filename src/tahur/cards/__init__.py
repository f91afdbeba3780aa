"""Cards, hands, ranges and equities. Knows nothing of betting, seats or games."""
