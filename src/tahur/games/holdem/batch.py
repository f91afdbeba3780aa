"""Thousands of hold'em hands in lockstep, as arrays: for learners and for fast simulation.

A `Batch` has one row for each hand in play. `step` takes one action per row; if that ends the hand, it reports the
result and deals the next one into the row, with newly drawn stacks: nothing carries over. No-limit is played with the
fourteen actions, limit with three. The rules are those of the readable table, into which `game_of` and `deal_of`
convert any row. An illegal action is an error, raised before anything is played.

Hands are numbered in the order of dealing. The stacks, the button and the cards of hand i depend only on the seed and
on i, not on the number of rows. Players get `observation`, which contains no card that the seat has not seen; `rows`
and `deal_of` are for dealers and tests.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tahur.cards import tables
from tahur.cards.cards import combo_of
from tahur.core.errors import IllegalAction, SettingError, UnknownName
from tahur.core.game import Hand
from tahur.games.holdem.fourteen import NAMES, PERCENTS, PotBase
from tahur.games.holdem.kernels.features import FeatureLayout, observe
from tahur.games.holdem.kernels.rows import ROW, RULES, SEATS, STREETS, DepthArrays
from tahur.games.holdem.kernels.steps import Arrays, begin, choose_at_random, first_illegal, step
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.stakes import Limit, whole_number

LIMIT_NAMES: Final = ("fold", "check/call", "bet/raise")
MOST_CHIPS: Final = 2**31 - 1  # of all seats together

_DECK: Final = 52
_WORD: Final = 2**64

A = TypeVar("A", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Depth:
    """A stack of `least` to `most` chips, uniformly distributed; `weight` is its weight among several depths."""

    least: int
    most: int
    weight: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < whole_number("least", self.least) <= whole_number("most", self.most):
            raise SettingError(f"a depth of {self.least} to {self.most} chips; the first must not exceed the second")
        if not 0 < self.weight < float("inf"):
            raise SettingError(f"a depth with weight {self.weight}; it must be more than 0")


@dataclass(frozen=True, slots=True)
class Depths:
    """The stacks of each new hand. `shared`: all seats of a hand have the same; otherwise each draws its own."""

    of: tuple[Depth, ...]
    shared: bool = False

    def __post_init__(self) -> None:
        if not self.of:
            raise SettingError("no depths; at least one is needed, such as Depth(200, 200)")


def fixed_stack(chips: int) -> Depths:
    """Always the same stack."""
    return Depths((Depth(chips, chips),))


def uniform(least: int, most: int, *, shared: bool = False) -> Depths:
    """Any number of chips in a range, uniformly."""
    return Depths((Depth(least, most),), shared)


def mixed_stacks(*depths: tuple[int, float], shared: bool = False) -> Depths:
    """One of several stacks, drawn by weight: `mixed_stacks((40, 1), (200, 3))`."""
    return Depths(tuple(Depth(chips, chips, weight) for chips, weight in depths), shared)


class Outcome(NamedTuple):
    """The result of a step."""

    rewards: NDArray[np.float64]  # (n, seats) big blinds won or lost, 0 in rows whose hand continues
    done: NDArray[np.bool_]  # (n,) the hand ended with this step, and the row has a new one


class Batch:
    """`hands` hands of one game at once. `depths`: how stacks are drawn; None: always those of the game.

    Everything that plays many hands uses this class; nothing else calls the kernels behind it.

    >>> from tahur.games.registry import make
    >>> batch = Batch(make("nlhe", {"seats": 2}), hands=1000, seed=1, depths=uniform(40, 200))
    >>> calls = np.full(batch.hands, batch.action_names.index("check/call"))
    >>> won = np.zeros(batch.seats)
    >>> for _ in range(100):
    ...     rewards, done = batch.step(np.where(batch.street == 0, calls, batch.random_actions()))
    ...     won += rewards.sum(axis=0)
    >>> bool(abs(won.sum()) < 1e-6)  # what one seat wins, the other loses
    True
    >>> batch.observation.shape[0], batch.part("stacks").shape, batch.mask.shape
    (1000, (1000, 2), (1000, 14))

    The arrays it returns change with every step, and only the batch may write to them: copy what you want to keep.
    """

    def __init__(
        self,
        game: Holdem,
        *,
        hands: int = 4096,
        seed: int = 0,
        depths: Depths | None = None,
        strict: bool = False,
        pot_base: PotBase = PotBase.AFTER_CALL,
    ) -> None:
        """Begin `hands` hands at once; `seed` determines all cards.

        depths: the stacks to draw from, None for those of the game; strict: a percentage of the pot that is just the
        smallest bet is masked; pot_base: the pot that percentages refer to.
        """
        if whole_number("hands", hands) < 1:
            raise SettingError(f"{hands} hands at once; valid: 1 or more")
        self.game = game
        self.action_names = LIMIT_NAMES if isinstance(game.stakes.structure, Limit) else NAMES
        self.layout, width = _layout(game.seats)
        self._rules = _rules(game, whole_number("seed", seed), strict, pot_base)
        self._depths = _depth_arrays(game, depths)
        self._tables = tables.load()
        self._arrays = _empty_arrays(hands, game.seats, len(self.action_names))
        self._features = np.zeros((hands, width), np.float32)
        self._actions = np.zeros(hands, np.int64)
        self._shown = _read_only_arrays(self._arrays)
        self._is_observed = False
        begin(self._arrays, self._rules, self._depths)

    @property
    def hands(self) -> int:
        """n, the number of hands in play at once."""
        return len(self._actions)

    @property
    def seats(self) -> int:
        return self.game.seats

    @property
    def rows(self) -> NDArray[np.void]:
        """(n,) the complete state of the hands, including all cards: `rows["live"]`. See ROW for the fields."""
        return self._shown.rows

    @property
    def hand(self) -> NDArray[np.int64]:
        """(n,) the numbers of the hands."""
        return self.rows["hand"]

    @property
    def button(self) -> NDArray[np.int32]:
        """(n,) the seat of the button."""
        return self.rows["button"]

    @property
    def turn(self) -> NDArray[np.int32]:
        """(n,) the seat to act; every row has one."""
        return self.rows["turn"]

    @property
    def street(self) -> NDArray[np.int32]:
        """(n,) 0 before the flop, then 1, 2, 3."""
        return self.rows["street"]

    @property
    def pot(self) -> NDArray[np.int32]:
        """(n,) all chips in the middle, including this street's bets."""
        return self.rows["pot"]

    @property
    def stacks(self) -> NDArray[np.int32]:
        """(n, seats) the chips that each seat has left."""
        return self.rows["stacks"][:, : self.seats]

    @property
    def mask(self) -> NDArray[np.bool_]:
        """(n, actions) which actions are legal; their names are in `action_names`."""
        return self._shown.mask

    @property
    def moves(self) -> NDArray[np.int32]:
        """(n, actions) each action's move at the table: 0 folds, 1 checks or calls, x + 1 raises to x; -1: masked."""
        return self._shown.moves

    @property
    def observation(self) -> NDArray[np.float32]:
        """(n, features) what the seat to act sees, computed on demand; `part` returns a part by name."""
        if not self._is_observed:
            observe(self._arrays.rows, self._rules, self.layout, self._features)
            self._is_observed = True
        return _read_only(self._features)

    def part(self, name: str) -> NDArray[np.float32]:
        """The columns of `observation` that have a name in `FeatureLayout`: `part("stacks")` is (n, seats)."""
        if name not in FeatureLayout._fields:
            raise UnknownName(f"no part '{name}' of an observation; it has {', '.join(FeatureLayout._fields)}")
        ends = (*self.layout[1:], self._features.shape[1])
        index = FeatureLayout._fields.index(name)
        return self.observation[:, self.layout[index] : ends[index]]

    def step(self, actions: ArrayLike) -> Outcome:
        """Play one action in every row; an action is a column of the mask."""
        chosen = self._legal(np.asarray(actions))
        self._is_observed = False
        step(chosen, self._arrays, self._rules, self._depths, self._tables)
        return Outcome(self._shown.rewards, self._shown.done)

    def random_actions(self) -> NDArray[np.int64]:
        """(n,) uniformly random legal actions; always the same ones for the same hand in the same state."""
        choose_at_random(self._arrays, self._rules, self._actions)
        return self._actions

    def game_of(self, row: int) -> Holdem:
        """The readable rules of the row's hand, with its stacks and its button."""
        stacks = self.rows["began"][row, : self.seats].tolist()
        return replace(self.game, stakes=replace(self.game.stakes, stacks=tuple(stacks), button=int(self.button[row])))

    def deal_of(self, row: int) -> tuple[tuple[Hand, ...], tuple[int, ...]]:
        """The row's hole cards by seat, and its complete board. No player may see this."""
        hole, board = self.rows["hole"][row, : self.seats].tolist(), self.rows["board"][row].tolist()
        return tuple(map(combo_of, hole)), tuple(board[: self.game.stakes.showdown_board])

    def _legal(self, actions: NDArray[Any]) -> NDArray[np.int64]:
        """The actions, after checking that each is legal; nothing is played before that."""
        if actions.shape != (self.hands,) or actions.dtype.kind not in "iu":
            raise IllegalAction(
                f"{actions.dtype} actions of shape {actions.shape}; expected one integer for each of {self.hands} hands"
            )
        chosen = actions.astype(np.int64, copy=False)
        row = first_illegal(chosen, self._arrays.mask)
        if row >= 0:
            raise IllegalAction(self._refusal(row, int(actions[row])))
        return chosen

    def _refusal(self, row: int, action: int) -> str:
        legal = ", ".join(f"{index} ({self.action_names[index]})" for index in np.flatnonzero(self.mask[row]))
        named = f" ({self.action_names[action]})" if 0 <= action < len(self.action_names) else ""
        where = f"row {row}, hand {self.hand[row]}, seat {self.turn[row]}"
        return f"{self.game.name}: {where} cannot play action {action}{named}; legal: {legal}"


