"""How long a spot will take."""

from __future__ import annotations

from itertools import count

import pytest
from named_spots import SPOTS

from tahur.solvers.postflop.estimate import EVERY, estimate, iterations_to, machine_speed, seconds_to
from tahur.solvers.postflop.solve import PostflopSolver
from tahur.solvers.solver import run


@pytest.mark.parametrize("name", ["R1", "R2"])
@pytest.mark.parametrize("target", [0.5, 0.1])
def test_the_guess_at_the_iterations_is_within_a_factor_of_two(name: str, target: float) -> None:
    solver = PostflopSolver(SPOTS[name])
    for _ in run(solver, iterations=1000, target=target, every=EVERY):
        pass
    assert 0.5 <= iterations_to(target, solver.estimate()) / solver.engine.iteration <= 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["T0", "T1", "T2", "F0"])
def test_the_guess_holds_on_the_other_streets(name: str) -> None:
    solver = PostflopSolver(SPOTS[name])
    for _ in run(solver, iterations=1000, target=0.5, every=EVERY):
        pass
    assert 0.5 <= iterations_to(0.5, solver.estimate()) / solver.engine.iteration <= 2


def test_time_goes_with_the_machine_the_target_and_the_threads() -> None:
    river, turn = estimate(SPOTS["R1"]), estimate(SPOTS["T1"])
    assert seconds_to(0.5, turn, speed=1e8) == pytest.approx(2 * seconds_to(0.5, turn, speed=2e8))
    assert seconds_to(0.1, turn) > 2 * seconds_to(0.5, turn)
    assert 1.5 < seconds_to(0.1, turn) / seconds_to(0.1, turn, threads=2) < 2
    assert seconds_to(0.1, river, threads=2) == seconds_to(0.1, river)


def test_bigger_trees_take_longer_as_they_do_in_truth() -> None:
    """Measured: T2 has all hands and takes five times T1's seconds for an iteration; R1 is a thousandth of T2."""
    times = {name: seconds_to(0.5, estimate(SPOTS[name])) for name in ("R1", "T1", "T2")}
    assert 3 < times["T2"] / times["T1"] < 8
    assert times["R1"] < times["T2"] / 300


def test_the_machine_is_measured_by_the_clock_that_is_handed_in() -> None:
    """A clock that strikes at each look: a round takes one second, or two."""
    slow, slower = count(), count(step=2)
    assert machine_speed(lambda: float(next(slow))) == pytest.approx(2 * machine_speed(lambda: float(next(slower))))
