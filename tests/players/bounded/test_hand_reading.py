"""A hand in words, as a prompt says it."""

from __future__ import annotations

import pytest

from tahur.cards.cards import parse_cards
from tahur.players.bounded.reading import draw_words, made_words, percentile_of, reading_of
from tahur.players.bounded.situation import EquityEstimate, stated


@pytest.mark.parametrize(
    ("hand", "board", "made"),
    [
        ("AhQh", "Qs7d2h", "top pair, pair of queens"),
        ("Ah7h", "Qs7d2h", "middle pair, pair of sevens"),
        ("Ah2c", "Qs7d2h", "bottom pair, pair of deuces"),
        ("KhKd", "Qs9d2h", "overpair, pair of kings"),
        ("8h8d", "Qs9d2h", "pocket pair, pair of eights"),
        ("AsKd", "7s7d2h", "a pair on the board, pair of sevens"),
        ("QhQd", "Qs7d2h", "three of a kind, queens"),
        ("2c7d", "AsKsQsJsTs", "royal flush, all of it on the board"),
        ("Ah5d", "3s2d4h", "straight, five high"),
    ],
)
def test_what_is_made(hand: str, board: str, made: str) -> None:
    assert made_words(parse_cards(hand), parse_cards(board)) == made


@pytest.mark.parametrize(
    ("hand", "board", "draws"),
    [
        ("AhKh", "Qs7h2h", ("flush draw", "two overcards")),
        ("JhTd", "Qs9d2h", ("open-ended straight draw",)),
        ("5h4d", "3s2d9h", ("open-ended straight draw",)),  # an ace or a six
        ("8h6d", "Ts9d2hAc", ("gutshot straight draw",)),
        ("AcKd", "QsJs3h", ("gutshot straight draw", "two overcards")),
        ("Ac2d", "KsQsJhTd", ()),  # made already
        ("2c3d", "KsQsJh", ()),
        ("3c4d", "9sTsJhQd", ()),  # the board draws, the hand does not
        ("AhKh", "Qs7h2h3c4d", ()),  # nothing is to come
        ("AcQd", "7s4s2s", ("two overcards",)),
    ],
)
def test_what_it_draws_to(hand: str, board: str, draws: tuple[str, ...]) -> None:
    assert draw_words(parse_cards(hand), parse_cards(board)) == draws


def test_the_nuts_beat_or_tie_all_and_the_worst_hand_hardly_any() -> None:
    board = parse_cards("AsKsQs7d2c")
    assert percentile_of(parse_cards("JsTs"), board) == 1.0
    assert percentile_of(parse_cards("4h3h"), board) < 0.02


def test_before_the_flop_a_hand_has_the_name_that_players_give_it() -> None:
    hands = {"AhAd": "pocket aces", "6h6d": "pocket sixes", "KhAh": "ace-king suited", "9h4c": "nine-four offsuit"}
    for text, words in hands.items():
        situation = stated(hole=parse_cards(text), pot=3, to_call=2, stack=200, estimate=EquityEstimate(0.5))
        assert reading_of(situation).made == words
    assert reading_of(situation).text == "nine-four offsuit; beats 20% of hands"
