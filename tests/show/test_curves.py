"""Curves over strategies and training runs: axes that fit, names that can be read, nothing by colour alone."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import pytest
from rich.console import Console

from tahur.show.actions import actions_of
from tahur.show.trace import (
    CHART,
    Axis,
    Chart,
    Curve,
    Log,
    LogPoint,
    Trace,
    Track,
    charts_svg,
    log_charts,
    log_table,
    trace_html,
    trace_json,
    trace_svg,
    trace_table,
)

ACTIONS = actions_of(("fold", "call", "raise"))
TRACK = Track("first-in J4s", ACTIONS, ((0.5, 0.25, 0.25), (0.1, 0.0, 0.9), (0.0, 0.0, 1.0)))
TRACE = Trace("fhp", ("a.tahur", "b.tahur", "c.tahur"), (2, 10, 100), (TRACK, TRACK))
LOG = Log(
    "run/log.jsonl", "mbb/g", tuple(LogPoint(n, (1 / n, 2 / n), 900 / n if n % 10 == 0 else None) for n in range(1, 41))
)


def test_an_axis_is_logarithmic_only_where_figures_are_far_apart() -> None:
    assert Axis.over([1.0, 10.0, 1296.0]).log
    assert not Axis.over([0.0, 5.0, 1296.0]).log
    assert not Axis.over([3.0, 50.0]).log
    assert Axis.over([1.0, 100.0]).place(10.0) == pytest.approx(0.5)
    same = Axis.over([7.0, 7.0])
    assert 0 < same.place(7.0) < 1


@pytest.mark.parametrize("figures", [(0.8, 1296.0), (2.0, 100.0), (0.0, 1.0), (-3.0, 103.0), (1e-5, 0.06), (5.0, 5.0)])
def test_ticks_are_few_and_on_the_axis(figures: tuple[float, float]) -> None:
    axis = Axis.over(figures)
    ticks = axis.ticks()
    assert 2 <= len(ticks) <= 8
    assert all(-0.01 <= axis.place(tick) <= 1.01 for tick in ticks)
    assert ticks == sorted(ticks)


def four(height: float) -> ElementTree.Element:
    """Four curves that end at the same place of an axis from 0 to 5."""
    names = ("one", "two", "three", "four")
    curves = tuple(Curve(name, "#ffffff", ((1.0, 2.0), (2.0, height))) for name in names)
    return ElementTree.fromstring(charts_svg([Chart("all the same", "x", curves, (0.0, 5.0))], "t"))


def test_curves_differ_by_dashes_and_marks() -> None:
    paths = four(3.0).findall(".//{*}path")
    lines = [path for path in paths if path.get("stroke-width") == "2.2"]
    assert len({line.get("stroke-dasharray") for line in lines}) == 4


@pytest.mark.parametrize("end", [0.0, 2.5, 5.0])
def test_names_stand_apart_and_inside_the_chart(end: float) -> None:
    texts = four(end).findall(".//{*}text")
    heights = sorted(float(text.get("y", 0)) for text in texts if text.text in ("one", "two", "three", "four"))
    assert len(heights) == 4
    assert all(later - earlier >= 14 for earlier, later in pairwise(heights))
    assert heights[0] > 35
    assert heights[-1] < CHART[1] - 40


def test_a_trace_has_a_chart_for_each_spot_and_every_figure_in_its_table() -> None:
    svg = trace_svg(TRACE, [LOG])
    assert not re.search(r"(href|url\(|<script)", svg)
    root = ElementTree.fromstring(svg)
    words = [text.text for text in root.findall(".//{*}text")]
    assert words.count("first-in J4s, percent") == 2
    assert words.count("f fold") == words.count("1 raise") == 2
    assert "iterations, logarithmic" in words
    assert "exploitability, mbb/g" in words
    console = Console(width=80, no_color=True)
    with console.capture() as caught:
        console.print(trace_table(TRACE))
    lines = caught.get().splitlines()
    assert lines[0].split() == ["2", "10", "100"]
    assert lines[1].split() == ["first-in", "J4s", "f", "fold", "50.0", "10.0", "0.0"]
    assert lines[3].split() == ["1", "raise", "25.0", "90.0", "100.0"]


def test_files_of_unknown_age_are_numbered() -> None:
    nameless = Trace("fhp", TRACE.names, None, TRACE.tracks)
    assert nameless.across == ("file", range(1, 4))
    assert ">file<" in trace_svg(nameless, [])


def test_stages_of_one_folder_are_told_in_a_line_that_fits() -> None:
    stages = (184, 256, 304, 640)
    trace = Trace("fhp", tuple(f"net:runs/long/name@{each}" for each in stages), stages, ())
    assert trace.source == "net:runs/long/name, its average after 184, 256, 304, 640 iterations"
    assert trace.heads == ["184", "256", "304", "640"]
    assert TRACE.source == "a.tahur → b.tahur → c.tahur"
    many = Trace("fhp", tuple(f"a-rather-long-name-{each}.tahur" for each in range(9)), None, ())
    assert many.source == "a-rather-long-name-0.tahur → … → a-rather-long-name-8.tahur"


def test_a_log_has_curves_for_both_losses_and_for_what_was_measured() -> None:
    loss, exploitability = log_charts(LOG)
    assert [len(curve.points) for curve in loss.curves] == [40, 40]
    assert exploitability.curves[0].points == ((10.0, 90.0), (20.0, 45.0), (30.0, 30.0), (40.0, 22.5))
    unmeasured = Log("a", "mbb/g", (LogPoint(1, (0.5,), None),))
    assert [chart.title for chart in log_charts(unmeasured)] == ["loss"]
    table = log_table(LOG)
    shown = list(table.columns[0].cells)
    assert (shown[0], shown[-1]) == ("1", "40")
    assert list(table.columns[2].cells)[-1] == "22.5"


def test_the_page_and_the_json_have_the_same_figures() -> None:
    page = trace_html(TRACE, [LOG])
    assert page.count("<tr>") == 7
    assert "<td>first-in J4s</td><td>f fold</td><td>50.0</td><td>10.0</td><td>0.0</td>" in page
    found = trace_json(TRACE, [LOG])
    assert found["trace"]["spots"][0]["chances"][1] == {"fold": 0.1, "call": 0.0, "raise": 0.9}
    assert found["logs"][0]["exploitability"][9] == 90.0
