"""The listening socket, opened before anything else (clients that connect during start-up wait), and the address at
which other machines reach it.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from typing import Final

from tahur.core.errors import SettingError
from tahur.web.guard import is_loopback

BACKLOG: Final = 512


def listen(host: str, port: int) -> socket.socket:
    """A listening socket."""
    try:
        (family, *_, address), *_ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        made = socket.create_server(address[:2], family=family, backlog=BACKLOG)
        made.setsockopt(
            socket.IPPROTO_TCP, socket.TCP_NODELAY, 1
        )  # accepted sockets inherit it; otherwise small answers
        return made  # wait 40 ms for the reader's delayed acknowledgement
    except OSError as error:
        why = error.strerror or str(error)
        raise SettingError(f"--host {host} --port {port}: {why}; use --port 0 for any free one") from None


def outside_address(host: str, port: int, names: Sequence[str] = (), *, https: bool = False) -> str | None:
    """The URL at which other machines reach a server that listens on this host; None if they cannot."""
    if is_loopback(host):
        return None
    if https:  # the proxy in front of this server has the name and the default port
        return f"https://{names[0]}" if names else None
    host_shown = names[0] if names else _own_address() if host in ("0.0.0.0", "::") else host
    return host_shown and f"http://{f'[{host_shown}]' if ':' in host_shown else host_shown}:{port}"


def _own_address() -> str | None:
    """This machine's address in its network: the source address of outgoing packets. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address (RFC 5737)
        except OSError:
            return None
        return str(probe.getsockname()[0])
