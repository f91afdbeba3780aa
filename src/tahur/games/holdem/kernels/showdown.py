"""The end of a hand: the pots go to the best hands, layer by layer, as in `pots.py`."""

from __future__ import annotations

from tahur.cards.kernels import flush_suit, rank_of_key
from tahur.cards.tables import FLUSH_BITS, SUITS_START, EvaluatorTables
from tahur.core.arrays import Float64s, Int64s
from tahur.core.kernels import kernel
from tahur.games.holdem.kernels.rows import Row, Rules, at_most_one, next_seat


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
