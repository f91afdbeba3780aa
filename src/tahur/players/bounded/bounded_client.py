"""The OpenAI client with limits: responses of at most 1 MB whatever their status, and cancellable connections.

The client's own error handling reads the whole body into memory, and a body of a few kilobytes can decompress to
gigabytes. So every body is read here first, raw, and decompressed piece by piece. Headers are limited by the HTTP
library (100 kB). Each request has its own connection, which is closed when its task ends, however it ends.
"""

from __future__ import annotations

import asyncio
import os
import threading
import zlib
from functools import cache
from typing import Any, Final

from tahur.core.errors import missing_extra

LONGEST_BODY: Final = 1_000_000  # bytes, both as sent and decompressed
ZIPPED: Final = ("gzip", "x-gzip", "deflate")
ANY_ZIP: Final = 47  # zlib: gzip or zlib, detected from the header
NOT_OURS: Final = ("content-encoding", "content-length", "transfer-encoding")  # dropped after reading and decompressing
PIECE: Final = 65_536  # bytes


class AnswerTooLong(Exception):
    """A body longer than `LONGEST_BODY`."""

    def __init__(self) -> None:
        super().__init__(f"an answer of more than {LONGEST_BODY // 1_000_000} MB")


class UnknownEncoding(Exception):
    """A response in an encoding that was not requested."""


def connect(url: str, key: str, *, local: bool) -> Any:
    """An asynchronous OpenAI client whose responses are limited in size."""
    try:
        import openai
    except ImportError:
        raise missing_extra("asking a language model needs the OpenAI client", "llm") from None
    return openai.AsyncOpenAI(
        api_key=key,
        base_url=url,
        organization="",
        project="",
        max_retries=0,
        http_client=_bounded(openai.DefaultAsyncHttpxClient)(
            trust_env=not local,  # no proxy for this machine
            follow_redirects=False,  # the key is for this endpoint only
            headers={"accept-encoding": "identity", "connection": "close"},
        ),
    )


def background_loop() -> asyncio.AbstractEventLoop:
    """The event loop of all requests of this process, in its own thread."""
    return _loop_of(os.getpid())  # a forked process does not have its parent's threads


@cache
def _loop_of(process: int) -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True, name="tahur-model").start()
    return loop


@cache
def _bounded(base: Any) -> Any:
    """The HTTP client class of the library that the OpenAI client uses, with a limited `send`."""

    class BoundedClient(base):  # type: ignore[misc]
        async def send(self, request: Any, **named: Any) -> Any:
            opened: list[Any] = []
            request.extensions = {**request.extensions, "trace": _noting(opened)}
            try:
                response = await super().send(request, **{**named, "stream": True})
                body = await read_bounded(response)
                await response.aclose()
            finally:
                for stream in opened:  # nothing else closes a connection that was cancelled in TLS
                    await asyncio.shield(stream.aclose())
            headers = [(name, text) for name, text in response.headers.raw if name.decode().lower() not in NOT_OURS]
            return type(response)(response.status_code, headers=headers, content=body, request=request)

    return BoundedClient


def _noting(opened: list[Any]) -> Any:
    """A trace function that collects the connections a request opens."""

    async def trace(event: str, info: dict[str, Any]) -> None:
        if event.endswith(".connect_tcp.complete"):
            opened.append(info["return_value"])

    return trace


async def read_bounded(response: Any) -> bytes:
    """The decompressed body; raises `AnswerTooLong` as soon as it is too long."""
    body, zipped = bytearray(), _decompressor(response.headers.get("content-encoding", ""))
    raw = 0
    async for piece in response.aiter_raw(PIECE):
        raw += len(piece)
        room = LONGEST_BODY + 1 - len(body)
        body += zipped.decompress(piece, room) if zipped else piece
        if max(raw, len(body)) > LONGEST_BODY:
            raise AnswerTooLong
    return bytes(body)


def _decompressor(encoding: str) -> Any:
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return None
    if name not in ZIPPED:
        raise UnknownEncoding(f"an answer in the encoding {name[:20]!r}, which was not asked for")
    return zlib.decompressobj(ANY_ZIP)
