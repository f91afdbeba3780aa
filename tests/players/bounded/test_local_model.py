"""A real model, here, without a network: SmolLM2-135M behind llama.cpp's server. It is slow, and no great player."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tahur.arena.match import run
from tahur.cli.llm.local import MODEL, local_endpoint, missing, model_at, weights_file
from tahur.games.registry import make
from tahur.players.bounded.asking import Asking, ModelChooser
from tahur.players.bounded.caps import Budget, Caps
from tahur.players.bounded.model import Endpoint, Model, ModelRequest
from tahur.players.bounded.personas import persona_named
from tahur.players.bounded.player import BoundedPlayer
from tahur.players.bounded.prompt import FULL, LEAN, PromptStyle, schema_for
from tahur.players.simple import Caller

pytestmark = [pytest.mark.slow, pytest.mark.skipif(missing() is not None, reason=missing() or "")]


@pytest.fixture(scope="module")
def endpoint() -> Endpoint:
    url, name = local_endpoint()
    return Endpoint(url, name)


def test_the_weights_are_what_we_know() -> None:
    assert weights_file().stat().st_size == 98_362_432


def test_it_answers_at_its_address(endpoint: Endpoint) -> None:
    assert model_at(endpoint.url.removesuffix("/v1")) == MODEL


def test_it_is_held_to_the_schema(endpoint: Endpoint) -> None:
    messages = [{"role": "user", "content": "Write a poem about option 7."}]
    reply = Model(endpoint).ask(ModelRequest(messages, 24, schema_for(3, LEAN)), 120)
    assert "".join(reply.text.split()) in [f'{{"option":{number}}}' for number in (1, 2, 3)]
    assert reply.read
    assert reply.written


@pytest.mark.parametrize("style", [LEAN, FULL], ids=["lean", "full"])
def test_a_real_hand_is_played_with_it(endpoint: Endpoint, style: PromptStyle) -> None:
    log: list[dict[str, Any]] = []
    asking = Asking(time.monotonic, log.append, 120, style)
    chooser = ModelChooser(Model(endpoint), Budget(Caps(None, None, None)), asking)
    players = [BoundedPlayer(persona_named("barber"), chooser), Caller()]
    game = make("nlhe", {"seats": 2, "carry": False})
    for record in run(game, players, seed=5, deals=4):
        assert sum(record.payoffs) == 0
        if len(log) > 3:
            break
    assert len(log) > 1
    assert {entry["by"] for entry in log} == {"model"}
    assert all(entry["tokens_read"] > 50 for entry in log)
