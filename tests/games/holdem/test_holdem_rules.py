"""The rules of betting, one by one, on deals small enough to check by hand. Seat 0 has the button unless said."""

from __future__ import annotations

import pytest
from holdem_play import hands_of, play

from tahur.cards.cards import parse_cards
from tahur.core.errors import IllegalAction
from tahur.core.game import CHANCE, OVER
from tahur.games.holdem.limit import limit
from tahur.games.holdem.rules import no_limit
from tahur.games.holdem.table import CALL, FOLD

BOARD = "QsJdTh4c4h"

# ---- who acts --------------------------------------------------------------------------------------


def test_heads_up_the_button_posts_the_small_blind_and_acts_first_then_last() -> None:
    game = no_limit(stacks=[100, 100], button=1)
    table = game.start()
    assert (table.bets, table.turn) == ((2, 1), 1)
    assert play(game, "c").turn == 0
    assert play(game, "c c QsJdTh").turn == 0


def test_with_three_seats_the_button_opens_and_the_small_blind_acts_first_on_the_flop() -> None:
    game = no_limit(stacks=[100, 100, 100])
    assert (game.start().bets, game.start().turn) == ((0, 1, 2), 0)
    assert play(game, "c c c QsJdTh").turn == 1


def test_the_big_blind_has_its_option() -> None:
    limped = play(no_limit(stacks=[100, 100, 100]), "c c")
    assert limped.turn == 2
    assert FOLD not in limped.actions()
    assert limped.raises == range(4, 101)
    assert limped.after(CALL).turn == CHANCE
    assert limped.after(6 + 1).turn == 0


def test_a_seat_without_chips_is_not_dealt_in_and_the_two_others_play_heads_up() -> None:
    game = no_limit(stacks=[100, 0, 100])
    table = game.start()
    assert (table.bets, table.turn, table.live) == ((1, 0, 2), 0, (2, 0))
    assert play(game, "c c QsJdTh").turn == 2


def test_the_hand_is_over_when_all_but_one_have_folded_and_nobody_shows() -> None:
    game = no_limit(stacks=[100, 100, 100])
    table = play(game, "f f")
    assert table.turn == OVER
    assert game.payoffs(table, hands_of("AsAh", "KsKh", "7h2c")) == (0, -1, 1)
    assert game.revealed(table) == ()


def test_after_the_river_all_who_are_in_show() -> None:
    game = no_limit(stacks=[100, 100, 100])
    table = play(game, f"c f c {BOARD[:6]} c c {BOARD[6:8]} c c {BOARD[8:]} c c")
    assert game.revealed(table) == (0, 2)


# ---- how much --------------------------------------------------------------------------------------


def test_a_raise_adds_at_least_the_last_raise() -> None:
    game = no_limit(stacks=[200, 200, 200])
    assert game.start().raises == range(4, 201)
    assert play(game, "r10").raises[0] == 18
    assert play(game, "r10 r40").raises[0] == 70
    assert play(game, "r10 c c QsJdTh").raises == range(2, 191)


def test_a_smaller_raise_is_refused_with_what_is_legal() -> None:
    with pytest.raises(IllegalAction, match=r"seat 1 cannot play action 18; legal: 0 .*19 to 200 \(raise to 18 to 199"):
        play(no_limit(stacks=[200, 199, 200]), "r10 r17")


def test_what_cannot_be_is_refused() -> None:
    game = no_limit(stacks=[100, 100])
    with pytest.raises(IllegalAction, match="seat 1 cannot play action 0"):
        play(game, "c f")
    with pytest.raises(IllegalAction, match="chance cannot deal card 52"):
        play(game, "c c").after(52)
    with pytest.raises(IllegalAction, match="chance cannot deal card 41; legal: 0 to 51 but Qd"):
        play(game, "c c Qd").after(int(parse_cards("Qd")[0]))
    with pytest.raises(IllegalAction, match="after the deal is over"):
        play(game, "f c")
    with pytest.raises(IllegalAction, match="nobody is paid before"):
        game.payoffs(game.start(), hands_of("AsAh", "KsKh"))


def test_an_all_in_may_be_for_less_than_a_raise() -> None:
    table = play(no_limit(stacks=[200, 15, 200]), "r10")
    assert table.raises == range(15, 16)


