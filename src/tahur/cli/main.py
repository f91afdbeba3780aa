"""The `tahur` command: finds the command that was asked for, and turns errors into one line and an exit code.

Heavy libraries are imported inside the commands, so that `tahur` and `tahur --help` answer at once.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import Any

import typer

from tahur import __version__
from tahur.cli import cards, doctor, fourteen, games, tour
from tahur.cli.arena.match import match
from tahur.cli.arena.plan import plan
from tahur.cli.arena.tournament import tournament
from tahur.cli.drill import drill
from tahur.cli.eval_lhe import eval_lhe
from tahur.cli.evaluate import evaluate
from tahur.cli.hand_history import hand_history
from tahur.cli.output import fail
from tahur.cli.perudo import perudo
from tahur.cli.play.command import play
from tahur.cli.postflop import postflop
from tahur.cli.profile import profile
from tahur.cli.room import room
from tahur.cli.serve import serve
from tahur.cli.show import show
from tahur.cli.solve import solve
from tahur.cli.street import street
from tahur.cli.train import train
from tahur.core.errors import TahurError

WELCOME = """\
tahur: solve, play and study bluffing games. Start with one of these:
  tahur play                     hold'em, Perudo and smaller games, here in the terminal
  tahur equity AsAh KdKc         who is ahead, exactly        (tahur --help lists everything)"""

app = typer.Typer(
    help="A workbench for bluffing games: games to play and to solve, equities, ranges, hands and minds.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # Rich's help takes a third of the time to answer
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("play", short_help="Play in the terminal, against others.")(play)
app.command("serve", short_help="The card room in the browser, with people and minds.")(serve)
app.command("match", short_help="Players against players: who wins how much, and how surely.")(match)
app.command("tournament", short_help="Everybody against everybody: crosstable, places, ratings.")(tournament)
app.command("plan", short_help="How many hands tell two players apart.")(plan)
app.command("solve", short_help="Find a strategy that can hardly be beaten, and say by how much it can.")(solve)
app.command("train", short_help="Nets that learn to play; kept in a folder, ready to sit at a table.")(train)
app.command("show", short_help="A solved strategy as a table: what to do with each hand.")(show)
app.command("eval", short_help="A policy for Flop Hold'em, measured exactly: what beats it, what it beats.")(evaluate)
app.command("eval-lhe", short_help="A policy for limit hold'em: lower bounds on what it loses, and matches.")(eval_lhe)
app.command("games", short_help="List the games and their settings.")(games.games)
app.command("equity", short_help="How often each hand or range wins.")(cards.equity)
app.command("range", short_help="A range as a picture, in canonical text, hand by hand.")(cards.range_)
app.command("hand", short_help="What a hand is called and how strong it is.")(cards.hand)
app.command("fourteen", short_help="The fourteen actions in a spot, and why not the others.")(fourteen.fourteen)
app.command("profile", short_help="What a player tends to do: VPIP, 3-bet, bluffs, dudos, with intervals.")(profile)
app.add_typer(room, name="room", short_help="The card room's logs: verify them, and that hands were dealt as promised.")
app.add_typer(hand_history, name="hand-history", short_help="Show, replay and export hand histories.")
app.add_typer(perudo, name="perudo", short_help="Perudo: the odds of bids, advice, what minds remember.")
app.add_typer(postflop, name="postflop", short_help="Hold'em after the flop, solved card by card.")
app.command("drill", short_help="Hands of a solved spot to practise on, graded by the EV lost.")(drill)
app.add_typer(street, name="street", short_help="One street over nine buckets of hands, solved.")
app.command("tour", short_help="Hands, ranges and equities, and a guessing game.")(tour.tour)
app.command("doctor", short_help="Check this installation.")(doctor.doctor)

# Typer carries its own copy of click in some versions: reach the error classes through what it exports.
_UsageError: Any = typer.BadParameter.__bases__[0]


@app.callback(invoke_without_command=True)
def _welcome(
    context: typer.Context, version: bool = typer.Option(False, "--version", help="Print the version.")
) -> None:
    if version:
        typer.echo(f"tahur {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(WELCOME)


def main() -> None:
    """Run the command line; never show a traceback for what is the input's fault."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace" if stream is sys.stderr else "replace")
    try:
        _run("--json" in sys.argv)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None


def _run(as_json: bool) -> None:
    try:
        code = app(standalone_mode=False)
    except TahurError as error:
        fail(str(error), as_json=as_json)
    except _UsageError as error:
        hint = f"; see: {context.command_path} --help" if (context := getattr(error, "ctx", None)) else ""
        fail(f"{error.format_message().rstrip('.')}{hint}", as_json=as_json)
    except (KeyboardInterrupt, typer.Abort):
        sys.stderr.write("\nstopped\n")
        raise SystemExit(130) from None
    raise SystemExit(code if isinstance(code, int) else 0)
