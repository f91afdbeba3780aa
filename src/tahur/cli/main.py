"""The `tahur` command: runs the subcommand, and turns errors into one line and an exit code.

Heavy libraries are imported inside the commands, so that `tahur` and `tahur --help` are fast.
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
  tahur equity AsAh KdKc         exact equities               (tahur --help lists everything)"""

COMMANDS = (
    LazyCommand("play", "play.command:play", "Play against bots in the terminal."),
    LazyCommand("serve", "room.serve:serve", "Start the card room: play in the browser, with people and bots."),
    LazyCommand("match", "arena.match:match", "Compare players, with confidence intervals."),
    LazyCommand("tournament", "arena.tournament:tournament", "Play a round robin: crosstable, places, ratings."),
    LazyCommand("plan", "arena.plan:plan", "Estimate how many hands it takes to tell two players apart."),
    LazyCommand("solve", "solve.command:solve", "Solve a game by CFR and measure its exploitability."),
    LazyCommand("train", "solve.train:train", "Train neural networks by Single Deep CFR."),
    LazyCommand("show", "solve.show:show", "Show a solved strategy: what to do with each hand."),
    LazyCommand("eval", "limit.evaluate:evaluate", "Measure a policy for Flop Hold'em exactly."),
    LazyCommand(
        "eval-lhe",
        "limit.eval_lhe:eval_lhe",
        "Lower bounds on the exploitability of a limit hold'em policy, and matches.",
    ),
    LazyCommand("games", "tools.games:games", "List the games and their settings."),
    LazyCommand("equity", "cards.command:equity", "Compute how often each hand or range wins."),
    LazyCommand("range", "cards.command:range_", "Show a range as a matrix, as canonical text, and hand by hand."),
    LazyCommand("hand", "cards.command:hand", "Name a hand and rank it."),
    LazyCommand(
        "fourteen", "cards.fourteen:fourteen", "List which of the fourteen abstract actions are legal in a spot."
    ),
    LazyCommand(
        "options", "personas.options:options", "Show the menu of options that a persona chooses from, layer by layer."
    ),
    LazyCommand("persona", "personas.command:persona", "List, show and test the hold'em personas."),
    LazyCommand("llm", "llm.command:llm", "Install and serve a local language model; summarize logs."),
    LazyCommand(
        "profile", "arena.profile:profile", "Measure a player's habits: VPIP, 3-bet, bluffs, dudos, with intervals."
    ),
    LazyCommand("room", "room.command:room", "Verify, back up and restore the card room's logs; check fair deals."),
    LazyCommand("hand-history", "hands.history:hand_history", "Show, replay and export hand histories."),
    LazyCommand("perudo", "perudo.command:perudo", "Perudo: odds of bids, advice, solved rounds, what minds remember."),
    LazyCommand("postflop", "postflop.command:postflop", "Solve and study hold'em from the flop, turn or river on."),
    LazyCommand("drill", "postflop.drill:drill", "Practise hands of a solved spot, graded by the EV lost."),
    LazyCommand("street", "street.command:street", "Solve one street of betting over nine buckets of hands."),
    LazyCommand("tour", "cards.tour:tour", "A tour of hands, ranges and equities, with a guessing game."),
    LazyCommand("docs", "tools.docs:docs", "Open the documentation in the browser."),
    LazyCommand("doctor", "tools.doctor:doctor", "Check this installation."),
)

app = typer.Typer(
    cls=group_of(COMMANDS),
    help="A workbench for bluffing games: play them, solve them, train and compare players.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # Rich's help takes a third of the time to answer
    no_args_is_help=False,
    context_settings=HELP_OPTIONS,
)

# Some versions of Typer vendor click: get the error class through what Typer exports.
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
    """Run the command line; errors in the input are reported without a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace" if stream is sys.stderr else "replace")
    sys.path.append(os.getcwd())  # for the user's own players, such as mine:Bot; last, so that it shadows nothing
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
