"""Solve a spot: `solve(spot(...), target=0.3)`, or a `PostflopSolver`, which `tahur.solvers.solver.run` runs.

spot = spot(board="Td9d6hQc", oop="66+,AJs+", ip="22+,ATs+", pot=200, stack=900, sizes="50%,a / 60%,a")
solution = solve(spot, target=0.3)
print(solution.exploitability, solution.ev, solution.equity)
for move, frequency in zip(solution.moves, solution.frequencies):
    print(move, frequency)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import cards_text
from tahur.core.arrays import Float64s
from tahur.core.errors import Diverged, SolverError
from tahur.solvers.postflop.engine import VALUE, Engine
from tahur.solvers.postflop.estimate import EVERY, SpotEstimate, estimate
from tahur.solvers.postflop.layout import SpotLayout, lay_out, meeting_weights, with_offsets
from tahur.solvers.postflop.lock import Lock
from tahur.solvers.postflop.sizes import Street
from tahur.solvers.postflop.spot import Rake, Spot, Thresholds
from tahur.solvers.postflop.street_nodes import street_nodes
from tahur.solvers.postflop.tree import Move, build
from tahur.solvers.schedule import DCFR_CUBIC, Schedule
from tahur.solvers.solver import Progress, SolverState, fill, run

if TYPE_CHECKING:
    from rich.console import RenderableType

DEFAULT_TARGET: Final = 0.3  # % of the pot
STALLED: Final = 0.95  # of the exploitability at half of the iterations: it does not fall any more,
LEAST_ITERATIONS: Final = 80  # after this many
NO_BETS: Final = (Street(), Street(), Street())


@dataclass(frozen=True, slots=True)
class SpotMeasure:
    """The mean gain of the best responses to the average strategies, in % of the pot."""

    exploitability: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PostflopSolution:
    """A spot with the average strategies of both seats. EVs include the pot on the table and add up to it."""

    spot: Spot
    engine: Engine
    iterations: int
    exploitability: float  # % of the pot
    ev: tuple[float, float]
    equity: tuple[float, float]
    unfinished: bool = False  # Ctrl-C interrupted one more iteration in the middle; its changes are in the strategies

    @property
    def locks(self) -> tuple[Lock, ...]:
        """The locks it was solved with; exploitability is that of seats that keep to them."""
        return self.engine.layout.locks

    @property
    def moves(self) -> tuple[Move, ...]:
        """The first actions of the seat out of position."""
        return self.engine.layout.street_nodes[0].nodes[0].moves

    @property
    def strategy(self) -> Float64s:
        """(moves, hands) the root's strategy; the hands are `combos`."""
        return self.engine.strategy(0, 0, 0)

    @property
    def combos(self) -> NDArray[Any]:
        """The combo numbers of the root's hands, out of position."""
        return self.engine.layout.hands[0].combos[0][0]

    def save(self, path: Path, *, resumable: bool = False) -> None:
        """Write to a file, with probabilities rounded to bytes; with the solver's state if it is to be resumable."""
        from tahur.solvers.postflop.file import save

        save(path, self, resumable=resumable)

    @classmethod
    def load(cls, path: Path) -> PostflopSolution:
        """Read a file that `save` wrote."""
        from tahur.solvers.postflop.file import load

        return load(path)

    @property
    def frequencies(self) -> tuple[float, ...]:
        """The frequency of each of `moves`, over all pairs of hands that can meet."""
        layout = self.engine.layout
        weights = meeting_weights(layout.hands[0], layout.priors, 0)
        often = self.strategy @ weights / weights.sum()
        return tuple(float(frequency) for frequency in often)

    def __repr__(self) -> str:
        summary = f"exploitability {self.exploitability:.3f} % of the pot, EV {self.ev[0]:.2f} and {self.ev[1]:.2f}"
        return f"<Solution {cards_text(self.spot.board)}, pot {self.spot.pot}, stack {self.spot.stack}: {summary}>"

    def __rich__(self) -> RenderableType:
        from tahur.show.decision import decision_text
        from tahur.solvers.postflop.results import opening

        return decision_text(opening(self), quality(self))

    def _repr_html_(self) -> str:
        from tahur.show.decision_page import decision_piece
        from tahur.solvers.postflop.results import opening

        return decision_piece(opening(self), quality(self))


def quality(solution: PostflopSolution) -> str:
    """The distance from equilibrium, in one line."""
    return f"exploitability {solution.exploitability:.3f} % of the pot, {iterations_text(solution)}"


def iterations_text(solution: PostflopSolution) -> str:
    """`120 iterations`, and whether a part of another one is included."""
    return f"{solution.iterations:,} iterations{' and a part of the next' if solution.unfinished else ''}"


