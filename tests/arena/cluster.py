"""A Dask cluster on loopback for the tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

HERE = ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")


class DaskCluster(NamedTuple):
    """A scheduler's address, and the processes."""

    address: str
    scheduler: subprocess.Popen[str]
    workers: list[subprocess.Popen[str]]


@contextmanager
def dask_cluster(folder: Path, workers: int = 2) -> Iterator[DaskCluster]:
    """A scheduler and its workers on loopback, as somebody would start them in several terminals."""
    path = os.pathsep.join([*sys.path, str(Path(__file__).parent)])

    def dask(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "dask", *arguments, *HERE]
        return subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, cwd=folder, env={**os.environ, "PYTHONPATH": path}
        )

    scheduler = dask("scheduler", "--port", "0")
    assert scheduler.stderr is not None
    address = next(line.split()[-1] for line in scheduler.stderr if "Scheduler at:" in line)
    crew = [dask("worker", address, "--nthreads", "1", "--no-nanny") for _ in range(workers)]
    try:
        yield DaskCluster(address, scheduler, crew)
    finally:
        for process in (*crew, scheduler):
            process.kill()
            process.communicate()
