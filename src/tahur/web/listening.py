"""The address to listen at, taken before anything else (who connects while the server starts waits), and the address at
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
    """A socket that listens there."""
    try:
        (family, *_, address), *_ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        made = socket.create_server(address[:2], family=family, backlog=BACKLOG)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # accepted sockets inherit it; else small answers
        return made  # wait 40 ms for the reader's delayed acknowledgement
    except OSError as error:
        why = error.strerror or str(error)
        raise SettingError(f"--host {host} --port {port}: {why}; --port 0 takes any free one") from None


def outside_address(host: str, port: int, names: Sequence[str] = (), *, https: bool = False) -> str | None:
    """Where other machines reach a server that listens at that host; None if they cannot."""
    if is_loopback(host):
        return None
    if https:  # a server in front of this one has the name, and the usual port
        return f"https://{names[0]}" if names else None
    found = names[0] if names else _own_address() if host in ("0.0.0.0", "::") else host
    return found and f"http://{f'[{found}]' if ':' in found else found}:{port}"


def _own_address() -> str | None:
    """This machine's address in its network: the one that it would send from. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for examples (RFC 5737)
        except OSError:
            return None
        return str(probe.getsockname()[0])
