"""A limit strategy for `tahur show`: collects decisions, flops and traces of the policy for the pictures."""

from __future__ import annotations

import re
import sys
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tahur.cli.output import console, print_json, watch
from tahur.core.errors import StrategyError
from tahur.core.limits import MOST_TEXT, parse_json, read_file

if TYPE_CHECKING:
    from tahur.cli.limit.policies import Subject
    from tahur.core.spots import DecisionTable
    from tahur.games.holdem.limit_study import LimitStudy
    from tahur.show.actions import Action, Picture
    from tahur.show.sheet import Column, FlopPanel, FlopRow, Panel, Sheet
    from tahur.show.trace import Log, LogPoint, Trace, Track
    from tahur.solvers.postflop.flops import TextureFlop

RARE: Final = 0.005  # hands with a smaller reach are left out of the matrix
FLOPS: Final = 24
FIRST_IN, FACING_A_RAISE = "", "raise"
PREFLOP: Final = ((FIRST_IN, "first in"), (FACING_A_RAISE, "facing a raise"))
OUT, IN = "out of position", "in position"
COLUMNS: Final = (("", OUT, "first"), ("check", IN, "checked to"), ("bet", IN, "facing a bet"))
IN_FULL: Final = (*COLUMNS, ("check,bet", OUT, "facing a bet"))


@dataclass(frozen=True, slots=True)
class Wanted:
    """The parts of a strategy to draw."""

    preflop: bool  # both matrices
    flops: int  # of every kind; 0 for none
    flop: str  # one flop, in full; empty for none
    line: str  # before the flops


class OutputForm(Enum):
    """The output format."""

    TEXT = "text"
    SVG = "svg"
    HTML = "html"
    JSON = "json"

    @classmethod
    def of(cls, *, svg: bool, html: bool, as_json: bool) -> OutputForm:
        return cls.SVG if svg else cls.HTML if html else cls.JSON if as_json else cls.TEXT


def parts_to_show(*, preflop: bool, flops: int | None, flop: str, line: str) -> Wanted:
    """All parts, unless the options select some."""
    selected = preflop or flops is not None or bool(flop)
    many = flops if flops is not None else 0 if selected else FLOPS
    return Wanted(preflop or not selected, many, flop, line.replace("-", ","))  # raise-call, as players say


def is_limit(name: str) -> bool:
    """Whether the name is a policy that `tahur eval lhe` accepts."""
    from tahur.cli.limit.policies import KINDS, is_nets
    from tahur.core.archive import BUCKETS, FLOPS, kind_of

    kind, colon, rest = name.partition(":")
    if (colon and kind in KINDS) or is_nets(name):
        return True
    return kind_of(Path(rest if colon and kind == "strategy" else name)) in (BUCKETS.name, FLOPS.name)


def show_limit(name: str, at: str | None, parts: Wanted, form: OutputForm) -> None:
    """Show one decision after a line, or the whole sheet."""
    from tahur.cli.limit.policies import subject_named

    subject = subject_named(name)
    if at is not None:
        _show_spot(subject, name, at, form)
        return
    sheet = watch(sheet_of(subject, parts), "flops")
    if form is OutputForm.JSON:
        from tahur.show.sheet import sheet_json

        print_json({"game": subject.game.name, "iterations": subject.iterations, **sheet_json(sheet)})
    elif form is OutputForm.TEXT:
        from tahur.show.sheet import sheet_text

        out = console()
        out.print(sheet_text(sheet))
        out.print(f"[dim]One flop: tahur show {name} --flop Td9d6h. One decision: --at raise,call,Ks8s3d,check[/]")
    else:
        from tahur.show.sheet_page import sheet_html, sheet_svg

        sys.stdout.write(sheet_svg(sheet) if form is OutputForm.SVG else sheet_html(sheet))


def show_trace(names: Sequence[str], spots: str | None, form: OutputForm) -> None:
    """Show strategies and training logs over time."""
    from rich.markup import escape

    from tahur.cli.limit.policies import subject_named
    from tahur.show.trace import log_table, trace_html, trace_json, trace_svg, trace_table

    logs = [read_log(Path(name)) for name in names if name.endswith(LOG)]
    subjects = [subject_named(name) for name in stages_of([name for name in names if not name.endswith(LOG)])]
    trace = trace_of(subjects, spots_of(SPOTS if spots is None else spots)) if subjects else None
    if form is OutputForm.JSON:
        print_json(trace_json(trace, logs))
    elif form is OutputForm.TEXT:
        out = console()
        if trace is not None:
            out.print(f"[bold]{trace.game}[/], percent: {escape(trace.source)}")
            out.print(trace_table(trace))
        for log in logs:
            out.print(f"[bold]{log.name}[/]")
            out.print(log_table(log))
        out.print("[dim]As curves: --svg > trace.svg[/]")
    else:
        sys.stdout.write(trace_svg(trace, logs) if form is OutputForm.SVG else trace_html(trace, logs))


