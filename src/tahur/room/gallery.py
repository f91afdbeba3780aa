"""The bots that can be seated in a room, and the games with their rules.

Bots come from the registry of players only. Players given by a file or an import path must be named by the operator
when the server starts; no guest can load them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from functools import cached_property
from typing import Any, Final

from tahur.core.errors import PlayerError, TahurError
from tahur.core.game import Game
from tahur.core.player import Player
from tahur.games.registry import make
from tahur.players.bounded.personas import persona_names
from tahur.players.perudo.personalities import FIGURES, NAMES, SIX, personality_of
from tahur.players.registry import PLAYERS, SOLVER, Models, make_player
from tahur.players.solver import PreflopCharts, SolverStrategy
from tahur.room.adapter import adapter_of, adapters
from tahur.room.facts import MODEL, PERSONA
from tahur.room.rest import GameCard, Mind, NewRoom, RadarFigure, Rules
from tahur.room.scene import GameName
from tahur.solvers.solver import Clock

QUICK: Final[GameName] = "nlhe"  # the game of "Play a hand now"
NOT_SHOWN: Final = ("folder", "timeout")  # not offered as bots: no fun to play against
DICE_MINDS: Final = {  # descriptions of the Perudo minds
    "Shark": "Raises hard, doubts early, and accepts the risk.",
    "Turtle": "Says little, and doubts only impossible bids.",
    "Chaos": "Unpredictable, even to itself.",
    "Calculator": "Plays by the odds alone.",
    "Bluffer": "Bids what it does not hold, and rarely doubts.",
    "Trapper": "Leaves the seat after it in trouble.",
}
NO_MODEL: Final = "no language model is configured; the operator can add one: tahur room serve --llm URL --model NAME"


@dataclass(frozen=True, slots=True)
class Language:
    """The language model that the operator configured: its name, and a maker of choosers."""

    name: str
    models: Models


class Gallery:
    """The bots of this server: those of the registry, and those that the operator named."""

    def __init__(self, owned: Sequence[str] = (), language: Language | None = None, clock: Clock | None = None) -> None:
        """clock: seconds, for bots that solve at the table and must not think for too long."""
        self._owned, self._clock = tuple(owned), clock
        self.language = language

    @cached_property
    def minds(self) -> tuple[Mind, ...]:
        """All bots that can be seated, personas first."""
        return tuple(mind for mind in self._all() if mind.games)

    def name_of(self, mind: str, game: str) -> str:
        """A bot's name at the table; raises an error if it is not in the gallery or does not play the game."""
        if mind.startswith(MODEL):
            self.check_language(game)
            mind = PERSONA + mind.removeprefix(MODEL)
        bot = next((candidate for candidate in self.minds if candidate.mind == mind), None)
        if bot is None:
            raise PlayerError(f"no bot '{mind[:80]}' here; choose one of the gallery")
        if game not in bot.games:
            raise PlayerError(f"{bot.name} does not play {adapter_of(game).card().title}")
        return bot.name

    def check_language(self, game: str) -> None:
        """Raise an error if no language model can play."""
        if self.language is None:
            raise PlayerError(NO_MODEL)
        if not adapter_of(game).has_menus:
            raise PlayerError(f"language models play hold'em here, not {adapter_of(game).card().title}")

    def make(self, mind: str, game: Game[Any]) -> Player:
        """A new bot. If its language model is no longer configured, it chooses by itself, and its thoughts say so."""
        if mind.startswith(MODEL) and self.language is None:
            mind = PERSONA + mind.removeprefix(MODEL)
        models = self.language.models if self.language else None
        return make_player(mind, game, models=models, solver=self._resolver, charts=_charts)

    def _resolver(self, budget: str) -> SolverStrategy:
        """The solver's strategy; imported when it is first seated, since it loads compiled code."""
        from tahur.solvers.nolimit.resolving import resolver_named

        return resolver_named(budget, clock=self._clock)

    def quick(self) -> NewRoom:
        """The room that "Play a hand now" opens: no-limit against three bots, personas first."""
        able = [mind.mind for mind in self.minds if QUICK in mind.games]
        personas = [mind for mind in able if mind.startswith(PERSONA)]
        company = _three_apart(personas) if len(personas) >= 3 else ("odds", "maniac", "caller")
        return NewRoom(name="You", title="A quick game", game=QUICK, rules="", minds=company, seconds=0, bank=0)

    def _all(self) -> Iterable[Mind]:
        """All bots: Perudo minds, hold'em personas, simple players, and those of the operator."""
        for personality in SIX:
            yield _mind(PERSONA + personality.name.lower(), personality.name, DICE_MINDS[personality.name])
        for personality in SIX:
            for name in NAMES[personality]:
                yield _mind(PERSONA + name, name, f"Plays as {personality.name} does. {DICE_MINDS[personality.name]}")
        for name in persona_names():
            yield _persona(name)
        for entry in PLAYERS.values():
            if entry.name not in NOT_SHOWN:
                yield _mind(entry.name, entry.name.capitalize(), entry.summary)
        yield Mind(
            mind=SOLVER,
            name="Solver",
            summary="Heads-up it follows a trained strategy and solves turn and river; else it plays by pot odds.",
            games=(QUICK,),
            figures=(),
            lines=(),
        )
        for name in self._owned:
            yield _mind(name, name.rpartition(":")[2].rpartition("/")[2][:24], "added by the server's operator")


