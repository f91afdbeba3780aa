"""The 13x13 matrix of starting hands coloured by action, and a table of the actions.

Folding is blue, checking and calling green, bets and raises go from amber to violet by size; the colours were
chosen so that colour-blind readers can distinguish them. Every action has a letter too, so that nothing depends on
colour alone: f, x (check), c (call), 1 2 3 ... by size, a (all-in).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np

from tahur.cards.rankings import class_names
from tahur.core.arrays import Float64s

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

_SIDE: Final = 13
_BAR: Final = 3  # letters in a cell of the terminal matrix
_LONG_BAR: Final = 30
_FOLD: Final = (126, 163, 229)
_PASSIVE: Final = (20, 121, 86)
_SMALL: Final = (246, 222, 103)
_BIG: Final = (167, 49, 218)
_HELD: Final = (150, 160, 175)
_DARK_INK: Final = "#101318"
_LIGHT_INK: Final = "#ffffff"
_CELL: Final = (56, 40)  # the SVG, in its own units
_GAP: Final = 2
_MARGIN: Final = 10
_LEAST_SHOWN: Final = 0.005
_LEAST_LETTERED: Final = 0.05  # smallest weight drawn, so that letters have a background
MATRIX_SIZE: Final = (_SIDE * (_CELL[0] + _GAP) - _GAP, _SIDE * (_CELL[1] + _GAP) - _GAP)
FONT: Final = 'font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace"'


@dataclass(frozen=True, slots=True)
class Action:
    """A move's name, its letter and its colour."""

    name: str
    letter: str
    colour: str

    @property
    def ink(self) -> str:
        """A text colour that is readable on the colour."""
        red, green, blue = (int(self.colour[place : place + 2], 16) for place in (1, 3, 5))
        return _DARK_INK if 0.299 * red + 0.587 * green + 0.114 * blue > 125 else _LIGHT_INK

    @property
    def style(self) -> str:
        """The style for Rich."""
        return f"{self.ink} on {self.colour}"


HELD: Final = Action("in the range", "=", "#{:02x}{:02x}{:02x}".format(*_HELD))


@dataclass(frozen=True, slots=True)
class Theme:
    """The neutral colours of an SVG: paper, background of cells, text, faint text."""

    paper: str
    ground: str
    ink: str
    faint: str

    @property
    def outlined(self) -> str:
        """Attributes of text that is readable on any background."""
        return f'fill="{self.ink}" stroke="{self.paper}" stroke-width="2.5" paint-order="stroke"'


DARK: Final = Theme("#111419", "#1c2026", "#ebeef3", "#626b78")


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """weights: (169,) 0 to 1, how much of each class is in the range; shares: (actions, 169), columns sum to 1."""

    title: str
    actions: tuple[Action, ...]
    weights: Float64s
    shares: Float64s


def actions_of(names: Sequence[str]) -> tuple[Action, ...]:
    """Letters and colours for moves such as fold, check, call, bet100, raise300, all-in900, smallest bet first."""
    bets = [name for name in names if name[:5] not in ("fold", "check", "call")]
    actions = []
    for name in names:
        if name not in bets:
            actions.append(Action(name, {"check": "x"}.get(name, name[0]), _hex(_FOLD if name == "fold" else _PASSIVE)))
            continue
        place = bets.index(name)
        letter = "a" if name.startswith("all-in") else str(place + 1)
        actions.append(Action(name, letter, _hex(_between(place / max(len(bets) - 1, 1)))))
    return tuple(actions)


