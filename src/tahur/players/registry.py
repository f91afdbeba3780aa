"""Creates players from their names: the list of players, and the list of families of players.

    caller                  a player of the list
    odds:40%                a family, a colon, and the player's parameter
    strategy:leduc.tahur    another family: a strategy file, or a solved spot of hold'em where the command reads those
    persona:shark           a mind for Perudo; `shark` alone is enough, and so is `El Tahúr`
    solver                  heads-up no-limit hold'em, solved at the table; `solver:fast` and `solver:deep`
    persona:duelist         a persona for hold'em; `persona:duelist@by_ev` names its chooser
    llm:duelist             the same with a language model as its chooser: `llm:duelist@MODEL`, `llm:duelist@MODEL@URL`
    persona:duelist+study   either of them in a game mode, which sets the style of its menus and prompts
    my_bots.tight:Player    a class of your own: module, colon, class

To add a player or a family, add one line here. A player that cannot play every game has a method `plays(game)`, and may
explain why it does not play one: `why_not(game)`.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from tahur.core.errors import PlayerError, UnknownName
from tahur.core.game import Game
from tahur.core.player import Player
from tahur.players.bounded.personas import MARK, is_persona, persona_names
from tahur.players.perudo.personalities import is_known, known_names
from tahur.players.simple import Caller, Folder, Maniac, RandomPlayer

if TYPE_CHECKING:
    from tahur.players.bounded.choosers import Chooser
    from tahur.players.odds import OddsAnywhere
    from tahur.players.solved import Reader
    from tahur.players.solver import PreflopCharts, SolverStrategy


Readers = Sequence["Reader"]  # readers of strategy files that only `cli` or `web` can provide
SolverOf = Callable[[str], "SolverStrategy"]  # from the name of a time budget, or an empty text for the usual one
ChartsOf = Callable[[], "PreflopCharts"]
Models = Callable[[str], "Chooser"]  # from `MODEL@URL`, or an empty text for the default, to the chooser that asks it


@dataclass(frozen=True, slots=True)
class PlayerResources:
    """What only `cli` or `room` can provide: readers of strategy files, language models, and the solver."""

    readers: Readers = ()
    models: Models | None = None
    solver: SolverOf | None = None
    charts: ChartsOf | None = None  # for the solver at tables of more than two


@dataclass(frozen=True, slots=True)
class PlayerEntry:
    """A player's name, what it does, and how to create one."""

    name: str
    summary: str
    make: Callable[[], Player]


@dataclass(frozen=True, slots=True)
class PlayerFamily:
    """The word before the colon, an example of what follows it, what such a player does, and how to create one."""

    prefix: str
    rest: str
    summary: str
    make: Callable[[str, PlayerResources], Player]


def _odds(called: str, resources: PlayerResources) -> Player:
    from tahur.players.odds import odds_from_text

    return odds_from_text(called)


def _odds_anywhere() -> OddsAnywhere:
    from tahur.players.odds import OddsAnywhere

    return OddsAnywhere()


def _persona(text: str, resources: PlayerResources) -> Player:
    from tahur.players.personas import persona_player

    return persona_player(text)


def _llm(text: str, resources: PlayerResources) -> Player:
    from tahur.players.personas import model_player

    return model_player(text, resources.models)


def _timeout() -> Player:
    from tahur.players.perudo.timeout import TimeoutMind

    return TimeoutMind()


def _equilibrium() -> Player:
    from tahur.players.perudo.equilibrium import Equilibrium

    return Equilibrium()


def _solved_player(file: str, resources: PlayerResources) -> Player:
    from tahur.players.solved import solved_from_file

    return solved_from_file(file, resources.readers)


def _solver(budget: str, resources: PlayerResources) -> Player:
    from tahur.players.solver import SolverPlayer

    if resources.solver is None:
        raise PlayerError("solver: this program provides no solver; the commands and the card room do")
    charts = None if resources.charts is None else resources.charts()
    return SolverPlayer(resources.solver(budget), _odds_anywhere(), charts)


def _net(folder: str, resources: PlayerResources) -> Player:
    from tahur.players.solved import net_from_folder

    return net_from_folder(folder)


