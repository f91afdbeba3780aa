"""Single Deep CFR as in the paper (Steinberger 2019): traversals, a reservoir, a new net fitted to all of it, repeated.

In one iteration each seat traverses many deals against the other's net, adds its regrets to its reservoir, and fits a
new net from scratch, later iterations weighing more. The nets are stored: their average is the strategy. Every random
stream is derived from the seed, the iteration and its purpose, so that a run resumes bit for bit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Bytes
from tahur.core.errors import Diverged
from tahur.core.net_file import KeptNet, NetSet
from tahur.core.towers import Towers
from tahur.games.encoders.encoder import BET_WIDTH
from tahur.solvers.deep.average import TreeAverage
from tahur.solvers.deep.config import Config
from tahur.solvers.deep.game import TrainingGame, training_game
from tahur.solvers.deep.net import Learner, fitter_of, quick_times, rate, threads, torch
from tahur.solvers.deep.traversal import NetAnswers, Reservoir, Samples, net_answers, samples_of
from tahur.solvers.solver import Clock, Estimate, SolverState

MEASURED: Final = ("kuhn", "leduc")  # games whose tree fits in memory
DEALING, DRAWING, KEEPING, FITTING, BEGINNING = range(5)  # the purpose of a random stream
BLOCK: Final = 2048  # deals that walk together, few enough for the processor's caches
LAST: Final = 0.1  # of the steps: those whose loss is reported


@dataclass(frozen=True, slots=True)
class TrainedIteration:
    """The figures of one iteration, for the log."""

    iteration: int
    losses: tuple[float, float]  # of the two nets, over the last steps
    samples: tuple[int, int]  # new samples
    fill: tuple[float, float]  # of the reservoirs, 0 to 1
    traversals: int
    seconds: tuple[float, float]  # of traversing and of fitting


@dataclass(frozen=True, slots=True)
class NetMeasure:
    """The exploitability of the average of all nets, (BR1 + BR2) / 2, exact, in the unit of the log."""

    exploitability: float


@dataclass(frozen=True, slots=True, eq=False)
class NetState(SolverState):
    """The state of a trainer: its working memory, and the nets whose average is the strategy."""

    kept: tuple[KeptNet, ...]


Measuring = Callable[[NetSet], float]


class NetTrainer(ABC):
    """What the two modes have in common; `clock` is only used to report the speed.

    `measuring` computes the exploitability of games whose tree does not fit in memory.
    """

    last: TrainedIteration  # the figures of the last iteration

    def __init__(self, config: Config, clock: Clock = lambda: 0.0, measuring: Measuring | None = None) -> None:
        """`measuring` computes the exploitability where the trainer itself cannot."""
        self.config = config
        self.game: TrainingGame = training_game(config.make_game())
        self.iteration = 0
        self.kept: list[KeptNet] = []
        self._clock = clock
        self._measuring = measuring
        self._average: TreeAverage | None = None
        self._averaged = 0  # nets that the average has

    @property
    def uniform(self) -> bool:
        return self.config.training.fallback == "uniform"

    @abstractmethod
    def _iterate(self) -> TrainedIteration:
        """Run one iteration, whose number is `iteration`."""

    @abstractmethod
    def is_finite(self) -> bool:
        """Whether all numbers of the nets are finite."""

    @abstractmethod
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that a checkpoint must store besides the stored nets."""

    @abstractmethod
    def _restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Replace the working memory."""

    def iterate(self, iterations: int) -> None:
        """Run this many more iterations, in the calling thread: an interrupt must wait until they are finished."""
        for _ in range(iterations):
            self.iteration += 1
            self.last = self._iterate()
            if not self.is_finite():
                raise Diverged(f"iteration {self.iteration:,}: a net has non-finite values (NaN or infinity)")

    def measure(self) -> NetMeasure | None:
        """The average of all nets by best responses; None if there is no net yet, or no way to measure it."""
        if not self.kept:
            return None
        if self.config.game_type not in MEASURED:
            return None if self._measuring is None else NetMeasure(self._measuring(self.net_set()))
        if self._average is None:
            solvable: Any = self.game.game
            self._average = TreeAverage(solvable, uniform=self.uniform)
        for net in self.kept[self._averaged :]:
            self._average.add(net)
        self._averaged = len(self.kept)
        return NetMeasure(self._average.measure().exploitability)

    def state(self) -> NetState:
        return NetState(self.iteration, self.arrays(), tuple(self.kept))

    def resume(self, state: NetState) -> None:
        """Continue from a state of the same config."""
        self.iteration, self.kept = state.iteration, list(state.kept)
        self._average, self._averaged = None, 0
        self._restore(state.arrays)

    def estimate(self) -> Estimate:
        """The samples and nets in memory, and the numbers that the nets are fitted to in an iteration."""
        sgd = self.config.sgd
        width = self.game.encoder.card_width + BET_WIDTH
        return Estimate(sum(array.nbytes for array in self.arrays().values()), 2 * sgd.steps * sgd.batch_size * width)

    def net_set(self) -> NetSet:
        """All nets kept so far, as they are stored in the run's folder."""
        game = self.game.game
        return NetSet(
            game=game.name,
            settings=game.settings,
            iteration=self.iteration,
            uniform=self.uniform,
            kept=tuple(self.kept),
        )


