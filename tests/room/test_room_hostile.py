"""Hostile input at the wire and behind it: ten thousand frames, none of which changes a room."""

from __future__ import annotations

import numpy as np
import pytest
from desk import Desk, settings
from test_room_server import hostile

from tahur.room import wire
from tahur.room.codec import WireError


def check_frames(frames: int, seed: int, pace: str = "instant") -> None:
    """What is read at all is refused by the room; nothing raises anything else, and the log stays as it is."""
    rng, desk = np.random.default_rng(seed), Desk(settings("nlhe", 2, pace=pace))
    desk.run()
    before, read = (len(desk.log), wire.encode(desk.frame("p0"))), 0
    for _ in range(frames):
        try:
            message = wire.decode_request(hostile(rng, "test-room"))
        except WireError:
            continue
        read += 1
        assert not isinstance(message, wire.Hello)
        assert isinstance(desk.ask(f"p{rng.integers(0, 3)}", message), wire.Refused)
    assert (len(desk.log), wire.encode(desk.frame("p0"))) == before
    assert 0 < read < frames / 2


def test_ten_thousand_hostile_frames_change_nothing() -> None:
    check_frames(10_000, seed=1)


def test_hostile_frames_change_nothing_where_seeds_are_asked_for() -> None:
    check_frames(3_000, seed=3, pace="brisk")


@pytest.mark.slow
def test_a_million_hostile_frames_change_nothing() -> None:
    check_frames(1_000_000, seed=2)
