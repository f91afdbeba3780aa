"""The server's log: one line for each event, as text or JSON, on stderr.

A line has the time, level, logger, a fixed event text, and fields such as room, request and hand. No
token, address, password, card or chat text is a field of any line at any level; a person's chosen name may be.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final, Literal

from tahur.room.figures import REQUEST, ROOM

Level = Literal["debug", "info", "warning", "error"]
LineFormat = Literal["text", "json"]

_USUAL: Final = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "color_message"}


def set_up(level: Level, form: LineFormat) -> None:
    """Log to stderr. The level applies to tahur's own events; libraries log only warnings and errors, since at lower
    levels they would log what people send."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("tahur").setLevel(level.upper())


class JsonLines(logging.Formatter):
    """One JSON object per event; a traceback is one of its fields."""

    def format(self, record: logging.LogRecord) -> str:
        """The log record as one line of JSON."""
        body = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **dict(_fields(record)),
        }
        if record.exc_info:
            body["traceback"] = self.formatException(record.exc_info)
        return json.dumps(body, default=str)


class TextLines(logging.Formatter):
    """One line per event; a traceback follows it."""

    def format(self, record: logging.LogRecord) -> str:
        event = record.getMessage().replace("\r", " ").replace("\n", " ")
        fields = "".join(f" {name}={_plain(value)}" for name, value in _fields(record))
        line = f"{_time(record)} {record.levelname.lower():7} {record.name}: {event}{fields}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def _fields(record: logging.LogRecord) -> Iterator[tuple[str, Any]]:
    """The fields: room and request first, then those of the event."""
    given = {name: value for name, value in record.__dict__.items() if name not in _USUAL}
    for name, value in {"room": ROOM.get(), "request": REQUEST.get(), **given}.items():
        if value is not None:
            yield name, value


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _plain(value: Any) -> str:
    """The value, quoted if it contains characters that could be taken for another field or line."""
    text = str(value)
    return text if text and text.isascii() and text.replace("-", "").replace(".", "").isalnum() else json.dumps(text)
