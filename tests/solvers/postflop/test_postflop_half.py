"""Numbers of 16 bits: half the memory, nearly the same solution. Slow, since kernels of their own are compiled."""

from __future__ import annotations

import numpy as np
import pytest
from named_spots import SPOTS
from test_postflop_results import MONOTONE, RAKED, RIVER, TURN

from tahur.solvers.postflop.engine import Engine
from tahur.solvers.postflop.estimate import estimate
from tahur.solvers.postflop.layout import lay_out
from tahur.solvers.postflop.lock import lock
from tahur.solvers.postflop.solve import PostflopSolver, solve
from tahur.solvers.postflop.spot import Spot


@pytest.mark.parametrize("name", ["R2", "T1", "F0"])
def test_half_precision_is_said_to_need_about_half(name: str) -> None:
    share = estimate(SPOTS[name], half=True).bytes / estimate(SPOTS[name]).bytes
    assert 0.5 < share < 0.6


@pytest.mark.slow
@pytest.mark.parametrize("name", ["R2", "T1"])
def test_the_estimate_is_what_half_precision_takes(name: str) -> None:
    engine = Engine(lay_out(SPOTS[name]), half=True)
    taken = sum(array.nbytes for array in engine.data) + engine.layout.table_bytes
    assert estimate(SPOTS[name], half=True).bytes == pytest.approx(taken, rel=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("asked", [RIVER, RAKED, TURN, MONOTONE], ids=["river", "rake", "turn", "flop"])
def test_half_precision_follows_full_precision(asked: Spot) -> None:
    engines = [Engine(lay_out(asked), half=half) for half in (False, True)]
    for engine in engines:
        engine.iterate(1)
    strategies = [engine.strategy(0, 0, 0) for engine in engines]
    assert strategies[1] == pytest.approx(strategies[0], abs=1e-4)
    for engine in engines:
        engine.iterate(99)
    assert engines[1].exploitability() == pytest.approx(engines[0].exploitability(), abs=0.2)
    assert engines[1].root_value(0, 2) == pytest.approx(engines[0].root_value(0, 2), abs=0.004 * asked.pot)


@pytest.mark.slow
def test_half_precision_gets_to_a_tenth_of_a_percent() -> None:
    solution = solve(SPOTS["R2"], target=0.1, half=True)
    assert solution.exploitability <= 0.1
    assert solution.ev[0] == pytest.approx(93.80, abs=0.4)


@pytest.mark.slow
def test_half_precision_obeys_locks_to_its_own_rounding() -> None:
    told = [lock("", {"check": 0.123}, flat=True), lock("check", {"check": 0.9}, hands="AcKc", flat=True)]
    solver = PostflopSolver(TURN, locks=told, half=True)
    solver.engine.iterate(50)
    first = solver.solution().strategy
    assert first[0] == pytest.approx(np.full(first.shape[1], 0.123), abs=1e-4)
    full = PostflopSolver(TURN, locks=told)
    full.engine.iterate(50)
    assert solver.engine.exploitability() == pytest.approx(full.engine.exploitability(), abs=0.3)


@pytest.mark.slow
def test_threads_change_nothing_in_half_precision() -> None:
    engines = [Engine(lay_out(MONOTONE), threads=threads, half=True) for threads in (1, 3)]
    for engine in engines:
        engine.iterate(3)
    for one, two in zip(*(engine.data for engine in engines), strict=True):
        assert np.array_equal(one, two)
