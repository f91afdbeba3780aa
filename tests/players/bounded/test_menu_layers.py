"""The rulings on menus, one by one, with the numbers they give."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tahur.cards.cards import parse_cards
from tahur.core.errors import CardError, SettingError, UnknownName
from tahur.players.bounded.blocking import blocked_of
from tahur.players.bounded.generate import call_option, check_option, fold_option, generate
from tahur.players.bounded.layers import (
    apply_blocking,
    gate_range,
    limit_raises,
    promote,
    range_width,
    temper_reraised,
    truncate,
)
from tahur.players.bounded.menu import layers_for, write_menu
from tahur.players.bounded.modes import Flags, mode_named, modes, modes_from_yaml
from tahur.players.bounded.mood import CALM, Mood, MoodState, mood_from_text
from tahur.players.bounded.options import Act, Blocked, Label, Menu, Option, Style
from tahur.players.bounded.phrases import FRAMINGS, NUDGES, Category, category_of, nudges_for
from tahur.players.bounded.profiles import PROFILES, CheckPromotion, profile_for, profile_named
from tahur.players.bounded.shift import frame, nudge, shift
from tahur.players.bounded.situation import Estimate, Position, Situation, stated
from tahur.players.bounded.sizes import sizes_of
from tahur.players.bounded.starting import strength_of

DEFAULT = PROFILES["default"]
RAISE = Option(Act.RAISE, 100, Label.NEUTRAL, Style.STANDARD, 0.0, "Raise.")


def spot(
    equity: float,
    *,
    hand: str = "AhKh",
    board: str = "Qs7h2h",
    pot: int = 300,
    to_call: int = 100,
    stack: int = 2000,
    **more: object,
) -> Situation:
    cards = {"hole": parse_cards(hand), "board": parse_cards(board)}
    return stated(**cards, pot=pot, to_call=to_call, stack=stack, estimate=Estimate(equity), **more)  # type: ignore[arg-type]


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def acts(menu: Menu) -> list[Act]:
    return [option.act for option in menu.options]


def made(situation: Situation, profile: str = "default") -> Menu:
    return generate(Menu(), situation, rng(), profile=PROFILES[profile])


# ---- the price -------------------------------------------------------------------------------------------------------


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


# ---- presets ---------------------------------------------------------------------------------------------------------


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


# ---- sizes -----------------------------------------------------------------------------------------------------------


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


# ---- generation ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("equity", "label"), [(0.21, Label.POSITIVE), (0.24, Label.NEUTRAL), (0.26, Label.NEGATIVE)])
def test_a_fold_is_as_good_as_the_call_is_bad(equity: float, label: Label) -> None:
    assert fold_option(spot(equity)).label is label


@pytest.mark.parametrize(
    ("equity", "label"),
    [(0.43, Label.POSITIVE), (0.42, Label.MARGINAL), (0.22, Label.MARGINAL), (0.21, Label.NEGATIVE)],
)
def test_a_call_has_three_zones(equity: float, label: Label) -> None:
    assert call_option(spot(equity), DEFAULT).label is label


def test_a_call_is_worth_its_part_of_the_pot_it_makes() -> None:
    assert call_option(spot(0.5), DEFAULT).chip_ev == 0.5 * 400 - 100


def test_a_strong_hand_that_checks_is_a_trap() -> None:
    trap = check_option(spot(0.7, to_call=0), DEFAULT)
    assert (trap.label, trap.style) == (Label.MARGINAL, Style.TRAPPY)
    meek = check_option(spot(0.45, to_call=0), PROFILES["tight_aggressive"])
    assert (meek.label, meek.style) == (Label.MARGINAL, Style.CONSERVATIVE)
    assert check_option(spot(0.45, to_call=0), DEFAULT).label is Label.NEUTRAL


@pytest.mark.parametrize(
    ("said", "blocked"),
    [
        ({"equity": 0.51}, [Act.FOLD]),  # twice the 25 % required
        ({"equity": 0.50}, []),
        ({"equity": 0.04}, [Act.CALL]),
        ({"equity": 0.05}, []),
        ({"equity": 0.031, "pot": 64, "to_call": 1}, [Act.CALL]),
        ({"equity": 0.75, "pot": 110, "to_call": 100}, [Act.FOLD]),  # a monster heads-up
        ({"equity": 0.75, "pot": 110, "to_call": 100, "seats": 3}, []),
        ({"equity": 0.91, "pot": 110, "to_call": 100, "seats": 3}, [Act.FOLD]),
        ({"equity": 0.26, "pot": 500, "committed": 201, "stack": 200}, [Act.FOLD]),  # pot-committed
        ({"equity": 0.24, "pot": 500, "committed": 201, "stack": 200}, []),
        ({"equity": 0.26, "pot": 500, "committed": 200, "stack": 200}, []),
        ({"equity": 0.2, "pot": 64, "to_call": 1, "stack": 1}, []),  # else it would have to put its stack in
        ({"equity": 0.9, "to_call": 0}, []),
    ],
)
def test_what_is_blocked(said: dict[str, float], blocked: list[Act]) -> None:
    tight = replace(DEFAULT, fold_equity_multiplier=2.0)
    assert [each.act for each in blocked_of(spot(**said), tight)] == blocked  # type: ignore[arg-type]


def test_only_a_profile_that_bluffs_makes_bluffs_and_one_at_most() -> None:
    weak = spot(0.2, to_call=0)
    assert not any(option.aggressive for option in made(weak).options)
    loose, dice = PROFILES["loose_aggressive"], rng()
    menus = [generate(Menu(), weak, dice, profile=loose) for _ in range(4000)]
    bluffs = [[option for option in menu.options if option.aggressive] for menu in menus]
    assert {len(each) for each in bluffs} == {0, 1}
    assert abs(sum(map(len, bluffs)) / 4000 - 0.15) < 3 * (0.15 * 0.85 / 4000) ** 0.5
    assert all("bluff" in each[0].text for each in bluffs if each)


def test_all_in_is_offered_to_the_short_or_where_it_is_the_largest_raise() -> None:
    assert made(spot(0.7, stack=2000, big_blind=100)).of(Act.ALL_IN) is None
    assert made(spot(0.7, stack=1999, big_blind=100)).of(Act.ALL_IN) is not None
    assert made(spot(0.7, stack=500)).of(Act.ALL_IN) is not None
    assert made(spot(0.7, stack=501)).of(Act.ALL_IN) is None


def test_all_in_is_aggressive_whatever_size_came_to_it() -> None:
    shove = made(spot(0.7, stack=150)).of(Act.ALL_IN)
    assert shove is not None
    assert shove.style is Style.AGGRESSIVE


@pytest.mark.parametrize(
    ("equity", "to_call", "label"),
    [(0.65, 100, Label.POSITIVE), (0.64, 100, Label.NEUTRAL), (0.45, 100, Label.NEUTRAL), (0.45, 160, Label.POSITIVE)],
)
def test_all_in_has_lines_of_its_own(equity: float, to_call: int, label: Label) -> None:
    shove = made(spot(equity, to_call=to_call, stack=300)).of(Act.ALL_IN)
    assert shove is not None
    assert shove.label is label


# ---- layers ----------------------------------------------------------------------------------------------------------


def test_outside_its_range_a_profile_sees_folding_as_right() -> None:
    rags = spot(0.4, hand="9h4c", board="", pot=30, to_call=20, big_blind=10, seats=6, position=Position.EARLY)
    tight = PROFILES["tight_aggressive"]
    menu = gate_range(made(rags, "tight_aggressive"), rags, rng(), profile=tight)
    assert [(option.act, option.label) for option in menu.options] == [
        (Act.FOLD, Label.POSITIVE),
        (Act.CALL, Label.NEGATIVE),
        (Act.RAISE, Label.NEGATIVE),
    ]
    assert "15%" in menu.options[0].text
    assert "bluff" in menu.options[2].text
    aces = replace(rags, hole=parse_cards("AhAc"))
    assert gate_range(made(aces), aces, rng(), profile=tight) == made(aces)


@pytest.mark.parametrize("change", [{"seats": 2}, {"board": parse_cards("Qs7h2h")}, {"cost": 0}])
def test_the_gate_is_for_the_first_street_of_a_full_table_facing_a_bet(change: dict[str, object]) -> None:
    rags = spot(0.3, hand="9h4c", board="", pot=30, to_call=20, big_blind=10, seats=6, position=Position.EARLY)
    other = replace(rags, **change)  # type: ignore[arg-type]
    assert gate_range(made(other), other, rng(), profile=PROFILES["tight_passive"]) == made(other)


def test_a_blocked_fold_stays_blocked_at_the_gate() -> None:
    cheap = spot(0.3, hand="9h4c", board="", pot=300, to_call=10, big_blind=10, seats=6)
    menu = gate_range(made(cheap), cheap, rng(), profile=PROFILES["tight_passive"])
    assert menu == made(cheap)
    assert Act.FOLD not in acts(menu)


def test_the_range_goes_by_position_and_never_below_five_percent() -> None:
    tight = replace(DEFAULT, looseness=0.18)
    widths = [round(range_width(tight, position), 3) for position in Position]
    assert widths == [0.05, 0.10, 0.18, 0.23, 0.13]
    assert strength_of(parse_cards("AsAh")) == 6 / 1326
    assert strength_of(parse_cards("3s2h")) == 1.0


def test_in_a_reraised_pot_raises_fall_a_notch_and_calls_rise_one() -> None:
    war = spot(0.46, street_raises=2)
    before, after = made(war), temper_reraised(made(war), war, rng())
    assert [option.label for option in before.options] == [Label.NEGATIVE, Label.POSITIVE, *[Label.NEUTRAL] * 3]
    assert [option.label for option in after.options] == [Label.NEGATIVE, Label.POSITIVE, *[Label.MARGINAL] * 3]
    close = spot(0.22, street_raises=2)  # marginal, and it loses chips: as high as it may stand
    assert temper_reraised(made(close), close, rng()).of(Act.CALL).label is Label.MARGINAL  # type: ignore[union-attr]
    fair = spot(0.3, street_raises=2)
    assert temper_reraised(made(fair), fair, rng()).of(Act.CALL).label is Label.NEUTRAL  # type: ignore[union-attr]
    calm = spot(0.46, street_raises=1)
    assert temper_reraised(made(calm), calm, rng()) == made(calm)


def test_after_the_flop_a_profile_thinks_of_so_many_sizes() -> None:
    strong = spot(0.9, to_call=0)
    for name, most in (("default", 3), ("tight_passive", 1), ("tight_aggressive", 2), ("loose_aggressive", 3)):
        menu = limit_raises(made(strong, name), strong, rng(), profile=PROFILES[name])
        assert sum(option.aggressive for option in menu.options) == most
    early = replace(strong, board=())
    menu = limit_raises(made(early, "tight_passive"), early, rng(), profile=PROFILES["tight_passive"])
    assert sum(option.aggressive for option in menu.options) == 3


def promoted(equity: float, way: CheckPromotion) -> list[Act]:
    situation = spot(equity, to_call=0)
    menu = promote(made(situation), situation, rng(), profile=replace(DEFAULT, check_promotion=way))
    return [option.act for option in menu.options if option.label is Label.POSITIVE]


def test_what_is_promoted_goes_by_the_profile() -> None:
    assert promoted(0.39, CheckPromotion.DEFAULT) == []
    assert promoted(0.42, CheckPromotion.DEFAULT) == [Act.CHECK]
    assert promoted(0.50, CheckPromotion.ALWAYS) == [Act.CHECK]
    assert promoted(0.42, CheckPromotion.CONDITIONAL) == [Act.CHECK]
    assert promoted(0.50, CheckPromotion.CONDITIONAL) == [Act.RAISE]
    assert promoted(0.50, CheckPromotion.SUPPRESS_IF_RAISES) == [Act.RAISE]
    assert promoted(0.42, CheckPromotion.SUPPRESS_IF_RAISES) == [Act.CHECK]


def test_a_call_that_loses_chips_is_never_promoted() -> None:
    losing = spot(0.42, pot=110, to_call=100, stack=100)
    menu = promote(Menu((call_option(losing, DEFAULT),)), losing, rng(), profile=DEFAULT)
    assert menu.options[0].chip_ev < 0
    assert menu.options[0].label is Label.MARGINAL


def test_four_options_stay_the_best_of_each_kind_first() -> None:
    short = spot(0.5, stack=600, big_blind=100)
    assert len(made(short).options) == 6
    menu = truncate(made(short), short, rng(), profile=DEFAULT)
    assert acts(menu) == [Act.FOLD, Act.CALL, Act.RAISE, Act.ALL_IN]
    raises = [option for option in made(short).options if option.act is Act.RAISE]
    assert menu.of(Act.RAISE) == max(raises, key=lambda option: option.chip_ev)


def test_a_menu_of_one_is_filled_with_a_bluff_that_says_so() -> None:
    dead = spot(0.031, pot=64, to_call=1)
    menu = truncate(made(dead), dead, rng(), profile=DEFAULT)
    assert acts(menu) == [Act.FOLD, Act.RAISE]
    assert "bluff" in menu.options[1].text
    forced = spot(0.031, pot=64, to_call=1, stack=1)
    assert truncate(made(forced), forced, rng(), profile=DEFAULT).forced


def test_what_is_blocked_goes_whoever_put_it_there() -> None:
    cheap = spot(0.6, pot=300, to_call=10)
    base = made(cheap)
    assert [each.act for each in base.blocked] == [Act.FOLD]
    smuggled = base.having((*base.options, fold_option(cheap)))
    assert acts(apply_blocking(smuggled, cheap, rng(), profile=DEFAULT)) == acts(base)


def test_nothing_but_bluffs_gets_its_way_out_back() -> None:
    weak = spot(0.1)
    bluff = Option(Act.RAISE, 232, Label.NEGATIVE, Style.CONSERVATIVE, -1.0, "A bluff.")
    menu = apply_blocking(Menu((bluff,)), weak, rng(), profile=DEFAULT)
    assert acts(menu) == [Act.FOLD, Act.RAISE]
    dead = apply_blocking(Menu((bluff,), (Blocked(Act.CALL, ""),)), weak, rng(), profile=DEFAULT)
    assert acts(dead) == [Act.FOLD, Act.RAISE]


# ---- moods -----------------------------------------------------------------------------------------------------------


def shifted(situation: Situation, mood: str, profile: str = "tight_aggressive") -> tuple[Menu, Menu]:
    base = write_menu(situation, PROFILES[profile], flags=Flags(composed_nudges=False), rng=rng()).menu
    return base, shift(base, situation, rng(), profile=PROFILES[profile], mood=mood_from_text(mood))


@pytest.mark.parametrize("mood", ["tilted", "overconfident"])
def test_a_bold_mood_adds_the_next_larger_size(mood: str) -> None:
    base, bold = shifted(spot(0.61), f"{mood}:mild")
    assert bold.options[:-1] == base.options
    assert [option.raise_to for option in bold.options] == [None, None, 400, 580, 820]


@pytest.mark.parametrize(
    ("stack", "added"),
    [
        (1300, 1300),  # 820 is more than 60 % of it
        (1500, 820),
        (150, None),  # all-in stands there already
    ],
)
def test_all_in_is_added_only_where_the_next_size_is_as_good(stack: int, added: int | None) -> None:
    base, bold = shifted(spot(0.61, stack=stack), "tilted:mild")
    new = [option.raise_to for option in bold.options if option not in base.options]
    assert new == ([added] if added else [])


def test_at_a_low_stack_to_pot_ratio_all_in_is_the_next_size() -> None:
    base, bold = shifted(spot(0.3, pot=1000, to_call=0, stack=1000), "tilted:mild", "default")
    assert [option.raise_to for option in bold.options if option not in base.options] == [1000]


def test_extreme_moods_take_one_from_the_other_end() -> None:
    facing, free = spot(0.61), spot(0.61, to_call=0)
    assert Act.FOLD in acts(shifted(facing, "tilted:moderate")[1])
    for mood, situation, gone in (
        ("tilted", facing, Act.FOLD),
        ("tilted", free, Act.CHECK),
        ("overconfident", facing, Act.FOLD),
    ):
        base, bold = shifted(situation, f"{mood}:extreme")
        assert gone in acts(base)
        assert gone not in acts(bold)
        assert len(bold.options) == len(base.options)
    base, bold = shifted(free, "overconfident:extreme")
    assert Act.CHECK in acts(bold)


def test_who_is_shaken_loses_the_largest_raise_and_who_is_dissociated_all() -> None:
    base, shaken = shifted(spot(0.61), "shaken:extreme")
    assert shaken.options == base.options[:-1]
    base, absent = shifted(spot(0.61), "dissociated:extreme")
    assert acts(absent) == [Act.FOLD, Act.CALL]
    base, alone = shifted(spot(0.61, to_call=0), "dissociated:extreme")
    assert acts(alone) == [Act.CHECK, Act.RAISE]


def test_a_mood_never_leaves_nothing_but_bluffs() -> None:
    dead = spot(0.031, pot=64, to_call=1)
    _, tilted = shifted(dead, "tilted:extreme")
    assert acts(tilted) == [Act.FOLD, Act.RAISE, Act.RAISE]


def test_a_mood_never_takes_the_last_but_one() -> None:
    shoved = spot(0.3, pot=400, to_call=300, stack=200)
    base, tilted = shifted(shoved, "tilted:extreme")
    assert acts(base) == acts(tilted) == [Act.FOLD, Act.CALL]


def test_a_mood_speaks_from_moderate_on_and_dissociation_says_the_bare_act() -> None:
    situation = spot(0.61)
    menu = nudge(made(situation), situation, rng(), profile=DEFAULT)
    assert frame(menu, situation, rng(), mood=mood_from_text("tilted:mild")) == menu
    tilted = frame(menu, situation, rng(), mood=mood_from_text("tilted:moderate"))
    phrases = [phrase for pool in FRAMINGS[MoodState.TILTED].values() for phrase in pool]
    assert all(any(phrase in option.text for phrase in phrases) for option in tilted.options)
    bare = frame(menu, situation, rng(), mood=mood_from_text("dissociated:moderate"))
    assert [option.text for option in bare.options][:2] == ["Call 100.", "Raise to 232."]


def test_a_lucid_moment_leaves_the_mood_out() -> None:
    names = [name for name, _ in layers_for(DEFAULT, CALM, Flags())]
    assert "mood shift" not in names
    moody = [name for name, _ in layers_for(DEFAULT, Mood(MoodState.TILTED, 0.9), Flags(shuffle_options=True))]
    assert moody == [
        "generate", "re-raised pots", "range gate", "postflop raise limit", "promotion", "truncation", "nudges",
        "mood shift", "framing", "blocking", "order",
    ]  # fmt: skip


def test_the_same_dice_write_the_same_menu() -> None:
    mood = mood_from_text("tilted:extreme")
    menus = [write_menu(spot(0.3), PROFILES["loose_aggressive"], mood, rng=rng()) for _ in range(2)]
    assert menus[0] == menus[1]


# ---- words -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("category", Category)
def test_every_profile_has_two_phrases_or_more_for_every_category(profile: str, category: Category) -> None:
    pool = NUDGES[profile][category]
    assert len(set(pool)) == len(pool) >= 2
    others = [phrase for name in PROFILES if name != profile for phrase in NUDGES[name][category]]
    assert not set(pool) & set(others)


def test_a_profile_of_ones_own_speaks_as_the_default() -> None:
    assert nudges_for("mine", Category.ALL_IN) == NUDGES["default"][Category.ALL_IN]


@pytest.mark.parametrize(
    ("act", "label", "style", "category"),
    [
        (Act.RAISE, Label.POSITIVE, Style.STANDARD, Category.RAISE_VALUE),
        (Act.RAISE, Label.NEUTRAL, Style.STANDARD, Category.RAISE_PROBE),
        (Act.RAISE, Label.MARGINAL, Style.AGGRESSIVE, Category.RAISE_BLUFF),
        (Act.RAISE, Label.NEGATIVE, Style.AGGRESSIVE, Category.RAISE_BLUFF),
        (Act.ALL_IN, Label.NEGATIVE, Style.AGGRESSIVE, Category.ALL_IN),
        (Act.CALL, Label.POSITIVE, Style.STANDARD, Category.CALL_STRONG),
        (Act.CALL, Label.MARGINAL, Style.STANDARD, Category.CALL_CLOSE),
        (Act.CALL, Label.NEUTRAL, Style.STANDARD, Category.CALL_LIGHT),
        (Act.CHECK, Label.MARGINAL, Style.TRAPPY, Category.CHECK_SLOW),
        (Act.CHECK, Label.MARGINAL, Style.CONSERVATIVE, Category.CHECK_PASSIVE),
        (Act.CHECK, Label.POSITIVE, Style.CONSERVATIVE, Category.CHECK_FREE),
        (Act.FOLD, Label.NEUTRAL, Style.CONSERVATIVE, Category.FOLD_CORRECT),
        (Act.FOLD, Label.NEGATIVE, Style.CONSERVATIVE, Category.FOLD_TOUGH),
    ],
)
def test_a_nudge_goes_by_action_label_and_style(act: Act, label: Label, style: Style, category: Category) -> None:
    chips = 100 if act in (Act.RAISE, Act.ALL_IN) else None
    assert category_of(Option(act, chips, label, style, 0.0, "")) is category


# ---- modes -----------------------------------------------------------------------------------------------------------


def test_the_modes_differ_in_one_switch_or_more() -> None:
    assert mode_named("standard").flags == Flags()
    assert len({mode.flags for mode in modes().values()}) == len(modes())
    assert not any(mode.flags.shuffle_options for name, mode in modes().items() if name != "shuffled")


@pytest.mark.parametrize("text", ["", "a: [", "a: 1", "a: {summary: x}", "- a"])
def test_modes_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(SettingError):
        modes_from_yaml(text, "mine.yaml")


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(UnknownName, match="standard"):
        mode_named("turbo")
