"""One screen of the explorer, as large as the terminal: the line, the matrix, the moves, the ranges, a hand's combos.

A pure function of an `ExplorerScene` and the size. In a tall window a cell has two rows, the lower filled by the hand's
weight; in a wide one the moves stand beside the matrix; in a small one the combos replace the moves while the cursor is
in the matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from tahur.cards.cards import DECK, RANKS, SUIT_SIGNS, SUITS, Card
from tahur.cards.rankings import class_names
from tahur.show.actions import Action, Hand, Picture, chips, letters_of, percent

if TYPE_CHECKING:
    from rich.text import Text

SMALLEST: Final = (54, 22)  # columns and rows
_SIDE: Final = 13
_EIGHTHS: Final = " ▁▂▃▄▅▆▇█"
_TALL: Final = 2 * _SIDE + 9  # window rows from which cells have two rows
_BESIDE: Final = 40  # columns needed by moves and ranges
_BAR: Final = 20
_SHARE_AND_EV: Final = 18  # characters of a column with the share and the EV of an action
_GROUND: Final = "#1c2026"
_SUIT_STYLES: Final = ("green", "bright_blue", "red", "")
_HEAD: Final = f"{'':<4}{'':<11}{'freq':>6}{'EV':>9}{'combos':>8}"


@dataclass(frozen=True, slots=True)
class MoveLine:
    """A row of the table of moves."""

    action: Action
    frequency: float
    ev: float
    combos: float
    then: str


@dataclass(frozen=True, slots=True)
class Deal:
    """A card to choose: the street it starts, the cursor, the cards already dealt."""

    street: str
    cursor: Card
    table: tuple[Card, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ExplorerScene:
    """The content of a screen. `cell` is None while the cursor is not in the matrix; `page` wraps around."""

    crumbs: tuple[str, ...]
    facts: str
    warning: str  # such as that the node is never reached
    picture: Picture
    moves: tuple[MoveLine, ...]
    marked: int
    ranges: tuple[tuple[str, str], ...]  # a seat's name and its figures
    shown: int  # whose range the matrix is
    hands: tuple[Hand, ...]  # of the cell
    name: str  # of the cell
    cell: int | None
    page: int
    deal: Deal | None
    over: str  # how the hand ended
    footer: str


def screen(scene: ExplorerScene, width: int, height: int) -> Text:
    """Exactly `height` lines of at most `width` columns."""
    from rich.text import Text

    if width < SMALLEST[0] or height < SMALLEST[1]:
        lines = [Text(f"{width}x{height} is too small a window; minimum {SMALLEST[0]}x{SMALLEST[1]}; q quits")]
    else:
        lines = _full(scene, width, height)
    body = [*lines, *(Text() for _ in range(height - len(lines)))][:height]
    for line in body:
        line.truncate(width, overflow="ellipsis")
    return Text("\n", no_wrap=True, end="").join(body)


def help_screen(keys: Sequence[tuple[str, str]], width: int, height: int) -> Text:
    """What each key does."""
    from rich.text import Text

    lines = [Text("Keys", "bold"), Text()]
    lines += [Text.assemble((f"  {key:<14}", "bold"), does) for key, does in keys]
    body = [*lines, Text(), Text("press any key to go back", "dim"), *(Text() for _ in range(height))][:height]
    for line in body:
        line.truncate(width, overflow="ellipsis")
    return Text("\n", no_wrap=True, end="").join(body)


def _full(scene: ExplorerScene, width: int, height: int) -> list[Text]:
    """The screen with the matrix of hands; panels go beside it if there is room, else below."""
    tall = height >= _TALL
    cell = 6 if width >= 6 * _SIDE else 4
    top = [_crumbs(scene.crumbs, width), _facts(scene)]
    matrix = _matrix(scene, cell, tall=tall)
    wide = width >= cell * _SIDE + 2 + _BESIDE
    room = height - len(top) - len(matrix) - 1
    if wide:
        beside = width - cell * _SIDE - 2
        matrix = _side_by_side(
            matrix, [*_panel(scene, beside), _blank(), *_ranges(scene, stacked=True)], cell * _SIDE + 2
        )
        below = _combos(scene, width, room)
    elif scene.cell is not None:
        below = _combos(scene, width, room)
    else:
        ranges = _ranges(scene, stacked=False)
        below = [*_shorten_moves(_panel(scene, width), room - len(ranges), scene.marked), *ranges]
    return [*top, *matrix, *_pad_lines(below, room), _footer(scene)]


def _blank() -> Text:
    from rich.text import Text

    return Text()


def _pad_lines(lines: list[Text], room: int) -> list[Text]:
    return [*lines, *(_blank() for _ in range(room - len(lines)))][:room]


def _shorten_moves(lines: list[Text], room: int, marked: int) -> list[Text]:
    """The moves without the header; if there is little room only some, including the marked one."""
    if len(lines) <= room:
        return lines
    first = min(max(marked - room // 2, 0), len(lines) - 1 - room)
    return lines[1 + first : 1 + first + room]


def _side_by_side(left: list[Text], right: list[Text], width: int) -> list[Text]:
    """Lines with `left` padded to `width` and `right` after it; the longer column decides the height."""
    from rich.text import Text

    rows = []
    for place in range(len(left)):
        line = left[place].copy()
        line.pad_right(max(width - line.cell_len, 0))
        rows.append(line.append_text(right[place]) if place < len(right) else line)
    return [*rows, *(Text(" " * width).append_text(line) for line in right[len(left) :])]


# ---- the top -------------------------------------------------------------------------------------


def _crumbs(crumbs: Sequence[str], width: int) -> Text:
    """The line of moves; only the end of a long one."""
    from rich.text import Text

    text = " › ".join(crumbs)
    return Text(text if len(text) <= width else "… " + text[len(text) - width + 2 :], "bold")


def _facts(scene: ExplorerScene) -> Text:
    from rich.text import Text

    return Text(scene.warning, "bold reverse") if scene.warning else Text(scene.facts)


def _footer(scene: ExplorerScene) -> Text:
    from rich.text import Text

    return Text(scene.footer, "dim")


# ---- the matrix ----------------------------------------------------------------------------------


def _matrix(scene: ExplorerScene, width: int, *, tall: bool) -> list[Text]:
    """The matrix of hand classes, `width` characters a cell; `tall`: a second line for each row shows the actions."""
    from rich.text import Text

    lines = []
    for row in range(_SIDE):
        places = range(row * _SIDE, row * _SIDE + _SIDE)
        lines.append(Text().join(_label(scene, place, width) for place in places))
        if tall:
            lines.append(Text().join(_filling(scene, place, width) for place in places))
    return lines


def _label(scene: ExplorerScene, place: int, width: int) -> Text:
    """A cell's name, and letters for its actions."""
    from rich.text import Text

    weight, chosen = float(scene.picture.weights[place]), scene.cell == place
    name, cursor = class_names()[place], "reverse bold" if chosen else ""
    if weight <= 0:
        return Text.assemble((f"{name:<3}" if chosen else "  ·", cursor or "dim"), " " * (width - 3))
    text = Text.assemble((f"{name:<3}", cursor or ("bold" if weight > 0.995 else "" if weight > 0.5 else "dim")))
    counts = letters_of(scene.picture.shares[:, place], width - 3)
    for action, count in zip(scene.picture.actions, counts, strict=True):
        text.append(action.letter * count, action.style)
    return text


