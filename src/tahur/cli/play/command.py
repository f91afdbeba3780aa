"""`tahur play`: sit down at a table in the terminal."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.output import console, warm
from tahur.cli.settings import POKER, SPOT, Rules, Stack, game_and_settings, settings_of

if TYPE_CHECKING:
    from tahur.cli.play.screen import Screen
    from tahur.cli.play.session import Session
    from tahur.core.game import Game, Settings


def play(
    game: Annotated[
        str | None, typer.Argument(help="nlhe, limit, fhp, perudo, ..., or spot:FILE; asked for if left out.")
    ] = None,
    seats: Annotated[int | None, typer.Option(help="How many sit at the table, you included.", min=2, max=9)] = None,
    vs: Annotated[
        str, typer.Option(help="Who the others are, by name; the last one fills the seats left.")
    ] = "caller,random",
    stack: Stack = None,
    rules: Rules = None,
    seed: Annotated[
        int | None, typer.Option(help="Deal the same hands again; else from secure randomness.", min=0)
    ] = None,
    hands: Annotated[int | None, typer.Option(help="Stop after so many hands or rounds.", min=1)] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the last session of this game.")] = False,
) -> None:
    """Play in the terminal: cards or dice, your choices with keys, `?` for help, `q` to leave.

    tahur play nlhe --seats 6      tahur play perudo --vs random      tahur play nlhe --resume
    tahur play spot:FILE --vs strategy:FILE      a spot that `tahur postflop solve -o FILE` solved
    """
    from tahur.cli.play.loop import play_session
    from tahur.cli.players import make_player

    name, of_file = game_and_settings(game or _ask_game())
    session = _resumed(name) if resume else _begun(name, of_file | settings_of(name, seats, stack, rules), vs, seed)
    out = console()
    if session.records:
        out.print(f"[dim]Going on after {len(session.records)} hands.[/]")
    names = session.header.names
    kinds = [re.sub(r" \d+$", "", who) for who in names]  # two of a kind are numbered
    if name == SPOT or any(kind.startswith("odds") for kind in kinds):
        from tahur.cards.warm import warm_up

        warm(warm_up)
    players = [None if seat == session.header.you else make_player(kind) for seat, kind in enumerate(kinds)]
    play_session(out, session, players, _screen(name), hands)


def _ask_game() -> str:
    """The short choice that `make play` starts with."""
    from rich.markup import escape

    out = console()
    choices = {
        "1": ("nlhe", "no-limit hold'em, six seats"),
        "2": ("perudo", "dice, bids and bluffs"),
        "3": ("fhp", "Flop Hold'em, heads-up limit"),
        "4": ("leduc", "six cards, two rounds: quick to learn"),
    }
    out.print("[bold]What shall we play?[/]")
    for key, (name, what) in choices.items():
        out.print(f"  [bold]{key}[/] {name:<8} [dim]{what}[/]")
    while sys.stdin and sys.stdin.isatty():
        line = out.input("1-4, or q > ").strip().lower()
        if line in ("q", "quit"):
            raise typer.Exit
        for key, (name, _) in choices.items():
            if line in (key, name):
                return name
        out.print(f"[red]'{escape(line)}' is no choice[/]; type 1, 2, 3 or 4")
    raise typer.BadParameter("which game? such as: tahur play nlhe")


def _begun(name: str, settings: Settings, vs: str, seed: int | None) -> Session:
    from tahur.cli.play.session import Header, Session, sessions_folder
    from tahur.games.registry import make

    game = make(name, settings)
    header = Header(name, game.settings, seat_names(vs, game), 0, seed)
    return Session.begin(sessions_folder(), header)


def _resumed(name: str) -> Session:
    from tahur.cli.play.session import Session, latest, sessions_folder
    from tahur.core.errors import UnknownName

    path = latest(sessions_folder(), name)
    if path is None:
        raise UnknownName(f"no session of {name} to resume; start one with: tahur play {name}")
    return Session.load(path)


def seat_names(vs: str, game: Game[Any]) -> tuple[str, ...]:
    """You, then the others in order; the last one named fills the rest. Each is checked, and numbered if repeated."""
    from tahur.cli.players import make_player

    wanted = [name.strip() for name in vs.split(",") if name.strip()] or ["random"]
    for name in wanted:
        make_player(name, game)
    filled = (wanted + [wanted[-1]] * game.seats)[: game.seats - 1]
    return (
        "You",
        *(
            f"{name} {filled[:at].count(name) + 1}" if filled.count(name) > 1 else name
            for at, name in enumerate(filled)
        ),
    )


def _screen(name: str) -> Screen:
    if name in POKER:
        from tahur.cli.play.holdem import HoldemScreen

        return HoldemScreen()
    if name == SPOT:
        from tahur.cli.play.spot import SpotScreen

        return SpotScreen()
    if name == "perudo":
        from tahur.cli.play.perudo import PerudoScreen

        return PerudoScreen()
    from tahur.cli.play.screen import PlainScreen

    return PlainScreen()