PLAYERS: Final[dict[str, PlayerEntry]] = {
    entry.name: entry
    for entry in (
        PlayerEntry("caller", "checks or calls whatever comes; where a game has no call, makes the lowest bid", Caller),
        PlayerEntry("folder", "checks if it may, else folds; where a game has no fold, doubts the first bid", Folder),
        PlayerEntry(
            "random", "plays any legal action; at hold'em fold, call or raise, small raises likelier", RandomPlayer
        ),
        PlayerEntry("maniac", "bets, raises or bids whenever it may, and never folds", Maniac),
        PlayerEntry(
            "odds", "hold'em by pot odds, against ranges it gives the others; Perudo by expected dice", _odds_anywhere
        ),
        PlayerEntry("equilibrium", "Perudo by solved rounds where there are any, else by the odds", _equilibrium),
        PlayerEntry("timeout", "Perudo for a player out of time: the lowest bid, and dudo only when it must", _timeout),
    )
}

SOLVER: Final = "solver"  # a family whose name alone is a player

FAMILIES: Final[dict[str, PlayerFamily]] = {
    family.prefix: family
    for family in (
        PlayerFamily("odds", "40%", "odds, assuming that others call with that part of all hands", _odds),
        PlayerFamily(
            "persona",
            "duelist",
            "a character: for hold'em one of twelve ('tahur persona list'), for Perudo shark, turtle, ..., any other "
            "name; or your own FILE.toml",
            _persona,
        ),
        PlayerFamily(
            "llm", "duelist", "a persona in hold'em with a language model as chooser: --llm URL --model NAME", _llm
        ),
        PlayerFamily(
            "strategy", "FILE", "a strategy computed by a solver, in the game or spot it was solved for", _solved_player
        ),
        PlayerFamily(
            SOLVER,
            "fast",
            "heads-up no-limit hold'em by a blueprint, then solved at the table: solver, solver:fast or solver:deep",
            _solver,
        ),
        PlayerFamily("net", "FOLDER", "nets trained by 'tahur train', one drawn for each hand", _net),
    )
}

_IMPORT_PATH: Final = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")


def make_player(
    name: str, game: Game[Any] | None = None, *, readers: Readers = (), models: Models | None = None,
    solver: SolverOf | None = None, charts: ChartsOf | None = None,
) -> Player:  # fmt: skip
    """A new player of that name; with a game, raises `PlayerError` if the player cannot play it."""
    player = _make(name, PlayerResources(readers, models, solver, charts))
    if game is not None and not _plays(player, game):
        why_not: Callable[[Game[Any]], str | None] | None = getattr(player, "why_not", None)
        if why_not is not None:
            raise PlayerError(f"{name}: {why_not(game)}")
        able = ", ".join(entry.name for entry in PLAYERS.values() if _plays(entry.make(), game))
        raise PlayerError(f"{name} does not play {game.name}; these players of the list do: {able}")
    return player


def player_names() -> dict[str, str]:
    """All names of players as they are written, and what each does."""
    families = {f"{family.prefix}:{family.rest}": family.summary for family in FAMILIES.values()}
    own = {"pkg.mod:Class": "a class of your own, called without arguments"}
    return {entry.name: entry.summary for entry in PLAYERS.values()} | families | own


def _make(name: str, resources: PlayerResources) -> Player:
    """The player of a name: built in, of a family, of the user's own class, or a persona."""
    if name in PLAYERS:
        return PLAYERS[name].make()
    prefix, colon, rest = name.partition(":")
    if (colon or name == SOLVER) and prefix in FAMILIES:
        return FAMILIES[prefix].make(rest, resources)
    if _IMPORT_PATH.fullmatch(name):
        return own_player(name)
    if is_known(name) or is_persona(name.partition(MARK)[0]):
        return _persona(name, resources)
    near = difflib.get_close_matches(prefix, (*PLAYERS, *known_names(), *persona_names()), n=1)
    raise UnknownName(f"no player '{name}'; " + (f"did you mean '{near[0]}'?" if near else f"players: {_names_text()}"))


def _plays(player: Player, game: Game[Any]) -> bool:
    plays: Callable[[Game[Any]], bool] | None = getattr(player, "plays", None)
    return plays is None or plays(game)


def _names_text() -> str:
    return ", ".join(player_names())


# ---- users' own players, by import path: `pkg.mod:Class` -----------------------------------------------


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
    """Import a module that a user named; `path` is the player's name, for the error message."""
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
