"""The guessing game, played by a script: what is dealt, what is said, and how it ends."""

import io
from collections.abc import Callable

import numpy as np
import pytest
from rich.console import Console

from tahur.cards.cards import cards_text
from tahur.cards.equity import equity
from tahur.cli.cards.tour import OPPONENTS, deal_spot, play, verdict

Play = Callable[..., str]


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Play:
    """Plays with these answers and gives back the screen; asking more often than there are answers is a failure."""

    def run(*answers: str | BaseException, rounds: int = 3, seed: int = 1) -> str:
        script = iter(answers)

        def answer(*_: object) -> str:
            given = next(script, None)
            assert given is not None, "asked once too often"
            if isinstance(given, BaseException):
                raise given
            return given

        monkeypatch.setattr("builtins.input", answer)
        screen = io.StringIO()
        play(Console(file=screen, width=120), rounds, seed)
        assert next(script, None) is None, "not every answer was asked for"
        return screen.getvalue()

    return run


# What is dealt.


def test_a_spot_is_five_different_cards_with_the_higher_hole_card_first() -> None:
    rng = np.random.default_rng(1)
    for _ in range(30):
        spot = deal_spot(rng)
        assert (len(spot.hand), len(spot.flop)) == (2, 3)
        assert len({*spot.hand, *spot.flop}) == 5
        assert spot.hand[0] > spot.hand[1]
        assert (spot.who, spot.range_text) in OPPONENTS


def test_the_truth_of_a_spot_is_the_exact_equity_in_percent() -> None:
    for seed in range(10):
        spot = deal_spot(np.random.default_rng(seed))
        answer = equity(cards_text(spot.hand), spot.range_text, board=spot.flop)
        assert answer.stderr is None
        assert spot.truth == pytest.approx(100 * answer.players[0].equity)
        assert 0 <= spot.truth <= 100


def test_the_same_seed_deals_the_same_spots() -> None:
    def dealt(seed: int) -> list[object]:
        rng = np.random.default_rng(seed)
        return [deal_spot(rng) for _ in range(3)]

    assert dealt(5) == dealt(5) != dealt(6)


def test_every_opponent_comes_up() -> None:
    rng = np.random.default_rng(2)
    assert {deal_spot(rng).who for _ in range(60)} == {who for who, _ in OPPONENTS}


# What is said.


@pytest.mark.parametrize(
    ("miss", "words"),
    [
        (0.0, "Off by 0.0: you have done this before"),
        (3.0, "Off by 3.0: you have done this before"),
        (3.1, "Off by 3.1: close"),
        (8.0, "Off by 8.0: close"),
        (8.1, "Off by 8.1: an expensive miss"),
        (100.0, "Off by 100.0: an expensive miss"),
    ],
)
def test_a_miss_is_judged_by_its_size(miss: float, words: str) -> None:
    assert words in verdict(miss)


def test_a_spot_is_shown_with_its_cards_its_opponent_and_at_last_its_truth(played: Play) -> None:
    spot = deal_spot(np.random.default_rng(1))
    screen = played("50", rounds=1)
    for part in (*(card.sign for card in (*spot.hand, *spot.flop)), spot.who, spot.range_text, f"{spot.truth:.1f} %"):
        assert part in screen
    assert screen.index(spot.range_text) < screen.index(f"{spot.truth:.1f} %")


@pytest.mark.parametrize("spelled", ["{:.6f}", " {:.6f} ", "{:.6f}%", "{:.6f} %"])
def test_a_perfect_guess_is_off_by_nothing(played: Play, spelled: str) -> None:
    truth = deal_spot(np.random.default_rng(1)).truth
    assert "Off by 0.0:" in played(spelled.format(truth), rounds=1)


def test_a_decimal_comma_is_a_decimal_point(played: Play) -> None:
    truth = deal_spot(np.random.default_rng(1)).truth
    assert "Off by 0.0:" in played(f"{truth:.6f}".replace(".", ","), rounds=1)


# How it goes on and ends.


@pytest.mark.parametrize("guess", ["abc", "", "-1", "101", "100.1", "nan", "inf", "1e3", "50 60", "%", "fifty"])
def test_a_guess_that_is_no_percentage_is_asked_for_again(played: Play, guess: str) -> None:
    screen = played(guess, "55", rounds=1)
    assert screen.count("is not a percentage") == 1
    assert screen.count("You hold") == 1
    assert "in 1 spot" in screen


@pytest.mark.parametrize("guess", ["[/]", "[bold]", "[/red]", "[link=x]"])
def test_a_guess_that_looks_like_markup_is_only_a_bad_guess(played: Play, guess: str) -> None:
    screen = played(guess, "55", rounds=1)
    assert f"'{guess}' is not a percentage" in screen
    assert "in 1 spot" in screen


def test_q_leaves_with_the_tally_of_what_was_played(played: Play) -> None:
    rng = np.random.default_rng(1)
    truths = [deal_spot(rng).truth for _ in range(2)]
    screen = played("50", "50", "q", rounds=5)
    off = (abs(50 - truths[0]) + abs(50 - truths[1])) / 2
    assert f"off by {off:.1f} points in 2 spots" in screen
    assert screen.count("You hold") == 3


@pytest.mark.parametrize("leave", ["q", "Q", " quit ", "exit", EOFError(), KeyboardInterrupt()])
def test_leaving_at_once_leaves_no_tally(played: Play, leave: str | BaseException) -> None:
    screen = played(leave)
    assert screen.count("You hold") == 1
    assert "On average" not in screen


@pytest.mark.parametrize("leave", [EOFError(), KeyboardInterrupt()])
def test_ctrl_d_and_ctrl_c_leave_with_the_tally(played: Play, leave: BaseException) -> None:
    assert "in 1 spot" in played("50", leave)


def test_all_rounds_are_asked_and_numbered(played: Play) -> None:
    screen = played("10", "20", "30", rounds=3)
    for number in (1, 2, 3):
        assert f"{number}/3 You hold" in screen
    assert "in 3 spots" in screen
