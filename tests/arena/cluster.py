"""A Dask cluster on loopback for the tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def dask_cluster(folder: Path) -> Iterator[str]:
    """A scheduler and two workers on loopback, as somebody would start them in three terminals."""
    here = ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"]
    told = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, str(Path(__file__).parent)])}

    def dask(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "dask", *arguments, *here]
        return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder, env=told)

    scheduler = dask("scheduler", "--port", "0")
    assert scheduler.stderr is not None
    address = next(line.split()[-1] for line in scheduler.stderr if "Scheduler at:" in line)
    workers = [dask("worker", address, "--nthreads", "1", "--no-nanny") for _ in range(2)]
    try:
        yield address
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.communicate()
