"""One seat's turn as the menu needs it: the price, the chips that can be won, the equity, and the words for them.

A situation is made from a `View` alone, so it contains no card that the seat cannot see; or from numbers, by `stated`,
for the command that shows menus. `pot` is what this seat can win: from each other seat only as many chips as this seat
has in after calling. With 100 in the middle, a bet of 1,000 and 50 behind, that is 150, and a call of 50 needs an
equity of 25 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tahur.cards.cards import cards_of, check_distinct
from tahur.core.errors import IllegalAction, SettingError
from tahur.core.player import View
from tahur.core.record import decisions
from tahur.games.holdem.stakes import MOST_SEATS
from tahur.games.holdem.table import HoldemTable
from tahur.players.bounded.position import Position as Position
from tahur.players.bounded.position import position_of as position_of

if TYPE_CHECKING:
    from tahur.players.opponents import RangeModel

Cards = tuple[int, ...]

STREETS: Final = ("preflop", "flop", "turn", "river")
LIMIT_CAP: Final = 4  # bets and raises on a street, in a limit game given by numbers


@dataclass(frozen=True, slots=True)
class EquityEstimate:
    """An equity, 0 to 1, and its standard error: 0 if it was enumerated or stated."""

    equity: float
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class Situation:
    """One seat's turn, in whole chips."""

    hole: Cards
    board: Cards
    seats: int  # dealt in
    opponents: int  # still in, without this seat
    position: Position
    pot: int  # what this seat can win, including its own chips
    cost: int  # of a call: at most the stack
    stack: int  # behind, before calling
    big_blind: int
    committed: int  # by this seat in this hand
    street_bet: int  # by this seat on this street
    bet: int  # the highest on this street
    raises: range  # the totals the seat may raise to; empty if it may not raise
    reach: int  # the highest raise total that an opponent could still call in full
    street_raises: int
    estimate: EquityEstimate
    history: tuple[str, ...] = ()  # the action so far in words, one line per street

    @property
    def equity(self) -> float:
        return self.estimate.equity

    @property
    def error(self) -> float:
        return self.estimate.error

    @property
    def required(self) -> float:
        """The break-even equity of a call; 0 when checking is free."""
        return self.cost / (self.pot + self.cost) if self.cost else 0.0

    @property
    def preflop(self) -> bool:
        return not self.board

    @property
    def street(self) -> str:
        return STREETS[max(0, len(self.board) - 2)]

    @property
    def whole(self) -> int:
        """The raise total of the whole stack."""
        return self.street_bet + self.stack

    @property
    def spr(self) -> float:
        """The stack-to-pot ratio after a call: what can still be bet, divided by the pot."""
        behind = min(self.whole, self.reach) - self.bet
        return behind / (self.pot + self.cost) if behind > 0 else 0.0


def situation_of(
    view: View, ranges: RangeModel | None = None, *, estimate: EquityEstimate | None = None, history: bool = False
) -> Situation:
    """The situation of the seat to act, with the action so far in words if `history` is set.

    Its equity is computed against the others' `ranges` (see there), unless an `estimate` is given.
    """
    table: HoldemTable = view.table
    seat = table.turn
    if seat != view.seat or view.hand is None:
        raise IllegalAction(f"no menu for seat {view.seat}: seat {seat} is to act, and the view must include its hand")
    owed = table.to_call
    committed = table.committed
    covered = committed[seat] + owed
    return Situation(
        hole=tuple(int(card) for card in cards_of(view.hand)),
        board=table.board,
        seats=len(table.stakes.order),
        opponents=len(table.live) - 1,
        position=position_of(table.stakes, seat),
        pot=sum([chips if chips < covered else covered for chips in committed]),
        cost=owed,
        stack=table.stacks[seat],
        big_blind=table.stakes.blinds[1],
        committed=committed[seat],
        street_bet=table.bets[seat],
        bet=table.bet,
        raises=table.raises,
        reach=max([table.bets[other] + table.stacks[other] for other in table.live if other != seat]),
        street_raises=table.raised,
        estimate=estimate or _estimate(view, ranges),
        history=history_words(view) if history else (),
    )


