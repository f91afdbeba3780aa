"""The chooser that asks a language model: one request, at most one retry, then the best option as a fallback.

Every decision is logged with its outcome: menu, prompt, replies, who chose and why, seconds and tokens. The clock is
passed in; the deadline applies to the whole decision, both requests together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

import numpy as np

from tahur.players.bounded.caps import DEADLINE, Budget, guess_tokens
from tahur.players.bounded.choosers import Choice, Page, best_number
from tahur.players.bounded.fallbacks import FALLBACK, MODEL
from tahur.players.bounded.model import ModelError, ModelRequest, Reply
from tahur.players.bounded.options import Menu
from tahur.players.bounded.prompt import FULL, PromptStyle, messages_for, reminder, schema_for
from tahur.players.bounded.reply import BadReply, ModelReply, read_reply
from tahur.players.bounded.talk import sayable

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
class _Course:
    """The state of one decision while it is made."""

    messages: list[dict[str, str]]
    style: PromptStyle
    tries: int = 0
    replies: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    read: int = 0
    written: int = 0


class ModelChooser:
    """Asks a model and parses its reply; falls back on the best option by label, chips and style."""

    def __init__(self, model: ModelClient, budget: Budget, asking: Asking) -> None:
        self._model, self._budget, self._asking = model, budget, asking

    def begin(self) -> None:
        self._budget.begin_hand()

    def choose(self, page: Page, rng: np.random.Generator) -> Choice:
        began = self._asking.clock()
        self._budget.begin_decision()
        style = replace(self._asking.style, lean=self._asking.style.lean or page.lean)
        course = _Course(messages_for(page, style), style)
        answer = self._asked(page, course, began)
        choice = self._choice(page, course, answer)
        self._asking.note(self._entry(page, course, choice, self._asking.clock() - began))
        return choice

    def _asked(self, page: Page, course: _Course, began: float) -> ModelReply | None:
        """The first usable answer, or None."""
        options = len(page.menu.options)
        schema = schema_for(options, course.style)
        while course.tries < TRIES:
            left = self._asking.deadline - (self._asking.clock() - began)
            question = ModelRequest(course.messages, course.style.reply_tokens, schema)
            if fault := self._held_back(question, left):
                course.faults.append(fault)
                return None
            course.tries += 1
            try:
                return read_reply(self._reply(question, left, course), options)
            except ModelError as error:
                course.faults.append(str(error))
                if error.final:
                    return None
            except BadReply as error:
                course.faults.append(f"unreadable: {error}")
                course.messages = [*course.messages, reminder(options)]
        return None

    def _held_back(self, question: ModelRequest, left: float) -> str | None:
        """Why no request may be made, or None."""
        if left < LEAST:
            return "no time left"
        letters = sum(len(message["content"]) for message in question.messages)
        return self._budget.refusal(letters, question.most_tokens)

    def _reply(self, question: ModelRequest, left: float, course: _Course) -> str:
        """The model's reply; its tokens are counted whether it can be parsed or not."""
        letters = sum(len(message["content"]) for message in question.messages)
        try:
            reply = self._model.ask(question, left)
        except ModelError:
            self._pay(course, guess_tokens(letters), 0)  # what was sent may be billed
            raise
        read = guess_tokens(letters) if reply.read is None else reply.read
        written = guess_tokens(len(reply.text)) if reply.written is None else reply.written
        self._pay(course, read, written)
        course.replies.append(reply.text[:LONGEST_KEPT])
        return reply.text

    def _pay(self, course: _Course, read: int, written: int) -> None:
        self._budget.spend(read, written)
        course.read += read
        course.written += written

    def _choice(self, page: Page, course: _Course, answer: ModelReply | None) -> Choice:
        if answer is None:
            return Choice(best_number(page), FALLBACK, "; ".join(course.faults))
        talk = None if course.style.lean else sayable(answer.talk, page.situation.hole)
        return Choice(number=answer.number, by=MODEL, thought=answer.thought, talk=talk, plan=answer.plan or None)

    def _entry(self, page: Page, course: _Course, choice: Choice, seconds: float) -> dict[str, Any]:
        return {
            "persona": page.persona.name,
            "model": self._model.name,
            "mood": page.mood.text,
            "menu": menu_json(page.menu),
            "prompt": course.messages,
            "replies": course.replies,
            "faults": course.faults,
            "by": choice.by,
            "option": choice.number,
            "plan": choice.plan or page.plan,
            "tries": course.tries,
            "seconds": round(seconds, 4),
            "tokens_read": course.read,
            "tokens_written": course.written,
            "money": self._budget.decision.money,
        }


def menu_json(menu: Menu) -> list[dict[str, object]]:
    """A menu as JSON for the log, in the order it was shown."""
    return [option.as_json(number) for number, option in enumerate(menu.options, start=1)]
