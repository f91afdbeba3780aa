"""Selected hands over several strategies, and the log of a training run: as a table, charts and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Final

from tahur.show.actions import Action
from tahur.show.curves import Chart, Curve, charts_svg

if TYPE_CHECKING:
    from rich.table import Table

_BRIGHT: Final = "#2fb885"  # a green that is visible as a thin line on dark
_LOG: Final = ("#7ea3e5", "#f6de67")
_DARK: Final = "#147956"
_STYLE: Final = """
body { background: #111419; color: #ebeef3; margin: 1.4rem 3vw; font: 15px/1.45 system-ui, sans-serif; }
svg { max-width: 100%; height: auto; }
table { font-variant-numeric: tabular-nums; }
td, th { padding: .1rem 1rem .1rem 0; text-align: right; }
td:first-child, td:nth-child(2) { text-align: left; }
"""
_NAME: Final = 16  # characters of a file's name over a column
_NOTE: Final = 110  # characters of all names together that fit under a title


@dataclass(frozen=True, slots=True)
class Track:
    """A hand at a decision: its action probabilities in each strategy, (strategies, actions)."""

    spot: str
    actions: tuple[Action, ...]
    chances: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """Strategies in order, with their iterations if these are known and increasing."""

    game: str
    names: tuple[str, ...]
    iterations: tuple[int, ...] | None
    tracks: tuple[Track, ...]

    @property
    def across(self) -> tuple[str, Sequence[int]]:
        """The x values of the curves."""
        if self.iterations is not None:
            return "iterations", self.iterations
        return "file", range(1, len(self.names) + 1)

    @property
    def source(self) -> str:
        """The strategies in one line; stages of one folder of nets name it once."""
        folders = {name.partition("@")[0] for name in self.names}
        if len(folders) == 1 < len(self.names):
            stages = ", ".join(name.partition("@")[2] for name in self.names)
            return f"{folders.pop()}, its average after {stages} iterations"
        names = " → ".join(self.names)
        return names if len(names) <= _NOTE else f"{self.names[0]} → … → {self.names[-1]}"

    @property
    def heads(self) -> list[str]:
        """Column headers: iterations if known, otherwise the ends of the names."""
        return [f"{each:,}" for each in self.iterations] if self.iterations else [each[-_NAME:] for each in self.names]


@dataclass(frozen=True, slots=True)
class LogPoint:
    """A line of a log."""

    iteration: int
    losses: tuple[float, ...]
    exploitability: float | None


@dataclass(frozen=True, slots=True)
class Log:
    """A training run; `unit` is that of the exploitability."""

    name: str
    unit: str
    points: tuple[LogPoint, ...]


def trace_table(trace: Trace) -> Table:
    """One line for each action of each spot, a column for each strategy, in percent."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("", no_wrap=True)
    table.add_column("", no_wrap=True)
    for head in trace.heads:
        table.add_column(head, justify="right", no_wrap=True)
    for track in trace.tracks:
        for place, action in enumerate(track.actions):
            figures = [f"{100 * chances[place]:.1f}" for chances in track.chances]
            named = Text.assemble((f" {action.letter} ", action.style), f" {action.name}")
            table.add_row(Text(track.spot if place == 0 else "", "bold"), named, *figures)
    return table


def log_table(log: Log, rows: int = 24) -> Table:
    """The measured iterations of the log, the first and the last; evenly chosen ones if they are more than `rows`."""
    from rich.table import Table

    places = _log_rows(log, rows)
    left_out = len(log.points) - len(places)
    caption = f"{left_out:,} of {len(log.points):,} iterations are not shown; --json has all" if left_out else None
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", caption=caption, caption_justify="left")
    for head in ("iteration", "loss", f"exploitability, {log.unit}"):
        table.add_column(head, justify="right", no_wrap=True)
    for place in places:
        point = log.points[place]
        losses = " ".join(f"{loss:.4g}" for loss in point.losses) or "-"
        measured = "-" if point.exploitability is None else f"{point.exploitability:.4g}"
        table.add_row(f"{point.iteration:,}", losses, measured)
    return table


def _log_rows(log: Log, rows: int) -> list[int]:
    """The points to show: all if they fit, otherwise the measured ones."""
    count = len(log.points)
    measured = [place for place, point in enumerate(log.points) if point.exploitability is not None]
    candidates = range(count) if count <= rows else measured or range(count)
    steps = min(rows, len(candidates))
    chosen = {candidates[round(step * (len(candidates) - 1) / max(steps - 1, 1))] for step in range(steps)}
    return sorted(chosen | {0, count - 1})


def trace_charts(trace: Trace) -> list[Chart]:
    """A chart for each spot."""
    name, places = trace.across
    return [
        Chart(
            f"{track.spot}, percent",
            name,
            tuple(
                Curve(f"{action.letter} {action.name}", _BRIGHT if action.colour == _DARK else action.colour, points)
                for action, points in zip(track.actions, _points(track, places), strict=True)
            ),
            (-3.0, 103.0),
        )
        for track in trace.tracks
    ]


def _points(track: Track, places: Sequence[int]) -> list[tuple[tuple[float, float], ...]]:
    return [
        tuple((float(x), 100 * chances[action]) for x, chances in zip(places, track.chances, strict=True))
        for action in range(len(track.actions))
    ]


def log_charts(log: Log) -> list[Chart]:
    """Charts of losses, and of exploitability where measured."""
    seats = max((len(point.losses) for point in log.points), default=0)
    losses = tuple(
        Curve(
            f"seat {seat + 1}" if seats > 1 else "loss",
            _LOG[seat % len(_LOG)],
            tuple((float(p.iteration), p.losses[seat]) for p in log.points if len(p.losses) > seat),
        )
        for seat in range(seats)
    )
    known = tuple((float(p.iteration), p.exploitability) for p in log.points if p.exploitability is not None)
    charts = [Chart("loss", "iteration", losses)] if seats else []
    if known:
        charts.append(Chart(f"exploitability, {log.unit}", "iteration", (Curve("exact", _LOG[0], known),)))
    return charts


def trace_svg(trace: Trace | None, logs: Sequence[Log]) -> str:
    """All charts in one picture."""
    charts = [
        *(trace_charts(trace) if trace is not None else ()),
        *(chart for log in logs for chart in log_charts(log)),
    ]
    title, note = titles(trace, logs)
    return charts_svg(charts, title, note)


def titles(trace: Trace | None, logs: Sequence[Log]) -> tuple[str, str]:
    what = [f"{trace.game}: selected hands over {len(trace.names)} strategies"] if trace is not None else []
    return "; ".join([*what, *(log.name for log in logs)]), "" if trace is None else trace.source


def trace_html(trace: Trace | None, logs: Sequence[Log]) -> str:
    """A self-contained page: the charts, and the figures of the trace as a table."""
    title, _ = titles(trace, logs)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>\n{trace_svg(trace, logs)}"
        f"{_rows(trace) if trace is not None else ''}</body></html>\n"
    )


