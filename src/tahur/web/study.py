"""The routes of Study: the library, solving its shelf, and the nodes of a solved spot. See `study/views.py`.

Whoever may enter the house may look. Only the operator, a browser on the server's own machine, may import, solve,
rename and delete. Figures are computed in threads of their own: one for what is quick, one for loading and for EVs.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, TypeVar

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse

from tahur.core.errors import SettingError, UnknownName
from tahur.core.limits import available_memory
from tahur.room.codec import text_of
from tahur.room.names import check_name
from tahur.solvers.postflop.solve import PostflopSolution
from tahur.study.library import MOST_NAME, MOST_UPLOAD, Library, SavedSpot, check_start
from tahur.study.node import node_view, runouts_view
from tahur.study.resident import Residents
from tahur.study.shelf import ShelfSpot
from tahur.study.trail import trail_of
from tahur.study.views import Changed, NodeView, Rename, RunoutsView, Shelves, SpotCard
from tahur.web.api import guarded
from tahur.web.guard import NotAllowed, is_operator
from tahur.web.house import ServedHouse, body, json_response
from tahur.web.study_solves import SolveQueue, compile_apart

SHARE_OF_MEMORY: Final = 0.4  # of what is free: for loaded solutions, and for a solve
USUAL_MEMORY: Final = 1_000_000_000  # bytes, if the system does not report what is free
MOST_WAITING: Final = 24  # requests for figures that wait at a time
MOST_STEPS: Final = 60  # moves and cards of a line
PIECE: Final = 1 << 20  # bytes of an upload written at a time
LEAST_COMPRESSED: Final = 1_000  # bytes from which an answer is compressed
BUSY: Final = 2  # seconds to wait if too many requests wait

T = TypeVar("T")


def free_share() -> int:
    """The bytes that loaded solutions, or a solve, may use."""
    free = available_memory()
    return USUAL_MEMORY if free is None else int(free * SHARE_OF_MEMORY)


@dataclass(slots=True)
class StudyDesk:
    """The objects of Study in one server."""

    library: Library
    residents: Residents = field(default_factory=lambda: Residents(free_share()))
    solves: SolveQueue = field(default_factory=lambda: SolveQueue(free_share))
    compiling: asyncio.Lock = field(default_factory=asyncio.Lock)
    _quick: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "study-quick"))
    _slow: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "study-slow"))
    _waiting: int = 0

    async def quickly(self, work: Callable[[], T]) -> T:
        """Run a function that takes milliseconds in the thread for those."""
        return await self._run(self._quick, work)

    async def slowly(self, work: Callable[[], T]) -> T:
        """Run a function that may take seconds in the thread for those."""
        return await self._run(self._slow, work)

    async def close(self) -> None:
        for thread in (self._quick, self._slow):
            thread.shutdown(wait=False, cancel_futures=True)
        await self.solves.close()

    async def _run(self, thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        if self._waiting >= MOST_WAITING:
            raise NotAllowed(429, "Study is busy with other requests; try again in a moment", BUSY)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(thread, work)
        finally:
            self._waiting -= 1


StudyHandler = Callable[[StudyDesk, Request], Awaitable[Response]]


def study_routes(house: ServedHouse, desk: StudyDesk) -> APIRouter:
    """All routes under /api/study."""
    router = APIRouter(prefix="/api")
    for method, path, handler in STUDY_HANDLERS:
        router.add_api_route(path, guarded(house, partial(_inside, desk, handler)), methods=[method])
    return router


async def _inside(desk: StudyDesk, handler: StudyHandler, house: ServedHouse, request: Request) -> Response:
    """Let those in who gave the password, and only the operator change anything."""
    if not house.guard.lets_in(request.headers, request.cookies):
        raise NotAllowed(401, "this server asks for a password")
    if request.method != "GET" and not _by_operator(request):
        raise NotAllowed(403, "only the operator may do this, in a browser on the server's own machine")
    return await handler(desk, request)


def _by_operator(request: Request) -> bool:
    return is_operator(request.headers, request.client.host if request.client else "")


# ---- the library ---------------------------------------------------------------------------------


async def shelves(desk: StudyDesk, request: Request) -> Response:
    cards = await desk.quickly(lambda: _cards(desk))
    return json_response(Shelves(operator=_by_operator(request), spots=cards, most_upload=MOST_UPLOAD))


async def spot_card(desk: StudyDesk, request: Request) -> Response:
    return json_response(await desk.quickly(lambda: _card(desk, _name(request))))


async def upload(desk: StudyDesk, request: Request) -> Response:
    """Receive a file piece by piece, and import it if it is a solved spot."""
    title = check_name(request.query_params.get("name", ""), "name", most=MOST_NAME)
    received = desk.library.unfinished(token_hex(8))
    try:
        await _receive(request, received)
        name = await desk.slowly(lambda: desk.library.add(received, title))
    finally:
        received.unlink(missing_ok=True)
    return json_response(Changed(name))


async def _receive(request: Request, target: Path) -> None:
    """Write the body of a request to a file, within the limit."""
    size = 0
    with target.open("xb") as file:
        async for piece in _pieces(request):
            if not size:
                check_start(piece)
            size += len(piece)
            if size > MOST_UPLOAD:
                raise NotAllowed(413, f"the file has more than {MOST_UPLOAD >> 20} MB; copy it to the library's folder")
            await asyncio.to_thread(file.write, piece)
    if not size:
        raise SettingError("the file is empty; import one that `tahur postflop solve -o FILE` wrote")


async def _pieces(request: Request) -> AsyncIterator[bytes]:
    """The body in pieces of about a megabyte."""
    whole = bytearray()
    async for part in request.stream():
        whole += part
        if len(whole) >= PIECE:
            yield bytes(whole)
            whole.clear()
    if whole:
        yield bytes(whole)


async def solve(desk: StudyDesk, request: Request) -> Response:
    """Start solving a spot of the shelf; one that is solved stays as it is."""
    name = _name(request)
    shelf = _shelf_spot(desk, name)
    if shelf is None:
        raise UnknownName(f"no spot '{name[:40]}' on the shelf; only those can be solved here")
    target = desk.library.path(name)
    if not target.is_file():
        desk.solves.start(shelf, target)
    return json_response(await desk.quickly(lambda: _card(desk, name)))


async def rename(desk: StudyDesk, request: Request) -> Response:
    wanted = await body(request, Rename)
    desk.library.rename(_name(request), check_name(wanted.name, "name", most=MOST_NAME))
    return json_response(Changed(_name(request)))


async def delete(desk: StudyDesk, request: Request) -> Response:
    desk.library.delete(_name(request))
    return json_response(Changed(_name(request)))


async def restore(desk: StudyDesk, request: Request) -> Response:
    desk.library.restore(_name(request))
    return json_response(Changed(_name(request)))


async def export(desk: StudyDesk, request: Request) -> Response:
    saved = _saved(desk, _name(request))
    return FileResponse(saved.path, filename=saved.path.name, media_type="application/octet-stream")


def _cards(desk: StudyDesk) -> tuple[SpotCard, ...]:
    """The shelf in its own order, then all other saved spots, the newest first."""
    saved = {spot.name: spot for spot in desk.library.spots()}
    shelf = [_shelf_card(desk, spot, saved.pop(spot.name, None)) for spot in desk.library.shelf]
    return (*(_saved_card(spot, spot.title) for spot in saved.values()), *shelf)


def _card(desk: StudyDesk, name: str) -> SpotCard:
    shelf, saved = _shelf_spot(desk, name), desk.library.saved(name)
    if shelf is not None:
        return _shelf_card(desk, shelf, saved)
    return _saved_card(_saved(desk, name), "")


def _shelf_card(desk: StudyDesk, shelf: ShelfSpot, saved: SavedSpot | None) -> SpotCard:
    """A spot of the shelf, solved or not."""
    if saved is not None:
        return _saved_card(saved, shelf.about, shelf=True)
    job, spot = desk.solves.jobs.get(shelf.name), shelf.spot
    at_work = job is not None and not job.problem
    return SpotCard(
        spot=shelf.name,
        name=shelf.title,
        shelf=True,
        state=("solving" if job and job.running else "waiting") if at_work else "unsolved",
        about=shelf.about,
        board=tuple(map(str, spot.board)),
        pot=spot.in_unit(spot.pot),
        stack=spot.in_unit(spot.stack),
        unit=spot.unit,
        exploitability=job.now if job and job.first else None,
        iterations=job.iterations if job else None,
        size=0,
        saved=None,
        seconds=shelf.seconds,
        progress=job.progress if job else 0.0,
        problem=job.problem if job else "",
    )


def _saved_card(saved: SavedSpot, about: str, *, shelf: bool = False) -> SpotCard:
    facts = saved.facts
    return SpotCard(
        spot=saved.name,
        name=saved.title,
        shelf=shelf,
        state="unreadable" if facts is None else "solved",
        about=about if shelf or facts is None else _ranges_words(facts.spot.ranges),
        board=tuple(map(str, facts.spot.board)) if facts else (),
        pot=facts.spot.in_unit(facts.spot.pot) if facts else 0,
        stack=facts.spot.in_unit(facts.spot.stack) if facts else 0,
        unit=facts.spot.unit if facts else "",
        exploitability=facts.exploitability if facts else None,
        iterations=facts.iterations if facts else None,
        size=saved.size,
        saved=saved.saved,
        seconds=0.0,
        progress=1.0,
        problem=saved.problem,
    )


def _ranges_words(ranges: Any) -> str:
    """What is known of the seats of a file: the sizes of their ranges."""
    counts = [f"{hands.vector.sum():,.0f}" for hands in ranges]
    return f"{counts[0]} combos out of position, {counts[1]} in position"


# ---- nodes ---------------------------------------------------------------------------------------


async def node(desk: StudyDesk, request: Request) -> Response:
    """A node; without `evs=1` large ones come without EVs, at once."""
    saved, steps, evs = _saved(desk, _name(request)), _steps(request), _evs(request)
    solution = await _solution(desk, saved)

    def view() -> NodeView:
        return node_view(solution, saved.name, trail_of(solution.engine, steps), evs=evs)

    return await _answer(desk, request, view, slow=evs)


async def runouts(desk: StudyDesk, request: Request) -> Response:
    """The next cards, at a node that deals one."""
    saved, steps, evs = _saved(desk, _name(request)), _steps(request), _evs(request)
    solution = await _solution(desk, saved)

    def view() -> RunoutsView:
        cards = runouts_view(solution, trail_of(solution.engine, steps), evs=evs)
        if cards is None:
            raise NotAllowed(400, "no card comes after this line; runouts need a line that ends a street")
        return cards

    return await _answer(desk, request, view, slow=evs)


async def _solution(desk: StudyDesk, saved: SavedSpot) -> PostflopSolution:
    if saved.facts is None:
        raise NotAllowed(409, f"this spot cannot be opened: {saved.problem}")
    known = desk.residents.resident(saved)
    if known is not None:
        return known
    async with desk.compiling:
        await compile_apart()
    return await desk.slowly(lambda: desk.residents.solution(saved))


async def _answer(desk: StudyDesk, request: Request, view: Callable[[], Any], *, slow: bool) -> Response:
    """The view as JSON, compressed if the client reads that."""
    packed = "gzip" in request.headers.get("accept-encoding", "")

    def content() -> tuple[bytes, bool]:
        text = text_of(view()).encode()
        compressed = packed and len(text) >= LEAST_COMPRESSED
        return (gzip.compress(text, 5, mtime=0) if compressed else text), compressed

    whole, compressed = await (desk.slowly(content) if slow else desk.quickly(content))
    headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
    return Response(whole, 200, headers | ({"Content-Encoding": "gzip"} if compressed else {}), "application/json")


# ---- parameters ----------------------------------------------------------------------------------


def _name(request: Request) -> str:
    return str(request.path_params["spot"])


def _saved(desk: StudyDesk, name: str) -> SavedSpot:
    saved = desk.library.saved(name)
    if saved is None:
        unsolved = _shelf_spot(desk, name) is not None
        words = "is not solved yet; the operator can solve it" if unsolved else "is not in the library"
        raise UnknownName(f"the spot '{name[:60]}' {words}")
    return saved


def _shelf_spot(desk: StudyDesk, name: str) -> ShelfSpot | None:
    return next((spot for spot in desk.library.shelf if spot.name == name), None)


def _steps(request: Request) -> list[str]:
    steps = [step for step in request.query_params.get("line", "").split(",") if step]
    if len(steps) > MOST_STEPS:
        raise NotAllowed(400, f"the line has {len(steps)} moves and cards; the maximum is {MOST_STEPS}")
    return steps


def _evs(request: Request) -> bool:
    return request.query_params.get("evs") == "1"


STUDY_HANDLERS: Final[tuple[tuple[str, str, StudyHandler], ...]] = (
    ("GET", "/study", shelves),
    ("POST", "/study", upload),
    ("GET", "/study/{spot}", spot_card),
    ("GET", "/study/{spot}/node", node),
    ("GET", "/study/{spot}/runouts", runouts),
    ("GET", "/study/{spot}/file", export),
    ("POST", "/study/{spot}/solve", solve),
    ("POST", "/study/{spot}/rename", rename),
    ("POST", "/study/{spot}/delete", delete),
    ("POST", "/study/{spot}/restore", restore),
)
