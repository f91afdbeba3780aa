"""The betting on the flop from each seat's point of view, for all seven preflop lines at once: `Flow` for the kernels.

All lines that lead to the flop have the same betting there except for the pot, as long as no seat can be all-in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.errors import SolverError
from tahur.games.betting import FOLDED, SLOTS, Betting
from tahur.solvers.limit.tables import Flow

LANES: Final = 8
FLOP: Final = 1  # the street


@dataclass(frozen=True, eq=False)
class FlopBetting:
    """The decisions on the flop that every line has."""

    betting: Betting
    lines: int
    decisions: int  # of one line
    rows: NDArray[np.int64]  # (decisions, 3) the row of the acting seat's data for each slot, -1 where not legal
    data_rows: int  # of each seat

    @property
    def first(self) -> int:
        """The first decision on the flop."""
        return self.betting.first[FLOP]

    def seat(self, decision: int) -> int:
        return int(self.betting.seat[self.first + decision])

    def moves(self, decision: int) -> list[int]:
        """The legal slots of a decision."""
        return np.flatnonzero(self.rows[decision] >= 0).tolist()

    def child(self, line: int, decision: int, slot: int) -> int:
        return int(self.betting.children[self.first + line * self.decisions + decision, slot])

    def below(self, decision: int, slot: int) -> int | None:
        """The decision that a slot leads to; None if it leads to a terminal."""
        node = self.child(0, decision, slot)
        return node - self.first if node < self.betting.decisions else None


def flop_betting(betting: Betting) -> FlopBetting:
    """The betting that all lines share; rejects games where lines differ, or that have further streets."""
    game = betting.game
    if betting.streets != FLOP + 1 or game.stakes.showdown_board != 3:
        raise SolverError(f"{game.name} ends with {game.stakes.showdown_board} board cards; Flop Hold'em has 3")
    lines = sum(1 for node in betting.of_street(FLOP) if betting.street[betting.parent[node]] < FLOP)
    count = len(betting.of_street(FLOP))
    shapes = betting.legal[betting.first[FLOP] :].reshape(lines, -1) if count % max(lines, 1) == 0 else None
    if not 0 < lines <= LANES or shapes is None or (shapes != shapes[0]).any():
        needed = "16 chips or more"
        raise SolverError(
            f"{game.name} with stacks {list(game.stakes.stacks)}: a seat may be all-in; use {needed} each"
        )
    decisions = count // lines
    rows = np.full((decisions, len(SLOTS)), -1)
    used = [0, 0]
    for decision in range(decisions):
        seat = int(betting.seat[betting.first[FLOP] + decision])
        for slot in np.flatnonzero(betting.legal[betting.first[FLOP] + decision]):
            rows[decision, slot] = used[seat]
            used[seat] += 1
    return FlopBetting(betting=betting, lines=lines, decisions=decisions, rows=rows, data_rows=max(used))


def flow_of(flop: FlopBetting, me: int) -> Flow:
    """One seat's view of the betting."""
    rows = _ReachRows(flop, me)
    count = flop.decisions
    moves = np.array([len(flop.moves(decision)) for decision in range(count)], np.int64)
    below, source = np.zeros((2, count, len(SLOTS)), np.int64)
    factor = np.zeros((count, len(SLOTS), LANES), np.float32)
    first_value = 2 * rows.count
    for decision in range(count):
        for index, slot in enumerate(flop.moves(decision)):
            row, child = rows.after[decision, slot], flop.below(decision, slot)
            below[decision, index] = row
            if child is not None:
                source[decision, index] = first_value + child
                factor[decision, index] = 1
            else:
                folds = flop.betting.kind[flop.child(0, decision, slot)] == FOLDED
                source[decision, index] = row + (rows.count if folds else 0)
                factor[decision, index, : flop.lines] = _pays(flop, me, decision, slot)
    return Flow(
        seat=me,
        mine=np.array([flop.seat(decision) == me for decision in range(count)], np.int8),
        moves=moves,
        data=np.array([flop.rows[decision].max() + 1 - moves[decision] for decision in range(count)], np.int64),
        row=rows.at,
        below=below,
        source=source,
        factor=factor.ravel(),
        value=np.arange(first_value, first_value + count),
        rows=rows.count,
        swept=rows.swept,
        summed=rows.summed,
        data_rows=flop.data_rows,
    )


def _pays(flop: FlopBetting, me: int, decision: int, slot: int) -> list[float]:
    """A terminal's payoff to me on each line; for a showdown, if I win."""
    ends = [flop.child(line, decision, slot) for line in range(flop.lines)]
    betting = flop.betting
    lose = [betting.kind[end] == FOLDED and betting.seat[end] == me for end in ends]
    return [(-1.0 if lost else 1.0) * float(betting.committed[end].min()) for end, lost in zip(ends, lose, strict=True)]


class _ReachRows:
    """Rows of the other seat's reach: a new one after each of its moves, none after mine. Those with showdowns come
    first."""

    def __init__(self, flop: FlopBetting, me: int) -> None:
        """Assign a row to each decision and to the node after each of its moves, then sort the rows by use."""
        at = np.zeros(flop.decisions, np.int64)
        after = np.full((flop.decisions, len(SLOTS)), -1)
        uses: list[set[int]] = [set()]  # the kinds of terminals that each row leads to
        for decision in range(flop.decisions):
            for slot in flop.moves(decision):
                if flop.seat(decision) == me:
                    after[decision, slot] = at[decision]
                else:
                    after[decision, slot] = len(uses)
                    uses.append(set())
                child = flop.below(decision, slot)
                if child is not None:
                    at[child] = after[decision, slot]
                else:
                    uses[after[decision, slot]].add(int(flop.betting.kind[flop.child(0, decision, slot)]))
        shows = [bool(kinds - {FOLDED}) for kinds in uses]
        order = sorted(range(len(uses)), key=lambda row: (not shows[row], not uses[row]))
        number = np.argsort(order)
        self.at = number[at]
        self.after = np.where(after >= 0, number[after], -1)
        self.count = _even(len(uses))
        self.swept = _even(sum(shows))
        self.summed = _even(sum(map(bool, uses)))


def _even(number: int) -> int:
    return number + number % 2
