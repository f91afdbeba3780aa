"""A PostgreSQL of the test's own: made in an empty folder, reached by a socket file there, gone afterwards."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from needs import need

USER = "postgres"


@contextmanager
def postgres() -> Iterator[str]:
    """The address of a fresh database; without PostgreSQL or psycopg the test is skipped, or fails where CI=true."""
    need(find_spec("psycopg"), "psycopg is not installed: pip install -e '.[postgres]'")
    initdb, server = _program("initdb"), _program("postgres")
    as_whom = USER if os.geteuid() == 0 else None  # it does not run as root
    folder = Path(tempfile.mkdtemp(prefix="tahur-pg-"))
    if as_whom is not None:
        shutil.chown(folder, USER)
    try:
        made = subprocess.run(
            [initdb, "-D", folder / "data", "-U", USER, "-A", "trust"], user=as_whom, capture_output=True, text=True
        )
        assert made.returncode == 0, made.stderr
        words = [server, "-D", folder / "data", "-k", folder, "-c", "listen_addresses="]
        process = subprocess.Popen(words, user=as_whom, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            _wait_for(folder / ".s.PGSQL.5432", process)
            yield f"postgresql://{USER}@/postgres?host={folder}"
        finally:
            process.terminate()
            process.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _program(name: str) -> str:
    found = shutil.which(name) or next(
        (str(path) for path in sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)), None
    )
    need(found, f"PostgreSQL's {name} is not installed: apt-get install postgresql")
    return str(found)


def _wait_for(socket: Path, process: subprocess.Popen[bytes]) -> None:
    for _ in range(1200):
        if socket.exists():
            time.sleep(0.5)  # the file is there a moment before anybody listens
            return
        assert process.poll() is None, "PostgreSQL did not start"
        time.sleep(0.1)
    raise AssertionError("PostgreSQL did not start in two minutes")
