"""What the betting before the flop leaves: who is in the pot with which range, the pot and the stacks.

`flop_situation("6max", 100, "btn-open,bb-call")` answers for the shipped strategies; everybody else folds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from tahur.cards.ranges import Range
from tahur.cards.rankings import class_of_combos
from tahur.core.cache import shipped_files
from tahur.core.errors import StrategyError
from tahur.games.holdem.table import HoldemTable
from tahur.solvers.nolimit.blueprint import Blueprint
from tahur.solvers.nolimit.multiway.actions import CHIPS
from tahur.solvers.nolimit.multiway.heads_up import POSITIONS, is_decision, state_after
from tahur.solvers.nolimit.multiway.lines import closed_node, parse_line
from tahur.solvers.nolimit.multiway.strategy import MultiwayStrategy, read_strategy, share_of_combos
from tahur.solvers.nolimit.multiway.tree import position_names
from tahur.solvers.nolimit.shipped import shipped_strategy as shipped_blueprint
from tahur.solvers.nolimit.tree import BIG_BLIND

FOLDER: Final = "solvers/nolimit/multiway/strategies"
SIX_MAX, HEADS_UP = "6max", "hu"
FORMATS: Final = (HEADS_UP, SIX_MAX)


@dataclass(frozen=True, slots=True)
class SeatRange:
    """A seat that sees the flop."""

    position: str
    range: Range
    share: float  # of all hands
    stack: float  # big blinds that are left


@dataclass(frozen=True, slots=True)
class FlopSituation:
    """A pot before the flop is dealt; seats in the order in which they act on it. Amounts are in big blinds."""

    table: str  # hu or 6max
    depth: float
    line: str
    pot: float
    seats: tuple[SeatRange, ...]
    is_rare: bool  # the line is so rare that its ranges are noisy

    @property
    def stack(self) -> float:
        """The effective stack."""
        return min(seat.stack for seat in self.seats)

    def seat(self, position: str) -> SeatRange:
        """The seat in a position."""
        for seat in self.seats:
            if seat.position == position.lower():
                return seat
        positions = ", ".join(seat.position for seat in self.seats)
        raise StrategyError(f"{position} is not in the pot after {self.line}; these are: {positions}")


def flop_situation(table: str, depth: float, line: str) -> FlopSituation:
    """The situation after a line such as `btn-open,bb-call`, by the shipped strategy of the nearest depth."""
    if table == HEADS_UP:
        return heads_up_situation(shipped_blueprint(depth).blueprint, line)
    return multiway_situation(shipped_strategy(table, depth), line)


def multiway_situation(strategy: MultiwayStrategy, line: str) -> FlopSituation:
    """The situation after a line of a strategy."""
    tree = strategy.tree
    node = closed_node(tree, parse_line(line))
    after = tree.tables[node]
    return FlopSituation(
        table=f"{tree.seats}max",
        depth=tree.depth,
        line=line,
        pot=after.pot / CHIPS,
        seats=tuple(_seat_range(strategy, after, node, seat) for seat in after.live),
        is_rare=strategy.is_rare(tree.parents[node]),
    )


def heads_up_situation(blueprint: Blueprint, line: str) -> FlopSituation:
    """The situation after a line of a heads-up blueprint."""
    state = state_after(blueprint, parse_line(line))
    if is_decision(blueprint.tree, state.node) or len(state.table.live) < 2:
        raise StrategyError(f"the betting before the flop is not over after {line or 'no action'}, or a seat folded")
    seats = []
    for seat in state.table.live:  # in the order in which they act
        weights = np.round(state.reaches[seat], 2)
        share, stack = float(weights.mean()), state.table.stacks[seat] / BIG_BLIND
        seats.append(SeatRange(POSITIONS[seat], Range.from_vector(weights), share, stack))
    return FlopSituation(
        table=HEADS_UP,
        depth=blueprint.depth,
        line=line,
        pot=state.table.pot / BIG_BLIND,
        seats=tuple(seats),
        is_rare=False,
    )


def _seat_range(strategy: MultiwayStrategy, after: HoldemTable, node: int, seat: int) -> SeatRange:
    weights = np.round(strategy.reach(node, seat), 2)
    return SeatRange(
        position=position_names(strategy.tree.seats)[seat],
        range=Range.from_vector(weights[class_of_combos()]),
        share=share_of_combos(weights),
        stack=after.stacks[seat] / CHIPS,
    )


def shipped_file(table: str, depth: float) -> Path:
    """The shipped strategy of a table, `6max`, whose depth in big blinds is nearest by ratio."""
    files = {float(path.name.removeprefix(f"{table}-").removesuffix("bb.tahur")): path for path in _files(table)}
    if not files:
        raise StrategyError(f"no preflop strategies for '{table}' in this installation; formats: {', '.join(FORMATS)}")
    return files[min(files, key=lambda held: max(held / depth, depth / held))]


def shipped_strategy(table: str, depth: float) -> MultiwayStrategy:
    """The shipped strategy that is nearest, read once per process."""
    return _read(shipped_file(table, depth))


@lru_cache(maxsize=4)
def _read(path: Path) -> MultiwayStrategy:
    return read_strategy(path)


def _files(table: str) -> list[Path]:
    return [path for path in shipped_files(FOLDER, "bb.tahur") if path.name.startswith(f"{table}-")]
