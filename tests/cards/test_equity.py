"""Equity: known numbers, OMPEval's, the brute-force twin's; progress; the order of the 169 hands."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from math import prod

import numpy as np
import pytest
from equity_questions import (
    IP_B,
    NINE_PAIRS,
    OOP_B,
    Question,
    assert_same,
    by_brute_force,
    can_be_dealt,
    finish,
    random_question,
    rows_of,
    small_question,
)
from pokerfast.equity import equity as ompeval

from tahur.cards.cards import cards_of, cards_text, parse_cards
from tahur.cards.equity import Equity, Method, Share, ask, equity, equity_steps
from tahur.cards.ranges import Range
from tahur.cards.rankings import EQUITY_ORDER, class_names

# ---- known numbers -----------------------------------------------------------------------------------------------


def test_aces_against_kings_are_what_everybody_knows() -> None:
    answer = equity("AsAh", "KdKc")
    assert answer.method is Method.EXACT
    assert answer.boards == 1_712_304  # C(48, 5)
    assert answer.stderr is None
    assert [player.hand for player in answer.players] == ["AsAh", "KdKc"]
    assert answer.players[0].equity == pytest.approx(0.8125549, abs=5e-8)


@pytest.mark.parametrize(
    ("hands", "board", "first"),
    [
        (("AhKh", "QQ+,AKs,AKo,JTs,77,22"), "Qs7h2h", 0.5108405),
        (("AsAh", "any"), "", 0.8520371),
        (("AA", "any"), "", 0.8520371),
    ],
)
def test_a_hand_against_a_range_is_what_other_calculators_say(hands: tuple[str, ...], board: str, first: float) -> None:
    answer = equity(*hands, board=board)
    assert answer.method is Method.EXACT
    assert answer.players[0].equity == pytest.approx(first, abs=5e-8)


@pytest.mark.parametrize(
    ("board", "percent"), [("Td9d6hQc2s", 51.617), ("Td9d6hQc", 53.060), ("Td9d6h", 53.647), ("Td9d6d", 53.313)]
)
def test_two_wide_ranges_are_what_postflop_solver_says(board: str, percent: float) -> None:
    """The ranges and figures of the examples of b-inary/postflop-solver."""
    answer = equity(OOP_B, IP_B, board=board)
    assert answer.method is Method.EXACT
    assert 100 * answer.players[0].equity == pytest.approx(percent, abs=5e-4)


def test_a_full_house_beats_a_flush_where_no_symmetry_hides_it() -> None:
    """Once any flush beat a full house; aces against kings came out right all the same, the errors being equal."""
    assert equity("AhKh", "QdQc").players[0].equity == pytest.approx(ompeval(["AhKh", "QdQc"])[0], abs=1e-12)


def test_a_full_house_beats_a_flush_on_the_board() -> None:
    assert rows_of(equity("AhQh", "2s2c", board="2h7h9h7d")) == [(0.0, 0.0, 0.0), (1.0, 0.0, 1.0)]
    assert equity("AhQh", "7s2c", "Kh3h", board="2h7h9h7d2d").players[1] == Share("7s2c", 1.0, 0.0, 1.0)


@pytest.mark.parametrize("players", range(2, 10))
def test_a_royal_flush_on_the_board_is_shared_by_all(players: int) -> None:
    hands = [text.replace("s", "d").replace("AdAh", "2d2h") for text in NINE_PAIRS[:players]]
    for player in equity(*hands, board="AsKsQsJsTs").players:
        assert (player.win, player.tie, player.equity) == (0.0, 1.0, pytest.approx(1 / players, abs=1e-15))


# ---- OMPEval -----------------------------------------------------------------------------------------------------


def peer_question(seed: int, *, most_players: int, most_hands: int) -> Question:
    """Hands and ranges of full weight, before the flop only few: OMPEval goes through every board."""
    rng = np.random.default_rng(seed)
    while True:
        players, board = int(rng.integers(2, most_players + 1)), int(rng.choice([0, 3, 4, 5]))
        hands = 2 if board == 0 or players > 4 else most_hands if players == 2 else 6
        drawn = random_question(rng, players=players, board=board, hands=hands, dead=int(rng.choice([0, 0, 3, 8])))
        question = replace(drawn, hands=tuple(Range.from_vector(hand.vector > 0) for hand in drawn.hands))
        if prod(map(len, question.hands)) <= (30 if board == 0 else 20_000) and can_be_dealt(question):
            return question


def assert_ompeval_agrees(question: Question) -> None:
    texts = [",".join(cards_text(cards_of(combo)) for combo in hand.indices.tolist()) for hand in question.hands]
    expected = ompeval(texts, board=cards_text(question.board), dead=cards_text(question.dead))
    answer = question.ask()
    assert answer.method is Method.EXACT
    assert [player.equity for player in answer.players] == pytest.approx(expected, abs=1e-9), (texts, question)


@pytest.mark.parametrize("seed", range(150))
def test_ompeval_gives_a_random_question_the_same_answer(seed: int) -> None:
    assert_ompeval_agrees(peer_question(seed, most_players=4, most_hands=25))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1_000, 1_020))
def test_ompeval_gives_fifty_random_questions_the_same_answers(seed: int) -> None:
    for at in range(50):
        assert_ompeval_agrees(peer_question(100 * seed + at, most_players=6, most_hands=130))


@pytest.mark.slow
@pytest.mark.parametrize("hands", [("AsAh", "any"), ("7d2c", "any"), ("TT+", "A9s+", "KQs"), ("66+", "T2s+,T9o")])
def test_ompeval_gives_ranges_before_the_flop_the_same_answers(hands: tuple[str, ...]) -> None:
    expected = ompeval([hand.replace("any", "random") for hand in hands])
    assert [player.equity for player in equity(*hands).players] == pytest.approx(expected, abs=1e-9)


# ---- the brute-force twin, and the two ways against each other ----------------------------------------------------


@pytest.mark.parametrize("seed", range(80))
def test_brute_force_gives_a_random_question_the_same_wins_ties_and_shares(seed: int) -> None:
    question = small_question(seed)
    expected, count = by_brute_force(question)
    answer = question.ask()
    assert answer.method is Method.EXACT
    assert answer.boards == count
    assert_same(answer, expected)
    if len(question.hands) == 2:
        swept = question.by(ask._by_sweep)
        assert_same(swept, expected)
        assert swept.boards == count


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1_000, 1_040))
def test_brute_force_gives_longer_questions_the_same_wins_ties_and_shares(seed: int) -> None:
    for at in range(10):
        question = small_question(100 * seed + at, work=5_000_000)
        assert_same(question.ask(), by_brute_force(question)[0])


@pytest.mark.parametrize(
    ("hands", "board"),
    [
        (("AhKh", "QdQc"), "2h"),
        (("AhKh", "QdQc"), "2h7h"),
        (("AhKh:0.3,Th9h", "QdQc,AsAd:0.5"), "2h7h"),
        (("AhKh", "QdQc", "5h4h"), "2h"),
        (("AhKh:0.3,Th9h", "QdQc", "5h4h"), "2h7h"),
    ],
)
def test_brute_force_agrees_where_no_street_ends(hands: tuple[str, ...], board: str) -> None:
    """One or two board cards are no street of hold'em, but a fair question."""
    question = Question(tuple(map(Range, hands)), parse_cards(board), parse_cards("2s2d3s3d8s8c9s9cJsJcQsQhKsKc"))
    assert_same(question.ask(), by_brute_force(question)[0])
    if len(hands) == 2:
        assert_same(question.by(ask._by_sweep), by_brute_force(question)[0])


