"""A language model behind an OpenAI-compatible endpoint: the only network access of players.

One request, one answer, within a time limit whatever the other side does: refuses, hangs, drips or floods. Every
request is a task on one event loop, which can be cancelled wherever it waits (connecting, in TLS, in the middle of a
body), so a hung connection is closed at the deadline and leaves neither a thread nor a socket behind. Error messages
are our own, and never contain the key.
"""

from __future__ import annotations

import asyncio
import os
import threading
import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from functools import cache
from json import loads
from typing import Any, Final
from urllib.parse import urlsplit

from tahur.core.errors import SettingError, missing_extra

NO_KEY: Final = "none"  # the SDK requires one; local servers accept any
REFUSED: Final = frozenset({400, 422})  # probably the form of the request
FINAL: Final = frozenset({401, 402, 403, 404})  # a retry will not help
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
_SHORTEST_PART: Final = 8  # parts of a key of at least this many characters are hidden too

Messages = Sequence[Mapping[str, str]]


class ModelError(Exception):
    """There is no answer, and why, in a few words. `final`: a retry would fail too."""

    def __init__(self, why: str, *, final: bool = False) -> None:
        super().__init__(why)
        self.final = final


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The address of a model, its name, and the key."""

    url: str
    model: str
    key: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        """Check the URL and the model's name."""
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
            shown = f"{parts.scheme}://{parts.hostname or ''}" if parts.scheme else "it"
            raise SettingError(
                f"{shown} is not an endpoint; write http(s)://host[:port]/v1, and put the key into the environment"
            )
        if not self.model:
            raise SettingError("no model; use --model NAME, with the endpoint's name for it")

    @property
    def is_local(self) -> bool:
        return urlsplit(self.url).hostname in LOOPBACK


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply; the token counts are None if the endpoint does not report them."""

    text: str
    read: int | None = None
    written: int | None = None


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """The messages, the maximal length of the answer, and its JSON schema, if any."""

    messages: Messages
    most_tokens: int
    schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class EndpointForm:
    """Which request parameters an endpoint accepts. `newer`: the limit is called `max_completion_tokens`."""

    schema: bool = True
    newer: bool = False

    def simpler(self, complaint: str) -> EndpointForm:
        """The form to try after a refusal; after the simplest form the first one again."""
        if not self.newer and "max_tokens" in complaint:
            return EndpointForm(self.schema, newer=True)
        if self.schema:
            return EndpointForm(False, self.newer)
        return EndpointForm() if self.newer else EndpointForm(False, newer=True)


FORMS: Final[
    dict[tuple[str, str], EndpointForm]
] = {}  # by endpoint and model: the form to use after a refusal, for this process


class Model:
    """Sends requests to one endpoint, one at a time."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._client: Any = connect(endpoint.url, endpoint.key or NO_KEY, local=endpoint.is_local)

    @property
    def name(self) -> str:
        return self._endpoint.model

    def ask(self, question: ModelRequest, seconds: float) -> Reply:
        """The answer; raises `ModelError` if there is none in time."""
        future = asyncio.run_coroutine_threadsafe(self._send_and_read(question, seconds), background_loop())
        try:
            body = future.result(timeout=seconds)
        except (TimeoutError, CancelledError):
            raise ModelError("no answer in time") from None
        finally:
            future.cancel()  # closes its connection, if it still has one
        return _reply(self._hidden(body.decode("utf-8", errors="replace")))

    async def _send_and_read(self, question: ModelRequest, seconds: float) -> bytes:
        """Send the request in the form that this endpoint accepts, as far as this process knows."""
        import openai

        key = self._endpoint.url, self._endpoint.model
        form = FORMS.get(key, EndpointForm())
        try:
            return await self._body(question, form, seconds)
        except (AnswerTooLong, UnknownEncoding) as error:
            raise ModelError(str(error)) from None
        except openai.APIStatusError as error:
            code = error.status_code
            if code in REFUSED:
                FORMS[key] = form.simpler(error.response.content.decode(errors="replace"))
            raise ModelError(f"HTTP {code}", final=code in FINAL) from None
        except openai.APITimeoutError:
            raise ModelError("no answer in time") from None
        except openai.APIConnectionError as error:
            why = type(error.__cause__).__name__
            broken = why == "RemoteProtocolError"  # headers over 100 kB, or not HTTP
            raise ModelError(f"a broken line ({why})" if broken else "no connection") from None
        except Exception as error:  # whatever a corrupted response does to the client, the game continues
            raise ModelError(f"a broken line ({type(error).__name__})") from None

    async def _body(self, question: ModelRequest, form: EndpointForm, seconds: float) -> bytes:
        """The body of the endpoint's response to one request, within this many seconds."""
        async with self._client.chat.completions.with_streaming_response.create(
            model=self._endpoint.model,
            messages=[],
            timeout=seconds,
            extra_body=_content(question, form),
        ) as response:
            body: bytes = await response.read()
            return body

    def _hidden(self, text: str) -> str:
        """The text without our key, in case the other side sends it back."""
        key = self._endpoint.key
        if len(key) < _SHORTEST_PART:
            return text
        return text.replace(key, "[key]").replace(key[:-4], "[key]")


def _content(question: ModelRequest, form: EndpointForm) -> dict[str, Any]:
    """The request body. The client must not search it for files, which takes a third of the time."""
    limit = {"max_completion_tokens" if form.newer else "max_tokens": question.most_tokens}
    if question.schema is None or not form.schema:
        return {"messages": list(question.messages), **limit}
    named = {"name": "choice", "strict": True, "schema": question.schema}
    answer = {"type": "json_schema", "json_schema": named}
    return {"messages": list(question.messages), **limit, "response_format": answer}


def _reply(body: str) -> Reply:
    """The text in the response's envelope, whatever it is."""
    try:
        value = loads(body)
        message = value["choices"][0]["message"]
        text = message.get("content") or message.get("refusal") or ""
        usage = value.get("usage") or {}
    except (ValueError, RecursionError):
        raise ModelError("not JSON") from None
    except (KeyError, IndexError, TypeError, AttributeError):
        raise ModelError("not an answer of a chat") from None
    if not isinstance(text, str):
        raise ModelError("not an answer of a chat")
    counts = usage if isinstance(usage, dict) else {}
    return Reply(text, _count(counts.get("prompt_tokens")), _count(counts.get("completion_tokens")))


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9 else None


# ---- an HTTP client with limits on time and size -------------------------------------------------
# The OpenAI client with limits: responses of at most 1 MB whatever their status, and cancellable connections. The
# client's own error handling reads the whole body into memory, and a body of a few kilobytes can decompress to
# gigabytes. So every body is read here first, raw, and decompressed piece by piece. Headers are limited by the HTTP
# library (100 kB). Each request has its own connection, which is closed when its task ends, however it ends.


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
        http_client=_limited_client(openai.DefaultAsyncHttpxClient)(
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
def _limited_client(base: Any) -> Any:
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
