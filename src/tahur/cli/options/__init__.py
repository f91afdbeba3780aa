"""`tahur options`: the menus of personas, layer by layer, and what they can cost."""