def _filling(scene: ExplorerScene, place: int, width: int) -> Text:
    """A bar as high as the hand's weight, in pieces as wide as the actions' probabilities."""
    from rich.text import Text

    weight = float(scene.picture.weights[place])
    if weight <= 0:
        return Text(" " * width)
    glyph = _EIGHTHS[max(1, min(8, round(8 * weight)))]
    counts = letters_of(scene.picture.shares[:, place], width)
    text = Text()
    for action, count in zip(scene.picture.actions, counts, strict=True):
        text.append(glyph * count, f"{action.colour} on {_GROUND}")
    return text


# ---- moves, cards, ranges ------------------------------------------------------------------------


def _panel(scene: ExplorerScene, width: int) -> list[Text]:
    """The choices at this node."""
    from rich.text import Text

    if scene.deal is not None:
        return _cards(scene.deal)
    if scene.over:
        return [Text(part, "bold") for part in scene.over.split(": ")]
    return [Text(_HEAD, "dim"), *(_move(scene, place, width) for place in range(len(scene.moves)))]


def _move(scene: ExplorerScene, place: int, width: int) -> Text:
    """The line of one move: frequency, EV, combos and, if there is space, a bar and what follows."""
    from rich.text import Text

    move, chosen = scene.moves[place], place == scene.marked
    text = Text.assemble(("▸ " if chosen else "  ", "bold"))
    text.append(move.action.letter, move.action.style).append(" ")
    text.append(f"{move.action.name:<11}", "bold reverse" if chosen and scene.cell is None else "bold")
    text.append(f"{move.frequency:>6.1%}{chips(move.ev):>9}{_count(move.combos):>8}")
    if width >= len(_HEAD) + _BAR + 20:
        text.append("  ").append(move.action.letter * round(move.frequency * _BAR), move.action.style)
        text.append(" " * (_BAR - round(move.frequency * _BAR))).append(f" {move.then}", "dim")
    return text


