"""Hold'em as an environment: the fourteen actions in no-limit, or the three of limit. An episode is one hand.

Rewards are in big blinds and sum to zero. The stacks and the button are drawn for each hand, unless they are fixed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import accumulate
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import cards_text
from tahur.core.arrays import Int8s
from tahur.core.errors import SettingError
from tahur.core.game import Action, Seat
from tahur.core.player import View
from tahur.core.record import Record
from tahur.envs.game import ActionMenu, Rng
from tahur.games.holdem import fourteen
from tahur.games.holdem.features import HoldemLayout, features, layout
from tahur.games.holdem.fourteen import PotBase, situation_of
from tahur.games.holdem.limit import PRESETS
from tahur.games.holdem.limit import limit as limit_holdem
from tahur.games.holdem.rules import Holdem, no_limit
from tahur.games.holdem.stakes import two_numbers, whole_number, yes_or_no
from tahur.games.holdem.table import CALL, FOLD, HoldemTable

CHECK_OR_FOLD: Final = "check_or_fold"
BET_OR_RAISE: Final = 2  # of limit hold'em; 0 and 1 are the rules' own fold and call

_LIMIT_NAMES: Final = ("fold", "check/call", "bet/raise")


@dataclass(frozen=True, slots=True)
class FourteenActions:
    """The fourteen actions over no-limit hold'em."""

    strict: bool = False
    pot_base: PotBase = PotBase.AFTER_CALL

    @property
    def size(self) -> int:
        return len(fourteen.NAMES)

    @property
    def net(self) -> str:
        return CHECK_OR_FOLD

    def mask(self, table: HoldemTable) -> Int8s:
        legal = fourteen.legal_mask(situation_of(table), strict=self.strict, pot_base=self.pot_base)
        return np.array(legal, dtype=np.int8)

    def action(self, table: HoldemTable, index: int) -> Action:
        if index <= fourteen.CALL:
            return (FOLD, CALL)[index]
        return fourteen.action_of(situation_of(table), index, strict=self.strict, pot_base=self.pot_base)

    def caught(self, table: HoldemTable) -> int:
        """Check or fold; an illegal minimum raise in an unopened pot becomes a check too: there is nothing to call."""
        return fourteen.FOLD if table.to_call else fourteen.CALL

    def name(self, index: int) -> str:
        return fourteen.NAMES[index]


@dataclass(frozen=True, slots=True)
class LimitActions:
    """Fold, check or call, bet or raise: in limit hold'em there is one size."""

    @property
    def size(self) -> int:
        return len(_LIMIT_NAMES)

    @property
    def net(self) -> str:
        return CHECK_OR_FOLD

    def mask(self, table: HoldemTable) -> Int8s:
        return np.array((table.to_call > 0, True, len(table.raises) > 0), dtype=np.int8)

    def action(self, table: HoldemTable, index: int) -> Action:
        return (FOLD, CALL)[index] if index < BET_OR_RAISE else table.raises[0] + 1

    def caught(self, table: HoldemTable) -> int:
        return FOLD if table.to_call else CALL

    def name(self, index: int) -> str:
        return _LIMIT_NAMES[index]


