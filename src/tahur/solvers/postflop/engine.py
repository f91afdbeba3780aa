"""The postflop solver: discounted CFR with alternating updates on all boards at once, and exact best responses.

The regrets and strategy sums of both seats are two flat arrays, float32 or 16-bit (`half`). A traversal goes down the
first street, through every card, and up again. Cards can be distributed over threads: each card's subtree is computed
independently and the results are summed in a fixed order, so the number of threads does not change the result. Ctrl-C
takes effect after the current iteration, or in a long one after the current card, and is raised when all threads have
stopped (`solvers/interrupts.py`).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Array, Float32s
from tahur.core.errors import SolverError
from tahur.solvers.interrupts import Stop, run_apart
from tahur.solvers.postflop.boards import LANES
from tahur.solvers.postflop.gadget import EntryGadget
from tahur.solvers.postflop.layout import SpotLayout
from tahur.solvers.postflop.tables import CfrData, Data, Packed, PostflopScratch
from tahur.solvers.rows import aligned
from tahur.solvers.schedule import DCFR_CUBIC, SCHEDULES, Schedule

UPDATE, BEST, VALUE = range(3)  # what a traversal does: update regrets; value of the best response; of the average
SIDE_BY_SIDE: Final = 16  # rows of reach whose terminals are evaluated at once
CARDS_HELD: Final = 4  # by the two seats: 52 cards minus the board minus these can still be dealt


class Abandoned(Exception):
    """A traversal was stopped before all cards were dealt."""


class Engine:
    """Solves one spot with one schedule.

    `iteration` counts finished iterations; `unfinished`: an interrupt stopped one more in the middle.
    """

    def __init__(
        self,
        layout: SpotLayout,
        schedule: Schedule = DCFR_CUBIC,
        *,
        threads: int = 1,
        half: bool = False,
        gadget: EntryGadget | None = None,
    ) -> None:
        """Allocate regrets, sums and scratch space for every thread.

        half: 16-bit numbers, for half the memory; gadget: the opponent's choice at the root in safe subgame solving.
        """
        self.layout = layout
        self.gadget = gadget
        self.schedule = schedule
        self.iteration, self.unfinished = 0, False
        if schedule.predict:
            taken = ", ".join(name for name, schedule_ in SCHEDULES.items() if not schedule_.predict)
            raise SolverError(f"the postflop solver cannot use {schedule.name}, which is predictive; valid: {taken}")
        self.data: CfrData = _packed(layout) if half else Data(aligned(layout.cells), aligned(layout.cells))
        self.apply_locks()
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self._works = [_work(layout) for _ in range(threads)]
        widest = [int(hands.size.max()) for hands in layout.hands]
        tree = layout.street_nodes[0].tree
        lines = widest[0] * _padded(len(tree.deals))
        self._reach = aligned((int(tree.rows.max()) + 1) * widest[0])
        self._value = aligned((len(layout.street_nodes[0].nodes) + 1) * widest[0])
        self._sent = aligned(lines)
        self._order = _biggest_first(layout)
        self._taken = aligned(1, np.int64)
        self._leaving = False
        self._dealt = aligned(len(self._order) * lines)
        left = 52 - len(layout.spot.board) - CARDS_HELD
        self._chances = np.array([1.0 / left, 1.0 / (left - 1)])  # of each card of the next street, and the one after

    def apply_locks(self) -> None:
        """Overwrite strategies and regrets of locked hands with their locks."""
        for boards, nodes_of_street in zip(self.layout.boards, self.layout.street_nodes, strict=True):
            for board, node in np.argwhere(boards.lock >= 0):
                seat, moves = nodes_of_street.nodes[node].seat, len(nodes_of_street.nodes[node].moves)
                size, lock = int(boards.size[seat, board]), int(boards.lock[board, node])
                rows = boards.locked[lock : lock + (1 + moves) * size].reshape(1 + moves, size)
                start = int(boards.data[seat, board]) + int(nodes_of_street.tree.data[node]) * size
                for numbers in (self.data.regrets, self.data.sums):
                    there = numbers[start : start + moves * size].reshape(moves, size)
                    most = np.iinfo(numbers.dtype).max if numbers.dtype.kind in "iu" else 1
                    there[:] = np.where(rows[0] > 0, rows[1:] * most, there)

    def iterate(self, iterations: int) -> None:
        """Run this many more iterations, each updating seat 0 and then seat 1; fewer if interrupted."""
        weights = self.schedule.weights(self.iteration + 1, iterations)
        work = self._iterate_river if len(self.layout.boards) == 1 and self.gadget is None else self._iterate
        self._leaving = False
        run_apart(lambda stop: work(weights, stop), abandon=self._leave)

    def _leave(self) -> None:
        """Let no thread start another card."""
        self._leaving = True
        self._taken[0] = len(self._order)

    def _iterate(self, weights: Array, stop: Stop) -> None:
        """One iteration for each row of the schedule's weights; fewer if a stop is requested."""
        for weight in weights:
            if stop.requested:
                return
            try:
                for seat in (0, 1):
                    values = self._traverse(seat, UPDATE, weight)
                    if self.gadget is not None and self.gadget.seat == seat:
                        self.gadget.learn(values, weight)
            except Abandoned:
                self.unfinished = True
                return
            self.iteration += 1

    def _iterate_river(self, weights: Array, _stop: Stop) -> None:
        """All iterations in one kernel call, since one iteration of a river takes no longer than a call."""
        from tahur.solvers.postflop.kernels.streets import play_river_root

        layout = self.layout
        priors = np.zeros((2, max(map(len, layout.priors))), np.float32)
        for seat in (0, 1):
            priors[seat, : len(layout.priors[seat])] = layout.priors[seat]
        rest = (priors, self._reach, self._value, self._works[0])
        play_river_root(layout.street_nodes[0].tree, layout.boards[0], UPDATE, self.data, weights, *rest)
        self.iteration += len(weights)

    def exploitability(self) -> float:
        """The mean gain of the best responses over the average strategy, in % of the pot."""
        best = sum(self.root_value(seat, BEST) for seat in (0, 1))
        if self.layout.spot.rake.share:
            best -= sum(self.root_value(seat, VALUE) for seat in (0, 1))
        return best / 2 / self.layout.spot.pot * 100

    def root_value(self, seat: int, mode: int) -> float:
        """What a seat wins per deal against the average strategy."""
        values = self.traverse(seat, mode, np.zeros(3))
        prior = self.layout.priors[seat].astype(np.float64)
        return float(values.astype(np.float64) @ prior) / self.layout.pairs

    def strategy(self, street: int, board: int, node: int) -> NDArray[np.float64]:
        """(moves, hands) the average strategy at a decision; street 0 is the spot's first."""
        nodes_of_street = self.layout.street_nodes[street]
        seat, moves = nodes_of_street.nodes[node].seat, len(nodes_of_street.nodes[node].moves)
        rows = self.layout.stored_rows(street, seat, board)
        start = rows.start + int(nodes_of_street.tree.data[node]) * rows.size
        stored = self.data.sums[start : start + moves * rows.size].reshape(moves, rows.size)
        sums = stored[:, rows.hands].astype(np.float64)
        total = sums.sum(0)
        return np.where(total > 0, sums / np.where(total > 0, total, 1), 1 / moves)

    def traverse(self, me: int, mode: int, weights: Array) -> Float32s:
        """One traversal of the tree; the root's values for each own hand, weighted by the opponent's."""
        self._leaving = False
        return run_apart(lambda _: self._traverse(me, mode, weights), abandon=self._leave, grace=0)

    def _traverse(self, me: int, mode: int, weights: Array) -> Float32s:
        """One traversal, in the calling thread."""

        from tahur.solvers.postflop.kernels.streets import close_root

        layout = self.layout
        tree, boards = layout.street_nodes[0].tree, layout.boards[0]
        self._open(me, mode, weights)
        if len(layout.boards) > 1:
            self._deal(me, mode, weights)
        rest = (self._dealt, len(self._order), self._value, self._works[0])
        close_root(tree, boards, me, mode, self.data, weights, *rest)
        values: Float32s = self._value[: int(boards.size[me, 0])]
        return values

    def last_value(self, me: int, node: int) -> Float32s:
        """The value of a node of the first street in that seat's last traversal, for each own hand."""
        size = int(self.layout.boards[0].size[me, 0])
        values: Float32s = self._value[node * size : (node + 1) * size]
        return values

    def _open(self, me: int, mode: int, weights: Array) -> None:
        """Traverse the first street downwards."""
        from tahur.solvers.postflop.kernels.streets import open_root

        tree, boards = self.layout.street_nodes[0].tree, self.layout.boards[0]
        is_guarded = self.gadget is not None and self.gadget.seat == 1 - me
        prior = self.gadget.reach if self.gadget is not None and is_guarded else self.layout.priors[1 - me]
        self._reach[: len(prior)] = prior
        rest = (self._reach, self._value, self._sent, self._works[0])
        open_root(tree, boards, me, mode, self.data, weights, *rest)

    def _deal(self, me: int, mode: int, weights: Array) -> None:
        """Traverse every card of the second street: each thread takes the next one until none is left."""
        self._taken[0] = 0
        if self._leaving:
            raise Abandoned
        helpers = [self._pool.submit(self._play, me, mode, weights, work) for work in self._works[1:] if self._pool]
        self._play(me, mode, weights, self._works[0])
        for helper in helpers:
            helper.result()
        if self._leaving:
            raise Abandoned

    def _play(self, me: int, mode: int, weights: Array, work: PostflopScratch) -> None:
        """Traverse the cards that this thread takes."""

        from tahur.solvers.postflop.kernels.merged import play_merged_turns
        from tahur.solvers.postflop.kernels.streets import play_rivers, play_turns

        layout = self.layout
        first = layout.boards[0]
        rest = (weights, self._chances, self._sent, self._order, self._taken, self._dealt, work)
        river, rivers = layout.street_nodes[-1].tree, layout.boards[-1]
        if len(layout.boards) == 2:
            play_rivers(river, rivers, first, me, mode, self.data, *rest)
            return
        turn, turns = layout.street_nodes[1].tree, layout.boards[1]
        if layout.merged is not None:
            groups = layout.merged.boards
            play_merged_turns(turn, river, turns, rivers, groups, first, me, mode, self.data, *rest)
            return
        play_turns(turn, river, turns, rivers, first, me, mode, self.data, *rest)