def test_a_short_all_in_does_not_reopen_betting() -> None:
    """Seat 0 raised by 8 and faces 5 more; seat 2, yet to act, may raise."""
    game = no_limit(stacks=[200, 15, 200])
    assert play(game, "r10 r15").raises == range(23, 201)
    again = play(game, "r10 r15 c")
    assert (again.turn, again.to_call, again.is_reopened) == (0, 5, False)
    assert list(again.actions()) == [FOLD, CALL]


def test_two_short_all_ins_that_make_a_full_raise_reopen_betting() -> None:
    """Seat 3 raised by 8; all-ins by 5 and 4 leave it 9 to call."""
    game = no_limit(stacks=[15, 19, 200, 200])
    table = play(game, "r10 r15 r19 c")
    assert (table.turn, table.to_call, table.is_reopened) == (3, 9, True)
    assert table.raises == range(27, 201)


def test_a_short_all_in_over_limps_lets_the_limpers_raise() -> None:
    """As in PokerKit: the blind is no raise, so the all-in by one chip is the largest. A raise adds the blind."""
    table = play(no_limit(stacks=[200, 200, 3, 200], blinds=[1, 2]), "c c c r3")
    assert (table.turn, table.to_call, table.full_raise) == (3, 1, 2)
    assert table.raises == range(5, 201)


def test_a_short_all_in_over_checks_lets_the_checkers_raise() -> None:
    """As in PokerKit, after the flop too."""
    table = play(no_limit(stacks=[11, 200, 200], blinds=[5, 10]), "c c c QsJdTh c c r1")
    assert (table.turn, table.to_call, table.raises) == (1, 1, range(11, 191))


@pytest.mark.parametrize(("second", "reopened"), [(6, True), (5, False)])
def test_over_a_short_all_in_bet_one_as_large_reopens_betting_and_a_smaller_one_does_not(
    second: int, reopened: bool
) -> None:
    """As in PokerKit: a bet of 3, all-in, is the largest of the street, though the big blind is 10.

    Seat 3 calls it; the next all-in, to 6 or to 5, comes back to it.
    """
    game = no_limit(stacks=[10 + second, 200, 13, 200], blinds=[5, 10])
    table = play(game, f"c c c c QsJdTh c r3 c r{second} c")
    assert (table.turn, table.to_call, table.is_reopened) == (3, second - 3, reopened)
    assert table.raises == (range(16, 191) if reopened else range(0))


def test_nobody_raises_when_the_others_are_all_in() -> None:
    table = play(no_limit(stacks=[50, 200]), "r50")
    assert list(table.actions()) == [FOLD, CALL]


def test_a_raise_may_be_more_than_others_can_call_and_the_rest_comes_back() -> None:
    game = no_limit(stacks=[200, 50])
    assert game.start().raises[-1] == 200
    table = play(game, "r200 c")
    assert (table.stacks, table.pot) == ((150, 0), 100)


def test_an_uncalled_bet_is_returned() -> None:
    game = no_limit(stacks=[100, 100, 100])
    table = play(game, "r60 f r100 f")
    assert (table.turn, table.stacks, table.pot) == (OVER, (40, 99, 40), 121)
    assert game.payoffs(table, hands_of("AsAh", "KsKh", "7h2c")) == (-60, -1, 61)


# ---- short stacks in the blinds --------------------------------------------------------------------


def test_a_big_blind_all_in_for_less_than_the_small_blind_is_called_for_the_highest_bet() -> None:
    """As in PokerKit: the small blind of 5 is what there is to call, and a raise adds the big blind of 10."""
    game = no_limit(stacks=[100, 100, 3], blinds=[5, 10])
    table = game.start()
    assert (table.turn, table.bets, table.to_call, table.raises) == (0, (0, 5, 3), 5, range(15, 101))
    folded = table.after(FOLD)
    assert (folded.turn, folded.stacks) == (CHANCE, (100, 97, 0))  # the small blind gets 2 back and runs it out


def test_heads_up_a_big_blind_all_in_for_less_leaves_nothing_to_decide() -> None:
    game = no_limit(stacks=[100, 1], blinds=[1, 2])
    table = game.start()
    assert (table.turn, table.pot) == (CHANCE, 2)
    assert game.payoffs(play(game, BOARD), hands_of("7h2c", "AsKs")) == (-1, 1)


def test_heads_up_the_small_blind_still_decides_when_the_big_blind_is_all_in_for_more() -> None:
    table = no_limit(stacks=[100, 2], blinds=[1, 2]).start()
    assert (table.turn, list(table.actions()), table.to_call) == (0, [FOLD, CALL], 1)


