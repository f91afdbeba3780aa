"""What every solver promises: it counts iterations, measuring changes nothing, a state resumes bit for bit.

And what the run loop of the commands promises for each of them: Ctrl-C stops at once, and what is saved, counted and
measured belongs together.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from solvers.coarse_buckets import coarse, coarse_centres
from tahur.cli.solve.running import Saving, drive
from tahur.games.betting import betting_of
from tahur.games.holdem.bucket_table import game_named
from tahur.games.holdem.textures import Texture
from tahur.games.perudo.game import perudo
from tahur.games.perudo.recall import Recall
from tahur.games.registry import make
from tahur.solvers.cfr import CfrSolver, SampledSolver, Sampling
from tahur.solvers.deep.config import Config, preset
from tahur.solvers.deep.run import trainer_of
from tahur.solvers.limit.bucketed import Trainer
from tahur.solvers.limit.engine import layout_of
from tahur.solvers.limit.solve import FlopSolver
from tahur.solvers.nolimit.abstraction import PRESETS
from tahur.solvers.nolimit.blueprint_solver import BlueprintSolver
from tahur.solvers.perudo.recall.solver import RecallSolver
from tahur.solvers.perudo.solver import RoundSolver
from tahur.solvers.postflop.solve import PostflopSolver
from tahur.solvers.postflop.spot import spot
from tahur.solvers.schedule import PDCFR_PLUS
from tahur.solvers.solver import Measured, Progress, Solver, SolverState, run
from tahur.solvers.street.matrices import exact
from tahur.solvers.street.solve import street_solver
from tahur.solvers.unroll import unroll
from tiny_multiway import tiny_solver

EIGHT_CARDS = (20, 24, 28, 32, 36, 21, 25, 34)
TURN = spot(board="Td9d6hQc", oop="66+,AJs+", ip="22+,ATs+", pot=1000, stack=4000, sizes="50%,a / 60%,a")
AnySolver = Solver[Measured, Any]


def tiny(name: str, **sections: dict[str, Any]) -> Config:
    """A preset with iterations of a fraction of a second."""
    config = preset(name)
    training = replace(config.training, threads=1, traversals_per_iter=100, iterations=1000)
    sgd, memory = replace(config.sgd, steps=4, batch_size=64), replace(config.memory, advantage_cap=400)
    small = replace(config, training=training, sgd=sgd, memory=memory)
    return replace(small, **{key: replace(getattr(small, key), **value) for key, value in sections.items()})


SOLVERS: dict[str, Callable[[], AnySolver]] = {
    "leduc": lambda: CfrSolver(unroll(make("leduc"))),
    "leduc, predictive": lambda: CfrSolver(unroll(make("leduc")), PDCFR_PLUS),
    "leduc, sampled": lambda: SampledSolver(
        unroll(make("leduc"), merge=False), Sampling.EXTERNAL, np.random.default_rng(1)
    ),
    "street": lambda: street_solver(exact(Texture.WET)),
    "postflop": lambda: PostflopSolver(TURN, threads=2),
    "postflop, 16 bits": lambda: PostflopSolver(TURN, half=True),
    "Flop Hold'em": lambda: FlopSolver(layout_of(make("fhp-3-4", {}), EIGHT_CARDS), threads=2),  # type: ignore[arg-type]
    "limit hold'em on buckets": lambda: Trainer(betting_of(game_named("hulh")), coarse(), 1, boards=2),
    "no-limit hold'em on buckets": lambda: BlueprintSolver(
        10, PRESETS["small"], coarse_centres(), coarse(), seed=1, threads=2, boards=8
    ),
    "no-limit hold'em for three seats": lambda: tiny_solver(3, 10, deals=5),
    "round": lambda: RoundSolver(perudo(rules="classic", cups=(1, 1)), threads=2),
    "round, imperfect recall": lambda: RecallSolver(perudo(rules="classic", cups=(2, 1)), Recall(1, 0.2)),
    "nets, paper": lambda: trainer_of(tiny("kuhn")),
    "nets, fast": lambda: trainer_of(tiny("fhp-quick", fast={"flops": 20, "flops_per_iter": 5})),
}
every_solver = pytest.mark.parametrize("name", SOLVERS)


def bits(state: SolverState) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in state.arrays.items()}


@every_solver
def test_iterations_are_counted(name: str) -> None:
    solver = SOLVERS[name]()
    assert (solver.iteration, solver.state().iteration) == (0, 0)
    for count, total in ((1, 1), (2, 3)):
        solver.iterate(count)
        assert (solver.iteration, solver.state().iteration) == (total, total)


@every_solver
def test_measuring_is_not_negative_and_changes_nothing(name: str) -> None:
    solver = SOLVERS[name]()
    solver.iterate(2)
    before = bits(solver.state())
    first, second = solver.measure(), solver.measure()
    assert bits(solver.state()) == before
    assert solver.iteration == 2
    if name in ("limit hold'em on buckets", "nets, fast") or name.startswith("no-limit hold'em"):
        assert first is None  # no exact measure of its own
        return
    assert first is not None
    assert second is not None
    assert first.exploitability == second.exploitability >= 0


@every_solver
def test_a_resumed_solver_continues_bit_for_bit(name: str) -> None:
    whole, first, second = (SOLVERS[name]() for _ in range(3))
    whole.iterate(2)
    whole.iterate(3)
    first.iterate(2)
    kept = first.state().copy()
    first.iterate(1)  # a copy does not change with its solver
    second.resume(kept)
    assert second.iteration == 2
    second.iterate(3)
    assert bits(second.state()) == bits(whole.state())
    ours, theirs = second.measure(), whole.measure()
    assert (ours and ours.exploitability) == (theirs and theirs.exploitability)


@every_solver
def test_an_estimate_is_at_least_what_the_state_takes(name: str) -> None:
    solver = SOLVERS[name]()
    estimate = solver.estimate()
    assert estimate.bytes >= 0.9 * sum(array.nbytes for array in solver.state().arrays.values())
    assert estimate.cells > 0
    assert estimate.seconds(10, 1e6) == pytest.approx(10 * estimate.cells / 1e6)


@every_solver
def test_ctrl_c_leaves_iterations_measure_and_saved_state_in_agreement(name: str) -> None:
    """Pressed in the middle of a run of the commands' loop, at several moments."""
    SOLVERS[name]().iterate(1)  # kernels are loaded
    for moment in (0.03, 0.11):
        solver, saved = SOLVERS[name](), list[tuple[int, Measured | None, dict[str, bytes]]]()

        def save(solver: AnySolver = solver, saved: list[Any] = saved) -> None:
            saved.append((solver.iteration, solver.measure(), bits(solver.state())))

        def draw(step: Progress[Measured]) -> tuple[str, str]:
            return "", f"iteration {step.iteration}"

        before = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
        try:
            signal.setitimer(signal.ITIMER_REAL, moment)
            steps = run(solver, iterations=1_000_000, every=1000, step=None if "nets" not in name else 1)
            outcome = drive(steps, draw, Saving(save), interrupts="nets" not in name)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        assert outcome.stopped
        ((iteration, measure, arrays),) = saved
        whole = SOLVERS[name]()
        for _ in range(iteration):
            whole.iterate(1)
        assert bits(whole.state()) == arrays
        expected = whole.measure()
        assert (measure and measure.exploitability) == (expected and expected.exploitability)
