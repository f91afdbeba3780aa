"""Single Deep CFR: nets that learn what they would regret, and the average of all of them as the strategy."""
