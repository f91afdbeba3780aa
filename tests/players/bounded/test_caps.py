"""Caps on tokens and money: for a decision, a hand and a day; what is over them is not asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from seats import asking_player, views

from scripted_endpoint import Server, serving
from tahur.cli.llm.options import shared_ledger
from tahur.core.errors import SettingError
from tahur.players.bounded.caps import Budget, Caps, OwnLedger, Price, Spent, guess_tokens
from tahur.players.bounded.prompt import FULL

FREE: dict[str, Any] = {"decision_tokens": None, "hand_tokens": None, "day_tokens": None}


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as server:  # each answer is billed with 50 and 10 tokens
        yield server


def played(server: Server, caps: Caps, price: Price | None = None) -> list[dict[str, Any]]:
    """Ten decisions in two hands, and what is noted of them."""
    log: list[dict[str, Any]] = []
    player = asking_player(server.url, log, budget=Budget(caps, price))
    for number in range(10):
        if number % 5 == 0:
            player.begin(views()[0], np.random.default_rng(1))
        player.act(views()[0], np.random.default_rng(1))
    return log


@pytest.mark.parametrize(
    ("caps", "tries", "said"),
    [
        ({}, [1] * 10, None),
        ({"decision_tokens": -1}, [0] * 10, "cap on tokens for a decision"),
        ({"hand_tokens": 100}, [1, 1, 0, 0, 0] * 2, "cap on tokens for a hand"),
        ({"day_tokens": 100}, [1, 1] + [0] * 8, "cap on tokens for a day"),
        ({"decision_money": 0.0}, [0] * 10, "cap on money for a decision"),
        ({"hand_money": 0.0}, [0] * 10, "cap on money for a hand"),
        ({"day_money": 0.0}, [0] * 10, "cap on money for a day"),
    ],
)
def test_a_cap_stops_the_asking_and_the_game_goes_on(
    server: Server, caps: dict[str, float], tries: list[int], said: str | None
) -> None:
    """A cap on tokens is so many more than one question is guessed to take; an answer is billed with 60."""
    more = {name: guessed(server) + int(cap) for name, cap in caps.items() if name.endswith("tokens")}
    server.heard.clear()
    log = played(server, Caps(**FREE | caps | more), Price(0.15, 0.6))  # type: ignore[arg-type]
    assert [entry["tries"] for entry in log] == tries
    assert len(server.heard) == sum(tries)
    assert {fault for entry in log for fault in entry["faults"]} == ({said} if said else set())
    assert [entry["by"] for entry in log] == ["model" if tried else "fallback" for tried in tries]


def guessed(server: Server) -> int:
    """What one question, with its answer, is taken to cost before it is asked."""
    entry = played(server, Caps(**FREE))[0]
    return guess_tokens(sum(len(message["content"]) for message in entry["prompt"])) + FULL.reply_tokens


def test_a_question_that_failed_is_paid_for_too() -> None:
    budget = Budget(Caps(**FREE | {"decision_tokens": 1_500}))
    log: list[dict[str, Any]] = []
    asking_player("http://127.0.0.1:9/v1", log, budget=budget).act(views()[0], np.random.default_rng(1))
    assert log[0]["tokens_read"] > 100
    assert budget.decision.tokens == log[0]["tokens_read"]


def test_money_is_what_the_endpoint_bills(server: Server) -> None:
    log = played(server, Caps(**FREE, day_money=1e9), Price(1_000_000, 2_000_000))
    assert log[0]["money"] == pytest.approx(50 + 2 * 10)
    assert (log[0]["tokens_read"], log[0]["tokens_written"]) == (50, 10)


def test_a_cap_on_money_needs_a_price() -> None:
    with pytest.raises(SettingError, match="needs a price"):
        Budget(Caps(day_money=1.0))
    with pytest.raises(SettingError, match="a cap of -1 for hand tokens"):
        Caps(hand_tokens=-1)


def test_the_days_ledger_is_shared_and_survives(tmp_path: Path) -> None:
    one, other = shared_ledger(tmp_path / "llm"), shared_ledger(tmp_path / "llm")
    assert one.today() == Spent()
    one.add(Spent(100, 0.25))
    other.add(Spent(50, 0.5))
    assert one.today() == other.today() == Spent(150, 0.75)
    file = next((tmp_path / "llm").iterdir())
    file.write_text(file.read_text() + "garb")  # a line that a crash cut short
    assert one.today() == Spent(150, 0.75)


def test_a_ledger_of_ones_own_adds_up() -> None:
    ledger = OwnLedger()
    ledger.add(Spent(3, 0.5))
    ledger.add(Spent(4, 0.25))
    assert ledger.today() == Spent(7, 0.75)