def sheet_of(subject: Subject, parts: Wanted) -> Generator[float, None, Sheet]:
    """Collect the selected parts; yields the progress, 0 to 1."""
    from tahur.games.holdem.limit_study import LimitStudy
    from tahur.show.sheet import Sheet

    study = LimitStudy(subject.policy, subject.betting)
    panels: list[Panel] = []
    if parts.preflop:
        panels += [_panel(study, line, name) for line, name in PREFLOP]
    if parts.flop:
        panels += _in_full(study, parts.line, parts.flop)
    flops = None
    if parts.flops:
        flops = yield from _flops(study, parts.line, parts.flops)
    return Sheet(_title(subject), subject.about, tuple(panels), flops)


def _show_spot(subject: Subject, name: str, at: str, form: OutputForm) -> None:
    """Show the decision at the line `at`, in the form that was asked for."""
    from tahur.cli.solve.show import spot_json
    from tahur.games.holdem.limit_study import LimitStudy
    from tahur.show.sheet import Panel, Sheet, sheet_text
    from tahur.show.sheet_page import sheet_html, sheet_svg
    from tahur.show.strategy import onward_table

    study = LimitStudy(subject.policy, subject.betting)
    spot = study.spot(at)
    where = f"after {', '.join(spot.line)}" if spot.line else "first in"
    title = f"{study.seat_name(spot.seat).capitalize()} {where}: {100 * spot.frequency:.3g} % of all deals"
    panel = Panel(picture_of(spot, title), spot.average, spot.frequency)
    sheet = Sheet(_title(subject), subject.about, (panel,))
    if form is OutputForm.JSON:
        print_json({"game": subject.game.name, "iterations": subject.iterations, **spot_json(spot)})
    elif form is OutputForm.TEXT:
        out = console()
        out.print(sheet_text(sheet))
        if spot.onward:
            out.print(onward_table(spot.onward))
        out.print(f"[dim]Flops: --at 'raise,call,Ks8s3d'. Every figure: tahur show {name} --at '{at}' --json[/]")
    else:
        sys.stdout.write(sheet_svg(sheet) if form is OutputForm.SVG else sheet_html(sheet))


def _title(subject: Subject) -> str:
    return f"{subject.game.name}: {subject.name.removeprefix('strategy:')}"


def picture_of(spot: DecisionTable, title: str) -> Picture:
    """The 13x13 matrix; a hand's weight is its reach, 0 if below the threshold."""
    import numpy as np

    from tahur.cards.rankings import class_names
    from tahur.show.actions import Picture

    place = {name: number for number, name in enumerate(class_names())}
    weights, shares = np.zeros(len(place)), np.zeros((len(spot.actions), len(place)))
    for row in spot.rows:
        weights[place[row.text]] = row.reach if row.reach >= RARE else 0.0
        shares[:, place[row.text]] = row.chances
    return Picture(title, short_actions(spot.actions), weights, shares)


def short_actions(labels: Sequence[str]) -> tuple[Action, ...]:
    """Limit actions have fixed sizes: `raise to 4` is shown as `raise`, with the letter r."""
    from tahur.show.actions import actions_of

    named = actions_of([label.split()[0] for label in labels])
    return tuple(replace(action, letter=action.name[0]) if action.letter == "1" else action for action in named)


def _panel(study: LimitStudy, line: str, name: str) -> Panel:
    from tahur.show.sheet import Panel

    spot = study.spot(line)
    title = f"{study.seat_name(spot.seat).capitalize()}, {name}: {100 * spot.frequency:.3g} % of all deals"
    return Panel(picture_of(spot, title), spot.average, spot.frequency)


def _in_full(study: LimitStudy, line: str, flop: str) -> list[Panel]:
    """The decisions on one flop."""
    from tahur.show.sheet import Panel

    before, panels = ",".join(study.to_the_flop(line)), list[Panel]()
    whole = study.spot(f"{before},{flop}").frequency
    for after, seat, name in IN_FULL:
        spot = study.spot(f"{before},{flop},{after}")
        reach = f"{100 * spot.frequency / whole:.3g} % of the time" if whole else "never reached by this strategy"
        title = f"{flop}, {seat}, {name}: {reach}"
        panels.append(Panel(picture_of(spot, title), spot.average, spot.frequency))
    return panels


def _flops(study: LimitStudy, line: str, number: int) -> Generator[float, None, FlopPanel]:
    """The panel of representative flops after a line; yields the share done."""

    from tahur.show.sheet import FlopPanel
    from tahur.solvers.postflop.flops import flops_by_texture

    before = study.to_the_flop(line)
    rows: list[FlopRow] = []
    columns: tuple[Column, ...] = ()
    for done, flop in enumerate(chosen := flops_by_texture(number)):
        row, columns = _row(study, ",".join(before), flop)
        rows.append(row)
        yield (done + 1) / len(chosen)
    return FlopPanel(", ".join(before), columns, tuple(rows))


def _row(study: LimitStudy, before: str, flop: TextureFlop) -> tuple[FlopRow, tuple[Column, ...]]:
    """A flop's row of bars, one for each situation on it, and their columns."""

    from tahur.cards.cards import cards_text
    from tahur.show.sheet import Bar, Column, FlopRow

    decisions = [study.glance(f"{before},{cards_text(flop.cards)},{after}") for after, _, _ in COLUMNS]
    bars = tuple(Bar(decision.average, decision.frequency) for decision in decisions)
    columns = tuple(
        Column(seat, name, short_actions(decision.actions))
        for decision, (_, seat, name) in zip(decisions, COLUMNS, strict=True)
    )
    return FlopRow(str(flop.texture), flop.cards, flop.count, bars), columns


