"""A game's settings as the command line has them: seats, stacks, Perudo's rules, and any other by its name."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from tahur.core.game import Game, Settings

POKER = ("nlhe", "limit", "hulh", "acpc", "fhp", "fhp-3-4")
SPOT = "spot"

Stack = Annotated[str | None, typer.Option(help="Chips for each seat: 100bb or 200.")]
Rules = Annotated[str | None, typer.Option(help="Perudo's rules: faroleo, asmodee or classic.")]
Set = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Any other setting of the game: blinds=[5,10].")
]


def settings_of(name: str, seats: int | None, stack: str | None, rules: str | None) -> dict[str, Any]:
    """What was asked for, as the game takes it."""
    from tahur.core.errors import SettingError
    from tahur.games.registry import make

    settings: dict[str, Any] = {}
    if seats is not None and seats != make(name).seats:  # games of fixed size have no such setting
        settings["seats"] = seats
    if rules is not None:
        settings["rules"] = rules
    if stack is not None:
        if name not in (*POKER, SPOT):
            raise SettingError(f"--stack is for poker; {name} has no chips to bring")
        settings["stack"] = _chips(name, stack)
    return settings


def game_for(name: str, seats: int, *, stack: str | None, rules: str | None, more: Iterable[str] | None) -> Game[Any]:
    """The game for so many players; `spot:FILE` is the spot of a solved file."""
    from inspect import signature

    from tahur.core.errors import SettingError
    from tahur.games.registry import GAMES, make

    name, of_file = game_and_settings(name)
    fixed = "seats" not in signature(GAMES[name].make).parameters if name in GAMES else False
    if fixed and seats != make(name).seats:
        raise SettingError(f"{name}: {seats} players for {make(name).seats} seats")
    game = make(name, of_file | settings_of(name, seats, stack, rules) | dict(named(more or ())))
    if game.seats != seats:
        raise SettingError(f"{name}: {seats} players for {game.seats} seats")
    return game


def game_and_settings(name: str) -> tuple[str, dict[str, Any]]:
    """A game's name and what the name says besides: after `spot:` stands a file of `tahur postflop solve`."""
    game, colon, file = name.partition(":")
    if game != SPOT or not colon:
        return name, {}
    from pathlib import Path

    from tahur.core.errors import SettingError
    from tahur.solvers.postflop.file import load_spot
    from tahur.solvers.postflop.playing import settings_of_spot

    if not file:
        raise SettingError("spot: which file? Such as spot:river.tahur, which 'tahur postflop solve -o' writes")
    return SPOT, settings_of_spot(load_spot(Path(file)))


def named(pairs: Iterable[str]) -> Settings:
    """`stack=100` or `rules=classic`: JSON where it is JSON, else a word."""
    from tahur.core.errors import SettingError

    settings = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not (name and equals):
            raise SettingError(f"--set {pair}; write it as NAME=VALUE, such as --set blinds=[5,10]")
        try:
            settings[name] = json.loads(value)
        except ValueError:
            settings[name] = value
    return settings


def _chips(name: str, stack: str) -> int:
    from tahur.core.errors import SettingError
    from tahur.games.registry import make

    number = stack.lower().removesuffix("bb")
    if not number.replace(".", "", 1).isdecimal():
        raise SettingError(f"--stack {stack}; write chips such as 200, or big blinds such as 100bb")
    big_blind = make(name).start().stakes.blinds[1] if stack.lower().endswith("bb") else 1
    return int(float(number) * big_blind)
