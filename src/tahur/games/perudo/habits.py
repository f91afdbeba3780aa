"""Habits in Perudo: bids, size of raises, bluffs, and how often and how well a player calls dudo and calza.

Aces count for every face while they are wild in the round. A bid that is answered with calza does not count as doubted.
Palifico rounds count everywhere except in the bids on aces, and have figures of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tahur.core.game import Action, Hand
from tahur.core.habits import FigureKind, Habit, HabitCounts, Habits
from tahur.core.record import Record
from tahur.games.perudo.bids import (
    ACE,
    CALZA,
    DUDO,
    FIRST_BID,
    SQUEEZE_JUMP,
    count_of,
    face_of,
    increment,
    is_squeezing,
    is_supported,
    ratio_of,
)
from tahur.games.perudo.table import PerudoTable, matching_of

BIDS: Final = Habit(
    name="bids",
    explanation="How many bids it makes in a round.",
    hits="bids",
    chances="rounds it has dice in",
    kind=FigureKind.MEAN,
    unit="a round",
)
OPENING: Final = Habit(
    name="opening count",
    explanation="How many dice its first bid of a round claims.",
    hits="dice claimed",
    chances="rounds it opens",
    kind=FigureKind.MEAN,
    unit="dice",
)
JUMP: Final = Habit(
    name="jump",
    explanation="How many legal bids its raise passes over; 0 is the lowest raise there is.",
    hits="bids passed over",
    chances="raises",
    kind=FigureKind.MEAN,
    unit="bids",
)
INCREMENT: Final = Habit(
    name="increment",
    explanation="By how many dice its raise goes up; an ace counts for two dice of another face.",
    hits="dice",
    chances="raises",
    kind=FigureKind.MEAN,
    unit="dice",
)
FACE_CHANGE: Final = Habit(
    "face change",
    "How often its raise goes to another face.",
    "raises to another face",
    "raises where another face could be bid",
)
ACE_BID: Final = Habit(
    "ace bid",
    "How often it bids on aces while they are wild.",
    "bids on aces",
    "bids where one on aces was legal, palifico left out",
)
BLUFF: Final = Habit(
    "bluff",
    "How often it bids on a face that none of its dice counts for, wild aces included.",
    "bids with no matching die",
    "bids",
)
UNSUPPORTED: Final = Habit(
    "unsupported",
    "How often it bids with less than three tenths of the count, rounded up, among its own dice.",
    "bids that its dice do not support",
    "bids",
)
TRUE_BID: Final = Habit(
    "true bid",
    "How often its bid is true, doubted or not: all cups are lifted in the end.",
    "true bids",
    "bids",
)
SQUEEZE: Final = Habit(
    "squeeze",
    "How often it jumps by two dice or more on the same face over a bold bid when the next seat is down to two dice.",
    "raises by two or more on the face",
    "raises over 75 % of the expected count, the next seat with one die or two",
)
DUDO_RATE: Final = Habit(
    "dudo",
    "How often it doubts the bid before it.",
    "dudos",
    "turns with a bid to answer",
)
DUDO_RIGHT: Final = Habit(
    "dudo right",
    "How often the bid it doubts is false.",
    "dudos of a false bid",
    "dudos",
)
CALZA_RATE: Final = Habit(
    "calza",
    "How often it says that the bid before it is exactly right.",
    "calzas",
    "turns with a bid to answer where calza was legal",
)
CALZA_RIGHT: Final = Habit(
    "calza right",
    "How often the bid it calls calza on is exactly right.",
    "calzas of an exact bid",
    "calzas",
)
DOUBTED: Final = Habit(
    "doubted",
    "How often the next seat doubts its bid.",
    "bids answered by dudo",
    "bids",
)
SURVIVED: Final = Habit(
    "survived doubt",
    "How often its bid is true when it is doubted.",
    "true bids",
    "bids answered by dudo",
)
PALIFICO_BLUFF: Final = Habit(
    "palifico bluff",
    "How often it bids in palifico on a face that it does not hold.",
    "bids with no matching die",
    "bids in palifico",
)
PALIFICO_DUDO: Final = Habit(
    "palifico dudo",
    "How often it doubts the bid before it in palifico.",
    "dudos",
    "turns in palifico with a bid to answer",
)

ALL_HABITS: Final = (
    BIDS,
    OPENING,
    JUMP,
    INCREMENT,
    FACE_CHANGE,
    ACE_BID,
    BLUFF,
    UNSUPPORTED,
    TRUE_BID,
    SQUEEZE,
    DUDO_RATE,
    DUDO_RIGHT,
    CALZA_RATE,
    CALZA_RIGHT,
    DOUBTED,
    SURVIVED,
    PALIFICO_BLUFF,
    PALIFICO_DUDO,
)


def count(counts: HabitCounts, game: Any, record: Record, tables: Sequence[PerudoTable]) -> None:
    """Count every habit of every seat in one round."""
    for seat in tables[0].round.order:
        counts.add(seat, BIDS, 0, 1)
    for table, action in zip(tables, record.actions, strict=False):
        if table.history:
            _count_answer(counts, table, action)
        if action >= FIRST_BID:
            _count_bid(counts, table, action, record.hands[table.turn])
            _count_truth(counts, table, action, record.hands)
            _count_size(counts, table, action)
    _count_call(counts, tables[-1], record.hands)


def _count_answer(counts: HabitCounts, table: PerudoTable, action: Action) -> None:
    """Count the answer to a bid: dudo, calza where it is allowed, and dudo in palifico rounds."""
    counts.chance(table.turn, DUDO_RATE, action == DUDO)
    if CALZA in table.actions():
        counts.chance(table.turn, CALZA_RATE, action == CALZA)
    if table.round.palifico:
        counts.chance(table.turn, PALIFICO_DUDO, action == DUDO)


def _count_bid(counts: HabitCounts, table: PerudoTable, bid: Action, hand: Hand) -> None:
    """Count what the bid is on. Whether it is doubted is known later; that it can be doubted is known now."""
    seat, face = table.turn, face_of(bid)
    bluff = matching_of(face, wild=table.wild)[hand] == 0
    counts.add(seat, BIDS, 1, 0)
    counts.chance(seat, BLUFF, bluff)
    counts.add(seat, DOUBTED, 0, 1)
    if table.round.palifico:
        counts.chance(seat, PALIFICO_BLUFF, bluff)
    elif table.lowest(ACE) is not None:
        counts.chance(seat, ACE_BID, face == ACE)


def _count_truth(counts: HabitCounts, table: PerudoTable, bid: Action, hands: Sequence[Hand]) -> None:
    """Count whether the bidder's own dice support the bid, and whether it is true."""
    matching, count = matching_of(face_of(bid), wild=table.wild), count_of(bid)
    counts.chance(table.turn, UNSUPPORTED, not is_supported(matching[hands[table.turn]], count))
    counts.chance(table.turn, TRUE_BID, sum(map(matching.__getitem__, hands)) >= count)


