"""The time budget of a test fails it."""

from __future__ import annotations

import time

import pytest

from budgets import within


def test_what_takes_longer_than_its_budget_fails() -> None:
    began = time.monotonic()
    with pytest.raises(pytest.fail.Exception, match=r"time budget of 0\.05 s"), within(0.05):
        idle_until(began + 10)
    assert time.monotonic() - began < 5


def idle_until(end: float) -> None:
    while time.monotonic() < end:
        pass


def test_what_takes_less_passes() -> None:
    with within(60):
        pass
