"""`python -m tahur` is the `tahur` command."""

from tahur.cli.main import main

main()
