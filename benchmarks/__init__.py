"""How fast tahur is beside its peers: `python -m benchmarks`, or `make bench`, which installs the peers first.

Each question is put to tahur and to a peer in the same run on the same machine, and the ratio is what counts.
Speed is only measured of answers that agree. To add a row, put a `Race` (against a peer) or a `Wait` (against
the clock) into the `BENCHMARKS` of its subject; a new subject is a new module and a line in `__main__.py`.
"""
