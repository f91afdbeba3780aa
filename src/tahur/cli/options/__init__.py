"""`tahur options`: menus of bounded options, layer by layer, and what they can cost."""
