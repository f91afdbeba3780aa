"""The card room's HTTP and WebSocket server: `tahur room serve`."""
