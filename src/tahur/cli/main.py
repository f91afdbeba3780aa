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
from tahur.cli.lazily import HELP_OPTIONS, LazyCommand, group_of
from tahur.cli.output import fail
from tahur.core.errors import TahurError

WELCOME = """\
tahur: solve, play and study bluffing games. Start with one of these:
  tahur play                     hold'em, Perudo and smaller games, here in the terminal
  tahur equity AsAh KdKc         who is ahead, exactly        (tahur --help lists everything)"""

COMMANDS = (
    LazyCommand("play", "play.command:play", "Play in the terminal, against others."),
    LazyCommand("serve", "serve:serve", "The card room in the browser, with people and minds."),
    LazyCommand("match", "arena.match:match", "Players against players: who wins how much, and how surely."),
    LazyCommand(
        "tournament", "arena.tournament:tournament", "Everybody against everybody: crosstable, places, ratings."
    ),
    LazyCommand("plan", "arena.plan:plan", "How many hands tell two players apart."),
    LazyCommand("solve", "solve:solve", "Find a strategy that can hardly be beaten, and say by how much it can."),
    LazyCommand("train", "train:train", "Nets that learn to play; kept in a folder, ready to sit at a table."),
    LazyCommand("show", "show:show", "A solved strategy as a table: what to do with each hand."),
    LazyCommand(
        "eval", "evaluate:evaluate", "A policy for Flop Hold'em, measured exactly: what beats it, what it beats."
    ),
    LazyCommand(
        "eval-lhe", "eval_lhe:eval_lhe", "A policy for limit hold'em: lower bounds on what it loses, and matches."
    ),
    LazyCommand("games", "games:games", "List the games and their settings."),
    LazyCommand("equity", "cards:equity", "How often each hand or range wins."),
    LazyCommand("range", "cards:range_", "A range as a picture, in canonical text, hand by hand."),
    LazyCommand("hand", "cards:hand", "What a hand is called and how strong it is."),
    LazyCommand("fourteen", "fourteen:fourteen", "The fourteen actions in a spot, and why not the others."),
    LazyCommand("options", "options.command:options", "Menus for opponents with character, layer by layer."),
    LazyCommand("persona", "persona:persona", "Characters for hold'em: who they are and how they play."),
    LazyCommand("llm", "llm.command:llm", "Language models: one that runs here, and what was asked of any."),
    LazyCommand("profile", "profile:profile", "What a player tends to do: VPIP, 3-bet, bluffs, dudos, with intervals."),
    LazyCommand("room", "room:room", "The card room's logs: verify them, and that hands were dealt as promised."),
    LazyCommand("hand-history", "hand_history:hand_history", "Show, replay and export hand histories."),
    LazyCommand("perudo", "perudo:perudo", "Perudo: the odds of bids, advice, what minds remember."),
    LazyCommand("postflop", "postflop:postflop", "Hold'em after the flop, solved card by card."),
    LazyCommand("drill", "drill:drill", "Hands of a solved spot to practise on, graded by the EV lost."),
    LazyCommand("street", "street:street", "One street over nine buckets of hands, solved."),
    LazyCommand("tour", "tour:tour", "Hands, ranges and equities, and a guessing game."),
    LazyCommand("docs", "docs:docs", "Open the documentation in the browser."),
    LazyCommand("doctor", "doctor:doctor", "Check this installation."),
)

app = typer.Typer(
    cls=group_of(COMMANDS),
    help="A workbench for bluffing games: games to play and to solve, equities, ranges, hands and minds.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # Rich's help takes a third of the time to answer
    no_args_is_help=False,
    context_settings=HELP_OPTIONS,
)

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
    sys.path.append(os.getcwd())  # for players of one's own, such as mine:Bot; last, so that it hides nothing
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
