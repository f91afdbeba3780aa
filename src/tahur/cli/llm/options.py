"""`--llm`, `--model`, `--llm-set` and `--mode`: which model the `llm:` players use, how, and the personas' game mode.

The key is not an option: it is read from the environment where the player is made, and stored nowhere.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.output import console, note
from tahur.cli.settings import POKER, SPOT
from tahur.core.errors import RecordError, SettingError
from tahur.core.limits import MOST_TEXT, TooLarge, parse_json, read_file
from tahur.players.bounded.settings import KEY, LlmOptions, Tools, model_chooser, with_settings

if TYPE_CHECKING:
    from tahur.players.bounded.asking import ModelChooser
    from tahur.players.bounded.caps import LogFile, SharedLedger
    from tahur.players.bounded.fallbacks import Fallbacks


LOCAL = "local"

Llm = Annotated[
    str | None,
    typer.Option(
        "--llm",
        metavar="URL|local",
        envvar="TAHUR_LLM",
        help=f"An OpenAI-compatible endpoint for llm: players (its key in {KEY}), or 'local': see tahur llm serve.",
    ),
]
ModelName = Annotated[
    str | None,
    typer.Option("--model", metavar="NAME", envvar="TAHUR_LLM_MODEL", help="The model's name at the endpoint."),
]
LlmSet = Annotated[
    list[str] | None,
    typer.Option(
        "--llm-set",
        metavar="NAME=VALUE",
        help="Request settings: seconds=20, prompt=lean, log=FILE, price=0.15/0.60, day-money=1, hand-tokens=9000, ...",
    ),
]

Mode = Annotated[
    str | None,
    typer.Option(
        "--mode",
        metavar="NAME",
        help="Game mode of the personas: study, lean, loose_table, shuffled. For one of them: persona:duelist+study.",
    ),
]
KINDS = ("persona", "llm")


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """The options of commands that may use a language model."""

    llm: Llm = None
    model: ModelName = None
    llm_set: LlmSet = None


@dataclass(frozen=True, slots=True)
class PersonaOptions(ModelOptions):
    """The options of commands in which personas play."""

    mode: Mode = None


def llm_options(options: ModelOptions, players: Sequence[str] = ()) -> LlmOptions | None:
    """The options as a value; None if neither they nor a player use a model. Finds or starts a local model.

    A player's name may include the model and the endpoint: `llm:duelist@MODEL@URL`.
    """
    llm, model, more = options.llm, options.model, options.llm_set
    if llm is None and model is None and not more and not any(name.startswith("llm:") for name in players):
        return None
    chosen = LlmOptions(None if llm == LOCAL else llm, model)
    if llm == LOCAL:
        from tahur.cli.llm.local import local_endpoint

        url, name = local_endpoint()
        chosen = replace(chosen, url=url, model=model or name, seconds=120.0, lean=True)
    chosen = with_settings(chosen, more or ())
    log = chosen.log or _usual_log()
    return replace(chosen, log=log, since=log.stat().st_size if log.is_file() else 0)


def fallbacks_of(options: LlmOptions | None) -> Fallbacks | None:
    """The number of fallback decisions in this run; None if no model was used."""
    if options is None or options.log is None or not options.log.is_file():
        return None
    if options.log.stat().st_size <= options.since:
        return None
    from tahur.players.bounded.fallbacks import Fallbacks

    return Fallbacks.of_log(read_log(options.log, options.since))


def models_json(fallbacks: Fallbacks | None) -> dict[str, object]:
    """The part of a JSON result about models; empty if none was used."""
    return {} if fallbacks is None else {"models": fallbacks.as_json()}


def say_models(options: LlmOptions | None, fallbacks: Fallbacks | None, *, as_json: bool) -> None:
    """Print the number of fallbacks and the path of the log; exit with code 1 if no model made a decision."""
    if fallbacks is None:
        return
    if not as_json:
        print_fallbacks(fallbacks)
    if options is not None:
        note(f"the log of the models' decisions is {options.log}; summarize it with: tahur llm report")
    if fallbacks.every:
        note(f"tahur: the language model made no decision: {fallbacks.text}")
        raise typer.Exit(1)


def print_fallbacks(fallbacks: Fallbacks) -> None:
    """The summary line; red and with an explanation if more than half of the decisions were fallbacks."""
    out = console()
    if not fallbacks.many:
        out.print(fallbacks.text, markup=False)
        return
    out.print(f"Warning: {fallbacks.text}.", style="bold red", markup=False)
    out.print("The figures mostly reflect the fallback, not the model.", style="bold red")


def models_of(options: LlmOptions) -> Callable[[str], ModelChooser]:
    """The chooser for `MODEL@URL`; the options fill in what is missing."""
    return lambda text: _chooser(options, text)


def _chooser(options: LlmOptions, text: str) -> ModelChooser:

    note = log_file(options.log).add if options.log else lambda entry: None
    return model_chooser(options, text, Tools(time.monotonic, note, shared_ledger(), os.environ))


def _usual_log() -> Path:
    return llm_folder() / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.jsonl"


def in_mode(players: Sequence[str], mode: str | None, game: str) -> list[str]:
    """The same players, with every persona in this mode unless its name has another."""
    from tahur.players.bounded.modes import mode_named

    if mode is None:
        return list(players)
    name = mode_named(mode).name
    named = [_in_mode(player, name) for player in players]
    if game.partition(":")[0] not in (*POKER, SPOT) or named == list(players):
        raise SettingError(f"--mode {mode} is for hold'em personas such as persona:duelist; no player here is one")
    return named


def _in_mode(player: str, mode: str) -> str:
    """The name of a persona with the mode added to it; other players stay as they are."""
    from tahur.players.bounded.personas import MARK, SUFFIX, is_persona

    kind, colon, rest = player.partition(":")
    has_kind = bool(colon) and kind in KINDS
    kind, rest = (kind, rest) if has_kind else (KINDS[0], player)
    called, at, chooser = rest.partition("@")
    of_file = has_kind and called.lower().endswith(SUFFIX)
    return f"{kind}:{called}{MARK}{mode}{at}{chooser}" if is_persona(called) or of_file else player


# ---- the log and the ledger ----------------------------------------------------------------------
# The files with the decisions and the costs of language models, and the reader of the log.


def llm_folder() -> Path:
    """The folder of logs and ledger: beside the sessions, in the user's data folder or `TAHUR_DATA`."""
    from tahur.cli.play.session import sessions_folder

    return sessions_folder().parent / "llm"


