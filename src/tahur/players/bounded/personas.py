"""Personas for hold'em: a character as one frozen value, the twelve built-in ones, and user-defined ones from files.

    looseness = 0.3        # a file `grumpy.toml`, for `persona:grumpy.toml`
    aggression = 0.8
    like = "duelist"       # optional: without it, lines and figures that are not given have default values

Its play depends on looseness and aggression (they select the profile that writes its menus and shape the choice from
them), on its mood, and on nothing else. The twelve are in personas.toml.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from tahur.core.cache import shipped
from tahur.core.errors import PlayerError, TahurError, UnknownName, hint_for
from tahur.core.limits import MOST_SETTINGS, parse_toml, read_file
from tahur.players.bounded.profiles import OptionProfile, profile_for, profile_named
from tahur.players.bounded.talk import LONGEST_LINE, LONGEST_NAME, LONGEST_TALK, plain_line, plain_name, tells_cards

FILE: Final = "players/bounded/personas.toml"
SUFFIX: Final = ".toml"
MARK: Final = "+"  # between a name and its game mode: duelist+study
OCCASIONS: Final = ("fold", "check", "call", "raise", "all-in", "hot", "cold")
MOST_LINES: Final = 40  # per occasion

Lines = tuple[tuple[str, tuple[str, ...]], ...]  # occasion and its lines


@dataclass(frozen=True, slots=True)
class Persona:
    """A character. Figures are from 0 to 1; `preset` names a profile to use instead of the one by the rule."""

    name: str
    looseness: float = 0.5  # the part of all hands it likes to play
    aggression: float = 0.5  # how much it prefers bets and raises to checks and calls
    resilience: float = 0.5  # how little luck, good or bad, affects it
    confidence: float = 0.5  # its mood's baseline
    composure: float = 0.7
    energy: float = 0.5
    chatter: float = 0.2  # how often it speaks when it acts
    preset: str | None = None
    about: str = ""
    voice: str = ""
    lines: Lines = field(default=(), repr=False)

    def __post_init__(self) -> None:
        """Check the name, the figures (0 to 1) and the lines."""
        if not isinstance(self.name, str) or plain_name(self.name, 0) != self.name:
            raise PlayerError(
                f"a persona named {self.name!r}; a name is one line of at most {LONGEST_NAME} visible characters"
            )
        for figure in FIGURES:
            value = getattr(self, figure)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
                raise PlayerError(f"persona {self.name!r}: {figure} is {value!r}; expected a number from 0 to 1")
        _check_words(self)

    @property
    def profile(self) -> OptionProfile:
        """The profile that writes its menus: by the rule, or its preset, with its own looseness."""
        return _profile(self.looseness, self.aggression, self.preset)

    def lines_for(self, occasion: str) -> tuple[str, ...]:
        """Its lines for an occasion."""
        return next((lines for name, lines in self.lines if name == occasion), ())


FIGURES: Final = tuple(figure.name for figure in fields(Persona) if figure.type == "float")
WORDS: Final = ("about", "voice")
KEYS: Final = ("name", "like", *FIGURES, "preset", *WORDS, "lines")
OF_HOLDEM: Final = frozenset(KEYS) - {"name", "like", "aggression"}  # keys that minds for Perudo do not have


def persona_named(name: str) -> Persona:
    """One of the twelve, ignoring case; the error for any other name lists them."""
    persona = _house().get(name.strip().casefold())
    if persona is None:
        raise UnknownName(f"no persona '{name}' for hold'em; {hint_for(name.casefold(), _house())}")
    return persona


def split_mode(text: str) -> tuple[str, str]:
    """Split `duelist+study` into name and mode, "" if none; a file name may contain the mark itself: `a+b.toml`."""
    name, mark, mode = text.rpartition(MARK)
    return (name, mode) if mark and not text.lower().endswith(SUFFIX) else (text, "")


def is_persona(name: str) -> bool:
    """Whether it is the name of one of the twelve."""
    return name.strip().casefold() in _house()


def house() -> tuple[Persona, ...]:
    """The twelve built-in personas, the tightest first."""
    return tuple(_house().values())


def persona_names() -> tuple[str, ...]:
    """The names of the twelve, in lower case."""
    return tuple(_house())


def persona_from_text(text: str) -> Persona:
    """The persona of a name such as `duelist`, or of a user's file such as `grumpy.toml`."""
    if not text.strip():
        raise PlayerError("persona: no name; write one, such as persona:duelist or persona:grumpy.toml")
    return read_persona(Path(text)) if text.lower().endswith(SUFFIX) else persona_named(text)


