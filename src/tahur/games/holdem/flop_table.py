"""A strategy for Flop Hold'em as a file: looked up by hand and flop, up to suit isomorphism.

The preflop part is a small table; each flop is a block that is read when it is needed. Probabilities on the flop are
bytes, 255 for certain; at each decision the last legal slot is not stored, since it is the remainder. A block is
`[entry][line][class of hands]`, where the entries are the decisions of one line with all their slots but the last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, cards_text
from tahur.cards.flops import Flop, canonical_flop, canonical_flops, hand_classes, start_classes
from tahur.core.archive import FLOPS, Archive, kind_of, once_per_file, refusals, write_archive
from tahur.core.arrays import Float32s
from tahur.core.errors import StrategyError
from tahur.core.game import Action, Game
from tahur.core.player import View
from tahur.core.solution import Facts
from tahur.core.strategy import PLAYED
from tahur.games.betting import SLOTS, Betting, betting_of
from tahur.games.holdem.limit import PRESETS
from tahur.games.holdem.rules import Holdem

LEVELS: Final = 255
FLOP: Final = 1  # the street
BOARD: Final = 3  # cards
_START: Final = "start"


class Source(Protocol):
    """What a file is written from."""

    def start(self) -> Float32s:
        """(decisions before the flop, 169, 3)"""
        ...

    def classes(self, cards: Flop) -> Float32s:
        """(lines, decisions of a line, classes of hands, 3)"""
        ...


@dataclass(frozen=True, eq=False)
class FlopEntries:
    """The layout of a flop's bytes: the lines, and the slots of each decision, which all lines share."""

    betting: Betting

    @cached_property
    def lines(self) -> int:
        betting = self.betting
        return sum(bool(betting.street[betting.parent[node]] < FLOP) for node in betting.of_street(FLOP))

    @cached_property
    def decisions(self) -> int:
        """The number of decisions in one line."""
        return len(self.betting.of_street(FLOP)) // self.lines

    @cached_property
    def slots(self) -> tuple[tuple[int, ...], ...]:
        """The legal slots of each decision."""
        first = self.betting.first[FLOP]
        legal = self.betting.legal[first : first + self.decisions]
        return tuple(tuple(np.flatnonzero(row).tolist()) for row in legal)

    @cached_property
    def count(self) -> int:
        return sum(len(slots) - 1 for slots in self.slots)

    def size(self, classes: int) -> int:
        """The bytes of a flop with `classes` classes of hands."""
        return self.count * self.lines * classes

    def packed(self, chances: Float32s) -> bytes:
        """(lines, decisions, classes, 3) as bytes."""
        rows: list[NDArray[np.uint8]] = []
        for decision, slots in enumerate(self.slots):
            left = np.full(chances.shape[::2][:2], LEVELS)
            for slot in slots[:-1]:
                level = np.minimum(np.rint(chances[:, decision, :, slot] * LEVELS).astype(np.int64), left)
                left = left - level
                rows.append(level.astype(np.uint8))
        return np.stack(rows).tobytes()

    def unpacked(self, block: bytes) -> Float32s:
        """The inverse of `packed`: (lines, decisions, classes, 3)."""
        levels = np.frombuffer(block, np.uint8).reshape(self.count, self.lines, -1)
        chances = np.zeros((self.lines, self.decisions, levels.shape[2], len(SLOTS)), np.float32)
        entry = 0
        for decision, slots in enumerate(self.slots):
            stored = levels[entry : entry + len(slots) - 1].astype(np.float32) / LEVELS
            entry += len(slots) - 1
            for slot, part in zip(slots, stored, strict=False):
                chances[:, decision, :, slot] = part
            chances[:, decision, :, slots[-1]] = np.maximum(1 - stored.sum(axis=0), 0)
        return chances


