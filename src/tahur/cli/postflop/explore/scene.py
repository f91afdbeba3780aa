"""Builds the `ExplorerScene` to draw from the explorer's state and the known results."""

from __future__ import annotations

from typing import Final

import numpy as np

from tahur.cards.cards import Card, cards_of, cards_text
from tahur.cards.rankings import class_names, class_of_combos
from tahur.cli.postflop.explore.state import Explorer, Focus
from tahur.core.chips import CHIPS
from tahur.show.actions import Hand, chips, percent
from tahur.show.decision import NEVER_REACHED, SEATS, amount, combos_of, hands_of, held_picture, picture_of
from tahur.show.explorer import Deal, ExplorerScene, MoveLine
from tahur.solvers.postflop.results import Result, SeatResult
from tahur.solvers.postflop.spot import STREETS
from tahur.solvers.postflop.tree import NodeKind

KEYS: Final = (
    ("up, down", "mark a move"),
    ("right, enter", "make the marked move; deal the marked card"),
    ("left, esc", "back up the tree"),
    ("tab", "into the matrix and out again; arrows move the cell, enter turns the page of its combos"),
    ("h", "to a hand: AsKs, AKs or 77"),
    ("s", "the other seat's range"),
    ("t", "another card: back to where the last one was dealt, then the same moves"),
    ("2c, Ts, ...", "type a card where one is dealt"),
    ("?", "this page"),
    ("q, Ctrl-C", "leave"),
)
_FOOTERS: Final = {
    Focus.MOVES: "↑↓ move  → take it  ← back  tab matrix  t card  h hand  s seat  ? help  q quit",
    Focus.MATRIX: "arrows: cell  enter: more  tab moves  h hand  s seat  ? help  q quit",
    Focus.CARDS: "arrows or 2c: card  enter deals it  esc back  tab matrix  s seat  ? help  q quit",
}


def scene_of(now: Explorer, found: Result | None, *, counting: bool) -> ExplorerScene:
    """`found`: the results of a decision, NaN while still being computed; None at a node that is not a decision."""
    seat = now.seat
    acts = found is not None and seat == found.seat
    picture = picture_of(found) if found and acts else held_picture(now.here.board, now.here.reach[seat])
    return ExplorerScene(
        crumbs=_crumbs(now),
        facts=_facts(now, found),
        warning=_warning(now, found),
        picture=picture,
        moves=_moves(found),
        marked=now.marked,
        ranges=_ranges(now, found, counting=counting),
        shown=seat,
        hands=_hands(now, found, seat),
        name=class_names()[now.cell],
        cell=now.cell if now.focus is Focus.MATRIX else None,
        page=now.page,
        deal=_deal(now),
        over=_over(now),
        footer=_footer(now),
    )


def _crumbs(now: Explorer) -> tuple[str, ...]:
    dealt = sum(isinstance(step, Card) for step in now.here.steps)
    first = now.here.board[: len(now.here.board) - dealt]
    steps = (f"[{step.sign}]" if isinstance(step, Card) else str(step) for step in now.here.steps)
    return ("".join(card.sign for card in first), *steps)


def _facts(now: Explorer, found: Result | None) -> str:
    if found is not None:
        call = f", {amount(found.to_call)} to call" if found.to_call else ""
        stacks = f"stacks {amount(found.stacks[0])}/{amount(found.stacks[1])}"
        locked = ", locked" if found.locked.all() else ", partly locked" if found.locked.any() else ""
        return f"{SEATS[found.seat]} decides{locked}; pot {_pot(found)}{call}; {stacks}; reach {found.frequency:.2%}"
    spot, node = now.engine.layout.spot, now.node
    left = spot.amount(spot.stack - node.bet)
    return f"pot {spot.amount(spot.pot + 2 * node.bet)}; stacks {left}/{left}; reach {now.here.frequency:.2%}"


def _pot(found: Result) -> str:
    return amount(found.pot) + ("" if found.unit == CHIPS else found.unit)


def _warning(now: Explorer, found: Result | None) -> str:
    if now.here.frequency <= 0:
        return f"{SEATS[found.seat]} decides, pot {_pot(found)}: {NEVER_REACHED}" if found else NEVER_REACHED
    empty = [SEATS[seat] for seat in (0, 1) if not now.here.reach[seat].any()]
    return f"{empty[0]} has no hand left on this board" if empty else ""


def _moves(found: Result | None) -> tuple[MoveLine, ...]:
    if found is None:
        return ()
    actions, combos = picture_of(found).actions, combos_of(found)
    rows = zip(actions, found.frequencies, found.range_move_ev, combos, found.then, strict=True)
    return tuple(
        MoveLine(action=action, frequency=float(frequency), ev=float(ev), combos=float(count), then=then)
        for action, frequency, ev, count, then in rows
    )


def _ranges(now: Explorer, found: Result | None, *, counting: bool) -> tuple[tuple[str, str], ...]:
    """Each seat's name and figures, separated by semicolons."""
    if found is None:
        return tuple((name, f"{now.here.reach[seat].sum():.1f} combos") for seat, name in enumerate(SEATS))
    return tuple((name, _numbers(each, counting)) for name, each in zip(SEATS, found.seats, strict=True))


def _numbers(held: SeatResult, counting: bool) -> str:
    if counting:
        return f"computing EVs ...;{held.reach.sum():.1f} combos"
    return (
        f"EV {chips(held.range_ev)}, EQ {percent(held.range_equity, 2)};"
        f"EQR {percent(held.realized)}, {held.reach.sum():.1f} combos"
    )


def _hands(now: Explorer, found: Result | None, seat: int) -> tuple[Hand, ...]:
    """The combos of the cell, beginning with the selected one."""
    held = np.flatnonzero(now.here.reach[seat])
    places = np.flatnonzero(class_of_combos()[held] == now.cell)
    ordered = sorted(places.tolist(), key=lambda place: (held[place] != now.combo, -held[place]))
    if found is not None:
        return tuple(hands_of(found, ordered, seat=seat))
    none = np.zeros(0)
    return tuple(
        Hand(
            name=cards_text(cards_of(int(held[at]))),
            reach=float(now.here.reach[seat][held[at]]),
            equity=np.nan,
            ev=np.nan,
            shares=none,
            evs=none,
        )
        for at in ordered
    )


def _deal(now: Explorer) -> Deal | None:
    return Deal(STREETS[len(now.here.board) - 2], now.card, now.here.board) if now.dealing else None


def _over(now: Explorer) -> str:
    node, spot = now.node, now.engine.layout.spot
    pot = spot.amount(spot.pot + 2 * node.bet)
    match node.kind:
        case NodeKind.FOLD:
            return f"{SEATS[node.seat]} folds: {SEATS[1 - node.seat]} wins {pot}"
        case NodeKind.SHOWDOWN:
            return f"showdown for {pot}"
        case NodeKind.DEAL:
            return "" if now.dealing else f"all-in: the remaining cards are dealt, showdown for {pot}"
        case NodeKind.DECISION:
            return ""


def _footer(now: Explorer) -> str:
    if now.typed is not None:
        what = "card" if now.focus is Focus.CARDS else "hand"
        return f"{what}: {now.typed}_   enter: go there, esc: cancel"
    return now.message or _FOOTERS[now.focus]
