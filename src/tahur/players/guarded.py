"""A bot at a table with people: its exceptions are logged with their tracebacks, and the game continues.

A match in the arena is different: there a bot that raises stops the match, because a result with made-up decisions
would be wrong.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np

from tahur.core.game import Action
from tahur.core.player import Decision, Player, View
from tahur.core.record import Seen
from tahur.core.referee import check_legal
from tahur.games.perudo.game import Perudo

LOGGER: Final = "tahur.players.guarded"
_log: Final = logging.getLogger(LOGGER)


class GuardedPlayer:
    """A player that never raises. A hand that it cannot learn from is skipped; a decision that fails is None."""

    def __init__(self, player: Player, name: str) -> None:
        self.player = player
        self._name = name

    def begin(self, view: View, rng: np.random.Generator) -> None:
        with logged(f"{self._name} could not begin a hand"):
            self.player.begin(view, rng)

    def act(self, view: View, rng: np.random.Generator) -> Decision | None:
        """A legal decision, or None."""
        with logged(f"{self._name} could not decide after {len(view.table.history)} actions"):
            decision = self.player.act(view, rng)
            action = check_legal(view.game, view.table, decision.action)
            return Decision(action, decision.thought, decision.talk)
        return None

    def learn(self, seen: Seen) -> None:
        with logged(f"{self._name} could not learn from a hand of {len(seen.actions)} actions"):
            self.player.learn(seen)


@contextmanager
def logged(what: str) -> Iterator[None]:
    """Log an exception of the block with its traceback, and continue after it."""
    try:
        yield
    except Exception:  # bots are third-party code: the table continues whatever they raise
        _log.exception("%s", what)


def safe_action(view: View) -> Action:
    """The action for a seat that does not answer: check, else fold; in Perudo the bid of the timeout mind."""
    if isinstance(view.game, Perudo):
        from tahur.players.perudo.timeout import TimeoutMind

        return TimeoutMind().act(view, np.random.default_rng(0)).action
    first: Action = view.table.actions()[0]  # fold if there is something to call, else check
    return first
