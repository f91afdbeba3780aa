"""Solved rounds for advice and grading: solved when first needed if that takes seconds, then stored."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tahur.cli.output import note, warm, watch

if TYPE_CHECKING:
    from tahur.core.player import View
    from tahur.games.perudo.game import Perudo
    from tahur.games.perudo.solved import RoundStrategy

SMALL: Final = 12_000_000  # size up to which a round is solved when it is first needed (it takes seconds)
TARGET: Final = 1e-3  # NashConv, in dice of lead, to reach
ITERATIONS: Final = 1000


@dataclass(frozen=True, slots=True)
class SolvedAdvice:
    """A decision in a solved round: the probability of each action, and its value if known."""

    frequencies: Mapping[int, float]
    worth: Mapping[int, float]  # in dice of lead, against the solved strategy; empty where that is not known
    nashconv: float
    never: bool = False  # the opponent's strategy never makes that bid: the strategy after it is arbitrary


def solved_here(view: View) -> SolvedAdvice | None:
    """The solved decision if the table is a round for two that is stored or takes seconds to solve; else None."""
    from tahur.games.perudo.game import Perudo
    from tahur.players.perudo.equilibrium import Equilibrium

    game = view.game
    assert isinstance(game, Perudo)
    strategy = solved_for_a_die(game) if is_small(game) else Equilibrium().strategy_for(view)
    if strategy is None:
        return None
    worth = _worth(strategy, view) if is_small(game) else {}
    never = is_small(game) and not worth
    return SolvedAdvice(strategy.probabilities(view), worth, strategy.facts.nashconv, never)


def _worth(strategy: RoundStrategy, view: View) -> dict[int, float]:
    """The value of each action for the hand of the view; empty if the opponent's strategy never makes that bid."""
    from tahur.games.perudo.grading import Grader
    from tahur.games.perudo.table import hands_of

    round_ = view.table.round
    worths = Grader(strategy, round_.order.index(view.seat)).worth(view.table.history)
    if worths is None or view.hand is None:
        return {}
    column = worths.values[:, view.hand - hands_of(round_.cups[view.seat]).start]
    return dict(zip(worths.menu, column.tolist(), strict=True))


def solved_for_a_die(game: Perudo) -> RoundStrategy:
    """The solved round, in dice of lead; solved now if it is not stored and takes seconds."""
    from tahur.core.errors import SolverError
    from tahur.games.perudo.solved import known_ladder, read_round, write_round
    from tahur.solvers.perudo.solver import RoundSolver
    from tahur.solvers.solver import run

    path = _round_file(game)
    if path.exists():
        return read_round(path)
    if known_ladder(game.round).size > SMALL:
        raise SolverError(f"perudo: the round {path.stem} is too large; those of three dice, and palifico, are not")
    warm("perudo")
    solver = RoundSolver(game)

    def steps() -> Generator[float, None, Any]:
        measure = None
        for progress in run(solver, iterations=ITERATIONS, target=TARGET / 2, every=50, step=10):
            measure = progress.measure or measure
            yield progress.iteration / ITERATIONS
        return measure

    note(f"solving the round {path.stem}, once ...")
    write_round(path, solver.strategy(watch(steps(), "solving")))
    return read_round(path)


def is_small(game: Perudo) -> bool:
    """Whether a round between two seats is solved when it is first needed."""
    from tahur.games.perudo.solved import known_ladder

    return len(game.round.order) == 2 and known_ladder(game.round).size <= SMALL


def _round_file(game: Perudo) -> Path:
    from tahur.core.cache import kept_folder
    from tahur.games.perudo.solved import signature
    from tahur.players.perudo.equilibrium import FOLDER

    return kept_folder(FOLDER) / f"{signature(game.round)}-die.tahur"
