"""`ENV_GAMES`, the list of environment games, and `make_env_game`, which creates one from a name and settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tahur.core.errors import SettingError, UnknownName, hint_for
from tahur.envs.game import EnvGame
from tahur.envs.holdem import limit, nlhe14
from tahur.envs.perudo import perudo

ENV_GAMES: Final[Mapping[str, Callable[..., EnvGame]]] = {"nlhe14": nlhe14, "limit": limit, "perudo": perudo}


def make_env_game(name: str, settings: Mapping[str, Any]) -> EnvGame:
    """The environment game of that name with these settings; settings that are not given have their defaults."""
    if name not in ENV_GAMES:
        raise UnknownName(f"no environment '{name}'; {hint_for(name, ENV_GAMES)}")
    try:
        return ENV_GAMES[name](**settings)
    except TypeError as error:
        raise SettingError(f"{name}: {error}") from None