def _count_size(counts: HabitCounts, table: PerudoTable, bid: Action) -> None:
    """Count how large a bid is: an opening's count, or a raise's jump, increment, squeeze and change of face."""
    if not table.history:
        counts.add(table.turn, OPENING, count_of(bid), 1)
        return
    raises = [action for action in table.actions() if action >= FIRST_BID]  # the lowest first
    before = table.history[-1]
    standing, step = face_of(before), increment(before, bid, table.wild)
    counts.add(table.turn, JUMP, raises.index(bid), 1)
    counts.add(table.turn, INCREMENT, step, 1)
    if is_squeezing(ratio_of(before, table.round.total, wild=table.wild), _next_dice(table)):
        counts.chance(table.turn, SQUEEZE, face_of(bid) == standing and step >= SQUEEZE_JUMP)
    if any(face_of(raised) != standing for raised in raises):
        counts.chance(table.turn, FACE_CHANGE, face_of(bid) != standing)


def _next_dice(table: PerudoTable) -> int:
    """The dice of the seat that acts next."""
    return table.cups[table.seat_at(len(table.history) + 1)]


def _count_call(counts: HabitCounts, final_table: PerudoTable, hands: Sequence[Hand]) -> None:
    """Count the dudo or calza that lifted the cups."""
    *_, bid, call = final_table.history
    matching = sum(map(matching_of(face_of(bid), wild=final_table.wild).__getitem__, hands))
    bidder, caller = (final_table.seat_at(len(final_table.history) - back) for back in (2, 1))
    if call == CALZA:
        counts.chance(caller, CALZA_RIGHT, matching == count_of(bid))
        return
    counts.add(bidder, DOUBTED, 1, 0)  # the bid itself was counted as a chance when it was made
    counts.chance(bidder, SURVIVED, matching >= count_of(bid))
    counts.chance(caller, DUDO_RIGHT, matching < count_of(bid))


HABITS: Final = Habits(ALL_HABITS, count)
