"""Curves as SVG: small charts side by side, with axes that fit the data.

Nothing depends on colour alone: each curve has its own dashes and marks, and its name at its end. An axis is
logarithmic if the largest figure is more than twenty times the smallest and none is zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from typing import Final

from tahur.show.actions import DARK, FONT

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
        if self.log:
            found: list[float] = []
            for step in ((1, 2, 5), (1, 3), (1,)):
                found = [
                    base * 10.0**power
                    for power in range(floor(log10(self.low)), ceil(log10(self.high)) + 1)
                    for base in step
                ]
                found = [each for each in found if self.low * 0.999 <= each <= self.high * 1.001]
                if 2 <= len(found) <= _TICKS + 2:
                    return found
            return found or [self.low, self.high]
        rough = (self.high - self.low) / _TICKS
        power = 10.0 ** floor(log10(rough))
        apart = next(each * power for each in (1, 2, 5, 10) if each * power >= rough)
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
    points = [point for curve in chart.curves for point in curve.points]
    if not points:
        yield _words(_LEFT, 24, f"{chart.title}: no measurements", _SOFT, 'font-size="15"')
        return
    x = Axis.over([point[0] for point in points])
    y = Axis(*chart.limits, False) if chart.limits else Axis.over([point[1] for point in points])
    title = chart.title + (", logarithmic" if y.log else "")
    yield _words(_LEFT, 24, title, DARK.ink, 'font-size="15" font-weight="bold"')
    yield from _ruled(x, y, chart.across)
    for number, curve in enumerate(chart.curves):
        yield from _curve(curve, number, x, y)
    yield from _names(chart.curves, y)


def _at(x: float, y: float) -> tuple[float, float]:
    """The coordinates of two positions from 0 to 1."""
    wide, high = CHART[0] - _LEFT - _RIGHT, CHART[1] - _TOP - _BOTTOM
    return _LEFT + x * wide, CHART[1] - _BOTTOM - y * high


def _ruled(x: Axis, y: Axis, across: str) -> Iterator[str]:
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


def _names(curves: Sequence[Curve], y: Axis) -> Iterator[str]:
    """The names at the ends of their curves, moved apart where they would overlap."""
    placed = [(_at(1, y.place(curve.points[-1][1]))[1], curve) for curve in curves if curve.points]
    ends = sorted(placed, key=lambda each: each[0])
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
