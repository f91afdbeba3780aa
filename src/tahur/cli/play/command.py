"""`tahur play`: play at a table in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.commands import with_option_groups
from tahur.cli.llm.options import PersonaOptions, fallbacks_of, in_mode, llm_options, say_models
from tahur.cli.output import console, warm
from tahur.cli.settings import POKER, SPOT, TableOptions, game_and_settings, settings_of

if TYPE_CHECKING:
    from tahur.cli.play.screen import Screen
    from tahur.cli.play.session import Session
    from tahur.core.game import Game, Settings
    from tahur.players.bounded.settings import LlmOptions
    from tahur.players.guarded import GuardedPlayer

GAUNTLET = "perudo"  # the game of --gauntlet


@with_option_groups
def play(
    game: Annotated[
        str | None, typer.Argument(help="nlhe, limit, fhp, perudo, ..., or spot:FILE; a menu by default.")
    ] = None,
    seats: Annotated[
        int | None,
        typer.Option(help="Number of players, including you.", min=2, max=9),
    ] = None,
    vs: Annotated[
        str | None,
        typer.Option(help="Opponents by name: duelist,barber. With --seats, the last one fills the remaining seats."),
    ] = None,
    *,
    table: TableOptions,
    seed: Annotated[
        int | None, typer.Option(help="Seed of the cards; by default secure random numbers.", min=0)
    ] = None,
    hands: Annotated[int | None, typer.Option(help="Stop after this many hands or rounds.", min=1)] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the last session of this game.")] = False,
    personas: PersonaOptions,
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help="Perudo: play one mind after another with the dice you have left.")
    ] = False,
) -> None:
    """Play in the terminal: cards or dice, your choices with keys, `?` for help, `q` to quit.

    tahur play nlhe --seats 6      tahur play perudo --vs shark,turtle,chaos      tahur play perudo --gauntlet
    tahur play nlhe --vs duelist,barber      personas; with --llm local or --llm URL a model chooses for them
    tahur play spot:FILE --vs strategy:FILE      a spot that `tahur postflop solve -o FILE` solved
    """
    from tahur.cli.play.loop import play_session

    name, of_file = game_and_settings(game or (GAUNTLET if gauntlet else _ask_game()))
    if gauntlet:
        _climb(name, table.rules, seed, hands, alone=seats is None and vs is None)
        return
    screen = screen_of(name)
    wanted = in_mode(names_of(vs or screen.opponents), personas.mode, name)
    llm = llm_options(personas, wanted)
    wanted = with_models(wanted) if llm is not None and screen.takes_models else wanted
    seats = len(wanted) + 1 if seats is None and (vs or screen.is_full) else seats
    _check_seats(name, seats, len(wanted) if vs else 1)
    settings = settings_of(name, seats, table, of_file)
    session = _resume_session(name) if resume else _new_session(name, settings, wanted, seed, llm)
    out = console()
    if session.records:
        played = len(session.records)
        out.print(f"[dim]Resuming after {played} hand{'s' * (played != 1)}.[/]")
    play_session(out, session, seat_players(session, llm), screen, hands)
    say_models(llm, fallbacks_of(llm), as_json=False)


def _check_seats(name: str, seats: int | None, opponents: int) -> None:
    """Raise an error if more opponents are named than there are seats."""
    from inspect import signature

    from tahur.core.errors import SettingError
    from tahur.games.registry import GAMES, make

    several = name in GAMES and "seats" in signature(GAMES[name].make).parameters
    most = seats if several or name not in GAMES or name == SPOT else make(name).seats
    if most is not None and opponents >= most:
        raise SettingError(
            f"{opponents} opponents named for a table of {most} seats; you have one, so name at most {most - 1}"
        )


def seat_players(session: Session, llm: LlmOptions | None = None) -> list[GuardedPlayer | None]:
    """The players of a session, None for the user; players that learn get the hands played so far."""
    from tahur.cli.play.loop import failures_logged
    from tahur.cli.players import make_player
    from tahur.games.registry import game_of
    from tahur.players.guarded import GuardedPlayer

    header = session.header
    kinds = [header.kind_of(seat) for seat in range(len(header.names))]
    if header.game == SPOT or (header.game in POKER and any(map(_needs_kernels, kinds))):
        warm()
    bots = {seat: make_player(kind, llm=llm) for seat, kind in enumerate(kinds) if seat != header.you}
    players = {seat: GuardedPlayer(player, header.names[seat]) for seat, player in bots.items()}
    learners = [seat for seat, player in bots.items() if getattr(player, "learns", True)]
    with failures_logged(session.log):
        for record in session.records if learners else ():
            for seat in learners:
                players[seat].learn(record.seen_by(game_of(record), seat))
    return [players.get(seat) for seat in range(len(kinds))]


def _climb(name: str, rules: str | None, seed: int | None, hands: int | None, *, alone: bool) -> None:
    from tahur.cli.play.gauntlet import climb

    if name != GAUNTLET or not alone:
        raise typer.BadParameter("--gauntlet is for perudo, one opponent at a time: tahur play perudo --gauntlet")
    climb(console(), rules, seed, hands)


def _ask_game() -> str:
    """Ask which game to play."""
    from rich.markup import escape

    out = console()
    choices = {
        "1": ("nlhe", "no-limit hold'em, six seats"),
        "2": ("perudo", "dice, bids and bluffs"),
        "3": ("fhp", "Flop Hold'em, heads-up limit"),
        "4": ("leduc", "six cards, two betting rounds: quick to learn"),
    }
    out.print("[bold]Choose a game:[/]")
    for key, (name, what) in choices.items():
        out.print(f"  [bold]{key}[/] {name:<8} [dim]{what}[/]")
    while sys.stdin and sys.stdin.isatty():
        line = out.input("1-4, or q > ").strip().lower()
        if line in ("q", "quit"):
            raise typer.Exit
        for key, (name, _) in choices.items():
            if line in (key, name):
                return name
        out.print(f"[red]'{escape(line)}' is not a choice[/]; type 1, 2, 3 or 4")
    raise typer.BadParameter("which game? such as: tahur play nlhe")


def _new_session(
    name: str, settings: Settings, wanted: Sequence[str], seed: int | None, llm: LlmOptions | None
) -> Session:
    from tahur.cli.play.session import Header, Session, sessions_folder
    from tahur.games.registry import make

    game = make(name, settings)
    kinds = seat_kinds(wanted, game, llm)
    header = Header(game=name, settings=game.settings, names=seat_names(kinds), you=0, seed=seed, kinds=kinds)
    return Session.begin(sessions_folder(), header)


def _resume_session(name: str) -> Session:
    from tahur.cli.play.session import Session, latest, sessions_folder
    from tahur.core.errors import UnknownName

    path = latest(sessions_folder(), name)
    if path is None:
        raise UnknownName(f"no session of {name} to resume; start one with: tahur play {name}")
    return Session.load(path)


def names_of(vs: str) -> list[str]:
    """Parse `shark,turtle` into names."""
    return [name.strip() for name in vs.split(",") if name.strip()] or ["random"]


def with_models(wanted: Sequence[str]) -> list[str]:
    """The same players with a model choosing for every persona: `llm:duelist` for `persona:duelist`."""
    return [_with_model(name) for name in wanted]


def _with_model(name: str) -> str:
    from tahur.players.bounded.modes import name_and_mode
    from tahur.players.bounded.personas import SUFFIX, is_persona

    called = name.removeprefix("persona:")
    bare, _ = name_and_mode(called)
    of_file = name != called and bare.lower().endswith(SUFFIX)
    return f"llm:{called}" if is_persona(bare) or of_file else name


def _needs_kernels(kind: str) -> bool:
    """Whether a hold'em player computes equities."""
    from tahur.players.bounded.personas import is_persona, split_mode

    return kind.startswith(("odds", "persona:", "llm:")) or is_persona(split_mode(kind)[0])


