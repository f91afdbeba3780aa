"""The ASGI application: the API, the sockets, the page, and security headers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, HTMLResponse

from tahur.room.chat import CHAT
from tahur.room.gallery import Gallery
from tahur.room.lobby import Lobby
from tahur.room.store import Store
from tahur.web.api import routes
from tahur.web.clock import SystemClock
from tahur.web.guard import Guard, NotAllowed
from tahur.web.health import health_routes
from tahur.web.house import ServedHouse, given
from tahur.web.requests import RequestLog
from tahur.web.socket import socket_route

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
    built: Path = BUILT,
) -> FastAPI:
    """The application; its rooms are closed with it."""
    clock = SystemClock()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        lobby = Lobby(store, clock, gallery.make, gallery.name_of, chat=CHAT if guard.limited else None)
        house = ServedHouse(lobby=lobby, gallery=gallery, guard=guard, secure=secure, address=address)
        app.include_router(health_routes(lobby))
        app.include_router(routes(house))
        app.include_router(socket_route(house))
        _add_page(app, guard, built)
        sweeper = asyncio.create_task(_sweep(lobby))
        yield
        sweeper.cancel()
        house.played.close()
        await lobby.close()

    app = FastAPI(title="tahur", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    app.add_middleware(RequestLog, clock=clock)
    return app


def _add_page(app: FastAPI, guard: Guard, built: Path) -> None:
    """Serve files of the page; every other path returns the page itself, which has its own router."""

    async def page(request: Request) -> Response:
        path = str(request.path_params["path"])
        try:
            guard.check_host(request.headers)
        except NotAllowed as error:
            return given({"error": str(error)}, error.status)
        if path.startswith("api/"):
            return given({"error": "there is nothing at this address"}, 404)
        index = built / "index.html"
        if not index.is_file():
            return HTMLResponse(NO_PAGE, 503)
        wanted = _file(built, path)
        if wanted is not None:
            fresh = "public, max-age=31536000, immutable" if path.startswith("assets/") else "no-cache"
            return FileResponse(wanted, headers={"Cache-Control": fresh})
        if path.startswith("assets/"):
            return given({"error": "there is no such file"}, 404)
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
