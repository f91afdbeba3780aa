"""A strategy on one sheet: bars in whole letters, means by how often play comes, nothing by colour alone."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from tahur.cards.cards import parse_cards
from tahur.show.actions import Picture, actions_of, letters_of
from tahur.show.sheet import Bar, Column, FlopPanel, FlopRow, Panel, Sheet, percents_of, sheet_json, sheet_text
from tahur.show.sheet_page import sheet_html, sheet_svg

TWO, THREE = actions_of(("check", "bet")), actions_of(("fold", "call", "raise"))


def sheet() -> Sheet:
    shares = np.tile(np.array([[0.2], [0.5], [0.3]]), (1, 169))
    panel = Panel(Picture("Small <blind>, first in", THREE, np.ones(169), shares), (0.2, 0.5, 0.3), 1.0)
    columns = (Column("out of position", "first", TWO), Column("in position", "facing a bet", THREE))
    rows = (
        FlopRow(
            "monotone unpaired high", parse_cards("KsQs4s"), 100, (Bar((1.0, 0.0), 0.01), Bar((0.2, 0.3, 0.5), 0.0))
        ),
        FlopRow("rainbow paired low", parse_cards("6s6h3d"), 300, (Bar((0.5, 0.5), 0.02), Bar((0.1, 0.1, 0.8), 0.01))),
    )
    return Sheet("fhp: a & b", "177 iterations", (panel, panel), FlopPanel("raise to 4, call 2", columns, rows))


def text_of(drawn: Sheet, width: int = 80) -> str:
    console = Console(width=width, no_color=True)
    with console.capture() as caught:
        console.print(sheet_text(drawn))
    return caught.get()


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 1000), min_size=1, max_size=5).filter(any), st.integers(1, 100))
def test_rounding_fills_the_bar_and_is_off_by_less_than_one_letter(weights: list[int], letters: int) -> None:
    shares = np.array(weights) / sum(weights)
    found = letters_of(shares, letters)
    assert sum(found) == letters
    assert all(abs(count - share * letters) < 1 for count, share in zip(found, shares, strict=True))


def test_the_greatest_remainders_are_rounded_up() -> None:
    assert letters_of(np.array([0.45, 0.10, 0.45]), 3) == [2, 0, 1]
    assert letters_of(np.array([0.34, 0.33, 0.33]), 3) == [1, 1, 1]
    assert percents_of((1 / 3, 1 / 3, 1 / 3)) == [34, 33, 33]
    assert letters_of(np.array([0.3, 0.6, 0.1]), 10) == [3, 6, 1]


def test_a_mean_counts_each_flop_as_often_as_play_comes_there() -> None:
    flops = sheet().flops
    assert flops is not None
    first, facing = flops.means
    assert first.shares == pytest.approx((4 / 7, 3 / 7))  # 100 x 0.01 of always, 300 x 0.02 of half
    assert facing.shares == pytest.approx((0.1, 0.1, 0.8))  # nobody faces a bet on the other


def test_the_terminal_has_letters_figures_and_80_columns() -> None:
    text = text_of(sheet())
    assert max(map(len, map(str.rstrip, text.splitlines()))) <= 80
    lines = {line.split()[0]: line for line in text.splitlines() if line.strip()}
    assert lines["K♠"].split()[3:] == ["xxxxxxxxxxxx", "0", "ffccccrrrrrr".replace("r", "1"), "20", "30", "50"]
    assert lines["6♠"].split()[3:] == ["xxxxxx111111", "50", "fc1111111111", "10", "10", "80"]
    assert "fold 20.0 %  call 50.0 %  raise 30.0 %" in text
    assert "rainbow paired low, 1.4 % of flops" in text


def test_the_svg_stands_alone_and_says_everything_in_words() -> None:
    svg = sheet_svg(sheet())
    root = ElementTree.fromstring(svg)
    assert not re.search(r"(href|url\(|<script)", svg)
    words = ["".join(text.itertext()) for text in root.findall(".//{*}text")]
    for told in ("Small <blind>, first in", "c call 50.0 %", "K♠ Q♠ 4♠ ", "x 50", "1 80", "out of position, first"):
        assert told in words
    assert len(root.findall("{*}g[@data-hand]")) == 2 * 169
    box = [float(each) for each in root.get("viewBox", "").split()]
    right = max(float(r.get("x", 0)) + float(r.get("width", 0)) for r in root.findall(".//{*}rect"))
    assert right <= box[2] + 0.1


def test_without_flops_or_with_one_decision_the_picture_is_smaller() -> None:
    whole = sheet()
    height = [
        float(ElementTree.fromstring(sheet_svg(each)).get("height", 0))
        for each in (whole, Sheet("a", "", whole.panels), Sheet("a", "", whole.panels[:1]))
    ]
    assert height[0] > height[1] == height[2]
    width = float(ElementTree.fromstring(sheet_svg(Sheet("a", "", whole.panels[:1]))).get("width", 0))
    assert width < 800


def test_the_page_is_one_file_with_every_flop() -> None:
    page = sheet_html(sheet())
    assert not re.search(r"(src=|href=|url\(|<script|@import)", page)
    rows: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag == "td" and ("class", "bar") in attrs:
                rows.append(str(dict(attrs)["title"]))

    Reader().feed(page)
    assert rows[:2] == ["check 100, bet 0", "fold 20, call 30, raise 50"]
    assert len(rows) == 6
    assert "<h1>fhp: a &amp; b</h1>" in page
    assert "prefers-color-scheme: dark" in page


def test_machines_get_the_figures_unrounded() -> None:
    found = sheet_json(sheet())
    assert found["decisions"][0]["totals"] == {"fold": 0.2, "call": 0.5, "raise": 0.3}
    assert found["decisions"][0]["hands"]["72o"] == {"reach": 1.0, "fold": 0.2, "call": 0.5, "raise": 0.3}
    row = found["flops"]["rows"][1]
    assert (row["flop"], row["kind"], row["stands_for"]) == ("6s6h3d", "rainbow paired low", 300)
    assert row["bars"][0] == {"decision": "out of position, first", "frequency": 0.02, "check": 0.5, "bet": 0.5}
