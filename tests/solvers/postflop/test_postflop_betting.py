"""Sizes, spots and betting trees: what is written is read, and trees have the nodes that the peers' have."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from named_spots import SPOTS

from tahur.core.errors import SolverError, TahurError
from tahur.solvers.postflop import tree
from tahur.solvers.postflop.sizes import BetSize, BetSizes, Street, Unit, parse_bets, parse_sizes, parse_street
from tahur.solvers.postflop.spot import parse_spot, spot
from tahur.solvers.postflop.tree import Node, NodeKind, build, decisions, nodes_of, roundings

BASE = {"board": "Td9d6hQc2s", "oop": "22+", "ip": "AK", "pot": 100, "stack": 500}

numbers = st.integers(1, 5000).map(lambda n: n / 4)
measured = st.builds(BetSize, st.just(Unit.POT), numbers) | st.builds(BetSize, st.just(Unit.CHIPS), st.integers(1, 999))
others = st.just(BetSize(Unit.ALL_IN)) | st.builds(BetSize, st.just(Unit.GEOMETRIC), st.integers(0, 3), numbers)
bets = st.lists(measured | others, max_size=4).map(tuple)
raises = st.lists(measured | others | st.just(BetSize(Unit.TIMES, 2.5)), max_size=4).map(tuple)
streets = st.builds(Street, st.builds(BetSizes, bets, raises), st.builds(BetSizes, bets, raises))


@given(streets)
def test_sizes_are_read_back_as_they_were_written(street: Street) -> None:
    assert parse_street(str(street)) == street
    assert parse_sizes(str(street.oop)) == street.oop


@pytest.mark.parametrize("name", SPOTS)
def test_a_spot_is_read_back_as_it_was_written(name: str) -> None:
    assert parse_spot(SPOTS[name].text()) == SPOTS[name]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("33", "'33' is not a bet size"),
        ("2.5x", "only raises"),
        ("50%, ", "'' is not a bet size"),
        ("0%", "must be more than 0"),
        ("1.5c", "whole numbers"),
        ("50% / 1x", "more than 1x"),
        ("50% / a / a", "2 slashes"),
        ("oop: 50%", "oop: BETS / RAISES; ip"),
    ],
)
def test_sizes_that_make_no_sense_are_refused_with_a_reason(text: str, says: str) -> None:
    with pytest.raises(TahurError, match=says):
        parse_street(text)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"board": "TdTd6h"}, "appears twice"),
        ({"board": "Td9d"}, "3, 4 or 5"),
        ({"pot": 0}, "pot 0: chips"),
        ({"stack": 1.5}, "whole numbers"),
        ({"sices": "a"}, "unknown spot setting 'sices'"),
        ({"merge": -1.0}, "threshold merge"),
        ({"rake": 1.5}, "0 to 1"),
    ],
)
def test_spots_that_make_no_sense_are_refused_with_a_reason(change: dict[str, object], says: str) -> None:
    with pytest.raises(TahurError, match=says):
        spot(**{**BASE, **change})


@pytest.mark.parametrize(
    ("name", "count"), [("R1", 24), ("T0", 75), ("T1", 80), ("F0", 70), ("F1", 194), ("F2", 231), ("F3", 194)]
)
def test_named_trees_have_the_peers_number_of_decisions(name: str, count: int) -> None:
    assert decisions(build(SPOTS[name])) == count


def moves_at_root(**change: object) -> list[str]:
    return [str(move) for move in build(spot(**{**BASE, **change})).moves]


def after(node: Node, *line: str) -> Node:
    for word in line:
        node = node.children[[str(move) for move in node.moves].index(word)]
    return node


def test_sizes_become_chips() -> None:
    assert moves_at_root(sizes="33%,20c,e,a") == ["check", "bet20", "bet33", "all-in500"]
    assert moves_at_root(board="Td9d6h", sizes="3e") == ["check", "bet61"]  # 100 -> 222 -> 494 -> 1100
    assert moves_at_root(board="Td9d6h", sizes="3e50%") == ["check", "bet50"]


def test_thresholds_add_force_and_merge() -> None:
    assert moves_at_root(sizes="50%", add_all_in=5.0) == ["check", "bet50", "all-in500"]
    assert moves_at_root(sizes="50%", add_all_in=4.9) == ["check", "bet50"]
    assert moves_at_root(sizes="400%", force_all_in=0.12) == ["check", "all-in500"]
    assert moves_at_root(sizes="400%", force_all_in=0.11) == ["check", "bet400"]
    assert moves_at_root(sizes="50%,60%,100%", merge=0.1) == ["check", "bet60", "bet100"]


def test_a_raise_is_at_least_as_big_as_the_one_before() -> None:
    root = build(spot(**BASE, sizes="50% / 10c"))
    assert [str(move) for move in after(root, "bet50").moves] == ["fold", "call", "raise100"]
    assert [str(move) for move in after(root, "bet50", "raise100").moves] == ["fold", "call", "raise150"]


def test_a_raise_cap_ends_the_raising() -> None:
    root = build(spot(**BASE, sizes="50% / 10c", raise_cap=2))
    assert [str(move) for move in after(root, "bet50", "raise100").moves] == ["fold", "call"]


def test_donk_sizes_serve_only_the_caller_of_the_last_street() -> None:
    root = build(spot(**{**BASE, "board": "Td9d6hQc"}, sizes="50% / a", donk_river="25c"))
    donk = after(root, "check", "bet50", "call").children[0]
    stab = after(root, "check", "check").children[0]
    assert [str(move) for move in donk.moves] == ["check", "bet25"]
    assert [str(move) for move in stab.moves] == ["check", "bet50"]


@pytest.mark.parametrize("name", SPOTS)
def test_nobody_bets_more_than_the_stack_and_every_line_ends(name: str) -> None:
    for node in nodes_of(build(SPOTS[name])):
        assert 0 <= node.bet <= SPOTS[name].stack
        assert bool(node.children) == (node.kind in (NodeKind.DECISION, NodeKind.DEAL))


def test_no_bets_is_a_tree_too() -> None:
    assert parse_bets("-") == ()
    assert moves_at_root() == ["check"]


def test_betting_without_end_is_refused_with_what_makes_it_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MOST_DECISIONS", 100)
    few = spot(board="Td9d6h", oop="AA", ip="KK", pot=10, stack=2000, sizes="a / a")
    many = spot(board="Td9d6h", oop="AA", ip="KK", pot=10, stack=2000, sizes="50%,a / 2x")
    assert decisions(build(few)) <= 100
    with pytest.raises(SolverError, match=r"more than 100 decisions.*--raise-cap 3"):
        build(many)


# ---- big blinds and rounding -------------------------------------------------------------------------

HANDS = {"board": "Td9d6hQc2s", "oop": "AA,KTs", "ip": "TT,98s"}


def test_a_spot_in_big_blinds_is_the_same_in_chips_and_is_read_back() -> None:
    blinds = spot(**HANDS, pot="5.5bb", stack="97.5bb", sizes="33%,2.5bb / 1bb", rake=0.05, rake_cap="0.5bb")
    chips = spot(**HANDS, pot=550, stack=9750, sizes="33%,250c / 100c", rake=0.05, rake_cap=50)
    assert replace(blinds, big_blind=0) == chips
    assert parse_spot(blinds.text()) == blinds
    assert [move.to for move in build(blinds).moves] == [move.to for move in build(chips).moves]
    assert [str(move) for move in build(blinds).moves] == ["check", "bet1.82bb", "bet2.5bb"]
    assert spot(**HANDS, pot="5.555bb", stack="97bb").big_blind == 1000


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"pot": "5.5bb", "stack": 900}, "a stack of 900 chips and a pot of 5.5bb; write both in one unit"),
        ({"pot": "5.5", "stack": "900"}, "chips are whole numbers; big blinds are written 5.5bb"),
        (
            {"pot": 5.5, "stack": 900},
            "pot 5.5: chips must be whole numbers of at least 1; big blinds are written 5.5bb",
        ),
        ({"pot": 200, "stack": 900, "sizes": "2bb"}, "the size '2bb' is in big blinds and the pot in chips"),
        ({"pot": "lots", "stack": 900}, "write chips such as 200, or big blinds such as 5.5bb"),
    ],
)
def test_amounts_that_cannot_be_are_refused(said: dict[str, Any], says: str) -> None:
    with pytest.raises(TahurError, match=says):
        spot(**HANDS, **said)


def test_a_rounding_is_what_the_tree_bets_instead() -> None:
    asked = spot(**HANDS, pot=5, stack=100, sizes="33%,100% / 50%,2.5x")
    found = {str(each.size): each for each in roundings(asked)}
    root = build(asked)
    assert [move.to for move in root.moves[1:]] == [found["33%"].chips, found["100%"].chips] == [2, 5]
    assert (found["33%"].exact, found["33%"].off) == pytest.approx((1.65, 0.07))
    assert found["100%"].off == 0
    raises = root.children[1].moves[2:]  # over a bet of 2: half of 9, and 2.5 times the bet
    assert [move.to for move in raises] == [2 + found["2.5x"].chips, 2 + found["50%"].chips]
    assert found["50%"].off == pytest.approx(0.5 / 9)
    assert not list(roundings(spot(**HANDS, pot=5, stack=3, sizes="100%,a / a")))  # all-in is exact
