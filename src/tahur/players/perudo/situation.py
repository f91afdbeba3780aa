"""A view of Perudo in the form a mind needs: its own dice by face, others' bids, who acts next, what is legal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from tahur.core.game import Action, Hand, Seat
from tahur.core.player import View
from tahur.games.perudo.bids import ACE, FACES, count_of, dice_for_one, face_of
from tahur.games.perudo.round import NO_BID
from tahur.games.perudo.table import PerudoTable, dice_of, matching_of
from tahur.players.perudo.odds import exactly, expected, tail, tilted

ByFace = tuple[int, ...]  # 7 numbers: by face, with index 0 for no face


class Held(NamedTuple):
    """The faces it may bid on, by what its dice show."""

    best: int | None  # the face it is strongest in, except aces; in palifico aces are an ordinary face
    held: tuple[int, ...]  # the faces, except aces, that its dice show; with nothing but aces, the best one
    unheld: tuple[int, ...]  # the faces, except aces, that none of its dice shows


@dataclass(slots=True)
class PerudoSituation:
    """One decision. Treat it as immutable; it is not frozen because that would take four times as long to create."""

    table: PerudoTable
    seat: Seat
    own: int  # dice under its cup
    total: int
    unknown: int
    wild: bool
    shown: ByFace  # its own dice by what they show
    matches: ByFace  # its own dice by what they count for, including wild aces
    bids_on: int  # bids of this round on the face of the standing one
    chances: tuple[float, ...]  # by face: the probability that an unknown die counts, given other seats' bids
    tails: tuple[tuple[float, ...], ...]  # by face and count: the probability that at least that many unknown dice do
    per_match: ByFace  # by face: the number of unknown dice of which one counts on average
    lowest: tuple[Action | None, ...]  # by face: the lowest legal bid; at 0 the lowest of all
    faces: Held
    standing: Action | None
    count: int  # of the standing bid; 0 without one
    face: int
    ratio: float  # the standing bid's count divided by the prior expectation
    bidder: Seat | None
    may_calza: bool
    next_dice: int  # the dice of the seat that acts next
    seats: int  # seats with dice

    def success(self, bid: Action) -> float:
        """The probability that a bid is true."""
        face = face_of(bid)
        needed = count_of(bid) - self.matches[face]
        if needed <= 0:
            return 1.0
        return self.tails[face][needed] if needed <= self.unknown else 0.0

    def expected(self, face: int) -> float:
        """The expected number of dice that count for the face, given its own."""
        return expected(self.matches[face], self.unknown, self.chances[face])

    def prior(self, face: int) -> float:
        """The expected number of all dice that count for the face when none is known."""
        return self.total / self.per_match[face]

    @property
    def full(self) -> int:
        """The maximal number of dice in a cup."""
        return self.table.round.rules.dice

    @property
    def strongest(self) -> int:
        """The largest number of dice of any other seat."""
        return max(dice for seat, dice in enumerate(self.table.cups) if seat != self.seat)

    @property
    def failure(self) -> float:
        """The probability that the standing bid is false."""
        needed = self.count - self.matches[self.face]
        return 0.0 if needed <= 0 else 1 - self.tails[self.face][needed] if needed <= self.unknown else 1.0

    @property
    def exact(self) -> float:
        """The probability that the standing bid is exactly right."""
        return exactly(self.count - self.matches[self.face], self.unknown, self.chances[self.face])


def situation_of(view: View) -> PerudoSituation:
    """The situation of the seat to act."""
    table, hand, seat = view.table, view.hand, view.seat
    assert hand is not None
    round_, history = table.round, table.history
    cups, order, wild, menu = round_.cups, round_.order, not round_.palifico, round_.menus[seat]
    own, total, seats = cups[seat], round_.total, len(order)
    unknown, turn = total - own, len(history) % seats
    standing, count, face, bidder, before = None, 0, 0, None, NO_BID
    if history:
        before = standing = history[-1]
        count, face, bidder = count_of(standing), face_of(standing), order[turn - 1]
    bids_on, others = _bids_by_face(history, face, turn, seats)
    per_match = _per_match(wild)
    chances, tails = _adjusted_odds(others, unknown, wild)
    return PerudoSituation(
        table=table,
        seat=seat,
        own=own,
        total=total,
        unknown=unknown,
        wild=wild,
        shown=shown_of(hand),
        matches=matches_of(hand, wild),
        bids_on=bids_on,
        chances=chances,
        tails=tails,
        per_match=per_match,
        lowest=menu.lowest(before),
        faces=held_of(hand, face, menu.biddable(before), wild),
        standing=standing,
        count=count,
        face=face,
        ratio=count * per_match[face] / total,
        bidder=bidder,
        may_calza=standing is not None and menu.calza,
        next_dice=cups[order[(turn + 1) % seats]],
        seats=seats,
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


@lru_cache(maxsize=2**15)
def held_of(hand: Hand, standing: int, biddable: tuple[int, ...], wild: bool) -> Held:
    """The faces of a hand that may be bid on; among equal ones the standing face, then the highest, is best."""
    shown = shown_of(hand)
    others = [face for face in biddable if face != ACE]
    held = tuple(face for face in others if shown[face])
    best = max(others if wild else biddable, key=lambda face: (shown[face], face == standing, face), default=None)
    if best is not None and not held and shown[ACE]:
        held = (best,)
    return Held(best, held, tuple(face for face in others if not shown[face]))


@lru_cache(maxsize=2**16)
def _adjusted_odds(others: ByFace, unknown: int, wild: bool) -> tuple[tuple[float, ...], tuple[tuple[float, ...], ...]]:
    """By face: the probability of an unknown die after others' bids, and the tail probabilities of counts."""
    chances = (1.0, *(tilted(face, others[face], wild=wild) for face in FACES))
    return chances, tuple(tail(unknown, chance) for chance in chances)


@cache
def _per_match(wild: bool) -> ByFace:
    return (1, *(dice_for_one(face, wild=wild) for face in FACES))


def _bids_by_face(history: tuple[Action, ...], face: int, turn: int, turns: int) -> tuple[int, ByFace]:
    """The bids of the round on one face, and the other seats' bids on each face; the own turns start at `turn`."""
    bids = [0] * 7
    for bid in history:
        bids[face_of(bid)] += 1
    on_face = bids[face]
    for own in history[turn::turns]:
        bids[face_of(own)] -= 1
    return on_face, tuple(bids)
