"""The 13x13 matrix of starting hands as a picture, for a terminal and for a page.

Both pictures have the same cells. The hue shows the kind of hand (pair, suited, offsuit), the intensity its weight.
Nothing depends on colour alone: a hand with full weight is bold, one with partial weight has its percentage in small
figures (`A5s₅₀`), and one that is not in the range is a dot in the terminal and a faint name on the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.rankings import class_names
from tahur.core.errors import RangeError

if TYPE_CHECKING:
    from rich.text import Text

_SIDE: Final = 13
_SMALL_FIGURES: Final = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

_Color = tuple[int, int, int]
_GROUND: Final[_Color] = (28, 32, 38)
_PAPER: Final[_Color] = (17, 20, 25)
_DARK_INK: Final[_Color] = (16, 19, 24)
_LIGHT_INK: Final[_Color] = (235, 238, 243)
_FAINT_INK: Final[_Color] = (98, 107, 120)
_LEAST_HEAT: Final = 0.2  # a hand with weight 0.01 is still distinguishable from the background

_CELL_WIDTH: Final = 50  # the SVG, in its own units
_CELL_HEIGHT: Final = 36
_GAP: Final = 2
_MARGIN: Final = 10


def matrix_text(matrix: NDArray[np.float64], *, labels: Sequence[str] | None = None) -> Text:
    """The weights (13, 13) for a terminal: thirteen rows of 78 columns and a legend.

    `labels` are 169 names of at most three letters, row by row; without them, those of the starting hands.
    """
    from rich.text import Text  # here, because the import takes 50 ms

    picture = Text(no_wrap=True)
    for cell in _cells(matrix, labels):
        picture.append(_plain(cell), _style(cell))
        picture.append("\n" if cell.column == _SIDE - 1 else "")
    for kind in _Kind:
        picture.append(" ■ ", _hex(kind.value)).append(kind.name.lower())
    return picture.append("     A5s always, A5s₅₀ half the time, · never", "dim")


def matrix_svg(matrix: NDArray[np.float64], *, labels: Sequence[str] | None = None) -> str:
    """The weights (13, 13) as a standalone SVG, without external fonts, scripts or links."""
    width = _SIDE * (_CELL_WIDTH + _GAP) - _GAP + 2 * _MARGIN
    height = _SIDE * (_CELL_HEIGHT + _GAP) - _GAP + 2 * _MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" text-anchor="middle" '
            'font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace">',
            "<title>A range of starting hands: pairs on the diagonal, suited above, offsuit below</title>",
            f'<rect width="{width}" height="{height}" rx="12" fill="{_hex(_PAPER)}"/>',
            *(_svg_cell(cell) for cell in _cells(matrix, labels)),
            "</svg>\n",
        ]
    )


class _Kind(Enum):
    """The three kinds of hands, each with its hue."""

    PAIR = (246, 190, 82)
    SUITED = (84, 196, 150)
    OFFSUIT = (112, 162, 246)


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell of the matrix: one of the 169 kinds of starting hand, with its weight."""

    row: int
    column: int
    label: str
    weight: float

    @property
    def kind(self) -> _Kind:
        if self.row == self.column:
            return _Kind.PAIR
        return _Kind.SUITED if self.row < self.column else _Kind.OFFSUIT

    @property
    def sometimes(self) -> bool:
        return 0 < self.weight < 1

    @property
    def percent(self) -> int:
        """The percentage; 0 and 100 are reserved for exactly never and always."""
        return min(max(round(100 * self.weight), 1), 99) if self.sometimes else round(100 * self.weight)

    @property
    def fill(self) -> _Color:
        heat = _LEAST_HEAT + (1 - _LEAST_HEAT) * self.weight if self.weight else 0.0
        red, green, blue = (
            round(ground + heat * (hue - ground)) for ground, hue in zip(_GROUND, self.kind.value, strict=True)
        )
        return red, green, blue

    @property
    def ink(self) -> _Color:
        if not self.weight:
            return _FAINT_INK
        red, green, blue = self.fill
        brightness = 0.299 * red + 0.587 * green + 0.114 * blue  # perceived brightness, 0 to 255
        return _DARK_INK if brightness > 125 else _LIGHT_INK


def _cells(matrix: NDArray[np.float64], labels: Sequence[str] | None) -> list[_Cell]:
    """The 169 cells with their weights, row by row."""
    names = class_names() if labels is None else labels
    if matrix.shape != (_SIDE, _SIDE) or len(names) != matrix.size:
        raise RangeError(f"a matrix of hands must be 13 by 13 with 169 labels, not {matrix.shape} with {len(names)}")
    if not ((matrix >= 0) & (matrix <= 1)).all():
        raise RangeError(f"the weights of a matrix must be 0 to 1; these go from {matrix.min()} to {matrix.max()}")
    weights = matrix.ravel().tolist()
    return [_Cell(*divmod(place, _SIDE), names[place], weights[place]) for place in range(len(names))]


def _plain(cell: _Cell) -> str:
    figures = f"{cell.percent:02}".translate(_SMALL_FIGURES) if cell.sometimes else ""
    return f" {cell.label + figures:<5}" if cell.weight else "  ·   "


def _style(cell: _Cell) -> str:
    emphasis = "bold " if cell.weight == 1 else ""
    return f"{emphasis}{_hex(cell.ink)} on {_hex(cell.fill)}"


def _svg_cell(cell: _Cell) -> str:
    """One cell of the matrix as an SVG group."""
    left = _MARGIN + cell.column * (_CELL_WIDTH + _GAP)
    top = _MARGIN + cell.row * (_CELL_HEIGHT + _GAP)
    lines = [
        f'<g transform="translate({left} {top})" fill="{_hex(cell.ink)}">',
        f'<rect width="{_CELL_WIDTH}" height="{_CELL_HEIGHT}" rx="4" fill="{_hex(cell.fill)}"/>',
        *_svg_words(cell),
        "</g>",
    ]
    return "".join(lines)


def _svg_words(cell: _Cell) -> Iterator[str]:
    emphasis = ' font-weight="bold"' if cell.weight == 1 else ""
    line = 17 if cell.sometimes else 23
    yield f'<text x="{_CELL_WIDTH // 2}" y="{line}" font-size="14"{emphasis}>{escape(cell.label)}</text>'
    if cell.sometimes:
        yield f'<text x="{_CELL_WIDTH // 2}" y="30" font-size="10">{cell.percent}%</text>'


def _hex(color: _Color) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)