# ---- traces: chosen hands over several strategies, and the curves of a training log --------------

LOG: Final = ".jsonl"  # the suffix of log files
# Hands that are close decisions; with aces there is nothing to see.
SPOTS: Final = "first-in J4s, first-in 85o, first-in 54s, facing-raise QTs, facing-raise T4s, facing-raise 94o"
STAGES: Final = 8  # of one folder of nets
LINES: Final = {"first-in": "", "facing-raise": "raise", "facing-limp": "call", "facing-3bet": "raise,raise"}
_SPOT: Final = re.compile(r"\s*(\S+)\s+([^\s,;]+)\s*(?:[,;]|$)")


@dataclass(frozen=True, slots=True)
class TracedHand:
    """A hand after a line, with its label."""

    name: str
    line: str
    hand: str


def spots_of(text: str) -> list[TracedHand]:
    """`first-in AA, raise,raise 72o`: pairs of a line (or its name) and a hand."""
    hands, place = list[TracedHand](), 0
    while text[place:].strip():
        match = _SPOT.match(text, place)
        if match is None:
            raise StrategyError(
                f"no spots in '{text[place:].strip()}'; write pairs of a line and a hand, such as "
                f"'first-in AA, raise,raise 72o'; named lines: {', '.join(LINES)}"
            )
        line, hand = match.groups()
        hands.append(TracedHand(f"{line} {hand}", LINES.get(line.lower(), line), hand))
        place = match.end()
    if not hands:
        raise StrategyError("no spots; write some, such as 'first-in AA, facing-raise K9s'")
    return hands


def stages_of(names: Sequence[str]) -> list[str]:
    """The given names; for a single folder of nets, its average at several iterations."""
    from tahur.cli.limit.policies import is_nets
    from tahur.core.net_file import folder_of, read_header

    only = names[0].removeprefix("net:") if len(names) == 1 else ""
    if not is_nets(only) or "@" in only:
        return list(names)
    kept = [iteration for iteration, _ in read_header(folder_of(Path(only)))["nets"]]
    steps = min(STAGES, len(kept))
    chosen = sorted({kept[(step + 1) * len(kept) // steps - 1] for step in range(steps)})
    return [f"net:{only}@{iteration}" for iteration in chosen]


def trace_of(subjects: Sequence[Subject], spots: Sequence[TracedHand]) -> Trace:
    """Load the policies; they must be for the same game."""
    from tahur.games.holdem.limit_study import LimitStudy
    from tahur.show.trace import Trace

    game = subjects[0].game.name
    if other := next((subject for subject in subjects if subject.game.name != game), None):
        raise StrategyError(f"{other.name} is for {other.game.name}, {subjects[0].name} for {game}; trace one game")
    studies = [LimitStudy(subject.policy, subject.betting) for subject in subjects]
    known = [subject.iterations for subject in subjects if subject.iterations is not None]
    growing = len(known) == len(subjects) and all(a < b for a, b in pairwise(known))
    names = tuple(subject.name.removeprefix("strategy:") for subject in subjects)
    return Trace(game, names, tuple(known) if growing else None, tuple(_track(spot, studies) for spot in spots))


def _track(traced: TracedHand, studies: Sequence[LimitStudy]) -> Track:
    from tahur.show.trace import Track

    hands = [study.hand(traced.line, traced.hand) for study in studies]
    return Track(traced.name, short_actions(list(hands[0])), tuple(tuple(chances.values()) for chances in hands))


def read_log(path: Path) -> Log:
    """JSON lines with `iteration`, and `loss` or `losses`, and `exploitability` where it was measured."""
    from tahur.show.trace import Log

    try:
        text = read_file(path, MOST_TEXT).decode("utf-8")
    except (OSError, ValueError) as error:
        raise StrategyError(f"{path} cannot be read: {error}") from None
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    points, unit = list[Any](), "mbb/g"
    for number, line in lines:
        try:
            entry = parse_json(line)
            points.append(_point(entry))
            unit = str(entry.get("unit") or unit)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            if number == lines[-1][0] and points:
                break  # still being written
            raise StrategyError(f"line {number} of {path} is not a line of a training log: {error!r}") from None
    if not points:
        raise StrategyError(f"{path} has no lines yet")
    return Log(str(path), unit, tuple(points))


def _point(entry: Any) -> LogPoint:
    """The losses and the measurement of one line of a training log."""

    from tahur.show.trace import LogPoint

    given = entry.get("losses", entry.get("loss"))
    losses = [] if given is None else given if isinstance(given, list) else [given]
    measured = entry.get("exploitability")
    exploitability = None if measured is None else float(measured)
    finite = tuple(float(loss) for loss in losses if loss is not None and isfinite(loss))
    return LogPoint(int(entry["iteration"]), finite, exploitability)
