"""A sheet (sheet.py) as one SVG, and as a self-contained page that is light or dark with the reader's system.

No external resources and no script. Hovering over a cell or a bar shows its figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from tahur.cards.cards import SUITS, Card
from tahur.show.actions import DARK, FONT, MATRIX_SIZE, Action, Theme, matrix_cells
from tahur.show.sheet import ROUNDED, Bar, Column, FlopPanel, FlopRow, Panel, Sheet, kinds_of, percents_of, shares_text

_MARGIN: Final = 16
_PANEL: Final = (MATRIX_SIZE[0] + 24, MATRIX_SIZE[1] + 112)
_HEAD: Final = 74  # above the panels
_ROW: Final = 24
_KIND, _FLOP, _PART = 214, 104, 66  # widths before the bars
_WIDE, _NARROW = 44, 13  # minimum widths of a piece for letter and figure, or for a letter
_INKS: Final = ("#6fd3b5", "#8ab4ff", "#ff8a80", "#ebeef3")  # colours of suits on dark
_PAGE_THEME: Final = Theme("var(--paper)", "var(--ground)", "var(--ink)", "var(--faint)")
_SOFT: Final = "#98a2b0"
MEAN: Final = "mean over all flops they represent"


def sheet_svg(sheet: Sheet) -> str:
    """A standalone SVG: the matrices two by two, the flops below them."""
    across = 1 if len(sheet.panels) == 1 and sheet.flops is None else 2
    down = -(-len(sheet.panels) // across)
    width = across * _PANEL[0] + _MARGIN
    top = _HEAD + down * _PANEL[1]
    height = top + (_flops_height(sheet.flops) if sheet.flops is not None else 0) + _MARGIN
    parts = [
        _words(_MARGIN, 34, sheet.title, DARK.ink, 'font-size="20" font-weight="bold"'),
        _words(_MARGIN, 57, sheet.note, _SOFT, 'font-size="13"'),
    ]
    for place, panel in enumerate(sheet.panels):
        row, column = divmod(place, across)
        parts += _panel(panel, (_MARGIN + column * _PANEL[0], _HEAD + row * _PANEL[1]), DARK, _SOFT)
    if sheet.flops is not None:
        parts += _flops(sheet.flops, top, width - 2 * _MARGIN)
    return _svg(parts, width, height, DARK, sheet.title)


def _svg(parts: Sequence[str], width: int, height: int, theme: Theme, title: str) -> str:
    """A whole SVG picture of these parts, with its background."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" {FONT}>',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" rx="12" fill="{theme.paper}"/>',
            *parts,
            "</svg>\n",
        ]
    )


