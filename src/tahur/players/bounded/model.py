"""A language model behind an OpenAI-compatible endpoint: the only network access of players.

One request, one answer, within a time limit whatever the other side does: refuses, hangs, drips or floods. Every
request is a task on one event loop, which can be cancelled wherever it waits (connecting, in TLS, in the middle of a
body), so a hung connection is closed at the deadline and leaves neither a thread nor a socket behind. Error messages
are our own, and never contain the key.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from json import loads
from typing import Any, Final
from urllib.parse import urlsplit

from tahur.core.errors import SettingError
from tahur.players.bounded.bounded_client import AnswerTooLong, UnknownEncoding, background_loop, connect

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
        future = asyncio.run_coroutine_threadsafe(self._read(question, seconds), background_loop())
        try:
            body = future.result(timeout=seconds)
        except (TimeoutError, CancelledError):
            raise ModelError("no answer in time") from None
        finally:
            future.cancel()  # closes its connection, if it still has one
        return _reply(self._hidden(body.decode("utf-8", errors="replace")))

    async def _read(self, question: ModelRequest, seconds: float) -> bytes:
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