def matrix_text(picture: Picture) -> Text:
    """For a terminal: thirteen rows of 78 columns; each cell has a hand's name and three letters for its actions."""
    from rich.text import Text

    text = Text(no_wrap=True)
    for place, name in enumerate(class_names()):
        weight = float(picture.weights[place])
        if weight < _LEAST_SHOWN:
            text.append("  ·   ", "dim")
        else:
            text.append(f"{name:<3}", "bold" if weight > 1 - _LEAST_SHOWN else "" if weight > 0.5 else "dim")
            for action, count in zip(picture.actions, letters_of(picture.shares[:, place], _BAR), strict=True):
                text.append(action.letter * count, action.style)
        text.append("\n" if place % _SIDE == _SIDE - 1 else "")
    for action in picture.actions:
        text.append(f" {action.letter} ", action.style).append(f" {action.name}  ")
    return text.append("  · rarely reached; bold: all of it, dim: under half", "dim")


def values_text(weights: Float64s, values: Float64s) -> Text:
    """For a terminal: thirteen rows of 78 columns with a number for each class of hands, negative ones dim."""
    from rich.text import Text

    text = Text(no_wrap=True)
    for place in range(_SIDE * _SIDE):
        if weights[place] < _LEAST_SHOWN:
            text.append("  ·   ", "dim")
        else:
            text.append(f"{_signed(float(values[place])):<6}", "dim" if values[place] < 0 else "")
        text.append("\n" if place % _SIDE == _SIDE - 1 else "")
    return text


def _signed(value: float) -> str:
    """In at most five characters: +1.23, -12.3, +123."""
    digits = 2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0
    return f"{value + 0.0:+.{digits}f}"


def actions_table(actions: Sequence[Action], frequencies: Float64s, evs: Float64s, after: Sequence[str]) -> Table:
    """A table of the actions: frequency, EV of the hands that take it, and the next node."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("")
    for column in ("freq", "EV"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("then")
    for action, frequency, ev, then in zip(actions, frequencies, evs, after, strict=True):
        bar = Text(action.letter * round(frequency * _LONG_BAR), action.style)
        table.add_row(Text(action.name, "bold"), f"{frequency:.1%}", chips(ev), bar, then)
    return table


@dataclass(frozen=True, slots=True, eq=False)
class Hand:
    """One hand; `shares` and `evs` are by action. EVs and equities may be NaN."""

    name: str
    reach: float
    equity: float
    ev: float
    shares: Float64s
    evs: Float64s
    locked: bool = False


def hands_text(actions: Sequence[Action], hands: Sequence[Hand]) -> Text:
    """One line per hand: reach, equity, EV, and the frequency and EV of each action.

    Not a Rich table, which would omit columns on a narrow terminal.
    """
    from rich.text import Text

    head = [f"{'hand':<6}{'reach':>6}{'equity':>8}{'EV':>9}", *(f"{action.name + ', EV':>17}" for action in actions)]
    text = Text("".join(head), "dim", no_wrap=True)
    for hand in hands:
        text.append(f"\n{hand.name:<6}", "not dim bold")
        text.append(f"{hand.reach:>6.3f}{percent(hand.equity):>8}{chips(hand.ev):>9}", "not dim")
        for share, ev in zip(hand.shares, hand.evs, strict=True):
            text.append(f"{share:>8.1%}{chips(ev):>9}", "not dim" if share >= _LEAST_SHOWN else "dim")
        text.append("  locked" if hand.locked else "", "not dim")
    return text


def matrix_svg(picture: Picture, theme: Theme = DARK) -> str:
    """A standalone SVG: cells are filled by the hand's weight, in pieces as wide as the actions' probabilities."""
    width, height = MATRIX_SIZE[0] + 2 * _MARGIN, MATRIX_SIZE[1] + 2 * _MARGIN + 60
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" {FONT}>',
            f"<title>{escape(picture.title)}</title>",
            f'<rect width="{width}" height="{height}" rx="12" fill="{theme.paper}"/>',
            f'<text x="{_MARGIN}" y="24" font-size="14" fill="{theme.ink}">{escape(picture.title)}</text>',
            *matrix_cells(picture, (_MARGIN, 36), theme),
            *_svg_legend(picture.actions, height - 12, theme),
            "</svg>\n",
        ]
    )


def matrix_cells(picture: Picture, corner: tuple[int, int], theme: Theme) -> Iterator[str]:
    """The 169 cells, for use in a larger picture; their size is `MATRIX_SIZE`."""
    for place, name in enumerate(class_names()):
        row, column = divmod(place, _SIDE)
        left, top = corner[0] + column * (_CELL[0] + _GAP), corner[1] + row * (_CELL[1] + _GAP)
        yield _svg_cell(picture, place, name, theme, (left, top))


def _svg_cell(picture: Picture, place: int, name: str, theme: Theme, corner: tuple[int, int]) -> str:
    """One hand class of the matrix as an SVG group at `corner` (x, y): filled by its weight, split by action."""
    weight, shares = float(picture.weights[place]), picture.shares[:, place]
    ink = theme.outlined if weight >= _LEAST_SHOWN else f'fill="{theme.faint}"'
    parts = [
        f'<g transform="translate({corner[0]} {corner[1]})" data-hand="{escape(name)}">',
        f'<rect width="{_CELL[0]}" height="{_CELL[1]}" fill="{theme.ground}"/>',
    ]
    if weight > 0:
        label = ", ".join(
            f"{a.name} {s:.0%}" for a, s in zip(picture.actions, shares, strict=True) if s >= _LEAST_SHOWN
        )
        parts.append(f"<title>{escape(f'{name}: {label}; {weight:.0%} of it is here')}</title>")
        parts += _svg_pieces(picture.actions, shares, weight, theme)
    parts.append(f'<text x="4" y="15" font-size="13" {ink}>{escape(name)}</text></g>')
    return "".join(parts)


def _svg_pieces(actions: Sequence[Action], shares: Float64s, weight: float, theme: Theme) -> Iterator[str]:
    """The filled part of a cell: a rectangle for each action, as wide as its share, with the action's letter."""
    at, high = 0.0, weight * _CELL[1]
    for action, share in zip(actions, shares.tolist(), strict=True):
        wide = share * _CELL[0]
        if share >= _LEAST_SHOWN:
            yield (
                f'<rect x="{at:.1f}" y="{_CELL[1] - high:.1f}" width="{wide:.1f}" height="{high:.1f}" '
                f'fill="{action.colour}"/>'
            )
            if wide > 9 and weight >= _LEAST_LETTERED:
                place = f'x="{at + 2:.1f}" y="{_CELL[1] - 4}"'
                yield f'<text {place} font-size="11" {theme.outlined}>{action.letter}</text>'
        at += wide


