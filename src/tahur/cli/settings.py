"""A game's settings from the command line: seats, stacks, Perudo's rules, and any other by its name."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.output import note

if TYPE_CHECKING:
    from tahur.core.game import Game, Settings

POKER = ("nlhe", "limit", "hulh", "acpc", "fhp", "fhp-3-4")
SPOT = "spot"
AMOUNTS = ("stack", "stacks", "pot", "ante", "rake_cap")
BLINDS = "chips for a big blind"  # for a spot from a file; not a setting of a game

Stack = Annotated[str | None, typer.Option(help="Chips for each seat: 200, or big blinds: 97.5bb.")]
Rules = Annotated[str | None, typer.Option(help="Perudo's rules: faroleo, asmodee or classic.")]
Set = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Any other setting of the game: blinds=[5,10].")
]


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The options of commands that play any game: its settings."""

    stack: Stack = None
    rules: Rules = None
    settings: Set = None


def settings_of(name: str, seats: int | None, options: TableOptions, of_file: Settings | None = None) -> dict[str, Any]:
    """The settings for the game, amounts in chips; `of_file`: settings from a file, which the options override."""
    from tahur.core.errors import SettingError
    from tahur.games.registry import make

    settings: dict[str, Any] = {}
    if seats is not None and seats != make(name).seats:  # games of fixed size have no such setting
        settings["seats"] = seats
    if options.rules is not None:
        settings["rules"] = options.rules
    if (stack := options.stack) is not None:
        if name not in (*POKER, SPOT):
            raise SettingError(f"--stack is for poker; {name} has no stacks")
        settings["stack"] = int(stack) if stack.isdecimal() else stack
    return _in_chips(name, {**(of_file or {}), **settings, **parse_settings(options.settings or ())})


def game_for(name: str, seats: int, options: TableOptions) -> Game[Any]:
    """The game for this many players; `spot:FILE` is the spot of a solved file."""
    from tahur.core.errors import SettingError
    from tahur.games.registry import GAMES, make

    name, of_file = game_and_settings(name)
    fixed = "seats" not in signature(GAMES[name].make).parameters if name in GAMES else False
    if fixed and seats != make(name).seats:
        raise SettingError(f"{name}: {seats} players for {make(name).seats} seats")
    game = make(name, settings_of(name, seats, options, of_file))
    if game.seats != seats:
        raise SettingError(f"{name}: {seats} players for {game.seats} seats")
    return game


def game_and_settings(name: str) -> tuple[str, dict[str, Any]]:
    """A game's name and the settings it implies: `spot:FILE` names a file of `tahur postflop solve`."""
    game, colon, file = name.partition(":")
    if game != SPOT or not colon:
        return name, {}
    from pathlib import Path

    from tahur.core.errors import SettingError
    from tahur.solvers.postflop.file import load_spot
    from tahur.solvers.postflop.playing import settings_of_spot

    if not file:
        raise SettingError(
            "spot: the file is missing; write spot:river.tahur, with a file of 'tahur postflop solve -o'"
        )
    spot = load_spot(Path(file))
    if spot.big_blind:
        note(f"{file} is in big blinds; at the table a big blind is {spot.big_blind} chips")
    return SPOT, settings_of_spot(spot) | ({BLINDS: spot.big_blind} if spot.big_blind else {})


def options_of(game: Game[Any]) -> str:
    """The options that describe this game's settings: `--set caps=[2,2,1]`; empty if they are the defaults."""
    from tahur.games.registry import GAMES, make

    free = ("button",)
    several = "seats" in signature(GAMES[game.name].make).parameters
    usual = make(game.name, {"seats": game.seats} if several else {}).settings
    differing = {key: value for key, value in game.settings.items() if key not in free and value != usual.get(key)}
    if len(set(stacks := differing.get("stacks", ()))) == 1:
        del differing["stacks"]
        differing = {"stack": stacks[0]} | differing
    words = (f"{key}={json.dumps(value, separators=(',', ':'))}" for key, value in differing.items())
    return "".join(f" --set {shlex.quote(word)}" for word in words)


def parse_settings(pairs: Iterable[str]) -> Settings:
    """Parse `stack=100` or `rules=classic`: the value is JSON if it parses, otherwise a string."""
    from tahur.core.errors import SettingError

    settings = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not (name and equals):
            raise SettingError(f"--set {pair}: write it as NAME=VALUE, such as --set blinds=[5,10]")
        try:
            settings[name] = json.loads(value)
        except ValueError:
            settings[name] = value
    return settings


def _in_chips(name: str, settings: dict[str, Any]) -> dict[str, Any]:
    """A poker game's settings with amounts such as 97.5bb converted to chips; other games' settings unchanged.

    The big blind is that of the other settings; for a spot, that of its file, or the smallest that makes all amounts
    whole numbers.
    """
    from tahur.core.chips import parse_amount, scale_of

    big_blind_of_file = int(settings.pop(BLINDS, 0))
    if name not in (*POKER, SPOT):
        return settings
    texts = {
        key: _split_list(value) for key, value in settings.items() if key in AMOUNTS and not isinstance(value, float)
    }
    amounts = {
        key: [parse_amount(f"{name}: {key}", amount) for amount in (value if isinstance(value, list) else [value])]
        for key, value in texts.items()
    }
    all_amounts = [amount for values in amounts.values() for amount in values]
    if not any(amount.in_blinds for amount in all_amounts):
        big_blind = 1
    elif name != SPOT:
        big_blind = _big_blind(name, {key: value for key, value in settings.items() if key not in texts})
    else:
        big_blind = big_blind_of_file or scale_of(all_amounts)
    chips = {key: [amount.chips(big_blind) for amount in values] for key, values in amounts.items()}
    return settings | {key: values if isinstance(texts[key], list) else values[0] for key, values in chips.items()}


def _split_list(value: Any) -> Any:
    """The parts of a list such as `[100bb,50bb]`, which is not JSON; any other value unchanged."""
    inside = value.strip()[1:-1] if isinstance(value, str) and value.strip().startswith("[") else None
    return value if inside is None else inside.split(",")


def _big_blind(name: str, settings: Settings) -> int:
    from tahur.games.registry import make

    return int(make(name, settings).start().stakes.blinds[1])
