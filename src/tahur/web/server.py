"""uvicorn for the card room: prints its address once it listens, and opens the browser on request."""

from __future__ import annotations

import gc
import socket
import sys
import webbrowser
from collections.abc import Sequence

import uvicorn
from fastapi import FastAPI

from tahur.web.connections import Gate, guarded, most_connections
from tahur.web.proxy import TrustedProxy

SWITCH = 0.001  # switch interval of threads in seconds; Python's default of 0.005 adds up
ANYWHERE = ("127.0.0.1", "::1", "0.0.0.0", "::")


class Server(uvicorn.Server):
    """A server that prints its address on stdout."""

    def __init__(self, config: uvicorn.Config, *, open_browser: bool) -> None:
        super().__init__(config)
        self._open_browser = open_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if not self.started:
            return
        port = self.servers[0].sockets[0].getsockname()[1]
        host = "localhost" if self.config.host in ANYWHERE else self.config.host
        address = f"http://{host}:{port}/"
        sys.stdout.write(f"The card room is open at {address}  (Ctrl-C stops it; nothing is lost)\n")
        sys.stdout.flush()
        if self._open_browser and not _opened(address):
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
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=2,
        server_header=False,
        proxy_headers=False,
    )
    sys.setswitchinterval(SWITCH)
    gc.freeze()  # imported objects stay: exclude them from garbage collection, which would pause running games
    Server(config, open_browser=open_browser).run(sockets=[listening])


def _opened(address: str) -> bool:
    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False
