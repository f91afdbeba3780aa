"""The bets that the multiway solver allows.

Before the flop sizes are those of common charts: an open raise, a larger 3-bet out of position than in position, one
more open raise for each caller in a squeeze, then a 4-bet; a raise that would put in a large part of the stack is
all-in instead. After the flop there is one size for a bet and one for a raise on each street.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tahur.games.holdem.table import CALL, FOLD, HoldemTable

CHIPS: Final = 100  # in a big blind
COMMITTED: Final = 1 / 3  # of the stack: a raise before the flop to more than this is all-in
SHORT: Final = 0.6  # of what is left: a bet after the flop of more than this is all-in


@dataclass(frozen=True, slots=True)
class MultiwaySizes:
    """Bet sizes: before the flop in big blinds or as multiples of the bet that is raised, later in parts of the pot."""

    open: float  # of every seat but the small blind
    small_blind_open: float
    isolate: float  # of the big blind against a limp
    three_bet: tuple[float, float]  # times the bet: in position, out of position
    four_bet: tuple[float, float]
    five_bet: float
    bets: tuple[float, float, float]  # on flop, turn and river, times the pot
    raises: float = 1.0  # after the flop, times the pot after a call
    most_raises: int = 2  # bets and raises on a street after the flop
    most_players: int = 3  # who see a flop, and the big blind
    push_fold: bool = False  # only all-in or fold before the flop

    def raise_to(self, table: HoldemTable) -> int:
        """The chips that the seat to act raises to before the flop, before it is limited by its stack."""
        bet, callers = table.bet, _callers(table)
        if table.raised == 0:
            return round(CHIPS * self._first_raise(table))
        factors = (self.three_bet, self.four_bet, (self.five_bet, self.five_bet))[min(table.raised, 3) - 1]
        return round(bet * (factors[not _in_position(table)] + (callers if table.raised == 1 else 0.5 * callers)))

    def _first_raise(self, table: HoldemTable) -> float:
        small, big = table.stakes.blind_seats
        if table.turn == big:
            return self.isolate
        return self.small_blind_open if table.turn == small and len(table.stakes.stacks) > 2 else self.open


def sizes_for(depth: float) -> MultiwaySizes:
    """The sizes for stacks of so many big blinds: smaller with short stacks, larger with deep ones."""
    if depth < 60:
        return MultiwaySizes(
            open=2.2, small_blind_open=2.5, isolate=3.0, three_bet=(2.8, 3.6), four_bet=(2.2, 2.5), five_bet=2.2,
            bets=(0.5, 0.75, 0.75),
        )  # fmt: skip
    deep = depth > 140
    return MultiwaySizes(
        open=2.5, small_blind_open=3.0, isolate=3.5, three_bet=(3.2, 5.0) if deep else (3.0, 4.4),
        four_bet=(2.3, 2.8), five_bet=2.2, bets=(0.5, 0.75, 0.75),
    )  # fmt: skip


def menu_of(table: HoldemTable, sizes: MultiwaySizes) -> tuple[int, ...]:
    """The actions that a seat may take, as the rules number them: fold, call, raise."""
    return _preflop_menu(table, sizes) if table.street == 0 else _later_menu(table, sizes)


def _preflop_menu(table: HoldemTable, sizes: MultiwaySizes) -> tuple[int, ...]:
    facing = table.to_call > 0
    if sizes.push_fold and table.raised == 0:
        return FOLD, table.raises[-1] + 1
    actions = [FOLD] if facing else []
    if not facing or _may_call(table, sizes):
        actions.append(CALL)
    if table.raises:
        actions.append(_within(table, sizes.raise_to(table), COMMITTED) + 1)
    return tuple(actions)


def _may_call(table: HoldemTable, sizes: MultiwaySizes) -> bool:
    """Whether calling is among the actions: the small blind may limp; the number of players in the pot is limited."""
    small, big = table.stakes.blind_seats
    if table.raised == 0:
        return table.turn == small
    inside = [seat for seat in table.live if table.bets[seat] == table.bet or _has_entered(table, seat)]
    others = [seat for seat in inside if seat != table.turn]
    if table.raised >= 2 and not _has_entered(table, table.turn):
        return False  # no cold calls of 3-bets and 4-bets
    return len(others) < sizes.most_players or (table.turn == big and len(others) == sizes.most_players)


def _later_menu(table: HoldemTable, sizes: MultiwaySizes) -> tuple[int, ...]:
    passive = (FOLD, CALL) if table.to_call else (CALL,)
    most = sizes.most_raises if len(table.live) == 2 else 1
    if not table.raises or table.raised >= most:
        return passive
    factor = sizes.raises if table.raised else sizes.bets[table.street - 1]
    target = table.bet + round(factor * (table.pot + table.to_call))
    return (*passive, _within(table, target, SHORT) + 1)


def _within(table: HoldemTable, target: int, most: float) -> int:
    """A raise to `target` if it is legal and uses at most that part of the stack; otherwise the nearest legal, or
    all-in."""
    raises, own = table.raises, table.bets[table.turn]
    if target - own > most * table.stacks[table.turn]:
        return raises[-1]
    return min(max(target, raises[0]), raises[-1])


def _callers(table: HoldemTable) -> int:
    """The live seats that have called the last raise."""
    return max(sum(table.bets[seat] == table.bet for seat in table.live) - 1, 0)


def _has_entered(table: HoldemTable, seat: int) -> bool:
    """Whether a seat has called or raised before the flop: it has put in more than its blind."""
    blinds = dict(zip(table.stakes.blind_seats, table.stakes.blinds, strict=True))
    return table.bets[seat] > blinds.get(seat, 0)


def _in_position(table: HoldemTable) -> bool:
    """Whether the seat to act acts after the last raiser on later streets.

    The raiser is the seat with the highest bet that acted longest ago: its callers acted after it.
    """
    order, seats = table.stakes.order, len(table.stakes.stacks)
    raiser = max(table.live, key=lambda seat: (table.bets[seat], (table.turn - seat) % seats))
    return order.index(table.turn) > order.index(raiser)
