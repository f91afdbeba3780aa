"""uvicorn for the card room: prints its address once it listens, opens the browser, trusts configured proxies."""

from __future__ import annotations

import gc
import ipaddress
import re
import socket
import sys
import webbrowser
from collections.abc import Iterable, Sequence
from typing import Any, Final

import uvicorn
from fastapi import FastAPI

from tahur.web.connections import Gate, guarded, most_connections

SWITCH = 0.001  # switch interval of threads in seconds; Python's default of 0.005 adds up
ANYWHERE = ("127.0.0.1", "::1", "0.0.0.0", "::")


class Server(uvicorn.Server):
    """A server that prints its address on stdout."""

    def __init__(self, config: uvicorn.Config, *, open_browser: bool) -> None:
        super().__init__(config)
        self._open_browser = open_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening, print the address and, if wanted, open the browser."""
        await super().startup(sockets=sockets)
        if not self.started:
            return
        port = self.servers[0].sockets[0].getsockname()[1]
        host = "localhost" if self.config.host in ANYWHERE else self.config.host
        address = f"http://{host}:{port}/"
        sys.stdout.write(f"The card room is open at {address}  (Ctrl-C stops it; nothing is lost)\n")
        sys.stdout.flush()
        if self._open_browser and not _try_browser(address):
            sys.stdout.write(f"No browser was found; open {address} yourself.\n")
            sys.stdout.flush()


def run(app: FastAPI, host: str, listening: socket.socket, *, open_browser: bool, trusted: Sequence[str] = ()) -> None:
    """Serve until stopped; `trusted`: addresses of proxies whose forwarding headers are trusted."""
    gate = Gate(frozenset(trusted), most_connections())
    config = uvicorn.Config(
        TrustedProxy(app, trusted) if trusted else app,
        host=host,
        http=guarded(gate),
        log_config=None,  # configured by `logs`
        access_log=False,
        log_level="warning",
        ws_max_size=1 << 16,
        ws_max_queue=16,
        ws_per_message_deflate=False,  # compression costs a sixth of the server's CPU time
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=2,
        server_header=False,
        proxy_headers=False,
    )
    sys.setswitchinterval(SWITCH)
    gc.freeze()  # imported objects stay: exclude them from garbage collection, which would pause running games
    Server(config, open_browser=open_browser).run(sockets=[listening])


def _try_browser(address: str) -> bool:
    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False


# ---- the client's address behind a trusted proxy -------------------------------------------------

FORWARDED: Final = re.compile(r'for="?(\[[^\]"]*\]|[^;,"\s:]+)', re.IGNORECASE)


class TrustedProxy:
    """ASGI middleware: the application sees the client's address instead of the proxy's."""

    def __init__(self, app: Any, trusted: Iterable[str]) -> None:
        self._app = app
        self._trusted = frozenset(trusted)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        client = scope.get("client")
        if client and client[0] in self._trusted:
            address = self._client(scope["headers"])
            if address is not None:
                scope = {**scope, "client": (address, 0)}
        await self._app(scope, receive, send)

    def _client(self, headers: Iterable[tuple[bytes, bytes]]) -> str | None:
        for address in reversed(_addresses(headers)):
            if address not in self._trusted:
                return address
        return None


def _addresses(headers: Iterable[tuple[bytes, bytes]]) -> list[str]:
    """The addresses in the headers, in order; invalid ones are left out."""
    pairs = [(name.lower(), value.decode("latin-1")) for name, value in headers]
    texts = [part.strip() for name, value in pairs if name == b"x-forwarded-for" for part in value.split(",")]
    if not texts:
        texts = [part for name, value in pairs if name == b"forwarded" for part in FORWARDED.findall(value)]
    return [address for text in texts if (address := _address(text)) is not None]


def _address(text: str) -> str | None:
    bare = text.strip("[]") if text.startswith("[") else text.partition(":")[0] if text.count(":") == 1 else text
    try:
        return str(ipaddress.ip_address(bare))
    except ValueError:
        return None
