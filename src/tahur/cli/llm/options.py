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

from tahur.cli.output import note
from tahur.players.bounded.settings import KEY, LlmOptions, key_in, with_settings

if TYPE_CHECKING:
    from tahur.players.bounded.asking import ModelChooser

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
    return options if options.log is not None else replace(options, log=_usual_log())


def say_log(options: LlmOptions | None) -> None:
    """Where it can be read what the models were asked."""
    if options is not None and options.log is not None and options.log.exists():
        note(f"what the models were asked is in {options.log}; sum it up with: tahur llm report")


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
