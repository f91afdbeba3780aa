"""Measure the tables of docs/perudo.md again: `python tools/perudo_tables.py [--games N] [--minutes M] [TABLE ...]`.

Tables: directions, habits, aces, two, six. The crosstables (two and six seats) are played in chunks that are stored, on
`--workers N`: after `--minutes` or Ctrl-C, the same command resumes. `--again odds,equilibrium` replays those players.
The same versions and the same number of games give the same tables, to the last digit.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import combinations
from math import sqrt
from typing import Any

from perudo_crosstable import MINDS, add_options, crosstable
from perudo_probe import DIRECTIONS, moved, situations

from tahur.arena.match import run
from tahur.arena.profile import Counts, profile
from tahur.core.habits import HabitFigure
from tahur.core.record import Record
from tahur.games.perudo.bids import ACE, DUDO, FIRST_BID, face_of
from tahur.games.perudo.game import perudo
from tahur.games.perudo.habits import HABITS
from tahur.games.registry import game_of
from tahur.players.registry import make_player

TOLD = ("dudo", "calza", "unsupported", "increment", "true bid", "squeeze", "ace bid", "opening count")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(TABLES))
    add_options(parser)
    parser.add_argument("--situations", type=int, default=12_000, help="for the directions")
    parser.add_argument("--matches", type=int, default=150, help="of six seats, for the habits")
    options = parser.parse_args()
    if unknown := set(options.tables) - set(TABLES):
        parser.error(f"no table {min(unknown)}; valid: {', '.join(TABLES)}")
    for name in options.tables or TABLES:
        for line in TABLES[name](options):
            print(line, flush=True)
        print(flush=True)


# ---- effect of the figures -----------------------------------------------------------------------


def directions(options: argparse.Namespace) -> Iterator[str]:
    """Each figure at 0.05 and at 0.95, all else average, in the same situations."""
    views = situations(options.situations)
    yield "| figure | statistic | at 0.05 | at 0.95 | change ± 95 % | situations |"
    yield "|---|---|---|---|---|---|"
    for direction in DIRECTIONS:
        found = moved(direction, views[: len(views) // 10] if direction.figure == "unpredictability" else views)
        change = f"{found.change:+.4f} ± {1.96 * found.error:.4f}"
        figures = f"{found.low:.4f} | {found.high:.4f} | {change} | {found.situations:,}"
        yield f"| {direction.figure} | {direction.statistic} | {figures} |"


# ---- how the minds differ ------------------------------------------------------------------------


def habits(options: argparse.Namespace) -> Iterator[str]:
    """The six at one table: their habits, and for each pair the habit that distinguishes them best."""
    found = profiles(options.matches)
    yield f"| habit ± 95 % | {' | '.join(MINDS)} |"
    yield "|---" * (len(MINDS) + 1) + "|"
    for rows in zip(*(found[mind] for mind in MINDS), strict=True):
        if rows[0].name in TOLD:
            yield f"| {rows[0].name} | {' | '.join(map(_habit, rows))} |"
    yield ""
    yield "| two minds | differ most in | by standard errors |"
    yield "|---|---|---|"
    for one, other in combinations(MINDS, 2):
        errors, name = max((apart(a, b), a.name) for a, b in zip(found[one], found[other], strict=True))
        yield f"| {one}, {other} | {name} | {errors:.1f} |"


def profiles(matches: int) -> dict[str, tuple[HabitFigure, ...]]:
    """The habits of the six over whole matches of six seats, with seats rotated each time."""
    sums = dict.fromkeys(MINDS, Counts.none(HABITS))
    for number in range(matches):
        names = MINDS[number % 6 :] + MINDS[: number % 6]
        for record in run(perudo(seats=6), [make_player(name) for name in names], seed=number, names=names):
            tallies = HABITS.tallies(game_of(record), record)
            for seat, name in enumerate(names):
                sums[name] += Counts.of(tallies[[seat]])
    return {name: profile(name, "perudo", HABITS, counts).rows for name, counts in sums.items()}


def apart(one: HabitFigure, other: HabitFigure) -> float:
    """By how many standard errors two figures differ; 0 if one of them is unknown."""
    spread = sqrt(_error(one) ** 2 + _error(other) ** 2)
    if one.value is None or other.value is None or not spread or min(one.chances, other.chances) < 50:
        return 0.0
    return abs(one.value - other.value) / spread


def _error(row: HabitFigure) -> float:
    return 0.0 if row.low is None or row.high is None else (row.high - row.low) / 3.92


def _habit(row: HabitFigure) -> str:
    if row.value is None or row.low is None or row.high is None:
        return ""
    scale, digits = (100, 1) if row.unit == "%" else (1, 2)
    half = scale * (row.high - row.low) / 2
    return f"{scale * row.value:.{digits}f} ± {half:.{digits}f}{' %' if row.unit == '%' else ''}"


# ---- after aces ----------------------------------------------------------------------------------


def aces(options: argparse.Namespace) -> Iterator[str]:
    """The six minds' answers to a bid on aces; a forced dudo is one for which no legal raise was considered."""
    told = {mind: [0, 0, 0] for mind in MINDS}
    for number in range(options.matches):
        names = MINDS[number % 6 :] + MINDS[: number % 6]
        for record in run(perudo(seats=6), [make_player(name) for name in names], seed=number, names=names):
            for mind, dudo, forced in _answers_to_aces(record):
                told[mind] = [sum(each) for each in zip(told[mind], (1, dudo, forced), strict=True)]
    yield "| mind | answers to a bid on aces | dudo | forced dudos |"
    yield "|---|---|---|---|"
    for mind, (answers, dudos, forced) in told.items():
        yield f"| {mind} | {answers:,} | {100 * dudos / max(1, answers):.1f} % | {forced} |"


def _answers_to_aces(record: Record) -> Iterator[tuple[str, bool, bool]]:
    tables = list(record.replay(game_of(record)))
    for thought in record.thoughts:
        table: Any = tables[thought.at]
        if table.history and table.wild and face_of(table.history[-1]) == ACE:
            can_raise = any(action >= FIRST_BID for action in table.actions())
            dudo = record.actions[thought.at] == DUDO
            yield record.names[thought.seat], dudo, dudo and can_raise and "Best bid" not in thought.text


# ---- crosstables --------------------------------------------------------------------------------


def two(options: argparse.Namespace) -> Iterator[str]:
    """Heads-up, every deal in both seatings."""
    yield from crosstable(options, copies=1)


def six(options: argparse.Namespace) -> Iterator[str]:
    """Three of each of two players around a table of six, alternating; every deal in six seatings."""
    yield from crosstable(options, copies=3)


TABLES = {"directions": directions, "habits": habits, "aces": aces, "two": two, "six": six}


if __name__ == "__main__":
    main()
