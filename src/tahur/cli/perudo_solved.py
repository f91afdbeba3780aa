"""Solved rounds for whoever asks about a table: solved for a die when first needed, if that takes seconds, and kept."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tahur.cli.output import note, watch
from tahur.cli.perudo_rounds import warm_rounds

if TYPE_CHECKING:
    from tahur.core.player import View
    from tahur.games.perudo.game import Perudo
    from tahur.games.perudo.solved import RoundStrategy

SMALL: Final = 12_000_000  # numbers up to which a round is solved when it is first needed: seconds
TARGET: Final = 1e-3  # NashConv, in dice of lead, at which it is good enough
ITERATIONS: Final = 1000


@dataclass(frozen=True, slots=True)
class SolvedAdvice:
    """What a solved round says of a decision: how often each action is taken, and what it is worth if that is known."""

    frequencies: Mapping[int, float]
    worth: Mapping[int, float]  # in dice of lead, against the solved strategy; empty where that is not known
    nashconv: float
    never: bool = False  # the other never bids so: what is said there was never thought through


def solved_here(view: View) -> SolvedAdvice | None:
    """What the solved round says, if the table is one: solved now if that takes seconds, or kept by `prepare`."""
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
    """What each action is worth to the hand of the view; nothing if the other never bids so."""
    from tahur.games.perudo.cups import hands_of
    from tahur.games.perudo.grading import Grader

    round_ = view.table.round
    found = Grader(strategy, round_.order.index(view.seat)).worth(view.table.history)
    if found is None or view.hand is None:
        return {}
    column = found.values[:, view.hand - hands_of(round_.cups[view.seat]).start]
    return dict(zip(found.menu, column.tolist(), strict=True))


def solved_for_a_die(game: Perudo) -> RoundStrategy:
    """The round solved for a die won or lost; solved now, if it takes seconds and nobody did."""
    from tahur.core.errors import SolverError
    from tahur.games.perudo.solved import known_ladder, read_round, write_round
    from tahur.solvers.perudo.solver import RoundSolver, run

    path = _kept(game)
    if path.exists():
        return read_round(path)
    if known_ladder(game.round).size > SMALL:
        raise SolverError(f"perudo: the round {path.stem} is too large; those of three dice, and palifico, are not")
    warm_rounds()
    solver = RoundSolver(game)

    def steps() -> Generator[float, None, Any]:
        measure = None
        for progress in run(solver, iterations=ITERATIONS, target=TARGET, every=50, step=10):
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


def _kept(game: Perudo) -> Path:
    from tahur.core.cache import kept_folder
    from tahur.games.perudo.solved import signature
    from tahur.players.perudo.equilibrium import FOLDER

    return kept_folder(FOLDER) / f"{signature(game.round)}-die.tahur"