def read_persona(path: Path) -> Persona:
    """The persona in a file; raises `PlayerError` if the file is invalid."""
    return persona_from(read_values(path), path.stem)


def read_values(path: Path) -> dict[str, Any]:
    """The content of a TOML file."""
    try:
        return parse_toml(read_file(path, MOST_SETTINGS).decode("utf-8"))
    except OSError as error:
        raise PlayerError(f"persona:{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise PlayerError(f"persona:{path}: not a TOML file: {error}") from None


def persona_from(values: Mapping[str, Any], where: str) -> Persona:
    """A persona from a file's values: figures, words, lines, and optionally the persona it is `like`."""
    if unknown := sorted(set(values) - set(KEYS)):
        raise PlayerError(f"{where}: a persona has no '{unknown[0]}'; {hint_for(unknown[0], KEYS)}")
    like = values.get("like")
    if like is not None and not (isinstance(like, str) and is_persona(like)):
        known = ", ".join(builtin.name.lower() for builtin in house())
        raise PlayerError(f"{where}: like {like!r}; valid: {known}")
    base = _MIDDLE if like is None else persona_named(like)
    changes = {key: values[key] for key in (*FIGURES, "preset", *WORDS) if key in values}
    lines = {**dict(base.lines), **_lines(values.get("lines", {}), where)}
    try:
        return replace(base, name=values.get("name", where), lines=tuple(lines.items()), **changes)
    except TahurError as error:
        raise PlayerError(f"{where}: {error}") from None


def is_for_holdem(values: Mapping[str, Any]) -> bool:
    """Whether a file is for a hold'em persona rather than a Perudo mind, by its keys or by its `like`."""
    like = values.get("like")
    return not OF_HOLDEM.isdisjoint(values) or (isinstance(like, str) and is_persona(like))


def _lines(value: Any, where: str) -> dict[str, tuple[str, ...]]:
    """The lines of a persona's file by occasion, checked."""
    if not isinstance(value, Mapping) or (unknown := sorted(set(value) - set(OCCASIONS))):
        what = f"no lines for '{unknown[0]}'" if isinstance(value, Mapping) else "lines is not a table"
        raise PlayerError(f"{where}: {what}; [lines] has lists for {', '.join(OCCASIONS)}")
    for occasion, lines in value.items():
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines) or len(lines) > MOST_LINES:
            raise PlayerError(
                f'{where}: {occasion} is {lines!r}; expected a list of at most {MOST_LINES} lines: ["Well."]'
            )
    return {occasion: tuple(lines) for occasion, lines in value.items()}


def _check_words(persona: Persona) -> None:
    """Check that all texts of a persona are plain lines and that no line names cards."""
    for key in WORDS:
        text = getattr(persona, key)
        if not isinstance(text, str) or plain_line(text) != text:
            raise PlayerError(f"persona {persona.name!r}: {key} must be one line of at most {LONGEST_LINE} characters")
    for occasion, lines in persona.lines:
        for line in lines:
            if plain_line(line, LONGEST_TALK) != line or tells_cards(line):
                raise PlayerError(
                    f"persona {persona.name!r} cannot say {line!r} ({occasion}): a line has at most "
                    f"{LONGEST_TALK} characters, no digits, and names no cards"
                )
    if persona.preset is not None:
        profile_named(persona.preset)


@cache
def _profile(looseness: float, aggression: float, preset: str | None) -> OptionProfile:
    if preset is None:
        return profile_for(looseness, aggression)
    return replace(profile_named(preset), looseness=looseness)


@cache
def _house() -> dict[str, Persona]:
    tables = tomllib.loads(shipped(FILE))["persona"]
    builtin = [persona_from(values, str(values.get("name"))) for values in tables]
    return {persona.name.casefold(): persona for persona in sorted(builtin, key=lambda persona: persona.looseness)}


_MIDDLE: Final = Persona("Somebody", voice="plain and friendly")
