"""A profile of a postflop iteration, and its share of the memory bandwidth.

`python -m tools.postflop_profile` prints the table of docs/postflop.md.

The river takes nearly all of the time. Its stages are run for all rivers, first one, then two, and so on; the
difference is the time of a stage. CPU time of one thread, the best of some rounds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final

import numba
import numpy as np
from benchmarks import speed
from benchmarks.postflop import SPOTS, cpu_time

from tahur.solvers.postflop.engine import UPDATE, Engine
from tahur.solvers.postflop.kernels.betting import backward, forward
from tahur.solvers.postflop.kernels.streets import _rows_of_kind, collect_lines, send_down, terminal_values
from tahur.solvers.postflop.layout import lay_out
from tahur.solvers.postflop.spot import spot

STAGES: Final = ("cards dealt", "strategies and sums", "showdowns", "folds", "values and regrets")
ITERATIONS: Final = {"turn T1": 60, "turn T2, all hands": 30, "flop F0": 8}  # first, so that hands have given up lines
ROUNDS: Final = 7
LONG_ENOUGH: Final = 0.8  # minimum total seconds for short work, which other programs could disturb
READS_AND_WRITES: Final = (
    5  # of each regret and sum in an iteration: regrets are read twice and written, sums once each
)
BYTES: Final = 4


@numba.njit  # type: ignore[untyped-decorator]
def river(
    upto: int, tree: Any, boards: Any, card: int, me: int, mode: int, data: Any, weights: Any, sent: Any, work: Any
) -> None:  # fmt: skip
    """The first stages of one river."""
    send_down(tree, boards, card, me, sent, work.river_reach, work)
    reach, value = work.river_reach, work.river_value
    bounds = tree.terminal_start[me], tree.terminal_split[me], tree.terminal_start[me + 1]
    if upto > 0:
        forward(tree, boards, card, me, mode, data, weights[2], reach, work)
    for part in range(2):
        if upto > 1 + part:
            _rows_of_kind(tree, boards, card, me, bounds[part], bounds[part + 1], part == 0, reach, value, work)
    if upto > 3:
        backward(tree, boards, card, me, mode, data, weights[0], weights[1], value, work)


@numba.njit  # type: ignore[untyped-decorator]
def after_turn(
    upto: int, tree: Any, boards: Any, me: int, mode: int, data: Any, weights: Any, sent: Any, work: Any
) -> None:  # fmt: skip
    for card in range(boards.hands.shape[1]):
        river(upto, tree, boards, card, me, mode, data, weights, sent, work)


@numba.njit  # type: ignore[untyped-decorator]
def after_flop(
    upto: int, tree: Any, boards: Any, turn: Any, turns: Any, me: int, mode: int, data: Any, weights: Any, sent: Any,
    work: Any,
) -> None:  # fmt: skip
    for board in range(turns.hands.shape[1]):
        send_down(turn, turns, board, me, sent, work.turn_reach, work)
        forward(turn, turns, board, me, mode, data, weights[2], work.turn_reach, work)
        terminal_values(turn, turns, board, me, work.turn_reach, work.turn_value, work)
        collect_lines(turn, turns.size[1 - me, board], me, work.turn_reach, work.sent, work)
        for card in range(turns.children[board], turns.children[board + 1]):
            river(upto, tree, boards, card, me, mode, data, weights, work.sent, work)


def best(work: Callable[[], None]) -> float:
    """CPU seconds; the first call, which compiles, is not counted."""
    taken: list[float] = []
    while len(taken) <= ROUNDS or sum(taken[1:]) < LONG_ENOUGH:
        began = cpu_time()
        work()
        taken.append(cpu_time() - began)
    return min(taken[1:])


def stages(engine: Engine) -> list[float]:
    """CPU seconds of each of `STAGES` in an iteration, on the river."""
    layout, weights = engine.layout, np.array([1.0, 0.5, 1.0])
    trees = [nodes_of_street.tree for nodes_of_street in layout.street_nodes]
    found = np.zeros(len(STAGES))
    for me in (0, 1):
        engine._open(me, UPDATE, weights)
        rest = (me, UPDATE, engine.data, weights, engine._sent, engine._works[0])

        def run(upto: int, rest: tuple[Any, ...] = rest) -> None:
            if len(trees) == 2:
                after_turn(upto, trees[1], layout.boards[1], *rest)
            else:
                after_flop(upto, trees[2], layout.boards[2], trees[1], layout.boards[1], *rest)

        whole = np.array([best(lambda upto=upto: run(upto)) for upto in range(len(STAGES))])
        found += np.diff(whole, prepend=0.0)
    return found.tolist()


def main() -> None:
    moved = speed.bandwidth()
    sys.stdout.write(f"memory: {moved / 1e9:.1f} GB/s in one thread\n\n")
    sys.stdout.write(f"| spot | an iteration | {' | '.join(STAGES)} | the rest | regrets and sums moved |\n")
    sys.stdout.write(f"|---|--:|{'--:|' * (len(STAGES) + 2)}\n")
    for name, iterations in ITERATIONS.items():
        engine = Engine(lay_out(spot(**SPOTS[name])))
        engine.iterate(iterations)
        whole = best(lambda engine=engine: engine.iterate(1))
        parts = stages(engine)
        rate = engine.layout.cells * BYTES * READS_AND_WRITES / whole
        shares = " | ".join(f"{part / whole:.0%}" for part in [*parts, whole - sum(parts)])
        memory = f"{rate / 1e9:.1f} GB/s, {rate / moved:.0%} of memory's"
        sys.stdout.write(f"| {name} | {whole * 1e3:.1f} ms | {shares} | {memory} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
