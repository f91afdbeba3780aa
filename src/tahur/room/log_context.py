"""The room and the request that log lines are about, for each task and each thread that is given a context."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

ROOM: Final[ContextVar[str | None]] = ContextVar("room", default=None)
REQUEST: Final[ContextVar[str | None]] = ContextVar("request", default=None)
