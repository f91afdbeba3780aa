"""`KINDS`, the list of environment games, and `make_kind`, which creates one from a name and settings."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from typing import Any, Final

from tahur.core.errors import SettingError, UnknownName
from tahur.envs.holdem import limit, nlhe14
from tahur.envs.kind import EnvGame
from tahur.envs.perudo import perudo

KINDS: Final[Mapping[str, Callable[..., EnvGame]]] = {"nlhe14": nlhe14, "limit": limit, "perudo": perudo}


def make_kind(name: str, settings: Mapping[str, Any]) -> EnvGame:
    """The environment game of that name with these settings; the others have their defaults."""
    if name not in KINDS:
        near = difflib.get_close_matches(name, KINDS, n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"valid: {', '.join(KINDS)}"
        raise UnknownName(f"no environment '{name}'; {hint}")
    try:
        return KINDS[name](**settings)
    except TypeError as error:
        raise SettingError(f"{name}: {error}") from None
