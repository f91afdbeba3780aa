"""The legal moves of the seat to act as a menu: the fourteen actions, or the three of limit."""

from __future__ import annotations

from typing import NamedTuple

from tahur.core.arrays import Flags, Int32s
from tahur.core.kernels import kernel
from tahur.games.holdem.kernels.rows import CALL, FOLD, MASKED, Row, Rules


class MenuTurn(NamedTuple):
    """One seat's turn, in chips: the parts of a `BettingSituation` of `fourteen.py` that a menu needs."""

    to_call: int  # may be more than the stack
    bet: int  # the highest of this street
    base: int  # what percentages refer to
    least: int  # the smallest full bet or raise total
    most: int  # the largest raise total that changes anything; 0 if the seat may not raise


@kernel
def offer(at: int, row: Row, rules: Rules, moves: Int32s, mask: Flags) -> None:
    """Write the menu of row `at` to `moves` and `mask`: (n, actions)."""
    spot = _spot(row, rules)
    mask[at, 0] = spot.to_call > 0
    moves[at, 0] = FOLD if spot.to_call > 0 else MASKED
    mask[at, 1] = True
    moves[at, 1] = CALL
    if rules.is_limit:
        _offer_raise(at, spot, row.raised[row.street] < rules.caps[row.street], moves, mask)
    else:
        offer_raises(at, spot, rules, moves, mask)


@kernel
def offer_raises(at: int, spot: MenuTurn, rules: Rules, moves: Int32s, mask: Flags) -> None:
    """Write indices 2 to 13 of the fourteen. Percentages grow with the index, so one test finds small and equal."""
    may_raise = spot.most > 0
    fits = may_raise and spot.bet > 0 and spot.least < spot.most
    mask[at, 2] = fits
    moves[at, 2] = spot.least + 1 if fits else MASKED
    last = spot.least if spot.bet > 0 or rules.is_strict else spot.least - 1
    for index in range(10):
        chips = spot.bet + (rules.percents[index] * spot.base + 50) // 100
        fits = last < chips < spot.most
        mask[at, 3 + index] = fits
        moves[at, 3 + index] = chips + 1 if fits else MASKED
        last = max(last, chips)
    mask[at, 13] = may_raise
    moves[at, 13] = spot.most + 1 if may_raise else MASKED


@kernel
def _offer_raise(at: int, spot: MenuTurn, below_cap: bool, moves: Int32s, mask: Flags) -> None:
    """Write limit's one size of a bet or raise; smaller only if all-in."""
    may_raise = spot.most > 0 and below_cap
    mask[at, 2] = may_raise
    moves[at, 2] = min(spot.least, spot.most) + 1 if may_raise else MASKED


@kernel
def _spot(row: Row, rules: Rules) -> MenuTurn:
    to_call = row.bet - row.bets[row.street, row.turn]
    least = row.bet + max(row.last_raise, rules.least_bets[row.street])
    most = _most(row, least, rules) if to_call >= row.last_raise else 0
    return MenuTurn(
        to_call=to_call, bet=row.bet, base=row.pot + (to_call if rules.after_call else 0), least=least, most=most
    )


@kernel
def _most(row: Row, least: int, rules: Rules) -> int:
    """The whole stack; in no-limit no more than others can call, but at least a full raise. 0 if nobody can call."""
    whole, others = 0, 0
    for seat in range(rules.seats):
        total = row.bets[row.street, seat] + row.stacks[seat]
        if seat == row.turn:
            whole = total
        elif row.live >> seat & 1:
            others = max(others, total)
    if whole <= row.bet or others <= row.bet:
        return 0
    return whole if rules.is_limit else min(whole, max(others, least))
