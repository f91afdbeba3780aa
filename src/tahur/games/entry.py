"""One line of the list of games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tahur.core.game import Game
from tahur.core.habits import Habits
from tahur.core.scoring import Scoring


def points(game: Game[Any]) -> tuple[Scoring, ...]:
    """For a game whose payoffs are points and nothing else."""
    return (Scoring("points/100", 100.0),)


def antes(game: Game[Any]) -> tuple[Scoring, ...]:
    """For a game whose payoffs are antes: thousandths of one a game, as the literature has it."""
    return Scoring("mante/g", 1000.0), Scoring("antes/hand")


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game's name, what it is, and the function that makes it: its keyword arguments are the settings.

    `scorings` are the units its results are told in, the usual one first; `habits` what its players are known by.
    """

    name: str
    summary: str
    make: Callable[..., Game[Any]]
    scorings: Callable[[Any], tuple[Scoring, ...]] = points
    habits: Habits | None = None
