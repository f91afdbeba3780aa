"""The results at any decision: strategy, EV, equity and reach of each hand, and the same for whole ranges.

EVs are the chips that a seat ends with from here on, the pot on the table included: folding is worth 0, and without
rake both seats' EVs add up to the pot. A `Result` has them, like all amounts, in big blinds if the spot was given in
big blinds. They are conditional on reaching the decision, whether or not the solver ever goes there. They come from a
traversal of the subtree alone, by the solver's own kernels, in a layout with this decision as its root.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, Card, cards_text
from tahur.cards.equity.removal import meeting
from tahur.core.arrays import Array, Float32s, Float64s
from tahur.core.chips import CHIPS
from tahur.solvers.postflop.boards import Board, BoardHands
from tahur.solvers.postflop.engine import BEST, VALUE, Engine
from tahur.solvers.postflop.layout import SpotLayout, hands_and_tables, stored_boards
from tahur.solvers.postflop.line import (
    BoardNode,
    has_choice,
    locked_at,
    meeting_weights,
    node_at,
    start,
    steps_text,
    strategy_at,
    walk,
)
from tahur.solvers.postflop.merging import RiverGroups
from tahur.solvers.postflop.solve import PostflopSolution, without_bets
from tahur.solvers.postflop.spot import STREETS, Spot
from tahur.solvers.postflop.street_nodes import StreetNodes, street_nodes
from tahur.solvers.postflop.tables import Boards
from tahur.solvers.postflop.tree import Deed, Move, Node, NodeKind, build

if TYPE_CHECKING:
    from rich.console import RenderableType

Pair = tuple[Float64s, Float64s]
Rows = tuple[Array, Array]  # (moves, places) and the place of each hand in a row
Tables = tuple[tuple[BoardHands, ...], tuple[Boards, ...]]
SEATS: Final = ("out of position", "in position")
NO_WEIGHTS = np.zeros(3)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SeatResult:
    """One seat at a decision. Arrays are (hands,); a hand that no opposing hand can meet has NaN as EV and equity."""

    combos: Array
    reach: Float64s  # weight in the range times the probability that its own moves lead here
    weight: Float64s  # its share of all pairs of hands here; adds up to 1
    ev: Float64s
    equity: Float64s
    range_ev: float
    range_equity: float
    realized: float  # EQR: EV / (equity x pot)

    def __repr__(self) -> str:
        summary = f"EV {self.range_ev:.2f}, equity {self.range_equity:.2%}, EQR {self.realized:.1%}"
        return f"<SeatResult {len(self.combos)} hands, {self.reach.sum():.1f} combos: {summary}>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Result:
    """A decision. `strategy` and `move_ev` are (moves, hands), over the hands of the seat that acts."""

    line: tuple[Move, ...]
    board: tuple[Card, ...]
    seat: int
    pot: float  # bets on the table included; whole chips, or big blinds
    to_call: float
    frequency: float  # of the line's moves, given the cards
    moves: tuple[Move, ...]
    seats: tuple[SeatResult, SeatResult]
    strategy: Float64s
    frequencies: Float64s  # (moves,)
    move_ev: Float64s
    range_move_ev: Float64s  # (moves,) over the hands that make the move
    steps: tuple[Move | Card, ...]  # the line with its cards
    stacks: tuple[float, float]  # what each seat has left
    then: tuple[str, ...]  # what each move leads to
    locked: NDArray[np.bool_]  # (hands,) those that are locked here
    unit: str = CHIPS  # of pot, stacks and EVs

    @property
    def decider(self) -> SeatResult:
        return self.seats[self.seat]

    def __repr__(self) -> str:
        moves = ", ".join(f"{move} {often:.1%}" for move, often in zip(self.moves, self.frequencies, strict=True))
        who = f"{steps_text(self.steps) or 'first'}: {SEATS[self.seat]}"
        return f"<Result {cards_text(self.board)} {who} decides, pot {self.pot}: {moves}>"

    def __rich__(self) -> RenderableType:
        from tahur.show.decision import decision_text

        return decision_text(self)

    def _repr_html_(self) -> str:
        from tahur.show.decision_page import decision_piece

        return decision_piece(self)


def result(solution: PostflopSolution, line: str = "", *, turn: str | None = None, river: str | None = None) -> Result:
    """The results after a line of moves and cards: `result(solution, "check,bet100,call", river="2c")`."""
    return result_at(solution, walk(solution.engine, line, turn=turn, river=river))


def result_at(solution: PostflopSolution, state: BoardNode) -> Result:
    """The same, at a node that `walk` returned."""
    engine, seen = solution.engine, glance(solution, state)
    me, tables = seen.seat, _tables(engine, state)
    equities = _equities(engine, state, tables)
    below = _below(engine, state, tables)
    scale = solution.spot.big_blind or 1
    theirs = _per_pair(_values(below, state, 1 - me), state, 1 - me) / scale + (seen.pot + seen.to_call) / 2
    mine = _per_pair(_values(below, state, me), state, me) / scale + (seen.pot - seen.to_call) / 2
    evs = (mine, theirs) if me == 0 else (theirs, mine)
    seats = tuple(_seat(state, seat, evs[seat], equities[seat], seen.pot) for seat in (0, 1))
    stake = (seen.pot - seen.to_call) / 2 * scale
    move_ev = _move_evs(below, state, me, stake)[:, seen.decider.combos] / scale
    weight = seats[me].weight
    means = np.array([_mean(evs, weight * often) for evs, often in zip(move_ev, seen.strategy, strict=True)])
    return replace(seen, seats=(seats[0], seats[1]), move_ev=move_ev, range_move_ev=means)


def glance(solution: PostflopSolution, state: BoardNode) -> Result:
    """The results that need no traversal: as `result_at`, but all EVs and equities are NaN."""
    node, spot = node_at(solution.engine, state), solution.spot
    raised = to_call(node)
    pot = spot.in_unit(spot.pot + 2 * node.bet + raised)
    unknown = np.full(COMBOS, np.nan)
    seats = tuple(_seat(state, seat, unknown, unknown, pot) for seat in (0, 1))
    strategy = strategy_at(solution.engine, state)[:, seats[node.seat].combos]
    left = [spot.in_unit(spot.stack - node.bet - (raised if seat != node.seat else 0)) for seat in (0, 1)]
    return Result(
        line=state.line,
        board=state.board,
        seat=node.seat,
        pot=pot,
        to_call=spot.in_unit(raised),
        frequency=state.frequency,
        moves=node.moves,
        seats=(seats[0], seats[1]),
        strategy=strategy,
        frequencies=strategy @ seats[node.seat].weight,
        move_ev=np.full(strategy.shape, np.nan),
        range_move_ev=np.full(len(strategy), np.nan),
        steps=state.steps,
        stacks=(left[0], left[1]),
        then=tuple(_then(child) for child in node.children),
        locked=locked_at(solution.engine, state)[seats[node.seat].combos],
        unit=spot.unit,
    )


def move_evs(engine: Engine, state: BoardNode, *, best: bool = False) -> Float64s:
    """(moves, 1326) the acting seat's EV of each move with each combo; as `Result.move_ev`, but faster.

    `best`: later decisions also take the best move, whatever the strategy does there. NaN for combos that no opposing
    hand can meet.
    """
    return _evs_by_mode(engine, state, BEST if best else VALUE)[0]


def seat_evs(engine: Engine, state: BoardNode, seat: int, *, best: bool = False) -> Float64s:
    """(1326,) a seat's EV of each combo at a node, whoever acts there; `best`: if it takes the best moves from here on.

    NaN for combos that no opposing hand can meet.
    """
    below = _below(engine, state, _tables(engine, state))
    values = below.traverse(seat, BEST if best else VALUE, NO_WEIGHTS)
    evs: Float64s = _per_pair(_by_combo(below, state, seat, values), state, seat)
    return evs + stake_in(engine.layout.spot, node_at(engine, state), seat)


def stake_in(spot: Spot, node: Node, seat: int) -> float:
    """The zero of a seat's values in the solver: half the pot if all bets were called, and its uncalled bet."""
    matched = (spot.pot + 2 * node.bet) / 2
    return matched if node.seat == seat else matched + to_call(node)


