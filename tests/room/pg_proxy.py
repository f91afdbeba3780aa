"""A proxy in front of PostgreSQL that loses the connection around a COMMIT, before or after the server has seen it."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from enum import Enum
from pathlib import Path


class Cut(Enum):
    NEVER = "never"
    BEFORE = "before"  # the server never sees the COMMIT
    AFTER = "after"  # the server commits, and its answer is lost


class Proxy:
    """Listens at a socket file in its own folder. `cut` happens once, at the next COMMIT.

    With `every` the answers to every so many COMMITs are lost, again and again.
    """

    def __init__(self, folder: Path, server: Path) -> None:
        self.cut = Cut.NEVER
        self.every = 0
        self.cuts = 0
        self._commits = 0
        self._server = str(server / ".s.PGSQL.5432")
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / ".s.PGSQL.5432"))
        self._listening.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self._server)
            threading.Thread(target=self._requests, args=(client, server), daemon=True).start()
            threading.Thread(target=_copy, args=(server, client), daemon=True).start()

    def _next_cut(self) -> Cut:
        self._commits += 1
        if self.every and self._commits % self.every == 0:
            return Cut.AFTER
        how, self.cut = self.cut, Cut.NEVER
        return how

    def _requests(self, client: socket.socket, server: socket.socket) -> None:
        while data := _received(client):
            if b"COMMIT" in data and (how := self._next_cut()) is not Cut.NEVER:
                self.cuts += 1
                if how is Cut.AFTER:
                    client.shutdown(socket.SHUT_WR)  # the answer goes nowhere
                    server.sendall(data)
                    time.sleep(0.2)
                break
            server.sendall(data)
        for each in (client, server):
            _closed(each)


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := _received(source):
            target.sendall(data)
    for each in (source, target):
        _closed(each)


def _received(source: socket.socket) -> bytes:
    try:
        return source.recv(1 << 16)
    except OSError:
        return b""


def _closed(each: socket.socket) -> None:
    with suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)
    each.close()
