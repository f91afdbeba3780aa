"""Vector CFR for one round on its bid ladder, evaluated by exact best responses.

Values are the opener's: in dice of lead, or in the units of the stakes. Only schedules that discard negative regrets
are supported. Averages weight iteration t by t^gamma and only grow, since decisions with zero reach are skipped.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from math import inf, isfinite
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from tahur import __version__
from tahur.core.errors import Diverged, SolverError
from tahur.core.solution import Facts
from tahur.games.perudo.game import Perudo
from tahur.games.perudo.ladder import BidLimit, Ladder
from tahur.games.perudo.solved import RoundStrategy, known_ladder
from tahur.games.perudo.table import prior
from tahur.solvers.interrupts import Stop, run_apart
from tahur.solvers.perudo.kernels import ALL, BEST, SWEPT, UPDATE, VALUE, shares_of, sweep, sweeps
from tahur.solvers.perudo.ladder_tables import LadderBuffers, LadderTables, ladder_tables_of, rungs_of
from tahur.solvers.perudo.stakes import RoundStakes, round_stakes
from tahur.solvers.response import Measure
from tahur.solvers.rows import aligned
from tahur.solvers.schedule import CFR_PLUS_QUADRATIC, SCHEDULES, Schedule
from tahur.solvers.solver import Estimate, SolverState

USUAL: Final = CFR_PLUS_QUADRATIC
FLOORED: Final = tuple(
    schedule.name for schedule in SCHEDULES.values() if schedule.beta == -inf and not schedule.needs_plan
)
SMALL: Final = 20_000_000  # numbers up to which a round is solved in float64 and stored in float32
STEPS: Final = 65535  # resolution of the stored probabilities of larger rounds
UNIT: Final = "dice of lead"
MATCH_UNIT: Final = "matches won"


class Finer(NamedTuple):
    """A strategy that is better than the average, in the same layout, and its measure."""

    weights: NDArray[Any]
    measure: Measure


class RoundSolver:
    """Solves one round. Stakes may change during the run: regrets and averages are preserved."""

    finer: Finer | None  # used until the average is as good

    def __init__(
        self,
        game: Perudo,
        schedule: Schedule = USUAL,
        *,
        limit: BidLimit | None = None,
        stakes: RoundStakes | None = None,
        dtype: DTypeLike | None = None,
        threads: int = 1,
    ) -> None:
        """Start at iteration 0.

        `limit`: a restriction of one seat's bids; `stakes`: what each result of the round is worth.
        """
        if schedule.name not in FLOORED:
            raise SolverError(f"perudo: rounds cannot be solved with {schedule.name}; valid: {', '.join(FLOORED)}")
        self.game, self.schedule, self.limit = game, schedule, limit
        ladder = known_ladder(game.round, limit)
        first, second = game.round.order
        self.dice = game.round.cups[first], game.round.cups[second]
        self.dtype = np.dtype(dtype or (np.float64 if ladder.size <= SMALL else np.float32))
        self.stakes = stakes or round_stakes(game.round)
        self.threads, self._pool = threads, ThreadPoolExecutor(threads) if threads > 1 else None
        self.use(ladder)

    def use(self, ladder: Ladder) -> None:
        """Start on a ladder: that of the round, unless another one with the same dice is studied."""
        size = ladder.size
        self.ladder, self.iteration = ladder, 0
        self.buffers = LadderBuffers(*(np.zeros(n, self.dtype) for n in (size, size, size * self.schedule.predict)))
        self._rungs = rungs_of(ladder)
        self.set_stakes(self.stakes)

    def set_stakes(self, stakes: RoundStakes) -> None:
        """Continue with other stakes."""
        self.stakes, self.finer = stakes, None
        self._sides = tuple(ladder_tables_of(self.ladder, self.dice, stakes, seat, self.dtype) for seat in (0, 1))
        self._helpers = [[_beside(side) for _ in range(self.threads)] for side in self._sides if self._pool]

    def iterate(self, iterations: int) -> None:
        """Run this many more iterations; with several threads, fewer if interrupted, but only whole ones."""
        run_apart(lambda stop: self._iterate(iterations, stop))

    def _iterate(self, iterations: int, stop: Stop) -> None:
        """Run iterations; with several threads, until a stop is requested."""
        numbers = np.arange(self.iteration + 1, self.iteration + iterations + 1, dtype=float)
        keeps = self.schedule.weights(self.iteration + 1, iterations)[:, 0]
        weights = np.stack([keeps, numbers**self.schedule.gamma], axis=1).astype(self.dtype)  # type: ignore[operator]
        buffers, predict = self.buffers, self.schedule.predict
        if self._pool is None:
            sweeps(self._rungs, self._sides, UPDATE, buffers.regrets, buffers, weights, predict)
            self.iteration += iterations
            return
        for keep, weight in weights:
            if stop.requested:
                return
            for seat in (0, 1):
                self._swept(seat, UPDATE, buffers.regrets, buffers, keep, weight, predict)
            self.iteration += 1

    def measure(self) -> Measure:
        """Exact best responses to the average strategy, and its value to the opener."""
        measure = self._evaluate(self.buffers.averages)
        if not isfinite(measure.nashconv):
            raise Diverged(f"perudo by {self.schedule.name}: numbers overflowed by iteration {self.iteration:,}")
        return measure

    def better_of(self, measure: Measure) -> Measure:
        """The given measure of the average, or that of the finer strategy if it is better."""
        finer = self.finer
        return measure if finer is None or measure.nashconv <= finer.measure.nashconv else finer.measure

    def is_refined(self, measure: Measure) -> bool:
        """Whether the finer strategy is better than the average, whose measure is given."""
        return self.finer is not None and self.better_of(measure) is self.finer.measure

    def refine(self, weights: NDArray[Any]) -> None:
        """Use this strategy instead of the average, until the average is better."""
        finer = Finer(weights, self._evaluate(weights))
        if self.better_of(finer.measure) is finer.measure:
            self.finer = finer

    def best(self, seat: int, weights: NDArray[Any] | None = None) -> float:
        """What a seat wins with its best response to the other's average, or to another strategy in the same layout."""
        return self._worth(seat, BEST, self.buffers.averages if weights is None else weights)

    def _evaluate(self, weights: NDArray[Any]) -> Measure:
        return Measure((self._worth(0, BEST, weights), self._worth(1, BEST, weights)), self._worth(0, VALUE, weights))

    def _worth(self, seat: int, mode: int, weights: NDArray[Any]) -> float:
        side, none = self._sides[seat], np.zeros(1, self.dtype)[0]
        arguments = seat, mode, weights, LadderBuffers(weights, weights, weights[:0]), none, none, False
        run_apart(lambda _: self._swept(*arguments))
        return float(side.values[: side.mine].astype(float) @ prior(self.dice[seat]))

    def _swept(
        self, seat: int, mode: int, source: NDArray[Any], buffers: LadderBuffers, keep: Any, weight: Any, predict: bool
    ) -> None:
        """A sweep for a seat, with all threads."""
        arguments = mode, source, buffers, keep, weight, predict
        if self._pool is None:
            sweep(self._rungs, self._sides[seat], *arguments, ALL)
            return
        actions = iter(range(int(self.ladder.rows(0))))  # those with the most histories first

        def work(side: LadderTables) -> None:
            for action in actions:
                sweep(self._rungs, side, *arguments, action)

        for done in [self._pool.submit(work, side) for side in self._helpers[seat]]:
            done.result()
        sweep(self._rungs, self._sides[seat], *arguments, SWEPT)

    def strategy(self, measure: Measure) -> RoundStrategy:
        """The average, or the finer strategy if it is better, in its stored form.

        That is float32 or, for large rounds, in steps of 1/65535. `measure` is that of the average.
        """
        source = self.finer.weights if self.finer is not None and self.is_refined(measure) else self.buffers.averages
        large = self.ladder.size > SMALL
        weights = np.zeros(self.ladder.size, np.uint16 if large else np.float32)
        whole, half = np.array((STEPS, 0.5) if large else (1, 0), self.dtype)
        shares_of(self._rungs, self._sides[0], source, weights, whole, half)
        return RoundStrategy(facts_of(self, measure), weights, self.limit)

    def state(self) -> SolverState:
        """Regrets, averages and, if the schedule is predictive, forecasts."""
        return SolverState(self.iteration, self.buffers._asdict())

    def resume(self, state: SolverState) -> None:
        """Continue from a state of the same round and schedule; takes over its arrays, since copies would not fit."""
        for name, ours in self.buffers._asdict().items():
            theirs = state.arrays.get(name)
            if theirs is None or theirs.shape != ours.shape or theirs.dtype != ours.dtype:
                raise SolverError(f"cannot resume perudo: the file has no array '{name}' of {len(ours):,} numbers")
        self.buffers = LadderBuffers(**{name: state.arrays[name] for name in LadderBuffers._fields})
        self.iteration = state.iteration

    def estimate(self) -> Estimate:
        return Estimate(sum(buffer.nbytes for buffer in self.buffers), self.ladder.size)


