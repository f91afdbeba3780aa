"""The views of one node of a solved spot: its moves, both ranges hand by hand, and the cards that can come next.

Frequencies are read off the solution at once (`glance`). EVs and equities need a traversal of the subtree
(`result_at`), which takes milliseconds on a river and up to seconds at the root of a large flop.
"""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import Final

import numpy as np

from tahur.cards.cards import COMBOS, cards_of, cards_text
from tahur.cards.equity.removal import meeting
from tahur.core.arrays import Array, Float64s
from tahur.solvers.postflop.line import BoardNode, has_choice, node_at, with_card
from tahur.solvers.postflop.results import SEATS, Result, SeatResult, glance, result_at, seat_evs, to_call
from tahur.solvers.postflop.solve import PostflopSolution
from tahur.solvers.postflop.spot import Spot
from tahur.solvers.postflop.tree import Deed, Node, NodeKind
from tahur.study.trail import Trail, free_cards
from tahur.study.views import MoveKind, MoveView, NodeView, RunoutCard, RunoutsView, SeatView, TrailStep

LEAST: Final = 1e-4  # of the largest weight: hands below are left out
QUICK_BOARD: Final = 4  # cards on the board from which EVs take so little time that they come with the frequencies
_THOUSANDTHS: Final = 1000
_AGGRESSIVE: Final = (Deed.BET, Deed.RAISE, Deed.ALL_IN)
_KINDS: Final[dict[Deed, MoveKind]] = {
    Deed.FOLD: "fold", Deed.CHECK: "check", Deed.CALL: "call", Deed.BET: "bet", Deed.RAISE: "raise",
    Deed.ALL_IN: "all-in",
}  # fmt: skip
_COMBO_NAMES: Final = tuple(cards_text(cards_of(combo)) for combo in range(COMBOS))


def node_view(solution: PostflopSolution, spot: str, trail: Trail, *, evs: bool) -> NodeView:
    """The node at the end of a trail. `spot` is the spot's name in addresses; `evs`: with EVs and equities."""
    state = trail[-1]
    node = node_at(solution.engine, state)
    complete = evs or len(state.board) >= QUICK_BOARD
    if node.kind is not NodeKind.DECISION:
        return _view_without_decision(solution, spot, trail)
    known = result_at(solution, state) if complete else glance(solution, state)
    kept = [_kept_hands(seat) for seat in known.seats]
    acting = kept[known.seat]
    return NodeView(
        spot=spot,
        kind="decision",
        complete=complete,
        board=tuple(map(str, known.board)),
        pot=known.pot,
        to_call=known.to_call,
        stacks=known.stacks,
        unit=known.unit,
        reach=known.frequency,
        seat=known.seat,
        outcome="",
        trail=_trail_steps(solution, trail),
        moves=_moves(known, node, solution.spot),
        seats=tuple(_seat(number, known.seats[number], kept[number], complete) for number in (0, 1)),
        strategy=tuple(_thousandths(often[acting]) for often in known.strategy),
        move_evs=tuple(tuple(map(_number, row[acting])) for row in known.move_ev) if complete else (),
        exploitability=solution.exploitability,
        iterations=solution.iterations,
    )


def runouts_view(solution: PostflopSolution, trail: Trail, *, evs: bool) -> RunoutsView | None:
    """Every card that can come next, at a node that deals one; None at any other node."""
    engine, state, scale = solution.engine, trail[-1], solution.spot.big_blind or 1
    if not has_choice(node_at(engine, state)):
        return None
    below = [with_card(engine, state, card) for card in free_cards(trail)]
    seen = [glance(solution, after) for after in below]
    cards = tuple(
        RunoutCard(
            card=str(after.board[-1]),
            frequencies=tuple(round(float(often), 4) for often in known.frequencies),
            evs=tuple(round(_range_ev(solution, after, seat) / scale, 4) for seat in (0, 1)) if evs else (),
        )
        for after, known in zip(below, seen, strict=True)
    )
    first = _moves(seen[0], node_at(engine, below[0]), solution.spot)
    moves = tuple(replace(move, frequency=0.0, combos=0.0, ev=None, then="") for move in first)
    return RunoutsView(seat=seen[0].seat, moves=moves, cards=cards, complete=evs)


def _range_ev(solution: PostflopSolution, state: BoardNode, seat: int) -> float:
    """The mean EV of a seat's range at a node, in chips; 0 if the ranges cannot meet."""
    evs = seat_evs(solution.engine, state, seat)
    weights = state.reach[seat] * meeting(state.reach[1 - seat])
    reached = weights > 0
    return float(evs[reached] @ weights[reached] / weights[reached].sum()) if reached.any() else 0.0


# ---- parts of a node -----------------------------------------------------------------------------


