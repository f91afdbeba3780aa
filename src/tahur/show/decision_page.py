"""A decision as HTML: a self-contained page, or a fragment for a notebook.

The matrix is the SVG of `actions.py` itself, coloured by the page so that it is light or dark with the reader's system.
No external resources. Hovering over a cell shows what it does; with the page's few lines of script its combos are
listed beside it, and without script they are all listed below.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

import numpy as np

from tahur.cards.cards import SUITS, Card
from tahur.cards.rankings import class_names, class_of_combos
from tahur.show.actions import Action, Hand, Theme, chips, matrix_svg, percent
from tahur.show.decision import (
    NEVER_REACHED,
    SEATS,
    DecisionData,
    chips_of,
    combos_of,
    hands_of,
    locked_of,
    picture_of,
    reach_text,
    title_of,
)

_THEME: Final = Theme("var(--paper)", "var(--ground)", "var(--ink)", "var(--faint)")

_STYLE: Final = """
.tahur { --paper: #fbfaf7; --ground: #e9e7e1; --ink: #1a1d22; --faint: #676d76; --rule: #d6d3cb; }
.tahur { --red: #b3261e; --blue: #1d4ed8; --green: #12715b; background: var(--paper); color: var(--ink);
  font: 15px/1.45 system-ui, sans-serif; font-variant-numeric: tabular-nums; color-scheme: light dark; }
@media (prefers-color-scheme: dark) { .tahur { --paper: #111419; --ground: #1c2026; --ink: #ebeef3; --faint: #98a2b0;
  --rule: #2c323b; --red: #ff8a80; --blue: #8ab4ff; --green: #6fd3b5; } }
.tahur h1 { font-size: 1.25rem; margin: 0 0 .2rem; color: inherit; }
.tahur h2 { font-size: 1rem; margin: 1.3rem 0 .3rem; color: inherit; }
.tahur p { margin: .2rem 0; color: var(--faint); }
.tahur p.never { color: var(--ink); font-weight: 700; border-left: 4px solid #a731da; padding-left: .6rem; }
.tahur .sides { display: flex; flex-wrap: wrap; gap: 0 2.2rem; align-items: flex-start; }
.tahur .matrix { flex: 1 1 30rem; max-width: 774px; }
.tahur .matrix svg { width: 100%; height: auto; margin-left: -10px; }
.tahur .told { flex: 1 1 22rem; min-width: 0; }
.tahur table { border-collapse: collapse; background: none; color: inherit; font-size: inherit; margin: 0; }
.tahur th, .tahur td { padding: .18rem .8rem .18rem 0; text-align: right; white-space: nowrap; background: none; }
.tahur th { font-weight: 600; color: var(--faint); border-bottom: 1px solid var(--rule); }
.tahur td { border-bottom: 1px solid var(--rule); }
.tahur td:first-child, .tahur th:first-child, .tahur td.then, .tahur th.then { text-align: left; }
.tahur .key { display: inline-block; min-width: 1.3em; text-align: center; border-radius: 3px; margin-right: .45em;
  font: 700 .85em/1.45 ui-monospace, Menlo, Consolas, monospace; }
.tahur .bar { display: inline-block; height: .6em; border-radius: 2px; vertical-align: baseline; }
.tahur .track { width: 6.5rem; text-align: left; }
.tahur .card { font-weight: 700; margin-right: .15em; }
.tahur .suit-d { color: var(--blue); } .tahur .suit-h { color: var(--red); } .tahur .suit-c { color: var(--green); }
.tahur .hands { overflow-x: auto; font-size: .87em; }
.tahur .hands td, .tahur .hands th { padding-right: .6rem; line-height: 1.3; }
.tahur .hands th .key { margin-right: .25em; }
.tahur .rare { color: var(--faint); }
.tahur svg g[tabindex] { cursor: pointer; outline: none; }
.tahur svg g[tabindex]:hover > rect:first-of-type, .tahur svg g.chosen > rect:first-of-type,
.tahur svg g[tabindex]:focus-visible > rect:first-of-type { stroke: var(--ink); stroke-width: 4; }
"""

_SCRIPT: Final = """
const cells = [...document.querySelectorAll("[data-hand]")], lists = [...document.querySelectorAll(".hands")];
const known = new Set(lists.map(list => list.dataset.of));
let kept = null;
function show(hand) {
  lists.forEach(list => { list.hidden = list.dataset.of !== hand; });
  cells.forEach(cell => cell.classList.toggle("chosen", cell.dataset.hand === hand));
  document.querySelector(".hint").hidden = hand !== null;
}
for (const cell of cells) {
  const hand = cell.dataset.hand;
  if (!known.has(hand)) continue;
  cell.setAttribute("tabindex", "0");
  cell.addEventListener("mouseenter", () => show(hand));
  cell.addEventListener("mouseleave", () => show(kept));
  cell.addEventListener("focus", () => show(hand));
  cell.addEventListener("click", () => { kept = kept === hand ? null : hand; show(kept); });
}
show(null);
"""


def decision_html(decision: DecisionData, note: str = "") -> str:
    """A self-contained page; `note` is shown under the title, such as the quality of the solution."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        f"<title>{escape(title_of(decision))}</title><style>{_STYLE}"
        "body { margin: 0; } .page { min-height: 100vh; box-sizing: border-box; padding: 1.4rem 3vw; }"
        "</style><noscript><style>.hint { display: none; }</style></noscript></head>"
        f'<body class="tahur"><main class="page">{_body(decision, note, "".join(_lists(decision)))}</main>'
        f"<script>{_SCRIPT}</script></body></html>\n"
    )


def decision_piece(decision: DecisionData, note: str = "") -> str:
    """A fragment for a notebook: without script and lists of combos."""
    return f'<style>{_STYLE}</style><div class="tahur" style="padding: 1rem">{_body(decision, note, "")}</div>'


def _body(decision: DecisionData, note: str, lists: str) -> str:
    """The page of one decision: line, seat, matrix of hands, actions, both ranges, and the lists of combos."""
    never = "" if decision.frequency > 0 else f'<p class="never">{escape(NEVER_REACHED)}</p>'
    reach = f"; {reach_text(decision)}" if decision.frequency > 0 else ""
    locked = f"<p><strong>{escape(locked_of(decision))}</strong></p>" if locked_of(decision) else ""
    hint = '<p class="hint">Point at a hand for its combos; click to keep it.</p>' if lists else ""
    return (
        f"<h1>{_line(decision)}</h1><p>{SEATS[decision.seat]} decides; {escape(chips_of(decision) + reach)}</p>"
        f"{locked}{never}{f'<p>{escape(note)}</p>' if note else ''}"
        f'<div class="sides"><div class="matrix">{matrix_svg(picture_of(decision), _THEME)}'
        "<p>A cell is filled by the hand's weight; its pieces are as wide as the actions' probabilities.</p></div>"
        f'<div class="told"><h2>Actions</h2>{_actions(decision)}<h2>Ranges</h2>{_ranges(decision)}'
        f"{'<h2>Hands</h2>' if lists else ''}{hint}{lists}</div></div>"
    )


def _line(decision: DecisionData) -> str:
    dealt = sum(isinstance(step, Card) for step in decision.steps)
    first = "".join(map(_card, decision.board[: len(decision.board) - dealt]))
    steps = [_card(step) if isinstance(step, Card) else escape(str(step)) for step in decision.steps]
    return " › ".join([first, *steps])


def _card(card: Card) -> str:
    return f'<span class="card suit-{SUITS[card.suit]}">{card.sign}</span>'


def _key(action: Action) -> str:
    return f'<span class="key" style="background:{action.colour};color:{action.ink}">{action.letter}</span>'


def _actions(decision: DecisionData) -> str:
    """The HTML table of the actions: frequency, EV, combos, and what follows."""
    actions = picture_of(decision).actions
    rows = [
        f"<tr><td>{_key(action)}{escape(action.name)}</td><td>{percent(frequency)}</td>"
        f'<td class="track"><span class="bar" style="width:{100 * frequency:.1f}%;background:{action.colour}">'
        f"</span></td>"
        f'<td>{chips(ev)}</td><td>{count:.1f}</td><td class="then">{escape(then)}</td></tr>'
        for action, frequency, ev, count, then in zip(
            actions, decision.frequencies, decision.range_move_ev, combos_of(decision), decision.then, strict=True
        )
    ]
    heads = '<th>action</th><th>freq</th><th></th><th>EV</th><th>combos</th><th class="then">then</th>'
    return f"<table><tr>{heads}</tr>{''.join(rows)}</table>"


def _ranges(decision: DecisionData) -> str:
    """The HTML table of both ranges: EV, equity, equity realized, and the number of combos."""
    rows = [
        f"<tr><td>{name}</td><td>{chips(side.range_ev)}</td><td>{percent(side.range_equity, 2)}</td>"
        f"<td>{percent(side.realized)}</td><td>{side.reach.sum():.1f}</td></tr>"
        for name, side in zip(SEATS, decision.seats, strict=True)
    ]
    heads = (
        '<th></th><th>EV</th><th>equity</th><th title="equity realized: EV / (equity x pot)">EQR</th><th>combos</th>'
    )
    return f"<table><tr>{heads}</tr>{''.join(rows)}</table>"


def _lists(decision: DecisionData) -> Iterator[str]:
    """The combos of each class in the range."""
    actions = picture_of(decision).actions
    number = class_of_combos()[decision.seats[decision.seat].combos]
    heads = "".join(f"<th>{_key(action)}{escape(action.name)}</th>" for action in actions)
    for place in np.unique(number):
        name = class_names()[place]
        rows = "".join(_row(hand) for hand in hands_of(decision, np.flatnonzero(number == place).tolist()))
        yield (
            f'<div class="hands" data-of="{name}"><table><tr><th>{name}</th><th>reach</th><th>equity</th>'
            f"<th>EV</th>{heads}</tr>{rows}</table></div>"
        )


def _row(hand: Hand) -> str:
    acts = "".join(_act(share, ev) for share, ev in zip(hand.shares, hand.evs, strict=True))
    cards = _cards(hand.name)
    figures = f"<td>{hand.reach:.3f}</td><td>{percent(hand.equity)}</td><td>{chips(hand.ev)}</td>"
    locked = "<td>locked</td>" if hand.locked else ""
    return f"<tr><td>{cards}</td>{figures}{acts}{locked}</tr>"


def _act(share: float, ev: float) -> str:
    kind = "" if share >= 0.005 else ' class="rare"'
    return f"<td{kind}>{share:.1%}<br/><small>EV {chips(ev)}</small></td>"


def _cards(name: str) -> str:
    return "".join(_card(Card(name[place : place + 2])) for place in range(0, len(name), 2))
