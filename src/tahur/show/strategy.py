"""One decision of a solved strategy as a table: for a terminal, as SVG and as an HTML page.

Rows are hands, columns are actions. Colours show the kind of action (fold and dudo blue, check and call green, bets and
bids from amber to violet by size), and every figure is written out as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Final

from tahur.core.solution import Facts
from tahur.core.spots import DecisionTable, HandRow, Onward

if TYPE_CHECKING:
    from rich.console import RenderableType

_Color = tuple[int, int, int]
GIVE_UP: Final[_Color] = (86, 148, 242)
STAY: Final[_Color] = (76, 186, 136)
LOW: Final[_Color] = (246, 184, 72)
HIGH: Final[_Color] = (164, 104, 240)
PASSIVE: Final = {
    "fold": GIVE_UP,
    "liar": GIVE_UP,
    "dudo": GIVE_UP,
    "check": STAY,
    "pass": STAY,
    "call": STAY,
    "calza": STAY,
}

_BARS: Final = {3: 8, 5: 4}  # up to this many actions have bars of this many cells: a terminal has 80 columns
_RARE: Final = 0.0005  # if there are many actions, those that no hand takes this often are only named
_EIGHTHS: Final = " ▏▎▍▌▋▊▉█"

_HAND, _CELL, _ROW, _MARGIN, _TOP = 150, 104, 28, 16, 84  # the SVG, in its own units
_PAPER, _GROUND, _INK, _FAINT = "#111419", "#1c2026", "#ebeef3", "#98a2b0"


def colors_of(actions: Sequence[str]) -> list[str]:
    """A colour for each label."""
    bets = [label for label in actions if _word(label) not in PASSIVE]
    return [
        _hex(PASSIVE[_word(label)] if _word(label) in PASSIVE else _heat(bets.index(label), len(bets)))
        for label in actions
    ]


def percent(share: float) -> str:
    """`62.1`; 0.0 and 100.0 are reserved for exact values."""
    if share <= 0 or share >= 1:
        return "0" if share <= 0 else "100"
    if share < 0.0005:
        return "<0.1"
    return f"{100 * share:.1f}" if share < 0.9995 else ">99.9"


def title_of(spot: DecisionTable) -> str:
    where = f"after {', '.join(spot.line)}" if spot.line else "at the start"
    return f"{_seat(spot.seat)} {where}"


def figures_of(facts: Facts) -> str:
    return (
        f"{facts.game} by {facts.schedule}, {facts.iterations:,} iterations: exploitability {facts.exploitability:.3g} "
        f"{facts.unit} per deal, first seat's value {facts.value:+.5g}"
    )


# ---- terminal ----------------------------------------------------------------------------------------


def spot_table(spot: DecisionTable) -> RenderableType:
    """Hands as rows, actions as columns: percentages, with a bar where there is room."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    spot, left_out = _actions_shown(spot)
    colors = colors_of(spot.actions)
    bar = next((cells for most, cells in _BARS.items() if len(spot.actions) <= most), 0)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("hand", no_wrap=True)
    table.add_column("reach", justify="right", header_style="dim", no_wrap=True)
    for label, color in zip(spot.actions, colors, strict=True):
        table.add_column(Text(label, style=color), no_wrap=True)
    for row in spot.rows:
        cells = [_cell(share, color, bar=bar) for share, color in zip(row.chances, colors, strict=True)]
        table.add_row(row.text, f"{percent(row.reach)} %", *cells, style="" if row.reach > 0 else "dim")
    cells = [_cell(share, color, bar=bar) for share, color in zip(spot.average, colors, strict=True)]
    table.add_row("all", f"{percent(spot.frequency)} %", *cells, style="bold")
    return Group(table, Text(f"rarely played: {', '.join(left_out)}", style="dim")) if left_out else table


def _actions_shown(spot: DecisionTable) -> tuple[DecisionTable, list[str]]:
    """The actions to show: of many, only those that some hand plays; and the labels of the others."""
    if len(spot.actions) <= max(_BARS):
        return spot, []
    kept = [at for at in range(len(spot.actions)) if max(row.chances[at] for row in spot.rows) >= _RARE]
    rows = tuple(replace(row, chances=tuple(row.chances[at] for at in kept)) for row in spot.rows)
    average, actions = tuple(spot.average[at] for at in kept), tuple(spot.actions[at] for at in kept)
    left_out = [label for label in spot.actions if label not in actions]
    return replace(spot, actions=actions, rows=rows, average=average), left_out


