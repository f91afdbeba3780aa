"""Values in, text out: what a terminal or a page shows. Never names a game, never prints."""