def log_file(path: Path) -> LogFile:
    """The file to which decisions are appended."""
    from tahur.players.bounded.caps import LogFile

    return LogFile(path, lambda: time.strftime("%Y-%m-%dT%H:%M:%S"))


def shared_ledger(folder: Path | None = None) -> SharedLedger:
    """The ledger of what all commands on this machine spent today."""
    from tahur.players.bounded.caps import SharedLedger

    return SharedLedger(folder or llm_folder(), lambda: time.strftime("%Y-%m-%d"))


def read_log(path: Path, since: int = 0) -> list[dict[str, Any]]:
    """The decisions in a log, from this byte on; an incomplete last line, left by a crash, is skipped."""
    try:
        lines = read_file(path, MOST_TEXT)[since:].decode("utf-8", errors="replace").split("\n")
    except (OSError, TooLarge) as error:
        raise RecordError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    entries = []
    for number, line in enumerate(lines[:-1], start=1):
        try:
            entry = parse_json(line)
            entries.append({key: entry[key] for key in _KEYS})
        except (ValueError, TypeError, KeyError):
            raise RecordError(f"{path.name}, line {number}: not a decision of a language model's log") from None
    if not entries:
        raise RecordError(f"{path.name}: contains no decisions; a game with llm: players writes some")
    return entries


_KEYS = (
    "persona",
    "model",
    "by",
    "tries",
    "faults",
    "seconds",
    "tokens_read",
    "tokens_written",
    "money",
    "option",
    "menu",
)