@pytest.mark.parametrize("seed", range(60))
def test_hand_by_hand_and_board_by_board_agree_on_two_ranges(seed: int) -> None:
    rng = np.random.default_rng(seed)
    board = int(rng.integers(0, 6))
    dead = [32, 28, 24, 8, 0, 0][board]
    question = random_question(rng, players=2, board=board, hands=60, dead=dead)
    while not can_be_dealt(question):
        question = random_question(rng, players=2, board=board, hands=60, dead=dead)
    by_hands, by_boards = question.by(ask._by_matchups), question.by(ask._by_sweep)
    assert_same(by_hands, rows_of(by_boards))
    assert by_hands.boards == by_boards.boards


def test_hand_by_hand_and_board_by_board_agree_on_ranges_that_share_every_hand() -> None:
    rng = np.random.default_rng(1)
    for board in ("Td9d6h", "Td9d6d", "TdTh6d", "Td9d6hQc", "Td9d6hQc2s"):
        hands = tuple(Range.from_vector(rng.random(1326) * (rng.random(1326) < 0.15)) for _ in range(2))
        question = Question(hands, parse_cards(board))
        assert_same(question.by(ask._by_matchups), rows_of(question.by(ask._by_sweep)))


# ---- progress ----------------------------------------------------------------------------------------------------


def exactly(way: Callable[..., object], *hands: str, board: str = "") -> Iterator[float]:
    return way(ask._ask(hands, parse_cards(board), ()))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("steps", "least"),
    [
        (lambda: equity_steps("AsAh", "KdKc"), 1),
        (lambda: equity_steps("any", "any", board="Td9d6h"), 49),
        (lambda: equity_steps("any", "any", board="Td9d6hQc2s"), 1),
        (lambda: equity_steps("AA", "KK", "any", samples=4_500_000), 4),
        (lambda: equity_steps("AA", "KK", samples=1), 1),
        (lambda: exactly(ask._by_matchups, "22+", "any"), 4),
        (lambda: exactly(ask._by_sweep, OOP_B, IP_B, board="Td9d6h"), 49),
    ],
    ids=["one matchup", "flop", "river", "samples", "one sample", "hand by hand", "board by board"],
)
def test_the_fractions_done_rise_to_one(steps: Callable[[], Iterator[float]], least: int) -> None:
    fractions, answer = finish(steps())
    assert isinstance(answer, Equity)
    assert len(fractions) >= least
    assert all(0 < done <= 1 for done in fractions)
    assert all(before <= after for before, after in pairwise(fractions))
    assert fractions[-1] == 1


# ---- the ranking of the 169 hands --------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_order_of_the_169_hands_is_that_of_their_equities_against_any_hand() -> None:
    shares = {name: equity(name, "any").players[0].equity for name in class_names()}
    assert sorted(shares, key=shares.__getitem__, reverse=True) == EQUITY_ORDER.split()
    assert len({round(share, 9) for share in shares.values()}) == 169
    assert f"{shares['AA']:.4f} {shares['32o']:.4f}" == "0.8520 0.3230"