def _words(x: float, y: float, text: str, ink: str, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{ink}" {more}>{escape(text)}</text>'


# ---- one decision --------------------------------------------------------------------------------------


def _panel(panel: Panel, corner: tuple[int, int], theme: Theme, soft: str) -> Iterator[str]:
    """One decision as SVG at `corner` (x, y): title, matrix, bar of total frequencies, and legend."""
    left, top = corner
    picture = panel.picture
    yield _words(left, top + 18, picture.title, theme.ink, 'font-size="15" font-weight="bold"')
    yield from matrix_cells(picture, (left, top + 30), theme)
    below = top + 30 + MATRIX_SIZE[1] + 10
    yield from bar_svg(picture.actions, panel.totals, (left, below), (MATRIX_SIZE[0], 22), theme)
    x = float(left)
    for action, share in zip(picture.actions, panel.totals, strict=True):
        label = f"{action.letter} {action.name} {100 * share:.1f} %"
        yield f'<rect x="{x:g}" y="{below + 32}" width="12" height="12" fill="{action.colour}"/>'
        yield _words(x + 18, below + 43, label, theme.ink, 'font-size="13"')
        x += 44 + 8 * len(label)
    yield _words(x, below + 43, "of all hands, by reach", soft, 'font-size="13"')


def bar_svg(
    actions: Sequence[Action], shares: Sequence[float], corner: tuple[float, float], size: tuple[float, float],
    theme: Theme,
) -> Iterator[str]:  # fmt: skip
    """A horizontal bar of the actions' shares, each piece with its letter and percentage where there is room."""
    x, y = corner
    width, height = size
    yield f'<g><title>{escape(shares_text(actions, shares))}</title><rect x="{x:g}" y="{y:g}" width="{width:g}" '
    yield f'height="{height:g}" fill="{theme.ground}"/>'
    for action, share, part in zip(actions, shares, percents_of(shares), strict=True):
        piece = share * width
        if piece >= 0.5:
            yield f'<rect x="{x:.1f}" y="{y:g}" width="{piece:.1f}" height="{height:g}" fill="{action.colour}"/>'
        if piece >= _NARROW:
            label = f"{action.letter} {part}" if piece >= _WIDE else action.letter
            yield _words(round(x + 4, 1), y + height / 2 + 4.5, label, action.ink, 'font-size="13"')
        x += piece
    yield "</g>"


# ---- flops ---------------------------------------------------------------------------------------------


def _flops_height(flops: FlopPanel) -> int:
    gaps = 5 * sum(1 for _ in kinds_of(flops.rows))
    return 76 + _ROW * (len(flops.rows) + 1) + gaps + 34


def _flops(flops: FlopPanel, top: int, width: int) -> Iterator[str]:
    """The flops of a sheet as SVG rows from `top` on: kind, cards, share of all flops, and a bar for each column."""
    bars = (width - _KIND - _FLOP - _PART) // len(flops.columns)
    yield _words(_MARGIN, top + 26, f"Flops after {flops.line}", DARK.ink, 'font-size="15" font-weight="bold"')
    first = _MARGIN + _KIND + _FLOP + _PART
    for text, x in (("kind", _MARGIN), ("flop", _MARGIN + _KIND), ("% of all", _MARGIN + _KIND + _FLOP - 14)):
        yield _words(x, top + 58, text, _SOFT, 'font-size="13"')
    for place, column in enumerate(flops.columns):
        label = f"{column.seat}, {column.name}"
        yield _words(first + place * bars, top + 58, label, DARK.ink, 'font-size="13" font-weight="bold"')
    y = top + 70
    for kind, rows in kinds_of(flops.rows):
        yield f'<rect x="{_MARGIN}" y="{y - 3}" width="{width}" height="1" fill="{DARK.ground}"/>'
        yield _words(_MARGIN, y + 16, kind, DARK.ink, 'font-size="13"')
        for row in rows:
            yield _flop_cards(row, y + 16)
            yield from _bars(row.bars, flops.columns, (first, y), bars)
            y += _ROW
        y += 5
    yield _words(_MARGIN, y + 16, MEAN, DARK.ink, 'font-size="13" font-weight="bold"')
    yield from _bars(flops.means, flops.columns, (first, y), bars)
    yield _words(_MARGIN, y + _ROW + 22, ROUNDED, _SOFT, 'font-size="13"')


def _flop_cards(row: FlopRow, y: int) -> str:
    spans = "".join(f'<tspan fill="{_INKS[card.suit]}">{card.sign} </tspan>' for card in row.cards)
    share = _words(
        _MARGIN + _KIND + _FLOP + _PART - 20, y, f"{row.count / 221:.1f}", _SOFT, 'font-size="13" text-anchor="end"'
    )
    return f'<text x="{_MARGIN + _KIND}" y="{y}" font-size="14" font-weight="bold">{spans}</text>{share}'


def _bars(bars: Sequence[Bar], columns: Sequence[Column], corner: tuple[int, int], width: int) -> Iterator[str]:
    for place, (bar, column) in enumerate(zip(bars, columns, strict=True)):
        at = (corner[0] + place * width, corner[1])
        yield from bar_svg(column.actions, bar.shares, at, (width - 18, _ROW - 3), DARK)


# ---- page ----------------------------------------------------------------------------------------------

_STYLE: Final = """
:root { --paper: #fbfaf7; --ground: #e9e7e1; --ink: #1a1d22; --faint: #676d76; --rule: #d6d3cb; --red: #b3261e;
  --blue: #1d4ed8; --green: #12715b; color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :root { --paper: #111419; --ground: #1c2026; --ink: #ebeef3; --faint: #98a2b0;
  --rule: #2c323b; --red: #ff8a80; --blue: #8ab4ff; --green: #6fd3b5; } }
body { background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; margin: 0;
  padding: 1.4rem 3vw; font-variant-numeric: tabular-nums; }
h1 { font-size: 1.25rem; margin: 0; overflow-wrap: anywhere; } h2 { font-size: 1rem; margin: 1.6rem 0 .4rem; }
p { color: var(--faint); margin: .2rem 0; }
.panels { display: flex; flex-wrap: wrap; gap: 1rem 1.6rem; }
.panels svg { flex: 1 1 26rem; max-width: 780px; height: auto; min-width: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; max-width: 1584px; }
th, td { padding: .16rem .7rem .16rem 0; text-align: left; white-space: nowrap; font-weight: 400; }
thead th { color: var(--faint); font-weight: 600; }
tbody tr.first td, tbody tr.first th { border-top: 1px solid var(--rule); }
tr.mean th { font-weight: 700; }
td.number { text-align: right; color: var(--faint); }
td.bar { width: 27%; min-width: 11rem; }
.bar div { display: flex; height: 1.45em; background: var(--ground); overflow: hidden; }
.bar span { overflow: hidden; text-indent: .3em; font: 13px/1.55 ui-monospace, Menlo, Consolas, monospace; }
.card { font-weight: 700; margin-right: .3em; }
.suit-d { color: var(--blue); } .suit-h { color: var(--red); } .suit-c { color: var(--green); }
"""


def sheet_html(sheet: Sheet) -> str:
    """A self-contained page."""
    panels = "\n".join(_panel_svg(panel) for panel in sheet.panels)
    flops = _flops_html(sheet.flops) if sheet.flops is not None else ""
    cells = "<p>A cell is filled by the hand's reach; its pieces are as wide as the actions' probabilities.</p>"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        f"<title>{escape(sheet.title)}</title><style>{_STYLE}</style></head><body>\n"
        f"<h1>{escape(sheet.title)}</h1><p>{escape(sheet.note)}</p>{cells if panels else ''}\n"
        f'<div class="panels">{panels}</div>\n{flops}</body></html>\n'
    )


