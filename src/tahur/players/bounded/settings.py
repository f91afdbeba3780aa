"""The settings for language models: endpoint, deadline, prompt, prices and caps; and the chooser made from them.

What only `cli` or `web` has (a clock, the environment, the data folder) is passed in. No key is stored here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from tahur.core.errors import PlayerError, SettingError
from tahur.players.bounded.caps import DEADLINE, Budget, Caps, Ledger, Price

if TYPE_CHECKING:
    from tahur.players.bounded.asking import Clock, ModelChooser, Note

KEY: Final = "TAHUR_LLM_KEY"
OPENAI_KEY: Final = "OPENAI_API_KEY"  # for OpenAI's own endpoint only
OPENAI_HOST: Final = "api.openai.com"
USUAL_CAPS: Final = Caps()


@dataclass(frozen=True, slots=True)
class LlmOptions:
    """The user's settings. They are sent to other processes with the players' names, so they contain no key."""

    url: str | None = None
    model: str | None = None
    seconds: float = DEADLINE
    lean: bool = False
    log: Path | None = None
    since: int = 0  # size of the log in bytes before this run
    price: Price | None = None
    caps: Caps = USUAL_CAPS


@dataclass(frozen=True, slots=True)
class Tools:
    """What `cli` or `web` provides to a chooser that asks a model."""

    clock: Clock
    note: Note
    ledger: Ledger
    environment: Mapping[str, str]


def with_settings(options: LlmOptions, pairs: Sequence[str]) -> LlmOptions:
    """The options with `--llm-set NAME=VALUE` settings applied in order."""
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or name not in SETTINGS:
            raise SettingError(f"--llm-set {pair}; write NAME=VALUE, with NAME one of {', '.join(SETTINGS)}")
        options = SETTINGS[name](options, name, value)
    return options


def settings_words(options: LlmOptions) -> list[str]:
    """The options as `NAME=VALUE` texts, for another program; without endpoint and model."""
    words = [f"seconds={options.seconds:g}", f"prompt={'lean' if options.lean else 'full'}"]
    if options.log is not None:
        words.append(f"log={options.log}")
    if options.price is not None:
        words.append(f"price={options.price.read:g}/{options.price.written:g}")
    caps = ((field.name, getattr(options.caps, field.name)) for field in fields(Caps))
    return words + [f"{name.replace('_', '-')}={cap:.12g}" for name, cap in caps if cap is not None]


def model_chooser(options: LlmOptions, text: str, tools: Tools) -> ModelChooser:
    """The chooser for the model of `MODEL@URL`, or for that of the options if the text is empty."""
    from tahur.players.bounded.asking import Asking, ModelChooser
    from tahur.players.bounded.model import Endpoint, Model
    from tahur.players.bounded.prompt import PromptStyle

    model, _, url = text.partition("@")
    url = url or options.url or ""
    if not url:
        raise PlayerError(f"no endpoint for {model or 'a model'}; use --llm URL --model NAME, or --llm local")
    asking = Asking(tools.clock, tools.note, options.seconds, PromptStyle(lean=options.lean))
    endpoint = Endpoint(url, model or options.model or "", key_in(tools.environment, url))
    return ModelChooser(Model(endpoint), Budget(options.caps, options.price, tools.ledger), asking)


def key_in(environment: Mapping[str, str], url: str) -> str:
    """The key for an endpoint; OpenAI's own variable is sent to OpenAI only."""
    if key := environment.get(KEY):
        return key.strip()
    return environment.get(OPENAI_KEY, "").strip() if urlsplit(url).hostname == OPENAI_HOST else ""


# ---- settings ------------------------------------------------------------------------------------


def _number(name: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise SettingError(f"--llm-set {name}={value}; expected a number, 0 or more")
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
        raise SettingError(f"--llm-set prompt={value}; valid: lean or full")
    return replace(options, lean=value == "lean")


def _log(options: LlmOptions, name: str, value: str) -> LlmOptions:
    return replace(options, log=Path(value))


def _price(options: LlmOptions, name: str, value: str) -> LlmOptions:
    """The options with the price of a million tokens; `value` is "input/output"."""
    parts = value.split("/")
    try:
        read, written = map(float, parts)
    except ValueError:
        read = written = -1.0
    if not (0 <= read < float("inf") and 0 <= written < float("inf")):
        raise SettingError(f"--llm-set price={value}; the price of a million tokens, input/output: price=0.15/0.60")
    return replace(options, price=Price(read, written))


SETTINGS: Final[Mapping[str, Callable[[LlmOptions, str, str], LlmOptions]]] = {
    "seconds": _seconds,
    "prompt": _prompt,
    "log": _log,
    "price": _price,
} | {field.name.replace("_", "-"): _cap for field in fields(Caps)}
