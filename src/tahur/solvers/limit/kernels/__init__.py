"""The inner loops of Flop Hold'em."""
