"""Random episodes for the tests of environments: who chose what, what was seen before and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("gymnasium", reason="the extra rl is not installed")
pytest.importorskip("pettingzoo", reason="the extra rl is not installed")

from tahur.core.player import View
from tahur.envs import limit_v0, nlhe14_v0, perudo_v0

# Every environment, at several tables; the settings that matter most are all somewhere.
ENVS: list[tuple[ModuleType, dict[str, Any]]] = [
    (nlhe14_v0, {}),
    (nlhe14_v0, {"seats": 3, "stacks": (2, 30), "same_depth": False, "blinds": (1, 2), "ante": 1}),
    (nlhe14_v0, {"seats": 6, "stacks": {10: 1, 100: 2}, "strict": True}),
    (nlhe14_v0, {"seats": 9, "stacks": (5, 200), "same_depth": False, "pot_base": "plain"}),
    (limit_v0, {"preset": "hulh"}),
    (limit_v0, {"preset": "fhp", "stacks": 10, "button": 1}),
    (limit_v0, {"seats": 6, "stacks": (2, 40), "same_depth": False}),
    (limit_v0, {"seats": 9, "blinds": (5, 10), "bets": (10, 20), "caps": (2, 2)}),
    (perudo_v0, {}),
    (perudo_v0, {"seats": 4, "rules": "asmodee", "dice": 3}),
    (perudo_v0, {"seats": 3, "match": False, "cups": "any"}),
    (perudo_v0, {"cups": [2, 0, 1, 3], "rules": "classic", "reward": "dice"}),
]
NAMES = [f"{module.__name__.split('.')[-1]} {settings}" for module, settings in ENVS]
every_env = pytest.mark.parametrize(("module", "settings"), ENVS, ids=NAMES)


@dataclass(frozen=True)
class Choice:
    """One decision of an episode."""

    agent: str
    seen: dict[str, Any]
    view: View
    index: int


def choices(env: Any, random: Random) -> Iterator[Choice]:
    """Play the episode that was just reset to its end, each legal index equally likely."""
    for agent in env.agent_iter():
        seen, _, terminated, _, _ = env.last()
        if terminated:
            env.step(None)
            continue
        index = random.choice(seen["action_mask"].nonzero()[0].tolist())
        yield Choice(agent, seen, env.view(agent), index)
        env.step(index)


def totals(env: Any, random: Random) -> dict[str, float]:
    """What each agent has won in an episode."""
    won = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, _, _ = env.last()
        won[agent] += reward
        env.step(None if terminated else random.choice(seen["action_mask"].nonzero()[0].tolist()))
    return won


def trail(env: Any, random: Random) -> list[Any]:
    """All that comes out of an episode, in a form that can be compared."""
    out = []
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, info = env.last()
        mask = seen["action_mask"]
        out.append((agent, seen["observation"].tobytes(), mask.tobytes(), reward, terminated, truncated))
        out.append({**info, "action_mask": info["action_mask"].tobytes()})
        env.step(None if terminated else random.choice(mask.nonzero()[0].tolist()))
    return out
