"""`tahur persona` and `tahur options`: the hold'em personas and their menus."""
