"""Bots ("minds") for Perudo: six personalities and user-defined ones, a mind by the odds, and one for timeouts."""
