"""The matrix of actions: every hand's letters, colours by kind and size, SVG that stands alone."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from tahur.cards.rankings import class_names
from tahur.show.actions import Hand, Picture, actions_of, actions_table, hands_text, matrix_svg, matrix_text

MOVES = ("fold", "call", "raise340", "all-in900")


def picture() -> Picture:
    weights, shares = np.zeros(169), np.zeros((4, 169))
    for name, weight, share in (
        ("AA", 1.0, (0, 0, 0, 1)),
        ("AKs", 0.5, (0.5, 0.5, 0, 0)),
        ("22", 0.01, (0, 0.34, 0.66, 0)),
    ):
        place = class_names().index(name)
        weights[place], shares[:, place] = weight, share
    return Picture("a <title>", actions_of(MOVES), weights, shares)


def test_letters_and_colours_tell_every_action_apart() -> None:
    for names in (MOVES, ("check", "bet50", "bet100", "all-in900"), ("check", "all-in60")):
        actions = actions_of(names)
        assert [action.name for action in actions] == list(names)
        assert len({action.letter for action in actions}) == len({action.colour for action in actions}) == len(names)
    assert [action.letter for action in actions_of(MOVES)] == ["f", "c", "1", "a"]
    assert [action.letter for action in actions_of(("check", "bet50", "bet100"))] == ["x", "1", "2"]


def test_checking_and_calling_are_one_colour_and_folding_another() -> None:
    fold, call, *_ = actions_of(MOVES)
    assert actions_of(("check",))[0].colour == call.colour != fold.colour


def test_a_cell_has_three_letters_as_its_hand_is_played() -> None:
    rows = matrix_text(picture()).plain.splitlines()
    assert len(rows) == 14
    assert all(len(row) == 78 for row in rows[:13])
    assert rows[0].startswith("AA aaaAKsffc")
    assert rows[12].endswith("22 c11")
    assert rows[1].strip() == "·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·     ·"
    assert rows[13].startswith(" f  fold   c  call   1  raise340   a  all-in900")


def test_the_svg_fills_a_cell_as_high_as_its_weight_and_names_the_shares() -> None:
    svg = matrix_svg(picture())
    root = ElementTree.fromstring(svg)
    assert not re.search(r"(href|url\(|<script)", svg)
    cells = root.findall("{*}g")
    assert len(cells) == 169
    half = cells[class_names().index("AKs")]
    pieces = half.findall("{*}rect")[1:]
    assert [(piece.get("height"), piece.get("width")) for piece in pieces] == [("20.0", "28.0")] * 2
    assert half.find("{*}title").text == "AKs: fold 50%, call 50%; 50% of it is here"  # type: ignore[union-attr]
    assert [text.text for text in half.findall("{*}text")] == ["f", "c", "AKs"]
    assert len(cells[class_names().index("KK")].findall("{*}rect")) == 1


def test_tables_have_a_dash_where_there_is_no_ev() -> None:
    actions = actions_of(("check", "bet50"))
    table = actions_table(actions, np.array([1.0, 0.0]), np.array([3.25, np.nan]), ("over", "over"))
    assert [list(column.cells) for column in table.columns][1:3] == [["100.0%", "0.0%"], ["3.25", "-"]]
    hand = Hand(
        name="AsKs", reach=0.5, equity=np.nan, ev=12.25, shares=np.array([0.25, 0.75]), evs=np.array([1.0, np.nan])
    )
    line = hands_text(actions, [hand]).plain.splitlines()[1]
    assert line.split() == ["AsKs", "0.500", "-", "12.25", "25.0%", "1.00", "75.0%", "-"]


@pytest.mark.parametrize("shares", [(0.34, 0.33, 0.33), (0.5, 0.5, 0.0), (0.1, 0.1, 0.8), (1.0, 0.0, 0.0)])
def test_the_letters_of_a_cell_always_fill_it(shares: tuple[float, ...]) -> None:
    every = np.repeat(np.array([shares]).T, 169, axis=1)
    rows = matrix_text(Picture("", actions_of(("fold", "call", "raise9")), np.ones(169), every)).plain.splitlines()
    assert all(len(row) == 78 for row in rows[:13])
