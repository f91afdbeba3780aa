"""Limit hold'em for two: its betting as arrays, Flop Hold'em solved exactly, and any policy for it measured exactly."""
