"""Monitoring for operators: liveness, readiness, and metrics in Prometheus format."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse

from tahur.core.errors import TahurError
from tahur.room.figures import STEPS, Histogram
from tahur.room.lobby import Lobby
from tahur.web.guard import is_loopback

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
    for key, count in sorted(counts.items()):
        yield f'{name}{{{label}="{key}"}} {count}'


def _histogram(name: str, words: str, histogram: Histogram) -> Iterator[str]:
    yield f"# HELP {name} {words}"
    yield f"# TYPE {name} histogram"
    upto = 0
    for step, count in zip((*STEPS, "+Inf"), histogram.counts, strict=True):
        upto += count
        yield f'{name}_bucket{{le="{step}"}} {upto}'
    yield f"{name}_sum {histogram.total:.6f}"
    yield f"{name}_count {upto}"
