"""The browser door: `tahur serve`."""
