"""User-defined players, by import path: `pkg.mod:Class`. The only module that imports by a computed name."""

from __future__ import annotations

import importlib
import inspect
from typing import Any, cast

from tahur.core.errors import PlayerError
from tahur.core.player import Player

_METHODS = ("begin", "act", "learn")


def own_player(path: str) -> Player:
    """A new player of the class at that path; the class is called without arguments."""
    module_name, _, class_name = path.partition(":")
    player_class = getattr(_module(path, module_name), class_name, None)
    if not inspect.isclass(player_class) or inspect.isabstract(player_class):
        raise PlayerError(f"{path}: module '{module_name}' has no class '{class_name}' that can be instantiated")
    missing = [name for name in _METHODS if not callable(getattr(player_class, name, None))]
    if missing:
        raise PlayerError(f"{path}: a player has begin, act and learn; it has no {' and no '.join(missing)}")
    _check_needs_nothing(path, player_class)
    return cast(Player, player_class())


def _module(path: str, name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise  # the module exists but imports something missing: its author needs the traceback
        raise PlayerError(
            f"{path}: no module '{error.name}'; it has to be in the current folder or on Python's path"
        ) from None


def _check_needs_nothing(path: str, player_class: type) -> None:
    try:
        inspect.signature(player_class).bind()
    except TypeError as error:
        raise PlayerError(f"{path}: cannot be made without arguments: {error}") from None
    except ValueError:  # a class written in C may have no signature
        return
