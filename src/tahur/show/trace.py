"""Selected hands over several strategies, and the log of a training run: as a table, charts and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any, Final

from tahur.show.actions import DARK, FONT, Action

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
        return (
            [f"{label:,}" for label in self.iterations] if self.iterations else [label[-_NAME:] for label in self.names]
        )


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
    """The traced probabilities as an HTML table: a row for each action, a column for each strategy."""
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
    """The trace (None if there is none) and the training logs for `--json`."""
    content: dict[str, Any] = {"trace": None, "logs": [_log_json(log) for log in logs]}
    if trace is not None:
        content["trace"] = {
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
    return content


def _log_json(log: Log) -> dict[str, Any]:
    return {
        "name": log.name,
        "unit": log.unit,
        "iterations": [point.iteration for point in log.points],
        "losses": [list(point.losses) for point in log.points],
        "exploitability": [point.exploitability for point in log.points],
    }


# ---- curves --------------------------------------------------------------------------------------
# Curves as SVG: small charts side by side, with axes that fit the data. Nothing depends on colour alone: each curve has
# its own dashes and marks, and its name at its end. An axis is logarithmic if the largest figure is more than twenty
# times the smallest and none is zero.


CHART: Final = (470, 280)
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 76, 40, 46  # margins
_ACROSS: Final = 3
_HEAD: Final = 66
_SOFT: Final = "#98a2b0"
_RULE: Final = "#2c323b"
_DASHES: Final = ("", "7 4", "2 4", "11 4 2 4")
_FAR: Final = 20.0  # ratio above which an axis is logarithmic
_TICKS: Final = 5
_LINE: Final = 15  # between names
_MOST_MARKED: Final = 30  # points


@dataclass(frozen=True, slots=True)
class Curve:
    """A named line of a chart, through points (x, y)."""

    name: str
    colour: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of curves over the same figure; `limits` if the range is known in advance."""

    title: str
    across: str
    curves: tuple[Curve, ...]
    limits: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis: maps figures to positions from 0 to 1."""

    low: float
    high: float
    log: bool

    @classmethod
    def over(cls, figures: Sequence[float]) -> Axis:
        low, high = min(figures), max(figures)
        if low > 0 and high / low > _FAR:
            return cls(low, high, True)
        room = (high - low) * 0.06 or abs(high) * 0.1 or 1.0
        return cls(low - room, high + room, False)

    def place(self, figure: float) -> float:
        if self.log:
            return log10(figure / self.low) / log10(self.high / self.low)
        return (figure - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        """The figures at which the axis is marked: a few round numbers."""
        if self.log:
            marks: list[float] = []
            for step in ((1, 2, 5), (1, 3), (1,)):
                marks = [
                    base * 10.0**power
                    for power in range(floor(log10(self.low)), ceil(log10(self.high)) + 1)
                    for base in step
                ]
                marks = [mark for mark in marks if self.low * 0.999 <= mark <= self.high * 1.001]
                if 2 <= len(marks) <= _TICKS + 2:
                    return marks
            return marks or [self.low, self.high]
        rough = (self.high - self.low) / _TICKS
        power = 10.0 ** floor(log10(rough))
        apart = next(multiple * power for multiple in (1, 2, 5, 10) if multiple * power >= rough)
        return [round(count * apart, 12) for count in range(ceil(self.low / apart), floor(self.high / apart) + 1)]


def charts_svg(charts: Sequence[Chart], title: str, note: str = "") -> str:
    """A standalone SVG of all charts."""
    across = min(_ACROSS, len(charts))
    width = max(across * CHART[0], round(9 * max(len(title) * 1.35, len(note))) + 32)
    height = _HEAD + -(-len(charts) // across) * CHART[1]
    parts: list[str] = []
    for place, chart in enumerate(charts):
        row, column = divmod(place, across)
        parts += [f'<g transform="translate({column * CHART[0]} {_HEAD + row * CHART[1]})">', *_chart(chart), "</g>"]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" {FONT}>',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" rx="12" fill="{DARK.paper}"/>',
            _words(16, 34, title, DARK.ink, 'font-size="20" font-weight="bold"'),
            _words(16, 56, note, _SOFT, 'font-size="13"'),
            *parts,
            "</svg>\n",
        ]
    )


def _chart(chart: Chart) -> Iterator[str]:
    """A chart as SVG: title, axes, curves and legend."""
    points = [point for curve in chart.curves for point in curve.points]
    if not points:
        yield _words(_LEFT, 24, f"{chart.title}: no measurements", _SOFT, 'font-size="15"')
        return
    x = Axis.over([point[0] for point in points])
    y = Axis(*chart.limits, False) if chart.limits else Axis.over([point[1] for point in points])
    title = chart.title + (", logarithmic" if y.log else "")
    yield _words(_LEFT, 24, title, DARK.ink, 'font-size="15" font-weight="bold"')
    yield from _rules_and_ticks(x, y, chart.across)
    for number, curve in enumerate(chart.curves):
        yield from _curve(curve, number, x, y)
    yield from _name_labels(chart.curves, y)


def _at(x: float, y: float) -> tuple[float, float]:
    """The coordinates of two positions from 0 to 1."""
    wide, high = CHART[0] - _LEFT - _RIGHT, CHART[1] - _TOP - _BOTTOM
    return _LEFT + x * wide, CHART[1] - _BOTTOM - y * high


def _rules_and_ticks(x: Axis, y: Axis, across: str) -> Iterator[str]:
    """The horizontal rules and the ticks of both axes, with their figures."""
    right, (left, bottom) = _at(1, 0)[0], _at(0, 0)
    for tick in y.ticks():
        high = _at(0, y.place(tick))[1]
        yield f'<path d="M{left:.1f} {high:.1f}H{right:.1f}" stroke="{_RULE}" fill="none"/>'
        yield _words(left - 8, high + 4, _figure(tick), _SOFT, 'font-size="12" text-anchor="end"')
    for tick in x.ticks():
        along = _at(x.place(tick), 0)[0]
        yield f'<path d="M{along:.1f} {bottom:.1f}v5" stroke="{_SOFT}" fill="none"/>'
        yield _words(along, bottom + 19, _figure(tick), _SOFT, 'font-size="12" text-anchor="middle"')
    label = across + (", logarithmic" if x.log else "")
    yield _words((left + right) / 2, bottom + 36, label, _SOFT, 'font-size="12" text-anchor="middle"')


def _curve(curve: Curve, number: int, x: Axis, y: Axis) -> Iterator[str]:
    """One curve of a chart as an SVG path, with marks at its points if there are few."""
    places = [_at(x.place(across), y.place(up)) for across, up in curve.points]
    way = "L".join(f"{across:.1f} {up:.1f}" for across, up in places)
    dash = _DASHES[number % len(_DASHES)]
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    yield f'<path d="M{way}" fill="none" stroke="{curve.colour}" stroke-width="2.2"{dashed}/>'
    if len(places) <= _MOST_MARKED:
        for place, point in zip(places, curve.points, strict=True):
            yield _mark(number, *place, curve.colour, f"{curve.name} {point[1]:.4g} at {_figure(point[0])}")


def _mark(number: int, x: float, y: float, colour: str, label: str) -> str:
    """A circle, a square, a triangle or a diamond."""
    corners = ("", "M-3.5 -3.5h7v7h-7z", "M0 -4.5L4.5 3.5H-4.5z", "M0 -5L5 0L0 5L-5 0z")[number % 4]
    shape = f'<path d="{corners}"' if corners else '<circle r="3.8"'
    return f'<g transform="translate({x:.1f} {y:.1f})"><title>{escape(label)}</title>{shape} fill="{colour}"/></g>'


def _name_labels(curves: Sequence[Curve], y: Axis) -> Iterator[str]:
    """The names at the ends of their curves, moved apart where they would overlap."""
    placed = [(_at(1, y.place(curve.points[-1][1]))[1], curve) for curve in curves if curve.points]
    ends = sorted(placed, key=lambda end: end[0])
    heights = [end for end, _ in ends]
    for place in range(1, len(heights)):
        heights[place] = max(heights[place], heights[place - 1] + _LINE)
    low = _at(0, 0)[1] - 6
    for place in range(len(heights) - 1, -1, -1):
        heights[place] = min(heights[place], low)
        low = heights[place] - _LINE
    for height, (_, curve) in zip(heights, ends, strict=True):
        yield _words(_at(1, 0)[0] + 8, height + 4, curve.name, curve.colour, 'font-size="12" font-weight="bold"')


def _figure(figure: float) -> str:
    return f"{figure:,.0f}" if abs(figure) >= 1000 and figure == int(figure) else f"{figure:.4g}"


def _words(x: float, y: float, text: str, ink: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{ink}" {more}>{escape(text)}</text>'
