"""The PettingZoo environment that all three games share: one agent per seat, acting in turn.

A seat that is out (in Perudo: of dice) is terminated at once, all others when the episode ends. The mask of an agent
that is not to act is all zeros. The mask is in the observation and in the info; when the safety net has played
something other than the agent's choice, the agent's next info has `asked` and `played`, both indices of the menu.
"""

from __future__ import annotations

from typing import Any

from tahur.core.game import Seat
from tahur.core.player import View
from tahur.envs.driver import RAISE, Caught, Driver, Observation
from tahur.envs.game import (
    RENDER_MODES,
    EnvGame,
    action_space,
    agent_of,
    check_mode,
    observation_space,
    screen,
    without,
)

try:
    from gymnasium import logger
    from gymnasium.spaces import Space
    from gymnasium.utils.seeding import np_random
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ModuleNotFoundError as missing:
    raise without(missing) from None


class TurnEnv(AECEnv):
    """A game as an AEC environment. `kind.layout` describes the numbers of an observation."""

    def __init__(self, kind: EnvGame, *, illegal: str = RAISE, render_mode: str | None = None) -> None:
        """`illegal`: "raise" an error for an illegal action, or the name of the safety net that replaces it."""
        super().__init__()
        self.metadata = {"name": f"{kind.name}_v0", "render_modes": list(RENDER_MODES), "is_parallelizable": False}
        self.kind = kind
        self.render_mode = check_mode(render_mode)
        self.possible_agents = [agent_of(seat) for seat in range(kind.layout.seats)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: observation_space(kind) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(kind) for agent in self.possible_agents}
        self._driver = Driver(kind, illegal=illegal)
        self._is_seeded = False
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._caught: dict[str, Caught] = {}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode: the first one of the seed, or the next one. Option `dealer`: the dealer of the episode."""
        if seed is not None or not self._is_seeded:
            self._driver.seed(np_random(seed)[1])
            self._is_seeded = True
        self._driver.reset((options or {}).get("dealer"))
        self.agents = [self.possible_agents[seat] for seat in sorted(self._driver.playing)]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None
        self._caught = {}
        self.agent_selection = agent_of(self._driver.turn)
        self._inform()

    def step(self, action: Any) -> None:
        """Play an index of the menu for the agent to act; None for a terminated one."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        caught = self._driver.play(action)
        self._caught.pop(agent, None)
        if caught:
            self._caught[agent] = caught
        self._cumulative_rewards[agent] = 0.0
        self._settle()

    def observe(self, agent: str) -> Observation:
        return self._driver.observe(self._seat_of[agent])

    def view(self, agent: str) -> View:
        """The agent's view, as a player at the table gets it."""
        return self._driver.view(self._seat_of[agent])

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    def render(self) -> str | None:
        """The table in words, as the agent to act sees it."""
        if self.render_mode is None:
            logger.warn(f"{self.metadata['name']}: nothing to render without render_mode='ansi'")
            return None
        return screen(self.kind, self.view(self.agent_selection))

    def close(self) -> None:
        """Does nothing."""

    def _settle(self) -> None:
        """Pay rewards, terminate agents that are out, and select the next one; terminated ones come first."""
        playing = self._driver.playing
        self.rewards = {agent: self._driver.rewards[self._seat_of[agent]] for agent in self.agents}
        self.terminations = {agent: self._seat_of[agent] not in playing for agent in self.agents}
        self._accumulate_rewards()
        if playing:
            self.agent_selection = agent_of(self._driver.turn)
        self._deads_step_first()
        self._inform()

    def _inform(self) -> None:
        self.infos = {agent: self._info(agent, self._seat_of[agent]) for agent in self.agents}

    def _info(self, agent: str, seat: Seat) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._driver.mask(seat)}
        if caught := self._caught.get(agent):
            info |= {"asked": caught.asked, "played": caught.played}
        return info


def check_order(env: TurnEnv) -> OrderEnforcingWrapper:
    """The environment with PettingZoo's check that it is reset before use."""
    return OrderEnforcingWrapper(env)
