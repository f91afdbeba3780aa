"""The same deals, move by move, through PokerKit and through our table; where they differ, the ruling."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("pokerkit", reason="PokerKit is what we are held against")

from holdem_play import STYLES, hands_of, play, random_hands_and_board, random_limit, random_stakes
from pokerkit import Mode, State
from pokerkit_peer import apply, can_only_check, deal_board, least_and_most, pokerkit_state

from tahur.cards.cards import cards_of, parse_cards
from tahur.cards.evaluator import evaluate
from tahur.core.game import CHANCE, OVER, Hand
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.stakes import Stakes
from tahur.games.holdem.table import CALL, FOLD, HoldemTable, pots_of, winnings

SEATS = range(2, 10)


@pytest.mark.parametrize("dealt_in", SEATS)
def test_no_limit_goes_as_in_pokerkit(dealt_in: int) -> None:
    _compare(dealt_in, 250)


@pytest.mark.parametrize("dealt_in", SEATS)
def test_limit_goes_as_in_pokerkit(dealt_in: int) -> None:
    _compare(dealt_in, 63, limit=True)


@pytest.mark.slow(minutes=10)
@pytest.mark.parametrize("dealt_in", SEATS)
def test_no_limit_goes_as_in_pokerkit_a_hundred_thousand_times(dealt_in: int) -> None:
    _compare(dealt_in, 12_500, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("dealt_in", SEATS)
def test_limit_goes_as_in_pokerkit_twenty_thousand_times(dealt_in: int) -> None:
    _compare(dealt_in, 2_500, seed=1, limit=True)


def test_a_free_fold_is_not_offered_though_pokerkit_lets_a_cash_game_player_fold() -> None:
    """Ruling: who may check may not fold. So does PokerKit in a tournament; in a cash game it only warns."""
    stakes = Stakes((100, 100))
    limped = play(Holdem("nlhe", stakes), "c")
    assert FOLD not in limped.actions()
    tournament, cash_game = (pokerkit_state(stakes, mode=mode) for mode in (Mode.TOURNAMENT, Mode.CASH_GAME))
    tournament.check_or_call()
    assert not tournament.can_fold()
    cash_game.check_or_call()
    with pytest.warns(UserWarning, match="no reason for this player to fold"):
        assert cash_game.can_fold()


def test_a_seat_that_could_only_check_is_not_asked_though_pokerkit_asks_it() -> None:
    """Ruling: with nothing owed and nobody left to bet against, the board runs out. PokerKit waits for the check."""
    stakes = Stakes((100, 1, 100), (1, 2), 0, 0)
    assert play(Holdem("nlhe", stakes), "f").turn == CHANCE  # the small blind is all-in, the big blind has its option
    state = pokerkit_state(stakes)
    state.fold()
    assert stakes.order[state.actor_index or 0] == 2
    assert can_only_check(state)


def test_heads_up_the_button_acts_first_with_equal_blinds_though_pokerkit_asks_the_other_seat() -> None:
    """Ruling: position decides who opens. PokerKit looks for the highest blind, and finds the button's as high."""
    stakes = Stakes((100, 100), (2, 2), 0, 0)
    assert Holdem("nlhe", stakes).start().turn == 0
    assert stakes.order[pokerkit_state(stakes).actor_index or 0] == 1


def test_the_seat_after_the_big_blind_opens_though_no_blind_was_posted() -> None:
    """Ruling: as above. No small blind, the big blind all-in on its ante: PokerKit opens left of the button."""
    stakes = Stakes((100, 100, 3, 100), (0, 2), 3, 0)
    assert Holdem("nlhe", stakes).start().turn == 3
    assert stakes.order[pokerkit_state(stakes).actor_index or 0] == 1


def test_a_third_short_all_in_does_not_close_the_betting_that_two_have_reopened_though_it_does_in_pokerkit() -> None:
    """Ruling: whoever owes a full raise may raise, however it came about.

    Seat 3 raises by 10; all-ins by 6, 6 and 3 leave it 15 to call. PokerKit adds up short all-ins until they make a
    raise, then starts from nothing again, and the 3 alone do not make one.
    """
    stakes = Stakes((24, 27, 200, 200, 18), (1, 2), 0, 0)
    moves = "r12 r18 r24 r27 c"
    table = play(Holdem("nlhe", stakes), moves)
    assert (table.turn, table.to_call, table.raises) == (3, 15, range(37, 201))
    state = pokerkit_state(stakes)
    for chips in (12, 18, 24, 27):
        state.complete_bet_or_raise_to(chips)
    state.check_or_call()
    assert state.checking_or_calling_amount == 15
    assert least_and_most(state) is None


