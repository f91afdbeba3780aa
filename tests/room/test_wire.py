"""The wire: what we write we read again, what is not ours is refused, and the page's types are made from ours."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from tahur.room import wire
from tahur.room.codec import WireError
from tahur.room.scene import HoldemChoices, HoldemScene, ScenePot, SeatScene, Size, Turn

ROOT = Path(__file__).parents[2]

REQUESTS = (
    wire.Hello(7),
    wire.Act(id="a1", hand=3, at=4, action=241, say="take that"),
    wire.Say("s", "hello"),
    wire.SitOut("o", True),
    wire.PutMind("m", 3, "persona:shark"),
)


@pytest.mark.parametrize("message", REQUESTS, ids=lambda message: message.TYPE)
def test_what_a_page_sends_is_read_as_it_was_written(message: wire.ToServer) -> None:
    assert wire.decode_request(wire.encode(message)) == message


def test_what_a_room_sends_is_read_as_it_was_written() -> None:
    seat = SeatScene(
        seat=0,
        name="Ana",
        mind=None,
        state="in",
        here=True,
        chips=200,
        bet=2,
        last="call 2",
        hand=("As", "Kd"),
        hidden=0,
    )
    table = HoldemScene(
        board=("2c",), street="flop", button=0, blinds=(1, 2), pot=4, pots=(ScenePot(4, (0, 1)),), bet=0
    )
    turn = Turn(seat=0, at=3, left=30_000, whole=30_000, bank=60_000, grace=0)
    choices = HoldemChoices(fold=True, call=2, call_all_in=False, least=4, most=200, sizes=(Size("pot", 6),))
    scene = wire.Scene(
        room="r",
        title="t",
        game="nlhe",
        hand=1,
        phase="playing",
        why="",
        host=0,
        you=0,
        seats=(seat,),
        table=table,
        turn=turn,
        choices=choices,
        muck=True,
        may_rebuy=False,
        commitment="00",
    )
    frame = wire.Frame(9, False, (wire.Event(number=9, hand=1, kind="act", seat=0, words="Ana calls 2", at=2),), scene)
    for message in (frame, wire.Ack("a", 9), wire.Refused("a", "no"), wire.Closing("full", True)):
        assert wire.decode_answer(wire.encode(message)) == message


ACT: dict[str, Any] = {"v": 2, "type": "act", "id": "a", "hand": 1, "at": 0, "action": 1}


@pytest.mark.parametrize(
    "change",
    [
        {"v": 1},
        {"v": True},
        {"v": "1"},
        {"type": "frame"},
        {"type": ["act"]},
        {"id": ""},
        {"id": "x" * 65},
        {"id": "a\nb"},
        {"id": 3},
        {"hand": "1"},
        {"hand": 1.0},
        {"hand": True},
        {"hand": -1},
        {"action": None},
        {"action": 10**13},
        {"say": "x" * 281},
        {"more": 1},
    ],
    ids=str,
)
def test_a_message_that_is_wrong_in_one_place_is_refused(change: dict[str, Any]) -> None:
    assert wire.decode_request(json.dumps(ACT)) == wire.Act("a", 1, 0, 1)
    with pytest.raises(WireError):
        wire.decode_request(json.dumps(ACT | change))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{",
        '{"v":1}',
        json.dumps(ACT)[:-1],
        json.dumps(ACT) + "x",
        json.dumps(ACT).replace('"hand": 1', '"hand": NaN'),
        json.dumps(ACT).replace('"hand": 1', '"hand": Infinity'),
        json.dumps(ACT).replace('"hand": 1', '"hand": 1e999'),
        json.dumps(ACT).replace('"hand": 1', '"hand": 1, "hand": 1'),
        json.dumps(ACT).replace('"hand": 1', '"hand": ' + "[" * 1500 + "]" * 1500),
        json.dumps(ACT | {"say": "x" * 5000}),
        b"\xff\xfe",
        b"\x00",
        "9" * 4000,
    ],
    ids=lambda text: repr(text)[:20],
)
def test_what_is_no_message_is_refused(text: str | bytes) -> None:
    with pytest.raises(WireError):
        wire.decode_request(text)


def test_the_types_of_the_page_are_made_from_the_python_ones() -> None:
    spec = importlib.util.spec_from_file_location("wire_types", ROOT / "tools" / "wire_types.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made = (ROOT / "page" / "src" / "wire.ts").read_text("utf-8")
    assert made == module.typescript(), "run: python tools/wire_types.py"
