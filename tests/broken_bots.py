"""Bots with a bug, as somebody's own code may have one: seated by their import path."""

from __future__ import annotations

from typing import Any

from tahur.core.player import Decision, View
from tahur.core.record import Seen


class BrokenBot:
    """Raises whenever it has to learn or to decide."""

    def begin(self, view: View, rng: Any) -> None:
        raise RuntimeError("no plan")

    def act(self, view: View, rng: Any) -> Decision:
        raise KeyError("no decision")

    def learn(self, seen: Seen) -> None:
        raise ValueError("no lesson")
