"""Turn a nearly optimal strategy into an exact one: restrict the round, solve it, add best responses, and repeat.

CFR approaches a solution quickly and then ever more slowly; but by then it is known which actions matter, a few
thousand of the millions in a round. The round restricted to them is a linear program, whose solution is exact. Actions
that were left out may still be a best response, so the best responses in the full round are computed and allowed as
well (a double oracle), until they win no more than the target. Of all optimal plans the one nearest to CFR's strategy
is chosen (`nearest`), and wherever a plan has no reach, CFR's strategy is used.

A seat has two linear programs: its guaranteed value (`most`), and the nearest plan that attains it (`nearest`). In both
the other seat plays a best response: `worths`, a column for each of its decisions, are its values. The nearest plan
matters, since a round has many optimal plans and most of them, at a corner of the allowed set, are weak against actions
that were left out; a plan near one that is nearly optimal against everything needs few repairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from tahur.core.arrays import Flags, Float64s
from tahur.games.perudo.table import prior
from tahur.solvers.linear import LinearProgram, MatrixEntries, minimise
from tahur.solvers.perudo.exact.kernels import allow, answers
from tahur.solvers.perudo.exact.narrow import RestrictedRound, Sequences, restricted_round
from tahur.solvers.perudo.ladder_tables import ladder_tables_of, rungs_of
from tahur.solvers.perudo.solver import SMALL, RoundSolver
from tahur.solvers.response import Measure
from tahur.solvers.solver import Clock, Progress, run

USED: Final = 1e-5  # actions with a higher reach in CFR's strategy are allowed at first
SPARE: Final = 0.2  # of the target: how much less than the maximum each plan may guarantee, to be nearer to CFR's
LEAST: Final = 1e-12  # of the other's hands: no best responses are computed below this reach
TRACE: Final = 1e-11  # a plan with less reach at a decision is not used there
ROUNDS: Final = 20
TRIALS: Final = 3  # rounds after which it should be less
HOPE: Final = 2.0  # times as bad as CFR's strategy; otherwise CFR continues

NEAR: Final = 5e-4  # NashConv, as a fraction of the stakes: below this it is worth trying,
SOON: Final = 1e-2  # and below this where it is quick,
QUICK: Final = 1_000_000  # since the round has at most this many numbers
AGAIN: Final = 0.25  # of the NashConv at the last attempt: CFR must have reached this to try again


class Polished(NamedTuple):
    """The result so far: the best strategy, what each seat wins against it, and the size of the program."""

    weights: Float64s
    responses: tuple[float, float]
    sequences: int

    @property
    def nashconv(self) -> float:
        return sum(self.responses)


def can_polish(solver: RoundSolver) -> bool:
    """Whether the round is small enough: several copies of it are held in memory."""
    return solver.ladder.size <= SMALL and solver.limit is None


def run_to_the_end(
    solver: RoundSolver,
    *,
    iterations: int,
    target: float,
    every: int = 100,
    step: int | None = None,
    clock: Clock | None = None,
) -> Iterator[Progress[Measure]]:
    """As `run`, but once CFR is close, the rest is polished. If that is not enough CFR continues, and so on.

    The target is an exploitability. Progress measures the average; `better_of` is what counts.
    """
    near = (SOON if solver.ladder.size <= QUICK else NEAR) * float(np.ptp(solver.stakes.table(0, float))) / 4
    measure = solver.measure()
    while solver.better_of(measure).exploitability > target:
        goal = max(near, target)
        yield from run(solver, iterations=iterations, target=goal, every=every, step=step, clock=clock)
        measure = solver.measure()
        if measure.exploitability <= target or measure.exploitability > near:
            return
        for solution in polish_strategy(solver, 2 * target):
            solver.refine(solution.weights.astype(solver.dtype))
            yield Progress(solver.iteration, measure)
        near = AGAIN * measure.exploitability


def polish_strategy(solver: RoundSolver, target: float) -> Iterator[Polished]:
    """Increasingly good strategies, starting from the average of a solver, until NashConv is at most the target.

    It ends early if the best responses add nothing new, or if it starts badly: then CFR is not close enough.
    """
    ladder, averages = solver.ladder, solver.buffers.averages.astype(float)
    usual = averages / averages[: ladder.rows(0) * ladder.hands[0]].sum()
    weights, best = usual.copy(), [np.inf, np.inf]
    allowed: Flags = usual > USED
    hoped = HOPE * solver.measure().nashconv
    for turn in range(1, ROUNDS + 1):
        narrow = restricted_round(ladder, solver.dice, solver.stakes, allowed, usual)
        plans = _plans(narrow, solver.dice, usual, SPARE * target)
        trial = usual.copy()
        for sequences, plan, hands in zip(narrow.sequences, plans, ladder.hands, strict=True):
            _weave(trial, usual, sequences, plan, hands)
        responses, added = _add_best_responses(solver, trial, allowed)
        for seat in (0, 1):
            if responses[1 - seat] < best[1 - seat]:  # each seat uses the plan that leaves the other least
                best[1 - seat] = responses[1 - seat]
                _weave(weights, usual, narrow.sequences[seat], plans[seat], ladder.hands[seat])
        result = Polished(weights, (best[0], best[1]), sum(map(len, narrow.sequences)))
        yield result
        if result.nashconv <= target or not added or (turn >= TRIALS and result.nashconv > hoped):
            return


def _plans(narrow: RestrictedRound, dice: tuple[int, int], usual: Float64s, spare: float) -> tuple[Float64s, Float64s]:
    """A plan for each seat that is optimal up to `spare`, as near as possible to the usual strategy."""
    value = most(narrow, 0)
    plans = []
    for seat, worth in enumerate((value, -value)):
        sequences = narrow.sequences[seat]
        near = usual[sequences.indices] / prior(dice[seat])[sequences.hands]
        near[0] = 1.0
        plans.append(nearest(narrow, seat, near, worth - spare))
    return plans[0], plans[1]


def _weave(weights: Float64s, usual: Float64s, sequences: Sequences, plan: Float64s, hands: int) -> None:
    """Write a seat's strategy into `weights`: the plan wherever it has reach, and the usual strategy elsewhere.

    plan: the reach of each of the sequences; hands: of the seat.
    """
    indices = np.array(sequences.indices)
    for first, rows, _, after in sequences.decisions:
        block = slice(first, first + rows * hands, hands)
        if plan[after].sum() > TRACE:
            weights[block] = 0.0
            weights[indices[after]] = plan[after]
        else:
            weights[block] = usual[block]


def _add_best_responses(solver: RoundSolver, weights: Float64s, allowed: Flags) -> tuple[tuple[float, float], int]:
    """What each seat wins with its best response in the full round, which becomes allowed; and how many actions are
    new."""
    ladder, rungs, responses, added = solver.ladder, rungs_of(solver.ladder), list[float](), 0
    for seat in (0, 1):
        side = ladder_tables_of(ladder, solver.dice, solver.stakes, seat, float)
        best = np.zeros(ladder.size, np.int16)
        values = np.zeros((ladder.depth + 2, ladder.states + 2, side.mine))
        answers(rungs, side, weights, allowed, best, values, 0, 0, 0)
        responses.append(float(side.values[: side.mine] @ prior(solver.dice[seat])))
        here = np.ones((ladder.depth + 2, side.mine), np.bool_)
        added += allow(rungs, side, weights, allowed, best, here, LEAST, 0, 0, 0)
    return (responses[0], responses[1]), added


def most(narrow: RestrictedRound, seat: int) -> float:
    """The value that a seat can guarantee itself."""
    mine, yours = (len(narrow.sequences[side]) for side in (seat, 1 - seat))
    (rules, right), (their_rules, _) = (narrow.sequences[side].rules() for side in (seat, 1 - seat))
    others = int(their_rules.rows.max()) + 1
    free = np.full(others, np.inf)
    solution = minimise(
        LinearProgram(
            np.concatenate([np.zeros(mine), -np.eye(1, others)[0]]),
            (np.concatenate([np.zeros(mine), -free]), np.concatenate([np.full(mine, np.inf), free])),
            (np.concatenate([np.zeros(yours), right]), np.concatenate([np.full(yours, np.inf), right])),
            (
                narrow.pays_to(seat),
                their_rules.transposed().shifted(columns=mine, times=-1.0),
                rules.shifted(rows=yours),
            ),
        )
    )
    return float(solution[mine])


def nearest(narrow: RestrictedRound, seat: int, near: Float64s, guarantee: float) -> Float64s:
    """The plan nearest to `near`, in the sum of absolute differences, that guarantees the seat `guarantee`.

    Its columns are the increase and the decrease from `near` in each sequence, and the other's worths.
    """
    mine, yours = (len(narrow.sequences[side]) for side in (seat, 1 - seat))
    (rules, right), (their_rules, _) = (narrow.sequences[side].rules() for side in (seat, 1 - seat))
    others = int(their_rules.rows.max()) + 1
    free, pays = np.full(others, np.inf), narrow.pays_to(seat)
    owed = -pays.times(near, yours)
    missing = right - rules.times(near, len(right))
    lowest = np.concatenate([np.zeros(2 * mine), [guarantee], -free[1:]])
    solution = minimise(
        LinearProgram(
            np.concatenate([np.ones(2 * mine), np.zeros(others)]),
            (lowest, np.concatenate([np.full(mine, np.inf), near, free])),
            (np.concatenate([owed, missing]), np.concatenate([np.full(yours, np.inf), missing])),
            (
                *_up_and_down(pays, mine),
                their_rules.transposed().shifted(columns=2 * mine, times=-1.0),
                *_up_and_down(rules.shifted(rows=yours), mine),
            ),
        )
    )
    return np.maximum(near + solution[:mine] - solution[mine : 2 * mine], 0.0)


def _up_and_down(entries: MatrixEntries, columns: int) -> tuple[MatrixEntries, MatrixEntries]:
    return entries, entries.shifted(columns=columns, times=-1.0)
