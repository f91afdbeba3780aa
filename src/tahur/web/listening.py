"""The address, taken before anything else: who connects while the server still starts waits, and is not refused."""

from __future__ import annotations

import socket
from typing import Final

from tahur.core.errors import SettingError

BACKLOG: Final = 512


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there."""
    try:
        (family, *_, address), *_ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        return socket.create_server(address[:2], family=family, backlog=BACKLOG)
    except OSError as error:
        why = error.strerror or str(error)
        raise SettingError(f"--host {host} --port {port}: {why}; --port 0 takes any free one") from None
