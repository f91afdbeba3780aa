"""The outermost middleware: the id of a request, its log line, and the headers of its response.

The id is made here and returned as `X-Request-Id`, so that an operator can find the log lines of a failed request.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.websockets import WebSocketDisconnect
from uvicorn.protocols.utils import ClientDisconnected

from tahur.room.codec import text_of
from tahur.room.log_context import REQUEST, ROOM
from tahur.web.clock import SystemClock

HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
ROOM_NAME: Final = re.compile(r"[a-z0-9]{4}-[a-z0-9]{4}")
FAILED: Final = 1011  # the WebSocket close code for a server error

GONE: Final = (ClientDisconnect, ClientDisconnected, WebSocketDisconnect)  # the client is gone

_log: Final = logging.getLogger(__name__)
_Send = Callable[[Any], Awaitable[None]]


@dataclass(slots=True)
class RequestLog:
    """ASGI middleware: gives each request an id, answers 500 if the application fails, and logs the result."""

    app: Any
    clock: SystemClock

    async def __call__(self, scope: Any, receive: Any, send: _Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        request = secrets.token_hex(6)
        REQUEST.set(request)  # each request is a separate task
        began, answer = self.clock.now(), _Answer(send, request)
        try:
            await self.app(scope, receive, answer)
        except GONE:
            pass
        except Exception:
            _log.exception("request failed", extra=_fields(scope))
            await answer.fail(scope, receive)
        took = round(1000 * (self.clock.now() - began), 1)
        _log.debug("request", extra={**_fields(scope), "status": answer.status, "ms": took})


class _Answer:
    """Send a message with our headers, and remember its status."""

    def __init__(self, send: _Send, request: str) -> None:
        self.status: int | None = None
        self._send = send
        self._request = request

    async def __call__(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers.update({**HEADERS, "X-Request-Id": self._request})
        elif message["type"] == "websocket.accept":
            self.status = 101
        await self._send(message)

    async def fail(self, scope: Any, receive: Any) -> None:
        """Answer that the server failed, with the id for its operator."""
        if scope["type"] == "websocket":
            await self({"type": "websocket.close", "code": FAILED, "reason": f"error in the server: {self._request}"})
        elif self.status is None:
            words = f"an error in the server; its log has the details under request {self._request}"
            await Response(text_of({"error": words}), 500, media_type="application/json")(scope, receive, self)


def _fields(scope: Any) -> dict[str, Any]:
    """What may be logged of a request: its method, and its path without user input."""
    room = scope.get("path_params", {}).get("room")
    known = room if isinstance(room, str) and ROOM_NAME.fullmatch(room) else None
    hand = scope.get("path_params", {}).get("hand")
    number = hand if isinstance(hand, str) and hand.isdecimal() and len(hand) < 10 else None
    route = getattr(scope.get("route"), "path", None) or "other"
    fields = {"method": scope.get("method", "SOCKET"), "route": route, "room": known or ROOM.get(), "hand": number}
    return {name: value for name, value in fields.items() if value is not None}
