"""Single Deep CFR's traversals: so many deals by external sampling, nets of width 128, two threads, wall time.

How many decisions a traversal comes to depends on what the nets play; these are fresh ones, which seldom fold.
"""

from __future__ import annotations

import time
from dataclasses import replace

from benchmarks.measure import Wait
from tahur.solvers.deep.config import preset

FHP, HULH = 60_000, 25_000  # traversals that should take a second


def _traversals(name: str, count: int) -> float:
    from tahur.games.encoders.encoder import BET_WIDTH
    from tahur.solvers.deep.net import Learner, threads
    from tahur.solvers.deep.trainer import PaperTrainer

    config = preset(name)
    training = replace(config.training, mode="paper", traversals_per_iter=count, threads=2)
    trainer = PaperTrainer(replace(config, training=training, memory=replace(config.memory, advantage_cap=1000)))
    inputs = trainer.game.encoder.card_width, BET_WIDTH
    with threads(2):
        trainer.nets = [Learner(inputs, 128, (1, role)).freeze() for role in (0, 1)]
        trainer._traverse(0)  # loads what is loaded once
        began = time.perf_counter()
        trainer._traverse(1)
        return time.perf_counter() - began


BENCHMARKS = (
    Wait(f"deep cfr, {FHP:,} traversals of fhp-3-4", 1.0, lambda: _traversals("fhp", FHP), rounds=1),
    Wait(f"deep cfr, {HULH:,} traversals of hulh", 1.0, lambda: _traversals("hulh", HULH), rounds=1),
)