def _beside(side: LadderTables) -> LadderTables:
    """The same tables with separate scratch rows; the values of the first actions are shared."""
    names = ("reach", "values", "scale", "flat", "worth", "rungs", "blocks", "nexts", "reach_at")
    return side._replace(**{name: _copy(getattr(side, name)) for name in names})


def _copy(row: NDArray[Any]) -> Any:
    copy = aligned(len(row), row.dtype)
    copy[:] = row
    return copy


def memory_needed(game: Perudo, schedule: Schedule = USUAL, limit: BidLimit | None = None) -> int:
    """Bytes of regrets, averages and, if the schedule is predictive, forecasts."""
    size = known_ladder(game.round, limit).size
    return size * (3 if schedule.predict else 2) * (8 if size <= SMALL else 4)


def facts_of(solver: RoundSolver, average: Measure) -> Facts:
    """The metadata of the better strategy, the average or the finer one."""
    measure = solver.better_of(average)
    return Facts(
        game=solver.game.name,
        settings=dict(solver.game.settings),
        schedule=solver.schedule.name,
        planned=0,
        iterations=solver.iteration,
        exploitability=float(measure.exploitability),
        nashconv=float(measure.nashconv),
        value=float(measure.value),
        unit=UNIT if solver.stakes == round_stakes(solver.game.round) else MATCH_UNIT,
        made_by=f"tahur {__version__}",
    )
