"""`tahur perudo`: odds, advice, solved rounds."""
