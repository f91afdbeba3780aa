"""The real server in a process of its own, for tests: started, killed as a power cut would, started again."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

from bots import call

# Imports the server once, then forks one for each line that it is told; each is killed before the next.
NURSERY = """
import gc, json, os, sys
import anyio._backends._asyncio, sqlalchemy.dialects.sqlite, sqlalchemy.dialects.postgresql, numpy.ma
import uvicorn.lifespan.on, uvicorn.loops.auto, uvicorn.protocols.http.auto, uvicorn.protocols.websockets.auto
import tahur.room.holdem, tahur.room.perudo, tahur.web.app, tahur.web.__main__, tahur.web.server
from tahur.cards.evaluator import evaluator
from tahur.players.registry import make_player
from tahur.web.__main__ import main
make_player("persona:shark")
evaluator()
gc.freeze()
for line in sys.stdin:
    child = os.fork()
    if not child:
        main(json.loads(line))
        os._exit(0)
    print("process", child, flush=True)
    print("ended", os.waitpid(child, 0)[1], flush=True)
"""


class Served:
    """`python -m tahur.web` over a folder; the port stays the same when it is started again."""

    def __init__(
        self, folder: Path, *more: str, database: str | None = None, environment: dict[str, str] | None = None
    ) -> None:
        self.database = database or f"sqlite:///{folder / 'rooms.db'}"
        self._more = ("--data", str(folder), *more)
        self._environment = {**os.environ, **(environment or {})}
        self._port = 0
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    @property
    def words(self) -> list[str]:
        return ["--port", str(self._port), *self._more]

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> float:
        """The seconds until it answers."""
        began = time.monotonic()
        self._process = self._python("-m", "tahur.web", *self.words)
        self._heard(r"http://localhost:(\d+)/")
        assert call(self.address, "/api/rooms/nowhere")[0] in (401, 404)  # 401: it has a password
        return time.monotonic() - began

    def kill(self) -> None:
        """SIGKILL: nothing is finished, nothing is flushed."""
        self._end(signal.SIGKILL)

    def stop(self) -> str:
        """As Ctrl-C; what it wrote to stderr."""
        return self._end(signal.SIGINT)

    def _python(self, *words: str) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        command = [sys.executable, *words]
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=self._environment)

    def _heard(self, *wanted: str) -> None:
        """Read on until the server has said all of it; its port is noted."""
        process, missing = self._process, list(wanted)
        assert process is not None
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("ended") and not line.startswith(f"ended {signal.SIGKILL.value}\n"):
                process.kill()
                break
            for pattern in [each for each in missing if re.search(each, line)]:
                missing.remove(pattern)
                self._note(re.search(pattern, line))
            if not missing:
                return
        raise AssertionError(f"the server did not start: {process.stderr.read() if process.stderr else ''}")

    def _note(self, found: re.Match[str] | None) -> None:
        assert found is not None
        self._port = int(found[1])
        self.address = f"http://localhost:{self._port}"

    def _end(self, how: signal.Signals) -> str:
        assert self._process is not None
        self._process.send_signal(how)
        _, errors = self._process.communicate(timeout=60)
        self._process = None
        return errors


class Forked(Served):
    """The same server, without the seconds that Python needs to import it: for tests that kill it many times."""

    def __init__(self, folder: Path, *more: str, database: str | None = None) -> None:
        super().__init__(folder, *more, database=database)
        self._nursery: subprocess.Popen[str] | None = None
        self._pid = 0

    def start(self) -> float:
        began = time.monotonic()
        self._nursery = self._process = self._nursery or self._python("-c", NURSERY)
        assert self._nursery.stdin is not None
        self._nursery.stdin.write(json.dumps(self.words) + "\n")
        self._nursery.stdin.flush()
        self._heard(r"http://localhost:(\d+)/", r"^process (\d+)")
        assert call(self.address, "/api/rooms/nowhere")[0] == 404
        return time.monotonic() - began

    def _note(self, found: re.Match[str] | None) -> None:
        assert found is not None
        if found[0].startswith("process"):
            self._pid = int(found[1])
        else:
            super()._note(found)

    def kill(self) -> None:
        os.kill(self._pid, signal.SIGKILL)

    def stop(self) -> str:
        self.kill()
        assert self._nursery is not None
        _, errors = self._nursery.communicate(timeout=60)
        return errors


def startup(folder: Path) -> float:
    """CPU seconds of one start up to the first answer, as they would be if nobody else used the processor."""
    before = _of_children()
    server = Served(folder)
    server.start()
    server.kill()
    return (_of_children() - before) / crowding()


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def crowding() -> float:
    """How many times as long as on an idle core of 2020 a loop takes here and now, 1 at least."""
    began = time.process_time()
    total = 0
    for number in range(1_000_000):
        total += number
    return max(1.0, (time.process_time() - began) / 0.06)
