"""The chooser that asks a language model: one request, at most one retry, then the best option as a fallback.

Every decision is logged with its outcome: menu, prompt, replies, who chose and why, seconds and tokens. The clock is
passed in; the deadline applies to the whole decision, both requests together.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

import numpy as np

from tahur.players.bounded.caps import DEADLINE, Budget, guess_tokens
from tahur.players.bounded.choosers import Choice, Page, best_number
from tahur.players.bounded.fallbacks import FALLBACK, MODEL
from tahur.players.bounded.model import ModelError, ModelRequest, Reply
from tahur.players.bounded.options import Menu
from tahur.players.bounded.prompt import FULL, PromptStyle, messages_for, reminder, schema_for
from tahur.players.bounded.talk import LONGEST_LINE, plain_line, sayable

LEAST: Final = 0.01  # with fewer seconds left, no request is made
TRIES: Final = 2
LONGEST_KEPT: Final = 2_000  # characters of a reply in the log


class ModelClient(Protocol):
    """A language model, or a stand-in."""

    @property
    def name(self) -> str: ...

    def ask(self, question: ModelRequest, seconds: float) -> Reply: ...


Note = Callable[[dict[str, Any]], None]
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Asking:
    """How a model is asked."""

    clock: Clock  # seconds
    note: Note = lambda entry: None
    deadline: float = DEADLINE
    style: PromptStyle = FULL  # the game mode may make it lean


@dataclass(slots=True)
class _Exchange:
    """The requests and replies of one decision so far."""

    messages: list[dict[str, str]]
    style: PromptStyle
    tries: int = 0
    replies: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    read: int = 0  # tokens of the prompts
    written: int = 0  # tokens of the replies


class ModelChooser:
    """Asks a model and parses its reply; falls back on the best option by label, chips and style."""

    def __init__(self, model: ModelClient, budget: Budget, asking: Asking) -> None:
        self._model, self._budget, self._asking = model, budget, asking

    def begin(self) -> None:
        self._budget.begin_hand()

    def choose(self, page: Page, rng: np.random.Generator) -> Choice:
        """Ask the model to choose from the menu, and log the exchange."""
        began = self._asking.clock()
        self._budget.begin_decision()
        style = replace(self._asking.style, lean=self._asking.style.lean or page.lean)
        exchange = _Exchange(messages_for(page, style), style)
        answer = self._ask(page, exchange, began)
        choice = self._choice(page, exchange, answer)
        self._asking.note(self._log_entry(page, exchange, choice, self._asking.clock() - began))
        return choice

    def _ask(self, page: Page, exchange: _Exchange, began: float) -> ModelReply | None:
        """The first usable answer, or None."""
        options = len(page.menu.options)
        schema = schema_for(options, exchange.style)
        while exchange.tries < TRIES:
            left = self._asking.deadline - (self._asking.clock() - began)
            question = ModelRequest(exchange.messages, exchange.style.reply_tokens, schema)
            if fault := self._refusal(question, left):
                exchange.faults.append(fault)
                return None
            exchange.tries += 1
            try:
                return read_reply(self._reply(question, left, exchange), options)
            except ModelError as error:
                exchange.faults.append(str(error))
                if error.final:
                    return None
            except BadReply as error:
                exchange.faults.append(f"unreadable: {error}")
                exchange.messages = [*exchange.messages, reminder(options)]
        return None

    def _refusal(self, question: ModelRequest, left: float) -> str | None:
        """Why no request may be made, or None."""
        if left < LEAST:
            return "no time left"
        letters = sum(len(message["content"]) for message in question.messages)
        return self._budget.refusal(letters, question.most_tokens)

    def _reply(self, question: ModelRequest, left: float, exchange: _Exchange) -> str:
        """The model's reply; its tokens are counted whether it can be parsed or not."""
        letters = sum(len(message["content"]) for message in question.messages)
        try:
            reply = self._model.ask(question, left)
        except ModelError:
            self._pay(exchange, guess_tokens(letters), 0)  # what was sent may be billed
            raise
        read = guess_tokens(letters) if reply.read is None else reply.read
        written = guess_tokens(len(reply.text)) if reply.written is None else reply.written
        self._pay(exchange, read, written)
        exchange.replies.append(reply.text[:LONGEST_KEPT])
        return reply.text

    def _pay(self, exchange: _Exchange, read: int, written: int) -> None:
        self._budget.spend(read, written)
        exchange.read += read
        exchange.written += written

    def _choice(self, page: Page, exchange: _Exchange, answer: ModelReply | None) -> Choice:
        if answer is None:
            return Choice(best_number(page), FALLBACK, "; ".join(exchange.faults))
        talk = None if exchange.style.lean else sayable(answer.talk, page.situation.hole)
        return Choice(number=answer.number, by=MODEL, thought=answer.thought, talk=talk, plan=answer.plan or None)

    def _log_entry(self, page: Page, exchange: _Exchange, choice: Choice, seconds: float) -> dict[str, Any]:
        """One decision as it is logged: prompt, replies, faults, choice and time."""
        return {
            "persona": page.persona.name,
            "model": self._model.name,
            "mood": page.mood.text,
            "menu": menu_json(page.menu),
            "prompt": exchange.messages,
            "replies": exchange.replies,
            "faults": exchange.faults,
            "by": choice.by,
            "option": choice.number,
            "plan": choice.plan or page.plan,
            "tries": exchange.tries,
            "seconds": round(seconds, 4),
            "tokens_read": exchange.read,
            "tokens_written": exchange.written,
            "money": self._budget.decision.money,
        }


