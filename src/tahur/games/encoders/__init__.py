"""Encoders: turn a game state into network inputs, one row of numbers for the cards and one for the betting."""
