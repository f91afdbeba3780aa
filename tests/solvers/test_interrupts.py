"""Ctrl-C at any moment leaves a solver with whole iterations, and with no thread that still changes them."""

from __future__ import annotations

import signal
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest

from tahur.games.perudo.game import perudo
from tahur.games.perudo.recall import Recall
from tahur.games.registry import make
from tahur.solvers.cfr import CfrSolver, SampledSolver, Sampling
from tahur.solvers.interrupts import Stop, run_apart
from tahur.solvers.limit.engine import layout_of
from tahur.solvers.limit.solve import FlopSolver
from tahur.solvers.perudo.recall.solver import RecallSolver
from tahur.solvers.perudo.solver import RoundSolver
from tahur.solvers.postflop.solve import PostflopSolver
from tahur.solvers.postflop.spot import Spot, spot
from tahur.solvers.solver import run
from tahur.solvers.unroll import unroll

EIGHT_CARDS = (20, 24, 28, 32, 36, 21, 25, 34)
TURN = spot(board="Td9d6hQc", oop="66+,AJs+", ip="22+,ATs+", pot=1000, stack=4000, sizes="50%,a / 60%,a")
RIVER = spot(board="Td9d6hQc2s", oop="66+,AJs+", ip="22+,ATs+", pot=1000, stack=4000, sizes="50%,a / 60%,a")
MANY = 6  # threads; more than cores, so that some are always behind when the first one is done


def interrupt_after(seconds: float, work: Callable[[], object]) -> None:
    """Do the work until a KeyboardInterrupt in the main thread, as Ctrl-C raises it, so long from now.

    On a busy machine it may come before the work has begun.
    """

    def press(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, press)
    try:
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012
            signal.setitimer(signal.ITIMER_REAL, seconds)
            work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@dataclass(frozen=True)
class Interrupted:
    """How a solver is made, and the arrays that its iterations change."""

    make: Callable[[], Any]
    state: Callable[[Any], tuple[np.ndarray, ...]]
    step: float  # seconds from one moment to the next


def postflop(asked: Spot) -> Interrupted:
    return Interrupted(
        lambda: PostflopSolver(asked, threads=MANY).engine,
        lambda engine: (engine.data.regrets, engine.data.sums),
        0.0037,
    )


SOLVERS = {
    "leduc": Interrupted(
        lambda: CfrSolver(unroll(make("leduc"))), lambda solver: (solver.regrets, solver.averages), 0.0019
    ),
    "leduc, sampled": Interrupted(
        lambda: SampledSolver(unroll(make("leduc"), merge=False), Sampling.EXTERNAL, np.random.default_rng(1)),
        lambda solver: (solver.strategy(),),
        0.0019,
    ),
    "turn": postflop(TURN),
    "river": postflop(RIVER),
    "round": Interrupted(
        lambda: RoundSolver(perudo(rules="classic", cups=(1, 1)), threads=MANY),
        lambda solver: (solver.buffers.regrets, solver.buffers.averages),
        0.0053,
    ),
    "recall": Interrupted(
        lambda: RecallSolver(perudo(rules="classic", cups=(3, 1)), Recall(1, 0.2), threads=MANY),
        lambda solver: tuple(array for seat in solver._seats for array in (seat.regrets, seat.averages)),
        0.0053,
    ),
    "flop": Interrupted(
        lambda: FlopSolver(layout_of(make("fhp-3-4", {}), EIGHT_CARDS), threads=MANY),  # type: ignore[arg-type]
        lambda solver: (solver.regrets.flops, solver.sums.flops),
        0.0071,
    ),
}


def advance_for_long(solver: Any) -> None:
    for _ in range(100_000):
        solver.iterate(10)


@pytest.mark.parametrize("name", SOLVERS)
def test_an_interrupted_solver_is_one_that_ran_so_many_whole_iterations(name: str) -> None:
    case = SOLVERS[name]
    case.make().iterate(1)  # kernels are loaded
    for moment in range(1, 13):
        solver = case.make()
        interrupt_after(moment * case.step, partial(advance_for_long, solver))
        if getattr(solver, "unfinished", False):  # on a machine so busy that an iteration took longer than its grace
            continue
        found = [array.copy() for array in case.state(solver)]
        whole = case.make()
        whole.iterate(solver.iteration)
        for array, expected in zip(found, case.state(whole), strict=True):
            np.testing.assert_array_equal(array, expected)


def test_the_values_of_an_interrupted_spot_add_up_to_the_pot() -> None:
    PostflopSolver(TURN).engine.iterate(1)
    for moment in range(1, 13):
        solver = PostflopSolver(TURN, threads=MANY)
        interrupt_after(
            moment * 0.004, partial(deque, run(solver, iterations=1_000_000, target=1e-9, every=10), maxlen=0)
        )
        found = solver.solution()
        assert sum(found.ev) == pytest.approx(1000, abs=0.01)
        assert found.iterations == solver.engine.iteration
        assert found.exploitability == solver.engine.exploitability()


def test_a_second_interrupt_waits_too() -> None:
    ended = threading.Event()

    def work(stop: Stop) -> None:
        while not stop.requested:
            threading.Event().wait(0.001)
        threading.Event().wait(0.1)
        ended.set()

    before = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)  # again and again
    try:
        with pytest.raises(KeyboardInterrupt):
            run_apart(work)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert ended.is_set()


def test_an_iteration_that_takes_too_long_is_left_with_the_card_at_hand() -> None:
    """What is abandoned says so, and what is then measured is sound."""
    solver = PostflopSolver(TURN, threads=2)
    engine = solver.engine
    engine.iterate(3)
    left = engine._order.copy()
    engine._order = np.resize(left, 1_000_000)  # an iteration of some minutes
    interrupt_after(0.02, partial(engine.iterate, 1))
    engine._order = left
    assert engine.iteration == 3
    assert engine.unfinished
    assert solver.solution().unfinished
    assert sum(solver.solution().ev) == pytest.approx(1000, abs=0.01)


def test_an_error_of_the_work_is_raised_where_it_was_asked_for() -> None:
    def work(_: Stop) -> None:
        raise ValueError("so it is")

    with pytest.raises(ValueError, match="so it is"):
        run_apart(work)


def test_an_interrupt_while_a_thread_starts_or_ends_is_an_interrupt_and_nothing_else() -> None:
    """Threads of the standard library can then raise RuntimeError, and leave the work running."""
    begun = ended = 0

    def work(_: Stop) -> None:
        nonlocal begun, ended
        begun += 1
        ended += 1

    def press(*_: object) -> None:
        raise KeyboardInterrupt

    before, presses = signal.signal(signal.SIGALRM, press), 0
    try:
        while presses < 1000:
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.0001 + presses % 10 * 0.00003)
                while True:
                    run_apart(work)
            except KeyboardInterrupt:
                presses += 1
                assert begun == ended
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
