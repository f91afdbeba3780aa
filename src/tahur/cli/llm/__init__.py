"""Language models from the terminal: which one to ask, what it may cost, the log of what was asked, a model offline."""
