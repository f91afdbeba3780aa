"""The real server in a process of its own, for tests: started, killed as a power cut would, started again."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path


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

    def start(self) -> float:
        """The seconds until it listens."""
        began = time.monotonic()
        words = [sys.executable, "-m", "tahur.web", "--port", str(self._port), *self._more]
        self._process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self._environment
        )
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        for line in self._process.stdout:
            if found := re.search(r"http://localhost:(\d+)/", line):
                self._port = int(found[1])
                self.address = f"http://localhost:{self._port}"
                return time.monotonic() - began
        raise AssertionError(f"the server did not start: {self._process.stderr.read()}")

    def kill(self) -> None:
        """SIGKILL: nothing is finished, nothing is flushed."""
        self._end(signal.SIGKILL)

    def stop(self) -> str:
        """As Ctrl-C; what it wrote to stderr."""
        return self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> str:
        assert self._process is not None
        self._process.send_signal(how)
        _, errors = self._process.communicate(timeout=60)
        self._process = None
        return errors
