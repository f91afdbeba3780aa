"""Equity: what is true of every answer, and what cannot be answered."""

from collections.abc import Sequence
from dataclasses import replace
from math import comb

import numpy as np
import pytest
from equity_questions import OOP_B, Question, assert_same, rows_of, seeds, small_question
from hypothesis import given, settings
from hypothesis import strategies as st

from tahur.cards.cards import cards_of, combo_of, parse_cards
from tahur.cards.equity import equity
from tahur.cards.flops import RELABELINGS
from tahur.cards.ranges import Range
from tahur.core.errors import EquityError, TahurError

# ---- what is true of every answer --------------------------------------------------------------------------------


@settings(max_examples=40)
@given(seeds)
def test_shares_add_up_to_the_pot_and_are_made_of_wins_and_ties(seed: int) -> None:
    answer = small_question(seed).ask()
    assert sum(player.equity for player in answer.players) == pytest.approx(1, abs=1e-12)
    for player in answer.players:
        assert player.win >= 0 <= player.tie
        assert player.win - 1e-12 <= player.equity <= player.win + player.tie + 1e-12
        if len(answer.players) == 2:
            assert player.win + player.tie / 2 == pytest.approx(player.equity, abs=1e-12)


@settings(max_examples=40)
@given(seeds)
def test_players_who_change_seats_take_their_shares_along(seed: int) -> None:
    question = small_question(seed)
    turned = replace(question, hands=question.hands[::-1]).ask()
    assert_same(turned, rows_of(question.ask())[::-1])


@settings(max_examples=40)
@given(seeds, st.sampled_from(RELABELINGS))
def test_relabeling_the_suits_changes_nothing(seed: int, suits: tuple[int, ...]) -> None:
    question = small_question(seed)
    alike = Question(
        tuple(relabeled(hand, suits) for hand in question.hands),
        tuple(card & ~3 | suits[card & 3] for card in question.board),
        tuple(card & ~3 | suits[card & 3] for card in question.dead),
    )
    assert_same(alike.ask(), rows_of(question.ask()))


def relabeled(hand: Range, suits: Sequence[int]) -> Range:
    vector = np.zeros(1326)
    for combo in hand.indices.tolist():
        vector[combo_of([card & ~3 | suits[card & 3] for card in cards_of(combo)])] = hand.vector[combo]
    return Range.from_vector(vector)


@settings(max_examples=40)
@given(seeds, st.floats(0.001, 1))
def test_scaling_all_weights_of_a_player_changes_nothing(seed: int, factor: float) -> None:
    question = small_question(seed)
    first, *others = question.hands
    scaled = replace(question, hands=(Range.from_vector(first.vector * factor), *others))
    assert_same(scaled.ask(), rows_of(question.ask()))
    halved = replace(question, hands=tuple(Range.from_vector(hand.vector / 2) for hand in question.hands))
    assert rows_of(halved.ask()) == rows_of(question.ask())


def test_scaling_changes_nothing_even_for_weights_whose_product_is_too_small_for_a_float() -> None:
    assert rows_of(equity("AA:1e-200", "KK:1e-200")) == rows_of(equity("AA", "KK"))


@pytest.mark.parametrize("board", ["Td9d6h", "Td9d6d", "TdTh6d", "Td9d6hQc", "Td9d6hQc2s", "AsKsQsJsTs"])
def test_a_range_against_itself_has_half_the_pot(board: str) -> None:
    rng = np.random.default_rng(3)
    for hand in (Range("any"), Range(OOP_B), Range.from_vector(rng.random(1326) * (rng.random(1326) < 0.5))):
        for player in equity(hand, hand, board=board).players:
            assert player.equity == pytest.approx(0.5, abs=1e-12)


@settings(max_examples=30)
@given(seeds)
def test_dead_cards_on_a_whole_board_do_what_taking_their_combos_away_does(seed: int) -> None:
    rng = np.random.default_rng(seed)
    deck = rng.permutation(52).tolist()
    vectors = rng.random((2, 1326)) * (rng.random((2, 1326)) < 0.3)
    dead = deck[5 : 5 + int(rng.integers(1, 9))]
    touched = [combo for combo in range(1326) if {*cards_of(combo)} & {*dead}]
    left = vectors.copy()
    left[:, touched] = 0
    with_dead = equity(*map(Range.from_vector, vectors), board=deck[:5], dead=dead)
    without = equity(*map(Range.from_vector, left), board=deck[:5])
    assert_same(with_dead, rows_of(without))


def test_a_dead_card_comes_on_no_board() -> None:
    """Kings are drawing to two outs on the river; one of them dead leaves one of 43 cards, not of 44."""
    assert equity("AsAh", "KdKc", board="2c3d7h9s").players[1].win == pytest.approx(2 / 44)
    assert equity("AsAh", "KdKc", board="2c3d7h9s", dead="Ks").players[1].win == pytest.approx(1 / 43)


