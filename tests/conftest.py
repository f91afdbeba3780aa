"""For all tests: kernels are compiled once per run, and Hypothesis tries the same examples every time.

Several workers that found no compiled kernels would each compile all of them, and write them to one folder.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import settings

from budgets import within

settings.register_profile("tahur", derandomize=True, deadline=None, database=None)
settings.load_profile("tahur")

QUICK_MINUTES, SLOW_MINUTES = 2, 5  # the time budget of a test, unless its marker says otherwise

# Two halves that take about as long as each other, for two cores; each compiles, or loads what is compiled.
HALVES = (
    ("card", "batch", "postflop", "postflop-merged"),
    ("solver", "solver-float32", "street", "limit", "limit bucket", "no-limit", "multiway", "perudo", "deep"),
)


def pytest_configure(config: pytest.Config) -> None:
    # A shell starts background jobs with SIGINT ignored, and so would be every command that a test interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Only the process that starts workers, before it does; a process alone compiles what its tests come to need.
    if not hasattr(config, "workerinput") and getattr(config.option, "numprocesses", None):
        _compile_kernels()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Every test has a time budget: `slow(minutes=20)`, five minutes for a slow one, two for any other."""
    with within(_budget(item)):
        return (yield)


def _budget(item: pytest.Item) -> float:
    """Seconds."""
    marker = item.get_closest_marker("slow")
    return 60.0 * (QUICK_MINUTES if marker is None else marker.kwargs.get("minutes", SLOW_MINUTES))


def _compile_kernels() -> None:
    from tahur.core.cache import is_warm, mark_warm

    if is_warm("test"):
        return
    print("compiling the kernels, once for all workers ...", end=" ", flush=True)
    began = time.monotonic()
    program = "import sys; from tahur.warm import warm_up; list(warm_up(sys.argv[1:]))"
    halves = [subprocess.Popen([sys.executable, "-c", program, *half]) for half in HALVES]
    if any(half.wait() for half in halves):
        raise RuntimeError("the kernels did not compile; see above")
    for group in (*HALVES[0], *HALVES[1], "test"):
        mark_warm(group)
    print(f"kernels ready in {time.monotonic() - began:.1f} s", flush=True)
