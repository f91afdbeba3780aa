"""A spot as text, SVG and page: everything is written out, well formed, and needs nothing from outside."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest
from rich.console import Console

from solved_games import SETTINGS, game_of, solution
from tahur.core.spots import DecisionTable, SolvedGame
from tahur.show.strategy import colors_of, onward_table, page_html, percent, spot_svg, spot_table


def spot_of(name: str, line: str = "") -> DecisionTable:
    study = SolvedGame(solution(name), game_of(name))
    return study.spot(study.line(line))


def text_of(spot: DecisionTable, width: int = 80) -> str:
    console = Console(width=width, no_color=True)
    with console.capture() as caught:
        console.print(spot_table(spot))
        console.print(onward_table(spot.onward))
    return caught.get()


@pytest.mark.parametrize(("share", "said"), [(0, "0"), (1, "100"), (0.5, "50.0"), (1e-7, "<0.1"), (1 - 1e-7, ">99.9")])
def test_never_and_always_are_said_of_nothing_else(share: float, said: str) -> None:
    assert percent(share) == said
    assert percent(0.0004999) == "<0.1"
    assert percent(0.0005) == "0.1"
    assert percent(0.9994) == "99.9"


def test_the_table_has_every_hand_and_every_figure() -> None:
    spot = spot_of("leduc", "check,raise")
    lines = text_of(spot).splitlines()
    assert lines[0].split() == ["hand", "reach", "fold", "call", "raise", "to", "5"]
    for line, row in zip(lines[1:], spot.rows, strict=False):
        words = line.replace("█", " ").split()
        assert words[:3] == [row.text, percent(row.reach), "%"]
        assert [percent(share) for share in row.chances if share] == [
            word for word in words[3:] if re.fullmatch(r"[<>]?\d+(\.\d)?", word)
        ]
    assert lines[7].split()[:2] == ["all", percent(spot.frequency)]


@pytest.mark.parametrize("name", SETTINGS)
def test_the_table_fits_a_terminal_of_80_columns(name: str) -> None:
    study = SolvedGame(solution(name), game_of(name))
    for node in study.solution.decisions[:40]:
        text = text_of(study.spot(node))
        assert "…" not in text
        assert max(map(len, text.splitlines())) <= 80


def test_of_many_actions_the_ones_nobody_plays_are_only_named() -> None:
    spot = spot_of("perudo")
    first = spot.rows[0]
    quiet = tuple(replace(row, chances=(1.0, *(0.0 for _ in first.chances[1:]))) for row in spot.rows)
    text = text_of(replace(spot, rows=quiet), width=200)
    assert f"rarely played: {', '.join(spot.actions[1:])}" in text
    assert text.splitlines()[0].split() == ["hand", "reach", *spot.actions[0].split()]


def test_a_bar_is_as_long_as_its_share() -> None:
    spot = spot_of("kuhn")
    half = tuple(replace(row, chances=(0.5, 0.5)) for row in spot.rows)
    lines = text_of(replace(spot, rows=half)).splitlines()
    assert lines[1].count("█") == 8


def test_colours_are_by_the_kind_of_action() -> None:
    fold, call, low, middle, high = colors_of(["fold", "call", "raise to 5", "raise to 9", "raise to 20"])
    assert [fold, call] == colors_of(["liar", "check"])
    assert fold == "#5694f2"
    assert call == "#4cba88"
    assert (low, high) == ("#f6b848", "#a468f0")
    assert len({fold, call, low, middle, high}) == 5


@pytest.mark.parametrize("name", SETTINGS)
def test_the_svg_is_whole_alone_and_writes_every_figure_out(name: str) -> None:
    spot = spot_of(name)
    picture = spot_svg(spot, solution(name).facts)
    root = ElementTree.fromstring(picture)
    words = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    for label in (*spot.actions, *(row.text for row in spot.rows), "all"):
        assert label in words
    figures = sum(len(row.chances) for row in spot.rows) + len(spot.average)
    assert sum(bool(re.fullmatch(r"[<>]?\d+(\.\d)?", word or "")) for word in words) >= figures
    assert not re.search(r"href|src=|url\(|<script|@import", picture)


def test_bars_in_the_svg_are_as_wide_as_shares() -> None:
    spot = spot_of("kuhn")
    rows = tuple(replace(row, chances=(0.25, 0.75)) for row in spot.rows)
    root = ElementTree.fromstring(spot_svg(replace(spot, rows=rows, average=(0.25, 0.75)), solution("kuhn").facts))
    bars = [each.attrib for each in root.iter("{http://www.w3.org/2000/svg}rect") if each.attrib["height"] == "5"]
    green, amber = colors_of(spot.actions)
    assert {bar["width"] for bar in bars if bar["fill"] == green} == {"24.5"}
    assert {bar["width"] for bar in bars if bar["fill"] == amber} == {"73.5"}


def test_the_page_is_well_formed_alone_and_its_links_lead_somewhere() -> None:
    study = SolvedGame(solution("leduc"), game_of("leduc"))
    spots = [study.spot(node) for node in (0, *study.below(0))]
    page = page_html(spots, solution("leduc").facts)
    root = ElementTree.fromstring(page.removeprefix("<!doctype html>"))
    anchors = [each.attrib["id"] for each in root.iter("section")]
    assert len(set(anchors)) == len(anchors) == len(solution("leduc").decisions)
    links = [each.attrib["href"] for each in root.iter("a")]
    assert links
    assert {link.removeprefix("#") for link in links} <= set(anchors)
    assert not re.search(r"src=|url\(|<script|@import|https?:", page)
    cells = [each.text for each in root.findall(".//td/span")]
    assert len(cells) == sum((len(spot.rows) + 1) * len(spot.actions) for spot in spots)
    assert cells[0] == percent(spots[0].rows[0].chances[0])


def test_what_is_left_out_of_the_page_is_said() -> None:
    spots = [spot_of("kuhn")]
    assert "3 lines further down are not on this page" in page_html(spots, solution("kuhn").facts, left_out=3)
    assert "further down" not in page_html(spots, solution("kuhn").facts)


def test_names_with_signs_of_markup_are_told_and_not_obeyed() -> None:
    spot = replace(spot_of("kuhn"), actions=("<b>fold</b>", "raise & call"))
    for picture in (spot_svg(spot, solution("kuhn").facts), page_html([spot], solution("kuhn").facts)):
        root = ElementTree.fromstring(picture.removeprefix("<!doctype html>"))
        assert "<b>fold</b>" in "".join(root.itertext())
        assert not list(root.iter("b"))
