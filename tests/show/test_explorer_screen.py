"""The explorer's screen at every size: nothing too wide, nothing lost that must be there, nothing by colour alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tahur.cards.cards import Card, parse_cards
from tahur.cards.rankings import class_names
from tahur.show.actions import Hand, Picture, actions_of
from tahur.show.explorer import SMALLEST, Deal, ExplorerScene, MoveLine, help_screen, screen

SIZES = [SMALLEST, (80, 24), (100, 30), (120, 40), (200, 60)]
ACTIONS = actions_of(("fold", "call", "raise340", "all-in900"))


def scene() -> ExplorerScene:
    weights, shares = np.zeros(169), np.zeros((4, 169))
    for name, weight, share in (("AA", 1.0, (0, 0, 0, 1)), ("AKo", 0.5, (0.5, 0.5, 0, 0)), ("22", 0.01, (0, 0, 1, 0))):
        place = class_names().index(name)
        weights[place], shares[:, place] = weight, share
    moves = tuple(
        MoveLine(action=action, frequency=0.25, ev=12.5, combos=30.0, then="it is over") for action in ACTIONS
    )
    hands = tuple(
        Hand(
            name=name, reach=0.5, equity=0.75, ev=12.0, shares=np.array([0.25] * 4), evs=np.array([0.0, 1.5, 2.5, 3.5])
        )
        for name in ("AsKh", "AsKd", "AsKc", "AhKs", "AhKd", "AhKc", "AdKs", "AdKh", "AdKc", "AcKs", "AcKh", "AcKd")
    )
    ranges = (("out of position", "EV 1.00, EQ 50.00%;EQR 1.0%"), ("in position", "EV 2.00, EQ 50.00%;EQR 2.0%"))
    return ExplorerScene(
        crumbs=("T♦9♦6♥", "check", "bet100"),
        facts="out of position decides; pot 300",
        warning="",
        picture=Picture("", ACTIONS, weights, shares),
        moves=moves,
        marked=1,
        ranges=ranges,
        shown=0,
        hands=hands,
        name="AKo",
        cell=None,
        page=0,
        deal=None,
        over="",
        footer="q quit",
    )


def lines(shown: ExplorerScene, size: tuple[int, int]) -> list[str]:
    return screen(shown, *size).plain.split("\n")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("change", [{}, {"cell": 13}, {"deal": Deal("turn", Card("2c"), parse_cards("Td9d6h"))}])
def test_a_screen_is_as_large_as_the_window(size: tuple[int, int], change: dict[str, object]) -> None:
    rows = lines(replace(scene(), **change), size)
    assert len(rows) == size[1]
    assert max(map(len, rows)) <= size[0]
    assert rows[-1] == "q quit"
    assert rows[0] == "T♦9♦6♥ › check › bet100"


@pytest.mark.parametrize("size", SIZES)
def test_moves_and_ranges_are_there_at_every_size(size: tuple[int, int]) -> None:
    text = "\n".join(lines(scene(), size))
    for words in ("fold", "call", "raise340", "all-in900", "EQR 1.0%", "EQR 2.0%", "25.0%", "12.50", "30.0"):
        assert words in text
    assert next(row for row in text.splitlines() if "▸" in row).split("▸")[1].split()[:2] == ["c", "call"]


def test_the_marked_move_is_seen_however_many_there_are() -> None:
    many = tuple(
        MoveLine(action=action, frequency=0.1, ev=1.0, combos=1.0, then="")
        for action in actions_of([f"bet{chips}" for chips in range(10, 22)])
    )
    for marked, move in enumerate(many):
        rows = lines(replace(scene(), moves=many, marked=marked), (80, 24))
        assert any(row.startswith("▸") and move.action.name in row for row in rows)


def test_a_narrow_window_shows_combos_while_the_cursor_is_in_the_matrix() -> None:
    assert not any("AsKh" in row for row in lines(scene(), (80, 24)))
    assert any("AsKh" in row for row in lines(replace(scene(), cell=13), (80, 24)))
    assert any("AsKh" in row for row in lines(scene(), (120, 40)))


def test_evs_of_moves_are_left_out_only_where_they_do_not_fit() -> None:
    assert any("25.0%     1.50" in row for row in lines(scene(), (120, 40)))
    assert not any("1.50" in row for row in lines(replace(scene(), cell=13), (80, 24)))


def test_pages_show_every_combo_and_go_round() -> None:
    pages = [lines(replace(scene(), cell=13, page=page), (80, 24)) for page in range(3)]
    shown = [{row.split()[0] for row in page if row[:1] == "A" and "0.500" in row} for page in pages]
    assert shown[0] | shown[1] == {hand.name for hand in scene().hands}
    assert not shown[0] & shown[1]
    assert shown[2] == shown[0]


def test_a_cell_has_letters_and_in_a_tall_window_a_filling_of_its_weight() -> None:
    rows = lines(scene(), (120, 40))
    assert rows[2].startswith("AA aaa")
    assert rows[3].startswith("██████")
    assert rows[4].startswith("AKo")
    assert set(rows[4][3:6]) == {"f", "c"}
    assert rows[5].startswith("▄▄▄▄▄▄")
    assert rows[2 + 2 * 12 + 1][72:78] == "▁▁▁▁▁▁"
    assert lines(scene(), (80, 24))[3].startswith("AKo")


def test_the_cursor_is_seen_without_colour() -> None:
    drawn = screen(replace(scene(), cell=13), 80, 24)
    (span,) = [span for span in drawn.spans if "reverse" in str(span.style)]
    assert drawn.plain[span.start : span.end] == "AKo"


def test_a_card_to_choose_stands_among_those_that_can_come() -> None:
    shown = replace(scene(), deal=Deal("turn", Card("2c"), parse_cards("Td9d6h")), moves=())
    text = "\n".join(lines(shown, (120, 40)))
    assert "the turn: 2♣" in text
    assert "A♠ K♠ Q♠ J♠ T♠ 9♠ 8♠ 7♠ 6♠ 5♠ 4♠ 3♠ 2♠" in text
    assert "T♦" not in text.split("the turn")[1]


def test_what_is_wrong_is_said_in_place_of_the_facts() -> None:
    rows = lines(replace(scene(), warning="nobody gets here"), (80, 24))
    assert rows[1] == "nobody gets here"


def test_a_long_line_keeps_its_end() -> None:
    shown = replace(scene(), crumbs=("T♦9♦6♥", *["check"] * 30, "all-in900"))
    first = lines(shown, (80, 24))[0]
    assert first.startswith("…")
    assert first.endswith("› all-in900")
    assert len(first) == 80


def test_too_small_a_window_says_so() -> None:
    assert "too small" in lines(scene(), (53, 40))[0]
    assert len(lines(scene(), (20, 5))) == 5


def test_the_help_fits_a_small_window() -> None:
    rows = help_screen([("q", "leave " * 40)], 80, 24).plain.split("\n")
    assert len(rows) == 24
    assert max(map(len, rows)) <= 80