@dataclass(frozen=True, slots=True)
class HoldemEnvGame:
    """Hold'em with an action menu. `base` gives all but the stacks and the button, which are drawn for each hand."""

    name: str
    menu: ActionMenu
    base: Holdem
    stacks: Stacks
    same_depth: bool = True  # one draw for all seats, or one for each
    button: Seat | None = None  # None: drawn uniformly

    def __post_init__(self) -> None:
        seats, stakes = self.base.seats, self.base.stakes
        forced = stakes.blinds[1] + stakes.ante
        if self.stacks.least <= forced:
            depth = self.stacks.least / stakes.blinds[1]
            raise SettingError(f"{self.name}: stacks of {depth:g} BB; they must be more than blind plus ante")
        if self.button is not None and not 0 <= self.button < seats:
            raise SettingError(f"{self.name}: button {self.button}; seats are 0 to {seats - 1}, None draws one")

    @property
    def layout(self) -> HoldemLayout:
        return layout(self.base.seats)

    @property
    def most(self) -> float:
        """All chips at the table, in BB."""
        return self.base.seats * self.stacks.most / self.base.stakes.blinds[1]

    def opening(self, rng: Rng) -> Holdem:
        """The first hand of an episode."""
        seats = self.base.seats
        if self.same_depth:
            stacks = (self.stacks.draw(rng),) * seats
        else:
            stacks = tuple(self.stacks.draw(rng) for _ in range(seats))
        return _game_with(self.base, stacks, int(rng.random() * seats) if self.button is None else self.button)

    def after(self, game: Holdem, record: Record) -> None:
        """None: an episode is one hand."""

    def playing(self, game: Holdem) -> tuple[Seat, ...]:
        return game.stakes.order

    def rewards(self, game: Holdem, payoffs: Sequence[float]) -> tuple[float, ...]:
        return tuple(chips / game.stakes.blinds[1] for chips in payoffs)

    def observe(self, view: View) -> NDArray[np.float32]:
        return features(view)

    def scene(self, table: HoldemTable) -> str:
        big_blind = table.stakes.blinds[1]
        stacks = ", ".join(f"{chips / big_blind:g}" for chips in table.stacks)
        board = cards_text(table.board) or "no board"
        return f"{board}, pot {table.pot / big_blind:g} BB, stacks {stacks} BB, button seat_{table.stakes.button}"


def nlhe14(
    *,
    seats: Any = 2,
    stacks: Any = 100,
    same_depth: Any = True,
    blinds: Any = (50, 100),
    ante: Any = 0,
    button: Any = None,
    strict: Any = False,
    pot_base: Any = PotBase.AFTER_CALL.value,
) -> HoldemEnvGame:
    """No-limit hold'em, 2 to 9 seats, with the fourteen actions.

    `stacks` in BB: a depth, a range `(20, 100)` or a mix `{20: 1, 100: 3}`, drawn for each hand; with `same_depth` for
    all seats at once, else for each. `blinds` and `ante` in chips: a hundred per big blind, so that percentages of the
    pot are not coarse. `button`: a seat, or None to draw one for each hand. `strict`, `pot_base`: as in `fourteen`.
    """
    big_blind = two_numbers("blinds", blinds)[1]
    base = no_limit(seats=seats, stack=2 * big_blind, blinds=blinds, ante=ante, carry=False)
    menu = FourteenActions(yes_or_no("strict", strict), _pot_base(pot_base))
    return _holdem_kind("nlhe14", menu, base, stacks=stacks, same_depth=same_depth, button=button)


def limit(
    *,
    preset: Any = None,
    stacks: Any = 50,
    same_depth: Any = True,
    button: Any = None,
    **settings: Any,
) -> HoldemEnvGame:
    """Limit hold'em: fold, check or call, bet or raise.

    `stacks`, `same_depth`, `button`: as in `nlhe14`. `preset`: the name of a heads-up game (`hulh`, `acpc`, `fhp`,
    `fhp-3-4`), which fixes the rest; without one `seats` (2 to 9, default 2), `blinds`, `ante`, `bets`, `caps` and
    `showdown_board` are those of the game `limit`.
    """
    big_blind = two_numbers("blinds", settings.get("blinds", (1, 2)))[1]
    deal = _limit_rules(preset, settings.pop("seats", 2))
    base = deal(stack=2 * big_blind, carry=False, **settings)
    return _holdem_kind("limit", LimitActions(), base, stacks=stacks, same_depth=same_depth, button=button)


def _limit_rules(preset: Any, seats: Any) -> Callable[..., Holdem]:
    """The heads-up game of that name, or limit hold'em with `seats` seats."""
    if preset is None:
        return partial(limit_holdem, seats=seats)
    named = {preset.name: preset for preset in PRESETS}
    if preset not in named or seats != 2:
        raise SettingError(f"limit: preset {preset!r} with {seats} seats; {', '.join(named)} have two seats")
    return named[preset]


