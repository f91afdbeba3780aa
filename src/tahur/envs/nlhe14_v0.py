"""No-limit hold'em with the fourteen actions as a PettingZoo environment: an episode is a hand; rewards in BB.

Settings are those of `tahur.envs.holdem.nlhe14`. `illegal`: `raise` raises an error for an illegal index,
`check_or_fold` checks if that is free and folds if not.
"""

from __future__ import annotations

from typing import Any

from tahur.envs.aec import TurnEnv, check_order
from tahur.envs.driver import RAISE
from tahur.envs.registry import make_env_game


def env(**settings: Any) -> Any:
    """The environment, with PettingZoo's check of the order of calls."""
    return check_order(raw_env(**settings))


def raw_env(*, illegal: str = RAISE, render_mode: str | None = None, **settings: Any) -> TurnEnv:
    """The environment itself."""
    return TurnEnv(make_env_game("nlhe14", settings), illegal=illegal, render_mode=render_mode)
