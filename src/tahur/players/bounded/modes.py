"""The four switches of menus and prompts, and the game modes that set them, which stand in `modes.yaml`.

A player's name may end in a mode, `duelist+study`, so that records, folders and sessions know of it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Final

from tahur.core.cache import shipped
from tahur.core.errors import SettingError, UnknownName
from tahur.core.limits import parse_yaml
from tahur.players.bounded.personas import split_mode


@dataclass(frozen=True, slots=True)
class Flags:
    """What is switched on; see `modes.yaml` for what each does."""

    lean_prompt: bool = False
    composed_nudges: bool = True
    shuffle_options: bool = False
    range_gate: bool = True


@dataclass(frozen=True, slots=True)
class Mode:
    """A name for a set of switches."""

    name: str
    summary: str
    flags: Flags


USUAL_MODE: Final = "standard"


def name_and_mode(text: str) -> tuple[str, Mode | None]:
    """`duelist+study` to the name and the mode."""
    name, mode = split_mode(text)
    return (text, None) if name == text else (name, mode_named(mode))


def mode_named(name: str) -> Mode:
    """The game mode of that name."""
    found = modes().get(name.strip().lower().replace("-", "_"))
    if found is None:
        raise UnknownName(f"no game mode '{name}'; modes: {', '.join(modes())}")
    return found


@cache
def modes() -> dict[str, Mode]:
    """All of them, by name."""
    return modes_from_yaml(shipped("players/bounded/modes.yaml"), "modes.yaml")


def modes_from_yaml(text: str, source: str) -> dict[str, Mode]:
    """Modes as `modes.yaml` writes them: every switch of every mode is said, and nothing else."""
    try:
        said = parse_yaml(text)
    except ValueError as error:
        raise SettingError(f"{source} is no YAML: {error}") from None
    if not isinstance(said, dict) or not said:
        raise SettingError(f"{source} has no modes; write a name, a colon, and its switches below")
    return {str(name): _mode(str(name), switches, source) for name, switches in said.items()}


def _mode(name: str, said: Any, source: str) -> Mode:
    switches = [field.name for field in fields(Flags)]
    if not isinstance(said, dict) or set(said) != {"summary", *switches}:
        raise SettingError(f"{source}: mode '{name}' must say summary, {', '.join(switches)}, and nothing else")
    wrong = [switch for switch in switches if type(said[switch]) is not bool]
    if wrong or type(said["summary"]) is not str:
        raise SettingError(f"{source}: mode '{name}': {', '.join(wrong) or 'summary'}; switches are true or false")
    return Mode(name, said["summary"], Flags(**{switch: said[switch] for switch in switches}))
