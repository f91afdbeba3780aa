"""The legal moves as a menu, and one move in a row: pays the chips, passes the turn, ends the street.

The rulings are those of `table.py`.
"""

from __future__ import annotations

from typing import NamedTuple

from tahur.core.arrays import Flags, Int32s
from tahur.core.kernels import kernel
from tahur.games.holdem.kernels.rows import CALL, FOLD, MASKED, Row, Rules, at_most_one, next_seat, with_chips


@kernel
def act(row: Row, move: int, rules: Rules) -> bool:
    """Fold, call or raise with the seat to act. Returns whether the street continues."""
    seat = row.turn
    row.acted += 1
    if move > CALL:
        _raise_to(row, move - 1, rules.seats)
    else:
        if move == FOLD:
            row.live &= ~(1 << seat)
        else:
            _pay(row, min(row.bet - row.bets[row.street, seat], row.stacks[seat]))
        row.pending &= ~(1 << seat)
        if not _has_choice(row, rules.seats):
            return False
    row.turn = next_seat(row.pending, seat, rules.seats)
    return True


@kernel
def end_street(row: Row, rules: Rules) -> bool:
    """Return the uncalled bet. Returns whether there is betting on another street."""
    _return_uncalled(row, rules.seats)
    pending = with_chips(row, rules.seats)
    if at_most_one(pending) or at_most_one(row.live) or row.street + 1 == rules.rounds:
        return False
    row.street += 1
    row.bet, row.last_raise = 0, 0
    row.pending = pending
    row.turn = next_seat(pending, row.button, rules.seats)
    return True


@kernel
def _raise_to(row: Row, chips: int, seats: int) -> None:
    _pay(row, chips - row.bets[row.street, row.turn])
    row.last_raise = max(row.last_raise, chips - row.bet)
    row.bet = chips
    row.raised[row.street] += 1
    row.raiser[row.street] = row.turn
    row.pending = with_chips(row, seats) & ~(1 << row.turn)


@kernel
def _pay(row: Row, chips: int) -> None:
    row.stacks[row.turn] -= chips
    row.bets[row.street, row.turn] += chips
    row.pot += chips


@kernel
def _has_choice(row: Row, seats: int) -> bool:
    """Whether a pending seat can do more than check; the last one with chips cannot if it owes nothing."""
    if row.pending == 0 or at_most_one(row.live):
        return False
    if not at_most_one(row.pending):
        return True
    last = next_seat(row.pending, 0, seats)
    return row.bets[row.street, last] < row.bet or with_chips(row, seats) != row.pending


@kernel
def _return_uncalled(row: Row, seats: int) -> None:
    """Reduce the highest bet of the street to the second highest."""
    highest, second, owner = 0, 0, 0
    for seat in range(seats):
        bet = row.bets[row.street, seat]
        if bet > highest:
            highest, second, owner = bet, highest, seat
        elif bet > second:
            second = bet
    row.stacks[owner] += highest - second
    row.bets[row.street, owner] -= highest - second
    row.pot -= highest - second


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