def test_everybody_can_be_all_in_from_the_blinds() -> None:
    game = no_limit(stacks=[1, 2], blinds=[1, 2])
    assert game.start().turn == CHANCE
    assert game.payoffs(play(game, BOARD), hands_of("AsKs", "7h2c")) == (1, -1)


def test_a_seat_all_in_on_its_ante_wins_as_much_from_each_and_no_more() -> None:
    """Seat 2 antes all its 2 of 3 chips; the small blind folds one chip, which is not for seat 2 either."""
    game = no_limit(stacks=[50, 50, 2], blinds=[1, 2], ante=3)
    table = game.start()
    assert (table.committed, table.bets) == ((3, 4, 2), (0, 1, 0))
    table = play(game, f"c c {BOARD[:6]} c c {BOARD[6:8]} c c {BOARD[8:]} c c")
    assert [(pot.chips, pot.seats) for pot in table.pots] == [(6, (1, 2, 0)), (4, (1, 0))]
    assert game.payoffs(table, hands_of("9s9c", "7h2c", "AsKs")) == (0, -4, 4)


def test_an_ante_that_nobody_else_could_pay_comes_back() -> None:
    game = no_limit(stacks=[100, 1], blinds=[1, 2], ante=5)
    assert (game.start().turn, game.start().stacks) == (CHANCE, (99, 0))


# ---- pots ------------------------------------------------------------------------------------------


def test_three_all_ins_make_three_pots() -> None:
    """All-ins of 20, 50 and 90, called by a seat with 120: 80 for all, 90 for three, 80 for two."""
    game = no_limit(stacks=[50, 90, 120, 20])
    table = play(game, f"r20 r50 r90 c {BOARD}")
    assert [(pot.chips, pot.seats) for pot in table.pots] == [(80, (1, 2, 3, 0)), (90, (1, 2, 0)), (80, (1, 2))]
    hands = hands_of("AcKc", "QhJh", "8s3s", "AsKs")  # 0 and 3 split what 3 can win, 0 wins the next, 1 the last
    assert game.payoffs(table, hands) == (80, -10, -90, 20)


def test_chips_of_a_folded_seat_stay_in_the_pots_they_reached() -> None:
    game = no_limit(stacks=[200, 200, 200, 10])
    table = play(game, f"r10 c c r40 c f {BOARD[:6]}")
    assert [(pot.chips, pot.seats) for pot in table.pots] == [(40, (2, 3, 0)), (60, (2, 0))]


def test_odd_chips_go_to_the_first_winner_left_of_the_button() -> None:
    """A pot of 5: seats 1 and 2 win 3 and 2, whoever of them acted first; 0, on the button, comes last."""
    game = no_limit(stacks=[2, 2, 2], blinds=[1, 1])
    table = play(game, f"r2 c f {BOARD}")
    assert table.pot == 5
    assert game.payoffs(table, hands_of("AsKs", "AdKd", "7h2c")) == (0, 1, -1)


def test_two_odd_chips_of_a_pot_split_three_ways_both_go_to_the_first_winner() -> None:
    game = no_limit(stacks=[4, 4, 4, 2], blinds=[1, 2])
    table = play(game, f"c r4 c c {BOARD}")
    assert [pot.chips for pot in table.pots] == [8, 6]
    assert game.payoffs(table, hands_of("AsKs", "AdKd", "AhKh", "7h2c")) == (0, 2, 0, -2)


# ---- limit -----------------------------------------------------------------------------------------


def test_limit_bets_double_on_the_turn() -> None:
    game = limit(stacks=[100, 100], blinds=[1, 2], bets=[2, 4])
    assert game.start().raises == range(4, 5)
    assert play(game, "c c QsJdTh").raises == range(2, 3)
    assert play(game, "c c QsJdTh c c 4c").raises == range(4, 5)


def test_a_cap_counts_bets_and_raises_but_not_the_big_blind() -> None:
    game = limit(stacks=[100, 100], caps=[3, 2, 0, 1])
    assert play(game, "r4 r6").raises == range(8, 9)
    assert not play(game, "r4 r6 r8").raises
    assert not play(game, "c c QsJdTh r2 r4").raises
    assert list(play(game, "c c QsJdTh c c 4c").actions()) == [CALL]


def test_a_limit_bet_is_capped_at_the_stack() -> None:
    game = limit(stacks=[5, 100], bets=[2, 4])
    assert play(game, "r4").raises == range(6, 7)
    assert play(game, "c r4").raises == range(5, 6)
    table = play(game, "c r4 r5 c")
    assert (table.turn, table.pot) == (CHANCE, 10)
