"""Matches, tournaments and profiles of players, with statistics. Independent of any particular game."""
