"""The traversal rate of nets of width 128, in CPU seconds, with one thread and with two.

python tools/deep_pace.py fhp hulh

Measured are the nets' outputs, the walk, and adding samples to a small reservoir: the cost of filling a large one
depends on how full it is, and is left out. The best of several rounds counts, because disturbances only make one
slower. Two threads should take as many CPU seconds as one, so that two idle cores are twice as fast; wall time is
measured by `python -m benchmarks --only "deep cfr"`, on a machine with nothing else to do.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace

from tahur.games.encoders.encoder import BET_WIDTH
from tahur.solvers.deep.config import preset
from tahur.solvers.deep.net import Learner, threads
from tahur.solvers.deep.trainer import BLOCK, PaperTrainer

ROUNDS = 4
BLOCKS = 6  # an iteration of 12,288 traversals for each player


def main(*names: str) -> None:
    for name in names:
        config = preset(name)
        training = replace(config.training, mode="paper", traversals_per_iter=BLOCKS * BLOCK)
        memory = replace(config.memory, advantage_cap=1000)
        trainer = PaperTrainer(replace(config, training=training, memory=memory))
        inputs = trainer.game.encoder.card_width, BET_WIDTH
        with threads(1):
            trainer.nets = [Learner(inputs, 128, (1, role)).freeze() for role in (0, 1)]
        for count in (1, 2):
            found = [_best(trainer, role, count) for role in (0, 1)]
            for role, (seconds, decisions) in enumerate(found):
                print(f"{name}, role {role}, {decisions:.1f} decisions each: {1 / seconds:,.0f} a CPU second")
            pace = 2 / sum(seconds for seconds, _ in found)
            times = f"{count} thread{'s'[: count - 1]} x {pace:,.0f} = {count * pace:,.0f}"
            print(f"{name}, both roles: {times} traversals/s", flush=True)


def _best(trainer: PaperTrainer, role: int, count: int) -> tuple[float, float]:
    """CPU seconds, of all threads together, per traversal; and its number of decisions."""
    times, samples = [], 0
    with threads(count):
        for _ in range(ROUNDS):
            began = time.process_time()
            samples = trainer._traverse(role)
            times.append(time.process_time() - began)
    return min(times) / (BLOCKS * BLOCK), samples / (BLOCKS * BLOCK)


if __name__ == "__main__":
    main(*sys.argv[1:])
