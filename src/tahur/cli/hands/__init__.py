"""`tahur hand-history`: hand histories."""