class PaperTrainer(NetTrainer):
    """A run in paper mode."""

    def __init__(self, config: Config, clock: Clock = lambda: 0.0, measuring: Measuring | None = None) -> None:
        super().__init__(config, clock, measuring)
        self.nets: list[Towers | None] = [None, None]
        cards = self.game.deal(np.random.default_rng(0), 1).shape[1]
        self.memories = [Reservoir(config.memory.advantage_cap, cards) for _ in (0, 1)]
        self._pool = self._deal_pool()

    def _iterate(self) -> TrainedIteration:
        """Each role traverses and fits a net in turn: role 1 already plays against role 0's new net."""
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
        """A role traverses, then fits its net: number of new samples, loss, seconds of traversing and of fitting."""
        began = self._clock()
        samples = self._traverse(role)
        half = self._clock()
        self.nets[role], loss = self._fit(role)
        return samples, loss, half - began, self._clock() - half

    def is_finite(self) -> bool:
        return all(np.isfinite(part).all() for net in self.nets if net is not None for part in net.parts.values())

    def arrays(self) -> dict[str, NDArray[Any]]:
        arrays = {
            f"memory.{role}.{name}": array for role in (0, 1) for name, array in self.memories[role].arrays().items()
        }
        for role, net in enumerate(self.nets):
            if net is not None:
                arrays |= {f"net.{role}.{name}": part for name, part in net.parts.items()}
        return arrays

    def _restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        for role in (0, 1):
            self.memories[role].restore(with_prefix(arrays, f"memory.{role}."))
            parts = with_prefix(arrays, f"net.{role}.")
            self.nets[role] = Towers(parts, quick_times) if parts else None

    def _rng(self, purpose: int, role: int = 0, block: int = 0) -> np.random.Generator:
        return np.random.default_rng((self.config.training.seed, self.iteration, purpose, role, block))

    def _deal_pool(self) -> Bytes | None:
        """The deals to train on, if the config fixes them; None to deal new ones."""
        count = self.config.deals.count
        return self.game.deal(np.random.default_rng(self.config.deals.seed), count) if count else None

    def _deals(self, role: int, block: int, deals: int) -> Bytes:
        rng = self._rng(DEALING, role, block)
        if self._pool is None:
            return self.game.deal(rng, deals)
        return self._pool[rng.integers(len(self._pool), size=deals)]

    def _traverse(self, role: int) -> int:
        """All deals of an iteration, block by block; blocks run in parallel threads, but are stored in order.

        PyTorch uses one thread meanwhile: how it divides a product among threads may change the last bits.
        """
        total = self.config.training.traversals_per_iter
        sizes = [min(BLOCK, total - start) for start in range(0, total, BLOCK)]
        count, workers = 0, torch().get_num_threads()
        with threads(1), ThreadPoolExecutor(workers) as pool:
            answers = net_answers(self.game, self.nets, role, uniform=self.uniform)
            for block, new in enumerate(
                pool.map(lambda block_and_size: self._block(answers, *block_and_size), enumerate(sizes))
            ):
                self.memories[role].add(new, self._rng(KEEPING, role, block))
                count += len(new)
        return count

    def _block(self, answers: NetAnswers, block: int, size: int) -> Samples:
        role = answers.traverser
        return samples_of(answers, self._deals(role, block, size), self._rng(DRAWING, role, block), self.iteration)

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


def with_prefix(arrays: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    """The arrays whose names begin with the prefix, by the rest of their names."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
