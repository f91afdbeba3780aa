"""Render values as text, SVG or HTML for a terminal or a page. Never names a game, never prints."""
