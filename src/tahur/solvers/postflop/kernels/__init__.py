"""The inner loops of the postflop solver: eight hands, or eight lines, at a time."""