def best_and_own_evs(engine: Engine, state: BoardNode) -> Pair:
    """As `move_evs` with `best`, and (1326,) the EV of each combo when it follows the strategy, here and later."""
    best, played = _evs_by_mode(engine, state, BEST, VALUE)
    often = strategy_at(engine, state)
    own: Float64s = np.where(often > 0, often * played, 0.0).sum(axis=0)
    return best, own


def _evs_by_mode(engine: Engine, state: BoardNode, *modes: int) -> list[Float64s]:
    """For each mode, (moves, 1326) the EVs after each move of the seat to act."""
    node = node_at(engine, state)
    below = _below(engine, state, _tables(engine, state))
    stake = (engine.layout.spot.pot + 2 * node.bet) / 2
    evs = []
    for mode in modes:
        below.traverse(node.seat, mode, NO_WEIGHTS)
        evs.append(_move_evs(below, state, node.seat, stake))
    return evs


def opening(solution: PostflopSolution) -> Result:
    """The first decision without a traversal, with the ranges' EVs and equities that solving has computed."""
    seen, spot = glance(solution, start(solution.engine)), solution.spot
    known = [
        replace(
            seat,
            range_ev=spot.in_unit(ev),
            range_equity=share,
            realized=ev / (share * spot.pot) if share else float("nan"),
        )
        for seat, ev, share in zip(seen.seats, solution.ev, solution.equity, strict=True)
    ]
    return replace(seen, seats=(known[0], known[1]))


