"""Results as tables: best first, places as spans, signs and bars around par."""

from __future__ import annotations

import math

import pytest
from rich.console import Console, RenderableType

from tahur.show.standings import Cell, StandingLine, crosstable, signed, standings_table, unsigned

SURE = StandingLine(name="odds", result=52.13, low=40.0, high=64.0, best=1, worst=1)
LOST = StandingLine(name="caller", result=-52.13, low=-64.0, high=-40.0, best=3, worst=3)
OPEN = StandingLine(name="random", result=0.004, low=-20.0, high=20.0, best=2, worst=2)


def text(table: RenderableType) -> str:
    console = Console(width=120, record=True, force_terminal=False, color_system=None)
    with console.capture() as capture:
        console.print(table)
    return capture.get()


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0.0, "0.00"),
        (-0.004, "0.00"),
        (1.234, "+1.23"),
        (-12.34, "-12.3"),
        (1234.5, "+1,234"),
        (99.96, "+100.0"),
        (math.inf, "?"),
        (math.nan, "?"),
    ],
)
def test_numbers_have_three_digits_that_count(value: float, told: str) -> None:
    assert signed(value) == told
    assert unsigned(value) == told.removeprefix("+")


def test_the_best_result_stands_first_and_nothing_known_last() -> None:
    unknown = StandingLine(name="nobody", result=math.nan, low=-math.inf, high=math.inf, best=1, worst=4)
    rows = text(standings_table([unknown, LOST, SURE, OPEN], "bb/100")).splitlines()
    assert [row.split()[1] for row in rows[1:]] == ["odds", "random", "caller", "nobody"]
    assert rows[4].split()[0] == "1-4"
    assert "? to ?" in rows[4]


def test_an_interval_on_one_side_of_par_does_not_cross_its_mark() -> None:
    rows = text(standings_table([SURE, LOST, OPEN], "bb/100")).splitlines()
    assert "│" in rows[1]
    assert "┼" not in rows[1]
    assert rows[1].index("│") < rows[1].index("●")
    assert rows[3].index("│") > rows[3].index("●")
    assert "●" in rows[2]
    assert "─" in rows[2]


def test_shares_are_told_without_sign_around_their_par() -> None:
    row = text(
        standings_table([StandingLine(name="a", result=60.0, low=55.0, high=65.0, best=1, worst=1)], "% won", par=50.0)
    ).splitlines()[1]
    assert "60.0" in row
    assert "+" not in row
    assert row.index("│") < row.index("●")


def test_a_rating_is_told_with_its_reach() -> None:
    rated = StandingLine(name="a", result=1.0, low=0.5, high=1.5, best=1, worst=1, rating=(1612.3, 1600.0, 1624.0))
    assert "1612 ± 12" in text(standings_table([rated], "bb/100"))
    assert "Elo" not in text(standings_table([SURE], "bb/100"))


def test_the_crosstable_has_a_dot_for_whom_nobody_met() -> None:
    rows = text(
        crosstable(["a", "b"], [[None, Cell(5.0, 1.0)], [Cell(-5.0, 1.0), None]], "row against column")
    ).splitlines()
    assert rows[2].split() == ["a", "·", "+5.00", "±", "1.00"]
    assert rows[3].split() == ["b", "-5.00", "±", "1.00", "·"]
