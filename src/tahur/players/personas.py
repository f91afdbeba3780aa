"""`persona:NAME` and `llm:NAME`: one name that stands for a character in each game.

In hold'em it is a built-in persona or one from a file; in Perudo it is a mind, which every name has. A name that is
unknown in hold'em is a mind for Perudo, and a file is for the game that its keys belong to. A game mode may follow the
name, `persona:duelist+study`: it sets the style of menus and prompts in hold'em.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tahur.core.errors import PlayerError
from tahur.core.game import Game
from tahur.core.player import Decision, Player, View
from tahur.core.record import Seen
from tahur.games.holdem.rules import Holdem
from tahur.games.perudo.game import ENTRY as PERUDO
from tahur.games.perudo.game import Perudo
from tahur.players.bounded.choosers import Chooser, chooser_named
from tahur.players.bounded.modes import Flags, Mode, name_and_mode
from tahur.players.bounded.personas import (
    MARK,
    SUFFIX,
    Persona,
    is_for_holdem,
    is_persona,
    persona_from,
    persona_from_text,
)
from tahur.players.bounded.personas import read_values as read_toml
from tahur.players.perudo.personalities import personality_from, personality_of
from tahur.players.perudo.player import PerudoMind

USUAL = "softmax"


def persona_player(text: str) -> Player:
    """`duelist`, `duelist+study@by_ev`, `grumpy.toml`: in hold'em with a chooser that needs no model; else a mind."""
    called, _, chooser = text.partition("@")
    persona, mode = _persona_and_mode(called)
    if persona is None:
        return mind_from_text(text)
    return PersonaPlayer(persona, chooser_named(chooser or USUAL), _flags(mode))


def mind_from_text(text: str) -> PerudoMind:
    """A mind for Perudo: `shark`, `El Tahúr`, any other name, or a user's file such as `nervous.toml`.

    A file has any of the figures, a `name`, and `like`, the personality that the other figures are taken from.
    """
    if not text.strip():
        raise PlayerError('persona: no name; write persona:shark, persona:"El Tahúr" or persona:nervous.toml')
    if not text.lower().endswith(SUFFIX):
        return PerudoMind(personality_of(text))
    return PerudoMind(personality_from(read_toml(Path(text)), Path(text).stem))


def model_player(text: str, models: Callable[[str], Chooser] | None) -> Player:
    """`duelist`, `duelist@MODEL`, `duelist@MODEL@URL`: the persona with a language model as its chooser."""
    called, _, model = text.partition("@")
    if not called:
        raise PlayerError("llm: no persona; write one, such as llm:duelist, llm:duelist@MODEL or llm:duelist@MODEL@URL")
    name, mode = name_and_mode(called)
    persona = persona_from_text(name)
    if models is None:
        raise PlayerError(f"llm:{text}: no model is configured; use --llm URL --model NAME, or --llm local")
    return PersonaPlayer(persona, models(model), _flags(mode))


class PersonaPlayer:
    """A persona in hold'em, and the mind of the same name in Perudo. Each is created when it is first needed."""

    def __init__(self, persona: Persona, chooser: Chooser, flags: Flags | None = None) -> None:
        self.persona = persona
        self.chooser = chooser
        self.flags = flags
        self._holdem: Player | None = None
        self._perudo: Player | None = None
        self._now: Player | None = None

    def plays(self, game: Game[Any]) -> bool:
        return isinstance(game, Holdem | Perudo)

    def begin(self, view: View, rng: np.random.Generator) -> None:
        self._now = self.at(view.game)
        self._now.begin(view, rng)

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        return self.at(view.game).act(view, rng)

    def learn(self, seen: Seen) -> None:
        player = self._now or (self._mind() if seen.game == PERUDO.name else self._bounded_player())
        player.learn(seen)

    def at(self, game: Game[Any]) -> Player:
        """The player for that game."""
        return self._mind() if isinstance(game, Perudo) else self._bounded_player()

    def _bounded_player(self) -> Player:
        if self._holdem is None:
            from tahur.players.bounded.player import BoundedPlayer  # loads the equity kernels

            self._holdem = BoundedPlayer(self.persona, self.chooser, self.flags)
        return self._holdem

    def _mind(self) -> Player:
        if self._perudo is None:
            self._perudo = PerudoMind(personality_of(self.persona.name))
        return self._perudo


def _flags(mode: Mode | None) -> Flags | None:
    return None if mode is None else mode.flags


def _persona_and_mode(called: str) -> tuple[Persona | None, Mode | None]:
    """The hold'em persona of a name such as `duelist+study`, and its game mode; None for each that is missing.

    The mark of a mode counts only after a hold'em persona: names of Perudo minds may contain it.
    """
    bare, mark, _ = called.rpartition(MARK)
    of_holdem = is_persona(bare) or bare.lower().endswith(SUFFIX)
    name, mode = name_and_mode(called) if mark and of_holdem else (called, None)
    persona = _holdem_persona(name)
    if persona is None and mode is not None:
        raise PlayerError(f"persona:{called}: {name} is not a persona for hold'em; only those have game modes")
    return persona, mode


def _holdem_persona(name: str) -> Persona | None:
    """The persona of that name or file, if it is one for hold'em."""
    if not name.lower().endswith(SUFFIX):
        return persona_from_text(name) if is_persona(name) else None
    values = read_toml(Path(name))
    return persona_from(values, Path(name).stem) if is_for_holdem(values) else None
