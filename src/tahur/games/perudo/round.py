"""How a round of Perudo starts, which actions are legal in it, and which round follows. All of it is public."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from tahur.core.errors import SettingError
from tahur.core.game import Action, Seat
from tahur.games.perudo.bids import ACE, CALZA, DUDO, FACES, FIRST_BID, Raising, bids_in_order, face_of, lowest, outbids
from tahur.games.perudo.rules import FEWEST_SEATS, MOST_SEATS, Calza, PerudoRules

NO_BID: Final = 0  # what stands before the first bid


class BidMenu(dict[Action, tuple[Action, ...]]):
    """The legal actions over each standing bid, for one kind of round and seat; computed on first use."""

    def __init__(self, total: int, raising: Raising, *, wild: bool, calza: bool, aces_open: bool) -> None:
        """`total`: dice in play; `wild`: aces are wild; `calza`: calza may be called; `aces_open`: aces may open."""
        super().__init__()
        self._bids = bids_in_order(total, wild=wild)
        self.calza = calza
        self._calls = (DUDO, CALZA) if calza else (DUDO,)
        self._raising = raising
        self._wild = wild
        self._aces_open = aces_open
        self._lowest: dict[Action, tuple[Action | None, ...]] = {}
        self._allowed: dict[Action, frozenset[Action]] = {}
        self._biddable: dict[Action, tuple[int, ...]] = {}

    def allows(self, standing: Action, action: Action) -> bool:
        """Whether the action is legal over the standing bid: `action in menu[standing]`, in constant time."""
        allowed = self._allowed.get(standing)
        if allowed is None:
            allowed = self._allowed[standing] = frozenset(self[standing])
        return action in allowed

    def lowest(self, standing: Action) -> tuple[Action | None, ...]:
        """The lowest legal bid on each face, indexed by face; at index 0 the lowest of all. None if there is none."""
        bids_by_face = self._lowest.get(standing)
        if bids_by_face is None:
            bids = [action for action in self[standing] if action >= FIRST_BID]  # lowest first
            bids_by_face = (next(iter(bids), None), *(lowest(bids, face) for face in FACES))
            self._lowest[standing] = bids_by_face
        return bids_by_face

    def biddable(self, standing: Action) -> tuple[int, ...]:
        """The faces on which a legal bid is possible."""
        faces = self._biddable.get(standing)
        if faces is None:
            low = self.lowest(standing)
            faces = self._biddable[standing] = tuple(face for face in FACES if low[face] is not None)
        return faces

    def __missing__(self, standing: Action) -> tuple[Action, ...]:
        self[standing] = self._openings() if standing == NO_BID else self._answers(standing)
        return self[standing]

    def _openings(self) -> tuple[Action, ...]:
        return tuple(bid for bid in self._bids if self._aces_open or face_of(bid) != ACE)

    def _answers(self, standing: Action) -> tuple[Action, ...]:
        raises = (bid for bid in self._bids if outbids(bid, standing, self._raising, wild=self._wild))
        return (*self._calls, *raises)


@dataclass(frozen=True, slots=True)
class Round:
    """The start of a round. `cups` are the dice of each seat, 0 for one that is out of the match.

    `dropped` are the seats that have been down to one die before, in rules that give each a single palifico.
    Any round may be played as palifico if the rules have it, even one that no match would reach, for study.
    """

    rules: PerudoRules
    cups: tuple[int, ...]
    opener: Seat = 0
    palifico: bool = False
    dropped: tuple[Seat, ...] = ()
    order: tuple[Seat, ...] = field(init=False, repr=False, compare=False)  # the seats with dice, from the opener on
    menus: tuple[BidMenu, ...] = field(init=False, repr=False, compare=False)  # one per seat
    total: int = field(init=False, repr=False, compare=False)  # the dice in play

    def __post_init__(self) -> None:
        """Check the round, and compute the order of the seats, their menus of bids and the number of dice."""
        self._check()
        seats = len(self.cups)
        opener, cups, total = self.opener, self.cups, sum(self.cups)
        order = tuple([seat for seat in (*range(opener, seats), *range(opener)) if cups[seat]])
        kind = self.rules, total, self.palifico, len(order) == 2
        one_die, more = _menu(*kind, one_die=True), _menu(*kind, one_die=False)
        object.__setattr__(self, "order", order)
        object.__setattr__(self, "menus", tuple([one_die if dice == 1 else more for dice in cups]))
        object.__setattr__(self, "total", total)

    def _check(self) -> None:
        """Reject cups, openers and palifico rounds that the rules do not allow."""
        seats, most = len(self.cups), self.rules.dice
        if not FEWEST_SEATS <= seats <= MOST_SEATS:
            raise SettingError(f"perudo: {seats} seats; valid: {FEWEST_SEATS} to {MOST_SEATS}")
        if not all(0 <= dice <= most for dice in self.cups):
            raise SettingError(f"perudo: cups {list(self.cups)}; with these rules a cup holds 0 to {most} dice")
        if sum(dice > 0 for dice in self.cups) < 2:
            raise SettingError(f"perudo: cups {list(self.cups)}; a round needs two seats with dice")
        if not (0 <= self.opener < seats and self.cups[self.opener]):
            raise SettingError(f"perudo: seat {self.opener} opens with cups {list(self.cups)}; it has no dice")
        if self.palifico and self.rules.palifico is None:
            raise SettingError("perudo: a palifico round, but these rules have no palifico")
        if not all(0 <= seat < seats for seat in self.dropped):
            raise SettingError(f"perudo: dropped {list(self.dropped)}; the seats are 0 to {seats - 1}")


def first_round(rules: PerudoRules, cups: tuple[int, ...], opener: Seat, dropped: tuple[Seat, ...]) -> Round:
    """A round with no earlier rounds: palifico only if the rules require it whoever lost the last die."""
    plain = Round(rules, cups, opener, dropped=dropped)
    return replace(plain, palifico=_is_palifico(rules, cups, opener, drop=False))


def round_after(before: Round, cups: tuple[int, ...], seat: Seat) -> Round:
    """The round after `seat` has lost or won a die, which left these cups: it opens or, if it is out, the next seat.

    A first drop to one die is recorded only in rules that give each seat one palifico.
    """
    once = before.rules.palifico is not None and before.rules.palifico.once
    drop = once and cups[seat] == 1 and before.cups[seat] == 2 and seat not in before.dropped
    dropped = tuple(sorted((*before.dropped, seat))) if drop else before.dropped
    opener = next(candidate for candidate in (*range(seat, len(cups)), *range(seat)) if cups[candidate])
    return Round(
        rules=before.rules,
        cups=cups,
        opener=opener,
        palifico=_is_palifico(before.rules, cups, opener, drop=drop),
        dropped=dropped,
    )


def _is_palifico(rules: PerudoRules, cups: tuple[int, ...], opener: Seat, *, drop: bool) -> bool:
    palifico = rules.palifico
    if palifico is None or (_is_heads_up(cups) and not palifico.two_left):
        return False
    return drop if palifico.once else cups[opener] == 1


def _is_heads_up(cups: tuple[int, ...]) -> bool:
    return sum(dice > 0 for dice in cups) == 2


def _menu(rules: PerudoRules, total: int, palifico: bool, two_left: bool, *, one_die: bool) -> BidMenu:
    """The menu of a seat in such a round; `one_die` matters only where a seat with one die may change the face."""
    free = not palifico or (one_die and rules.palifico is not None and rules.palifico.one_die_changes)
    raising = rules.raising if free else Raising.FACE_LOCKED
    calza = rules.calza is Calza.ALWAYS or (rules.calza is Calza.THREE_LEFT and not two_left)
    return _shared_menu(total, raising, wild=not palifico, calza=calza, aces_open=rules.aces_open or palifico)


_shared_menu = cache(BidMenu)