def _persona(name: str) -> Mind:
    """A hold'em persona with its figures from 0 to 1, its description, and a line for each occasion.

    Personas are offered only where they choose from menus: at Perudo they would play as one of the six minds.
    """
    persona = getattr(make_player(PERSONA + name), "persona", None)
    values = asdict(persona) if is_dataclass(persona) and not isinstance(persona, type) else {}
    figures = tuple(RadarFigure(key, float(value)) for key, value in values.items() if isinstance(value, float))
    lines = tuple(said[0] for _, said in values.get("lines", ()) if said)
    games = tuple(game for game in _games_of(PERSONA + name) if adapter_of(game).has_menus)
    title, about = values.get("name", name.capitalize()), values.get("about") or "a persona"
    return Mind(mind=PERSONA + name, name=title, summary=about, games=games, figures=figures, lines=lines)


def _three_apart(names: Sequence[str]) -> tuple[str, ...]:
    """Three personas that are far apart in the list."""
    return names[len(names) // 6], names[len(names) // 2], names[-1 - len(names) // 6]


def _mind(mind: str, name: str, summary: str) -> Mind:
    """The gallery's entry of a bot that is no hold'em persona."""
    games = _games_of(mind)
    is_dice_mind = mind.startswith(PERSONA) and not any(adapter_of(game).has_menus for game in games)
    figures = _figures(mind) if is_dice_mind else ()
    return Mind(mind=mind, name=name, summary=summary, games=games, figures=figures, lines=())


def _figures(mind: str) -> tuple[RadarFigure, ...]:
    personality = personality_of(mind.removeprefix(PERSONA))
    return tuple(RadarFigure(name, getattr(personality, name)) for name in FIGURES)


def _games_of(mind: str) -> tuple[GameName, ...]:
    """The games that a bot can play."""
    return tuple(game for game in adapters() if _plays(mind, game))


def _plays(mind: str, game: GameName) -> bool:
    try:
        make_player(mind, make(game))
    except TahurError:
        return False
    return True


def game_cards() -> tuple[GameCard, ...]:
    """The games of the card room, with their presets in words."""
    return tuple(adapter.card() for adapter in adapters().values())


def rules_of(game: str, name: str) -> Rules:
    """The preset with this name; the first one without a name."""
    rules = next(card.rules for card in game_cards() if card.game == game)
    preset = next((candidate for candidate in rules if candidate.name == name), rules[0] if not name else None)
    if preset is None:
        raise PlayerError(
            f"{game} has no rules '{name[:40]}'; rules: {', '.join(candidate.name for candidate in rules)}"
        )
    return preset


def _charts() -> PreflopCharts:
    """The preflop charts of the solver at tables of more than two; imported when it is first seated."""
    from tahur.solvers.nolimit.multiway.playing import TableCharts

    return TableCharts()