@dataclass(frozen=True, eq=False)
class FlopTable:
    """The strategy in a file, for both seats. It answers views, and gives all hands' probabilities at a decision."""

    file: Archive
    facts: Facts

    @cached_property
    def game(self) -> Holdem:
        preset = next((candidate for candidate in PRESETS if candidate.name == self.facts.game), None)
        if preset is None:
            raise StrategyError(f"{self.file.path} is for {self.facts.game}, which is not Flop Hold'em")
        return preset()

    @cached_property
    def betting(self) -> Betting:
        return betting_of(self.game)

    @cached_property
    def entries(self) -> FlopEntries:
        return FlopEntries(self.betting)

    @cached_property
    def _start(self) -> Float32s:
        shape = (self.betting.first[FLOP], len(start_classes().firsts), len(SLOTS))
        block = self.file.block(_START, 4 * int(np.prod(shape)))
        return np.frombuffer(block, "<f4").reshape(shape)

    def start(self) -> Float32s:
        return self._start

    def classes(self, cards: Flop) -> Float32s:
        size = self.entries.size(len(hand_classes(cards).firsts))
        return self.entries.unpacked(self.file.block(_name(cards), size))

    def preflop(self) -> Float32s:
        """(decisions before the flop, 1326, 3)"""
        return np.asarray(self._start[:, start_classes().member])

    def flop(self, cards: Flop) -> Float32s:
        """(decisions on the flop, 1326, 3), for a canonical flop."""
        rows: Float32s = self._recent(cards)[:, :, hand_classes(cards).member]
        return rows.reshape(-1, COMBOS, len(SLOTS))

    def misfit(self, game: Game[Any], *, now: str = PLAYED) -> str | None:
        """Why it cannot be played in that game; None if it can. The button and deeper stacks do not matter."""
        if game.name != self.facts.game or not isinstance(game, Holdem):
            return f"this strategy was solved for {self.facts.game}; {now} {game.name}"
        if game.stakes.showdown_board != BOARD:
            return f"this strategy is for {BOARD} board cards; the table has {game.stakes.showdown_board}"
        return self.betting.too_short(game)

    def probabilities(self, view: View) -> Mapping[Action, float]:
        """The probability of each action for the hand of the view."""
        if reason := self.misfit(view.game):
            raise StrategyError(reason)
        node, hand = self.betting.decision_of(view)
        return self.betting.by_action(node, self._row(node, hand, view.table.board))

    def _row(self, node: int, hand: int, board: tuple[int, ...]) -> Float32s:
        if not board:
            return np.asarray(self._start[node, start_classes().member[hand]])
        cards, combo_there = canonical_flop(board)
        line, decision = divmod(node - self.betting.first[FLOP], self.entries.decisions)
        return np.asarray(self._recent(cards)[line, decision, hand_classes(cards).member[combo_there[hand]]])

    @cached_property
    def _recent(self) -> Any:
        """`classes`, cached for the most recent flops."""
        return lru_cache(maxsize=64)(self.classes)


def is_flop_table(path: Path) -> bool:
    return kind_of(path) == FLOPS.name


@once_per_file(4)
def read_flop_table(path: Path) -> FlopTable:
    """The strategy in a file; flops are read on demand. A file that does not change is opened once."""
    with refusals(path):
        file = Archive(path, FLOPS)
        return FlopTable(file, Facts.from_json(file.header))


def table_bytes(betting: Betting) -> int:
    """The largest possible size of a file in bytes; compression leaves about half of it."""
    entries = FlopEntries(betting)
    return sum(entries.size(len(hand_classes(cards).firsts)) for cards in canonical_flops())


def write_flop_table(path: Path, facts: Facts, betting: Betting, source: Source) -> None:
    """Write the file, flop by flop, completely or not at all."""
    entries = FlopEntries(betting)

    def blocks() -> Iterator[tuple[str, bytes]]:
        yield _START, source.start().astype("<f4").tobytes()
        for cards in canonical_flops():
            yield _name(cards), entries.packed(source.classes(cards))

    write_archive(path, FLOPS, facts.to_json(), blocks())


def _name(cards: Flop) -> str:
    return f"flops/{cards_text(cards)}"
