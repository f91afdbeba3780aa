"""`LimitPolicy`: the protocol of a policy for a two-player limit game, with all hands' probabilities at a decision.

Tables of every kind implement it, and nets by their average. It is defined beside the rules so that solvers, `show` and
the commands share it; `solvers/limit/player_policy.py` makes one of any policy that is measured exactly in Flop
Hold'em.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray

Board = tuple[int, ...]


@runtime_checkable
class LimitPolicy(Protocol):
    """A behaviour strategy for both seats of a limit game."""

    def chances(self, decision: int, board: Board) -> NDArray[Any]:
        """(1326, 3) fold, call, raise at a decision of the betting tree; illegal slots are 0."""
        ...