def _then(node: Node) -> str:
    """What a move leads to, in words."""
    if node.kind is NodeKind.DECISION:
        return f"{SEATS[node.seat]} decides"
    if node.kind is NodeKind.DEAL:
        return f"the {STREETS[node.street + 1]}" if has_choice(node) else "all-in, cards to the end"
    return "it is over"


def _seat(state: BoardNode, seat: int, ev: Float64s, equity: Float64s, pot: float) -> SeatResult:
    """A seat's hands at a node with their values, and the means over its range."""
    held = np.flatnonzero(state.reach[seat])
    pairs = meeting_weights(state.reach[seat], state.reach[1 - seat])[held]
    weight = pairs / pairs.sum() if pairs.sum() else pairs
    range_ev, range_equity = _mean(ev[held], weight), _mean(equity[held], weight)
    realized = range_ev / (range_equity * pot) if range_equity else float("nan")
    return SeatResult(
        combos=held,
        reach=state.reach[seat][held],
        weight=weight,
        ev=ev[held],
        equity=equity[held],
        range_ev=range_ev,
        range_equity=range_equity,
        realized=realized,
    )


def _mean(values: Float64s, weights: Float64s) -> float:
    """The weighted mean; NaN if all weights are 0."""
    reached = weights > 0
    return float(values[reached] @ weights[reached] / weights[reached].sum()) if reached.any() else float("nan")


def to_call(node: Node) -> int:
    """The amount to call."""
    return next(
        (after.bet - node.bet for move, after in zip(node.moves, node.children, strict=True) if move.deed is Deed.CALL),
        0,
    )


def _per_pair(values: Float64s, state: BoardNode, seat: int) -> Float64s:
    """Sums over the opponent's hands turned into means; the reach had been scaled to at most 1."""
    theirs = state.reach[1 - seat]
    pairs = meeting(theirs / theirs.max()) if theirs.max() > 0 else np.zeros(COMBOS)
    return np.where(pairs > 0, values / np.where(pairs > 0, pairs, 1), np.nan)


def _equities(engine: Engine, state: BoardNode, tables: Tables) -> Pair:
    """(1326,) for each seat: the share of the pot if there is no further betting."""
    spot = without_bets(_spot_at(engine, state))
    checked = Engine(_layout(state, spot, build(spot), tables))
    mine, theirs = (_per_pair(_values(checked, state, seat), state, seat) / spot.pot + 0.5 for seat in (0, 1))
    return mine, theirs


def _values(below: Engine, state: BoardNode, seat: int) -> Float64s:
    """(1326,) a seat's winnings, counted from before the pot at the root was formed."""
    return _by_combo(below, state, seat, below.traverse(seat, VALUE, NO_WEIGHTS))


def _move_evs(below: Engine, state: BoardNode, seat: int, stake: float) -> Float64s:
    """(moves, 1326) after a traversal for the seat, which has valued every node of the street, the root's children
    too."""
    tree = below.layout.street_nodes[0].tree
    first = int(tree.first[0])
    children = tree.child[first : first + int(tree.moves[0])]
    values = [_by_combo(below, state, seat, below.last_value(seat, int(child))) for child in children]
    return np.array([_per_pair(value, state, seat) + stake for value in values])


def _by_combo(below: Engine, state: BoardNode, seat: int, values: Float32s) -> Float64s:
    """(1326,) values of an engine's root hands, by the combos of the actual board."""
    hands = below.layout.hands[0].combos[seat][0]
    stored = np.zeros(COMBOS)
    stored[hands] = values[: len(hands)]
    return stored[state.frame]


# Subgames: the solver below one decision


def _below(engine: Engine, state: BoardNode, tables: Tables) -> Engine:
    """An engine whose root is the node, with the average strategies of its subtree."""
    merged = engine.layout.merged if state.street == 0 else None  # below the flop the tree is small
    groups = None if merged is None else merged.groups
    layout = _layout(state, _spot_at(engine, state), node_at(engine, state), tables, groups)
    below = Engine(layout)
    for seat in (0, 1):
        for (known, hands), (target, places) in shared_sums(engine, state, below, seat):
            target[:, places] = known[:, hands]
    return below


def subgame_layout(engine: Engine, state: BoardNode) -> SpotLayout:
    """The layout of the subgame at a node, with the node's reach as the ranges."""
    return _layout(state, _spot_at(engine, state), node_at(engine, state), _tables(engine, state))


