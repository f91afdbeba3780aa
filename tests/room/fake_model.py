"""A language model for tests that answers as it is told, without a line; and a house that has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tahur.players.bounded.asking import Asking, ModelChooser
from tahur.players.bounded.caps import Budget, Caps, OwnLedger
from tahur.players.bounded.model import ModelRequest, Reply
from tahur.room.gallery import Gallery, Language


class FakeModel:
    """Notes what it was asked, and says what `answer` says."""

    name = "fake"

    def __init__(self, answer: Callable[[ModelRequest], str] = lambda question: '{"option": 1}') -> None:
        self.asked: list[ModelRequest] = []
        self._answer = answer

    def ask(self, question: ModelRequest, seconds: float) -> Reply:
        self.asked.append(question)
        return Reply(self._answer(question))


def chooser_of(model: FakeModel, note: Callable[[dict[str, Any]], None] = lambda entry: None) -> ModelChooser:
    return ModelChooser(model, Budget(Caps(), None, OwnLedger()), Asking(lambda: 0.0, note))


def house_with(model: FakeModel) -> Gallery:
    return Gallery((), Language(model.name, lambda text: chooser_of(model)))