def _cards(deal: Deal) -> list[Text]:
    """The deck as four lines of suits, for choosing the card to deal; cards on the table are dots."""
    from rich.text import Text

    lines = [Text.assemble("the ", (deal.street, "bold"), ": ", (deal.cursor.sign, "bold"))]
    for suit in reversed(range(len(SUITS))):
        line = Text()
        for rank in reversed(range(len(RANKS))):
            card = DECK[rank * len(SUITS) + suit]
            taken, chosen = card in deal.table, card == deal.cursor
            style = "reverse bold" if chosen else "dim" if taken else _SUIT_STYLES[suit]
            line.append(" ·" if taken else f"{RANKS[rank]}{SUIT_SIGNS[suit]}", style).append(" " if rank else "")
        lines.append(line)
    return lines


def _ranges(scene: ExplorerScene, *, stacked: bool) -> list[Text]:
    """The figures of both ranges; `stacked`: on lines of their own, for a narrow terminal."""
    from rich.text import Text

    lines = []
    for seat, (name, numbers) in enumerate(scene.ranges):
        style = "bold" if seat == scene.shown else ""
        mark = "■" if seat == scene.shown else " "
        if stacked:
            lines += [Text(f"{mark} {name}", style), *(Text(f"    {part}") for part in numbers.split(";"))]
        else:
            lines.append(Text.assemble((f"{mark} {name:<15}", style), " ", numbers.replace(";", ", ")))
    return lines


def _count(combos: float) -> str:
    return "-" if np.isnan(combos) else f"{combos:.1f}"


# ---- the cell's combos ---------------------------------------------------------------------------


def _combos(scene: ExplorerScene, width: int, room: int) -> list[Text]:
    """As many of the cell's combos as fit, with EVs if the window is wide enough."""
    from rich.text import Text

    if not scene.hands or room < 2:
        return [Text(f"{scene.name} is not in this range here; tab or h: another hand", "dim")]
    actions = scene.picture.actions if len(scene.hands[0].shares) else ()
    with_evs = width >= 29 + _SHARE_AND_EV * len(actions)
    column = _SHARE_AND_EV if with_evs else 1 + max((len(action.name) for action in actions), default=8)
    title = [f"{action.name}, EV" if with_evs else action.name for action in actions]
    head = f"{scene.name:<6}{'reach':>6}{'equity':>8}{'EV':>9}" + "".join(f"{heading:>{column}}" for heading in title)
    pages = -(-len(scene.hands) // (room - 1))
    first = scene.page % pages * (room - 1)
    shown = scene.hands[first : first + room - 1]
    more = f"   {first + 1}-{first + len(shown)} of {len(scene.hands)}, enter: more" if pages > 1 else ""
    return [Text.assemble((head, "dim"), (more, "bold")), *(_combo(hand, column, with_evs=with_evs) for hand in shown)]


def _combo(hand: Hand, column: int, *, with_evs: bool) -> Text:
    """The line of one hand: reach, equity, EV, and the share (and EV) of each action in `column` characters."""
    from rich.text import Text

    text = Text.assemble((f"{hand.name:<6}", "bold"))
    text.append(f"{hand.reach:>6.3f}{percent(hand.equity):>8}{chips(hand.ev):>9}")
    for share, ev in zip(hand.shares, hand.evs, strict=True):
        label = f"{share:.1%}"
        cell = f"{label:>{column - 9}}{chips(ev):>9}" if with_evs else f"{label:>{column}}"
        text.append(cell, "" if share >= 0.005 else "dim")
    text.append(" locked" if hand.locked else "")
    return text
