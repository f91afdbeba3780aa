"""A preflop strategy for a table of two to six seats, and its file.

A probability is stored as one byte, 255 times its square root. The values of actions are stored in hundredths of a big
blind, for decisions that play comes to often enough; others are marked as rarely reached.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from math import isinf
from pathlib import Path
from typing import Any, Final

import numpy as np

from tahur.cards.cards import COMBOS
from tahur.cards.rankings import class_of_combos
from tahur.core.archive import PREFLOP, kind_of, reading, write_archive
from tahur.core.arrays import Array, Float64s
from tahur.core.errors import StrategyError
from tahur.solvers.nolimit.chart import PreflopChart
from tahur.solvers.nolimit.multiway.actions import MultiwaySizes
from tahur.solvers.nolimit.multiway.tree import PREFLOP_CLASSES, PreflopTree, build_preflop
from tahur.solvers.postflop.spot import Rake

LEVELS: Final = 255
LEAST: Final = 0.02  # smaller probabilities are stored as 0: they are left from the beginning of the training
RARE: Final = 1_000.0  # arrivals below which a decision is marked as rarely reached
HUNDREDTHS: Final = 100
UNKNOWN: Final = np.int16(-32768)  # a value that is not stored
MEMORY: Final = "memory/"


@dataclass(frozen=True, slots=True)
class MultiwayTraining:
    """How a strategy was trained."""

    deals: int
    rounds: int
    seed: int
    buckets: tuple[int, ...]  # on each street


@dataclass(frozen=True, eq=False)
class MultiwayStrategy:
    """The strategy of every seat before the flop."""

    tree: PreflopTree
    rake: Rake  # in big blinds
    training: MultiwayTraining
    levels: Array  # (cells,) uint8
    arrivals: Array  # (nodes,) float32 how often play came to each decision in training
    worth: Array  # (cells,) int16 values of the actions, in hundredths of a big blind, blinds included

    @property
    def depth(self) -> float:
        """The stacks, in big blinds."""
        return self.tree.depth

    @cached_property
    def _combos(self) -> Float64s:
        """(169,) the number of combos of each class."""
        return np.bincount(class_of_combos(), minlength=PREFLOP_CLASSES).astype(np.float64)

    def mix(self, node: int) -> Float64s:
        """(actions, 169) the probabilities of the actions of a decision."""
        squares = self.levels[self.tree.block(node)].reshape(PREFLOP_CLASSES, -1).astype(np.float64) ** 2
        shares: Float64s = (squares / squares.sum(axis=1, keepdims=True)).T
        return shares

    def reach(self, node: int, seat: int) -> Float64s:
        """(169,) the probability that a seat's own actions lead to a node, for each class of hands."""
        reach = np.ones(PREFLOP_CLASSES)
        for parent, action in self.tree.path(node):
            if self.tree.tables[parent].turn == seat:
                reach = reach * self.mix(parent)[action]
        return reach

    def is_rare(self, node: int) -> bool:
        """Whether training came to a decision so rarely that its strategy is noisy."""
        return float(self.arrivals[node]) < RARE

    def chart(self, node: int) -> PreflopChart:
        """The chart of a decision; with values, compared with folding, unless it is rarely reached."""
        tree = self.tree
        seat = tree.tables[node].turn
        if seat < 0:
            raise StrategyError(f"node {node} is no decision before the flop")
        weights, mix = self.reach(node, seat), self.mix(node)
        often = weights * self._combos
        frequencies = mix @ often / often.sum() if often.sum() > 0 else mix.mean(axis=1)
        return PreflopChart(weights, mix, tuple(frequencies.tolist()), self._values(node, seat))

    def _values(self, node: int, seat: int) -> Float64s | None:
        """(actions, 169) big blinds compared with folding; None if they are not stored."""
        stored = self.worth[self.tree.block(node)].reshape(PREFLOP_CLASSES, -1)
        if (stored == UNKNOWN).any():
            return None
        table = self.tree.tables[node]
        paid = table.committed[seat] / table.stakes.blinds[1]
        values: Float64s = stored.T / HUNDREDTHS + paid
        return values


def share_of_combos(weights: Float64s) -> float:
    """The share of all 1,326 combos that weights of the 169 classes keep."""
    counts = np.bincount(class_of_combos(), minlength=PREFLOP_CLASSES)
    return float(weights @ counts / COMBOS)


def write_strategy(path: Path, strategy: MultiwayStrategy, memory: Mapping[str, Array] | None = None) -> None:
    """Write a strategy; memory: the state of its solver, to resume from."""
    tree = strategy.tree
    header = {
        "seats": tree.seats,
        "depth": tree.depth,
        "sizes": asdict(tree.sizes),
        "rake": rake_json(strategy.rake),
        "training": asdict(strategy.training),
    }
    entries: list[tuple[str, Any]] = [
        ("levels", strategy.levels),
        ("arrivals", strategy.arrivals),
        ("worth", strategy.worth),
        *((f"{MEMORY}{name}", array.ravel()) for name, array in (memory or {}).items()),
    ]
    write_archive(path, PREFLOP, header, entries)


def is_strategy(path: Path) -> bool:
    """Whether a file is a preflop strategy."""
    return kind_of(path) == PREFLOP.name


def read_strategy(path: Path) -> MultiwayStrategy:
    """The strategy in a file."""
    with reading(path, PREFLOP) as file:
        header = file.header
        tree = build_preflop(int(header["seats"]), float(header["depth"]), _sizes(header["sizes"]))
        arrays = [file.array(name) for name in ("levels", "arrivals", "worth")]
        sizes, types = [len(array) for array in arrays], [array.dtype for array in arrays]
        if sizes != [tree.cells, len(tree.tables), tree.cells] or types != [np.uint8, np.float32, np.int16]:
            raise StrategyError(f"its arrays have {sizes} numbers; {tree.cells} probabilities were expected")
        training = {**header["training"], "buckets": tuple(header["training"]["buckets"])}
        rake = {name: float(value) for name, value in header["rake"].items() if value is not None}
        return MultiwayStrategy(
            tree=tree,
            rake=Rake(**rake),
            training=MultiwayTraining(**training),
            levels=arrays[0],
            arrivals=arrays[1],
            worth=arrays[2],
        )


def read_memory(path: Path, expected: Mapping[str, Array]) -> dict[str, Array]:
    """The solver's state in a file, as arrays like the expected ones."""
    with reading(path, PREFLOP) as file:
        if not file.names(MEMORY):
            raise StrategyError("it has no solver state and cannot be resumed; solve it again")
        flat = {name: np.empty(array.size, array.dtype) for name, array in expected.items()}
        return {
            name: file.array(f"{MEMORY}{name}", flat[name]).reshape(array.shape) for name, array in expected.items()
        }


def rake_json(rake: Rake) -> dict[str, float | None]:
    """The rake for JSON; without a cap, `cap` is None."""
    return {"share": rake.share, "cap": None if isinf(rake.cap) else rake.cap}


def _sizes(fields: Mapping[str, Any]) -> MultiwaySizes:
    """The sizes of a header, in which tuples are lists."""
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
    }
    return MultiwaySizes(**values)
