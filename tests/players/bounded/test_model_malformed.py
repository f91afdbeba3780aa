"""Whatever a model's endpoint does, the game goes on: in time, by the rules, and after one more question at most."""

from __future__ import annotations

import gzip
import json
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from seats import asking_player, views

from scripted_endpoint import Behaviour, Server, envelope, serving
from tahur.core.player import View
from tahur.players.bounded.model import FORMS
from tahur.players.bounded.player import BoundedPlayer

OBJECT = '{"option": 1, "thought": "t", "talk": "Well now.", "plan": "p"}'
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"


def says(content: Any, **message: Any) -> Behaviour:
    return lambda handler, request: handler.says(content, **message)


def body(code: int, content: bytes = b"{}", kind: str = "application/json", **headers: str) -> Behaviour:
    return lambda handler, request: handler.body(code, content, kind, **headers)


def raw(content: bytes) -> Behaviour:
    return lambda handler, request: handler.raw(content)


# What is understood, though it is not what was asked for: each names option 1.
UNDERSTOOD: dict[str, Behaviour] = {
    "as asked for": says(OBJECT),
    "a bare number": says("1"),
    "a number and a full stop": says(" 1.\n"),
    "a word and a number": says("Option 1"),
    "a bold number": says("**1**"),
    "a number in quotes": says('"1"'),
    "a list of one": says("[1]"),
    "a fence": says(f"```json\n{OBJECT}\n```"),
    "a fence around a number": says("```\n1\n```"),
    "words around the object": says(f"Sure! Here you go: {OBJECT} Good luck!"),
    "a string for a number": says('{"option": "1"}'),
    "words for a number": says('{"option": "option 1"}'),
    "a whole float": says('{"option": 1.0}'),
    "another key": says('{"choice": 1}'),
    "a key in capitals": says('{"Option": 1}'),
    "talk that is null": says('{"option": 1, "talk": null, "thought": 7}'),
    "more than was asked for": says('{"option": 1, "confidence": 0.9, "cards": ["Ah"]}'),
    "thinking aloud first": says("<think>option 2 or option 3?</think>1"),
    "cut short behind the number": says('{"option": 1, "thought": "I am going to sa'),
    "a menu line": says("1. Call"),
    "chosen in a sentence": says("I choose option 1 because I like it."),
    "another content type": body(200, envelope("1"), "text/plain"),
    "talk without end": says(json.dumps({"option": 1, "talk": "la " * 5_000})),
}

