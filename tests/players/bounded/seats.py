"""Views of real hands to put players to, and players that ask an endpoint."""

from __future__ import annotations

import time
from functools import cache
from typing import Any

import numpy as np

from tahur.arena.match import run
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.games.registry import make
from tahur.players.bounded.asking import Asking, ModelChooser
from tahur.players.bounded.caps import Budget, Caps
from tahur.players.bounded.model import Endpoint, Model
from tahur.players.bounded.personas import persona_named
from tahur.players.bounded.player import BoundedPlayer
from tahur.players.bounded.prompt import FULL, PromptStyle
from tahur.players.simple import RandomPlayer

NO_CAPS = Caps(None, None, None)


class _Onlooker:
    """Plays at random and keeps what it saw."""

    def __init__(self, views: list[View]) -> None:
        self._player, self._views = RandomPlayer(), views

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Nothing to prepare."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        self._views.append(view)
        return self._player.act(view, rng)

    def learn(self, seen: Seen) -> None:
        """Nothing to remember."""


@cache
def views(count: int = 24, seats: int = 3) -> tuple[View, ...]:
    """Turns of random hands at which a persona has more than one option."""
    seen: list[View] = []
    game = make("nlhe", {"seats": seats, "carry": False})
    names = [f"player {seat}" for seat in range(seats)]
    for _ in run(game, [_Onlooker(seen) for _ in range(seats)], seed=11, names=names):
        found = [view for view in seen if is_free(view)]
        if len(found) >= count:
            return tuple(found[:count])
    raise AssertionError("a game has no end")


def is_free(view: View) -> bool:
    decision = BoundedPlayer(persona_named("ferryman")).act(view, np.random.default_rng(1))
    return "by forced" not in decision.thought


def asking_player(
    url: str,
    log: list[dict[str, Any]] | None = None,
    *,
    seconds: float = 5.0,
    style: PromptStyle = FULL,
    key: str = "",
    budget: Budget | None = None,
) -> BoundedPlayer:
    """The ferryman, with the model at that address to choose for him."""
    entries = [] if log is None else log
    asking = Asking(time.monotonic, entries.append, seconds, style)
    return BoundedPlayer(persona_named("ferryman"), ModelChooser(_model(url, key), budget or Budget(NO_CAPS), asking))


@cache
def _model(url: str, key: str) -> Model:
    """One for each address: a client takes a while to make."""
    return Model(Endpoint(url, "scripted", key))
