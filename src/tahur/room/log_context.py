"""The room and request of log lines, as context variables of a task or thread."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

ROOM: Final[ContextVar[str | None]] = ContextVar("room", default=None)
REQUEST: Final[ContextVar[str | None]] = ContextVar("request", default=None)
