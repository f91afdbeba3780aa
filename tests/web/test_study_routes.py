"""Study over HTTP, at a real server: who may look, who may change the library, and what hostile requests get."""

from __future__ import annotations

import gzip
import json
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[1] / "room"))  # `served` and `guests`

from guests import PROXY, Guest
from served import Served

from tahur.solvers.postflop.solve import solve
from tahur.solvers.postflop.spot import spot
from tahur.web.guard import is_operator
from tahur.web.study import STUDY_HANDLERS

PASSWORD = "four aces"
SHELF = "river-flush"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a password that also stands behind a proxy; who comes without the proxy is the operator."""
    server = Served(tmp_path_factory.mktemp("study"), "--password", PASSWORD, "--unlimited", *PROXY)
    server.start()
    yield server
    assert "Traceback" not in server.stop()


@pytest.fixture(scope="module")
def door_pass(served: Served) -> str:
    return str(Guest(served, "192.0.2.1").call("/api/enter", {"password": PASSWORD})[1]["token"])


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("spots") / "spot.tahur"
    terms = spot(board="Td9d6hQc", oop="AA,KTs,J8s", ip="TT,98s,A5s", pot=20, stack=40, sizes="50%,a / a")
    solve(terms, target=1).save(path)
    return path.read_bytes()


def ask(served: Served, path: str, token: str, data: bytes | None = None, **headers: str) -> tuple[int, Any]:
    """A request of the operator's browser."""
    head = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", **headers}
    request = urllib.request.Request(served.address + path, data, head)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def imports(served: Served, token: str, data: bytes, name: str = "My%20turn") -> tuple[int, Any]:
    kind = {"Content-Type": "application/octet-stream"}
    return ask(served, f"/api/study?name={name}", token, data, **kind)


@pytest.mark.parametrize(("method", "path"), [(method, path) for method, path, _ in STUDY_HANDLERS])
def test_a_stranger_learns_nothing_and_a_guest_changes_nothing(
    served: Served, door_pass: str, method: str, path: str
) -> None:
    address = "/api" + path.format(spot=SHELF)
    body = None if method == "GET" else {}
    assert Guest(served, "192.0.2.9").call(address, body)[0] == 401
    if method == "POST":
        status, answer = Guest(served, "192.0.2.9", door_pass).call(address, body)
        assert status == 403
        assert "only the operator" in answer["error"]


def test_a_guest_sees_the_library_and_what_is_solved_in_it(served: Served, door_pass: str, content: bytes) -> None:
    name = imports(served, door_pass, content)[1]["spot"]
    guest = Guest(served, "192.0.2.9", door_pass)
    status, shelves = guest.call("/api/study")
    assert (status, shelves["operator"]) == (200, False)
    assert name in [card["spot"] for card in shelves["spots"]]
    status, node = guest.call(f"/api/study/{name}/node?line=check,check,2c")
    assert (status, node["kind"], len(node["board"])) == (200, "decision", 5)


def test_the_operator_solves_a_spot_of_the_shelf_and_sees_its_progress(served: Served, door_pass: str) -> None:
    status, card = ask(served, f"/api/study/{SHELF}/node", door_pass)
    assert status == 404
    assert "is not solved yet" in card["error"]
    status, card = ask(served, f"/api/study/{SHELF}/solve", door_pass, b"{}")
    assert (status, card["shelf"]) == (200, True)
    for _ in range(300):
        status, card = ask(served, f"/api/study/{SHELF}", door_pass)
        assert card["state"] in ("waiting", "solving", "solved"), card["problem"]
        if card["state"] == "solved":
            break
        time.sleep(0.1)
    assert card["exploitability"] < 0.1
    assert ask(served, f"/api/study/{SHELF}/solve", door_pass, b"{}")[1]["state"] == "solved"
    status, node = ask(served, f"/api/study/{SHELF}/node", door_pass)
    assert (status, node["complete"]) == (200, True)


