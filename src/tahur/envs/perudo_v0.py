"""Perudo as a PettingZoo environment: an episode is a match and rewards the win, or a round and rewards dice.

Settings are those of `tahur.envs.perudo.perudo`. `illegal`: `raise` raises an error for an illegal index, `bid_or_dudo`
makes the lowest bid, or calls dudo once there is one.
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
    return TurnEnv(make_env_game("perudo", settings), illegal=illegal, render_mode=render_mode)
