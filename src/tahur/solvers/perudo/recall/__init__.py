"""Rounds too large to solve whole, solved for seats that remember the last few bids; judged in the whole round."""
