"""What subgame solving does to the exploitability of a strategy, measured exactly.

The game is hold'em from the turn on, small enough for exact best responses. A trunk is a solution of it that is coarse
on purpose: stopped early, or without some of the river's bets. Then one seat solves every river again, as it would at a
table: from both ranges as the trunk gives them, with a doubted part of the opponent's range. Its turn strategy stays
the trunk's. What the opponent's best response wins before and after says whether solving again was safe.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tahur.cards.cards import COMBOS, Card
from tahur.core.errors import SolverError
from tahur.solvers.nolimit.subgames import Doubt, entry_gadget
from tahur.solvers.postflop.engine import BEST, VALUE, Engine
from tahur.solvers.postflop.line import BoardNode, has_choice, moved, node_at, start, with_card
from tahur.solvers.postflop.results import seat_evs, shared_sums, subgame_layout
from tahur.solvers.postflop.tree import NodeKind


def solve_rivers_again(
    trunk: Engine, full: Engine, seat: int, *, share: float, iterations: int
) -> Iterator[tuple[int, int]]:
    """Overwrite the river strategies of a seat in `full` by solving each river from the trunk; yields (done, all).

    Both have the same betting on the turn. share: the doubted part of the opponent's range, 0 for unsafe solving, 1 for
    CFR-D.
    """
    if len(trunk.layout.boards) != 2 or len(full.layout.boards) != 2:
        raise SolverError(f"the board has {len(full.layout.spot.board)} cards; subgames are measured from the turn on")
    if any(len(board.images) > 1 for engine in (trunk, full) for board in engine.layout.hands[1].boards):
        raise SolverError("rivers are solved one by one; lay out both spots with symmetry=False")
    _copy_first_street(trunk, full)
    rivers = list(zip(_rivers(trunk), _rivers(full), strict=True))
    for number, (before, after) in enumerate(rivers):
        _solve_again(trunk, before, full, after, seat, share, iterations)
        yield number + 1, len(rivers)


def won_against(full: Engine, seat: int) -> float:
    """What the best response of the opponent of a seat wins, in % of the pot, the pot not counted."""
    return full.root_value(1 - seat, BEST) / full.layout.spot.pot * 100


def value_of(full: Engine, seat: int) -> float:
    """What a seat wins if both play their strategies, in % of the pot."""
    return full.root_value(seat, VALUE) / full.layout.spot.pot * 100


def _copy_first_street(trunk: Engine, full: Engine) -> None:
    """The turn strategies of both seats."""
    for seat in (0, 1):
        rows = [engine.layout.stored_rows(0, seat, 0) for engine in (trunk, full)]
        moves = [int(engine.layout.street_nodes[0].tree.data_rows[seat]) for engine in (trunk, full)]
        if moves[0] != moves[1] or rows[0].size != rows[1].size:
            raise SolverError(
                f"the trunk has {moves[0]} moves on the turn, the game {moves[1]}; they must have the same"
            )
        source, target = (slice(row.start, row.start + moves[0] * row.size) for row in rows)
        full.data.sums[target] = trunk.data.sums[source]


def _rivers(engine: Engine) -> Iterator[BoardNode]:
    """The first decision of every river, in the order of the tree and the cards."""
    waiting = [start(engine)]
    while waiting:
        state = waiting.pop()
        node = node_at(engine, state)
        if node.kind is NodeKind.DECISION:
            waiting += [moved(engine, state, choice) for choice in reversed(range(len(node.moves)))]
        elif has_choice(node):
            for board in engine.layout.hands[1].boards:
                yield with_card(engine, state, Card(board.cards[-1]))


def _solve_again(
    trunk: Engine, before: BoardNode, full: Engine, after: BoardNode, seat: int, share: float, iterations: int
) -> None:  # fmt: skip
    """Solve one river and store the strategy of the seat."""
    opponent = 1 - seat
    doubt = Doubt(opponent, seat_evs(trunk, before, opponent, best=True), share)
    anything = np.ones(COMBOS)
    ranges = (anything, before.reach[1]) if opponent == 0 else (before.reach[0], anything)
    layout = subgame_layout(full, replace(after, reach=ranges))
    solved = Engine(layout, gadget=entry_gadget(layout, before.reach[opponent], doubt))
    solved.iterate(iterations)
    for (target, places), (known, hands) in shared_sums(full, after, solved, seat):
        target[:, places] = known[:, hands]
