"""A new hand in a row: stacks drawn, cards dealt, antes and blinds posted.

All of it depends on the seed and the hand's number alone: a stretch of one long stream of random numbers belongs to
each hand, whatever row it is played in and however many rows there are.
"""

from __future__ import annotations

from tahur.cards.equity.kernels.samples import random_bits
from tahur.core.kernels import kernel
from tahur.games.holdem.kernels.rows import NEVER_REACHED, STREETS, DepthArrays, Row, Rules, next_seat, with_chips

DRAWS = 64  # random numbers that belong to a hand: two a seat for stacks, the others for cards
PICKS = 10  # cards that one of them is good for, six of its 63 bits each


@kernel
def deal(row: Row, number: int, rules: Rules, depths: DepthArrays) -> None:
    """Start hand `number` in the row; the button goes round with the numbers."""
    counter = rules.deals + DRAWS * number
    row.hand = number
    row.button = (rules.button + number) % rules.seats
    _draw_stacks(row, counter, rules.seats, depths)
    _deal_cards(row, counter + 2 * rules.seats, rules.seats)
    _clear(row, rules.seats)
    _post(row, rules)


@kernel
def _draw_stacks(row: Row, counter: int, seats: int, depths: DepthArrays) -> None:
    for seat in range(seats):
        at = counter if depths.is_shared else counter + 2 * seat
        kind = 0
        if depths.upto.shape[0] > 1:
            share = (random_bits(at) >> 10) * 2.0**-53  # less than 1
            while depths.upto[kind] <= share:
                kind += 1
        chips, more = depths.least[kind, seat], depths.most[kind, seat] - depths.least[kind, seat]
        if more:
            chips += random_bits(at + 1) % (more + 1)
        row.began[seat] = chips
        row.stacks[seat] = chips


@kernel
def _deal_cards(row: Row, counter: int, seats: int) -> None:
    """The board, then two cards a seat. Six random bits are a card; one that is none, or gone, is passed over."""
    gone, dealt, left, bits = 0, 0, 0, 0
    while dealt < 5 + 2 * seats:
        if left == 0:
            bits = random_bits(counter)
            counter += 1
            left = PICKS
        card = bits & 63
        bits >>= 6
        left -= 1
        if card >= 52 or gone >> card & 1:
            continue
        if dealt < 5:
            row.board[dealt] = card
        else:
            row.hole[(dealt - 5) >> 1, (dealt - 5) & 1] = card
        gone |= 1 << card
        dealt += 1


@kernel
def _clear(row: Row, seats: int) -> None:
    for street in range(STREETS):
        row.raised[street] = 0
        row.raiser[street] = NEVER_REACHED
        for seat in range(seats):
            row.bets[street, seat] = 0
    row.pot, row.last_raise, row.street, row.acted = 0, 0, 0, 0


@kernel
def _post(row: Row, rules: Rules) -> None:
    """Antes and blinds. Every stack is more than ante and small blind, so somebody always has a choice left."""
    seats = rules.seats
    small = row.button if seats == 2 else (row.button + 1) % seats
    big = (small + 1) % seats
    for seat in range(seats):
        row.stacks[seat] -= rules.ante
        row.pot += rules.ante
    _post_blind(row, small, rules.small_blind)
    _post_blind(row, big, rules.big_blind)
    row.bet = max(row.bets[0, small], row.bets[0, big])
    row.live = (1 << seats) - 1
    row.pending = with_chips(row, seats)
    row.turn = next_seat(row.pending, big, seats)


@kernel
def _post_blind(row: Row, seat: int, blind: int) -> None:
    paid = min(blind, row.stacks[seat])
    row.stacks[seat] -= paid
    row.bets[0, seat] = paid
    row.pot += paid
