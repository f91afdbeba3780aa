"""docs/profiles.md, kept true: its tables are made from the habits themselves.

`python tests/games/test_habit_docs.py` writes them anew; somebody reads the difference.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tahur.core.habits import FigureKind, Habits
from tahur.games.registry import GAMES

PAGE = Path(__file__).parents[2] / "docs" / "profiles.md"
TABLES = {"hold'em": "nlhe", "perudo": "perudo", "kuhn and leduc": "leduc", "liar's dice": "liars-dice"}


def table(habits: Habits) -> str:
    """One line for each habit."""
    head = "| habit | meaning | counted | out of |\n|---|---|---|---|\n"
    lines = (f"| **{each.name}** | {each.explanation} | {each.hits} | {each.chances} |\n" for each in habits.entries)
    return head + "".join(lines)


def between(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<=<!-- habits: {name} -->\n).*?(?=<!-- end -->)", re.DOTALL)


def habits_of(game: str) -> Habits:
    habits = GAMES[game].habits
    assert habits is not None
    return habits


@pytest.mark.parametrize(("name", "game"), TABLES.items())
def test_the_page_has_every_habit_as_it_is_counted(name: str, game: str) -> None:
    found = between(name).findall(PAGE.read_text("utf-8"))
    assert found == [table(habits_of(game))], f"write it anew: python {Path(__file__).name}"


def test_the_habits_of_every_game_are_on_the_page() -> None:
    told = {habit for game in TABLES.values() for habit in habits_of(game).entries}
    assert all(set(habits_of(game).entries) <= told for game in GAMES)


def test_every_kind_of_figure_is_used() -> None:
    assert {habit.kind for game in GAMES for habit in habits_of(game).entries} == set(FigureKind)


if __name__ == "__main__":
    page = PAGE.read_text("utf-8")
    for name, game in TABLES.items():
        page = between(name).sub(lambda _, game=game: table(habits_of(game)), page, count=1)
    PAGE.write_text(page, "utf-8")
