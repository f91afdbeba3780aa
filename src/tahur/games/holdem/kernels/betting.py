"""One move in a row: pays the chips, passes the turn, ends the street. The rulings are those of `table.py`."""

from __future__ import annotations

from tahur.core.kernels import kernel
from tahur.games.holdem.kernels.rows import CALL, FOLD, Row, Rules, at_most_one, next_seat, with_chips


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
