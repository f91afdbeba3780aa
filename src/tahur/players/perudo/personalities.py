"""Personalities: eight numbers from 0 to 1 that define a mind, the six presets, and the names that map to them.

    Personality("Nervous", dudo=0.5, bluff=0.1)

Every other name has a personality too, the same one every time: see `personality_of`.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, Final

from tahur.core.errors import PlayerError


@dataclass(frozen=True, slots=True)
class Personality:
    """How a mind plays. Each figure is from 0 to 1; the default is 0.5."""

    name: str
    dudo: float = 0.5  # the probability of a false bid from which it tends to doubt: higher means fewer dudos
    calza: float = 0.5  # how far from the expected count a bid may be for calza: higher means more calzas
    bluff: float = 0.5  # how often it bluffs
    aggression: float = 0.5  # how far it jumps
    risk: float = 0.5  # how much it likes risks
    adaptability: float = 0.5  # how much weight it gives to deviations from others' patterns
    unpredictability: float = 0.5  # the size of the random part of its choices
    positional: float = 0.5  # how much it considers who acts next

    def __post_init__(self) -> None:
        for name in FIGURES:
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
                raise PlayerError(f"personality {self.name!r}: {name} is {value!r}; expected a number from 0 to 1")

    def __hash__(self) -> int:
        return hash(self.name)  # fast: personalities are cache keys


FIGURES: Final = tuple(field.name for field in fields(Personality) if field.name != "name")

SHARK: Final = Personality(
    name="Shark",
    dudo=0.55,
    calza=0.80,
    bluff=0.25,
    aggression=0.75,
    risk=0.70,
    adaptability=0.80,
    unpredictability=0.20,
    positional=0.60,
)
TURTLE: Final = Personality(
    name="Turtle",
    dudo=0.85,
    calza=0.30,
    bluff=0.08,
    aggression=0.15,
    risk=0.20,
    adaptability=0.40,
    unpredictability=0.10,
    positional=0.40,
)
CHAOS: Final = Personality(
    name="Chaos",
    dudo=0.65,
    calza=0.60,
    bluff=0.45,
    aggression=0.50,
    risk=0.60,
    adaptability=0.30,
    unpredictability=0.90,
    positional=0.30,
)
CALCULATOR: Final = Personality(
    name="Calculator",
    dudo=0.70,
    calza=0.40,
    bluff=0.15,
    aggression=0.40,
    risk=0.50,
    adaptability=0.60,
    unpredictability=0.00,
    positional=0.70,
)
BLUFFER: Final = Personality(
    name="Bluffer",
    dudo=0.88,
    calza=0.50,
    bluff=0.55,
    aggression=0.60,
    risk=0.65,
    adaptability=0.50,
    unpredictability=0.40,
    positional=0.50,
)
TRAPPER: Final = Personality(
    name="Trapper",
    dudo=0.72,
    calza=0.45,
    bluff=0.30,
    aggression=0.55,
    risk=0.50,
    adaptability=0.70,
    unpredictability=0.25,
    positional=0.95,
)

SIX: Final = (SHARK, TURTLE, CHAOS, CALCULATOR, BLUFFER, TRAPPER)

NAMES: Final[Mapping[Personality, tuple[str, ...]]] = {
    SHARK: ("El Bloffo", "La Serpiente", "El Bandido", "El Zorro Viejo"),
    TURTLE: ("Doña Suerte", "Tía Pícara", "Señora Riesgo", "Don Peligro"),
    CHAOS: ("La Mentirosa", "El Calaverón", "La Calavera Loca", "Señorita Dados"),
    CALCULATOR: ("Profesor Huesos", "Don Dinero", "Capitán Dados", "Conde Cubiletes"),
    BLUFFER: ("El Tramposo", "Madame Fortuna", "El Embustero", "Doña Trampa"),
    TRAPPER: ("Señor Dudoso", "Don Calzón", "Don Faroleo", "El Gran Jugador", "El Tahúr"),
}

BORING_BLUFF: Final = 0.05
BORING_DUDO: Final = 0.90


def personality_of(name: str) -> Personality:
    """The personality of a name: one of the six presets, of the built-in names or, for any other, by a stable hash."""
    known = _all_by_name().get(plain(name))
    return known if known is not None else SIX[_hash(name) % len(SIX)]


def is_known(name: str) -> bool:
    """Whether the name is one of the six presets or a built-in name."""
    return plain(name) in _all_by_name()


def known_names() -> tuple[str, ...]:
    """The six presets in lower case, then the built-in names."""
    return (*(personality.name.lower() for personality in SIX), *(name for names in NAMES.values() for name in names))


def plain(name: str) -> str:
    """A name without accents and capitals, for lenient matching."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())


@cache
def boring(personality: Personality) -> Personality:
    """How it plays when it is far ahead: almost no bluffs, and dudo only when nearly certain."""
    return replace(personality, bluff=BORING_BLUFF, dudo=BORING_DUDO)


def personality_from(values: Mapping[str, Any], where: str) -> Personality:
    """A personality from a settings file: a name, optionally the preset it is `like`, and the figures."""
    known = ("name", "like", *FIGURES)
    if unknown := sorted(set(values) - set(known)):
        raise PlayerError(f"{where}: no figure '{unknown[0]}'; valid: {', '.join(known)}")
    name, like = values.get("name", where), values.get("like")
    if not isinstance(name, str) or not name.strip():
        raise PlayerError(f"{where}: the name is {name!r}; expected a word or two")
    if like is not None and not (isinstance(like, str) and is_known(like)):
        raise PlayerError(f"{where}: like {like!r}; valid: {', '.join(preset.name.lower() for preset in SIX)}")
    base = Personality(name) if like is None else replace(personality_of(like), name=name)
    return replace(base, **{figure: values[figure] for figure in FIGURES if figure in values})


@cache
def _all_by_name() -> dict[str, Personality]:
    six = {plain(personality.name): personality for personality in SIX}
    return six | {plain(name): personality for personality, names in NAMES.items() for name in names}


def _hash(name: str) -> int:
    """A hash that is the same on every machine and in every version, unlike Python's own."""
    return int.from_bytes(hashlib.sha256(plain(name).encode()).digest()[:8], "big")