def seat_kinds(wanted: Sequence[str], game: Game[Any], llm: LlmOptions | None = None) -> tuple[str, ...]:
    """The players by seat, the user first; the last one named fills the remaining seats. Each is checked."""
    from tahur.cli.perudo.values import solve_missing_rounds
    from tahur.cli.players import make_player

    for name in wanted:
        make_player(name, game, llm=llm)
    solve_missing_rounds(game, wanted)
    return ("You", *(*wanted, *[wanted[-1]] * game.seats)[: game.seats - 1])


def seat_names(kinds: Sequence[str]) -> tuple[str, ...]:
    """Display names: without the kind of player, and numbered if repeated."""
    called = [_short_name(kind) for kind in kinds]
    return tuple(
        f"{name} {called[:at].count(name) + 1}" if called.count(name) > 1 else name for at, name in enumerate(called)
    )


def _short_name(kind: str) -> str:
    """A player's name without kind, chooser, folder and game mode."""
    from tahur.players.bounded.personas import SUFFIX, split_mode

    name = kind.removeprefix("persona:").removeprefix("llm:").partition("@")[0].rpartition("/")[2]
    return (split_mode(name)[0] or name).removesuffix(SUFFIX)


def screen_of(game: str) -> Screen:
    """The screen of a game."""
    from tahur.cli.play.holdem import HoldemScreen, SpotScreen
    from tahur.cli.play.perudo import PerudoScreen
    from tahur.cli.play.screen import Screen

    screens = {**dict.fromkeys(POKER, HoldemScreen), SPOT: SpotScreen, GAUNTLET: PerudoScreen}
    return screens.get(game, Screen)()
