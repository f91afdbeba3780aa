"""What bots thought is told in sentences: every bot that thinks aloud, and lines that nobody knows."""

from __future__ import annotations

import numpy as np
import pytest
from desk import Desk, settings

from tahur.room.history import plain, thoughts

HOLDEM = (
    "[Barber] 27% equity, 18% needed | mood tilted:extreme (confidence 0.55, composure 0.15, energy 0.70; roll 0.05, "
    "in its grip) | plan turn: Get out of the way. | menu 1 call +EV, 2 raise to 7 -EV | blocked fold: 27% equity is "
    "more than 1.5 x the 17.6% required | chose 1 by softmax (1 97%, 2 3%)"
)
DICE = (
    "[Shark] | Bid: 9x3 by Person 0 | Dudo utility: 6.6 (p=0.96) | Calza utility: -6.8 (p=0.03) | "
    "Best bid: 9x5 utility: 1.7 (p=0.04, value) | Chose: DUDO"
)


def test_a_personas_figures_are_said_in_sentences() -> None:
    assert plain(HOLDEM) == (
        "It expected 27 % of the pot with its hand; a call needed 18 %. It was tilted (extreme), and it showed. "
        "Its plan: get out of the way. Its options: call (good) and raise to 7 (bad). "
        "It ruled out folding: 27% equity is more than 1.5 x the 17.6% required. It chooses this 97 % of the time."
    )


def test_a_minds_figures_are_said_in_sentences() -> None:
    assert plain(DICE) == (
        "It held the bid of Person 0, 9 threes, for true with 4 %, exactly met with 3 %. "
        "The best bid it had, 9 fives, it held for true with 4 %. So it said dudo."
    )


def test_what_a_model_said_and_that_it_said_nothing_is_told() -> None:
    asked = HOLDEM.partition(" | chose ")[0]
    assert plain(f"{asked} | chose 1 by model (He is bluffing.)").endswith("The language model chose: He is bluffing.")
    assert "gave no answer" in plain(f"{asked} | chose 1 by fallback (timeout)")


def test_a_line_of_another_form_is_told_as_it_is() -> None:
    assert plain("[Own] I felt like it") == "I felt like it"
    assert plain("(this mind failed to answer)") == "(this mind failed to answer)"


@pytest.mark.parametrize(
    ("game", "minds"),
    [
        ("nlhe", [None, "persona:duelist", "persona:barber"]),
        ("perudo", [None, "persona:shark", "persona:chaos", "odds"]),
    ],
)
def test_no_figures_of_the_record_are_left_in_the_sentences(game: str, minds: list[str | None]) -> None:
    desk, rng = Desk(settings(game, len(minds)), minds), np.random.default_rng(3)
    told = []
    for _ in range(6):
        desk.random_hand(rng)
        told += thoughts(desk.state.ended[-1]).thoughts
    assert len(told) > 10
    for line in told:
        assert line.thought
        assert not any(sign in line.words for sign in ("|", "utility", "p=", "EV", "softmax", "roll")), line.words
