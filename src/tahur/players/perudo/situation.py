"""A view of Perudo as a mind takes it in: its own dice by face, what others bid on, who sits next, what is legal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tahur.core.game import Action, Hand, Seat
from tahur.core.player import View
from tahur.games.perudo.bids import ACE, CALZA, FACES, count_of, face_of
from tahur.games.perudo.cups import dice_of, matching_of
from tahur.games.perudo.reading import dice_for_one
from tahur.games.perudo.round import NO_BID
from tahur.games.perudo.table import PerudoTable
from tahur.players.perudo.odds import exactly, expected, tail, tilted

ByFace = tuple[int, ...]  # 7 numbers: by face, and 0 for no face


@dataclass(slots=True)
class Situation:
    """One decision. Nobody changes it; it is not frozen because a frozen one takes four times as long to make."""

    table: PerudoTable
    seat: Seat
    own: int  # dice under its cup
    total: int
    unknown: int
    full: int  # dice that a cup can hold
    wild: bool
    shown: ByFace  # its own dice by what they show
    matches: ByFace  # its own dice by what they count for, wild aces included
    bids_on: ByFace  # bids of this round on each face
    chances: tuple[float, ...]  # by face, that an unknown die counts, after what other seats bid
    tails: tuple[tuple[float, ...], ...]  # by face and count, that so many unknown dice or more do
    per_match: ByFace  # by face, of how many unknown dice one counts on average
    lowest: tuple[Action | None, ...]  # by face, the lowest legal bid
    least: Action | None  # the lowest legal bid of all
    standing: Action | None
    count: int  # of the standing bid; 0 without one
    face: int
    bidder: Seat | None
    next_dice: int  # of the seat that acts next
    others: tuple[int, ...]  # dice of the other seats that are in
    may_calza: bool

    def success(self, bid: Action) -> float:
        """How likely a bid is true."""
        face = face_of(bid)
        needed = count_of(bid) - self.matches[face]
        if needed <= 0:
            return 1.0
        return self.tails[face][needed] if needed <= self.unknown else 0.0

    def exact(self, bid: Action) -> float:
        """How likely a bid is exactly right."""
        face = face_of(bid)
        return exactly(count_of(bid) - self.matches[face], self.unknown, self.chances[face])

    def expected(self, face: int) -> float:
        """How many dice should count for the face, its own known."""
        return expected(self.matches[face], self.unknown, self.chances[face])

    def prior(self, face: int) -> float:
        """How many of all dice should count for the face when none is known."""
        return self.total / self.per_match[face]


def situation_of(view: View) -> Situation:
    """What the seat to act makes of its view."""
    assert view.hand is not None
    table: PerudoTable = view.table
    round_, history, seat = table.round, table.history, view.seat
    cups, order, wild = round_.cups, round_.order, table.wild
    place = order.index(seat)
    standing = history[-1] if history else None
    bids_on, bids_of_others = _bids_by_face(history, place, len(order))
    chances = _chances(bids_of_others, wild)
    menu = round_.menus[seat]
    actions = menu[NO_BID if standing is None else standing]
    lowest = menu.lowest(NO_BID if standing is None else standing)
    total, own = sum(cups), cups[seat]
    return Situation(
        table,
        seat,
        own,
        total,
        total - own,
        round_.rules.dice,
        wild,
        shown_of(view.hand),
        matches_of(view.hand, wild=wild),
        bids_on,
        chances,
        _tails(total - own, chances),
        _per_match(wild),
        lowest,
        lowest[0],
        standing,
        0 if standing is None else count_of(standing),
        0 if standing is None else face_of(standing),
        None if standing is None else order[(len(history) - 1) % len(order)],
        cups[order[(place + 1) % len(order)]],
        tuple([cups[each] for each in order if each != seat]),
        len(actions) > 1 and actions[1] == CALZA,
    )


@cache
def matches_of(hand: Hand, *, wild: bool) -> ByFace:
    """How many dice of a hand count for each face."""
    return (0, *(matching_of(face, wild=wild)[hand] for face in FACES))


@cache
def shown_of(hand: Hand) -> ByFace:
    """How many dice of a hand show each face."""
    dice = dice_of(hand)
    return (0, *(dice.count(face) for face in FACES))


def best_face(situation: Situation) -> int | None:
    """The face it is strongest in, aces apart, among those it may bid; the standing one, then the highest, of several.

    In palifico aces are a face like any other.
    """
    shown, lowest, standing = situation.shown, situation.lowest, situation.face
    best, strength = None, -1
    for face in range(2 if situation.wild else ACE, 7):
        mine = 2 * shown[face] + (face == standing)
        if lowest[face] is not None and mine >= strength:
            best, strength = face, mine
    return best


@cache
def _chances(bids_of_others: ByFace, wild: bool) -> tuple[float, ...]:
    return (1.0, *(tilted(face, bids_of_others[face], wild=wild) for face in FACES))


@cache
def _tails(unknown: int, chances: tuple[float, ...]) -> tuple[tuple[float, ...], ...]:
    return tuple(tail(unknown, chance) for chance in chances)


@cache
def _per_match(wild: bool) -> ByFace:
    return (1, *(dice_for_one(face, wild=wild) for face in FACES))


def _bids_by_face(history: tuple[Action, ...], place: int, turns: int) -> tuple[ByFace, ByFace]:
    """All bids of the round by face, and those of the other seats; one's own turn is number `place` of every round."""
    every, others = [0] * 7, [0] * 7
    for at, bid in enumerate(history):
        face = face_of(bid)
        every[face] += 1
        if at % turns != place:
            others[face] += 1
    return tuple(every), tuple(others)
