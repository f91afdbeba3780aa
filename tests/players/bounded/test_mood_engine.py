"""Moods: severities, zones, what events push, and which events a hand holds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tahur.cards.cards import combo_of, parse_cards
from tahur.core.errors import SettingError, UnknownName
from tahur.core.record import Record
from tahur.games.holdem.rules import no_limit
from tahur.games.holdem.table import CALL, FOLD
from tahur.players.bounded.mood import (
    CALM,
    PUSHES,
    Axes,
    Heart,
    Mood,
    MoodEvent,
    MoodState,
    Severity,
    after_hand,
    drift,
    events_of,
    mood_from_text,
    mood_of,
    pushed,
    roll_impairment,
)

HOME = Axes(0.6, 0.7, 0.6)


@pytest.mark.parametrize(
    ("intensity", "severity"),
    [
        (0, "NONE"),
        (0.01, "MILD"),
        (0.339, "MILD"),
        (0.34, "MODERATE"),
        (0.669, "MODERATE"),
        (0.67, "EXTREME"),
        (1, "EXTREME"),
    ],
)
def test_severity_goes_by_intensity(intensity: float, severity: str) -> None:
    assert Mood(MoodState.TILTED, intensity).severity is Severity[severity]
    assert Mood(MoodState.COMPOSED, intensity).severity is Severity.NONE


@pytest.mark.parametrize(
    ("axes", "mood"),
    [
        (Axes(0.6, 0.35, 0.6), CALM),
        (Axes(0.6, 0.0, 0.6), Mood(MoodState.TILTED, 1.0)),
        (Axes(0.9, 0.7, 0.6), CALM),
        (Axes(1.0, 0.7, 0.6), Mood(MoodState.OVERCONFIDENT, 1.0)),
        (Axes(0.175, 0.175, 0.6), Mood(MoodState.SHAKEN, 0.5)),
        (Axes(0.0, 1.0, 0.0), Mood(MoodState.DISSOCIATED, 1.0)),
        (Axes(0.0, 1.0, 0.5), CALM),  # not without low energy
        (Axes(0.0, 0.5, 0.0), CALM),  # nor with middling composure
        (Axes(1.0, 0.175, 0.6), Mood(MoodState.OVERCONFIDENT, 1.0)),  # of two edges the deeper
    ],
)
def test_the_zone_and_how_deep_the_axes_are_in_it_is_the_mood(axes: Axes, mood: Mood) -> None:
    found = mood_of(axes)
    assert found.state is mood.state
    assert found.intensity == pytest.approx(mood.intensity)


def test_axes_drift_home_and_resilience_feels_less_and_recovers_sooner() -> None:
    hurt = Axes(0.2, 0.2, 0.2)
    soft, hard = drift(hurt, HOME, 0.0), drift(hurt, HOME, 1.0)
    assert hurt.composure < soft.composure < hard.composure < HOME.composure
    blows = [HOME.composure - pushed(HOME, MoodEvent.BAD_BEAT, resilience).composure for resilience in (0.0, 0.5, 1.0)]
    assert blows == pytest.approx([0.22 * 1.25, 0.22 * 0.75, 0.22 * 0.25])


def test_every_event_pushes_something_and_says_why() -> None:
    assert set(PUSHES) == set(MoodEvent)
    assert all(push.why and (push.confidence or push.composure or push.energy) for push in PUSHES.values())


def test_axes_stay_between_nothing_and_all() -> None:
    axes = HOME
    for _ in range(50):
        axes = pushed(axes, MoodEvent.BAD_BEAT, 0.0)
    assert axes.composure == 0.0
    with pytest.raises(SettingError):
        Axes(1.1, 0, 0)


@pytest.mark.parametrize("text", ["angry", "tilted:very", "tilted:2", "tilted:"])
def test_a_mood_that_is_none_is_refused(text: str) -> None:
    with pytest.raises((UnknownName, SettingError)):
        mood_from_text(text)


def test_a_mood_is_read_as_it_is_written() -> None:
    assert mood_from_text("tilted:extreme").text == "tilted:extreme"
    assert mood_from_text("shaken:0.4") == Mood(MoodState.SHAKEN, 0.4)
    assert mood_from_text("composed") == CALM


@pytest.mark.parametrize(("severity", "share"), [("mild", 0.70), ("moderate", 0.85), ("extreme", 0.95), ("none", 0.0)])
def test_impairment_is_rolled_for_each_decision(severity: str, share: float) -> None:
    mood, rng = mood_from_text(f"tilted:{severity}"), np.random.default_rng(3)
    impaired = sum(roll_impairment(mood, rng)[1] for _ in range(10_000))
    assert abs(impaired / 10_000 - share) <= 3 * (share * (1 - share) / 10_000) ** 0.5


# ---- events ----------------------------------------------------------------------------------------------------------


def hand_of(text: str) -> int:
    return combo_of(parse_cards(text))


def seen_of(hands: list[str], actions: list[Any], seat: int = 0, stack: int = 200) -> tuple[Any, Any]:
    """A hand between two, the button first to act; cards among the actions are dealt."""
    game = no_limit(seats=2, stack=stack, carry=False)
    numbers: list[int] = []
    for action in actions:
        numbers += [int(card) for card in parse_cards(action)] if isinstance(action, str) else [action]
    combos = tuple(hand_of(hand) for hand in hands)
    table = game.start()
    for number in numbers:
        table = table.after(number)
    record = Record(
        game="nlhe",
        settings={},
        hands=combos,
        actions=tuple(numbers),
        payoffs=game.payoffs(table, combos),
        names=("Ana", "Bo"),
    )
    return game, record.seen_by(game, seat)


def events(*args: Any, **more: Any) -> list[MoodEvent]:
    return list(events_of(*seen_of(*args, **more)))


def test_aces_cracked_all_in_are_a_big_loss_and_a_bad_beat() -> None:
    actions = [201, CALL, "7d7c2s", "3h", "9s"]
    assert events(["AsAh", "7h6h"], actions) == [MoodEvent.LOST_BIG, MoodEvent.BAD_BEAT]
    assert events(["AsAh", "7h6h"], actions, seat=1) == [MoodEvent.WON_BIG]


def test_who_was_behind_when_the_chips_went_in_had_no_bad_beat() -> None:
    assert events(["7h6h", "AsAh"], [201, CALL, "KdQc2s", "3h", "9s"]) == [MoodEvent.LOST_BIG]


def test_a_bluff_that_everybody_believed() -> None:
    actions = [CALL, CALL, "KdQc2s", CALL, 5, FOLD]
    assert events(["5h4h", "AsJh"], actions, seat=0) == [MoodEvent.BLUFF_WORKED]
    assert events(["KhKc", "AsJh"], actions, seat=0) == []


def test_a_bluff_that_nobody_believed() -> None:
    actions = [CALL, CALL, "KdQc2s", CALL, CALL, "9s", CALL, CALL, "8s", CALL, 11, CALL]
    assert events(["5h4h", "AsKh"], actions, seat=0) == [MoodEvent.BLUFF_CAUGHT]
    assert events(["5h4h", "AsKh"], actions, seat=1) == []


def test_a_small_pot_touches_nobody() -> None:
    actions = [5, CALL, "KdQc2s", CALL, CALL, "9s", CALL, CALL, "8s", CALL, CALL]
    assert events(["AsKh", "5h4h"], actions) == events(["AsKh", "5h4h"], actions, seat=1) == []


def test_the_same_winner_twice_is_a_nemesis_and_cold_cards_wear_one_down() -> None:
    heart = Heart(HOME)
    game, seen = seen_of(["7h6c", "AsAh"], [201, CALL, "KdQc2s", "3h", "9s"])
    heart, first = after_hand(heart, game, seen, home=HOME, resilience=0.2)
    heart, second = after_hand(heart, game, seen, home=HOME, resilience=0.2)
    assert (first, second) == ((MoodEvent.LOST_BIG,), (MoodEvent.LOST_BIG, MoodEvent.NEMESIS))
    assert heart.losses == (("Bo", 2),)
    game, seen = seen_of(["7h2c", "AsAh"], [FOLD])
    found = []
    for _ in range(8):
        heart, touched = after_hand(heart, game, seen, home=HOME, resilience=0.2)
        found += touched
    assert found == [MoodEvent.COLD_CARDS]


def test_three_bad_beats_tilt_and_time_heals() -> None:
    game, seen = seen_of(["AsAh", "7h6h"], [201, CALL, "7d7c2s", "3h", "9s"])
    heart = Heart(HOME)
    for _ in range(3):
        heart, _ = after_hand(heart, game, seen, home=HOME, resilience=0.5)
    assert heart.mood.state in (MoodState.TILTED, MoodState.SHAKEN)
    game, seen = seen_of(["AsAh", "7h6h"], [FOLD])
    for _ in range(60):
        heart, _ = after_hand(heart, game, seen, home=HOME, resilience=0.5)
    assert heart.mood == CALM


def test_hands_that_were_not_shown_are_not_needed() -> None:
    game, seen = seen_of(["AsAh", "7h6h"], [CALL, CALL, "KdQc2s", CALL, 5, FOLD], seat=1)
    assert seen.hands[0] is None
    assert list(events_of(game, seen)) == []
