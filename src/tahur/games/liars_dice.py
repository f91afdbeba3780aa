"""Liar's dice for two: both roll in secret and take turns raising a bid, until one says liar.

A bid claims how many dice of a face there are among all dice; the highest face is wild and counts as any face. A higher
bid is more dice of any face, or the same number of a higher face. After `liar` all dice are shown: the bidder wins if
there are at least that many, otherwise the doubter wins. Usually one die each. Seats do not change between deals, so a
match never ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.errors import SettingError
from tahur.core.game import OVER, Action, DiceCount, Hand, Seat, Settings, Symmetry
from tahur.core.habits import FigureKind, Habit, HabitCounts, Habits
from tahur.core.record import Record
from tahur.core.referee import check_legal
from tahur.games.entry import GameEntry

SEATS: Final = 2
MOST_DICE: Final = 8  # per seat: 1,287 hands of six faces
MOST_FACES: Final = 12

Roll = tuple[int, ...]  # faces, lowest first


@dataclass(frozen=True, slots=True)
class LiarsDiceTable:
    """The bids so far, numbered upwards from 0 (`1 x 1`); the number after the highest bid means `liar`."""

    game: LiarsDice
    history: tuple[Action, ...] = ()

    @property
    def turn(self) -> Seat:
        return OVER if self.history[-1:] == (self.game.liar,) else len(self.history) % SEATS

    def actions(self) -> range:
        """All higher bids and, once there is a bid, `liar`, whose number is above all bids."""
        if not self.history:
            return range(self.game.liar)
        return range(self.history[-1] + 1, self.game.liar + 1)

    def after(self, action: Action) -> LiarsDiceTable:
        check_legal(self.game, self, action)
        return LiarsDiceTable(self.game, (*self.history, action))


@dataclass(frozen=True, slots=True)
class LiarsDice:
    """The rules. A hand is the index of a sorted roll; rolls with more distinct faces are likelier."""

    dice: int = 1  # per seat
    faces: int = 6

    def __post_init__(self) -> None:
        for setting, value, low, high in (("dice", self.dice, 1, MOST_DICE), ("faces", self.faces, 2, MOST_FACES)):
            if not (isinstance(value, int) and low <= value <= high):
                raise SettingError(f"liars-dice: {setting} = {value!r}; valid: {low} to {high}")

    @property
    def name(self) -> str:
        return "liars-dice"

    @property
    def seats(self) -> int:
        return SEATS

    @property
    def settings(self) -> Settings:
        return {"dice": self.dice, "faces": self.faces}

    @property
    def liar(self) -> Action:
        return SEATS * self.dice * self.faces

    def bid(self, action: Action) -> tuple[int, int]:
        """The number of dice and the face of a bid."""
        return action // self.faces + 1, action % self.faces + 1

    def start(self) -> LiarsDiceTable:
        return LiarsDiceTable(self)

    def deal(self, rng: np.random.Generator) -> tuple[Hand, ...]:
        numbers = _numbers(self.dice, self.faces)
        rolls = rng.integers(1, self.faces + 1, size=(SEATS, self.dice)).tolist()
        return tuple(numbers[tuple(sorted(roll))] for roll in rolls)

    def outcomes(self, table: LiarsDiceTable, hands: Sequence[Hand]) -> tuple[Action, ...]:
        """Empty: chance only rolls the dice."""
        return ()

    def payoffs(self, table: LiarsDiceTable, hands: Sequence[Hand]) -> tuple[float, ...]:
        """One for the winner, minus one for the loser."""
        quantity, face = self.bid(table.history[-2])
        shown = [die for hand in hands for die in self.roll(hand)]
        bidder_won = sum(die in (face, self.faces) for die in shown) >= quantity
        bidder = len(table.history) % SEATS
        return (1, -1) if bidder_won == (bidder == 0) else (-1, 1)

    def worth(self, table: LiarsDiceTable, hands: Sequence[Hand]) -> tuple[float, ...]:
        """Half of the payoffs if the standing bid were doubted now, since it may also be raised; 0 without a bid."""
        if table.turn == OVER:
            return self.payoffs(table, hands)
        if not table.history:
            return 0.0, 0.0
        first, second = self.payoffs(table.after(self.liar), hands)
        return first / 2, second / 2

    def luck_of_deal(self, hands: Sequence[Hand]) -> tuple[float, ...]:
        """Zeros: before the first bid no roll is better than another."""
        return 0.0, 0.0

    def revealed(self, table: LiarsDiceTable) -> tuple[Seat, ...]:
        return tuple(range(SEATS)) if table.turn == OVER else ()

    def label(self, table: LiarsDiceTable, action: Action) -> str:
        if action == self.liar:
            return "liar"
        quantity, face = self.bid(action)
        return f"{quantity} x {face}"

    def hand_text(self, hand: Hand) -> str:
        return " ".join(map(str, self.roll(hand)))

    def next(self, record: Record) -> LiarsDice:
        """The same game: no dice are lost."""
        return self

    def roll(self, hand: Hand) -> Roll:
        return _rolls(self.dice, self.faces)[hand]

    def hands(self, seat: Seat) -> range:
        return range(len(_rolls(self.dice, self.faces)))

    def prior(self, seat: Seat) -> NDArray[np.float64]:
        ways = [_ways(roll) for roll in _rolls(self.dice, self.faces)]
        return np.array(ways) / float(sum(ways))

    def possible(self, hands: Sequence[Hand]) -> bool:
        """Always true: the two rolls are independent."""
        return True

    def terminal(self, table: LiarsDiceTable) -> DiceCount:
        quantity, face = self.bid(table.history[-2])
        counts = _matching(self.dice, self.faces)[face - 1]
        first_wins = (np.arange(SEATS * self.dice + 1) >= quantity) == (len(table.history) % SEATS == 0)
        won = np.where(first_wins, 1.0, -1.0)
        return DiceCount((counts, counts), np.stack([won, -won], axis=1))

    def holdings(self, seat: Seat) -> None:
        """None: hands are not made of cards."""
        return

    def shown(self, table: LiarsDiceTable, move: Action) -> tuple[int, ...]:
        """Empty: chance only rolls the dice."""
        return ()

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Empty: bids rise with the face, so no two faces are equivalent."""
        return ()


