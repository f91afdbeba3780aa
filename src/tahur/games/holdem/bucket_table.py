"""A strategy for limit hold'em by betting line and card bucket, as a file that includes the buckets.

Rows are ordered by decision, then bucket; slots are fold, call, raise. In the file a probability is stored as one byte,
255 times its square root, and normalized to add up to 1 when read, so that rare actions are not lost. The trainer's
state is in the same file and is read only to resume training.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from tahur.cards.buckets import NO_BUCKET, Buckets, classes
from tahur.cards.cards import COMBOS
from tahur.cards.flops import start_classes
from tahur.core.archive import BUCKETS, Archive, kind_of, reading, write_archive
from tahur.core.arrays import Array
from tahur.core.errors import StrategyError
from tahur.core.game import Action, Game
from tahur.core.player import View
from tahur.games.betting import SLOTS, Betting, betting_of
from tahur.games.holdem.limit import PRESETS
from tahur.games.holdem.rules import Holdem

LEVELS: Final = 255
MEMORY: Final = "memory/"
FLOP, TURN = 3, 4  # board cards


@dataclass(frozen=True, slots=True)
class TrainingRecord:
    """What a strategy is for, and how far it was trained."""

    game: str
    buckets: tuple[int, ...]  # on each street
    rounds: int
    deals: int
    seed: int

    @classmethod
    def from_json(cls, header: Mapping[str, Any]) -> TrainingRecord:
        try:
            numbers = tuple(int(size) for size in header["buckets"])
            return cls(str(header["game"]), numbers, *(int(header[name]) for name in ("rounds", "deals", "seed")))
        except (KeyError, TypeError, ValueError) as error:
            raise StrategyError(f"the header is not one of a {BUCKETS.name}: {error!r}") from None

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "buckets": list(self.buckets),
            "rounds": self.rounds,
            "deals": self.deals,
            "seed": self.seed,
        }


def first_rows(betting: Betting, counts: tuple[int, ...]) -> Array:
    """(decisions,) the first row of each decision, which has one row for each bucket of its street."""
    sizes = np.array(counts, np.int64)[betting.street[: betting.decisions]]
    return np.cumsum(sizes) - sizes


@dataclass(eq=False)
class BucketTable:
    """A strategy for both seats. It answers views, and gives the probabilities of all hands at a decision."""

    training: TrainingRecord
    betting: Betting
    buckets: Buckets
    average: Array  # (rows, 3) probabilities
    _board: tuple[int, ...] | None = field(default=None, repr=False)
    _held: Array | None = field(default=None, repr=False)

    @cached_property
    def first(self) -> Array:
        return first_rows(self.betting, self.buckets.counts)

    def chances(self, decision: int, board: tuple[int, ...]) -> Array:
        """(1326, 3); hands with a board card get the probabilities of the first bucket."""
        if self._held is None or board != self._board:
            buckets = self.buckets.of(np.array(board, np.int64)).astype(np.int64)
            self._board, self._held = board, np.where(buckets == NO_BUCKET, 0, buckets)
        chances: Array = self.average[self.first[decision] + self._held]
        return chances

    def misfit(self, game: Game[Any]) -> str | None:
        """Why it cannot be played in that game; None if it can. The button and deeper stacks do not matter."""
        if game.name != self.training.game or not isinstance(game, Holdem):
            return f"this strategy was trained for {self.training.game}; the table plays {game.name}"
        return self.betting.too_short(game)

    def probabilities(self, view: View) -> Mapping[Action, float]:
        """The probability of each action for the hand of the view."""
        if reason := self.misfit(view.game):
            raise StrategyError(reason)
        node, hand = self.betting.decision_of(view)
        return self.betting.by_action(node, self.chances(node, tuple(view.table.board))[hand])


def is_bucket_table(path: Path) -> bool:
    return kind_of(path) == BUCKETS.name


def write_bucket_table(path: Path, table: BucketTable, memory: Mapping[str, Array]) -> None:
    """Write the file with the trainer's state, completely or not at all."""

    def blocks() -> Iterator[tuple[str, bytes]]:
        yield "flop", table.buckets.flop.astype("<u2").tobytes()
        yield "turn", table.buckets.turn.astype("<u2").tobytes()
        yield "river", table.buckets.river.astype("<f4").tobytes()
        yield "average", np.rint(np.sqrt(table.average) * LEVELS).astype(np.uint8).tobytes()
        for name, array in memory.items():
            yield MEMORY + name, array.tobytes()

    write_archive(path, BUCKETS, table.training.to_json(), blocks())


def read_bucket_table(path: Path) -> BucketTable:
    """The strategy in a file."""
    with reading(path, BUCKETS) as file:
        training = TrainingRecord.from_json(file.header)
        betting = betting_of(game_named(training.game))
        buckets = Buckets(
            preflop=start_classes().member.astype(np.uint16),
            flop=_table(file, "flop", len(classes(FLOP).kept)),
            turn=_table(file, "turn", len(classes(TURN).kept)),
            river=np.frombuffer(file.block("river", 4 * (training.buckets[-1] - 1)), "<f4"),
        )
        if buckets.counts != training.buckets:
            raise StrategyError(f"it has {buckets.counts} buckets, its header says {training.buckets}")
        rows = int(first_rows(betting, buckets.counts)[-1]) + buckets.counts[betting.streets - 1]
        levels = np.frombuffer(file.block("average", rows * len(SLOTS)), np.uint8).reshape(rows, len(SLOTS))
        squares = np.square(levels, dtype=np.float64)
        return BucketTable(training, betting, buckets, squares / squares.sum(axis=1, keepdims=True))


def read_memory(path: Path, names: Mapping[str, tuple[str, int]]) -> dict[str, Array]:
    """The trainer's state: name -> (dtype, length)."""
    with reading(path, BUCKETS) as file:
        return {
            name: np.frombuffer(file.block(MEMORY + name, np.dtype(kind).itemsize * size), kind).copy()
            for name, (kind, size) in names.items()
        }


def game_named(name: str) -> Holdem:
    """The two-player limit game of that name."""
    preset = next(
        (candidate for candidate in PRESETS if candidate.name == name and candidate.showdown_board == 5), None
    )
    if preset is None:
        able = ", ".join(preset.name for preset in PRESETS if preset.showdown_board == 5)
        raise StrategyError(f"card buckets are for {able}, not for {name}")
    return preset()


def _table(file: Archive, name: str, boards: int) -> Array:
    return np.frombuffer(file.block(name, 2 * boards * COMBOS), "<u2").reshape(boards, COMBOS)
