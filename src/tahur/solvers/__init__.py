"""Solvers for any two-seat game: flat game trees, CFR and its variants, exact best responses. No game is named here."""