def menu_json(menu: Menu) -> list[dict[str, object]]:
    """A menu as JSON for the log, in the order it was shown."""
    return [option.as_json(number) for number, option in enumerate(menu.options, start=1)]


# ---- parsing the answer --------------------------------------------------------------------------
# Parses a model's answer leniently: a JSON object as requested, or just an option's number. Code fences, a word before,
# a number in quotes, `option 2` and `**2**` are accepted. Ambiguous answers are rejected: two numbers, a number that is
# not on the menu, two objects that disagree. The result is always a number on the menu.


LONGEST_REPLY: Final = 20_000  # characters that are examined
MOST_OBJECTS: Final = 20
NUMBER_KEYS: Final = ("option", "number", "choice", "option_number")
TALK_KEYS: Final = ("talk", "say", "table_talk")

_NAMED: Final = re.compile(r"\boptions?\s*(?:is|:|=|no\.?|number)?\s*[#*`\"'(]*\s*(\d{1,3})\b(?![.,]\d)", re.IGNORECASE)
_ALONE: Final = re.compile(r"[\s#*_`\"'(\[{]*(\d{1,3})[\s*_`\"')\]}]*(?:[.:)\-]\D*)?", re.DOTALL)
_BEGUN: Final = re.compile(r"\s*\{\s*\"option\"\s*:\s*\"?(\d{1,3})\"?\s*,")
_THOUGHTS: Final = re.compile(r"<think>.*?</think>", re.DOTALL)
_FENCE: Final = re.compile(r"```[a-zA-Z]*")


class BadReply(Exception):
    """A reply without a clear option; the message says why."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The number of an option, from 1, and what came with it."""

    number: int
    thought: str = ""
    talk: str = ""
    plan: str = ""


def read_reply(text: str, options: int) -> ModelReply:
    """The answer in a reply to a menu of `options` options; raises `BadReply` if there is none, or more than one."""
    text = _THOUGHTS.sub(" ", text[:LONGEST_REPLY]).strip()
    if not text:
        raise BadReply("empty")
    objects = [answer for value in _values(text) if (answer := _answer(value)) is not None]
    answers = objects or [ModelReply(number) for number in _cut_short(text) or _numbers(text)]
    if not answers:
        raise BadReply("no option in it")
    if len({answer.number for answer in answers}) > 1:
        raise BadReply("more than one option in it")
    if not 1 <= answers[0].number <= options:
        raise BadReply(f"option {answers[0].number} of {options}")
    return answers[0]


def _values(text: str) -> Iterator[dict[str, Any]]:
    """Every top-level JSON object in the text, from left to right."""
    decoder = json.JSONDecoder(object_pairs_hook=_without_doubles)
    start, tries = text.find("{"), 0
    while start >= 0 and tries < MOST_OBJECTS:
        tries += 1
        end = start + 1
        try:
            value, end = decoder.raw_decode(text, start)
        except RecursionError:
            raise BadReply("JSON that nests too deep") from None
        except ValueError:
            value = None
        if isinstance(value, dict):
            yield value
        start = text.find("{", end)


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Reject an object with a duplicate key."""
    if len({key for key, _ in pairs}) < len(pairs):
        raise BadReply("JSON with a key twice")
    return dict(pairs)


def _answer(value: dict[str, Any]) -> ModelReply | None:
    """The answer in an object; None if it has no key for one."""
    named = {str(key).strip().casefold(): entry for key, entry in value.items()}
    numbers = [named[key] for key in NUMBER_KEYS if key in named]
    if not numbers:
        return None
    number = _whole(numbers[0])
    if number is None:
        raise BadReply(f"an option that is {type(numbers[0]).__name__}, not a number of the menu")
    talk = next((named[key] for key in TALK_KEYS if key in named), "")
    return ModelReply(number, _words(named.get("thought")), _words(talk), _words(named.get("plan")))


def _whole(value: object) -> int | None:
    """A number in the forms that models use: 2, 2.0, "2", "option 2"."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, str):
        numbers = set(_numbers(value[:LONGEST_LINE]))
        return numbers.pop() if len(numbers) == 1 else None
    return None


def _numbers(text: str) -> list[int]:
    """The options named in plain text; a bare number counts only if there is nothing else."""
    text = _FENCE.sub(" ", text).strip()
    if alone := _ALONE.fullmatch(text):
        return [int(alone[1])]
    return [int(number) for number in _NAMED.findall(text)]


def _cut_short(text: str) -> list[int]:
    """The number in truncated JSON, if it comes first and a comma shows that it is complete."""
    begun = _BEGUN.match(_FENCE.sub(" ", text))
    return [int(begun[1])] if begun and "}" not in text else []


def _words(value: object) -> str:
    return plain_line(value) if isinstance(value, str) else ""
