"""`--llm`, `--model` and `--llm-set`: which model the `llm:` players ask, how, and what that may cost.

The key is not among them: it is read from the environment, where the player is made, and kept nowhere.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer

from tahur.cli.output import note
from tahur.core.errors import SettingError
from tahur.players.bounded.caps import DEADLINE, Caps, Price

if TYPE_CHECKING:
    from tahur.players.bounded.asking import ModelChooser

KEY = "TAHUR_LLM_KEY"
OPENAI_KEY = "OPENAI_API_KEY"  # for OpenAI's own endpoint, and nobody else's
OPENAI_HOST = "api.openai.com"
LOCAL = "local"
USUAL_CAPS = Caps()

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


@dataclass(frozen=True, slots=True)
class LlmOptions:
    """What was asked for. It goes to other processes with the players' names; so there is no key in it."""

    url: str | None = None
    model: str | None = None
    seconds: float = DEADLINE
    lean: bool = False
    log: Path | None = None
    price: Price | None = None
    caps: Caps = USUAL_CAPS


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
    for pair in more or ():
        name, equals, value = pair.partition("=")
        if not equals or name not in _SETTINGS:
            raise SettingError(f"--llm-set {pair}; write NAME=VALUE, NAME one of {', '.join(_SETTINGS)}")
        options = _SETTINGS[name](options, name, value)
    return options if options.log is not None else replace(options, log=_usual_log())


def say_log(options: LlmOptions | None) -> None:
    """Where it can be read what the models were asked."""
    if options is not None and options.log is not None and options.log.exists():
        note(f"what the models were asked is in {options.log}; sum it up with: tahur llm report")


def models_of(options: LlmOptions) -> Callable[[str], ModelChooser]:
    """Who asks the model of `MODEL@URL`, or of the options where nothing is said."""
    return lambda text: _chooser(options, text)


def key_for(url: str) -> str:
    """The key for an endpoint, from the environment; OpenAI's own variable goes to OpenAI only."""
    if key := os.environ.get(KEY):
        return key.strip()
    return os.environ.get(OPENAI_KEY, "").strip() if urlsplit(url).hostname == OPENAI_HOST else ""


def _chooser(options: LlmOptions, text: str) -> ModelChooser:
    from tahur.cli.llm.files import LogFile, SharedLedger
    from tahur.core.errors import PlayerError
    from tahur.players.bounded.asking import Asking, ModelChooser
    from tahur.players.bounded.caps import Budget
    from tahur.players.bounded.model import Endpoint, Model
    from tahur.players.bounded.prompt import PromptStyle

    model, _, url = text.partition("@")
    url = url or options.url or ""
    if not url:
        raise PlayerError(f"no endpoint for {model or 'a model'}; say --llm URL --model NAME, or --llm local")
    asking = Asking(
        time.monotonic,
        LogFile(options.log).add if options.log else lambda entry: None,
        options.seconds,
        PromptStyle(lean=options.lean),
    )
    endpoint = Endpoint(url, model or options.model or "", key_for(url))
    return ModelChooser(Model(endpoint), Budget(options.caps, options.price, SharedLedger.usual()), asking)


def _usual_log() -> Path:
    from tahur.cli.llm.files import llm_folder

    return llm_folder() / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.jsonl"


# ---- settings ------------------------------------------------------------------------------------


def _number(name: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise SettingError(f"--llm-set {name}={value}; it is a number, 0 or more")
    return number


def _seconds(options: LlmOptions, name: str, value: str) -> LlmOptions:
    return replace(options, seconds=_number(name, value))


def _cap(options: LlmOptions, name: str, value: str) -> LlmOptions:
    number = _number(name, value)
    cap = int(number) if name.endswith("tokens") else number
    caps: dict[str, Any] = {name.replace("-", "_"): cap}
    return replace(options, caps=replace(options.caps, **caps))


def _prompt(options: LlmOptions, name: str, value: str) -> LlmOptions:
    if value not in ("lean", "full"):
        raise SettingError(f"--llm-set prompt={value}; it is lean or full")
    return replace(options, lean=value == "lean")


def _log(options: LlmOptions, name: str, value: str) -> LlmOptions:
    return replace(options, log=Path(value))


def _price(options: LlmOptions, name: str, value: str) -> LlmOptions:
    parts = value.split("/")
    try:
        read, written = map(float, parts)
    except ValueError:
        read = written = -1.0
    if not (0 <= read < float("inf") and 0 <= written < float("inf")):
        raise SettingError(f"--llm-set price={value}; what a million tokens cost, read and written: price=0.15/0.60")
    return replace(options, price=Price(read, written))


_SETTINGS: dict[str, Callable[[LlmOptions, str, str], LlmOptions]] = {
    "seconds": _seconds,
    "prompt": _prompt,
    "log": _log,
    "price": _price,
} | {field.name.replace("_", "-"): _cap for field in fields(Caps)}
