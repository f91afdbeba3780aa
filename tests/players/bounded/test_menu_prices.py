"""The rulings on prices, presets and sizes, one by one, with the numbers they give."""

from __future__ import annotations

import pytest
from spots import spot

from tahur.core.errors import CardError, SettingError, UnknownName
from tahur.players.bounded.profiles import PROFILES, profile_for, profile_named
from tahur.players.bounded.situation import Situation
from tahur.players.bounded.sizes import sizes_of


def test_a_short_stack_needs_only_what_it_can_win() -> None:
    short = spot(0.3, pot=1100, to_call=1000, stack=50)
    assert (short.pot, short.cost, short.required) == (150, 50, 0.25)


def test_a_check_requires_nothing() -> None:
    assert spot(0.3, to_call=0).required == 0


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ({"stack": 0}, SettingError),
        ({"pot": 50}, SettingError),
        ({"pot": 250, "committed": 200}, SettingError),
        ({"to_call": -1}, SettingError),
        ({"big_blind": 0}, SettingError),
        ({"seats": 1}, SettingError),
        ({"seats": 10}, SettingError),
        ({"board": "Qs7h"}, SettingError),
        ({"hand": "Ah"}, SettingError),
        ({"hand": "AhQs"}, CardError),
    ],
)
def test_a_situation_that_cannot_be_is_refused(said: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        spot(0.5, **said)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("looseness", "aggression", "name"),
    [
        (0.44, 0.5, "tight_aggressive"),
        (0.44, 0.49, "tight_passive"),
        (0.45, 0.9, "default"),
        (0.65, 0.1, "default"),
        (0.66, 0.49, "loose_passive"),
        (0.66, 0.5, "loose_aggressive"),
    ],
)
def test_looseness_and_aggression_pick_the_preset(looseness: float, aggression: float, name: str) -> None:
    found = profile_for(looseness, aggression)
    assert (found.name, found.looseness) == (name, looseness)


def test_the_presets_have_the_numbers_of_the_ruling() -> None:
    rows = {
        name: (p.fold_equity_multiplier, p.call_plus_ev, p.call_marginal, p.raise_plus_ev, p.raise_neutral, p.sizing)
        for name, p in PROFILES.items()
    }
    assert rows == {
        "default": (2.0, 1.7, 0.85, 0.60, 0.45, (0.33, 0.67, 1.0)),
        "tight_passive": (2.5, 2.0, 1.0, 0.65, 0.50, (0.25, 0.50, 0.75)),
        "tight_aggressive": (2.5, 2.0, 1.0, 0.55, 0.40, (0.33, 0.75, 1.2)),
        "loose_passive": (1.5, 1.4, 0.70, 0.65, 0.50, (0.25, 0.50, 0.75)),
        "loose_aggressive": (1.8, 1.5, 0.75, 0.55, 0.42, (0.33, 0.75, 1.5)),
    }
    later = {name: (*p.raise_lines(preflop=False), p.value_line(preflop=False)) for name, p in PROFILES.items()}
    assert later == {
        "default": (0.60, 0.45, 0.65),
        "tight_passive": (0.75, 0.60, 0.80),
        "tight_aggressive": (0.42, 0.25, 0.55),
        "loose_passive": (0.70, 0.55, 0.75),
        "loose_aggressive": (0.45, 0.30, 0.50),
    }
    rest = {
        name: (p.bluff_frequency, p.postflop_max_raise_options, p.check_penalty_threshold)
        for name, p in PROFILES.items()
    }
    assert rest == {
        "default": (0, None, None),
        "tight_passive": (0, 1, None),
        "tight_aggressive": (0, 2, 0.40),
        "loose_passive": (0, 1, None),
        "loose_aggressive": (0.15, 3, 0.35),
    }
    assert [p.shows_labels for p in PROFILES.values()] == [True, True, True, False, False]


def test_a_profile_of_another_name_is_refused() -> None:
    assert profile_named("Tight-Passive") is PROFILES["tight_passive"]
    with pytest.raises(UnknownName, match="loose_aggressive"):
        profile_named("rock")


def sizes(situation: Situation, profile: str = "default") -> list[int]:
    return [size.raise_to for size in sizes_of(situation, PROFILES[profile])]


def test_a_bet_is_a_share_of_the_pot() -> None:
    assert sizes(spot(0.5, to_call=0)) == [99, 201, 300]


def test_a_raise_is_a_share_of_the_pot_after_the_call_above_the_highest_bet() -> None:
    assert sizes(spot(0.5)) == [232, 368, 500]


def test_sizes_are_clamped_to_what_is_legal_and_merged() -> None:
    assert sizes(spot(0.5, stack=250)) == [232, 250]
    assert sizes(spot(0.5, stack=150)) == [150]
    assert sizes(spot(0.5, stack=100)) == []


def test_where_the_least_raise_swallows_two_sizes_it_starts_from_there() -> None:
    small_pot = spot(0.5, board="", pot=6, to_call=4, big_blind=4, stack=400, street_raises=0)
    assert sizes(small_pot) == [8, 11, 14]
    tiny = spot(0.5, pot=10, to_call=0, big_blind=20)
    assert sizes(tiny) == [20, 25, 30]


def test_at_limit_there_is_one_size_until_the_cap() -> None:
    assert sizes(spot(0.9, limit_bet=100)) == [200]
    assert sizes(spot(0.9, limit_bet=100, street_raises=4)) == []