# What is not understood, or no answer at all.
REFUSED: dict[str, Behaviour] = {
    "prose": says("I would rather talk about the weather."),
    "prose with an amount": says("I raise to 240!"),
    "nothing": says(""),
    "null": says(None),
    "blanks": says(" \n\t "),
    "a refusal": says(None, refusal="I cannot take part in gambling."),
    "a tool call": says(
        None, tool_calls=[{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]
    ),
    "content that is a list": says([{"type": "text", "text": "1"}]),
    "content that is a number": says(1),
    "option 0": says('{"option": 0}'),
    "option 9": says('{"option": 9}'),
    "option -1": says('{"option": -1}'),
    "an option of thirty digits": says('{"option": ' + "9" * 30 + "}"),
    "an option of five thousand digits": says('{"option": ' + "9" * 5_000 + "}"),
    "half an option": says('{"option": 1.5}'),
    "true": says('{"option": true}'),
    "an option that is null": says('{"option": null}'),
    "an option that is a list": says('{"option": [1, 2]}'),
    "not a number": says('{"option": NaN}'),
    "two numbers": says("1 or 2"),
    "two options": says("Option 1, or perhaps option 2."),
    "two objects that disagree": says('{"option": 1} {"option": 2}'),
    "a key twice": says('{"option": 1, "option": 2}'),
    "an empty object": says("{}"),
    "JSON cut short": says('{"option": '),
    "nesting without end": says('{"a":' * 4_000),
    "a list nested without end": says("[" * 9_000),
    "a page of HTML": body(200, b"<html><body>1</body></html>", "text/html"),
    "HTML as the content": says("<html><p>1</p></html>"),
    "no choices": body(200, b'{"choices": []}'),
    "no message": body(200, b'{"choices": [{}]}'),
    "another object": body(200, b'{"error": "no"}'),
    "a list for an envelope": body(200, b"[1]"),
    "an envelope nested without end": body(200, b'{"choices":' * 3_000),
    "an envelope cut short": body(200, envelope(OBJECT)[:-30]),
    "bad UTF-8": body(200, b"\xff\xfe\x80\x81" * 20),
    "an empty body": body(200, b""),
    "400": body(400),
    "408": body(408),
    "409": body(409),
    "422": body(422, b"schema?"),
    "429": body(429, b"{}", **{"retry-after": "3600"}),
    "500": body(500),
    "502 with HTML": body(502, b"<html>Bad gateway</html>", "text/html"),
    "503": body(503),
    "a redirect": body(302, b"", location="http://127.0.0.1:9/v1/chat/completions"),
    "not gzip": body(200, envelope("1"), **{"content-encoding": "gzip"}),
    "gzip of nothing good": body(200, gzip.compress(b"no"), **{"content-encoding": "gzip"}),
    "chunks that are none": raw(HEAD + b"transfer-encoding: chunked\r\n\r\nzz\r\n1\r\n"),
    "a body shorter than it says": raw(HEAD + b"content-length: 5000\r\n\r\n" + envelope("1")),
    "no HTTP": raw(b"220 mail ready\r\n"),
    "bytes": raw(bytes(range(256))),
    "half a head": raw(b"HTTP/1.1 200 OK\r\ncontent-type: appl"),
    "a closed line": lambda handler, request: handler.raw(b""),
    "a line cut": lambda handler, request: handler.resets(),
    "a flood": body(200, b'{"x": "' + b"y" * 1_000_001),
}
FINAL: dict[str, Behaviour] = {"401": body(401), "402": body(402), "403": body(403), "404": body(404, b"no such model")}
SLOW: dict[str, Behaviour] = {
    "a hang": lambda handler, request: handler.waits(),
    "a hang after the head": lambda handler, request: (handler.wfile.write(HEAD), handler.waits())[1],
    "a hang in the body": lambda handler, request: (
        handler.wfile.write(HEAD + b"content-length: 999\r\n\r\n{"),
        handler.waits(),
    )[1],
    "a drip": lambda handler, request: handler.drips(HEAD + b"content-length: 5000\r\n\r\n" + b" " * 5_000),
    "a drip in the head": lambda handler, request: handler.drips(b"HTTP/1.1 200 OK\r\nx: " + b"y" * 5_000),
}
SLACK = 0.25  # seconds beyond the deadline
DEADLINE = 0.06  # for who is slow
ONE_QUESTION, TWO_QUESTIONS, SLOW_EACH = 22, 7, 3  # decisions of each kind


@pytest.fixture(autouse=True)
def _nothing_known_of_endpoints() -> None:
    FORMS.clear()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


def decide(player: BoundedPlayer, server: Server, view: View, *, limit: float) -> tuple[float, int]:
    """The seconds a decision took and the questions it asked; it is legal, or this fails.

    A machine that is busy elsewhere may hold us up once; what stalls does so every time.
    """
    took = []
    for _ in range(3):
        server.heard.clear()
        began = time.monotonic()
        decision = player.act(view, np.random.default_rng(5))
        took.append(time.monotonic() - began)
        assert decision.action in view.table.actions()
        if took[-1] <= limit:
            break
    return min(took), len(server.heard)


def test_there_are_enough_kinds_of_answers() -> None:
    assert len(REFUSED | FINAL | SLOW) >= 40
    one, two = ONE_QUESTION * len(UNDERSTOOD | FINAL), TWO_QUESTIONS * len(REFUSED)
    assert one + two + SLOW_EACH * len(SLOW) >= 1_000


@pytest.mark.parametrize("kind", UNDERSTOOD)
def test_what_can_be_understood_is_at_the_first_try(server: Server, kind: str) -> None:
    server.behaviour = UNDERSTOOD[kind]
    log: list[dict[str, Any]] = []
    player = asking_player(server.url, log)
    for view in views()[:ONE_QUESTION]:
        _, asked = decide(player, server, view, limit=5.0)
        assert asked == 1
    assert {(entry["by"], entry["option"], entry["tries"]) for entry in log} == {("model", 1, 1)}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_understood_is_asked_once_more_and_then_the_best_option_is_taken(
    server: Server, kind: str
) -> None:
    server.behaviour = REFUSED[kind]
    log: list[dict[str, Any]] = []
    player = asking_player(server.url, log)
    for view in views()[:TWO_QUESTIONS]:
        _, asked = decide(player, server, view, limit=5.0)
        assert asked == 2
    assert {(entry["by"], entry["tries"], len(entry["faults"])) for entry in log} == {("fallback", 2, 2)}
    assert all(entry["option"] == _best(entry["menu"]) for entry in log)


@pytest.mark.parametrize("kind", FINAL)
def test_what_will_not_change_is_not_asked_again(server: Server, kind: str) -> None:
    server.behaviour = FINAL[kind]
    log: list[dict[str, Any]] = []
    player = asking_player(server.url, log)
    for view in views()[:ONE_QUESTION]:
        _, asked = decide(player, server, view, limit=5.0)
        assert asked == 1
    assert Counter(fault for entry in log for fault in entry["faults"]) == {f"HTTP {kind}": len(log)}


@pytest.mark.parametrize("kind", SLOW)
def test_nobody_waits_longer_than_the_deadline(server: Server, kind: str) -> None:
    server.behaviour = SLOW[kind]
    log: list[dict[str, Any]] = []
    player = asking_player(server.url, log, seconds=DEADLINE)
    for view in views()[:SLOW_EACH]:
        seconds, asked = decide(player, server, view, limit=DEADLINE + SLACK)
        assert seconds <= DEADLINE + SLACK
        assert asked <= 2
    assert {entry["by"] for entry in log} == {"fallback"}


def test_the_second_try_may_be_the_good_one(server: Server) -> None:
    def behaves(handler: Any, request: dict[str, Any]) -> None:
        handler.says("?" if len(server.heard) == 1 else "1")

    server.behaviour = behaves
    log: list[dict[str, Any]] = []
    player = asking_player(server.url, log)
    decide(player, server, views()[0], limit=5.0)
    assert [(entry["by"], entry["tries"], entry["option"]) for entry in log] == [("model", 2, 1)]
    first, second = (json.loads(body)["messages"] for _, body in server.heard)
    assert second[: len(first)] == first
    assert "Reply with one number" in second[-1]["content"]


REFUSALS = {
    "schema": ("response_format", b"{}"),
    "max_tokens": ("max_tokens", b'{"error": {"message": "Unsupported parameter: max_tokens", "param": "max_tokens"}}'),
}


@pytest.mark.parametrize("refused", REFUSALS)
def test_what_an_endpoint_refuses_is_sent_once_and_never_again_in_the_run(server: Server, refused: str) -> None:
    key, body = REFUSALS[refused]
    requests: list[dict[str, Any]] = []

    def behaves(handler: Any, request: dict[str, Any]) -> None:
        requests.append(request)
        handler.body(400, body) if key in request else handler.says("1")

    server.behaviour = behaves
    log: list[dict[str, Any]] = []
    for _ in range(3):  # a new player each time, as for each block of a match
        decide(asking_player(server.url, log), server, views()[0], limit=5.0)
    assert [(entry["by"], entry["tries"]) for entry in log] == [("model", 2), ("model", 1), ("model", 1)]
    assert [key in request for request in requests] == [True, False, False, False]
    assert all("response_format" in request for request in requests) == (refused == "max_tokens")


def test_an_endpoint_that_refuses_everything_is_asked_in_every_form_in_turn(server: Server) -> None:
    requests: list[dict[str, Any]] = []

    def behaves(handler: Any, request: dict[str, Any]) -> None:
        requests.append(request)
        handler.body(400, b"{}")

    server.behaviour = behaves
    log: list[dict[str, Any]] = []
    for _ in range(2):
        decide(asking_player(server.url, log), server, views()[0], limit=5.0)
    assert log[0]["faults"] == ["HTTP 400", "HTTP 400"]
    forms = [("response_format" in request, "max_tokens" in request) for request in requests]
    assert forms == [(True, True), (False, True), (False, False), (True, True)]


def test_nobody_at_the_address_is_no_reason_to_stop() -> None:
    log: list[dict[str, Any]] = []
    player = asking_player("http://127.0.0.1:9/v1", log)
    assert player.act(views()[0], np.random.default_rng(5)).action in views()[0].table.actions()
    assert log[0]["faults"] == ["no connection", "no connection"]


def _best(menu: list[dict[str, Any]]) -> int:
    """By label and chips; equal options are told apart by style, which the log need not repeat."""
    order = ["-EV", "marginal", "neutral", "+EV"]
    best = max(menu, key=lambda option: (order.index(option["ev"]), option["chip_ev"]))
    return int(best["number"])