def _rules(game: Holdem, seed: int, strict: bool, pot_base: PotBase) -> NDArray[np.void]:
    """(1,) a record of RULES."""
    stakes, structure = game.stakes, game.stakes.structure
    caps = structure.caps if isinstance(structure, Limit) else ()
    largest = max(*stakes.blinds, stakes.ante, *stakes.least_bets, *caps)
    if largest > MOST_CHIPS:
        raise SettingError(f"{game.name}: a blind, ante, bet or cap of {largest}; at most {MOST_CHIPS}")
    if stakes.free_folds:
        raise SettingError(f"{game.name}: free_folds; a batch does not allow folding when checking is free")
    rules = np.zeros(1, RULES)
    rules["seats"] = game.seats
    rules["small_blind"], rules["big_blind"] = stakes.blinds
    rules["ante"] = stakes.ante
    rules["button"] = stakes.button
    rules["rounds"] = structure.rounds
    rules["showdown_board"] = stakes.showdown_board
    rules["is_limit"] = isinstance(structure, Limit)
    rules["least_bets"][0, : structure.rounds] = stakes.least_bets
    rules["caps"][0, : len(caps)] = caps
    rules["percents"] = PERCENTS
    rules["is_strict"] = strict
    rules["after_call"] = pot_base is PotBase.AFTER_CALL
    rules["deals"], rules["choices"] = np.random.SeedSequence(seed % _WORD).generate_state(2, np.uint64).view(np.int64)
    return rules


