"""A model's endpoint on this machine that answers as it is told, well or badly: real HTTP, no model."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[["Handler", dict[str, Any]], None]


class Handler(BaseHTTPRequestHandler):
    """One request: reads it, keeps it, and behaves."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one packet: the other side would wait for the second
    server: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.heard.append((dict(self.headers), body))
        try:
            self.server.behaviour(self, json.loads(body))
            self.wfile.flush()
        except OSError:  # the other side has given up
            self.close_connection = True

    def do_GET(self) -> None:
        self.body(200, b'{"data": [{"id": "scripted"}]}')

    def log_message(self, format: str, *args: object) -> None:
        """Nobody wants to know."""

    def body(self, code: int, content: bytes, kind: str = "application/json", **headers: str) -> None:
        self.send_response(code)
        for name, value in {"content-type": kind, "content-length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def says(self, content: Any, **message: Any) -> None:
        """A well-formed answer of a chat with that content."""
        self.body(200, envelope(content, **message))

    def raw(self, content: bytes) -> None:
        """Bytes as they are, and the line is closed."""
        self.wfile.write(content)
        self.wfile.flush()
        self.close_connection = True

    def waits(self) -> None:
        """Until the test is over."""
        self.wfile.flush()
        self.close_connection = True
        self.server.over.wait(20)

    def drips(self, content: bytes) -> None:
        """A byte every few milliseconds."""
        self.close_connection = True
        for byte in content:
            self.wfile.write(bytes([byte]))
            self.wfile.flush()
            if self.server.over.wait(0.005):
                return

    def resets(self) -> None:
        """The line is cut, rudely."""
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.heard: list[tuple[dict[str, str], bytes]] = []
        self.over = threading.Event()
        self.behaviour: Behaviour = lambda handler, request: handler.says('{"option": 1}')

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, request: object, client_address: object) -> None:
        """Lines that break are what this server is for."""


def envelope(content: Any, **message: Any) -> bytes:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content, **message}}
    usage = {"prompt_tokens": 50, "completion_tokens": 10, "total_tokens": 60}
    return json.dumps({"id": "x", "object": "chat.completion", "choices": [choice], "usage": usage}).encode()


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