def onward_table(onward: Sequence[Onward]) -> RenderableType:
    """The lines that continue from here, in the notation of `--at`."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("of all deals", justify="right", no_wrap=True)
    table.add_column("then", no_wrap=True)
    table.add_column("lines from here", overflow="fold")
    for successor in onward:
        line, style = ",".join(successor.line), None if successor.turn >= 0 else "dim"
        table.add_row(f"{percent(successor.frequency)} %", _turn(successor), line, style=style)
    return table


def _cell(share: float, color: str, *, bar: int) -> RenderableType:
    from rich.text import Text

    figure = Text(f"{percent(share):>5}" if share else "    ·", style="" if share else "dim")
    return figure.append(" ").append(_bar(share, bar), style=color) if bar else figure


def _bar(share: float, cells: int) -> str:
    eighths = round(share * cells * 8) or (1 if share > 0 else 0)
    whole, rest = divmod(eighths, 8)
    return ("█" * whole + (_EIGHTHS[rest] if rest else "")).ljust(cells)


# ---- SVG -----------------------------------------------------------------------------------------------


def spot_svg(spot: DecisionTable, facts: Facts) -> str:
    """A standalone SVG, without external fonts, scripts or links."""
    words = max(10.4 * len(title_of(spot)), 6.8 * len(figures_of(facts)))  # as wide as their labels
    width = max(_HAND + _CELL * len(spot.actions), round(words)) + 2 * _MARGIN
    height = _TOP + _ROW * (len(spot.rows) + 1) + 2 * _MARGIN + 8
    colors = colors_of(spot.actions)
    lines = [_svg_row(row, at, colors) for at, row in enumerate(spot.rows)]
    average = HandRow(hand=-1, text="all", reach=spot.frequency, share=1.0, chances=spot.average)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" font-size="14" font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace">',
            f"<title>{escape(facts.game)}: {escape(title_of(spot))}</title>",
            f'<rect width="{width}" height="{height}" rx="12" fill="{_PAPER}"/>',
            _svg_text(_MARGIN, 30, title_of(spot), _INK, 'font-size="17" font-weight="bold"'),
            _svg_text(_MARGIN, 50, figures_of(facts), _FAINT, 'font-size="11"'),
            _svg_text(_MARGIN, _TOP - 4, "hand", _FAINT),
            _svg_text(_MARGIN + _HAND - 12, _TOP - 4, "reach", _FAINT, 'text-anchor="end" font-size="12"'),
            *(_svg_head(at, label, colors[at]) for at, label in enumerate(spot.actions)),
            *lines,
            _svg_row(average, len(spot.rows), colors, gap=8),
            "</svg>\n",
        ]
    )


def _svg_head(at: int, label: str, color: str) -> str:
    left = _MARGIN + _HAND + at * _CELL
    swatch = f'<rect x="{left}" y="{_TOP - 14}" width="10" height="10" rx="2" fill="{color}"/>'
    return swatch + _svg_text(left + 15, _TOP - 4, label, _INK)


def _svg_row(row: HandRow, at: int, colors: Sequence[str], *, gap: int = 0) -> str:
    """One hand of a decision as an SVG row: hand, reach, and a cell for each action."""
    top = _TOP + _MARGIN // 2 + at * _ROW + gap
    cells = [
        _svg_cell(share, _MARGIN + _HAND + place * _CELL, top, colors[place]) for place, share in enumerate(row.chances)
    ]
    faint = _INK if row.reach > 0 else _FAINT
    hand = _svg_text(_MARGIN, top + 18, row.text, faint, 'font-weight="bold"')
    reach = _svg_text(_MARGIN + _HAND - 12, top + 18, f"{percent(row.reach)} %", _FAINT, 'text-anchor="end"')
    return "".join([f'<g opacity="{1 if row.reach > 0 else 0.6}">', hand, reach, *cells, "</g>"])


def _svg_cell(share: float, left: int, top: int, color: str) -> str:
    width, height = _CELL - 6, _ROW - 4
    ground = f'<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="3" fill="{_GROUND}"/>'
    long = max(share * width, 1.5)
    bar = f'<rect x="{left}" y="{top + height - 5}" width="{long:.1f}" height="5" rx="2" fill="{color}"/>'
    ink = _INK if share > 0 else "#626b78"
    return ground + (bar if share > 0 else "") + _svg_text(left + 8, top + 15, percent(share), ink, 'font-size="13"')


def _svg_text(left: int, base: int, text: str, ink: str, more: str = "") -> str:
    return f'<text x="{left}" y="{base}" fill="{ink}" {more}>{escape(text)}</text>'


# ---- page ----------------------------------------------------------------------------------------------

_STYLE: Final = f"""
body {{ background: {_PAPER}; color: {_INK}; font: 15px/1.45 system-ui, sans-serif; }}
body {{ margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }}
h1 {{ font-size: 1.4rem; }}
h2 {{ font-size: 1.1rem; margin: 2rem 0 .5rem; }}
p, th, a {{ color: {_FAINT}; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: separate; border-spacing: 4px 3px; font-variant-numeric: tabular-nums; }}
th {{ text-align: left; font-weight: 600; padding: 0 .4rem; white-space: nowrap; }}
tbody th {{ color: {_INK}; }}
td {{ background: {_GROUND}; border-radius: 4px; min-width: 5.5rem; padding: 0 0 4px; }}
td.reach {{ background: none; color: {_FAINT}; text-align: right; }}
td span {{ display: block; padding: .1rem .5rem .2rem; }}
td i {{ display: block; height: 5px; border-radius: 2px; }}
tr.never {{ opacity: .6; }}
tr.all th, tr.all td {{ font-weight: 700; }}
.swatch {{ display: inline-block; width: .7em; height: .7em; border-radius: 2px; margin-right: .35em; }}
"""


def page_html(spots: Sequence[DecisionTable], facts: Facts, *, left_out: int = 0) -> str:
    """A self-contained page: every spot with its table, and links between them."""
    listed = {spot.line for spot in spots}
    sections = "\n".join(_section(spot, listed) for spot in spots)
    more = (
        f"<p>{left_out:,} lines further down are not on this page: tahur show FILE --at LINE --html</p>"
        if left_out
        else ""
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        f"<title>{escape(facts.game)}: a strategy</title><style>{_STYLE}</style></head><body>\n"
        f"<h1>{escape(facts.game)}: a strategy for both seats</h1><p>{escape(figures_of(facts))}</p>\n"
        "<p>A row is a hand: its reach (by its own actions alone), and its strategy, in percent. "
        "The last row is over all hands weighted by reach, with the share of all deals that reach this node.</p>\n"
        f"{sections}\n{more}</body></html>\n"
    )


def _section(spot: DecisionTable, listed: set[tuple[str, ...]]) -> str:
    """One decision as an HTML section; `listed` are the lines that have sections of their own, for links."""
    colors = colors_of(spot.actions)
    heads = "".join(
        f'<th scope="col"><span class="swatch" style="background:{color}"></span>{escape(label)}</th>'
        for label, color in zip(spot.actions, colors, strict=True)
    )
    rows = [_html_row(row, colors, "" if row.reach > 0 else "never") for row in spot.rows]
    rows.append(
        _html_row(HandRow(hand=-1, text="all", reach=spot.frequency, share=1.0, chances=spot.average), colors, "all")
    )
    links = [
        f'<a href="#{_anchor(successor.line)}">{escape(", ".join(successor.line))}</a>'
        for successor in spot.onward
        if successor.line in listed
    ]
    onward = f"<p>From here: {' · '.join(links)}</p>" if links else ""
    return (
        f'<section id="{_anchor(spot.line)}"><h2>{escape(title_of(spot))}</h2><div class="wide"><table><thead><tr>'
        f'<th scope="col">hand</th><th scope="col">reach</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>{onward}</section>"
    )


def _html_row(row: HandRow, colors: Sequence[str], kind: str) -> str:
    cells = "".join(
        f'<td><span>{escape(percent(share))}</span><i style="width:{100 * share:.1f}%;background:{color}"></i></td>'
        for share, color in zip(row.chances, colors, strict=True)
    )
    reach = f'<td class="reach">{escape(percent(row.reach))} %</td>'
    return f'<tr class="{kind}"><th scope="row">{escape(row.text)}</th>{reach}{cells}</tr>'


def _anchor(line: Sequence[str]) -> str:
    return "at-" + "-".join("".join(letter if letter.isalnum() else "_" for letter in label) for label in line)


# ---- words and colours -----------------------------------------------------------------------------


def _seat(seat: int) -> str:
    return ("first seat", "second seat")[seat]


def _turn(onward: Onward) -> str:
    return _seat(onward.turn) if onward.turn >= 0 else "the deal is over"


def _word(label: str) -> str:
    return label.split()[0] if label.split() else ""


def _heat(place: int, count: int) -> _Color:
    """From amber for the lowest bet to violet for the highest."""
    far = place / (count - 1) if count > 1 else 0.0
    red, green, blue = (round(low + far * (high - low)) for low, high in zip(LOW, HIGH, strict=True))
    return red, green, blue


def _hex(color: _Color) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)
