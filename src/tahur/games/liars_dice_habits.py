"""Habits in liar's dice: size of raises, bluffs, and how often and how well a player says liar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tahur.core.game import Action
from tahur.core.habits import FigureKind, Habit, HabitCounts, Habits
from tahur.core.record import Record

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