def _view_without_decision(solution: PostflopSolution, spot: str, trail: Trail) -> NodeView:
    """A node at which a card comes, or the betting is over."""
    state, terms = trail[-1], solution.spot
    node = node_at(solution.engine, state)
    dealing = has_choice(node)
    pot = terms.in_unit(terms.pot + 2 * node.bet)
    left = terms.in_unit(terms.stack - node.bet)
    return NodeView(
        spot=spot,
        kind="card" if dealing else "end",
        complete=True,
        board=tuple(map(str, state.board)),
        pot=pot,
        to_call=0,
        stacks=(left, left),
        unit=terms.unit,
        reach=state.frequency,
        seat=None,
        outcome="" if dealing else _outcome(node.kind, trail, solution),
        trail=_trail_steps(solution, trail),
        moves=(),
        seats=tuple(_bare_seat(seat, state.reach[seat]) for seat in (0, 1)),
        strategy=(),
        move_evs=(),
        exploitability=solution.exploitability,
        iterations=solution.iterations,
    )


def _outcome(kind: NodeKind, trail: Trail, solution: PostflopSolution) -> str:
    """What happened at the end of a trail, in a sentence."""
    if kind is NodeKind.FOLD:
        folded = node_at(solution.engine, trail[-2]).seat
        return f"{SEATS[folded]} folded; {SEATS[1 - folded]} wins the pot"
    return "showdown" if kind is NodeKind.SHOWDOWN else "both seats are all-in; the remaining cards decide"


def _bare_seat(seat: int, reach: Float64s) -> SeatView:
    """A seat's range where nobody decides: weights only."""
    combos = np.flatnonzero(reach > LEAST * max(float(reach.max()), 1e-300))
    return SeatView(
        name=SEATS[seat],
        ev=None,
        equity=None,
        realized=None,
        combos=round(float(reach.sum()), 2),
        hands="".join(_COMBO_NAMES[combo] for combo in combos),
        weight=tuple(round(float(weight), 4) for weight in reach[combos]),
        evs=(),
        equities=(),
    )


def _kept_hands(seat: SeatResult) -> Array:
    """The places of the hands that are listed: all but those with next to no weight."""
    return np.flatnonzero(seat.reach > LEAST * (seat.reach.max() if len(seat.reach) else 0))


def _seat(number: int, seat: SeatResult, kept: Array, complete: bool) -> SeatView:
    shares = np.round(seat.equity[kept] * _THOUSANDTHS)
    return SeatView(
        name=SEATS[number],
        ev=_number(seat.range_ev),
        equity=_number(seat.range_equity),
        realized=_number(seat.realized),
        combos=round(float(seat.reach.sum()), 2),
        hands="".join(_COMBO_NAMES[combo] for combo in seat.combos[kept]),
        weight=tuple(round(float(weight), 4) for weight in seat.reach[kept]),
        evs=tuple(map(_number, seat.ev[kept])) if complete else (),
        equities=tuple(int(share) if isfinite(share) else None for share in shares) if complete else (),
    )


def _moves(known: Result, node: Node, spot: Spot) -> tuple[MoveView, ...]:
    """The moves of a decision with their figures."""
    counts = known.strategy @ known.decider.reach
    return tuple(
        MoveView(
            name=str(move),
            kind=_KINDS[move.deed],
            amount=move.amount if move.to else "",
            share=_share(node, child, spot) if move.deed in _AGGRESSIVE else None,
            frequency=float(frequency) if isfinite(frequency) else 0.0,
            combos=round(float(count), 2),
            ev=_number(ev),
            then=then,
        )
        for move, child, frequency, count, ev, then in zip(
            known.moves, node.children, known.frequencies, counts, known.range_move_ev, known.then, strict=True
        )
    )


def _share(node: Node, after: Node, spot: Spot) -> float:
    """The size of a bet or raise: what it adds to a call, in pots after the call."""
    return round(to_call(after) / (spot.pot + 2 * (node.bet + to_call(node))), 4)


def _trail_steps(solution: PostflopSolution, trail: Trail) -> tuple[TrailStep, ...]:
    """Every decision and card on the way, and the node itself."""
    spot, steps = solution.spot, trail[-1].steps
    views = []
    for at, state in enumerate(trail):
        node = node_at(solution.engine, state)
        decides = node.kind is NodeKind.DECISION
        if not decides and not has_choice(node):
            continue
        views.append(
            TrailStep(
                kind="decision" if decides else "card",
                seat=node.seat if decides else None,
                pot=spot.in_unit(spot.pot + 2 * node.bet + (to_call(node) if decides else 0)),
                options=tuple(map(str, node.moves)) if decides else (),
                taken=str(steps[at]) if at < len(steps) else "",
            )
        )
    return tuple(views)


def _number(value: float) -> float | None:
    return round(float(value), 4) if isfinite(value) else None


def _thousandths(shares: Float64s) -> tuple[int, ...]:
    return tuple(int(share) for share in np.round(shares * _THOUSANDTHS))
