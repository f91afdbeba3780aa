"""One learning seat as a Gymnasium environment; players or policies sit in the other seats.

A hand can be over before the learner has to act: for example if everybody folds to the big blind. There is nothing to
learn from it, so `reset` deals until the first hand in which the learner acts, and its info has the number of skipped
episodes and what the learner won or lost in them (`skipped`, `skipped_reward`), so that a win rate can include them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

import numpy as np

from tahur.core.errors import IllegalAction, SettingError
from tahur.core.game import Dealer, Seat
from tahur.core.player import Decision, Player, View
from tahur.core.record import Seen
from tahur.envs.driver import RAISE, Caught, Driver, Observation, index_of, refusal
from tahur.envs.game import RENDER_MODES, EnvGame, action_space, check_mode, observation_space, screen, without
from tahur.envs.registry import ENV_GAMES, make_env_game

try:
    import gymnasium
except ModuleNotFoundError as missing:
    raise without(missing) from None

MOST_SKIPPED: Final = 1000  # episodes; then the learner is assumed never to act

# A policy: an observation in, an index out.
Policy = Callable[[Observation, np.random.Generator], int]


class SeatEnv(gymnasium.Env[Any, Any]):
    """Learn to play one seat of a game."""

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012  Gymnasium's own

    def __init__(
        self,
        game: str = "nlhe14",
        opponents: Sequence[Player | Policy] | None = None,
        *,
        seat: Seat = 0,
        illegal: str = RAISE,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        """`game`: `nlhe14`, `limit` or `perudo`, with the settings of `registry.ENV_GAMES`.

        `opponents`: one for each other seat, starting at the learner's left; each is a player, which gets a view and
        may use all of the game's actions, or a policy, which gets the same observation as the learner and returns an
        index. By default all choose a uniformly random legal index.
        """
        self.kind = make_env_game(game, settings)
        self.seat = _check_seat(self.kind, seat)
        self.render_mode = check_mode(render_mode)
        self.observation_space = observation_space(self.kind)
        self.action_space = action_space(self.kind)
        self._driver = Driver(self.kind, illegal=illegal, players=_seat_opponents(self.kind, seat, opponents))
        self._is_seeded = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal until the learner has to act. Option `dealer`: the dealer of the first episode."""
        super().reset(seed=seed)
        if seed is not None or not self._is_seeded:
            self._driver.seed(self.np_random_seed)
            self._is_seeded = True
        skipped, reward = self._deal_until_turn((options or {}).get("dealer"))
        observed = self._driver.observe(self.seat)
        return observed, {**self._info(None), "skipped": skipped, "skipped_reward": reward}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an index, then let the others play until the learner has to act again or is out."""
        caught = self._driver.play(action)
        observed, reward = self._driver.observe(self.seat), self._driver.rewards[self.seat]
        return observed, reward, self._driver.over, False, self._info(caught)

    def view(self) -> View:
        """The learner's view, as a player at the table gets it."""
        return self._driver.view(self.seat)

    def render(self) -> Any:
        """The table in words, as the learner sees it; None without a render mode."""
        return None if self.render_mode is None else screen(self.kind, self.view())

    def _deal_until_turn(self, dealer: Dealer | None) -> tuple[int, float]:
        """The number of episodes that were over before that, and what the learner won in them."""
        reward = 0.0
        for skipped in range(MOST_SKIPPED):
            self._driver.reset(dealer if not skipped else None)
            if not self._driver.over:
                return skipped, reward
            reward += self._driver.rewards[self.seat]
        raise SettingError(f"{self.kind.name}: seat {self.seat} did not get to act in {MOST_SKIPPED:,} episodes")

    def _info(self, caught: Caught | None) -> dict[str, Any]:
        mask = {"action_mask": self._driver.mask(self.seat)}
        return {**mask, "asked": caught.asked, "played": caught.played} if caught else {**mask}


class PolicyPlayer:
    """A policy as a player: it gets the observation that a learner in its seat would get."""

    def __init__(self, kind: EnvGame, policy: Policy) -> None:
        self._kind = kind
        self._policy = policy

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Does nothing."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        mask = self._kind.menu.mask(view.table)
        observed: Observation = {"observation": self._kind.observe(view), "action_mask": mask.copy()}
        index = index_of(self._kind, self._policy(observed, rng))
        if not mask[index]:
            raise IllegalAction(refusal(self._kind, view.table, index))
        return Decision(self._kind.menu.action(view.table, index))

    def learn(self, seen: Seen) -> None:
        """Does nothing."""


def any_legal(observed: Observation, rng: np.random.Generator) -> int:
    """A policy: a uniformly random legal index."""
    legal = np.flatnonzero(observed["action_mask"])
    return int(legal[int(rng.random() * len(legal))])


def register() -> None:
    """Register `tahur/nlhe14-v0`, `tahur/limit-v0` and `tahur/perudo-v0` with Gymnasium."""
    for game in ENV_GAMES:
        name = f"tahur/{game}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(name, "tahur.envs.seat:SeatEnv", kwargs={"game": game})


def _check_seat(kind: EnvGame, seat: Seat) -> Seat:
    if type(seat) is not int or not 0 <= seat < kind.layout.seats:
        raise SettingError(f"{kind.name}: seat {seat!r}; seats are 0 to {kind.layout.seats - 1}")
    return seat


def _seat_opponents(kind: EnvGame, seat: Seat, opponents: Sequence[Player | Policy] | None) -> dict[Seat, Player]:
    """The players of all seats but the learner's."""
    seats = kind.layout.seats
    others = (any_legal,) * (seats - 1) if opponents is None else opponents
    if len(others) != seats - 1:
        raise SettingError(f"{kind.name}: {len(others)} opponents; with {seats} seats there must be {seats - 1}")
    around = ((seat + step) % seats for step in range(1, seats))
    return {at: _player(kind, other) for at, other in zip(around, others, strict=True)}


def _player(kind: EnvGame, opponent: Player | Policy) -> Player:
    if isinstance(opponent, type) or not (hasattr(opponent, "act") or callable(opponent)):
        raise SettingError(f"{kind.name}: opponent {opponent!r}; expected a player, or a function (observation, rng)")
    return cast(Player, opponent) if hasattr(opponent, "act") else PolicyPlayer(kind, opponent)
