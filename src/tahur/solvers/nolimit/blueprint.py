"""A blueprint: the average strategy of an abstract no-limit game, for every hand at every decision, and its file.

A probability is stored as one byte, 255 times its square root, and normalized when read, so that rare actions are not
lost. The file has the centres of the card buckets, not the buckets of every board: those of a board are computed when
it is dealt. A file may end after the flop (`streets` 2), which makes it small: turn and river are then solved at the
table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from tahur.cards.buckets import NO_BUCKET, BucketCentres
from tahur.core.archive import BLUEPRINT, kind_of, reading, write_archive
from tahur.core.arrays import Array, Float32s, Float64s
from tahur.core.errors import StrategyError
from tahur.solvers.nolimit.abstraction import ActionAbstraction
from tahur.solvers.nolimit.tree import DECISION, BettingTree, build_tree, preflop_decisions

LEVELS: Final = 255
STREETS: Final = 4
MEMORY: Final = "memory/"
_BOARDS: Final = 256  # boards whose buckets are remembered


@dataclass(frozen=True, slots=True)
class BlueprintTraining:
    """How far a blueprint was trained."""

    rounds: int
    boards: int
    seed: int


class Blueprint:
    """The strategy of both seats, on the streets that are stored."""

    def __init__(
        self,
        tree: BettingTree,
        centres: BucketCentres,
        training: BlueprintTraining,
        levels: Array,
        *,
        streets: int = STREETS,
        values: Float32s | None = None,
    ) -> None:
        """tree: with buckets on the stored streets only; levels: (cells,) uint8 as in the file.

        values: what each action before the flop is worth in big blinds compared with folding: the blocks
        [class][action] of all decisions before the flop, one after another; None if they were not computed.
        """
        self.tree, self.centres, self.training, self.levels, self.streets = tree, centres, training, levels, streets
        self.values = values
        self._buckets = lru_cache(_BOARDS)(lambda board: self.centres.of(np.array(board, np.int64)))

    @property
    def depth(self) -> float:
        """The stacks, in big blinds."""
        return self.tree.depth

    @classmethod
    def from_sums(
        cls, tree: BettingTree, centres: BucketCentres, training: BlueprintTraining, sums: Array
    ) -> Blueprint:
        """From the sums of a solver, which need not add up to 1; where nothing was visited, uniform."""
        levels = np.zeros(len(sums), np.uint8)
        for node in np.flatnonzero(tree.arrays.kind == DECISION).tolist():
            block = tree.block(node)
            rows = sums[block].reshape(-1, len(tree.menus[node])).astype(np.float64)
            total = rows.sum(axis=1, keepdims=True)
            mix = np.where(total > 0, rows / np.where(total > 0, total, 1.0), 1.0 / rows.shape[1])
            levels[block] = np.rint(LEVELS * np.sqrt(mix)).ravel().astype(np.uint8)
        return cls(tree, centres, training, levels)

    def mix(self, node: int, board: tuple[int, ...]) -> Float64s:
        """(actions, 1326) the probabilities of the actions of a decision; uniform for hands that hold a board card."""
        street = int(self.tree.arrays.street[node])
        if street >= self.streets:
            raise StrategyError(f"this blueprint ends after the {('preflop', 'flop', 'turn')[self.streets - 1]}")
        squares = self.levels[self.tree.block(node)].reshape(-1, len(self.tree.menus[node])).astype(np.float64) ** 2
        mix = squares / squares.sum(axis=1, keepdims=True)
        buckets = self._buckets(board)
        out: Float64s = mix[np.where(buckets == NO_BUCKET, 0, buckets)].T.copy()
        out[:, buckets == NO_BUCKET] = 1 / len(out)
        return out

    def preflop_values(self, node: int) -> Float64s | None:
        """(actions, 169) the EV of each action of a decision before the flop in big blinds; None if unknown.

        Hands are in the order of `start_classes`.
        """
        if self.values is None:
            return None
        first = 0
        for other in preflop_decisions(self.tree):
            block = self.tree.block(other)
            if other == node:
                values = self.values[first : first + block.stop - block.start]
                return values.reshape(-1, len(self.tree.menus[node])).T.astype(np.float64)
            first += block.stop - block.start
        raise StrategyError(f"node {node} is no decision before the flop")

    def with_values(self, values: Float32s) -> Blueprint:
        """The same with the values of the actions before the flop."""
        return Blueprint(self.tree, self.centres, self.training, self.levels, streets=self.streets, values=values)

    def shortened(self, streets: int) -> Blueprint:
        """The same with the first `streets` streets only."""
        tree = build_tree(self.depth, self.tree.abstraction, _stored_counts(self.centres, streets))
        kept = [
            self.levels[self.tree.block(node)]
            for node in np.flatnonzero(tree.arrays.kind == DECISION).tolist()
            if tree.arrays.street[node] < streets
        ]
        return Blueprint(tree, self.centres, self.training, np.concatenate(kept), streets=streets, values=self.values)


def write_blueprint(path: Path, blueprint: Blueprint, memory: Mapping[str, Array] | None = None) -> None:
    """Write a blueprint; memory: the state of its solver, to resume from."""
    centres, abstraction, training = blueprint.centres, blueprint.tree.abstraction, blueprint.training
    header = {
        "depth": blueprint.depth,
        "abstraction": {"name": abstraction.name, "about": abstraction.about, "streets": abstraction.streets},
        "buckets": centres.counts,
        "streets": blueprint.streets,
        "rounds": training.rounds,
        "boards": training.boards,
        "seed": training.seed,
    }
    entries: list[tuple[str, Any]] = [
        ("flop", centres.flop.ravel()),
        ("turn", centres.turn.ravel()),
        ("river", centres.river),
        ("levels", blueprint.levels),
        *([] if blueprint.values is None else [("values", blueprint.values)]),
        *((f"{MEMORY}{name}", array) for name, array in (memory or {}).items()),
    ]
    write_archive(path, BLUEPRINT, header, entries)


def is_blueprint(path: Path) -> bool:
    return kind_of(path) == BLUEPRINT.name


def read_blueprint(path: Path) -> Blueprint:
    """The blueprint in a file."""
    with reading(path, BLUEPRINT) as file:
        header = file.header
        _, flop, turn, river = (int(count) for count in header["buckets"])
        named = header["abstraction"]
        streets = tuple(tuple(tuple(int(size) for size in sizes) for sizes in street) for street in named["streets"])
        abstraction = ActionAbstraction(str(named["name"]), str(named["about"]), streets)
        training = BlueprintTraining(
            rounds=int(header["rounds"]), boards=int(header["boards"]), seed=int(header["seed"])
        )
        centres = BucketCentres(
            file.array("flop").reshape(-1, flop), file.array("turn").reshape(-1, turn), file.array("river")
        )
        if len(centres.river) + 1 != river:
            raise StrategyError(f"it has {len(centres.river) + 1} river buckets, its header says {river}")
        stored = int(header["streets"])
        tree = build_tree(float(header["depth"]), abstraction, _stored_counts(centres, stored))
        levels = file.array("levels")
        if levels.dtype != np.uint8 or len(levels) != tree.cells:
            raise StrategyError(f"it has {len(levels):,} probabilities instead of {tree.cells:,}")
        values = file.array("values") if "values" in file.names() else None
        return Blueprint(tree, centres, training, levels, streets=stored, values=values)


def read_memory(path: Path, expected: Mapping[str, Array]) -> dict[str, Array]:
    """The solver's state in a file, as arrays like the expected ones."""
    with reading(path, BLUEPRINT) as file:
        if not file.names(MEMORY):
            raise StrategyError("it has no solver state and cannot be resumed; solve it again")
        return {name: file.array(f"{MEMORY}{name}", np.empty_like(array)) for name, array in expected.items()}


def _stored_counts(centres: BucketCentres, streets: int) -> tuple[int, ...]:
    """The number of buckets on each street, 0 after the first `streets` streets."""
    return tuple(count if street < streets else 0 for street, count in enumerate(centres.counts))
