"""Limit hold'em for two: its betting as arrays, an exact solver for Flop Hold'em, and exact evaluation of policies."""
