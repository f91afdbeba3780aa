"""A hung or flooding endpoint, over real TCP: it costs one decision, no thread, no socket and little memory."""

from __future__ import annotations

import os
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from hostile_endpoint import FLOODS, HANGS, hostile_ports
from tahur.players.bounded.model import LONGEST_BODY, Endpoint, Model, ModelError, ModelRequest

QUESTION = ModelRequest([{"role": "user", "content": "Which option?"}], 20)
TOO_LONG = f"an answer of more than {LONGEST_BODY // 1_000_000} MB"
WORDS = {
    "headers": "a broken line (RemoteProtocolError)",
    "one_header": "a broken line (RemoteProtocolError)",
    "brotli": "an answer in the encoding 'br', which was not asked for",
}
DEADLINE = 0.3  # seconds


@pytest.fixture(scope="module")
def ports() -> Iterator[dict[str, int]]:
    with hostile_ports() as ports:
        yield ports


def asked(ports: dict[str, int], name: str, seconds: float) -> tuple[str, float]:
    """What the client says of it, and how long that took."""
    scheme = "https" if name.startswith("tls") else "http"
    model = Model(Endpoint(f"{scheme}://127.0.0.1:{ports[name]}/v1", "hostile"))
    began = time.monotonic()
    with pytest.raises(ModelError) as caught:
        model.ask(QUESTION, seconds)
    return str(caught.value), time.monotonic() - began


@pytest.mark.parametrize("name", [each.__name__ for each in FLOODS])
def test_an_answer_is_cut_off_at_one_megabyte_whatever_its_status_and_encoding(
    ports: dict[str, int], name: str
) -> None:
    asked(ports, name, 20.0)  # imports are not what is measured
    tracemalloc.start()
    try:
        words, _ = asked(ports, name, 20.0)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert words == WORDS.get(name, TOO_LONG)
    assert peak < 12 * LONGEST_BODY


def test_fifty_hung_calls_end_at_the_deadline_and_leave_no_thread_and_no_socket(ports: dict[str, int]) -> None:
    names = [each.__name__ for each in HANGS]
    _hung(ports, names, 1)  # the one thread of the loop, those that look names up, and what is imported
    threads, files = _threads(), _files()
    answers = _hung(ports, names, 10)
    assert len(answers) == 50
    assert {words for words, _ in answers} == {"no answer in time"}
    assert max(seconds for _, seconds in answers) < DEADLINE + 2.0  # fifty at once, on a busy machine
    assert _settled(_files) <= files
    assert _settled(_threads) <= threads


def _hung(ports: dict[str, int], names: list[str], times: int) -> list[tuple[str, float]]:
    with ThreadPoolExecutor(times * len(names)) as pool:
        found = [pool.submit(asked, ports, name, DEADLINE) for name in names * times]
        return [each.result() for each in found]


def _threads() -> int:
    """Without the few that look up names for the loop; there are never more than the processors allow."""
    return sum(not thread.name.startswith("asyncio_") for thread in threading.enumerate())


def _files() -> int:
    return len(os.listdir("/proc/self/fd"))


def _settled(count: Callable[[], int]) -> int:
    """The count once it no longer falls: a cancelled task needs a moment to close its connection."""
    before = count()
    for _ in range(50):
        time.sleep(0.02)
        before = min(before, count())
    return before
