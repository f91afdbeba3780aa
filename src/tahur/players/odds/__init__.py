"""The pot-odds player: what the others may hold, what one's own hand is worth against that, and what it costs."""
