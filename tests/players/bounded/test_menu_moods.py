"""What moods do to a menu, and what it says."""

from __future__ import annotations

import pytest
from spots import DEFAULT, acts, made, rng, spot

from tahur.players.bounded.menu import layers_for, write_menu
from tahur.players.bounded.modes import Flags
from tahur.players.bounded.mood import CALM, Mood, MoodState, mood_from_text
from tahur.players.bounded.options import Label, Menu, Option, OptionKind, Style
from tahur.players.bounded.profiles import PROFILES
from tahur.players.bounded.shift import FRAMINGS, NUDGES, Category, category_of, frame, nudge, nudges_for, shift
from tahur.players.bounded.situation import Situation


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
    assert OptionKind.FOLD in acts(shifted(facing, "tilted:moderate")[1])
    for mood, situation, gone in (
        ("tilted", facing, OptionKind.FOLD),
        ("tilted", free, OptionKind.CHECK),
        ("overconfident", facing, OptionKind.FOLD),
    ):
        base, bold = shifted(situation, f"{mood}:extreme")
        assert gone in acts(base)
        assert gone not in acts(bold)
        assert len(bold.options) == len(base.options)
    base, bold = shifted(free, "overconfident:extreme")
    assert OptionKind.CHECK in acts(bold)


def test_who_is_shaken_loses_the_largest_raise_and_who_is_dissociated_all() -> None:
    base, shaken = shifted(spot(0.61), "shaken:extreme")
    assert shaken.options == base.options[:-1]
    base, absent = shifted(spot(0.61), "dissociated:extreme")
    assert acts(absent) == [OptionKind.FOLD, OptionKind.CALL]
    base, alone = shifted(spot(0.61, to_call=0), "dissociated:extreme")
    assert acts(alone) == [OptionKind.CHECK, OptionKind.RAISE]


def test_a_mood_never_leaves_nothing_but_bluffs() -> None:
    dead = spot(0.031, pot=64, to_call=1)
    _, tilted = shifted(dead, "tilted:extreme")
    assert acts(tilted) == [OptionKind.FOLD, OptionKind.RAISE, OptionKind.RAISE]


def test_a_mood_never_takes_the_last_but_one() -> None:
    shoved = spot(0.3, pot=400, to_call=300, stack=200)
    base, tilted = shifted(shoved, "tilted:extreme")
    assert acts(base) == acts(tilted) == [OptionKind.FOLD, OptionKind.CALL]


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
        (OptionKind.RAISE, Label.POSITIVE, Style.STANDARD, Category.RAISE_VALUE),
        (OptionKind.RAISE, Label.NEUTRAL, Style.STANDARD, Category.RAISE_PROBE),
        (OptionKind.RAISE, Label.MARGINAL, Style.AGGRESSIVE, Category.RAISE_BLUFF),
        (OptionKind.RAISE, Label.NEGATIVE, Style.AGGRESSIVE, Category.RAISE_BLUFF),
        (OptionKind.ALL_IN, Label.NEGATIVE, Style.AGGRESSIVE, Category.ALL_IN),
        (OptionKind.CALL, Label.POSITIVE, Style.STANDARD, Category.CALL_STRONG),
        (OptionKind.CALL, Label.MARGINAL, Style.STANDARD, Category.CALL_CLOSE),
        (OptionKind.CALL, Label.NEUTRAL, Style.STANDARD, Category.CALL_LIGHT),
        (OptionKind.CHECK, Label.MARGINAL, Style.TRAPPY, Category.CHECK_SLOW),
        (OptionKind.CHECK, Label.MARGINAL, Style.CONSERVATIVE, Category.CHECK_PASSIVE),
        (OptionKind.CHECK, Label.POSITIVE, Style.CONSERVATIVE, Category.CHECK_FREE),
        (OptionKind.FOLD, Label.NEUTRAL, Style.CONSERVATIVE, Category.FOLD_CORRECT),
        (OptionKind.FOLD, Label.NEGATIVE, Style.CONSERVATIVE, Category.FOLD_TOUGH),
    ],
)
def test_a_nudge_goes_by_action_label_and_style(
    act: OptionKind, label: Label, style: Style, category: Category
) -> None:
    chips = 100 if act in (OptionKind.RAISE, OptionKind.ALL_IN) else None
    assert category_of(Option(act=act, raise_to=chips, label=label, style=style, chip_ev=0.0, text="")) is category
