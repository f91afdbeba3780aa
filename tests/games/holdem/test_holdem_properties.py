"""What must hold on every table of every deal: no chip appears or disappears, and what is offered can be played."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from holdem_play import play, random_limit, random_stakes, tables
from hypothesis import given
from hypothesis import strategies as st

from tahur.cards.cards import cards_of
from tahur.core.errors import IllegalAction
from tahur.core.game import CHANCE, OVER
from tahur.games.holdem.rules import NO_HAND, Holdem, no_limit
from tahur.games.holdem.stakes import Stakes
from tahur.games.holdem.table import CALL, FOLD, HoldemTable, Moves, pots_of, winnings

SEATS = range(2, 10)


@pytest.mark.parametrize("dealt_in", SEATS)
def test_no_chip_appears_or_disappears(dealt_in: int) -> None:
    _check_deals(dealt_in, 2_500)


@pytest.mark.slow(minutes=10)
@pytest.mark.parametrize("dealt_in", SEATS)
def test_no_chip_appears_or_disappears_in_a_million_deals(dealt_in: int) -> None:
    _check_deals(dealt_in, 125_000, seed=1)


def _check_deals(dealt_in: int, deals: int, seed: int = 0) -> None:
    rng = np.random.default_rng([seed, dealt_in])
    random = Random(f"{seed} {dealt_in}")
    for number in range(deals):
        stakes = random_stakes(random, dealt_in)
        if number % 5 == 0:
            stakes = Stakes(
                stacks=stakes.stacks,
                blinds=stakes.blinds,
                ante=stakes.ante,
                button=stakes.button,
                structure=random_limit(random),
            )
        game = Holdem("nlhe", stakes)
        hands = game.deal(rng)
        for table in tables(game, random, hands):
            _check_chips(table)
        _check_payoffs(game, table, hands)


def _check_chips(table: HoldemTable) -> None:
    """Every chip is behind a seat, in front of it, or in the pot; nobody owes chips."""
    committed = table.committed
    assert min(table.stacks) >= 0, table
    assert sum(table.stacks) + sum(committed) == sum(table.stakes.stacks), table
    assert table.pot == sum(committed), table
    assert all(paid >= bet for paid, bet in zip(committed, table.bets, strict=True)), table
    if table.turn >= 0:
        assert table.stacks[table.turn] > 0, table
        assert table.turn in table.live, table
        assert table.bet == max(table.bets), table
        assert len(table.live) > 1, table
    else:
        assert not any(table.bets), table
        assert sum(pot.chips for pot in table.pots) == table.pot, table


def _check_payoffs(game: Holdem, table: HoldemTable, hands: Sequence[int]) -> None:
    payoffs = game.payoffs(table, hands)
    assert table.turn == OVER
    assert sum(payoffs) == 0, table
    assert all(type(chips) is int for chips in payoffs)
    assert all(-has <= won for has, won in zip(game.stakes.stacks, payoffs, strict=True)), table
    for seat in range(game.seats):
        if seat not in table.live:
            assert payoffs[seat] == -table.committed[seat], table


seeds = st.integers(0, 10**9)


@given(seeds, st.integers(2, 9), st.booleans())
def test_what_is_offered_can_be_played_and_nothing_else(seed: int, dealt_in: int, limit: bool) -> None:
    random = Random(seed)
    game = _random_game(random, dealt_in, limit)
    for table in tables(game, random, game.deal(np.random.default_rng(seed))):
        if table.turn < 0:
            assert len(table.actions()) == 0
            continue
        actions = table.actions()
        offered = {actions[0], actions[-1], random.choice(actions), CALL}
        for action in offered:
            assert table.after(action).history == (*table.history, action)
        top = table.bets[table.turn] + table.stacks[table.turn] + 1
        for action in {-1, FOLD, CALL, table.bet + 1, top, top + 1, random.randint(0, top)} - set(actions):
            with pytest.raises(IllegalAction):
                table.after(action)


@given(seeds, st.integers(2, 9), st.booleans())
def test_labels_are_unique_among_what_is_offered(seed: int, dealt_in: int, limit: bool) -> None:
    random = Random(seed)
    game = _random_game(random, dealt_in, limit)
    hands = game.deal(np.random.default_rng(seed))
    for table in tables(game, random, hands):
        offered = table.actions() if table.turn != CHANCE else game.outcomes(table, hands)
        sample = set(offered[:20]) | set(offered[-20:])
        assert len({game.label(table, action) for action in sample}) == len(sample)


@given(seeds, st.integers(2, 9))
def test_a_table_is_equal_to_another_of_the_same_stakes_and_history(seed: int, dealt_in: int) -> None:
    random = Random(seed)
    game = _random_game(random, dealt_in, limit=False)
    *_, last = tables(game, random, game.deal(np.random.default_rng(seed)))
    again = game.start()
    for action in last.history:
        again = again.after(action)
    assert again == last
    assert hash(again) == hash(last)
    assert repr(again) == repr(last)
    assert game.start() != last or not last.history


@given(st.booleans(), st.integers(1, 50), st.integers(0, 60))
def test_moves_are_a_sequence_like_the_tuple_of_them(may_fold: bool, least: int, more: int) -> None:
    moves = Moves(may_fold, range(least, least + more))
    spelled = ((FOLD,) if may_fold else ()) + (CALL,) + tuple(chips + 1 for chips in range(least, least + more))
    assert tuple(moves) == spelled
    assert len(moves) == len(spelled)
    assert [moves[place] for place in range(-len(spelled), len(spelled))] == [*spelled, *spelled]
    assert (moves[:12], moves[::-2]) == (spelled[:12], spelled[::-2])
    assert [action in moves for action in range(-2, 120)] == [action in spelled for action in range(-2, 120)]
    for beyond in (len(spelled), -len(spelled) - 1):
        with pytest.raises(IndexError):
            moves[beyond]


@given(st.lists(st.tuples(st.integers(0, 30), st.booleans(), st.integers(1, 3)), min_size=2, max_size=9))
def test_pots_pay_as_much_as_was_put_in_and_no_seat_more_than_its_share_of_each(
    seats: list[tuple[int, bool, int]],
) -> None:
    """The seats that paid the most are in, as at every table; each live seat wins at most what it paid from each."""
    most = max(paid for paid, _, _ in seats)
    committed = [paid for paid, _, _ in seats]
    live = [seat for seat, (paid, is_live, _) in enumerate(seats) if is_live or paid == most]
    ranks = {seat: seats[seat][2] for seat in live}
    won = winnings(pots_of(committed, live), ranks)
    assert sum(won.values()) == sum(committed)
    for seat, chips in won.items():
        assert chips <= sum(min(paid, committed[seat]) for paid in committed)


@given(seeds, st.integers(2, 9))
def test_a_deal_gives_every_seat_with_chips_two_cards_of_its_own(seed: int, dealt_in: int) -> None:
    random = Random(seed)
    game = _random_game(random, dealt_in, limit=False)
    hands = game.deal(np.random.default_rng(seed))
    assert [hand == NO_HAND for hand in hands] == [stack == 0 for stack in game.stakes.stacks]
    assert game.possible(hands)
    assert not game.possible((5, 5))
    held = {card for hand in hands if hand != NO_HAND for card in cards_of(hand)}
    assert len(held) == 2 * dealt_in
    for table in tables(game, random, hands):
        if table.turn == CHANCE:
            assert set(game.outcomes(table, hands)) == set(range(52)) - held - set(table.board)
            assert set(game.outcomes(table, ())) == set(range(52)) - set(table.board)
        else:
            assert not game.outcomes(table, hands)


def test_every_two_cards_are_dealt_equally_often() -> None:
    """30,000 deals to two seats: each card 2,308 times expected; five standard deviations are 231."""
    game = no_limit(stacks=[100, 100])
    rng = np.random.default_rng(7)
    counts = np.zeros(52)
    for _ in range(30_000):
        for hand in game.deal(rng):
            counts[list(cards_of(hand))] += 1
    assert np.abs(counts - 30_000 * 4 / 52).max() < 231


def test_a_hundred_million_chips_are_offered_as_quickly_as_ten() -> None:
    table = no_limit(stacks=[10**8, 10**8]).start()
    actions = table.actions()
    assert len(actions) == 10**8 - 4 + 1 + 2
    assert 10**8 + 1 in actions
    assert actions[-1] == 10**8 + 1
    assert play(no_limit(stacks=[10**8, 10**8]), f"r{10**8} c").pot == 2 * 10**8


def _random_game(random: Random, dealt_in: int, limit: bool) -> Holdem:
    stakes = random_stakes(random, dealt_in)
    if limit:
        stakes = Stakes(
            stacks=stakes.stacks,
            blinds=stakes.blinds,
            ante=stakes.ante,
            button=stakes.button,
            structure=random_limit(random),
        )
    return Holdem("nlhe", stakes)