def shared_sums(engine: Engine, state: BoardNode, below: Engine, seat: int) -> Iterator[tuple[Rows, Rows]]:
    """The strategy sums of a seat on each board from a node on: in the engine, and in one whose root is the node."""
    source = _Slices(engine.layout, state)
    for street, nodes_of_street in enumerate(below.layout.street_nodes):
        first_board, skipped = source.boards[street], source.rows[street]
        moves = int(nodes_of_street.tree.data_rows[seat])
        for board in range(len(below.layout.hands[street].boards)):
            there = below.layout.stored_rows(street, seat, board)
            here = engine.layout.stored_rows(state.street + street, seat, first_board + board)
            start = here.start + skipped[seat] * here.size
            known = engine.data.sums[start : start + moves * here.size].reshape(moves, here.size)
            target = below.data.sums[there.start : there.start + moves * there.size].reshape(moves, there.size)
            yield (known, here.hands), (target, there.hands)


class _Slices:
    """Nodes are numbered depth first, so a subtree is one contiguous range of each street's boards and rows."""

    def __init__(self, layout: SpotLayout, state: BoardNode) -> None:
        """Find, on each street from the node's on, the first board and the rows that precede the subtree."""
        self.boards: list[int] = [state.stored]
        self.rows: list[tuple[int, int]] = []
        node = state.node
        for street in range(state.street, len(layout.street_nodes)):
            nodes_of_street = layout.street_nodes[street]
            self.rows.append(_rows_before(nodes_of_street, node))
            if street + 1 < len(layout.street_nodes):
                self.boards.append(int(layout.boards[street].children[self.boards[-1]]))
                line = int(np.searchsorted(nodes_of_street.tree.deals, node))
                roots = layout.street_nodes[street + 1].tree.roots
                node = int(roots[line]) if line < len(roots) else len(layout.street_nodes[street + 1].nodes)


def _rows_before(nodes_of_street: StreetNodes, node: int) -> tuple[int, int]:
    """How many rows of either seat's strategies come before a node's."""
    kinds, moves = nodes_of_street.tree.kind[:node], nodes_of_street.tree.moves[:node]
    return int(moves[kinds == 0].sum()), int(moves[kinds == 1].sum())


def _spot_at(engine: Engine, state: BoardNode) -> Spot:
    """The spot with the stored board's cards on the table; bets since its root are in the nodes."""
    cards = engine.layout.hands[state.street].boards[state.stored].cards
    return replace(engine.layout.spot, board=tuple(Card(card) for card in cards))


def _layout(state: BoardNode, spot: Spot, root: Node, tables: Tables, groups: RiverGroups | None = None) -> SpotLayout:
    """The layout of the subgame at a node: its boards, the betting below `root`, and the node's reach as the ranges.

    groups: of merged rivers.
    """
    betting, hands = street_nodes(spot, root), tables[0]
    boards, cells, merged = stored_boards(betting, *tables, groups)
    priors = _prior(state, hands[0], 0), _prior(state, hands[0], 1)
    return SpotLayout(
        spot=spot,
        street_nodes=betting,
        hands=hands,
        boards=boards,
        cells=cells,
        priors=priors,
        pairs=1.0,
        merged=merged,
    )


def _tables(engine: Engine, state: BoardNode) -> Tables:
    """The hands and tables of the boards from the node on; on the spot's first street they exist already."""
    if state.street == 0:
        return engine.layout.hands, engine.layout.boards
    return hands_and_tables(_spot_at(engine, state), _streets(engine.layout, state))


def _streets(layout: SpotLayout, state: BoardNode) -> list[list[Board]]:
    """The boards of each street from the node's own on."""
    first = layout.hands[state.street].boards[state.stored]
    streets = [[replace(first, parent=-1)]]
    begin, end = state.stored, state.stored + 1
    for street in range(state.street, len(layout.street_nodes) - 1):
        children = layout.boards[street].children
        below = slice(int(children[begin]), int(children[end]))
        streets.append(
            [replace(board, parent=board.parent - begin) for board in layout.hands[street + 1].boards[below]]
        )
        begin, end = below.start, below.stop
    return streets


def _prior(state: BoardNode, hands: BoardHands, seat: int) -> Float32s:
    """The reach, scaled to at most 1 so that rare lines are as precise as others."""
    stored = np.zeros(COMBOS)
    stored[state.frame] = state.reach[seat] / max(state.reach[seat].max(), 1e-300)
    prior = np.zeros(hands.size[seat, 0], np.float32)
    prior[: hands.count[seat, 0]] = stored[hands.combos[seat][0]]
    return prior
