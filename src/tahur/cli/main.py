"""The `tahur` command: runs the subcommand, and turns errors into one line and an exit code.

Heavy libraries are imported inside the commands, so that `tahur` and `tahur --help` are fast.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from io import TextIOWrapper
from typing import Any, Final

import typer

from tahur import __version__
from tahur.cli.commands import HELP_OPTIONS, LazyCommand, group_of
from tahur.cli.output import fail
from tahur.core.errors import TahurError

WELCOME = """\
tahur: solve, play and study bluffing games. Start with one of these:
  tahur play                           hold'em, Perudo and smaller games, here in the terminal
  tahur cards equity AsAh KdKc         exact equities         (tahur --help lists everything)"""

SECTIONS: Final = {
    "Play": (
        LazyCommand("play", "play.command:play", "Play against bots in the terminal."),
        LazyCommand("room", "room.command:room", "The card room in the browser: start it, check and back up its logs."),
        LazyCommand("persona", "personas.command:persona", "Hold'em personas: list, show and test them; their menus."),
    ),
    "Study": (
        LazyCommand(
            "cards",
            (
                LazyCommand("equity", "cards.command:equity", "Compute how often each hand or range wins."),
                LazyCommand("range", "cards.command:range_", "Show a range as a matrix, as text, and hand by hand."),
                LazyCommand("hand", "cards.command:hand", "Name a hand and rank it."),
                LazyCommand(
                    "fourteen", "cards.command:fourteen", "List which of fourteen actions are legal in a spot."
                ),
                LazyCommand("preflop", "nolimit.preflop:preflop", "Preflop charts, and push or fold exactly."),
                LazyCommand("tour", "cards.tour:tour", "A tour of hands, ranges and equities, with a guessing game."),
            ),
            "Equities, ranges, preflop charts, hands and bet sizes; a tour.",
        ),
        LazyCommand("hands", "hands.history:hand_history", "Hand histories: review decisions, show, replay, export."),
        LazyCommand("postflop", "postflop.command:postflop", "Solve, browse and practise hold'em from the flop on."),
        LazyCommand("perudo", "perudo.command:perudo", "Perudo: odds of bids, advice, solved rounds, minds' memory."),
    ),
    "Solve and train": (
        LazyCommand("solve", "solve.command:solve", "Solve a game by CFR and measure its exploitability."),
        LazyCommand("train", "solve.train:train", "Train neural networks by Single Deep CFR."),
        LazyCommand("show", "solve.show:show", "Show a solved strategy: what to do with each hand."),
    ),
    "Measure": (
        LazyCommand(
            "arena",
            (
                LazyCommand("match", "arena.match:match", "Compare players, with confidence intervals."),
                LazyCommand("tournament", "arena.tournament:tournament", "Play a round robin: crosstable and ratings."),
                LazyCommand("plan", "arena.match:plan", "Estimate how many hands tell two players apart."),
                LazyCommand("profile", "arena.profile:profile", "Measure a player's habits, with intervals."),
            ),
            "Compare players: matches, tournaments, plans, habits.",
        ),
        LazyCommand("eval", "limit.evaluate:evaluate", "Measure what a hold'em policy can lose."),
    ),
    "Tools": (
        LazyCommand("llm", "llm.command:llm", "Install and serve a local language model; summarize logs."),
        LazyCommand(
            "info",
            (
                LazyCommand("games", "info:games", "List the games and their settings."),
                LazyCommand("docs", "info:docs", "Open the documentation in the browser."),
                LazyCommand("doctor", "info:doctor", "Check this installation."),
                LazyCommand("compile", "info:compile_kernels", "Compile the kernels now, instead of when needed."),
            ),
            "The games, the documentation, the state of this installation.",
        ),
    ),
}
COMMANDS: Final = tuple(command for section in SECTIONS.values() for command in section)

# Short and older names: each stands for the words of a command, and is not listed by --help.
ALIASES: Final = {
    "equity": "cards equity",
    "range": "cards range",
    "hand": "cards hand",
    "fourteen": "cards fourteen",
    "preflop": "cards preflop",
    "tour": "cards tour",
    "serve": "room serve",
    "options": "persona options",
    "hand-history": "hands",
    "review": "hands review",
    "drill": "postflop drill",
    "street": "postflop street",
    "match": "arena match",
    "tournament": "arena tournament",
    "plan": "arena plan",
    "profile": "arena profile",
    "eval-lhe": "eval lhe",
    "games": "info games",
    "docs": "info docs",
    "doctor": "info doctor",
}

app = typer.Typer(
    cls=group_of(SECTIONS, ALIASES),
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
    atexit.register(gc.freeze)  # looking for garbage in what is about to end would be an eighth of a short command
    sys.path.append(os.getcwd())  # for the user's own players, such as mine:Bot; last, so that it shadows nothing
    try:
        _run("--json" in sys.argv)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None


def _run(as_json: bool) -> None:
    """Run the command line; a user's mistake is printed in one line and exits with code 2."""
    try:
        code = app(standalone_mode=False)
    except TahurError as error:
        fail(str(error), as_json=as_json)
    except _UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # a group without a command
            sys.stderr.write(error.format_message() + "\n")
            raise SystemExit(2) from None
        hint = f"; see: {context.command_path} --help" if (context := getattr(error, "ctx", None)) else ""
        fail(f"{error.format_message().rstrip('.')}{hint}", as_json=as_json)
    except (KeyboardInterrupt, typer.Abort):
        sys.stderr.write("\nstopped\n")
        raise SystemExit(130) from None
    raise SystemExit(code if isinstance(code, int) else 0)
