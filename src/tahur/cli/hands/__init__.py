"""`tahur hands`: hand histories."""
