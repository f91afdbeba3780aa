"""The time budget of a test."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Fail what takes longer; code that never comes back to Python is not interrupted."""

    def late(signum: int, frame: object) -> None:
        pytest.fail(f"over its time budget of {seconds:g} s; see docs/architecture.md, Tests", pytrace=True)

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
