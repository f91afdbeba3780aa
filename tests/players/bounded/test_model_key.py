"""The key to an endpoint goes into one header of one request and nowhere else, whatever the endpoint does with it."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from seats import asking_player, views

from scripted_endpoint import Handler, Server, serving
from tahur.arena.match import run
from tahur.core.errors import SettingError
from tahur.games.registry import make
from tahur.players.bounded.model import Endpoint
from tahur.players.bounded.settings import key_in
from tahur.players.simple import Caller

CANARY = "sk-canary-0123456789abcdef-DO-NOT-TELL"


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


def echoes(handler: Handler, request: dict[str, Any]) -> None:
    """Says the key wherever it can: in talk, thought and plan, in errors, in a page."""
    key = handler.headers["authorization"].removeprefix("Bearer ")
    number = len(handler.server.heard) % 4
    if number == 1:
        handler.says(json.dumps({"option": 1, "talk": key, "thought": key, "plan": key}))
    elif number == 2:
        handler.body(401, json.dumps({"error": {"message": f"Incorrect API key provided: {key}"}}).encode())
    elif number == 3:
        handler.says(f"Your key is {key} and I choose nothing. {key[:-4]}")
    else:
        handler.body(500, key.encode(), "text/plain", **{"x-key": key})


def test_the_key_is_sent_and_appears_in_no_log_record_talk_or_thought(server: Server) -> None:
    server.behaviour = echoes
    log: list[dict[str, Any]] = []
    players = [asking_player(server.url, log, key=CANARY), Caller()]
    records = list(run(make("nlhe", {"seats": 2, "carry": False}), players, seed=4, deals=12))
    assert {headers["authorization"] for headers, _ in server.heard} == {f"Bearer {CANARY}"}
    kept = json.dumps(log) + "".join(record.to_json() for record in records)
    assert len(log) > 10
    assert CANARY not in kept
    assert CANARY[:-4] not in kept
    assert "[key]" in kept


def test_an_endpoint_shows_no_key_and_takes_none_in_its_address() -> None:
    endpoint = Endpoint("http://127.0.0.1:1/v1", "m", CANARY)
    assert CANARY not in repr(endpoint)
    with pytest.raises(SettingError) as refused:
        Endpoint(f"http://me:{CANARY}@127.0.0.1:1/v1", "m")
    assert CANARY not in str(refused.value)


@pytest.mark.parametrize("url", ["ftp://x/v1", "127.0.0.1:80", "", "http://", "file:///etc/passwd"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(SettingError, match=r"write http\(s\)://host"):
        Endpoint(url, "m")


def test_the_options_that_travel_to_other_processes_have_no_key(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from tahur.cli.llm.options import ModelOptions, llm_options

    monkeypatch.setenv("TAHUR_DATA", str(tmp_path))
    monkeypatch.setenv("TAHUR_LLM_KEY", CANARY)
    options = llm_options(ModelOptions("http://127.0.0.1:9/v1", "m", ["seconds=3"]))
    assert CANARY.encode() not in pickle.dumps(options)
    assert CANARY not in repr(options)
    assert key_in(os.environ, "http://127.0.0.1:9/v1") == CANARY


def test_the_key_of_openai_is_for_openai_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TAHUR_LLM_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    assert key_in(os.environ, "https://api.openai.com/v1") == CANARY
    assert key_in(os.environ, "https://api.openai.com.example.org/v1") == ""
    assert key_in(os.environ, "http://127.0.0.1:9/v1") == ""


def test_the_client_reads_no_key_of_its_own_from_the_environment(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setenv("OPENAI_ORG_ID", CANARY)
    monkeypatch.setenv("OPENAI_PROJECT_ID", CANARY)
    asking_player(server.url, key="other-key-entirely").act(views()[0], np.random.default_rng(1))
    assert CANARY not in json.dumps(server.heard[0][0])
