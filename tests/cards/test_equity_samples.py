"""Equity by samples: near the truth by the error it states, and the same for the same seed."""

from math import sqrt

import numpy as np
import pytest
from equity_questions import IP_B, NINE_PAIRS, OOP_B, Question, small_question

from tahur.cards.cards import parse_cards
from tahur.cards.equity import Equity, Method, equity
from tahur.cards.ranges import Range

OVERLAPPING = ("AA,KK:0.3,AKs:0.05", "AKs,AA:0.2,QJs:0.7", "KK,AKo:0.1")
WIDE = tuple(Range.from_vector(np.random.default_rng(seed).random(1326) ** 4) for seed in (1, 2))


def assert_samples_agree(question: Question, seed: int, samples: int) -> None:
    sampled, exact = question.ask(samples=samples, rng=np.random.default_rng(seed)), question.ask()
    assert (sampled.method, sampled.boards, exact.method) == (Method.SAMPLED, samples, Method.EXACT)
    for one, other in zip(sampled.players, exact.players, strict=True):
        assert abs(one.equity - other.equity) <= 5 * sampled.stderr + 1e-12
        for drawn, true in ((one.win, other.win), (one.tie, other.tie)):
            assert abs(drawn - true) <= 5 * sqrt(max(0.0, true * (1 - true)) / samples) + 5 / samples


@pytest.mark.parametrize("seed", range(40))
def test_samples_are_within_five_standard_errors_of_the_truth(seed: int) -> None:
    assert_samples_agree(small_question(500 + seed), seed, 100_000)


@pytest.mark.parametrize(
    "question",
    [
        Question(tuple(map(Range, OVERLAPPING))),
        Question(tuple(map(Range, OVERLAPPING)), parse_cards("Kd7s2h")),
        Question(WIDE, parse_cards("Td9d6h")),
        Question(WIDE, parse_cards("Td9d6hQc"), parse_cards("AsAhKc")),
        Question((Range("AsAh"), Range("any"))),
        Question((Range(OOP_B), Range(IP_B)), parse_cards("Td9d6d")),
        Question(tuple(map(Range, NINE_PAIRS))),
    ],
    ids=["overlap", "overlap on a flop", "wide", "wide with dead cards", "aces v any", "flop", "nine pairs"],
)
def test_two_million_samples_are_within_five_standard_errors_of_the_truth(question: Question) -> None:
    assert_samples_agree(question, 11, 2_000_000)


@pytest.mark.parametrize(
    ("hands", "board"),
    [
        (("AhKh", "QQ:0.3,JTs,72o:0.1"), ""),
        (OVERLAPPING, ""),
        (("AhKh", "QQ", "22"), "Qs7h2h"),
        (("22+:0.2,A2s+", "22+,A2o+:0.1"), "AsKsQsJs2d"),
    ],
)
def test_the_stated_error_is_the_spread_of_many_answers(hands: tuple[str, ...], board: str) -> None:
    answers = [equity(*hands, board=board, samples=2_000, rng=np.random.default_rng(seed)) for seed in range(200)]
    shares = np.array([[player.equity for player in answer.players] for answer in answers])
    stated = np.mean([answer.stderr for answer in answers])
    assert shares.std(axis=0, ddof=1).max() == pytest.approx(stated, rel=0.2)


def test_the_same_seed_gives_the_same_answer_and_another_another() -> None:
    def drawn(seed: int) -> Equity:
        return equity("QQ+,AK", "22+", "any", samples=5_000, rng=np.random.default_rng(seed))

    assert drawn(7) == drawn(7)
    assert len({drawn(seed).players[0].equity for seed in range(10)}) == 10
    assert equity("AA", "KK", samples=5_000) == equity("AA", "KK", samples=5_000)


def test_one_generator_gives_new_samples_every_time() -> None:
    rng = np.random.default_rng(7)
    assert equity("AA", "72o", samples=5_000, rng=rng) != equity("AA", "72o", samples=5_000, rng=rng)


@pytest.mark.parametrize("samples", [1, 255, 256, 257, 999, 1_000, 1_001, 1_257])
def test_exactly_so_many_samples_are_drawn_as_asked_for(samples: int) -> None:
    for hands in (("AhKh", "QdQc"), ("AhKh", "QQ", "any")):
        answer = equity(*hands, samples=samples)
        assert answer.boards == samples
        assert sum(player.equity for player in answer.players) == pytest.approx(1, abs=1e-12)
        for player in answer.players:
            assert player.win * samples == pytest.approx(round(player.win * samples), abs=1e-6)


@pytest.mark.parametrize("players", range(2, 10))
@pytest.mark.parametrize("samples", [1, 7, 1_000])
def test_samples_that_all_agree_have_no_error(players: int, samples: int) -> None:
    hands = [text.replace("s", "d").replace("AdAh", "2d2h") for text in NINE_PAIRS[:players]]
    answer = equity(*hands, board="AsKsQsJsTs", samples=samples)
    assert answer.stderr == pytest.approx(0, abs=1e-7)
    assert [player.equity for player in answer.players] == pytest.approx([1 / players] * players)


def test_a_question_too_long_for_an_exact_answer_is_sampled_and_says_so() -> None:
    answer = equity("any", "any", "any")
    assert (answer.method, answer.boards) == (Method.SAMPLED, 2_000_000)
    assert 0.0001 < answer.stderr < 0.001
    for player in answer.players:
        assert player.equity == pytest.approx(1 / 3, abs=5 * answer.stderr)