class PostflopSolver:
    """Solves one spot; `solution()` is the result so far."""

    def __init__(
        self, spot: Spot, *, schedule: Schedule = DCFR_CUBIC, threads: int = 1, symmetry: bool = True,
        memory: int | None = None, locks: Sequence[Lock] = (), half: bool = False, base: PostflopSolution | None = None,
        layout: SpotLayout | None = None, merge_rivers: bool = False,
    ) -> None:  # fmt: skip
        """base: the solution that locks shift, see shifting.py; half: 16-bit numbers, for half the memory;
        merge_rivers: one strategy for hands that differ only in suits without use on the river, see merging.py.

        layout: that of a file to resume, which has the locks and their strategies already.
        """
        from tahur.solvers.postflop.shifting import hand_locks_of

        self.spot = spot
        locks = locks if layout is None else layout.locks
        merge_rivers = merge_rivers if layout is None else layout.merged is not None
        self._estimate = estimate(spot, symmetry=symmetry, locks=locks, half=half, merge_rivers=merge_rivers)
        if memory is not None and self._estimate.bytes > memory:
            raise SolverError(
                f"the spot needs {self._estimate.bytes / 1e6:,.0f} MB and {memory / 1e6:,.0f} MB are allowed; "
                f"{self._estimate.hint}"
            )
        if layout is None:
            self.hand_locks = hand_locks_of(spot, locks, base, symmetry=symmetry)
            layout = lay_out(
                spot, symmetry=symmetry, locks=locks, hand_locks=self.hand_locks, merge_rivers=merge_rivers
            )
        else:
            self.hand_locks = [None] * len(locks)
        self.layout: SpotLayout = layout
        self.engine = Engine(self.layout, schedule, threads=threads, half=half)
        self._measured = (-1, False, 0.0)  # iteration, unfinished, exploitability

    @property
    def iteration(self) -> int:
        return self.engine.iteration

    def iterate(self, iterations: int) -> None:
        """Run this many more iterations; fewer if interrupted."""
        self.engine.iterate(iterations)

    def measure(self) -> SpotMeasure:
        exploitability = self.engine.exploitability()
        if not np.isfinite(exploitability):
            raise Diverged(f"non-finite values (NaN or infinity) after {self.iteration} iterations")
        self._measured = self.iteration, self.engine.unfinished, exploitability
        return SpotMeasure(exploitability)

    def state(self) -> SolverState:
        """Regrets and strategy sums; `unfinished` as in `PostflopSolution`."""
        unfinished = np.array([self.engine.unfinished])
        return SolverState(self.iteration, self.engine.data._asdict() | {"unfinished": unfinished})

    def resume(self, state: SolverState) -> None:
        """Continue from a copy of another state of the same spot, with the same locks and storage."""
        ours = self.state().arrays
        fill(ours, state, f"postflop, {cards_text(self.spot.board)}")
        self.engine.iteration, self.engine.unfinished = state.iteration, bool(ours["unfinished"][0])

    def estimate(self) -> SpotEstimate:
        return self._estimate

    def solution(self) -> PostflopSolution:
        """The strategies so far, measured: exploitability, EVs and equities. This takes a few traversals of the
        tree."""
        half = self.spot.pot / 2
        values = [self.engine.root_value(seat, VALUE) + half for seat in (0, 1)]
        share = equity(self.layout)
        return PostflopSolution(
            spot=self.spot,
            engine=self.engine,
            iterations=self.engine.iteration,
            exploitability=self._exploitability(),
            ev=(values[0], values[1]),
            equity=(share, 1 - share),
            unfinished=self.engine.unfinished,
        )

    def _exploitability(self) -> float:
        """The last measurement if there was no iteration since, else a new one."""
        now = self.iteration, self.engine.unfinished
        return self._measured[2] if self._measured[:2] == now else self.engine.exploitability()


def solve(
    spot: Spot, *, target: float = DEFAULT_TARGET, most: int = 1000, threads: int = 1, locks: Sequence[Lock] = (),
    half: bool = False, base: PostflopSolution | None = None, merge_rivers: bool = False,
) -> PostflopSolution:  # fmt: skip
    """Solve the spot to `target` % of the pot, or for at most `most` iterations.

    locks: prescribed strategies, see `lock.py`; half: 16-bit numbers, for half the memory; merge_rivers: one strategy
    for hands that differ only in suits without use on the river, see `merging.py`. Locks that shift a solved
    strategy shift that of `base`; without one, the spot is first solved without locks.
    """
    from tahur.solvers.postflop.shifting import needs_base

    if base is None and needs_base(spot, locks):
        base = solve(spot, target=target, most=most, threads=threads, half=half)
    solver = PostflopSolver(spot, threads=threads, locks=locks, half=half, base=base, merge_rivers=merge_rivers)
    steps = run(solver, iterations=most, target=target, every=EVERY)
    for _ in until_stalled(steps) if merge_rivers else steps:
        pass
    return solver.solution()


def until_stalled(steps: Iterator[Progress[SpotMeasure]]) -> Iterator[Progress[SpotMeasure]]:
    """The steps until exploitability has hardly fallen since half of the iterations.

    With merged rivers it does not fall to 0: hands that share a strategy would do better with their own.
    """
    measured: list[tuple[int, float]] = []
    for progress in steps:
        yield progress
        if progress.measure is None:
            continue
        exploitability = progress.measure.exploitability
        earlier = [known for iteration, known in measured if 2 * iteration <= progress.iteration]
        if progress.iteration >= LEAST_ITERATIONS and earlier and exploitability > STALLED * earlier[-1]:
            return
        measured.append((progress.iteration, exploitability))


def equity(layout: SpotLayout) -> float:
    """The share of the pot that the range out of position wins if there is no betting."""
    spot = without_bets(layout.spot)
    betting = street_nodes(spot, build(spot))
    boards, cells = with_offsets(betting, layout.hands, layout.boards)
    checked = replace(layout, spot=spot, street_nodes=betting, boards=boards, cells=cells, locks=(), merged=None)
    return 0.5 + Engine(checked).root_value(0, VALUE) / spot.pot


def without_bets(spot: Spot) -> Spot:
    """The same cards and pot without any betting and without rake."""
    return replace(spot, streets=NO_BETS, donks=(None, None), thresholds=Thresholds(), rake=Rake())