def test_a_file_is_imported_renamed_downloaded_deleted_and_restored(
    served: Served, door_pass: str, content: bytes
) -> None:
    status, changed = imports(served, door_pass, content, "Turn%3A%20%3Cb%3E")
    name = changed["spot"]
    assert (status, name) == (200, "turn-b")
    status, _ = ask(served, f"/api/study/{name}/rename", door_pass, b'{"name": "Check twice"}')
    assert ask(served, f"/api/study/{name}", door_pass)[1]["name"] == "Check twice"
    head = {"Authorization": f"Bearer {door_pass}"}
    with urllib.request.urlopen(
        urllib.request.Request(f"{served.address}/api/study/{name}/file", headers=head)
    ) as file:
        assert file.read() == content
    assert ask(served, f"/api/study/{name}/delete", door_pass, b"{}")[0] == 200
    assert ask(served, f"/api/study/{name}/node", door_pass)[0] == 404
    assert ask(served, f"/api/study/{name}/restore", door_pass, b"{}")[0] == 200
    assert ask(served, f"/api/study/{name}/node", door_pass)[0] == 200


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/study/..%2f..%2frooms/node", 404),
        ("/api/study/%2e%2e/file", 404),
        ("/api/study/rooms.db/file", 404),
        ("/api/study/names/file", 404),
        (f"/api/study/{'a' * 5000}/node", 404),
        ("/api/study/%00/node", 404),
        (f"/api/study/{SHELF}/runouts", 400),
        (f"/api/study/{SHELF}/node?line=jump", 400),
        (f"/api/study/{SHELF}/node?line={'check,' * 500}", 400),
    ],
)
def test_a_bad_address_is_refused_in_a_sentence(served: Served, door_pass: str, path: str, status: int) -> None:
    ask(served, f"/api/study/{SHELF}/solve", door_pass, b"{}")
    got, answer = ask(served, path, door_pass)
    assert got in (status, 404), answer
    assert 10 < len(answer["error"]) < 300


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"#!/bin/sh\n", "not a file of `tahur postflop solve`"),
        (b"PK\x03\x04" + bytes(3_000_000), "not imported"),
    ],
)
def test_a_file_that_is_not_a_solved_spot_is_refused(served: Served, door_pass: str, data: bytes, words: str) -> None:
    before = ask(served, "/api/study", door_pass)[1]["spots"]
    status, answer = imports(served, door_pass, data)
    assert status == 400
    assert words in answer["error"]
    assert ask(served, "/api/study", door_pass)[1]["spots"] == before


@pytest.mark.parametrize("name", ["", "%00", "a" * 81, "%E2%80%AEtxt"])
def test_a_name_that_cannot_be_shown_is_refused(served: Served, door_pass: str, content: bytes, name: str) -> None:
    status, answer = imports(served, door_pass, content, name)
    assert (status, list(answer)) == (400, ["error"])


def test_a_node_is_compressed_for_a_browser(served: Served, door_pass: str, content: bytes) -> None:
    name = imports(served, door_pass, content, "packed")[1]["spot"]
    head = {"Authorization": f"Bearer {door_pass}", "Accept-Encoding": "gzip"}
    request = urllib.request.Request(f"{served.address}/api/study/{name}/node", headers=head)
    with urllib.request.urlopen(request) as answer:
        packed = answer.read()
        assert answer.headers["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(packed)) == ask(served, f"/api/study/{name}/node", door_pass)[1]


@pytest.mark.parametrize(
    ("address", "headers", "operator"),
    [
        ("127.0.0.1", {"host": "localhost:8723"}, True),
        ("::1", {"host": "[::1]:8723"}, True),
        ("192.0.2.1", {"host": "localhost:8723"}, False),
        ("127.0.0.1", {"host": "cards.example.org"}, False),
        ("127.0.0.1", {"host": "localhost", "x-forwarded-for": "192.0.2.1"}, False),
        ("127.0.0.1", {"host": "localhost", "forwarded": "for=192.0.2.1"}, False),
        ("127.0.0.1", {"host": "localhost", "via": "1.1 proxy"}, False),
        ("127.0.0.1", {}, False),
        ("", {"host": "localhost"}, False),
    ],
)
def test_the_operator_is_who_comes_from_this_machine_and_through_no_proxy(
    address: str, headers: dict[str, str], operator: bool
) -> None:
    assert is_operator(headers, address) is operator
