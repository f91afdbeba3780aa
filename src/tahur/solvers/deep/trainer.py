"""Single Deep CFR as in the paper: traversals, a reservoir, a fresh net fitted to all of it, again and again.

One iteration lets each seat traverse many deals against the other's net, shows its reservoir what it regretted, and
fits a new net from nothing, later iterations counting more. The nets are kept: their average is the strategy.
Every random stream is made from the seed, the iteration and its purpose, so that a run goes on bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Bytes
from tahur.core.net_file import KeptNet, NetSet
from tahur.core.towers import Towers
from tahur.games.encoders.encoder import BET_WIDTH
from tahur.solvers.deep.config import Config
from tahur.solvers.deep.fitting import fitter_of
from tahur.solvers.deep.game import TrainingGame, training_game
from tahur.solvers.deep.memory import Reservoir, Samples
from tahur.solvers.deep.net import Learner, quick_times, rate, threads, torch
from tahur.solvers.deep.traversal import NetAnswers, samples_of, told

Clock = Callable[[], float]

DEALING, DRAWING, KEEPING, FITTING, BEGINNING = range(5)  # what a stream is for
BLOCK: Final = 2048  # deals that walk together: what they need stays in the processor's caches
LAST: Final = 0.1  # of the steps: those whose loss is told


@dataclass(frozen=True, slots=True)
class TrainedIteration:
    """One iteration, as the log tells it."""

    iteration: int
    losses: tuple[float, float]  # of the two nets, over the last steps
    samples: tuple[int, int]  # new ones
    fill: tuple[float, float]  # of the reservoirs, 0 to 1
    traversals: int
    seconds: tuple[float, float]  # of traversing and of fitting


class PaperTrainer:
    """A run in paper mode; `clock` is read only to tell how fast it is."""

    def __init__(self, config: Config, clock: Clock = lambda: 0.0) -> None:
        self.config = config
        self.game: TrainingGame = training_game(config.make_game())
        self.iteration = 0
        self.nets: list[Towers | None] = [None, None]
        self.kept: list[KeptNet] = []
        self._clock = clock
        cards = self.game.deal(np.random.default_rng(0), 1).shape[1]
        self.memories = [Reservoir(config.memory.advantage_cap, cards) for _ in (0, 1)]
        self._pool = self._pooled()

    @property
    def uniform(self) -> bool:
        return self.config.training.fallback == "uniform"

    def advance(self) -> TrainedIteration:
        """One iteration: one player after the other, the second against what the first has just learnt."""
        self.iteration += 1
        with threads(self.config.training.threads):
            turns = [self._turn(role) for role in (0, 1)]
        self._keep()
        fill = [len(memory) / memory.cap for memory in self.memories]
        return TrainedIteration(
            iteration=self.iteration,
            losses=(turns[0][1], turns[1][1]),
            samples=(turns[0][0], turns[1][0]),
            fill=(fill[0], fill[1]),
            traversals=2 * self.config.training.traversals_per_iter,
            seconds=(turns[0][2] + turns[1][2], turns[0][3] + turns[1][3]),
        )

    def _turn(self, role: int) -> tuple[int, float, float, float]:
        """A player traverses and learns: new samples, loss, seconds of either."""
        began = self._clock()
        samples = self._traverse(role)
        half = self._clock()
        self.nets[role], loss = self._fit(role)
        return samples, loss, half - began, self._clock() - half

    def net_set(self) -> NetSet:
        game = self.game.game
        return NetSet(
            game=game.name,
            settings=game.settings,
            iteration=self.iteration,
            uniform=self.uniform,
            kept=tuple(self.kept),
        )

    def is_sound(self) -> bool:
        """Whether every number of the nets is one."""
        return all(np.isfinite(part).all() for net in self.nets if net is not None for part in net.parts.values())

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that a checkpoint must hold besides the nets that are kept."""
        found = {
            f"memory.{role}.{name}": array for role in (0, 1) for name, array in self.memories[role].arrays().items()
        }
        for role, net in enumerate(self.nets):
            if net is not None:
                found |= {f"net.{role}.{name}": part for name, part in net.parts.items()}
        return found

    def restore(self, iteration: int, kept: list[KeptNet], arrays: dict[str, NDArray[Any]]) -> None:
        """Go on from a checkpoint."""
        self.iteration, self.kept = iteration, kept
        for role in (0, 1):
            self.memories[role].restore(_under(arrays, f"memory.{role}."))
            parts = _under(arrays, f"net.{role}.")
            self.nets[role] = Towers(parts, quick_times) if parts else None

    def _rng(self, purpose: int, role: int = 0, block: int = 0) -> np.random.Generator:
        return np.random.default_rng((self.config.training.seed, self.iteration, purpose, role, block))

    def _pooled(self) -> Bytes | None:
        count = self.config.deals.count
        return self.game.deal(np.random.default_rng(self.config.deals.seed), count) if count else None

    def _deals(self, role: int, block: int, deals: int) -> Bytes:
        rng = self._rng(DEALING, role, block)
        if self._pool is None:
            return self.game.deal(rng, deals)
        return self._pool[rng.integers(len(self._pool), size=deals)]

    def _traverse(self, role: int) -> int:
        """All deals of an iteration, block by block; blocks side by side if there are threads, kept in their order.

        PyTorch has one thread meanwhile: how it shares a product among several may change its last bits.
        """
        total = self.config.training.traversals_per_iter
        sizes = [min(BLOCK, total - start) for start in range(0, total, BLOCK)]
        count, workers = 0, torch().get_num_threads()
        with threads(1), ThreadPoolExecutor(workers) as pool:
            said = told(self.game, self.nets, role, uniform=self.uniform)
            for block, new in enumerate(pool.map(lambda each: self._block(said, *each), enumerate(sizes))):
                self.memories[role].add(new, self._rng(KEEPING, role, block))
                count += len(new)
        return count

    def _block(self, said: NetAnswers, block: int, size: int) -> Samples:
        role = said.traverser
        return samples_of(said, self._deals(role, block, size), self._rng(DRAWING, role, block), self.iteration)

    def _fit(self, role: int) -> tuple[Towers, float]:
        """A new net, fitted to the reservoir; and its loss."""
        sgd, seed = self.config.sgd, self.config.training.seed
        inputs = self.game.encoder.card_width, BET_WIDTH
        learner = Learner(inputs, self.config.network.hidden_dim, (seed, self.iteration, BEGINNING, role))
        fitter = fitter_of(self.game, role, learner, self.memories[role].samples, sgd.batch_size)
        rng, losses = self._rng(FITTING, role), []
        for step in range(sgd.steps):
            losses.append(fitter.step(rng))
            learner.step(rate(step, sgd.steps, sgd.learning_rate, sgd.final_rate), sgd.clip)
        return learner.freeze(), float(np.mean(losses[-max(1, int(LAST * sgd.steps)) :]))

    def _keep(self) -> None:
        first, second = self.nets
        training = self.config.training
        last = self.iteration == training.iterations
        due = (self.iteration - training.keep_from) % training.keep_every == 0
        if first is not None and second is not None and self.iteration >= training.keep_from and (due or last):
            self.kept.append(KeptNet(self.iteration, float(self.iteration), (first, second)))


def _under(arrays: dict[str, NDArray[Any]], start: str) -> dict[str, NDArray[Any]]:
    return {name.removeprefix(start): array for name, array in arrays.items() if name.startswith(start)}
