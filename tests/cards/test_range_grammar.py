"""What a text of a range means, and the ranking that percentages cut."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from range_examples import OOP_B, hands_of

from tahur.cards.cards import COMBOS, combo_of, parse_cards
from tahur.cards.ranges import Range
from tahur.cards.rankings import EQUITY_ORDER, class_names, combos_in_top


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("22+", "AA KK QQ JJ TT 99 88 77 66 55 44 33 22"),
        ("QQ+", "AA KK QQ"),
        ("AA", "AA"),
        ("JJ-88", "JJ TT 99 88"),
        ("88-JJ", "JJ TT 99 88"),
        ("A2s+", "AKs AQs AJs ATs A9s A8s A7s A6s A5s A4s A3s A2s"),
        ("96s+", "98s 97s 96s"),
        ("KJo+", "KQo KJo"),
        ("AKs+", "AKs"),
        ("T9s+", "AKs KQs QJs JTs T9s"),
        ("JTo+", "AKo KQo QJo JTo"),
        ("KQo", "KQo"),
        ("AK", "AKs AKo"),
        ("AQ+", "AKs AQs AKo AQo"),
        ("T9s-65s", "T9s 98s 87s 76s 65s"),
        ("65s-T9s", "T9s 98s 87s 76s 65s"),
        ("J9o-86o", "J9o T8o 97o 86o"),
        ("A5s-A2s", "A5s A4s A3s A2s"),
        ("A2s-A5s", "A5s A4s A3s A2s"),
        ("KQs-KQs", "KQs"),
        ("KAs", "AKs"),
        ("a10S+", "AKs AQs AJs ATs"),
        ("1010", "TT"),
        ("qq - jj ; aKo\n76S\t", "AKo QQ JJ 76s"),
        ("QQ–JJ", "QQ JJ"),
        ("none", ""),
        ("0%", ""),
        ("AA,none", "AA"),
    ],
)
def test_an_item_names_exactly_these_classes(text: str, expected: str) -> None:
    assert sorted(hands_of(text)) == sorted(expected.split())


def test_a_range_from_a_solver_names_its_202_combos() -> None:
    expected = """
        AA KK QQ JJ TT 99 88 77 66  AKs AQs AJs ATs A9s A8s A5s A4s  AKo AQo AJo  KQs KJs KTs K9s  KQo
        QJs QTs  JTs  98s 97s 96s  87s 86s 85s  76s 75s  65s  54s
    """
    assert sorted(hands_of(OOP_B)) == sorted(expected.split())
    assert Range(OOP_B).combos == 9 * 6 + 25 * 4 + 4 * 12 == 202


@pytest.mark.parametrize("text", ["AsKd", "KdAs", "A♠K♦", "A♠️K♦️", "aSkD", "AsKd:100%", "AsKd : 1"])
def test_a_single_combo_may_be_written_in_many_ways(text: str) -> None:
    assert Range(text) == Range.of_hand("AsKd") == Range.of_hand(parse_cards("KdAs"))
    assert Range(text).indices.tolist() == [combo_of(parse_cards("AsKd"))]


@pytest.mark.parametrize("text", ["any", "ANY", "any two", "Any  Two", "random", "*", "100%"])
def test_every_hand_has_many_names(text: str) -> None:
    assert Range(text).combos == COMBOS
    assert Range(text) == Range("22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32")


def test_a_later_item_overrides_an_earlier_one() -> None:
    assert Range("22+:0.5,AA").hands()["AA"] == 1.0
    assert Range("AA,22+:0.5").hands()["AA"] == 0.5
    assert Range("AA,22+:0.5,AA").hands()["AA"] == 1.0
    assert Range("AA,AsAh:0").combos == 5.0


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ("AA:0.5", 0.5),
        ("AA:50%", 0.5),
        ("AA:.5", 0.5),
        ("AA:1.", 1.0),
        ("AA:33.3%", 0.333),
        ("AA:1e-05", 1e-05),
    ],
)
def test_a_weight_is_a_number_or_a_percentage(text: str, weight: float) -> None:
    assert Range(text).hands() == {"AA": weight}


def test_weights_go_on_any_item() -> None:
    text = "any:0.1,15%:0.2,22+:0.3,AK:0.4,AsKd:0.5,T9s-65s:0.6,none:0.7"
    expected = {"72o": 0.1, "KJs": 0.2, "55": 0.3, "AKs": 0.4, "87s": 0.6}
    hands = Range(text).hands()
    assert {name: hands[name] for name in expected} == expected
    assert Range(text).vector[combo_of(parse_cards("AsKd"))] == 0.5


def test_the_ranking_holds_each_class_once() -> None:
    assert sorted(EQUITY_ORDER.split()) == sorted(class_names())


def test_a_percentage_takes_the_strongest_whole_classes() -> None:
    assert sorted(hands_of("15%")) == sorted(EQUITY_ORDER.split()[: len(hands_of("15%"))])
    assert hands_of("0.0001%") == ["AA"]


@given(st.floats(0, 1))
def test_a_percentage_cuts_where_the_count_is_nearest(fraction: float) -> None:
    sizes = {2: 6, "s": 4, "o": 12}
    totals = np.cumsum([sizes[2 if len(name) == 2 else name[2]] for name in EQUITY_ORDER.split()])
    nearest = np.abs(totals - fraction * COMBOS).min()
    count = combos_in_top(fraction)
    assert (count == 0) == (fraction * COMBOS == 0)
    assert count == 0 or (count in totals and abs(count - fraction * COMBOS) == nearest)
