"""The ASGI application: the API, the sockets, the page, request logs, security headers and monitoring."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import FileResponse, HTMLResponse, PlainTextResponse
from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.websockets import WebSocketDisconnect
from uvicorn.protocols.utils import ClientDisconnected

from tahur.core.errors import TahurError
from tahur.room.codec import text_of
from tahur.room.figures import REQUEST, ROOM, STEPS, Histogram
from tahur.room.gallery import Gallery
from tahur.room.lobby import Lobby
from tahur.room.rate_limits import CHAT
from tahur.room.store import Store
from tahur.study.library import Library
from tahur.web.api import routes
from tahur.web.guard import Guard, NotAllowed, SystemClock, is_loopback
from tahur.web.house import ServedHouse, json_response
from tahur.web.socket import socket_route
from tahur.web.study import StudyDesk, study_routes

BUILT: Final = Path(__file__).parent / "built"  # the built page
SWEEP: Final = 60  # seconds between checks for idle rooms to unload

NO_PAGE: Final = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>tahur: the page is missing</title>
</head><body><h1>The card room runs, but its page is missing</h1>
<p>The page is built when tahur is installed, and that needs node and the npm registry. They could not be reached then,
so tahur was installed without it. To get it, with a connection to the internet:</p>
<ul><li>in a clone of tahur: <code>make page</code>;</li>
<li>into another environment: <code>pip install --force-reinstall --no-deps .</code> in the clone.</li></ul>
<p>Then load this page again. Until then, use <code>tahur play</code> in the terminal.</p></body></html>"""


