"""What you type at the table becomes the action you meant, or an error that costs nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tahur.cli.play.holdem import pot_raise, presets, read_action
from tahur.cli.play.perudo import read_bid
from tahur.core.errors import IllegalAction
from tahur.games.holdem.table import CALL, FOLD, HoldemTable
from tahur.games.perudo.bids import bid
from tahur.games.perudo.table import PerudoTable
from tahur.games.registry import make


def no_limit(*actions: int, **settings: object) -> HoldemTable:
    table = make("nlhe", {"seats": 2, "stack": 200, **settings}).start()
    for action in actions:
        table = table.after(action)
    return table


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("f", FOLD),
        ("fold", FOLD),
        ("c", CALL),
        ("CALL", CALL),
        ("m", 4 + 1),
        ("2.5bb", 5 + 1),
        ("120", 120 + 1),
        ("raise to 120", 120 + 1),
        ("r 120", 120 + 1),
        ("1,2,0", 120 + 1),
        ("100%", 6 + 1),  # blinds 1 and 2: a call makes the pot 4, so the pot raise is to 2 + 4
        ("50%", 4 + 1),
        ("p", 6 + 1),
        ("a", 200 + 1),
        ("all-in", 200 + 1),
    ],
)
def test_the_small_blind_types_a_size_and_means_it(line: str, action: int) -> None:
    assert read_action(no_limit(), line) == action


def test_a_pot_raise_rounds_half_up() -> None:
    table = no_limit(5 + 1)  # raise to 5: the pot is 7, calling 3 makes it 10
    assert pot_raise(table, Fraction(25, 100)) == 5 + 3  # 2.5 chips more
    assert pot_raise(table, Fraction(24, 100)) == 5 + 2


@pytest.mark.parametrize(
    "line", ["", "foo", "3", "201", "-5", "1e999", "nan", "inf", "1/2", "٣٤", "99999999999999999999", "%", "bb"]
)
def test_what_is_no_legal_size_is_refused_with_what_would_be(line: str) -> None:
    with pytest.raises(IllegalAction, match=r"not understood|not allowed; valid: from 4 to 200"):
        read_action(no_limit(), line)


def test_asking_to_raise_where_nobody_may_says_so() -> None:
    table = no_limit(200 + 1)  # all-in: the other can call or fold
    assert presets(table) == {}
    for line in ("a", "p", "raise", "120"):
        with pytest.raises(IllegalAction, match="cannot raise here: call or fold"):
            read_action(table, line)


def test_presets_are_legal_and_never_offer_the_same_chips_twice() -> None:
    for stack in range(2, 60):
        table = no_limit(stack=stack)
        while table.turn >= 0:
            sizes = list(presets(table).values())
            assert len(set(sizes)) == len(sizes)
            assert all(chips in table.raises for chips in sizes)
            assert bool(sizes) == bool(table.raises)
            table = table.after(sizes[0] + 1 if sizes else CALL)


@given(st.text(max_size=20))
def test_any_line_gives_a_legal_action_or_illegal_action(line: str) -> None:
    table = no_limit()
    try:
        action = read_action(table, line)
    except IllegalAction:
        return
    assert action in table.actions()


def round_of(*actions: int) -> PerudoTable:
    table = make("perudo", {"seats": 2}).start()
    for action in actions:
        table = table.after(action)
    return table


@pytest.mark.parametrize("line", ["3 5", "3x5", "3 fives", "3 five", "3FIVES", "3*5"])
def test_a_bid_can_be_typed_in_figures_or_words(line: str) -> None:
    assert read_bid(round_of(), line) == bid(3, 5)


def test_calls_can_be_typed_by_their_first_letter() -> None:
    table = round_of(bid(3, 5))
    assert [read_bid(table, line) for line in ("d", "dudo", "c", "calza")] == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("1 5", "the lowest there is 4 fives"),
        ("3 9", "not understood"),
        ("", "not understood"),
        ("99 5", "lowest there is"),
    ],
)
def test_a_bad_bid_is_refused_with_the_lowest_good_one(line: str, hint: str) -> None:
    with pytest.raises(IllegalAction, match=hint):
        read_bid(round_of(bid(3, 5)), line)


@given(st.text(max_size=20))
def test_any_line_gives_a_legal_bid_or_illegal_action(line: str) -> None:
    table = round_of(bid(2, 3))
    try:
        action = read_bid(table, line)
    except IllegalAction:
        return
    assert action in table.actions()
