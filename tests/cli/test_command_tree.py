"""The tree of commands: few entries, imported when they are used, and every older name still leads to its command."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
import typer
from invoked import run_of
from typer.main import get_command

from command import fresh, tahur
from tahur.cli.commands import LazyCommand, with_option_groups
from tahur.cli.main import ALIASES, COMMANDS, SECTIONS, app

MOST = 14
NO_COMMANDS = """
import sys
from tahur.cli.main import COMMANDS, main
sys.argv = ["tahur", "--help"]
try:
    main()
except SystemExit:
    pass
modules = {"tahur.cli." + entry.where.partition(":")[0] for entry in COMMANDS if isinstance(entry.where, str)}
sys.exit(", ".join(sorted(modules & set(sys.modules))))
"""


def leaves(entry: LazyCommand, *above: str) -> list[tuple[str, ...]]:
    """The words of the command, or of each command of a group that the tree lists."""
    if isinstance(entry.where, str):
        return [(*above, entry.name)]
    return [words for child in entry.where for words in leaves(child, *above, entry.name)]


@pytest.mark.parametrize("words", [words for entry in COMMANDS for words in leaves(entry)], ids=" ".join)
def test_every_command_of_the_tree_is_there_and_has_help(words: tuple[str, ...]) -> None:
    assert f"{' '.join(words)} [OPTIONS]" in run_of(app, *words, "--help")


FORMER_NAMES = {  # a former or short name, and an option or a command that it had
    "equity": "--dead", "range": "--svg", "hand": "7,462", "fourteen": "--pot-base", "tour": "--rounds",
    "preflop": "push-fold", "review": "--worst",
    "serve": "--trusted-proxy", "options": "certify", "hand-history": "export", "drill": "--json-log",
    "street": "truth",
    "match": "--until", "tournament": "--one-table", "plan": "--pilot", "profile": "--records",
    "eval-lhe": "--eval-deals",
    "games": "name", "docs": "--no-open", "doctor": "Check",
}  # fmt: skip


def test_every_former_name_is_an_alias() -> None:
    assert set(ALIASES) == set(FORMER_NAMES)


@pytest.mark.parametrize("alias", FORMER_NAMES)
def test_every_former_name_runs_its_command_under_the_new_name(alias: str) -> None:
    shown = run_of(app, alias, "--help")
    assert FORMER_NAMES[alias] in shown
    assert f"{ALIASES[alias]} ".partition(" lhe ")[0] in shown
    if not ALIASES[alias].startswith(alias):
        assert not re.search(rf"\btahur {alias}(?![\w-])", shown), "the help names the new form"


def test_the_help_has_at_most_fourteen_commands_in_five_sections() -> None:
    shown = fresh("--help").stdout
    listed = re.findall(r"^  ([a-z][a-z-]*)  +\S", shown, re.MULTILINE)
    assert listed == [entry.name for entry in COMMANDS]
    assert len(listed) <= MOST
    assert re.findall(r"^(\S.*):$", shown, re.MULTILINE) == ["Options", *SECTIONS]


def test_no_older_name_hides_a_command() -> None:
    assert not set(ALIASES) & {entry.name for entry in COMMANDS}


def test_asking_for_help_imports_no_command() -> None:
    run = subprocess.run([sys.executable, "-c", NO_COMMANDS], capture_output=True, text=True, check=False)
    assert run.stderr.strip() == ""
    assert "arena" in run.stdout


@pytest.mark.parametrize(
    ("typed", "nearest"),
    [
        (("ekwity",), "tahur cards equity"),
        (("posflop",), "tahur postflop"),
        (("tournamnt",), "tahur arena tournament"),
        (("cards", "equty"), "tahur cards equity"),
        (("postflop", "explroe"), "explore"),
    ],
)
def test_an_unknown_command_is_answered_with_the_nearest_one(typed: tuple[str, ...], nearest: str) -> None:
    run = tahur(*typed)
    assert run.returncode == 2
    assert nearest in run.stderr
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize("group", ["cards", "postflop", "room"])
def test_a_group_alone_shows_its_help_and_fails(group: str) -> None:
    run = tahur(group)
    assert (run.returncode, run.stdout) == (2, "")
    assert f"tahur {group} [OPTIONS]" in run.stderr
    assert "Commands:" in run.stderr


# ---- groups of options -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TwoOptions:
    size: Annotated[int, typer.Option(help="A size.")] = 3
    names: Annotated[list[str] | None, typer.Option("--name", help="Names.")] = None


def test_the_fields_of_an_option_group_are_options_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    def command(word: str, chosen: TwoOptions, loud: bool = False) -> None:
        print(word, chosen, loud)

    grouped: Any = typer.Typer(add_completion=False, rich_markup_mode=None)
    grouped.command()(with_option_groups(command))
    get_command(grouped)(["x", "--size", "4", "--name", "a", "--name", "b", "--loud"], standalone_mode=False)
    assert capsys.readouterr().out == f"x {TwoOptions(4, ['a', 'b'])} True\n"
    get_command(grouped)(["y"], standalone_mode=False)
    assert capsys.readouterr().out == f"y {TwoOptions()} False\n"


@pytest.mark.parametrize("words", [("room", "fair"), ("room", "serve"), ("solve",), ("arena", "match")])
def test_each_example_of_a_help_text_has_its_own_line(words: tuple[str, ...]) -> None:
    lines = tahur(*words, "--help").stdout.splitlines()
    examples = [line for line in lines if line.startswith(f"  tahur {' '.join(words)} ")]
    assert len(examples) >= 2
    assert all(line.count("tahur ") == 1 for line in examples)
    assert not any("\b" in line for line in lines)