def make_app(
    store: Store,
    guard: Guard,
    gallery: Gallery,
    *,
    secure: bool = False,
    address: str | None = None,
    library: Library | None = None,
    built: Path = BUILT,
) -> FastAPI:
    """The application; its rooms are closed with it. `library`: of solved spots, if Study is offered."""
    clock = SystemClock()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        """Open the lobby and add its routes; when the server stops, close the rooms."""
        lobby = Lobby(store, clock, gallery.make, gallery.name_of, chat=CHAT if guard.limited else None)
        house = ServedHouse(lobby=lobby, gallery=gallery, guard=guard, secure=secure, address=address)
        app.include_router(health_routes(lobby))
        app.include_router(routes(house))
        app.include_router(socket_route(house))
        desk = StudyDesk(library) if library is not None else None
        if desk is not None:
            app.include_router(study_routes(house, desk))
        _add_page(app, guard, built)
        sweeper = asyncio.create_task(_sweep(lobby))
        yield
        sweeper.cancel()
        house.played.close()
        if desk is not None:
            await desk.close()
        await lobby.close()

    app = FastAPI(title="tahur", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    app.add_middleware(RequestLog, clock=clock)
    return app


def _add_page(app: FastAPI, guard: Guard, built: Path) -> None:
    """Serve files of the page; every other path returns the page itself, which has its own router."""

    async def page(request: Request) -> Response:
        """A file of the page if the path names one; else `index.html`, except below `api/` and `assets/`."""
        path = str(request.path_params["path"])
        try:
            guard.check_host(request.headers)
        except NotAllowed as error:
            return json_response({"error": str(error)}, error.status)
        if path.startswith("api/"):
            return json_response({"error": "there is nothing at this address"}, 404)
        index = built / "index.html"
        if not index.is_file():
            return HTMLResponse(NO_PAGE, 503)
        wanted = _file(built, path)
        if wanted is not None:
            caching = "public, max-age=31536000, immutable" if path.startswith("assets/") else "no-cache"
            return FileResponse(wanted, headers={"Cache-Control": caching})
        if path.startswith("assets/"):
            return json_response({"error": "there is no such file"}, 404)
        return FileResponse(index, headers={"Cache-Control": "no-cache"})

    app.add_route("/{path:path}", page, ["GET"])  # a plain Starlette route: FastAPI's request analysis is not needed


def _file(built: Path, path: str) -> Path | None:
    """The file of the page at this path; None if there is none, for any input."""
    try:
        wanted = (built / path).resolve()
        inside = wanted.is_file() and wanted.is_relative_to(built.resolve())
    except (ValueError, OSError):  # a null byte, or a name of thousands of characters
        return None
    return wanted if path and inside else None


async def _sweep(lobby: Lobby) -> None:
    with suppress(asyncio.CancelledError):
        for second in count(1):
            await asyncio.sleep(1.0)
            lobby.beat()
            if second % SWEEP == 0:
                await lobby.sweep()


# ---- the outermost middleware: request ids, log lines, headers -----------------------------------

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
        """Give each request an id, log it, and answer an unexpected exception with an error page."""
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


# ---- monitoring ----------------------------------------------------------------------------------

READY: Final = 2.0  # seconds that the database may take to write
METRICS: Final = "text/plain; version=0.0.4; charset=utf-8"


def health_routes(lobby: Lobby) -> APIRouter:
    """`/healthz`, `/readyz` and `/metrics`."""
    router = APIRouter()

    @router.get("/healthz")
    async def healthz() -> PlainTextResponse:
        return PlainTextResponse("ok\n")

    @router.get("/readyz")
    async def readyz() -> PlainTextResponse:
        why = await unready(lobby)
        return PlainTextResponse(f"{why}\n", 503) if why else PlainTextResponse("ready\n")

    @router.get("/metrics")
    async def metrics(request: Request) -> PlainTextResponse:
        if request.client is not None and not is_loopback(request.client.host):
            return PlainTextResponse("metrics are only available from this machine\n", 403)
        return PlainTextResponse("\n".join(lines(lobby)) + "\n", media_type=METRICS)

    return router


async def unready(lobby: Lobby) -> str:
    """Why the server is not ready; empty if it is."""
    try:
        await asyncio.wait_for(asyncio.wrap_future(lobby.write_beat()), READY)
    except TimeoutError:
        return f"the database did not write within {READY:g} s"
    except TahurError as error:
        return str(error)
    return ""


def lines(lobby: Lobby) -> Iterator[str]:
    """The counters in Prometheus' text format."""
    figures, rooms = lobby.figures, lobby.running
    yield from _gauge("tahur_rooms", "Loaded rooms.", len(rooms))
    people = sum(chair.person is not None for room in rooms for chair in room.state.chairs)
    bots = sum(chair.mind is not None for room in rooms for chair in room.state.chairs)
    yield "# HELP tahur_seats Taken seats."
    yield "# TYPE tahur_seats gauge"
    yield f'tahur_seats{{by="person"}} {people}'
    yield f'tahur_seats{{by="bot"}} {bots}'
    yield from _gauge("tahur_connections", "Open sockets of pages.", sum(room.listening for room in rooms))
    yield from _histogram("tahur_acknowledgement_seconds", "Time from a request to its answer.", figures.acknowledged)
    yield from _histogram(
        "tahur_bot_thinking_seconds", "Time from the start of a bot's turn to its answer.", figures.thinking
    )
    yield from _counter("tahur_actions_total", "Actions at the tables.", "by", figures.actions)
    yield from _counter("tahur_refusals_total", "Refused requests.", "reason", figures.refused)


def _gauge(name: str, words: str, value: float) -> Sequence[str]:
    return f"# HELP {name} {words}", f"# TYPE {name} gauge", f"{name} {value:g}"


def _counter(name: str, words: str, label: str, counts: Mapping[str, int]) -> Iterator[str]:
    yield f"# HELP {name} {words}"
    yield f"# TYPE {name} counter"
    for key, number in sorted(counts.items()):
        yield f'{name}{{{label}="{key}"}} {number}'


def _histogram(name: str, words: str, histogram: Histogram) -> Iterator[str]:
    """A histogram in the text format of Prometheus; bucket counts are cumulative."""
    yield f"# HELP {name} {words}"
    yield f"# TYPE {name} histogram"
    upto = 0
    for step, number in zip((*STEPS, "+Inf"), histogram.counts, strict=True):
        upto += number
        yield f'{name}_bucket{{le="{step}"}} {upto}'
    yield f"{name}_sum {histogram.total:.6f}"
    yield f"{name}_count {upto}"
