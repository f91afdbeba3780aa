"""Players against players: matches and what they tell. Names no game."""
