"""Make players by name, including those that play from files of any solver."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tahur.core.game import Game
    from tahur.core.player import Player
    from tahur.core.strategy import Fitted
    from tahur.players.bounded.settings import LlmOptions
    from tahur.players.registry import Models
    from tahur.players.solver import PreflopCharts, SolverStrategy


def make_player(name: str, game: Game[Any] | None = None, *, llm: LlmOptions | None = None) -> Player:
    """A new player by its name, checked against the game if given. Can be called in worker processes too.

    `llm` says which model the `llm:` players use; the key is read from the environment in this call.
    """
    from tahur.players.registry import make_player as made

    models = None if llm is None else _models(llm)
    return made(name, game, readers=(solved_spot, blueprint), models=models, solver=solver, charts=charts)


def charts() -> PreflopCharts:
    """The preflop charts that the solver follows at tables of more than two; read when they are needed."""
    from tahur.solvers.nolimit.multiway.playing import TableCharts

    return TableCharts()


def _models(llm: LlmOptions) -> Models:
    from tahur.cli.llm.options import models_of

    return models_of(llm)


def solver(budget: str) -> SolverStrategy:
    """The solver of no-limit hold'em with a time budget: `fast`, `deep`, or an empty text for the usual one."""
    from tahur.solvers.nolimit.resolving import resolver_named

    return resolver_named(budget)


def solved_spot(path: Path) -> Fitted | None:
    """The strategy in a file of `tahur postflop solve`; None if it is another kind of file."""
    from tahur.solvers.postflop.playing import read

    return read(path)


def blueprint(path: Path) -> Fitted | None:
    """The strategy in a file of `tahur solve nlhe`; None if it is another kind of file."""
    from tahur.solvers.nolimit.playing import read

    return read(path)
