import io
import xml.etree.ElementTree as ElementTree
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from rich.console import Console
from rich.text import Text

from tahur.cards.ranges import Range
from tahur.cards.rankings import class_names
from tahur.core.errors import RangeError
from tahur.show.matrix import matrix_svg, matrix_text

matrices = arrays(np.float64, (13, 13), elements=st.floats(0, 1) | st.sampled_from([0.0, 1.0]))
SVG = "{http://www.w3.org/2000/svg}"


def on_a_terminal(matrix: np.ndarray, *, color: bool) -> str:
    screen = io.StringIO()
    console = Console(width=80, file=screen, force_terminal=True, no_color=not color, color_system="truecolor")
    console.print(matrix_text(matrix))
    return screen.getvalue()


def cells_of(matrix: np.ndarray) -> list[list[str]]:
    lines = matrix_text(matrix).plain.splitlines()[:13]
    return [[line[6 * column : 6 * column + 6].strip() for column in range(13)] for line in lines]


def test_always_sometimes_and_never_differ_without_colour() -> None:
    cells = cells_of(Range("AA,A5s:0.5,54s:0.999,53s:0.001").matrix())
    assert cells[0][0] == "AA"
    assert cells[0][9] == "A5s₅₀"
    assert cells[9][10] == "54s₉₉"
    assert cells[9][11] == "53s₀₁"
    assert cells[12][12] == "·"


@settings(deadline=None)
@given(matrices)
def test_each_cell_says_its_weight_in_plain_text(matrix: np.ndarray) -> None:
    for name, weight, cell in zip(class_names(), matrix.flat, chain(*cells_of(matrix)), strict=True):
        assert (cell == "·") == (weight == 0)
        assert (cell == name) == (weight == 1)
        assert cell == "·" or cell.startswith(name)


@settings(deadline=None)
@given(matrices)
def test_the_picture_fits_in_80_columns(matrix: np.ndarray) -> None:
    picture = matrix_text(matrix)
    lines = picture.plain.splitlines()
    assert len(lines) == 14
    assert {len(line) for line in lines[:13]} == {78}
    assert max(line.cell_len for line in picture.split()) <= 80


def test_no_colour_keeps_bold_and_drops_every_colour() -> None:
    plain = on_a_terminal(Range("AA").matrix(), color=False)
    assert "\x1b[1m" in plain
    assert "38;2;" not in plain
    assert "38;2;" in on_a_terminal(Range("AA").matrix(), color=True)


@pytest.mark.parametrize(("kind", "hand"), [("■ pair", " KK"), ("■ suited", " AKs"), ("■ offsuit", " AKo")])
def test_a_hand_held_always_has_the_colour_the_legend_gives_its_kind(kind: str, hand: str) -> None:
    picture = matrix_text(np.ones((13, 13)))
    square = style_at(picture, picture.plain.index(kind))
    assert style_at(picture, picture.plain.index(hand)).endswith(f"on {square}")


def style_at(picture: Text, place: int) -> str:
    return next(str(span.style) for span in picture.spans if span.start <= place < span.end)


def test_the_heat_rises_with_the_weight() -> None:
    fills = [rect_fills(np.full((13, 13), weight))[0] for weight in (0.0, 0.01, 0.25, 0.5, 0.75, 1.0)]
    greens = [int(fill[3:5], 16) for fill in fills]
    assert greens == sorted(set(greens))


def rect_fills(matrix: np.ndarray) -> list[str]:
    root = ElementTree.fromstring(matrix_svg(matrix))
    return [rect.attrib["fill"] for rect in root.iterfind(f"{SVG}g/{SVG}rect")]


@settings(deadline=None)
@given(matrices)
def test_the_svg_has_a_box_and_a_name_for_each_hand(matrix: np.ndarray) -> None:
    root = ElementTree.fromstring(matrix_svg(matrix))
    words = ["".join(group.itertext()) for group in root.iterfind(f"{SVG}g")]
    assert len(rect_fills(matrix)) == 169
    for name, weight, word in zip(class_names(), matrix.flat, words, strict=True):
        assert word.startswith(name)
        assert word.endswith("%") == (0 < weight < 1)


def test_the_svg_asks_for_nothing_from_outside() -> None:
    svg = matrix_svg(Range("22+").matrix())
    for outside in ("href", "url(", "@import", "<script", "<image", "<style"):
        assert outside not in svg
    assert svg.count("http") == 1  # the namespace


def test_labels_can_be_given_and_are_escaped() -> None:
    labels = ["<&>"] * 169
    assert cells_of(np.ones((13, 13)))[0][0] == "AA"
    assert matrix_text(np.ones((13, 13)), labels=labels).plain.startswith(" <&>")
    assert "&lt;&amp;&gt;" in matrix_svg(np.ones((13, 13)), labels=labels)


@pytest.mark.parametrize("matrix", [np.ones((13, 12)), np.ones(169), np.full((13, 13), np.nan), np.full((13, 13), 1.5)])
def test_what_is_no_matrix_of_weights_is_refused(matrix: np.ndarray) -> None:
    for picture in (matrix_text, matrix_svg):
        with pytest.raises(RangeError, match="matrix"):
            picture(matrix)


def test_the_wrong_number_of_labels_is_refused() -> None:
    with pytest.raises(RangeError, match="169 labels"):
        matrix_text(np.ones((13, 13)), labels=["AA"])
