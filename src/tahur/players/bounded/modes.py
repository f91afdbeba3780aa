"""The four switches of menus and prompts, and the game modes that set them, defined in `modes.yaml`.

A player's name may end in a mode, `duelist+study`, so that records, folders and sessions contain it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from tahur.core.cache import shipped
from tahur.core.errors import SettingError, UnknownName
from tahur.core.limits import parse_yaml
from tahur.players.bounded.personas import split_mode


@dataclass(frozen=True, slots=True)
class Flags:
    """The switches; `modes.yaml` explains each."""

    lean_prompt: bool = False
    composed_nudges: bool = True
    shuffle_options: bool = False
    range_gate: bool = True


@dataclass(frozen=True, slots=True)
class Mode:
    """A named set of switches."""

    name: str
    summary: str
    flags: Flags


def name_and_mode(text: str) -> tuple[str, Mode | None]:
    """Split `duelist+study` into the name and the mode."""
    name, mode = split_mode(text)
    return (text, None) if name == text else (name, mode_named(mode))


def mode_named(name: str) -> Mode:
    """The game mode of that name."""
    mode = modes().get(name.strip().lower().replace("-", "_"))
    if mode is None:
        raise UnknownName(f"no game mode '{name}'; modes: {', '.join(modes())}")
    return mode


@cache
def modes() -> dict[str, Mode]:
    """All game modes, by name."""
    return modes_from_yaml(shipped("players/bounded/modes.yaml"), "modes.yaml")


def modes_from_yaml(text: str, source: str) -> dict[str, Mode]:
    """Modes in the format of `modes.yaml`: every mode sets every switch, and has nothing else but a summary."""
    try:
        content = parse_yaml(text)
    except ValueError as error:
        raise SettingError(f"{source} is not YAML: {error}") from None
    if not isinstance(content, dict) or not content:
        raise SettingError(f"{source} has no modes; write a name, a colon, and its switches below")
    return {str(name): _mode(str(name), switches, source) for name, switches in content.items()}


def _mode(name: str, content: Any, source: str) -> Mode:
    """A mode from its YAML entry: a summary, and a switch for each of `Flags`."""
    switches = [field.name for field in fields(Flags)]
    if not isinstance(content, dict) or set(content) != {"summary", *switches}:
        raise SettingError(f"{source}: mode '{name}' must have summary, {', '.join(switches)}, and nothing else")
    wrong = [switch for switch in switches if type(content[switch]) is not bool]
    if wrong or type(content["summary"]) is not str:
        raise SettingError(
            f"{source}: mode '{name}': wrong type of {', '.join(wrong) or 'summary'}; "
            "switches are true or false, the summary is text"
        )
    return Mode(name, content["summary"], Flags(**{switch: content[switch] for switch in switches}))
