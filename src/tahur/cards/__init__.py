"""Cards, hands, ranges and equities. Independent of betting, seats and games."""
