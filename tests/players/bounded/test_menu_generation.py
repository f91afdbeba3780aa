"""The rulings on what a menu is made of: labels, what is blocked, bluffs and all-in."""

from __future__ import annotations

from dataclasses import replace

import pytest
from spots import DEFAULT, made, rng, spot

from tahur.players.bounded.blocking import blocked_of
from tahur.players.bounded.generate import call_option, check_option, fold_option, generate
from tahur.players.bounded.options import Label, Menu, OptionKind, Style
from tahur.players.bounded.profiles import PROFILES


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
        ({"equity": 0.51}, [OptionKind.FOLD]),  # twice the 25 % required
        ({"equity": 0.50}, []),
        ({"equity": 0.04}, [OptionKind.CALL]),
        ({"equity": 0.05}, []),
        ({"equity": 0.031, "pot": 64, "to_call": 1}, [OptionKind.CALL]),
        ({"equity": 0.75, "pot": 110, "to_call": 100}, [OptionKind.FOLD]),  # a monster heads-up
        ({"equity": 0.75, "pot": 110, "to_call": 100, "seats": 3}, []),
        ({"equity": 0.91, "pot": 110, "to_call": 100, "seats": 3}, [OptionKind.FOLD]),
        ({"equity": 0.26, "pot": 500, "committed": 201, "stack": 200}, [OptionKind.FOLD]),  # pot-committed
        ({"equity": 0.24, "pot": 500, "committed": 201, "stack": 200}, []),
        ({"equity": 0.26, "pot": 500, "committed": 200, "stack": 200}, []),
        ({"equity": 0.2, "pot": 64, "to_call": 1, "stack": 1}, []),  # else it would have to put its stack in
        ({"equity": 0.9, "to_call": 0}, []),
    ],
)
def test_what_is_blocked(said: dict[str, float], blocked: list[OptionKind]) -> None:
    tight = replace(DEFAULT, fold_equity_multiplier=2.0)
    assert [each.act for each in blocked_of(spot(**said), tight)] == blocked  # type: ignore[arg-type]


@pytest.mark.parametrize(("multiplier", "pot", "cost"), [(1.5, 7, 3), (1.8, 27, 9)])
def test_exactly_so_many_times_what_is_required_is_not_more_however_floats_round(
    multiplier: float, pot: int, cost: int
) -> None:
    profile = replace(DEFAULT, fold_equity_multiplier=multiplier)
    assert blocked_of(spot(0.45, pot=pot, to_call=cost), profile) == ()
    assert [each.act for each in blocked_of(spot(0.4501, pot=pot, to_call=cost), profile)] == [OptionKind.FOLD]


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
    assert made(spot(0.7, stack=2000, big_blind=100)).of(OptionKind.ALL_IN) is None
    assert made(spot(0.7, stack=1999, big_blind=100)).of(OptionKind.ALL_IN) is not None
    assert made(spot(0.7, stack=500)).of(OptionKind.ALL_IN) is not None
    assert made(spot(0.7, stack=501)).of(OptionKind.ALL_IN) is None


def test_all_in_is_aggressive_whatever_size_came_to_it() -> None:
    shove = made(spot(0.7, stack=150)).of(OptionKind.ALL_IN)
    assert shove is not None
    assert shove.style is Style.AGGRESSIVE


@pytest.mark.parametrize(
    ("equity", "to_call", "label"),
    [(0.65, 100, Label.POSITIVE), (0.64, 100, Label.NEUTRAL), (0.45, 100, Label.NEUTRAL), (0.45, 160, Label.POSITIVE)],
)
def test_all_in_has_lines_of_its_own(equity: float, to_call: int, label: Label) -> None:
    shove = made(spot(equity, to_call=to_call, stack=300)).of(OptionKind.ALL_IN)
    assert shove is not None
    assert shove.label is label
