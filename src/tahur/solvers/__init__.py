"""Solvers for every two-seat game: flat trees, CFR in its variants, exact best responses. They name no game."""
