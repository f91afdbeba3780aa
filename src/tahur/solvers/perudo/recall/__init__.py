"""Imperfect recall: rounds too large to solve in full, solved for seats that remember only the last few bids."""
