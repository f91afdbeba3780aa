"""Single Deep CFR's traversals by external sampling, half of them in each role, with nets of width 128.

Measured on two threads in wall time, which needs two idle cores; and in CPU time, where the target is half the rate for
one core. The number of decisions of a traversal depends on the nets' strategies; these are new nets, which seldom fold.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from benchmarks.measure import Pace, Side, Wait
from tahur.solvers.deep.config import preset

if TYPE_CHECKING:
    from tahur.solvers.deep.trainer import PaperTrainer

FHP, HULH = 60_000, 25_000  # traversals with a target of one second on two cores
THREADS = 2


def _trainer(name: str, count: int) -> PaperTrainer:
    """A trainer ready to traverse `count` deals in each role, with everything loaded."""
    from tahur.games.encoders.encoder import BET_WIDTH
    from tahur.solvers.deep.net import Learner, threads
    from tahur.solvers.deep.trainer import PaperTrainer

    config = preset(name)
    training = replace(config.training, mode="paper", traversals_per_iter=count)
    memory = replace(config.memory, advantage_cap=1000)  # filling a large one is not measured here
    trainer = PaperTrainer(replace(config, training=training, memory=memory))
    inputs = trainer.game.encoder.card_width, BET_WIDTH
    with threads(THREADS):
        trainer.nets = [Learner(inputs, 128, (1, role)).freeze() for role in (0, 1)]
        trainer._traverse(0)
    return trainer


def _traversed(trainer: PaperTrainer, count: int) -> int:
    from tahur.solvers.deep.net import threads

    with threads(count):
        for role in (0, 1):
            trainer._traverse(role)
    return 2 * trainer.config.training.traversals_per_iter


def _wall(name: str, count: int) -> float:
    trainer = _trainer(name, count // 2)
    began = time.perf_counter()
    _traversed(trainer, THREADS)
    return time.perf_counter() - began


def _side(name: str, count: int) -> Side:
    trainer = _trainer(name, count // 2)
    return lambda: _traversed(trainer, 1)


BENCHMARKS = (
    Wait(f"deep cfr, {FHP:,} traversals of fhp-3-4, {THREADS} threads", 1.0, lambda: _wall("fhp", FHP), rounds=1),
    Wait(f"deep cfr, {HULH:,} traversals of hulh, {THREADS} threads", 1.0, lambda: _wall("hulh", HULH), rounds=1),
    Pace("deep cfr, fhp-3-4, 1 thread", FHP / THREADS, lambda: _side("fhp", FHP), "traversals", rounds=1),
    Pace("deep cfr, hulh, 1 thread", HULH / THREADS, lambda: _side("hulh", HULH), "traversals", rounds=1),
)
