"""The `tahur` command line. Only this package and `tahur.web` print or read the clock."""
