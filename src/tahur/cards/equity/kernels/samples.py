"""Sampled equity: hands drawn by weight, boards dealt at random, in blocks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tahur.cards.equity.kernels.common import POT, SHARES, add_duel, board_key
from tahur.cards.equity.tables import Combos
from tahur.cards.kernels import flush_suit, rank_of_key
from tahur.cards.tables import FLUSH_BITS, SUITS_START, EvaluatorTables
from tahur.core.arrays import Float64s, Int64s
from tahur.core.kernels import bit_count, kernel

GOLDEN = np.int64(-7046029254386353131)  # 2**64 / golden ratio, as a signed number


@kernel
def random_bits(counter: int) -> int:
    """Sixty-three random bits from a counter (splitmix64: Steele, Lea and Flood 2014)."""
    bits = np.uint64(counter * GOLDEN)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64((bits ^ (bits >> np.uint64(31))) >> np.uint64(1))  # type: ignore[return-value]


BLOCK = 256  # samples dealt, then ranked, then counted: three tight loops are faster than one long one


class SampleBlock(NamedTuple):
    """A block of samples."""

    hands: Int64s  # (players, BLOCK) combos
    held: Int64s  # (BLOCK,) cards of the hands that are in the deck, as 52 bits
    cards: Int64s  # (BLOCK,) the cards dealt to the board, as 52 bits
    keys: Int64s  # (BLOCK,) the sum of the board's keys
    ranks: Int64s  # (players, BLOCK)


@kernel
def sample(
    samples: int,
    combo: Int64s,
    weight: Float64s,
    start: Int64s,
    board: int,
    dead: int,
    counter: int,
    tables: EvaluatorTables,
    combos: Combos,
    counts: Int64s,
    squares: Int64s,
) -> tuple[int, int]:
    """Deal `samples` times; adds to counts (players, 3) and, for the shares' squares, to squares (players,).

    combo, weight: the players' hands, concatenated; player p's are start[p] to start[p + 1].
    Returns the counter of random numbers afterwards, and the number of samples: fewer than requested if 1,000 deals
    for each gave two players the same card.
    """
    players = start.shape[0] - 1
    by_player, by_sample = np.zeros((2, players, BLOCK), np.int64), np.zeros((3, BLOCK), np.int64)
    block = SampleBlock(
        hands=by_player[0], held=by_sample[0], cards=by_sample[1], keys=by_sample[2], ranks=by_player[1]
    )
    deck = _deck_without(board | dead | _known_cards(combo, start, combos.mask))
    dealt, to_come = SUITS_START + board_key(board, tables), 5 - bit_count(board)
    known = start[players] == players
    other, keep = _aliases(combo, weight, start)
    counter, drawn = _draw_hands(BLOCK, combo, other, keep, start, counter, combos.mask, block)
    done = 0
    while done < samples and drawn:
        drawn = min(drawn, samples - done)
        counter = _deal_boards(drawn, deck, to_come, dealt, counter, tables.key, block)
        for player in range(players):
            _rank_block(drawn, block.hands[player], board, tables, combos, block, block.ranks[player])
        _count_block(drawn, block.ranks, counts, squares)
        done += drawn
        if not known:
            counter, drawn = _draw_hands(BLOCK, combo, other, keep, start, counter, combos.mask, block)
    return counter, done


@kernel
def _aliases(combo: Int64s, weight: Float64s, start: Int64s) -> tuple[Int64s, Float64s]:
    """Vose's alias method: for each hand an alias, and the probability of keeping the hand itself."""
    other, keep = combo.copy(), np.ones(combo.shape[0])
    share, waiting = weight.copy(), np.zeros(combo.shape[0], np.int64)
    for player in range(start.shape[0] - 1):
        first, end = start[player], start[player + 1]
        total = 0.0
        for at in range(first, end):
            total += weight[at]
        poor, rich = first, end  # hands below the mean are queued at the left, hands above it at the right
        for at in range(first, end):
            share[at] *= (end - first) / total
            if share[at] < 1.0:
                waiting[poor] = at
                poor += 1
            else:
                rich -= 1
                waiting[rich] = at
        while poor > first and rich < end:
            poor -= 1
            low, high = waiting[poor], waiting[rich]
            keep[low], other[low] = share[low], combo[high]
            share[high] -= 1.0 - share[low]
            if share[high] < 1.0:
                waiting[poor] = high
                poor += 1
                rich += 1
    return other, keep


@kernel
def _known_cards(combo: Int64s, start: Int64s, mask: Int64s) -> int:
    """The cards of players who have only one hand, which need not be drawn."""
    cards = 0
    for player in range(start.shape[0] - 1):
        if start[player + 1] - start[player] == 1:
            cards |= mask[combo[start[player]]]
    return cards


