"""One step for all rows: every seat to act acts, finished hands are paid, and the next ones dealt; with its parts."""

from __future__ import annotations

from typing import NamedTuple

from tahur.cards.equity.kernels.samples import random_bits
from tahur.cards.kernels import flush_suit, rank_of_key
from tahur.cards.tables import FLUSH_BITS, SUITS_START, EvaluatorTables
from tahur.core.arrays import Flags, Float64s, Int32s, Int64s, Records
from tahur.core.kernels import kernel
from tahur.games.holdem.kernels.rows import (
    CALL,
    FOLD,
    MASKED,
    NOBODY,
    STREETS,
    DepthArrays,
    Row,
    Rules,
    at_most_one,
    next_seat,
    with_chips,
)

CHOICES = 1024  # random numbers reserved for a hand's random actions


class Arrays(NamedTuple):
    """Everything that changes from step to step. n is the number of hands in play at once."""

    rows: Records  # (n,) of ROW
    moves: Int32s  # (n, actions) the move of each action, MASKED if illegal
    mask: Flags  # (n, actions) which actions are legal
    rewards: Float64s  # (n, seats) big blinds won or lost in the last step, 0 in rows whose hand continues
    done: Flags  # (n,) the last step ended the hand, and the row has a new one
    next_hand: Int64s  # (1,) the number of the next hand to be dealt
    ranks: Int64s  # (9,) work space for showdowns


@kernel
def begin(arrays: Arrays, rules: Records, depths: DepthArrays) -> None:
    """Deal a hand in every row. rules: (1,) of RULES."""
    for at in range(arrays.rows.shape[0]):
        deal(arrays.rows[at], at, rules[0], depths)
        offer(at, arrays.rows[at], rules[0], arrays.moves, arrays.mask)
    arrays.next_hand[0] = arrays.rows.shape[0]


@kernel
def first_illegal(actions: Int64s, mask: Flags) -> int:
    """The first row whose action is masked or out of range, or -1."""
    for at in range(mask.shape[0]):
        if not 0 <= actions[at] < mask.shape[1] or not mask[at, actions[at]]:
            return at
    return -1


@kernel
def step(actions: Int64s, arrays: Arrays, rules: Records, depths: DepthArrays, tables: EvaluatorTables) -> None:
    """Play one action in every row; all of them must be legal."""
    rule = rules[0]
    arrays.rewards[:] = 0.0
    for at in range(actions.shape[0]):
        row = arrays.rows[at]
        goes_on = act(row, arrays.moves[at, actions[at]], rule) or end_street(row, rule)
        arrays.done[at] = not goes_on
        if not goes_on:
            pay_out(at, row, rule, tables, arrays.ranks, arrays.rewards)
            deal(row, arrays.next_hand[0], rule, depths)
            arrays.next_hand[0] += 1
        offer(at, row, rule, arrays.moves, arrays.mask)


@kernel
def choose_at_random(arrays: Arrays, rules: Records, actions: Int64s) -> None:
    """Choose uniformly random legal actions; always the same one for the same hand in the same state."""
    for at in range(actions.shape[0]):
        row = arrays.rows[at]
        legal = 0
        for action in range(arrays.mask.shape[1]):
            legal += arrays.mask[at, action]
        left = random_bits(rules[0].choices + CHOICES * row.hand + row.acted) % legal
        for action in range(arrays.mask.shape[1]):
            if arrays.mask[at, action]:
                if left == 0:
                    actions[at] = action
                    break
                left -= 1


# ---- betting -------------------------------------------------------------------------------------
# The legal moves as a menu, and one move in a row: pays the chips, passes the turn, ends the street. The rulings are
# those of `table.py`.


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
    """The seat to act raises to this total."""
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


# ---- dealing -------------------------------------------------------------------------------------
# A new hand in a row, stacks drawn, cards dealt, antes and blinds posted; and its end, the pots paid layer by layer.
# All of it depends only on the seed and the hand's number: each hand has its own section of one long stream of random
# numbers, whatever row it is played in and however many rows there are.


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
    """Draw each seat's stack from the possible depths."""
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
    """Empty a row before the next hand."""
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
    """The rank of each live seat's hand on the full board."""
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
