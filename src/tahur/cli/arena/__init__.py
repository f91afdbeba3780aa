"""The arena's commands: `tahur match`, `tahur tournament` and `tahur plan`."""
