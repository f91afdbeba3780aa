"""Rows in, text out: a table for the terminal, the page for docs/benchmarks.md, one JSON object."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from benchmarks.machine import Machine
from benchmarks.measure import GO, ROUNDS, Figure, Row, three_digits

HEADINGS = ("work", "peer", "peer's figure", "ours", "ratio", "median", "spread", "target", "verdict")

PAGE = """\
# Benchmarks

Written whole by `make bench-page`; do not edit. `make bench` installs the peers and prints the same table in the
terminal; `python -m benchmarks --only flop` measures a part of it.

- machine: {cpu}
- vector registers: {vectors}
- system: {system}
- libraries: {libraries}
- peers: {peers}
- commit: {commit}
- date: {date}
- load: {load}

{table}

The ratio says how many times as fast as the peer tahur is. Each row is measured in {processes} new processes; in each
both sides work alternately, in {rounds} rounds of at least {go:g} s, and each side's best round counts, in CPU time of
one core. The ratio compares the best of all processes, the median is that of the processes' ratios, and the spread is
the difference between the largest and the smallest of these, as a share of the median. "Within the spread" marks a
target that some processes met and others did not. Rows in wall time are the best of ten new processes, the tables the
best of five, compilation is done once per process. Rates and times depend on the machine and on the day, ratios much
less.

Before a pair is timed its answers are compared: all hands must rank alike, exact equities agree to 1e-9 and cover every
deal, sampled ones lie within five standard errors of the exact one. A pair that disagrees is not timed.

phevaluator's C entry and OMPEval's batch are private and check nothing; they are the fastest functions available from
Python. eval7 and treys get prepared cards, poker-equity gets text. tahur's batch checks every card. Equities are
requested as text, in a warm process. tahur caches the ranges it has parsed: the row "a text never seen" is without
that.
"""


def cells(row: Row) -> tuple[str, ...]:
    ratio = "" if row.ratio is None else f"{three_digits(row.ratio)}x"
    middle = "" if row.median is None else f"{three_digits(row.median)}x"
    spread = "" if row.spread is None else f"{100 * row.spread:.0f} %"
    figures = _text(row.theirs), _text(row.ours), ratio, middle, spread
    texts = row.work, row.peer, *figures, row.target, row.verdict
    return tuple(text or "-" for text in texts)


def as_text(rows: Sequence[Row]) -> str:
    lines = _padded(rows)
    rule = ["-" * len(cell) for cell in lines[0]]
    return "\n".join("  ".join(line).rstrip() for line in [lines[0], rule, *lines[1:]])


def as_markdown(rows: Sequence[Row], machine: Machine, processes: int) -> str:
    lines = _padded(rows)
    rule = ["-" * len(cell) for cell in lines[0]]
    table = "\n".join(f"| {' | '.join(line)} |" for line in [lines[0], rule, *lines[1:]])
    return PAGE.format(**asdict(machine), table=table, processes=processes, rounds=ROUNDS, go=GO)


def as_json(rows: Sequence[Row], machine: Machine) -> str:
    return json.dumps({"machine": asdict(machine), "rows": [_plain(row) for row in rows]}, ensure_ascii=False)


def summary(rows: Sequence[Row]) -> str:
    """The number of met targets, in one line."""
    missed, met = sum(row.missed for row in rows), sum(row.verdict.startswith("met") for row in rows)
    troubled = sum(bool(row.trouble) for row in rows)
    unsure = sum(row.uncertain for row in rows)
    return f"targets: {met} met, {missed} missed, {unsure} of them within the spread" + (
        f"; {troubled} rows not measured" if troubled else ""
    )


def _plain(row: Row) -> dict[str, object]:
    names = "ratio", "median", "spread", "target", "verdict"
    return asdict(row) | {name: getattr(row, name) for name in names}


def _text(figure: Figure | None) -> str:
    return "" if figure is None else str(figure)


def _padded(rows: Sequence[Row]) -> list[list[str]]:
    lines = [HEADINGS, *map(cells, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [[cell.ljust(width) for cell, width in zip(line, widths, strict=True)] for line in lines]
