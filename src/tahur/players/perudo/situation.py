"""A view of Perudo as a mind takes it in: its own dice by face, what others bid on, who sits next, what is legal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

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
    wild: bool
    shown: ByFace  # its own dice by what they show
    matches: ByFace  # its own dice by what they count for, wild aces included
    bids_on: int  # bids of this round on the face of the standing one
    chances: tuple[float, ...]  # by face, that an unknown die counts, after what other seats bid
    tails: tuple[tuple[float, ...], ...]  # by face and count, that so many unknown dice or more do
    per_match: ByFace  # by face, of how many unknown dice one counts on average
    lowest: tuple[Action | None, ...]  # by face, the lowest legal bid; at 0 the lowest of all
    standing: Action | None
    count: int  # of the standing bid; 0 without one
    face: int
    bidder: Seat | None
    next_dice: int  # of the seat that acts next
    seats: int  # that are in

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

    @property
    def full(self) -> int:
        """Dice that a cup can hold."""
        return self.table.round.rules.dice

    @property
    def strongest(self) -> int:
        """The dice of the other seat that has most."""
        return max(dice for seat, dice in enumerate(self.table.cups) if seat != self.seat)

    @property
    def may_calza(self) -> bool:
        return self.table.actions()[1:2] == (CALZA,)


def situation_of(view: View) -> Situation:
    """What the seat to act makes of its view."""
    table, hand, seat = view.table, view.hand, view.seat
    assert hand is not None
    round_, history = table.round, table.history
    cups, order, wild = round_.cups, round_.order, not round_.palifico
    own, total, seats = cups[seat], sum(cups), len(order)
    unknown, place = total - own, order.index(seat)
    standing, count, face, bidder = None, 0, 0, None
    if history:
        standing = history[-1]
        count, face, bidder = count_of(standing), face_of(standing), order[place - 1]
    bids_on, others = _bids_by_face(history, face, place, seats)
    return Situation(
        table,
        seat,
        own,
        total,
        unknown,
        wild,
        shown_of(hand),
        matches_of(hand, wild),
        bids_on,
        _chances(others, wild),
        _tails(others, unknown, wild),
        _per_match(wild),
        round_.menus[seat].lowest(NO_BID if standing is None else standing),
        standing,
        count,
        face,
        bidder,
        cups[order[(place + 1) % seats]],
        seats,
    )


@cache
def matches_of(hand: Hand, wild: bool) -> ByFace:
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


@lru_cache(maxsize=2**14)
def _chances(bids_of_others: ByFace, wild: bool) -> tuple[float, ...]:
    return (1.0, *(tilted(face, bids_of_others[face], wild=wild) for face in FACES))


@lru_cache(maxsize=2**16)
def _tails(bids_of_others: ByFace, unknown: int, wild: bool) -> tuple[tuple[float, ...], ...]:
    return tuple(tail(unknown, chance) for chance in _chances(bids_of_others, wild))


@cache
def _per_match(wild: bool) -> ByFace:
    return (1, *(dice_for_one(face, wild=wild) for face in FACES))


def _bids_by_face(history: tuple[Action, ...], face: int, place: int, turns: int) -> tuple[int, ByFace]:
    """The bids of the round on one face, and those of the other seats on each; one's own turn is number `place`."""
    on_face, others = 0, [0] * 7
    for at, bid in enumerate(history):
        bid_face = face_of(bid)
        on_face += bid_face == face
        if at % turns != place:
            others[bid_face] += 1
    return on_face, tuple(others)
