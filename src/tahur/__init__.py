"""tahur: a workbench for bluffing games.

The rooms and who may import whom are in docs/architecture.md. Nothing is imported here, so that
`import tahur` and `tahur --help` stay quick.
"""

__version__ = "0.1.0"