@kernel
def _deck_without(gone: int) -> Int64s:
    """The cards that are left, in order."""
    deck, cards = np.zeros(52, np.int64), 0
    for card in range(52):
        if not gone >> card & 1:
            deck[cards] = card
            cards += 1
    return deck[:cards]


@kernel
def _draw_hands(
    size: int,
    combo: Int64s,
    other: Int64s,
    keep: Float64s,
    start: Int64s,
    counter: int,
    mask: Int64s,
    block: SampleBlock,
) -> tuple[int, int]:
    """Draw each player's hand by weight, with no card twice. Returns the counter and the number of samples drawn."""
    drawn, tries = 0, 0
    while drawn < size and tries < 1000 * size:
        used = 0
        tries += 1
        for player in range(block.hands.shape[0]):
            low, high = start[player], start[player + 1] - 1
            hand = combo[low]
            if low < high:
                at = (random_bits(counter) >> 10) * 2.0**-53 * (high + 1 - low)
                counter += 1
                whole = int(at)
                hand = combo[low + whole] if at - whole < keep[low + whole] else other[low + whole]
            block.hands[player, drawn] = hand
            if mask[hand] & used:
                used = -1
                break
            used |= mask[hand]
        block.held[drawn] = used
        drawn += used >= 0
    return counter, drawn


FRACTION_BITS = 57  # a fraction times 52 still fits in 63 bits
FRACTION = (1 << FRACTION_BITS) - 1


@kernel
def _deal_boards(
    size: int, deck: Int64s, to_come: int, dealt: int, counter: int, keys: Int64s, block: SampleBlock
) -> int:
    """Deal the boards of a block: a partial shuffle that skips cards in hands. Returns the counter.

    One random fraction serves five cards: times the cards left, its integer part is the pick and the rest the next
    fraction. The resulting bias of any board is below one in 10**8, far under the error of any sample.
    """
    for at in range(size):
        key, cards = dealt, 0
        index, last, spent, fraction = 0, to_come, 0, 0
        while index < last:
            if index == spent:
                fraction = random_bits(counter) & FRACTION
                counter += 1
                spent += 5
            fraction *= deck.shape[0] - index
            other = index + (fraction >> FRACTION_BITS)
            fraction &= FRACTION
            card = deck[other]
            deck[other] = deck[index]
            deck[index] = card
            index += 1
            if block.held[at] >> card & 1:
                last += 1
            else:
                key += keys[card]
                cards |= 1 << card
        block.cards[at], block.keys[at] = cards, key
    return counter


@kernel
def _rank_block(
    size: int, hands: Int64s, board: int, tables: EvaluatorTables, combos: Combos, block: SampleBlock, ranks: Int64s
) -> None:
    """The rank of the hand in each deal of a block."""
    for at in range(size):
        hand = block.keys[at] + combos.key[hands[at]]
        if hand & FLUSH_BITS:
            held = board | block.cards[at] | combos.mask[hands[at]]
            ranks[at] = tables.flush[_ranks_in(held, flush_suit(hand))]
        else:
            ranks[at] = rank_of_key(hand, tables)


@kernel
def _count_block(size: int, ranks: Int64s, counts: Int64s, squares: Int64s) -> None:
    """ranks: (players, BLOCK). No branch depends on who wins, which could not be predicted."""
    if ranks.shape[0] == 2:
        won, lost = 0, 0
        for at in range(size):
            won += ranks[0, at] > ranks[1, at]
            lost += ranks[0, at] < ranks[1, at]
        add_duel(won, lost, size, counts)
        squares[0] += POT * POT * won + POT * POT // 4 * (size - won - lost)
        squares[1] += POT * POT * lost + POT * POT // 4 * (size - won - lost)
        return
    for at in range(size):
        best, winners = 0, 0
        for player in range(ranks.shape[0]):
            best = max(best, ranks[player, at])
        for player in range(ranks.shape[0]):
            winners += ranks[player, at] == best
        share = SHARES[winners]
        for player in range(ranks.shape[0]):
            wins = ranks[player, at] == best
            counts[player, 0] += wins & (winners == 1)
            counts[player, 1] += wins & (winners > 1)
            counts[player, 2] += share * wins
            squares[player] += share * share * wins


@kernel
def _ranks_in(cards: int, suit: int) -> int:
    """The ranks of one suit in a 52-bit set of cards, as bits of 13."""
    ranks = 0
    for rank in range(13):
        ranks |= (cards >> (4 * rank + suit) & 1) << rank
    return ranks
