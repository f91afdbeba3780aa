"""What reaches a seat is the same whatever the others hold: two deals alike but for the hidden hands, played alike.

Environments are built from views, so this should be true by construction; here it is seen from the outside, for every
observation, mask, info and picture that an agent or a learner is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import ModuleType
from typing import Any

import pytest

from envs.rollouts import limit_v0, nlhe14_v0, perudo_v0
from tahur.cards.cards import combo_of
from tahur.core.chance import SettledDealer
from tahur.core.game import Hand
from tahur.envs.game import screen
from tahur.envs.seat import SeatEnv
from tahur.games.perudo.table import hand_of

PAIRS = 60
TABLES: list[tuple[ModuleType, dict[str, Any]]] = [
    (nlhe14_v0, {"seats": 2}),
    (nlhe14_v0, {"seats": 6, "stacks": (5, 50), "same_depth": False}),
    (limit_v0, {"seats": 4}),
    (limit_v0, {"preset": "fhp"}),
    (perudo_v0, {"seats": 2, "match": False}),
    (perudo_v0, {"seats": 5, "match": False}),
]

NAMES = [f"{module.__name__.split('.')[-1]} {settings}" for module, settings in TABLES]


def twin_deals(random: Random, seats: int, *, dice: bool) -> tuple[int, list[tuple[Hand, ...]], tuple[int, ...]]:
    """A seat, two deals in which it alone holds the same, and the board."""
    seat = random.randrange(seats)
    if dice:
        first, second = ([hand_of(random.choices(range(1, 7), k=5)) for _ in range(seats)] for _ in range(2))
        second[seat] = first[seat]
        return seat, [tuple(first), tuple(second)], ()
    deck = random.sample(range(52), 52)
    board, own, rest = deck[:5], deck[5:7], deck[7:]
    deals = []
    for _ in range(2):
        random.shuffle(rest)
        others = [combo_of(rest[2 * at : 2 * at + 2]) for at in range(seats)]
        others[seat] = combo_of(own)
        deals.append(tuple(others))
    return seat, deals, tuple(board)


def told(env: Any, agent: str) -> tuple[Any, ...]:
    seen, info = env.observe(agent), env.infos.get(agent, {})
    info = {name: value.tolist() if name == "action_mask" else value for name, value in info.items()}
    return seen["observation"].tobytes(), seen["action_mask"].tobytes(), info, screen(env.kind, env.view(agent))


def episode(env: Any, seed: int, dealer: SettledDealer, agent: str) -> Iterator[tuple[Any, ...]]:
    """What an agent is given before every action and at the end; what is chosen depends on masks alone."""
    random = Random(seed)
    env.reset(seed=seed, options={"dealer": dealer})
    while not any(env.terminations.values()):
        yield env.agent_selection, *told(env, agent)
        env.step(random.choice(env.observe(env.agent_selection)["action_mask"].nonzero()[0].tolist()))
    yield told(env, agent)


@pytest.mark.parametrize(("module", "settings"), TABLES, ids=NAMES)
def test_an_agent_is_given_the_same_whatever_the_others_hold(module: ModuleType, settings: dict[str, Any]) -> None:
    env, random, different = module.raw_env(**settings), Random(1), 0
    for number in range(PAIRS):
        seat, deals, board = twin_deals(random, len(env.possible_agents), dice=module is perudo_v0)
        different += deals[0] != deals[1]
        one, two = (list(episode(env, number, SettledDealer(deal, board), f"seat_{seat}")) for deal in deals)
        assert one == two
    assert different > PAIRS * 0.9


@pytest.mark.parametrize("game", ["nlhe14", "limit", "perudo"])
def test_a_learner_is_given_the_same_whatever_the_others_hold(game: str) -> None:
    """The others choose their lowest legal index but folding, so they do not look at what they hold."""

    def mild(seen: dict[str, Any], _: Any) -> int:
        legal = seen["action_mask"].nonzero()[0].tolist()
        return int(next(index for index in legal if index))

    settings = {"match": False} if game == "perudo" else {}
    random = Random(2)
    for number in range(PAIRS):
        seat, deals, board = twin_deals(random, 3, dice=game == "perudo")
        env = SeatEnv(game, [mild, mild], seat=seat, seats=3, render_mode="ansi", **settings)
        given = []
        for deal in deals:
            seen, info = env.reset(seed=number, options={"dealer": SettledDealer(deal, board)})
            if info["skipped"]:
                break
            over, steps = False, [(seen["observation"].tobytes(), info["action_mask"].tolist(), env.render())]
            while not over:
                seen, _, over, _, info = env.step(int(seen["action_mask"].nonzero()[0][-1]))
                steps.append((seen["observation"].tobytes(), info["action_mask"].tolist(), env.render()))
            given.append(steps)
        assert len(given) in (0, 2)
        assert given[:1] == given[1:]
