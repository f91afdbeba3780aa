"""The table for `tahur persona options`: from the given action, or from a line that matches the given amounts.

A menu depends on positions, on who has yet to act and on who called, so it is written for a real table. Seats are
ordered as the stacks: the one left of the button first, the button last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tahur.cards.cards import combo_of
from tahur.cli.play.holdem import read_action
from tahur.core.errors import SettingError, TahurError
from tahur.core.game import CHANCE, Action, Seat
from tahur.core.player import View
from tahur.games.holdem.limit import limit
from tahur.games.holdem.rules import Holdem, no_limit
from tahur.games.holdem.table import CALL, HoldemTable
from tahur.players.bounded.position import Position, position_of

Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TableSetup:
    """Everything a table needs except the action."""

    hole: Cards
    board: Cards
    stacks: tuple[int, ...]
    big_blind: int
    ante: int = 0
    limit_bet: int | None = None

    @property
    def game(self) -> Holdem:
        """The game of this table: limit if it has a bet size, otherwise no-limit."""
        button = len(self.stacks) - 1
        common: dict[str, Any] = {
            "stacks": self.stacks,
            "blinds": (self.big_blind // 2, self.big_blind),
            "ante": self.ante,
            "button": button,
        }
        if self.limit_bet is None:
            return no_limit(**common)
        return limit(**common, bets=(self.limit_bet, 2 * self.limit_bet))


def view_after(spot: TableSetup, line: str) -> View:
    """The view of the seat to act after `f f r30 c / x b40`; the board is dealt when the action reaches each street."""
    game, left = spot.game, list(spot.board)
    table = _deal_next(game.start(), left, line)
    for word in line.replace("/", " ").replace(",", " ").split():
        if table.turn < 0:
            raise SettingError(f"--line {line}: the hand is over before '{word}'")
        try:
            table = table.after(read_action(table, word))
        except TahurError as error:
            raise SettingError(f"--line {line}: at '{word}': {error}") from None
        table = _deal_next(table, left, line)
    if table.turn < 0:
        raise SettingError(f"--line {line}: no seat has to act after it")
    if left:
        raise SettingError(f"--line {line} reaches {len(table.board)} cards of a board of {len(spot.board)}")
    return View(game, table, table.turn, combo_of(spot.hole))


def _deal_next(table: HoldemTable, left: list[int], line: str) -> HoldemTable:
    while table.turn == CHANCE:
        if not left:
            raise SettingError(f"--line {line} goes beyond the {len(table.board)} cards of --board")
        table = table.after(left.pop(0))
    return table


def line_text(view: View) -> str:
    """The action so far in the notation of `--line`."""
    table, words = view.game.start(), [""]
    for action in view.table.history:
        if table.turn == CHANCE:
            words += ["/"] if words[-1] != "/" else []
        else:
            words.append(_word(table, action))
        table = table.after(action)
    return " ".join(words).strip(" ")


def _word(table: HoldemTable, action: Action) -> str:
    if action > CALL:
        return f"r{action - 1}"
    return "f" if action < CALL else "c" if table.to_call else "x"


def fitting_view(spot: TableSetup, position: Position, *, pot: int, to_call: int, raises: int) -> View | None:
    """Before the flop: a table where a seat in this position faces exactly these amounts, if there is one.

    All seats of `spot` get the stack of the given one, including what it has posted. The seats before it fold, call, or
    (one of them) raise. A raiser is assumed to be in late position if possible, otherwise directly before the seat.
    """
    if raises > 1 or spot.board:
        return None
    seats = _acting(spot.game)
    for index, seat in enumerate(seats):
        if position_of(spot.game.stakes, seat) is not position:
            continue
        posted = spot.game.start().committed[seat]
        deep = replace(spot, stacks=tuple(stack + posted for stack in spot.stacks))
        for line in _lines(deep, seats[:index], raise_to=to_call + posted - spot.ante if raises else None):
            view = _try_line(deep, line)
            if view is not None and (view.table.pot, view.table.to_call, view.table.turn) == (pot, to_call, seat):
                return view
    return None


def _lines(spot: TableSetup, before: Sequence[Seat], *, raise_to: int | None) -> Iterator[str]:
    """The possible actions of these seats: the first ones fold, the last ones call, and one may raise."""
    indices = range(len(before))
    late = [at for at in indices if position_of(spot.game.stakes, before[at]) is Position.LATE]
    raisers = [None] if raise_to is None else [*late, *(at for at in reversed(indices) if at not in late)]
    for raiser in raisers:
        first = 0 if raiser is None else raiser + 1
        for callers in range(len(before) - first + 1):
            words = ["f"] * (len(before) - callers) + ["c"] * callers
            if raiser is not None:
                words[raiser] = f"r{raise_to}"
            yield " ".join(words)


def _acting(game: Holdem) -> tuple[Seat, ...]:
    """The seats in the order in which they act before the flop."""
    order = game.stakes.order
    return order[::-1] if len(order) == 2 else (*order[2:], *order[:2])


def _try_line(spot: TableSetup, line: str) -> View | None:
    try:
        return view_after(spot, line)
    except SettingError:
        return None
