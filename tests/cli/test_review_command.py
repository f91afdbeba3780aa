"""`tahur review`: judging the hands of a file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from command import tahur
from tahur.cards.cards import combo_of, parse_cards
from tahur.core.game import Action
from tahur.games.holdem.history import settle
from tahur.games.holdem.phh import join_hands, write_phh
from tahur.games.holdem.rules import no_limit
from tahur.games.holdem.table import CALL, FOLD
from tahur.games.holdem.transcribe import phh_of


def hand_text(*actions: Action, cards: str, seats: int = 2) -> str:
    """A hand that ends before the flop, ten big blinds deep; Ann has the first seat."""
    table = no_limit(seats=seats, stack=1000, blinds=(50, 100)).start()
    for action in actions:
        table = table.after(action)
    hands = tuple([combo_of(parse_cards(hand)) for hand in (cards, "QcJh", "5c5d")[:seats]])
    history = settle(no_limit(seats=seats, stack=1000, blinds=(50, 100)), table, hands)
    return write_phh(phh_of(replace(history, names=("Ann", "Bob", "Cy")[:seats])))


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """Ann folds aces, pushes ace-four, limps and folds three-two, and plays a hand with three players."""
    path = tmp_path / "session.phhs"
    path.write_text(
        join_hands(
            [
                hand_text(FOLD, cards="AsAd"),
                hand_text(1001, FOLD, cards="Ah4c"),
                hand_text(CALL, 1001, FOLD, cards="3s2d"),
                hand_text(FOLD, FOLD, cards="KsKd", seats=3),
            ]
        )
    )
    return path


def test_a_review_names_the_worst_decision_and_what_was_not_judged(session: Path) -> None:
    result = tahur("review", str(session), "--hero", "Ann")
    assert result.returncode == 0, result.stderr
    assert "4 hands of Ann" in result.stdout
    assert "2 mistakes in 4 judged decisions" in result.stdout
    assert "not judged: 1 decision: only heads-up hands are judged; 3 players were dealt in" in result.stdout
    worst = result.stdout[result.stdout.index("the most expensive decisions") :]
    assert worst.index("hand 1, preflop: AsAd, fold; better:") < worst.index("hand 3, preflop: 3s2d")


def test_one_hand_is_shown_with_every_action_and_its_value(session: Path) -> None:
    result = tahur("review", str(session), "--hero", "Ann", "--hand", "1")
    assert "Ann with AsAd: won -0.50 bb" in result.stdout
    assert "blunder, cost " in result.stdout
    assert all(name in result.stdout for name in ("fold", "call 50", "raise to 250", "raise to 1000, all-in"))


def test_json_has_every_decision_and_the_sums(session: Path) -> None:
    result = tahur("review", str(session), "--hero", "Ann", "--json")
    review = json.loads(result.stdout)
    assert [hand["number"] for hand in review["hands"]] == [1, 2, 3, 4]
    lost = sum(decision["lost"] for hand in review["hands"] for decision in hand["decisions"])
    assert review["lost_bb"] == pytest.approx(lost / 100)
    assert review["mistakes"] == 2
    assert review["not_judged"] == {"only heads-up hands are judged; 3 players were dealt in": 1}


def test_without_a_hero_the_names_to_choose_from_are_given(session: Path) -> None:
    result = tahur("review", str(session))
    assert result.returncode == 2
    assert "give one of: Ann, Bob" in result.stderr


def test_a_player_who_is_not_there_and_a_hand_that_is_not_there_are_said_so(session: Path) -> None:
    assert "no hands of that player" in tahur("review", str(session), "--hero", "Zoe").stdout
    result = tahur("review", str(session), "--hero", "Ann", "--hand", "9")
    assert result.returncode == 2
    assert "there is no hand 9" in result.stderr


def test_a_hand_that_cannot_be_read_is_named_and_the_others_are_judged(session: Path) -> None:
    session.write_text(session.read_text().replace("'NT'", "'XX'", 1), "utf-8")
    result = tahur("review", str(session), "--hero", "Ann")
    assert result.returncode == 1
    assert "session.phhs, hand 1: " in result.stderr
    assert "3 hands of Ann" in result.stdout


def test_a_session_ends_with_the_command_that_reviews_it_where_hands_can_be_judged(
    tmp_path: Path,
) -> None:
    place = {"TAHUR_DATA": str(tmp_path), "COLUMNS": "300"}
    two = tahur("play", "nlhe", "--vs", "odds", "--hands", "1", typed="f\n", **place)
    command = two.stdout.split("Review your decisions with: tahur ")[1].split()
    review = tahur(*command)
    assert "1 hand of You" in review.stdout
    three = tahur("play", "nlhe", "--vs", "odds,odds", "--hands", "1", typed="f\nf\n", **place)
    assert "Review" not in three.stdout
