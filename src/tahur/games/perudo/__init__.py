"""Perudo: bids on the dice under all cups. One game is one round; `next` takes the die and gives the round after it."""
