"""`tahur review`: the decisions of a player, judged."""