@cache
def _rolls(dice: int, faces: int) -> tuple[Roll, ...]:
    return tuple(combinations_with_replacement(range(1, faces + 1), dice))


@cache
def _numbers(dice: int, faces: int) -> dict[Roll, Hand]:
    return {roll: number for number, roll in enumerate(_rolls(dice, faces))}


@cache
def _matching(dice: int, faces: int) -> NDArray[np.int64]:
    """How many dice of each roll count for a bid on each face: rows are faces, columns are rolls."""
    rolls = np.array(_rolls(dice, faces))
    return np.stack([((rolls == face) | (rolls == faces)).sum(axis=1) for face in range(1, faces + 1)])


def _ways(roll: Roll) -> int:
    """The number of orders in which the dice can show this roll."""
    return factorial(len(roll)) // prod(factorial(roll.count(face)) for face in set(roll))


BIDS: Final = Habit(
    name="bids",
    explanation="How many bids it makes in a game.",
    hits="bids",
    chances="games",
    kind=FigureKind.MEAN,
    unit="a game",
)
JUMP: Final = Habit(
    name="jump",
    explanation="How many legal bids its raise passes over; 0 is the lowest raise there is.",
    hits="bids passed over",
    chances="raises",
    kind=FigureKind.MEAN,
    unit="bids",
)
BLUFF: Final = Habit(
    "bluff",
    "How often it bids on a face that none of its dice counts for, the wild face included.",
    "bids with no matching die",
    "bids",
)
LIAR: Final = Habit("liar", "How often it doubts the bid before it.", "liars said", "turns with a bid to answer")
LIAR_RIGHT: Final = Habit("liar right", "How often the bid it doubts is false.", "false bids", "liars said")
DOUBTED: Final = Habit("doubted", "How often its bid is doubted.", "bids answered by liar", "bids")
SURVIVED: Final = Habit(
    "survived doubt", "How often its bid is true when it is doubted.", "true bids", "bids answered by liar"
)

ALL_HABITS: Final = (BIDS, JUMP, BLUFF, LIAR, LIAR_RIGHT, DOUBTED, SURVIVED)


def count(counts: HabitCounts, game: Any, record: Record, tables: Sequence[Any]) -> None:
    """Count every habit of both seats in one game."""
    for seat in range(game.seats):
        counts.add(seat, BIDS, 0, 1)
    for table, action in zip(tables, record.actions, strict=False):
        if table.history:
            counts.chance(table.turn, LIAR, action == game.liar)
        if action != game.liar:
            _count_bid(counts, game, table, action, game.roll(record.hands[table.turn]))
    caller, bidder = (seat % game.seats for seat in (len(record.actions) - 1, len(record.actions)))
    counts.add(bidder, DOUBTED, 1, 0)
    counts.chance(bidder, SURVIVED, record.payoffs[bidder] > 0)
    counts.chance(caller, LIAR_RIGHT, record.payoffs[caller] > 0)


def _count_bid(counts: HabitCounts, game: Any, table: Any, bid: Action, roll: Sequence[int]) -> None:
    seat = table.turn
    _, face = game.bid(bid)
    counts.add(seat, BIDS, 1, 0)
    counts.add(seat, DOUBTED, 0, 1)
    counts.chance(seat, BLUFF, not any(die in (face, game.faces) for die in roll))
    if table.history:
        counts.add(seat, JUMP, table.actions().index(bid), 1)


HABITS: Final = Habits(ALL_HABITS, count)


ENTRY: Final = GameEntry(
    "liars-dice", "liar's dice for two: secret dice, rising bids, the highest face wild", LiarsDice, habits=HABITS
)
