"""Perudo as an environment: bids, dudo and calza. An episode is a match, round after round, or a single round.

A match rewards its winner with 1 and the others, as they go out, with an equal share of -1; optionally each round
rewards the change in a seat's dice, -1, 0 or 1, which is not zero-sum. A single round always rewards dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Int8s
from tahur.core.errors import SettingError
from tahur.core.game import Action, Seat
from tahur.core.player import View
from tahur.core.record import Record
from tahur.envs.game import ActionMenu, Rng
from tahur.games.perudo.bids import CALZA, DUDO, FACES, action_text, bid
from tahur.games.perudo.features import PerudoLayout, features, layout
from tahur.games.perudo.game import Perudo
from tahur.games.perudo.game import perudo as perudo_round
from tahur.games.perudo.round import first_round
from tahur.games.perudo.table import PerudoTable

BID_OR_DUDO: Final = "bid_or_dudo"


@dataclass(frozen=True, slots=True)
class BidsAndCalls:
    """Dudo, calza, and every bid on up to `dice` dice: 1 ace, 1 two, ..., 1 six, 2 aces, ... from index 2 on."""

    dice: int

    @property
    def size(self) -> int:
        return len(_actions_by_index(self.dice))

    @property
    def net(self) -> str:
        return BID_OR_DUDO

    def mask(self, table: PerudoTable) -> Int8s:
        mask = np.zeros(self.size, dtype=np.int8)
        indices = _indices(self.dice)
        mask[[indices[action] for action in table.actions()]] = 1
        return mask

    def action(self, table: PerudoTable, index: int) -> Action:
        return _actions_by_index(self.dice)[index]

    def caught(self, table: PerudoTable) -> int:
        """The lowest bid before the first bid, else dudo."""
        return _indices(self.dice)[table.actions()[0]]

    def name(self, index: int) -> str:
        return action_text(_actions_by_index(self.dice)[index])


@dataclass(frozen=True, slots=True)
class PerudoEnvGame:
    """Perudo with the menu of bids, dudo and calza. `base` gives the rules and the cups, unless these are drawn."""

    name: str
    menu: ActionMenu
    base: Perudo
    opener: Seat | None = None  # None: drawn from the seats with dice
    any_cups: bool = False  # draw each seat's number of dice
    match: bool = True  # an episode is a match until one seat has dice left; else one round
    pays_dice: bool = False  # each round rewards the change in dice; else a match rewards its winner

    @property
    def layout(self) -> PerudoLayout:
        return layout(self.base.seats)

    @property
    def most(self) -> float:
        """The number of all dice, which no bid exceeds."""
        return self.base.seats * self.base.round.rules.dice

    def opening(self, rng: Rng) -> Perudo:
        """The first round of an episode, with random cups and a random opener where they are not fixed."""
        start = self.base.round
        cups = start.cups
        if self.any_cups:
            cups = tuple(1 + int(rng.random() * start.rules.dice) for _ in cups)
        opener = start.order[int(rng.random() * len(start.order))] if self.opener is None else self.opener
        return Perudo(first_round(start.rules, cups, opener, start.dropped))

    def after(self, game: Perudo, record: Record) -> Perudo | None:
        return game.next(record) if self.match else None

    def playing(self, game: Perudo) -> tuple[Seat, ...]:
        return game.round.order

    def rewards(self, game: Perudo, payoffs: Sequence[float]) -> tuple[float, ...]:
        """Dice; or 1 for the winner of the match, and for the others, once out, an equal share of -1."""
        if self.pays_dice:
            return tuple(map(float, payoffs))
        left = [dice + change for dice, change in zip(game.round.cups, payoffs, strict=True)]
        share, worth = -1 / (len(self.base.round.order) - 1), [0.0] * len(left)
        for seat in game.round.order:
            if not left[seat]:
                worth[seat] = share
            elif left[seat] == sum(left):
                worth[seat] = 1.0
        return tuple(worth)

    def observe(self, view: View) -> NDArray[np.float32]:
        return features(view)

    def scene(self, table: PerudoTable) -> str:
        cups = ", ".join(map(str, table.cups))
        return f"cups {cups}, {'aces wild' if table.wild else 'palifico: aces not wild'}"


def perudo(
    *,
    seats: Any = None,
    rules: Any = "faroleo",
    dice: Any = None,
    palifico: Any = None,
    calza: Any = None,
    cups: Any = None,
    opener: Any = None,
    match: Any = True,
    reward: Any = None,
) -> PerudoEnvGame:
    """Perudo, 2 to 8 seats; bids, dudo and calza.

    `rules`, `dice`, `palifico`, `calza`: those of the game `perudo`. `cups`: the dice each seat starts with, or `"any"`
    to draw them; by default all of them. `opener`: a seat, or None to draw one. `match`: whole matches, round after
    round, or single rounds. `reward`: `win` (1 for the winner of the match, and for the others, as they go out, an
    equal share of -1) or `dice` (the change in a seat's dice, each round); the default for matches is `win`.
    """
    pays_dice = _pays_dice(match, reward)
    fixed = None if cups == "any" else cups
    first = next((seat for seat, held in enumerate(fixed or ()) if held), 0) if opener is None else opener
    base = perudo_round(seats=seats, dice=dice, rules=rules, palifico=palifico, calza=calza, opener=first, cups=fixed)
    menu = BidsAndCalls(base.seats * base.round.rules.dice)
    return PerudoEnvGame(
        name="perudo", menu=menu, base=base, opener=opener, any_cups=cups == "any", match=match, pays_dice=pays_dice
    )


def _pays_dice(match: Any, reward: Any) -> bool:
    if type(match) is not bool:
        raise SettingError(f"perudo: match {match!r}; true or false was expected")
    if reward not in (None, "dice", "win") or (reward == "win" and not match):
        raise SettingError(f"perudo: reward {reward!r}; valid: 'dice' or, in matches, 'win'")
    return reward == "dice" or not match


@cache
def _actions_by_index(dice: int) -> tuple[Action, ...]:
    """The game's action for each index."""
    return (DUDO, CALZA, *(bid(count, face) for count in range(1, dice + 1) for face in FACES))


@cache
def _indices(dice: int) -> dict[Action, int]:
    return {action: index for index, action in enumerate(_actions_by_index(dice))}
