"""Parses a model's answer leniently: a JSON object as requested, or just an option's number.

Code fences, a word before, a number in quotes, `option 2` and `**2**` are accepted. Ambiguous answers are rejected: two
numbers, a number that is not on the menu, two objects that disagree. The result is always a number on the menu.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from tahur.players.bounded.names import LONGEST_LINE, plain_line

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
    named = {str(key).strip().casefold(): each for key, each in value.items()}
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