def _padded(lines: int) -> int:
    """Lines to the next street, rounded up to whole vectors."""
    return -(-lines // LANES) * LANES


def _work(layout: SpotLayout) -> PostflopScratch:
    """Scratch space for one thread."""
    widest = max(int(hands.size.max()) for hands in layout.hands)
    rows = [int(nodes_of_street.tree.rows.max()) for nodes_of_street in layout.street_nodes]
    nodes = [len(nodes_of_street.nodes) for nodes_of_street in layout.street_nodes]
    turn = len(rows) == 3
    lines = _padded(max(len(nodes_of_street.tree.deals) for nodes_of_street in layout.street_nodes))
    groups = 1 if layout.merged is None else int(layout.merged.groups.size.max())
    near = max(int(nodes_of_street.tree.moves.max()) for nodes_of_street in layout.street_nodes) * widest + LANES
    return PostflopScratch(
        turn_reach=aligned((rows[1] + 1) * widest if turn else LANES),
        turn_value=aligned((nodes[1] + 1) * widest if turn else LANES),
        river_reach=aligned((rows[-1] + 1) * widest),
        river_value=aligned(nodes[-1] * widest),
        held=aligned(SIDE_BY_SIDE * widest),
        swept=aligned(SIDE_BY_SIDE * widest),
        total=aligned(SIDE_BY_SIDE * widest),
        by_card=aligned(52 * SIDE_BY_SIDE),
        everything=aligned(SIDE_BY_SIDE),
        swept_rows=aligned(SIDE_BY_SIDE * widest),
        total_rows=aligned(SIDE_BY_SIDE * widest),
        sent=aligned(lines * widest if turn else LANES),
        raised=aligned(lines * widest),
        river_sum=aligned(lines * widest if turn else LANES),
        line_rows=aligned(lines, np.int64),
        rows=aligned(SIDE_BY_SIDE, np.int64),
        columns=aligned(SIDE_BY_SIDE, np.int64),
        near_regrets=aligned(near),
        near_sums=aligned(near),
        merged_sent=aligned(lines * groups),
        expanded=aligned(LANES if layout.merged is None else _cells_of_a_river(layout)),
    )


def _cells_of_a_river(layout: SpotLayout) -> int:
    """The sums of both seats on the largest river."""
    return int((layout.street_nodes[-1].tree.data_rows * layout.hands[-1].size.max(1)).sum())


def _biggest_first(layout: SpotLayout) -> NDArray[np.int64]:
    """The boards of the second street, the largest first, so that all threads finish at about the same time."""
    if len(layout.boards) == 1:
        return np.zeros(0, np.int64)
    cost = layout.hands[1].size.sum(0)
    if len(layout.boards) == 3:
        cost = cost * np.diff(layout.boards[1].children)
    return np.argsort(-cost, kind="stable").astype(np.int64)


def _packed(layout: SpotLayout) -> Packed:
    """Empty regrets and sums with 16 bits per number."""
    nodes = sum(layout.nodes)
    return Packed(
        aligned(layout.cells, np.int16),
        aligned(layout.cells, np.uint16),
        aligned(nodes),
        aligned(nodes),
    )
