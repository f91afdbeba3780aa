"""Start-up times: a command's answer, building the tables, compiling the kernels.

Each is a new Python process, so that nothing is in memory yet. Rows in wall time are from start to end; commands that
compute something, and what a new installation does once, are timed in CPU seconds of one core.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from benchmarks.measure import Wait

BUILD_TABLES = "from tahur.cards import tables; began = time.process_time(); tables.build()"
COMPILE_GROUPS = "began = time.process_time(); from tahur.warm import warm_up; list(warm_up({groups}))"
COMPILE = COMPILE_GROUPS.format(groups=("card",))
FIRST_RUN = COMPILE_GROUPS.format(groups=("solver",))
ALL_SOLVERS = COMPILE_GROUPS.format(groups=("solver", "solver-float32"))


def _command(*arguments: str) -> float:
    """Wall seconds of a `tahur` command."""
    return _wall_seconds([*_tahur(), *arguments])


def _command_cpu(*arguments: str) -> float:
    """CPU seconds of a `tahur` command from start to end, its user and system time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*_tahur(), *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _tahur() -> list[str]:
    script = Path(sys.executable).with_name("tahur")
    return [str(script)] if script.exists() else [sys.executable, "-m", "tahur"]


def _import(module: str) -> float:
    return _wall_seconds([sys.executable, "-c", f"import {module}"])


def _wall_seconds(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def _cpu_seconds(code: str, **environment: str) -> float:
    """CPU seconds, reported by the child process, since its code set `began`."""
    program = f"import time; {code}; print(time.process_time() - began)"
    child = subprocess.run(
        [sys.executable, "-c", program], check=True, text=True, stdout=subprocess.PIPE, env=os.environ | environment
    )
    return float(child.stdout)


def _compile(code: str) -> float:
    with tempfile.TemporaryDirectory() as empty:
        return _cpu_seconds(code, NUMBA_CACHE_DIR=empty)


BENCHMARKS = (
    Wait("tahur --help, wall time", 0.3, partial(_command, "--help"), rounds=10),
    Wait("import tahur.cards.ranges, wall time", None, partial(_import, "tahur.cards.ranges"), rounds=10),
    Wait("tahur equity AsAh KdKc, CPU time", 0.4, partial(_command_cpu, "equity", "AsAh", "KdKc"), rounds=10),
    Wait("tahur hand AsKsQsJsTs, CPU time", 0.3, partial(_command_cpu, "hand", "AsKsQsJsTs"), rounds=10),
    Wait("evaluator tables from nothing, CPU time", 1.0, partial(_cpu_seconds, BUILD_TABLES), rounds=5),
    Wait("card kernels compiled from nothing, CPU time", None, partial(_compile, COMPILE), rounds=1),
    Wait("solver kernels compiled by the first run, CPU time", 30.0, partial(_compile, FIRST_RUN), rounds=1),
    Wait("solver kernels with float32 as well, CPU time", 30.0, partial(_compile, ALL_SOLVERS), rounds=1),
)