def stated(
    *,
    hole: Sequence[int],
    board: Sequence[int] = (),
    pot: int,
    to_call: int,
    stack: int,
    estimate: EquityEstimate,
    big_blind: int = 2,
    committed: int = 0,
    seats: int = 2,
    position: Position = Position.BUTTON,
    street_raises: int | None = None,
    limit_bet: int | None = None,
) -> Situation:
    """A situation given by numbers. The pot includes the whole bet to call.

    Before the flop all committed chips are on this street, later none; one opponent has bet, and can call any raise; a
    raise adds what the bet before it added, as far as that is known. `limit_bet` is the only size of bets and raises,
    at most four of them.
    """
    check_cards(hole, board, seats)
    _check_chips(pot=pot, to_call=to_call, stack=stack, big_blind=big_blind, committed=committed)
    cost = min(to_call, stack)
    own = committed if not board else 0
    bet = own + to_call
    if street_raises is None:
        street_raises = 1 if to_call and (board or bet > big_blind) else 0
    least = bet + max(big_blind, to_call if street_raises else 0)
    raises = _sizes(least, own + stack, bet)
    if limit_bet is not None:
        only = _sizes(bet + limit_bet, own + stack, bet)[:1]
        raises = only if street_raises < LIMIT_CAP else only[:0]
    return Situation(
        hole=tuple(hole),
        board=tuple(board),
        seats=seats,
        opponents=seats - 1,
        position=position,
        pot=pot - (to_call - cost),
        cost=cost,
        stack=stack,
        big_blind=big_blind,
        committed=committed,
        street_bet=own,
        bet=bet,
        raises=raises,
        reach=own + stack,
        street_raises=street_raises,
        estimate=estimate,
    )


def history_words(view: View) -> tuple[str, ...]:
    """The action so far, one line per street, by seats rather than names: names are untrusted text."""
    lines: list[tuple[int, list[str]]] = []
    for table, action in decisions(view.game, view.table.history):
        if not lines or lines[-1][0] != table.street:
            lines.append((table.street, []))
        who = "you" if table.turn == view.seat else f"seat {table.turn + 1}"
        lines[-1][1].append(f"{who}: {view.game.label(table, action)}")
    return tuple(f"{STREETS[street]}: {', '.join(words)}" for street, words in lines)


def _estimate(view: View, ranges: RangeModel | None) -> EquityEstimate:
    from tahur.players.equities import estimate_of  # loads the equity kernels

    return estimate_of(view) if ranges is None else estimate_of(view, ranges)


def _sizes(least: int, whole: int, bet: int) -> range:
    return range(min(least, whole), whole + 1) if whole > bet else range(0)


def check_cards(hole: Sequence[int], board: Sequence[int], seats: int) -> None:
    """Raise an error for a hand, a board or a number of seats that no table has."""
    if len(hole) != 2:
        raise SettingError(f"a hand of {len(hole)} cards; expected two, such as AhKh")
    if len(board) not in (0, 3, 4, 5):
        raise SettingError(f"a board of {len(board)} cards; expected 0, 3, 4 or 5")
    check_distinct(("the hand", hole), ("the board", board))
    if not 2 <= seats <= MOST_SEATS:
        raise SettingError(f"{seats} seats; valid: 2 to {MOST_SEATS}")


def _check_chips(*, pot: int, to_call: int, stack: int, big_blind: int, committed: int) -> None:
    """Raise `SettingError` for amounts that cannot occur at a table."""
    if stack < 1:
        raise SettingError(f"a stack of {stack}; a seat without chips has nothing to decide")
    if big_blind < 1:
        raise SettingError(f"a big blind of {big_blind}; it must be one chip or more")
    if to_call < 0 or committed < 0:
        raise SettingError(f"to call {to_call}, committed {committed}; neither may be negative")
    if pot < max(1, to_call + committed):
        raise SettingError(
            f"a pot of {pot} with {to_call} to call and {committed} committed; the pot includes both, "
            f"so it must be {max(1, to_call + committed)} or more"
        )
