"""`tahur persona` and `tahur persona options`: the hold'em personas and their menus."""
