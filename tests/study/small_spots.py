"""Spots that solve in a fraction of a second, for the tests of Study."""

from __future__ import annotations

from functools import cache

from tahur.solvers.postflop.solve import PostflopSolution, PostflopSolver, solve
from tahur.solvers.postflop.spot import spot

RANGES = {"oop": "AA,KTs,J8s,54s", "ip": "TT,98s,A5s:0.5,KJs"}


@cache
def turn() -> PostflopSolution:
    return solve(spot(board="Td9d6hQc", **RANGES, pot=20, stack=40, sizes="50%,a / a"), target=0.5)


@cache
def flop() -> PostflopSolution:
    return solve(spot(board="Td9d6h", **RANGES, pot="4bb", stack="3bb", sizes="a / a"), target=1.0)


@cache
def wide_river() -> PostflopSolution:
    """All hands for both seats, and many sizes; hardly solved."""
    terms = spot(board="Td9d6hQc2s", oop="any", ip="any", pot=200, stack=900, sizes="33%,75%,150% / 60%")
    solver = PostflopSolver(terms)
    solver.iterate(20)
    return solver.solution()
