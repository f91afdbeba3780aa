"""The REST side from the outside: whatever is asked is answered as `rest.py` says, or refused in a sentence."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from bots import Bot, call, calls
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from hypothesis.errors import Unsatisfiable
from rest_schema import document, schema_of
from served import Served

from tahur.room import rest

CALLS = 60  # tries of each address, good and bad


@pytest.mark.slow
def test_whatever_is_asked_is_answered_as_written_or_refused_in_a_sentence(tmp_path: Path) -> None:
    import schemathesis
    from schemathesis.checks import load_all_checks, not_a_server_error
    from schemathesis.generation import GenerationMode
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

    load_all_checks()
    checks = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
    server = Served(tmp_path, "--unlimited")
    server.start()
    room, token = _played(server)
    schema = schemathesis.openapi.from_dict(document([room], token))
    tried = 0
    for found in schema.get_all_operations():
        operation = found.ok()

        @hypothesis_settings(
            max_examples=CALLS,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def check(case: Any) -> None:
            nonlocal tried
            tried += 1
            case.call_and_validate(base_url=server.address, checks=checks, timeout=30)

        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            _run(check, operation.as_strategy(generation_mode=mode))
    assert tried > 600
    assert call(server.address, f"/api/rooms/{room}/hands", token=token)[0] == 200
    assert "Traceback" not in server.stop()


def _run(check: Any, strategy: Any) -> None:
    with suppress(Unsatisfiable):  # where nothing is asked with a request, nothing can be wrong with it
        given(case=strategy)(check)()


def _played(server: Served) -> tuple[str, str]:
    """A room in which a few hands were played."""
    body = {"name": "Ana", "minds": ["caller", "maniac"], "pace": "instant", "seconds": 0}
    room = call(server.address, "/api/rooms", body)[1]
    bot = Bot(server.address, room["room"], room["token"], calls)
    asyncio.run(bot.play(lambda bot: bot.scene is not None and bot.scene.hand > 4))
    return room["room"], room["token"]


def test_the_schema_has_the_bounds_that_the_server_keeps() -> None:
    room = schema_of(rest.NewRoom)
    assert room["required"] == ["name"]
    assert room["properties"]["seconds"] == {"type": "integer", "minimum": 0, "maximum": 600}
    assert room["properties"]["minds"]["maxItems"] == 8
    assert not room["additionalProperties"]