def _depth_arrays(game: Holdem, depths: Depths | None) -> DepthArrays:
    """One row for each depth; without depths, one row with the stacks of the game."""
    kinds = () if depths is None else depths.of
    stacks = list(game.stakes.stacks)
    least = np.array([[kind.least] * game.seats for kind in kinds] or [stacks])
    most = np.array([[kind.most] * game.seats for kind in kinds] or [stacks])
    needed = game.stakes.ante + game.stakes.blinds[0] + 1
    if least.min() < needed:
        raise SettingError(
            f"{game.name}: a stack of {least.min()}; the minimum is {needed} chips, ante, small blind and one more, "
            "so that every hand has a decision"
        )
    if most.sum(axis=1).max() > MOST_CHIPS:
        raise SettingError(f"{game.name}: {most.sum(axis=1).max()} chips in play; at most {MOST_CHIPS}")
    shares = np.cumsum([kind.weight for kind in kinds] or [1.0])
    is_shared = depths is not None and depths.shared
    return DepthArrays(least.astype(np.int64), most.astype(np.int64), shares / shares[-1], is_shared)


def _empty_arrays(hands: int, seats: int, actions: int) -> Arrays:
    """Arrays of zeros for this many hands, seats and actions."""
    return Arrays(
        rows=np.zeros(hands, ROW),
        moves=np.zeros((hands, actions), np.int32),
        mask=np.zeros((hands, actions), np.bool_),
        rewards=np.zeros((hands, seats)),
        done=np.zeros(hands, np.bool_),
        next_hand=np.zeros(1, np.int64),
        ranks=np.zeros(SEATS, np.int64),
    )


def _layout(seats: int) -> tuple[FeatureLayout, int]:
    """The offset of each part of an observation, and the width of a row."""
    by_street = STREETS * seats
    widths = (_DECK,) * 4 + (STREETS, seats, 1, 1, seats, seats, by_street, STREETS, by_street)
    *starts, width = accumulate(widths, initial=0)
    return FeatureLayout(*starts), width


def _read_only_arrays(arrays: Arrays) -> Arrays:
    """Read-only views of the arrays, for callers."""
    rows, moves, mask, rewards, done, next_hand, ranks = arrays
    return Arrays(
        rows=_read_only(rows),
        moves=_read_only(moves),
        mask=_read_only(mask),
        rewards=_read_only(rewards),
        done=_read_only(done),
        next_hand=next_hand,
        ranks=ranks,
    )


def _read_only(array: NDArray[A]) -> NDArray[A]:
    view = array.view()
    view.flags.writeable = False
    return view
