"""How fast nets of width 128 traverse a game, on one thread, in seconds of processor: both roles, best of five.

python tools/deep_pace.py fhp hulh

Wall time on two threads is measured by `python -m benchmarks --only "deep cfr"`, on a machine with nothing else to do.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace

from tahur.games.encoders.encoder import BET_WIDTH
from tahur.solvers.deep.config import preset
from tahur.solvers.deep.net import Learner, threads
from tahur.solvers.deep.trainer import BLOCK, PaperTrainer

ROUNDS = 5


def main(*names: str) -> None:
    for name in names:
        config = preset(name)
        training = replace(config.training, mode="paper", threads=1, traversals_per_iter=BLOCK)
        trainer = PaperTrainer(replace(config, training=training, memory=replace(config.memory, advantage_cap=1000)))
        inputs = trainer.game.encoder.card_width, BET_WIDTH
        with threads(1):
            trainer.nets = [Learner(inputs, 128, (1, role)).freeze() for role in (0, 1)]
            for role in (0, 1):
                seconds, samples = _best(trainer, role)
                print(
                    f"{name}, role {role}: {BLOCK / seconds:,.0f} traversals a CPU second, "
                    f"{samples / BLOCK:.1f} decisions each",
                    flush=True,
                )


def _best(trainer: PaperTrainer, role: int) -> tuple[float, int]:
    """Seconds of a block of deals, what is said of the betting left out: that is said once an iteration."""
    from tahur.solvers.deep.traversal import told

    said = told(trainer.game, trainer.nets, role)
    times, samples = [], 0
    for _ in range(ROUNDS):
        began = time.process_time()
        samples = len(trainer._block(said, 0, BLOCK))
        times.append(time.process_time() - began)
    return min(times), samples


if __name__ == "__main__":
    main(*sys.argv[1:])
