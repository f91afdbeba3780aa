"""A hand told as PokerStars text, and as a story in steps."""

from __future__ import annotations

import datetime
from random import Random

import pytest
from holdem_play import random_hands_and_board
from phh_hands import (
    CHECKED_DOWN,
    DATA,
    SEATS,
    SOUND,
    hand,
    heads_up,
    last_table,
    random_record,
    required,
)

from tahur.cards.cards import parse_cards
from tahur.cards.evaluator import evaluate
from tahur.core.record import Record
from tahur.games.holdem.history import history_of
from tahur.games.holdem.phh import (
    Phh,
    Variant,
    read_phh,
)
from tahur.games.holdem.pokerstars import hand_phrase, pokerstars_text
from tahur.games.holdem.replay import replay
from tahur.games.holdem.rules import no_limit
from tahur.games.holdem.stakes import Limit
from tahur.games.holdem.story import StoryEventKind, story
from tahur.games.holdem.transcribe import phh_of

# PokerKit writes and keeps this field of the format, but warns of it.
pytestmark = pytest.mark.filterwarnings("ignore:The field 'time_zone_abbreviation'")

# ---- PokerStars ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["side_pots", "fractional", "heads_up", "mucked", "fixed_limit"])
def test_a_hand_reads_like_one_of_pokerstars(name: str) -> None:
    """To renew the texts: tahur hands export tests/data/phh/good/NAME.phh --to pokerstars; review the diff."""
    history = replay(read_phh((DATA / "good" / f"{name}.phh").read_text("utf-8")))
    when = datetime.datetime(2024, 2, 3, 4, 5, 6)
    assert pokerstars_text(history, when=when) == (DATA / "pokerstars" / f"{name}.txt").read_text("utf-8")


@pytest.mark.parametrize("dealt_in", SEATS)
def test_pokerkit_reads_our_pokerstars_text_and_ends_as_we_do(dealt_in: int) -> None:
    notation = pytest.importorskip("pokerkit.notation")
    for number in range(10):
        random = Random(f"{dealt_in} {number}")
        game = no_limit(stacks=[random.randint(20, 400) for _ in range(dealt_in)], blinds=[1, 2], button=dealt_in - 1)
        hands, _ = random_hands_and_board(random, game.stakes)
        last = last_table(game, random, hands)
        record = Record(
            game=game.name, settings=game.settings, hands=hands, actions=last.history, payoffs=game.payoffs(last, hands)
        )
        history = history_of(record)
        text = pokerstars_text(history, when=datetime.datetime(2024, 2, 3))
        (theirs,) = notation.HandHistory.from_pokerstars(text, error_status=True)
        assert theirs.starting_stacks == [game.stakes.stacks[seat] for seat in game.stakes.order]
        *_, end = theirs
        read_back = Phh(*required(phh_of(history)), tuple(end.stacks))
        assert replay(read_back).verdict() in SOUND, text


@pytest.mark.parametrize(
    ("cards", "phrase"),
    [
        ("AsKsQsJsTs", "a Royal Flush"),
        ("9s8s7s6s5s", "a straight flush, Five to Nine"),
        ("6c6d6h6s2c", "four of a kind, Sixes"),
        ("KcKdKh4s4c", "a full house, Kings full of Fours"),
        ("Ac9c7c4c2c", "a flush, Ace high"),
        ("5s4d3c2hAs", "a straight, Ace to Five"),
        ("AsKdQcJhTs", "a straight, Ten to Ace"),
        ("TcTdTh4s2c", "three of a kind, Tens"),
        ("QcQd2h2s3c", "two pair, Queens and Deuces"),
        ("8c8d2h4s3c", "a pair of Eights"),
        ("AcJd9h4s3c", "high card Ace"),
    ],
)
def test_hands_are_named_as_pokerstars_does(cards: str, phrase: str) -> None:
    assert hand_phrase(evaluate(parse_cards(cards))) == phrase


def test_names_are_made_fit_for_a_line() -> None:
    phh = hand(players=["Ann\nB:  x", "Twin", "Twin"])
    text = pokerstars_text(replay(phh))
    assert "Seat 1: Ann B: x (200 in chips)" in text
    assert "Seat 2: Twin (2) (200 in chips)" in text
    assert "Seat 3: Twin (3) (200 in chips)" in text
    assert "Seat 2: Player2 (200 in chips)" in pokerstars_text(replay(hand()))


# ---- the story -----------------------------------------------------------------------------------


@pytest.mark.parametrize("dealt_in", SEATS)
def test_the_chips_of_the_story_add_up(dealt_in: int) -> None:
    puts = (StoryEventKind.ANTE, StoryEventKind.SMALL_BLIND, StoryEventKind.BIG_BLIND, StoryEventKind.CALL)
    for number in range(40):
        history = history_of(random_record(Random(f"story {dealt_in} {number}"), dealt_in, limit=number % 3 == 0))
        moved = [0] * history.game.seats
        street = [0] * history.game.seats
        for event in story(history):
            if event.kind in puts:
                moved[event.seat] -= event.chips
                street[event.seat] += event.chips if event.kind is not StoryEventKind.ANTE else 0
            elif event.kind in (StoryEventKind.BET, StoryEventKind.RAISE):
                moved[event.seat] -= event.to - street[event.seat]
                street[event.seat] = event.to
            elif event.kind in (StoryEventKind.RETURN, StoryEventKind.COLLECT):
                moved[event.seat] += event.chips
            elif event.kind is StoryEventKind.BOARD:
                street = [0] * history.game.seats
        assert tuple(moved) == history.payoffs


def test_the_last_to_raise_shows_first() -> None:
    raised = heads_up(
        "d dh p1 AsKs", "d dh p2 7h5c", *CHECKED_DOWN[:-2], "p1 cc", "p2 cbr 4", "p1 cc", "p1 sm -", "p2 sm -"
    )
    assert [event.seat for event in story(raised) if event.kind is StoryEventKind.SHOW] == [1, 0]
    checked = heads_up("d dh p1 AsKs", "d dh p2 7h5c", *CHECKED_DOWN, "p1 sm -", "p2 sm -")
    assert [event.seat for event in story(checked) if event.kind is StoryEventKind.SHOW] == [0, 1]


def test_fixed_limit_is_read_with_its_two_bets() -> None:
    history = replay(read_phh((DATA / "good" / "fixed_limit.phh").read_text("utf-8")))
    assert history.game.stakes.structure == Limit(2, 4, (4, 4, 4, 4))
    assert phh_of(history).variant is Variant.FIXED_LIMIT
