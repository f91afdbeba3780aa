"""Benchmarks of tahur against comparable libraries (peers): `python -m benchmarks`, or `make bench`, which installs
them.

tahur and a peer do the same work in the same run on the same machine, and the ratio is what counts. Only pairs whose
answers agree are timed. To add a row, put a `Race` (against a peer) or a `Wait` (against a time limit) into the
`BENCHMARKS` of its subject; a new subject is a new module and a line in `__main__.py`.
"""