def test_no_probability_is_negative_or_above_one() -> None:
    """Quads against hands that cannot beat them, with weights that do not add up to round numbers."""
    rng = np.random.default_rng(5)
    board = parse_cards("KsKhKd2c7h")
    case_king = np.array([parse_cards("Kc")[0] in cards_of(combo) for combo in range(1326)])
    for _ in range(20):
        quads, others = rng.random(1326) * case_king, rng.random(1326) * ~case_king
        for hands in ((quads, others), (others, quads)):
            for player in equity(*map(Range.from_vector, hands), board=board).players:
                assert 0 <= player.win <= 1
                assert 0 <= player.tie <= 1
                assert 0 <= player.equity <= 1


def test_hands_may_be_texts_or_ranges_and_boards_texts_or_cards() -> None:
    texts = equity("AhKh", "QQ+", board="Qs7h2h", dead="2c")
    values = equity(Range("AhKh"), Range("QQ+"), board=parse_cards("Qs7h2h"), dead=[0])
    numbers = equity("AhKh", Range("QQ+"), board=np.array(parse_cards("Qs7h2h")), dead="2c")
    shares = [[(p.hand, p.win, p.tie, p.equity) for p in answer.players] for answer in (texts, values, numbers)]
    assert shares[0] == shares[1] == shares[2]


# ---- what cannot be answered -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "options", "complaint"),
    [
        (("AsKs", "AsQd"), {}, "As is both in AsKs and in AsQd"),
        (("AsKs", "QQ", "KsQd"), {}, "Ks is both in AsKs and in KsQd"),
        (("AsKs", "AsAh,AsAd"), {"board": "AhKd2c"}, "As is both in AsKs and in AsAh,AsAd"),
        (("AsKs", "QdQc"), {"board": "As7h2h"}, "AsKs cannot be held: As7h2h is already out"),
        (("AsKs", "QdQc"), {"dead": "Qd"}, "QdQc cannot be held: Qd is already out"),
        (("AA", "KK"), {"board": "AsAhAd"}, "AA cannot be held"),
        (("AsKs", "QdQc"), {"board": "2c3c4c5c6c7c"}, "a board has at most 5 cards; 2c3c4c5c6c7c has 6"),
        (("AsKs", "QdQc"), {"board": "2c3c4c", "dead": "4c"}, "4c is both in the board and in the dead cards"),
        (("AsKs", "QdQc"), {"board": "2c2c4c"}, "2c appears twice"),
        (("AsKs", "QdQc"), {"board": [0, 0, 4]}, "2c is twice in the board"),
        (("AsKs", "QdQc"), {"board": [0, 52]}, "no card number 52"),
        (("AsKs", "QdQc"), {"board": "2x"}, "'x' is not a suit"),
        (("AsKs", "zz"), {}, "cannot read 'zz'"),
        ((), {}, "needs 2 to 9 hands or ranges, not 0"),
        (("AsKs",), {}, "needs 2 to 9 hands or ranges, not 1"),
        (["any"] * 10, {}, "needs 2 to 9 hands or ranges, not 10"),
        (("AA", "AA", "AA"), {}, "AA v AA v AA cannot be dealt"),
        (("AA", "AA", "AA"), {"samples": 10}, "AA v AA v AA cannot be dealt"),
        (("AsKs,AsQs", "AsJs,AsTs"), {}, "cannot be dealt"),
        (("AsKs,AsQs", "AsJs,AsTs"), {"board": "2c3c4d5h7s"}, "cannot be dealt"),
        (("AsKs", "QdQc"), {"samples": 0}, "cannot draw 0 samples"),
        (("AsKs", "QdQc"), {"samples": -5}, "cannot draw -5 samples"),
        (("any", "any"), {"dead": list(range(44))}, "8 cards are left: too few for 2 hands and a full board"),
    ],
)
def test_a_question_without_an_answer_is_refused_and_says_why(
    hands: Sequence[str], options: dict[str, object], complaint: str
) -> None:
    with pytest.raises(TahurError) as error:
        equity(*hands, **options)  # type: ignore[arg-type]
    assert complaint in str(error.value)


def test_the_last_nine_cards_are_enough_for_two_hands_and_a_board() -> None:
    answer = equity("any", "any", dead=list(range(43)))
    assert answer.boards == comb(9, 2) * comb(7, 2)
    assert answer.players[0].equity == pytest.approx(0.5)


@pytest.mark.parametrize("nothing", ["none", "AA:0"])
def test_an_empty_range_is_refused_without_blaming_cards_that_are_not_there(nothing: str) -> None:
    with pytest.raises(EquityError) as error:
        equity(nothing, "KK")
    assert nothing in str(error.value)
    assert "already out" not in str(error.value)
