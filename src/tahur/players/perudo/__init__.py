"""Minds for Perudo: six personalities and any of one's own, the mind of the odds, and one for who is out of time."""
