"""Sizes by name."""

from __future__ import annotations

import pytest

from tahur.core.errors import TahurError, UnknownName
from tahur.solvers.postflop.sizes import PRESETS
from tahur.solvers.postflop.spot import Spot, parse_spot, spot
from tahur.solvers.postflop.tree import Deed, build, nodes_of

CARDS = {"board": "Td9d6h", "oop": "AA,KTs", "ip": "TT,98s", "pot": 60, "stack": 570}


def preset_spot(name: str, **more: object) -> Spot:
    return spot(**CARDS, sizes=name, **more)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_what_it_says_it_stands_for(name: str) -> None:
    settings = PRESETS[name].settings
    assert preset_spot(name) == spot(**CARDS, **settings)
    assert parse_spot(preset_spot(name).text()) == preset_spot(name)
    assert PRESETS[name].about.endswith(".")


@pytest.mark.parametrize("name", PRESETS)
def test_with_every_preset_both_seats_bet_and_raise_on_every_street(name: str) -> None:
    nodes = list(nodes_of(build(preset_spot(name))))
    for street in range(3):
        for seat in (0, 1):
            deeds = {move.deed for node in nodes if (node.street, node.seat) == (street, seat) for move in node.moves}
            assert deeds >= {Deed.FOLD, Deed.CHECK, Deed.CALL}
            assert deeds & {Deed.BET, Deed.ALL_IN}
            assert deeds & {Deed.RAISE, Deed.ALL_IN}


def test_what_is_said_besides_overrides_a_preset() -> None:
    changed = preset_spot("standard", river="75% / a", raise_cap=5)
    assert changed == spot(**CARDS, **PRESETS["standard"].settings | {"river": "75% / a", "raise_cap": 5})
    assert changed != preset_spot("standard")


@pytest.mark.parametrize(
    ("sizes", "what"),
    [
        ("standrd", "no sizes 'standrd'; did you mean 'standard'? presets are simple, standard"),
        ("huge", "no sizes 'huge'; presets are simple, standard, polar, small-ball, geometric, or write sizes"),
    ],
)
def test_a_name_that_is_no_preset_is_told_which_there_are(sizes: str, what: str) -> None:
    with pytest.raises(UnknownName, match=what.replace("?", r"\?")):
        preset_spot(sizes)


def test_sizes_that_are_no_name_are_read_as_ever() -> None:
    assert preset_spot("a / a") == spot(**CARDS, flop="a / a", turn="a / a", river="a / a")
    assert preset_spot("e") == spot(**CARDS, flop="e", turn="e", river="e")
    with pytest.raises(TahurError, match="'50' is not a bet size"):
        preset_spot("50")
