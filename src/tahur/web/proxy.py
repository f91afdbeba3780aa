"""The client's address behind a trusted proxy, from `X-Forwarded-For` or `Forwarded` (RFC 7239).

Only configured proxies are trusted. In a list of addresses the last one that is not a trusted proxy counts: those
before it were sent by the client and may be forged.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import Any, Final

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
    texts = [each.strip() for name, value in pairs if name == b"x-forwarded-for" for each in value.split(",")]
    if not texts:
        texts = [each for name, value in pairs if name == b"forwarded" for each in FORWARDED.findall(value)]
    return [address for text in texts if (address := _address(text)) is not None]


def _address(text: str) -> str | None:
    bare = text.strip("[]") if text.startswith("[") else text.partition(":")[0] if text.count(":") == 1 else text
    try:
        return str(ipaddress.ip_address(bare))
    except ValueError:
        return None