def _panel_svg(panel: Panel) -> str:
    parts = list(_panel(panel, (_MARGIN // 2, 0), _PAGE_THEME, "var(--faint)"))
    return _svg(parts, MATRIX_SIZE[0] + _MARGIN, _PANEL[1] - 8, _PAGE_THEME, panel.picture.title)


def _flops_html(flops: FlopPanel) -> str:
    """The flops of a sheet as an HTML table."""
    heads = "".join(f"<th>{escape(f'{column.seat}, {column.name}')}</th>" for column in flops.columns)
    rows: list[str] = []
    for kind, members in kinds_of(flops.rows):
        for place, row in enumerate(members):
            first = ' class="first"' if place == 0 else ""
            cards = "".join(map(_card, row.cards))
            share = f'<td class="number">{row.count / 221:.1f}</td>'
            name = f"<th>{escape(kind) if first else ''}</th>"
            rows.append(f"<tr{first}>{name}<td>{cards}</td>{share}{_cells(row.bars, flops)}</tr>")
    mean = f'<tr class="first mean"><th colspan="3">{MEAN}</th>{_cells(flops.means, flops)}</tr>'
    return (
        f"<h2>Flops after {escape(flops.line)}</h2><p>{escape(ROUNDED)}</p>"
        f'<div class="wide"><table><thead><tr><th>kind</th><th>flop</th><th>% of all</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}{mean}</tbody></table></div>"
    )


def _cells(bars: Sequence[Bar], flops: FlopPanel) -> str:
    """The table cells of one flop: for each column a bar split by action."""
    cells = ""
    for bar, column in zip(bars, flops.columns, strict=True):
        pieces = "".join(
            f'<span style="width:{100 * share:.1f}%;background:{action.colour};color:{action.ink}">'
            f"{_label(action, part)}</span>"
            for action, share, part in zip(column.actions, bar.shares, percents_of(bar.shares), strict=True)
        )
        cells += f'<td class="bar" title="{escape(shares_text(column.actions, bar.shares))}"><div>{pieces}</div></td>'
    return cells


def _label(action: Action, part: int) -> str:
    """The label that fits in a piece of this many percent."""
    return f"{action.letter} {part}" if part >= 12 else action.letter if part >= 5 else ""


def _card(card: Card) -> str:
    return f'<span class="card suit-{SUITS[card.suit]}">{card.sign}</span>'
