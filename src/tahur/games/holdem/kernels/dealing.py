"""A new hand in a row, stacks drawn, cards dealt, antes and blinds posted; and its end, the pots paid layer by layer.

All of it depends only on the seed and the hand's number: each hand has its own section of one long stream of random
numbers, whatever row it is played in and however many rows there are.
"""

from __future__ import annotations

from tahur.cards.equity.kernels.samples import random_bits
from tahur.cards.kernels import flush_suit, rank_of_key
from tahur.cards.tables import FLUSH_BITS, SUITS_START, EvaluatorTables
from tahur.core.arrays import Float64s, Int64s
from tahur.core.kernels import kernel
from tahur.games.holdem.kernels.rows import NOBODY, STREETS, DepthArrays, Row, Rules, at_most_one, next_seat, with_chips

DRAWS = 64  # random numbers reserved for a hand: two per seat for stacks, the others for cards
PICKS = 10  # cards per random number, six of its 63 bits each


@kernel
def deal(row: Row, number: int, rules: Rules, depths: DepthArrays) -> None:
    """Start hand `number` in the row; the button moves with the number."""
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
    """Deal the board, then two cards per seat. Six random bits are a card; invalid or used ones are skipped."""
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
        row.raiser[street] = NOBODY
        for seat in range(seats):
            row.bets[street, seat] = 0
    row.pot, row.last_raise, row.street, row.acted = 0, 0, 0, 0


@kernel
def _post(row: Row, rules: Rules) -> None:
    """Post antes and blinds. Every stack is more than ante and small blind, so there is always a choice left."""
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


@kernel
def pay_out(at: int, row: Row, rules: Rules, tables: EvaluatorTables, ranks: Int64s, rewards: Float64s) -> None:
    """Write what each seat has won or lost to `rewards[at]`, in big blinds. ranks: (9,), work space."""
    for seat in range(rules.seats):
        rewards[at, seat] = row.stacks[seat] - row.began[seat]
    if at_most_one(row.live):
        rewards[at, next_seat(row.live, 0, rules.seats)] += row.pot
    else:
        _rank_hands(row, rules, tables, ranks)
        floor, level = 0, _next_level(row, 0, rules.seats)
        while level > floor:
            _divide(at, row, floor, level, rules.seats, ranks, rewards)
            floor, level = level, _next_level(row, level, rules.seats)
    for seat in range(rules.seats):
        rewards[at, seat] /= rules.big_blind


@kernel
def _next_level(row: Row, floor: int, seats: int) -> int:
    """The smallest contribution of a live seat above `floor`, or `floor` if there is none."""
    level = floor
    for seat in range(seats):
        paid = row.began[seat] - row.stacks[seat]
        if row.live >> seat & 1 and paid > floor and (level == floor or paid < level):
            level = paid
    return level


@kernel
def _divide(at: int, row: Row, floor: int, level: int, seats: int, ranks: Int64s, rewards: Float64s) -> None:
    """Pay one pot: what each seat put in between two levels. Odd chips go to the first winner left of the button."""
    chips, best, winners, count = 0, 0, 0, 0
    for seat in range(seats):
        paid = row.began[seat] - row.stacks[seat]
        chips += max(0, min(paid, level) - floor)
        if row.live >> seat & 1 and paid >= level:
            if ranks[seat] > best:
                best, winners, count = ranks[seat], 0, 0
            if ranks[seat] == best:
                winners |= 1 << seat
                count += 1
    share = chips // count
    for seat in range(seats):
        rewards[at, seat] += share * (winners >> seat & 1)
    rewards[at, next_seat(winners, row.button, seats)] += chips - share * count


@kernel
def _rank_hands(row: Row, rules: Rules, tables: EvaluatorTables, ranks: Int64s) -> None:
    board = SUITS_START
    for index in range(rules.showdown_board):
        board += tables.key[row.board[index]]
    for seat in range(rules.seats):
        if row.live >> seat & 1:
            key = board + tables.key[row.hole[seat, 0]] + tables.key[row.hole[seat, 1]]
            if key & FLUSH_BITS:
                ranks[seat] = tables.flush[_suited_ranks(row, seat, flush_suit(key), rules.showdown_board)]
            else:
                ranks[seat] = rank_of_key(key, tables)


@kernel
def _suited_ranks(row: Row, seat: int, suit: int, board: int) -> int:
    """The ranks that a seat has in a suit, with the first `board` board cards, as 13 bits."""
    ranks = _rank_bit(row.hole[seat, 0], suit) | _rank_bit(row.hole[seat, 1], suit)
    for index in range(board):
        ranks |= _rank_bit(row.board[index], suit)
    return ranks


@kernel
def _rank_bit(card: int, suit: int) -> int:
    return (card & 3 == suit) << (card >> 2)