def _holdem_kind(
    name: str, menu: ActionMenu, base: Holdem, *, stacks: Any, same_depth: Any, button: Any
) -> HoldemEnvGame:
    seat = None if button is None else whole_number("button", button)
    depths = stacks_of(stacks, base.stakes.blinds[1])
    return HoldemEnvGame(
        name=name, menu=menu, base=base, stacks=depths, same_depth=yes_or_no("same_depth", same_depth), button=seat
    )


def _pot_base(value: Any) -> PotBase:
    try:
        return PotBase(value)
    except ValueError:
        raise SettingError(f"pot_base {value!r}; {' or '.join(base.value for base in PotBase)}") from None


@lru_cache(maxsize=1024)
def _game_with(base: Holdem, stacks: tuple[int, ...], button: Seat) -> Holdem:
    """The game with these stacks and button; cached, because with few depths the same ones recur."""
    return replace(base, stakes=replace(base.stakes, stacks=stacks, button=button))


@dataclass(frozen=True, slots=True)
class Fixed:
    """Always the same number of chips."""

    chips: int

    @property
    def least(self) -> int:
        return self.chips

    @property
    def most(self) -> int:
        return self.chips

    def draw(self, rng: Rng) -> int:
        return self.chips


@dataclass(frozen=True, slots=True)
class Uniform:
    """Any number of chips from `least` to `most`, both included, uniformly."""

    least: int
    most: int

    def __post_init__(self) -> None:
        if self.least > self.most:
            raise SettingError(f"stacks from {self.least} to {self.most} chips; the smaller depth must come first")

    def draw(self, rng: Rng) -> int:
        return self.least + int(rng.random() * (self.most - self.least + 1))


@dataclass(frozen=True, slots=True)
class Mix:
    """One of several numbers of chips, drawn by weight."""

    chips: tuple[int, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.chips or min(self.weights) < 0 or not 0 < sum(self.weights) < float("inf"):
            raise SettingError(f"weights {list(self.weights)} of stacks {list(self.chips)}; none negative, not all 0")

    @property
    def least(self) -> int:
        return min(self.chips)

    @property
    def most(self) -> int:
        return max(self.chips)

    def draw(self, rng: Rng) -> int:
        upto = tuple(accumulate(self.weights))
        return self.chips[bisect_right(upto, rng.random() * upto[-1])]


Stacks = Fixed | Uniform | Mix


def stacks_of(setting: Any, big_blind: int) -> Stacks:
    """`100` is always 100 BB, `(20, 100)` anything from 20 to 100 BB, `{20: 1, 100: 3}` mostly 100 BB, sometimes 20.

    Depths are in big blinds and must come to whole chips: nothing is rounded.
    """
    match setting:
        case int() | float():
            return Fixed(_chips(setting, big_blind))
        case Mapping():
            return Mix(tuple(_chips(depth, big_blind) for depth in setting), tuple(map(_weight, setting.values())))
        case Sequence() if len(setting) == 2 and not isinstance(setting, str):
            return Uniform(_chips(setting[0], big_blind), _chips(setting[1], big_blind))
        case _:
            raise SettingError(
                f"stacks {setting!r}; in BB: a depth such as 100, a range such as (20, 100), or a mix such as "
                "{20: 1, 100: 3}, depths with their weights"
            )


def _chips(depth: Any, big_blind: int) -> int:
    if isinstance(depth, bool) or not isinstance(depth, int | float) or not 0 < depth < float("inf"):
        raise SettingError(f"a stack of {depth!r} BB; expected a number greater than 0")
    chips = Fraction(str(depth)) * big_blind  # by its decimal digits: 0.1 is exactly a tenth
    if chips.denominator != 1:
        raise SettingError(f"a stack of {depth} BB is {float(chips)} chips with a big blind of {big_blind}; not whole")
    return int(chips)


def _weight(weight: Any) -> float:
    if isinstance(weight, bool) or not isinstance(weight, int | float):
        raise SettingError(f"a weight of {weight!r}; expected a number, such as 1 or 0.5")
    return float(weight)