def test_each_side_pot_is_split_by_itself_though_pokerkit_joins_those_with_the_same_winners() -> None:
    """Ruling: the odd chip of each pot goes to the first of its winners; pots are not joined once losers are known.

    Seats 2 and 0 split a main pot of 5, which 3 and 4 lose, and a side pot of 3, which 4 loses. So seat 2 is given two
    odd chips. PokerKit first throws the losing hands away and then finds one pot of 8 without any.
    """
    stakes = Stakes((2, 100, 2, 1, 2))
    game = Holdem("nlhe", stakes)
    hands, board = hands_of("AsKs", "9c9h", "AdKd", "7h2c", "8h3c"), parse_cards("QsJdTh4c4h")
    table = play(game, "c c c f QsJdTh4c4h")
    state = pokerkit_state(stakes, hands)
    for action in (CALL, CALL, CALL, FOLD):
        apply(state, action)
    while state.can_burn_card():
        deal_board(state, list(board))
    assert [pot.chips for pot in table.pots] == [5, 3]
    assert game.payoffs(table, hands) == (1, -1, 3, -1, -2)
    assert _paid_as_in_pokerkit(table, hands) == (2, -1, 2, -1, -2)
    assert state.payoffs == [-1, 2, -1, -2, 2]  # the seats from the left of the button on


def _compare(dealt_in: int, deals: int, *, seed: int = 0, limit: bool = False) -> None:
    for number in range(deals):
        random = Random(f"{seed} {dealt_in} {number}")
        stakes = random_stakes(random, dealt_in)
        if limit:
            stakes = Stakes(
                stacks=stakes.stacks,
                blinds=stakes.blinds,
                ante=stakes.ante,
                button=stakes.button,
                structure=random_limit(random),
            )
        _compare_deal(stakes, random)


def _compare_deal(stakes: Stakes, random: Random) -> None:
    game = Holdem("nlhe", stakes)
    style = random.choice(STYLES)
    hands, board = random_hands_and_board(random, stakes)
    state = pokerkit_state(stakes, hands)
    table = game.start()
    _catch_up(state, table, board)
    while table.turn != OVER:
        _check_chips(table, state)
        if table.turn == CHANCE:
            table = table.after(board[len(table.board)])
        else:
            _check_decision(table, state)
            action = style(table, random)
            if action > CALL and _is_third_short_all_in(table, state):
                action = CALL
            table = table.after(action)
            apply(state, action)
        _catch_up(state, table, board)
    assert not state.status
    payoffs = game.payoffs(table, hands)
    if [payoffs[seat] for seat in stakes.order] != state.payoffs:
        payoffs = _paid_as_in_pokerkit(table, hands)
    assert [payoffs[seat] for seat in stakes.order] == state.payoffs, table
    assert [stakes.stacks[seat] + payoffs[seat] for seat in stakes.order] == state.stacks, table


def _catch_up(state: State, table: HoldemTable, board: list[int]) -> None:
    """Deal PokerKit's board, and let it play the checks that our table does not ask for."""
    if table.turn < 0 and can_only_check(state):
        state.check_or_call()
    while state.can_burn_card() and len(table.board) >= len(state.board_cards) + max(state.board_dealing_counts):
        deal_board(state, board)


def _check_chips(table: HoldemTable, state: State) -> None:
    order = table.stakes.order
    assert [table.stacks[seat] for seat in order] == state.stacks, table
    assert [table.bets[seat] for seat in order] == state.bets, table
    assert table.pot == state.total_pot_amount, table


def _check_decision(table: HoldemTable, state: State) -> None:
    assert state.actor_index is not None
    assert table.turn == table.stakes.order[state.actor_index], table
    assert (FOLD in table.actions()) == state.can_fold(), table
    assert table.to_call == state.checking_or_calling_amount, table
    raises = table.raises
    ours = (raises[0], raises[-1]) if raises else None
    theirs = least_and_most(state)
    assert ours == theirs or _is_third_short_all_in(table, state), table


def _is_third_short_all_in(table: HoldemTable, state: State) -> bool:
    """Where we may raise and PokerKit may not: see the test of a third short all-in."""
    full = state.completion_betting_or_raising_amount
    short = state.consecutive_short_all_in_amounts
    return bool(table.raises) and table.to_call >= full > sum(short) > 0


def _paid_as_in_pokerkit(table: HoldemTable, hands: tuple[Hand, ...]) -> tuple[float, ...]:
    """Payoffs when the side pots are those of the winners alone; see the test of split side pots."""
    ranks = {seat: evaluate((*cards_of(hands[seat]), *table.board)) for seat in table.live}
    winners = [seat for seat, chips in winnings(table.pots, ranks).items() if chips]
    won = winnings(pots_of(table.committed, winners), {seat: ranks[seat] for seat in winners})
    return tuple(won.get(seat, 0) - paid for seat, paid in enumerate(table.committed))
