"""Net outputs in the memory layout of the Flop Hold'em kernels: NumPy only.

A net has an output column for each decision and slot. The kernels need rows of SIMD *lanes*: a row for each legal slot
of a decision on the flop, with a lane for each preflop betting line. `OutputLayout` maps columns to rows and lanes;
`KernelNet` is a net whose outputs are in that order.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Array, Int64s
from tahur.core.towers import SLOTS, Towers
from tahur.games.encoders.holdem import combo_cards
from tahur.solvers.deep.flops import FlopTree
from tahur.solvers.limit.engine import LimitLayout
from tahur.solvers.limit.flow import LANES, FlopBetting


class OutputLayout:
    """The layout of one role's decisions on the flop."""

    def __init__(self, where: FlopTree, flop: FlopBetting, role: int) -> None:
        """List the role's decisions on the flop, with the legal slots and the data rows of each."""
        self.role = role
        self.bets: NDArray[np.float32] = where.rows[role]
        self.decisions: list[int] = where.mine[role].tolist()
        self.lines = flop.lines
        self.groups = [[int(flop.rows[decision, slot]) for slot in flop.moves(decision)] for decision in self.decisions]
        self.slots = [flop.moves(decision) for decision in self.decisions]
        self.data_rows = flop.data_rows
        self.answered = _opponent_actions(where, role)

    @property
    def count(self) -> int:
        """Decisions, counted for each line separately: a net has three times as many columns."""
        return len(self.decisions) * self.lines

    @cached_property
    def columns(self) -> Int64s:
        """(rows, lanes) the net's column, -1 where there is none."""
        columns = np.full((self.data_rows, LANES), -1)
        for number, (rows, slots) in enumerate(zip(self.groups, self.slots, strict=True)):
            for row, slot in zip(rows, slots, strict=True):
                columns[row, : self.lines] = (number * self.lines + np.arange(self.lines)) * SLOTS + slot
        return columns

    @cached_property
    def legal(self) -> NDArray[np.float32]:
        """(columns,) 1 where the slot is legal, else 0."""
        legal = np.zeros(self.count * SLOTS, np.float32)
        legal[self.columns[self.columns >= 0]] = 1
        return legal

    @cached_property
    def back(self) -> Int64s:
        """(columns,) the index of each among rows and lanes; arbitrary if it is not legal."""
        indices = np.zeros(self.count * SLOTS, np.int64)
        flat = self.columns.reshape(-1)
        indices[flat[flat >= 0]] = np.flatnonzero(flat >= 0)
        return indices


def _opponent_actions(where: FlopTree, role: int) -> Int64s:
    """(decisions,) how often the other seat has acted on the path to each."""
    betting, counts = where.betting, []
    for node in where.nodes[where.mine[role]].reshape(-1):
        times, above = 0, int(betting.parent[node])
        while above >= 0:
            times += int(betting.seat[above] == 1 - role)
            above = int(betting.parent[above])
        counts.append(times)
    return np.array(counts)


class KernelNet:
    """A net of one role, with the betting tower already evaluated for every decision."""

    def __init__(self, outputs: OutputLayout, towers: Towers, *, uniform: bool = False) -> None:
        factors, added = towers.bets_for_hidden(outputs.bets)
        order = np.maximum(outputs.columns, 0).reshape(-1)
        self.outputs, self.uniform = outputs, uniform
        self._towers = towers
        self._factors, self._added = factors.reshape(-1, towers.width)[order], added.reshape(-1)[order]

    def write(self, rows: Array, out: Array) -> None:
        """Write non-negative numbers in the proportions of the strategy to (data rows, hands, lanes); rows: card
        inputs."""
        answers = self._towers.times(self._towers.hidden(rows), self._factors)
        answers += self._added
        out[:] = answers.reshape(len(rows), -1, LANES).transpose(1, 0, 2)
        for group in self.outputs.groups:
            best = np.maximum.reduce([out[row] for row in group])
            none = best <= 0
            for row in group:
                least_bad = True if self.uniform else out[row] == best
                np.maximum(out[row], 0, out=out[row])
                np.copyto(out[row], least_bad, where=none)


# ---- all hands of the flops ----------------------------------------------------------------------
# All hands on all flops, up to suit isomorphism, for the fast mode: input rows, and how often each is dealt.


BLOCK: Final = 64  # flops whose rows are computed together


class FlopHands:
    """The classes of hands, flop by flop, the weakest first, as in the layout."""

    def __init__(self, layout: LimitLayout, where: FlopTree, encoder: Any) -> None:
        self.layout = layout
        self.outputs = OutputLayout(where, layout.flop, 0), OutputLayout(where, layout.flop, 1)
        self._encoder = encoder

    @property
    def starts(self) -> Int64s:
        """(flops + 1,) where the hands of each flop begin."""
        return self.layout.deck.flops.start

    @property
    def flops(self) -> int:
        return len(self.layout.deck.boards)

    @cached_property
    def rows(self) -> NDArray[np.float16]:
        """(hands, card features) in half precision, which is accurate enough."""
        rows = np.empty((int(self.starts[-1]), self._encoder.card_width), np.float16)
        for first in range(0, self.flops, BLOCK):
            begin, end = self.starts[first], self.starts[min(first + BLOCK, self.flops)]
            rows[begin:end] = self.card_rows(first, min(first + BLOCK, self.flops))
        return rows

    def card_rows(self, first: int, after: int) -> NDArray[np.float32]:
        """(hands, card features) of the flops from `first` to the one before `after`."""
        deck, sizes = self.layout.deck, np.diff(self.starts)
        holes = combo_cards()[deck.combos[self.starts[first] : self.starts[after]]]
        boards = np.repeat(deck.boards[first:after], sizes[first:after], axis=0).astype(np.uint8)
        rows: NDArray[np.float32] = self._encoder.rows(holes, boards)
        return rows

    @cached_property
    def deals(self) -> NDArray[np.float64]:
        """(hands,) the number of deals that each class represents."""
        deck = self.layout.deck
        return np.repeat(deck.flops.weight, np.diff(self.starts)) * deck.flops.many
