"""Limit hold'em: solve, measure and show its policies."""
