"""`tahur info games`, `docs` and `doctor`: what is installed."""
