"""The games. Each is a plain value with the rules of one deal; `GAMES`, in registry.py, is the only list of them."""
