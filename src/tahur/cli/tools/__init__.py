"""`tahur games`, `docs` and `doctor`: what is installed."""
