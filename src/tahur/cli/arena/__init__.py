"""The arena on the command line: matches, tournaments and plans."""
