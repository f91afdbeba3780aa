"""`GameEntry`: one entry of the list of games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tahur.core.game import Game
from tahur.core.habits import Habits
from tahur.core.scoring import Scoring


def points(game: Game[Any]) -> tuple[Scoring, ...]:
    """The scoring of a game whose payoffs are plain points."""
    return (Scoring("points/100", 100.0),)


def antes(game: Game[Any]) -> tuple[Scoring, ...]:
    """The scoring of a game whose payoffs are antes: thousandths of an ante per game, as in the literature."""
    return Scoring("mante/g", 1000.0), Scoring("antes/hand")


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game's name, a summary, and the function that creates it; its keyword arguments are the settings.

    `scorings` are the units in which results are reported, the default first; `habits` are counted in player profiles.
    """

    name: str
    summary: str
    make: Callable[..., Game[Any]]
    scorings: Callable[[Any], tuple[Scoring, ...]] = points
    habits: Habits | None = None