def _rows(trace: Trace) -> str:
    heads = "".join(f"<th>{escape(head)}</th>" for head in trace.heads)
    rows = [
        f"<tr><td>{escape(track.spot)}</td><td>{action.letter} {escape(action.name)}</td>"
        + "".join(f"<td>{100 * chances[place]:.1f}</td>" for chances in track.chances)
        + "</tr>"
        for track in trace.tracks
        for place, action in enumerate(track.actions)
    ]
    return f"<table><tr><th></th><th></th>{heads}</tr>{''.join(rows)}</table>"


def trace_json(trace: Trace | None, logs: Sequence[Log]) -> dict[str, Any]:
    found: dict[str, Any] = {"trace": None, "logs": [_log_json(log) for log in logs]}
    if trace is not None:
        found["trace"] = {
            "game": trace.game,
            "strategies": list(trace.names),
            "iterations": list(trace.iterations) if trace.iterations is not None else None,
            "spots": [
                {
                    "spot": track.spot,
                    "chances": [
                        {action.name: chance for action, chance in zip(track.actions, chances, strict=True)}
                        for chances in track.chances
                    ],
                }
                for track in trace.tracks
            ],
        }
    return found


def _log_json(log: Log) -> dict[str, Any]:
    return {
        "name": log.name,
        "unit": log.unit,
        "iterations": [point.iteration for point in log.points],
        "losses": [list(point.losses) for point in log.points],
        "exploitability": [point.exploitability for point in log.points],
    }
