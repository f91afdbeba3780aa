"""Solves of the shelf's spots: one after another, each in a process of its own (`solving.py`)."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tahur.core.cache import is_warm
from tahur.study.shelf import ShelfSpot, share_done
from tahur.web.solving import KERNELS

LONGEST_LINE: Final = 10_000  # characters of an error message that are kept

_log: Final = logging.getLogger(__name__)


@dataclass(slots=True)
class SolveJob:
    """A spot that is being solved, or waits for its turn; `problem`: why it failed."""

    shelf: ShelfSpot
    target: Path
    first: float = 0.0  # exploitability at the first measurement, % of the pot
    now: float = 0.0
    iterations: int = 0
    running: bool = False
    problem: str = ""

    @property
    def progress(self) -> float:
        return share_done(self.first, self.now, self.shelf.target) if self.first else 0.0


async def compile_apart() -> None:
    """Compile the kernels in a process of their own, if this installation has not yet."""
    if not is_warm(KERNELS):
        process = await asyncio.create_subprocess_exec(sys.executable, "-m", "tahur.web.solving", stderr=PIPE)
        await process.communicate()


class SolveQueue:
    """The solves of one server. `jobs` has those that wait, run, or failed, by the name of their spot."""

    def __init__(self, memory: Callable[[], int]) -> None:
        self.jobs: dict[str, SolveJob] = {}
        self._memory = memory  # bytes that a solve may use
        self._process: Process | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self, shelf: ShelfSpot, target: Path) -> None:
        """Solve a spot when those before it are done; nothing happens if it already waits or runs."""
        known = self.jobs.get(shelf.name)
        if known is None or known.problem:
            self.jobs[shelf.name] = SolveJob(shelf, target)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())

    async def close(self) -> None:
        """Stop; unfinished solves are lost."""
        if self._task is not None:
            self._task.cancel()
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.terminate()
            await self._process.wait()

    async def _work(self) -> None:
        while waiting := [job for job in self.jobs.values() if not job.problem]:
            job = waiting[0]
            job.running = True
            try:
                job.problem = await self._solve(job)
            except OSError as error:
                job.problem = f"the solver could not be started: {error.strerror or error}"
            except (ValueError, KeyError, TypeError) as error:
                job.problem = f"the solver's progress could not be read: {error}"
            if job.problem:
                _log.warning("solve failed", extra={"spot": job.shelf.name, "why": job.problem})
            else:
                del self.jobs[job.shelf.name]

    async def _solve(self, job: SolveJob) -> str:
        """Run one solve to its end; the problem if there is one."""
        words = ["-m", "tahur.web.solving", job.shelf.name, str(job.target), str(self._memory())]
        self._process = process = await asyncio.create_subprocess_exec(sys.executable, *words, stdout=PIPE, stderr=PIPE)
        assert process.stdout is not None
        assert process.stderr is not None
        errors = asyncio.create_task(process.stderr.read())
        async for line in process.stdout:
            measured = json.loads(line)
            job.now, job.iterations = measured["exploitability"], measured["iteration"]
            job.first = job.first or job.now
        said = (await errors).decode(errors="replace").strip()[-LONGEST_LINE:]
        if await process.wait() == 0:
            return ""
        return said.splitlines()[-1] if said else f"the solver stopped with code {process.returncode}; open it again"
