"""`--llm`, `--model` and `--llm-set`: which model the `llm:` players ask, how, and what that may cost.

The key is not among them: it is read from the environment, where the player is made, and kept nowhere.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tahur.cli.output import console, note
from tahur.players.bounded.settings import KEY, LlmOptions, key_in, with_settings

if TYPE_CHECKING:
    from tahur.players.bounded.asking import ModelChooser
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
    typer.Option("--model", metavar="NAME", envvar="TAHUR_LLM_MODEL", help="The model, as the endpoint calls it."),
]
LlmSet = Annotated[
    list[str] | None,
    typer.Option(
        "--llm-set",
        metavar="NAME=VALUE",
        help="How it is asked: seconds=20, prompt=lean, log=FILE, price=0.15/0.60, day-money=1, hand-tokens=9000, ...",
    ),
]


def llm_options(
    llm: str | None, model: str | None, more: Sequence[str] | None, players: Sequence[str] = ()
) -> LlmOptions | None:
    """The options as a value; None if neither they nor a player speak of models. A model offline is found, or started.

    A player may say itself which model to ask, and where: `llm:duelist@MODEL@URL`.
    """
    if llm is None and model is None and not more and not any(name.startswith("llm:") for name in players):
        return None
    options = LlmOptions(None if llm == LOCAL else llm, model)
    if llm == LOCAL:
        from tahur.cli.llm.local import local_endpoint

        url, name = local_endpoint()
        options = replace(options, url=url, model=model or name, seconds=120.0, lean=True)
    options = with_settings(options, more or ())
    log = options.log or _usual_log()
    return replace(options, log=log, since=log.stat().st_size if log.is_file() else 0)


def fallbacks_of(options: LlmOptions | None) -> Fallbacks | None:
    """How many decisions of models were fallbacks in this run; None if no model was asked."""
    if options is None or options.log is None or not options.log.is_file():
        return None
    if options.log.stat().st_size <= options.since:
        return None
    from tahur.cli.llm.files import read_log
    from tahur.players.bounded.fallbacks import Fallbacks

    return Fallbacks.of_log(read_log(options.log, options.since))


def models_json(fallbacks: Fallbacks | None) -> dict[str, object]:
    """What a result in JSON says of models: nothing where none was asked."""
    return {} if fallbacks is None else {"models": fallbacks.as_json()}


def say_models(options: LlmOptions | None, fallbacks: Fallbacks | None, *, as_json: bool) -> None:
    """Say how many decisions were fallbacks and where the log is; leave with code 1 if no model decided anything."""
    if fallbacks is None:
        return
    if not as_json:
        print_fallbacks(fallbacks)
    if options is not None:
        note(f"what the models were asked is in {options.log}; sum it up with: tahur llm report")
    if fallbacks.every:
        note(f"tahur: the language model decided nothing: {fallbacks.text}")
        raise typer.Exit(1)


def print_fallbacks(fallbacks: Fallbacks) -> None:
    """One line; in red and with what it means, if more than half of the decisions were fallbacks."""
    out = console()
    if not fallbacks.many:
        out.print(fallbacks.text, markup=False)
        return
    out.print(f"Warning: {fallbacks.text}.", style="bold red", markup=False)
    out.print("The figures are mostly those of the rule book, not of the model.", style="bold red")


def models_of(options: LlmOptions) -> Callable[[str], ModelChooser]:
    """Who asks the model of `MODEL@URL`, or of the options where nothing is said."""
    return lambda text: _chooser(options, text)


def key_for(url: str) -> str:
    """The key for an endpoint, from the environment."""
    return key_in(os.environ, url)


def _chooser(options: LlmOptions, text: str) -> ModelChooser:
    from tahur.cli.llm.files import log_file, shared_ledger
    from tahur.players.bounded.settings import Tools, model_chooser

    note = log_file(options.log).add if options.log else lambda entry: None
    return model_chooser(options, text, Tools(time.monotonic, note, shared_ledger(), os.environ))


def _usual_log() -> Path:
    from tahur.cli.llm.files import llm_folder

    return llm_folder() / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.jsonl"
