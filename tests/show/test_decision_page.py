"""A decision as a page: it stands alone, says everything in words too, and its colours can be told apart."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from tahur.cards.cards import combo_of, parse_cards
from tahur.show.actions import actions_of, matrix_svg
from tahur.show.decision import NEVER_REACHED, combos_of, decision_text, hands_of, held_picture, picture_of, title_of
from tahur.show.decision_page import decision_html, decision_piece

# What a reader without one kind of cone sees of linear light (Machado, Oliveira and Fernandes 2009, severity 1).
CONES = {
    "all": np.eye(3),
    "red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
BOARD = parse_cards("Td9d6hQc2s")
PLAIN_TO_SEE = 20  # CIELAB; 2 can be told apart side by side


@dataclass(frozen=True)
class Held:
    combos: Any
    reach: Any
    ev: Any
    equity: Any
    range_ev: float = 60.0
    range_equity: float = 0.25
    realized: float = 0.8


@dataclass(frozen=True)
class Decided:
    seats: Any
    board: Any = BOARD
    steps: Any = ("check", BOARD[-1], "bet<100>")
    seat: int = 0
    pot: int = 300
    to_call: int = 100
    stacks: tuple[int, int] = (900, 800)
    frequency: float = 0.25
    moves: Any = ("fold", "call", "raise340")
    then: Any = ("it is over", "it is over", "in position decides")
    strategy: Any = None
    frequencies: Any = None
    move_ev: Any = None
    range_move_ev: Any = None
    locked: Any = None
    unit: str = "chips"


def decided() -> Decided:
    mine = np.array([combo_of(parse_cards(text)) for text in ("AsAh", "AsAd", "KcJc")])
    theirs = np.array([combo_of(parse_cards(text)) for text in ("QsQh", "8h7h")])
    strategy = np.array([[0.5, 0.0, 0.0], [0.5, 1.0, 0.25], [0.0, 0.0, 0.75]])
    seats = (
        Held(mine, np.array([1.0, 0.5, 0.8]), np.array([10.0, 20.0, 300.0]), np.array([0.4, 0.5, 0.98])),
        Held(theirs, np.array([1.0, 1.0]), np.array([1.0, np.nan]), np.array([0.5, np.nan])),
    )
    return Decided(
        seats, strategy=strategy, frequencies=np.array([0.2, 0.5, 0.3]), move_ev=strategy * 100,
        range_move_ev=np.array([0.0, 65.5, np.nan]), locked=np.zeros(3, bool),
    )  # fmt: skip


# ---- what is gathered ----------------------------------------------------------------------------


def test_combos_are_gathered_into_classes_by_their_reach() -> None:
    picture = picture_of(decided())
    assert picture.weights[0] == pytest.approx(1.5 / 6)
    assert picture.shares[:, 0] == pytest.approx([1 / 3, 2 / 3, 0])
    assert combos_of(decided()) == pytest.approx([0.5, 1.2, 0.6])
    assert title_of(decided()) == "Td9d6hQc2s  check,[2s],bet<100>: out of position"


def test_a_range_that_does_nothing_is_held_as_the_board_leaves_it() -> None:
    reach = np.zeros(1326)
    reach[[combo_of(parse_cards(text)) for text in ("ThTc", "TsTh")]] = 1.0
    picture = held_picture(parse_cards("Td9d6h"), reach)
    assert picture.weights[4 * 13 + 4] == pytest.approx(2 / 3)  # three pairs of tens are left
    assert picture.weights.sum() == pytest.approx(2 / 3)


def test_the_seat_that_does_not_decide_has_hands_without_moves() -> None:
    assert [hand.name for hand in hands_of(decided(), [0, 1], seat=1)] == ["QsQh", "8h7h"]
    assert hands_of(decided(), [0], seat=1)[0].shares.shape == (0,)
    assert hands_of(decided(), [2])[0].shares == pytest.approx([0, 0.25, 0.75])


def test_the_terminal_says_when_nobody_gets_there() -> None:
    said = [str(part) for part in decision_text(replace(decided(), frequency=0.0)).renderables]  # type: ignore[union-attr]
    assert any(NEVER_REACHED in part for part in said)


@pytest.mark.parametrize(
    ("locked", "words"), [([True] * 3, "locked"), ([True, True, False], "locked with 1.5 of 2.3 combos")]
)
def test_the_terminal_and_the_page_say_which_hands_were_locked(locked: list[bool], words: str) -> None:
    decision = replace(decided(), locked=np.array(locked))
    assert [hand.locked for hand in hands_of(decision, [0, 1, 2])] == locked
    assert words in [str(part) for part in decision_text(decision).renderables]  # type: ignore[union-attr]
    page = decision_html(decision)
    assert f"<strong>{words}</strong>" in page
    assert page.count("<td>locked</td>") == sum(locked)
    assert "locked" not in decision_html(decided())


# ---- the page ------------------------------------------------------------------------------------


def test_a_page_fetches_nothing() -> None:
    page = decision_html(decided(), "a note")
    outside = page.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|//|\bsrc=|href|@import|url\(", outside)
    assert "a note" in page


def test_a_page_says_the_line_the_moves_the_ranges_and_every_hand() -> None:
    page = decision_html(decided())
    for words in (
        "bet&lt;100&gt;",
        "raise340",
        "65.50",
        "in position decides",
        "25.00%",
        "80.0%",
        "reach 25.00%",
    ):
        assert words in page
    assert page.count('class="hands"') == 2
    assert page.count("<tr>") == 1 + 3 + 1 + 2 + 2 + 3  # moves, ranges, two lists of hands with their heads
    assert "nan" not in page.lower()


def test_a_page_warns_where_nobody_gets() -> None:
    assert NEVER_REACHED not in decision_html(decided())
    assert NEVER_REACHED in decision_html(replace(decided(), frequency=0.0))


def test_the_matrix_of_the_page_is_the_svg_in_the_page_s_colours() -> None:
    page, picture = decision_html(decided()), matrix_svg(picture_of(decided()))
    inside = ElementTree.fromstring(page[page.index("<svg") : page.index("</svg>") + 6])
    outside = ElementTree.fromstring(picture)
    shapes = [
        [(each.tag, each.text, each.get("x"), each.get("width"), each.get("height")) for each in root.iter()]
        for root in (inside, outside)
    ]
    assert shapes[0] == shapes[1]
    assert "var(--paper)" in page
    assert "var(" not in picture


def test_a_notebook_gets_a_piece_without_script() -> None:
    piece = decision_piece(decided())
    assert "<script" not in piece
    assert "<html" not in piece
    assert "<svg" in piece


# ---- colours -------------------------------------------------------------------------------------


@pytest.mark.parametrize("cones", CONES)
@pytest.mark.parametrize("moves", [("fold", "call", "raise20"), ("fold", "call", "raise20", "raise50", "all-in90")])
def test_colours_differ_for_readers_who_lack_a_cone(cones: str, moves: tuple[str, ...]) -> None:
    seen = {action.name: perceived(action.colour, np.array(CONES[cones])) for action in actions_of(moves)}
    near = {pair: float(np.linalg.norm(seen[pair[0]] - seen[pair[1]])) for pair in combinations(seen, 2)}
    assert min(near.values()) > PLAIN_TO_SEE, near


def perceived(colour: str, cones: Any) -> Any:
    """CIELAB."""
    light = np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    linear = np.where(light <= 0.04045, light / 12.92, ((light + 0.055) / 1.055) ** 2.4)
    ratio = np.array(XYZ) @ np.clip(cones @ linear, 0, 1) / (0.9505, 1.0, 1.089)
    x, y, z = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])
