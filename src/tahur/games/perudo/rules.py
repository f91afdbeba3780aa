"""The rules of Perudo that vary between tables, as one frozen value, and the three presets.

What all variants share is not a field: two to eight seats, aces wild outside palifico, half to aces, double plus one
from aces, no bid above the dice in play, what dudo costs, and who opens next.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import Enum
from typing import Any, Final

from tahur.core.errors import SettingError, UnknownName
from tahur.games.perudo.bids import Raising

FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 8
MOST_DICE: Final = 10  # under one cup


class Calza(Enum):
    """When calza ("exactly right") may be called, by the number of seats left in the match."""

    OFF = "off"
    THREE_LEFT = "three seats left"
    ALWAYS = "always"

    __repr__ = Enum.__str__


@dataclass(frozen=True, slots=True)
class Palifico:
    """The round in which aces are not wild, and the face is locked for every seat with more than one die."""

    once: bool = False  # True: the round after a seat first drops to one die; False: every round opened with one die
    one_die_changes: bool = False  # a seat with one die may change the face
    two_left: bool = True  # also when only two seats are left


@dataclass(frozen=True, slots=True)
class PerudoRules:
    """One table's rules; by default those of `faroleo`."""

    name: str = "faroleo"
    dice: int = 5  # each seat's at the start, and the maximum
    raising: Raising = Raising.ANY_FACE
    aces_open: bool = False  # the first bid may be on aces (in palifico it always may)
    palifico: Palifico | None = Palifico()
    calza: Calza = Calza.ALWAYS

    def __post_init__(self) -> None:
        if not 1 <= self.dice <= MOST_DICE:
            raise SettingError(f"perudo: {self.dice} dice for each seat; a cup holds 1 to {MOST_DICE}")
        if self.raising is Raising.FACE_LOCKED:
            raise SettingError("perudo: the face is locked in palifico only; raising is any face, or never falls")


FAROLEO: Final = PerudoRules()
ASMODEE: Final = PerudoRules(
    "asmodee",
    raising=Raising.FACE_NEVER_FALLS,
    palifico=Palifico(once=True, one_die_changes=True, two_left=False),
    calza=Calza.THREE_LEFT,
)
CLASSIC: Final = PerudoRules("classic", aces_open=True, palifico=Palifico(once=True, two_left=False), calza=Calza.OFF)
PRESETS: Final[Mapping[str, PerudoRules]] = {rules.name: rules for rules in (FAROLEO, ASMODEE, CLASSIC)}


def preset(name: str) -> PerudoRules:
    """The preset of that name."""
    if name not in PRESETS:
        raise UnknownName(f"perudo: no rules '{name}'; valid: {', '.join(PRESETS)}")
    return PRESETS[name]


def with_palifico(rules: PerudoRules, on: bool) -> PerudoRules:
    """The same rules with palifico, also when two seats are left, or without."""
    kept = rules.palifico or Palifico()
    return replace(rules, palifico=replace(kept, two_left=True) if on else None)


def with_calza(rules: PerudoRules, on: bool) -> PerudoRules:
    """The same rules with calza, also when two seats are left, or without."""
    return replace(rules, calza=Calza.ALWAYS if on else Calza.OFF)


def rules_to_json(rules: PerudoRules) -> str | dict[str, Any]:
    """A preset's name, or the name with the fields in which the rules differ from the preset (else from `faroleo`)."""
    base = PRESETS.get(rules.name, FAROLEO)
    if rules is base:
        return rules.name
    changed = {
        field.name: _to_json(getattr(rules, field.name))
        for field in fields(rules)
        if field.name != "name" and getattr(rules, field.name) != getattr(base, field.name)
    }
    return {"name": rules.name, **changed} if changed or rules.name not in PRESETS else rules.name


def rules_from_json(value: str | Mapping[str, Any]) -> PerudoRules:
    """The rules that `rules_to_json` wrote."""
    if isinstance(value, str):
        return preset(value)
    known = [field.name for field in fields(PerudoRules)]
    if unknown := set(value) - set(known):
        raise SettingError(f"perudo: no rule '{min(unknown)}'; valid: {', '.join(known)}")
    base = PRESETS.get(value.get("name", FAROLEO.name), FAROLEO)
    return replace(base, **{name: _from_json(name, entry) for name, entry in value.items()})


def _to_json(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    return asdict(value) if isinstance(value, Palifico) else value


def _from_json(name: str, value: Any) -> Any:
    """The value of a rule from its JSON form."""
    try:
        match name:
            case "raising":
                return Raising(value)
            case "calza":
                return Calza(value)
            case "palifico":
                return None if value is None else Palifico(**value)
            case _:
                return value
    except (ValueError, TypeError) as error:
        raise SettingError(f"perudo: {name}: {error}") from None
