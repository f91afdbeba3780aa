"""The arena's commands: `tahur arena match`, `tahur arena tournament` and `tahur arena plan`."""
