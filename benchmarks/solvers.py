"""CFR against OpenSpiel's C++ solvers, in the same run: iterations, and the time to nearly solve Leduc.

One piece of work is one iteration, both seats updated. Both sides must be equally exploitable after ten of them.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from benchmarks.measure import Contest, Race
from tahur.core.game import Solvable
from tahur.games.kuhn import Kuhn
from tahur.games.leduc import Leduc
from tahur.games.liars_dice import LiarsDice
from tahur.solvers.cfr import CfrSolver
from tahur.solvers.schedule import CFR_PLUS, DCFR, SCHEDULES, Schedule
from tahur.solvers.solver import run
from tahur.solvers.unroll import unroll

NEARLY = 1e-3  # antes


def _iterations(spiel: str, game: Solvable[Any], schedule: Schedule, block: int) -> Contest:
    import pyspiel

    theirs = pyspiel.load_game(spiel)
    peer = pyspiel.CFRPlusSolver(theirs)
    solver = CfrSolver(unroll(game), schedule)

    def once() -> int:
        peer.evaluate_and_update_policy()
        return 1

    def ours() -> int:
        solver.iterate(block)
        return block

    def agree() -> bool:
        ours, other = CfrSolver(unroll(game), CFR_PLUS), pyspiel.CFRPlusSolver(theirs)
        ours.iterate(3)
        for _ in range(3):
            other.evaluate_and_update_policy()
        exploitability = pyspiel.nash_conv(theirs, other.average_policy()) / 2
        return abs(ours.measure().exploitability - exploitability) < 1e-9

    return Contest(once, ours, agree)


def _nearly_solved() -> Contest:
    """Leduc from scratch to an exploitability of 0.001 antes, by each side's CFR+; measurements are included."""
    import pyspiel

    theirs = pyspiel.load_game("leduc_poker")
    tree = unroll(Leduc())
    needed = _needed()

    def peer() -> int:
        solver = pyspiel.CFRPlusSolver(theirs)
        for _ in range(needed):
            solver.evaluate_and_update_policy()
        return 1

    def ours() -> int:
        for _ in run(CfrSolver(tree, CFR_PLUS), iterations=10_000, target=NEARLY, every=50):
            pass
        return 1

    def agree() -> bool:
        solver = pyspiel.CFRPlusSolver(theirs)
        for _ in range(needed):
            solver.evaluate_and_update_policy()
        return bool(pyspiel.nash_conv(theirs, solver.average_policy()) / 2 < 1.1 * NEARLY)

    return Contest(peer, ours, agree)


def _needed() -> int:
    """The number of iterations of CFR+ that takes, rounded up to 50; OpenSpiel's iterations are the same."""
    solver = CfrSolver(unroll(Leduc()), CFR_PLUS)
    *_, last = run(solver, iterations=10_000, target=NEARLY, every=50)
    return last.iteration


def _race(spiel: str, game: Solvable[Any], schedule: Schedule, target: float | None, block: int) -> Race:
    work = f"{game.name}: iterations of {schedule.name}, one core"
    return Race(work, "OpenSpiel C++ CFR+", target, partial(_iterations, spiel, game, schedule, block), "iterations", 3)


BENCHMARKS = (
    _race("kuhn_poker", Kuhn(), CFR_PLUS, 10, 10_000),
    _race("leduc_poker", Leduc(), CFR_PLUS, 200, 500),
    _race("leduc_poker", Leduc(), DCFR, None, 500),
    _race("leduc_poker", Leduc(), SCHEDULES["pcfr+"], None, 500),
    _race("liars_dice", LiarsDice(), CFR_PLUS, 200, 50),
    Race("leduc: CFR+ from nothing to 0.001 antes", "OpenSpiel C++ CFR+", 200, _nearly_solved, rounds=2),
)
