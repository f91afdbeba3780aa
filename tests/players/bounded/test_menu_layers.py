"""The rulings on the layers of a menu, one by one, with the numbers they give."""

from __future__ import annotations

from dataclasses import replace

import pytest
from spots import DEFAULT, acts, made, rng, spot

from tahur.cards.cards import parse_cards
from tahur.players.bounded.generate import call_option, fold_option
from tahur.players.bounded.layers import (
    apply_blocking,
    gate_range,
    limit_raises,
    promote,
    range_width,
    temper_reraised,
    truncate,
)
from tahur.players.bounded.options import Blocked, Label, Menu, Option, OptionKind, Style
from tahur.players.bounded.position import strength_of
from tahur.players.bounded.profiles import PROFILES, CheckPromotion
from tahur.players.bounded.situation import Position


def test_outside_its_range_a_profile_sees_folding_as_right() -> None:
    rags = spot(0.4, hand="9h4c", board="", pot=30, to_call=20, big_blind=10, seats=6, position=Position.EARLY)
    tight = PROFILES["tight_aggressive"]
    menu = gate_range(made(rags, "tight_aggressive"), rags, rng(), profile=tight)
    assert [(option.act, option.label) for option in menu.options] == [
        (OptionKind.FOLD, Label.POSITIVE),
        (OptionKind.CALL, Label.NEGATIVE),
        (OptionKind.RAISE, Label.NEGATIVE),
    ]
    assert "15 % range from early position" in menu.options[0].text
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
    assert OptionKind.FOLD not in acts(menu)


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
    assert temper_reraised(made(close), close, rng()).of(OptionKind.CALL).label is Label.MARGINAL  # type: ignore[union-attr]
    fair = spot(0.3, street_raises=2)
    assert temper_reraised(made(fair), fair, rng()).of(OptionKind.CALL).label is Label.NEUTRAL  # type: ignore[union-attr]
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


def promoted(equity: float, way: CheckPromotion) -> list[OptionKind]:
    situation = spot(equity, to_call=0)
    menu = promote(made(situation), situation, rng(), profile=replace(DEFAULT, check_promotion=way))
    return [option.act for option in menu.options if option.label is Label.POSITIVE]


def test_what_is_promoted_goes_by_the_profile() -> None:
    assert promoted(0.39, CheckPromotion.DEFAULT) == []
    assert promoted(0.42, CheckPromotion.DEFAULT) == [OptionKind.CHECK]
    assert promoted(0.50, CheckPromotion.ALWAYS) == [OptionKind.CHECK]
    assert promoted(0.42, CheckPromotion.CONDITIONAL) == [OptionKind.CHECK]
    assert promoted(0.50, CheckPromotion.CONDITIONAL) == [OptionKind.RAISE]
    assert promoted(0.50, CheckPromotion.SUPPRESS_IF_RAISES) == [OptionKind.RAISE]
    assert promoted(0.42, CheckPromotion.SUPPRESS_IF_RAISES) == [OptionKind.CHECK]


def test_a_call_that_loses_chips_is_never_promoted() -> None:
    losing = spot(0.42, pot=110, to_call=100, stack=100)
    menu = promote(Menu((call_option(losing, DEFAULT),)), losing, rng(), profile=DEFAULT)
    assert menu.options[0].chip_ev < 0
    assert menu.options[0].label is Label.MARGINAL


def test_four_options_stay_the_best_of_each_kind_first() -> None:
    short = spot(0.5, stack=600, big_blind=100)
    assert len(made(short).options) == 6
    menu = truncate(made(short), short, rng(), profile=DEFAULT)
    assert acts(menu) == [OptionKind.FOLD, OptionKind.CALL, OptionKind.RAISE, OptionKind.ALL_IN]
    raises = [option for option in made(short).options if option.act is OptionKind.RAISE]
    assert menu.of(OptionKind.RAISE) == max(raises, key=lambda option: option.chip_ev)


def test_a_menu_of_one_is_filled_with_a_bluff_that_says_so() -> None:
    dead = spot(0.031, pot=64, to_call=1)
    menu = truncate(made(dead), dead, rng(), profile=DEFAULT)
    assert acts(menu) == [OptionKind.FOLD, OptionKind.RAISE]
    assert "bluff" in menu.options[1].text
    forced = spot(0.031, pot=64, to_call=1, stack=1)
    assert truncate(made(forced), forced, rng(), profile=DEFAULT).forced


def test_what_is_blocked_goes_whoever_put_it_there() -> None:
    cheap = spot(0.6, pot=300, to_call=10)
    base = made(cheap)
    assert [each.act for each in base.blocked] == [OptionKind.FOLD]
    smuggled = base.having((*base.options, fold_option(cheap)))
    assert acts(apply_blocking(smuggled, cheap, rng(), profile=DEFAULT)) == acts(base)


def test_nothing_but_bluffs_gets_its_way_out_back() -> None:
    weak = spot(0.1)
    bluff = Option(
        act=OptionKind.RAISE,
        raise_to=232,
        label=Label.NEGATIVE,
        style=Style.CONSERVATIVE,
        chip_ev=-1.0,
        text="A bluff.",
    )
    menu = apply_blocking(Menu((bluff,)), weak, rng(), profile=DEFAULT)
    assert acts(menu) == [OptionKind.FOLD, OptionKind.RAISE]
    dead = apply_blocking(Menu((bluff,), (Blocked(OptionKind.CALL, ""),)), weak, rng(), profile=DEFAULT)
    assert acts(dead) == [OptionKind.FOLD, OptionKind.RAISE]