def _svg_legend(actions: Sequence[Action], y: int, theme: Theme) -> Iterator[str]:
    x = _MARGIN
    for action in actions:
        label = f"{action.letter} {action.name}"
        yield f'<rect x="{x}" y="{y - 10}" width="12" height="12" fill="{action.colour}"/>'
        yield f'<text x="{x + 17}" y="{y}" font-size="12" fill="{theme.ink}">{escape(label)}</text>'
        x += 30 + 8 * len(label)


def letters_of(shares: Float64s, count: int) -> list[int]:
    """How many of `count` letters each share gets, by the largest remainder method."""
    wanted = np.round(np.asarray(shares, np.float64) * count, 9)  # so that 0.3 / 0.1 is not less than 3
    whole = np.floor(wanted).astype(int)
    up = np.argsort(whole - wanted, kind="stable")[: max(count - int(whole.sum()), 0)]
    whole[up] += 1
    return [int(share) for share in whole]


def _between(part: float) -> tuple[int, ...]:
    return tuple(round(low + part * (high - low)) for low, high in zip(_SMALL, _BIG, strict=True))


def _hex(colour: Sequence[int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def chips(ev: float) -> str:
    return "-" if np.isnan(ev) else f"{round(float(ev), 2) + 0.0:.2f}"  # never -0.00


def percent(share: float, digits: int = 1) -> str:
    return "-" if np.isnan(share) else f"{share:.{digits}%}"
