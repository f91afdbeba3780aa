"""Single Deep CFR (Steinberger 2019): nets that predict regrets, and their average as the strategy."""
