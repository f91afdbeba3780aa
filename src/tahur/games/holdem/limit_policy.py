"""What it takes to be studied, drawn and bounded at a limit game for two: chances for all hands at one decision.

Tables of every kind answer it, and nets by their average. It stands with the rules so that solvers, pictures and doors
mean the same by it; `solvers/limit/player_policy.py` makes one of anything that is measured exactly at Flop Hold'em.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray

Board = tuple[int, ...]


@runtime_checkable
class LimitPolicy(Protocol):
    """Known chances: a behaviour strategy for both seats of a limit game."""

    def chances(self, decision: int, board: Board) -> NDArray[Any]:
        """(1326, 3) fold, call, raise at a decision of the betting tree; slots that are not legal are 0."""
        ...
