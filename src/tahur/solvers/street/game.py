"""The street game: one street of betting over buckets instead of cards, for one texture.

The pot is 1 and each seat has put in half of it. Seat 0, out of position, opens; a bet is 33, 66 or 100 % of the pot
and can be raised once, by 2.5 times the bet beyond the call. A hand is a bucket. A showdown pays each seat its equity,
the share that its bucket wins on average, so that the turn and the river are in the payoff and not in the tree. Two
hands are dealt from a joint distribution, not independently: `joint`. There are 14 tables at which a seat acts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.errors import SettingError, UnknownName
from tahur.core.game import OVER, Action, Fold, Hand, Matrix, Seat, Settings, Symmetry
from tahur.core.record import Record
from tahur.core.referee import check_legal
from tahur.core.scoring import Scoring
from tahur.games.entry import GameEntry
from tahur.games.holdem.buckets import Bucket
from tahur.games.holdem.textures import Texture
from tahur.solvers.street.matrices import Matrices, exact

FOLD: Final = 0
CALL: Final = 1  # or check
BETS: Final = {2: 330, 3: 660, 4: 1000}  # small, medium and large, in thousandths of the pot
RAISE: Final = 5
POT: Final = 1000  # thousandths
RAISE_TIMES: Final = 2.5  # times the bet, beyond calling it
WORDS: Final = ("fold", "call", "bet_s", "bet_m", "bet_l", "raise")  # by action, in exports; see `word`

Rows = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class StreetTable:
    """The public state: who checked, bet, raised, called or folded."""

    game: StreetGame
    history: tuple[Action, ...] = ()

    @property
    def bet(self) -> Action | None:
        return next((action for action in self.history if action in BETS), None)

    @property
    def turn(self) -> Seat:
        last = self.history[-1:]
        closed = last == (FOLD,) or (last == (CALL,) and len(self.history) > 1)
        return OVER if closed else len(self.history) % 2

    @property
    def paid(self) -> tuple[int, int]:
        """What each seat has put in, in thousandths of the initial pot."""
        paid = [POT // 2, POT // 2]
        for at, action in enumerate(self.history):
            if action == CALL:
                paid[at % 2] = max(paid)
            elif action in BETS:
                paid[at % 2] += BETS[action]
            elif action == RAISE and self.bet is not None:
                paid[at % 2] = max(paid) + round(RAISE_TIMES * BETS[self.bet])
        return paid[0], paid[1]

    def actions(self) -> tuple[Action, ...]:
        if self.turn == OVER:
            return ()
        if self.bet is None:
            return (CALL, *BETS)
        return (FOLD, CALL) if RAISE in self.history else (FOLD, CALL, RAISE)

    def after(self, action: Action) -> StreetTable:
        check_legal(self.game, self, action)
        return StreetTable(self.game, (*self.history, action))


@dataclass(frozen=True, slots=True)
class StreetGame:
    """The rules on one texture. Without custom matrices a game uses the exact ones, and its settings are short."""

    texture: Texture
    joint_rows: Rows | None = None
    equity_rows: Rows | None = None

    def __post_init__(self) -> None:
        if (self.joint_rows is None) != (self.equity_rows is None):
            raise SettingError(f"street: {self.texture}: give both joint and equity, or neither")
        for rows in (self.joint_rows, self.equity_rows):
            if rows is not None and [len(row) for row in rows] != [len(Bucket)] * len(Bucket):
                raise SettingError(
                    f"street: {self.texture}: a matrix needs {len(Bucket)} rows of {len(Bucket)} numbers"
                )

    @property
    def name(self) -> str:
        return "street"

    @property
    def seats(self) -> int:
        return 2

    @property
    def settings(self) -> Settings:
        texture: Settings = {"texture": self.texture.value}
        if self.joint_rows is None or self.equity_rows is None:
            return texture
        rows = {"joint": [*map(list, self.joint_rows)], "equity": [*map(list, self.equity_rows)]}
        return {**texture, **rows}

    def start(self) -> StreetTable:
        return StreetTable(self)

    def deal(self, rng: np.random.Generator) -> tuple[Hand, ...]:
        flat = self.joint().ravel().cumsum()
        drawn = int(np.searchsorted(flat, rng.random() * flat[-1], side="right"))
        return divmod(drawn, len(Bucket))

    def outcomes(self, table: StreetTable, hands: Sequence[Hand]) -> tuple[Action, ...]:
        """Chance only deals the hands."""
        return ()

    def payoffs(self, table: StreetTable, hands: Sequence[Hand]) -> tuple[float, ...]:
        """Payoffs in pots. The seat that folded had paid less; at a showdown both paid the same, and equity divides the
        pot."""
        first, second = table.paid
        if table.history[-1] == FOLD:
            won = (second if second < first else -first) / POT
        else:
            won = (2 * self.equity()[hands[0], hands[1]] - 1) * first / POT
        return float(won), -float(won)

    def revealed(self, table: StreetTable) -> tuple[Seat, ...]:
        return () if table.turn != OVER or table.history[-1] == FOLD else (0, 1)

    def label(self, table: StreetTable, action: Action) -> str:
        if action in BETS:
            return f"bet {BETS[action] / POT:.0%}"
        if action == RAISE and table.bet is not None:
            return f"raise to {(1 + RAISE_TIMES) * BETS[table.bet] / POT:.4g}"
        return "fold" if action == FOLD else "check" if table.bet is None else "call"

    def hand_text(self, hand: Hand) -> str:
        return Bucket(hand).label

    def next(self, record: Record) -> StreetGame:
        """The same game: nothing changes between deals."""
        return self

    def hands(self, seat: Seat) -> range:
        return range(len(Bucket))

    def prior(self, seat: Seat) -> NDArray[np.float64]:
        return np.asarray(self.joint().sum(axis=1 - seat))

    def possible(self, hands: Sequence[Hand]) -> bool:
        return bool(self.joint()[hands[0], hands[1]] > 0)

    def terminal(self, table: StreetTable) -> Fold | Matrix:
        first, second = table.paid
        if table.history[-1] == FOLD:
            return Fold((second if second < first else -first) / POT)
        return Matrix((2 * self.equity() - 1) * first / POT)

    def holdings(self, seat: Seat) -> None:
        """Buckets are not made of cards."""
        return

    def shown(self, table: StreetTable, move: Action) -> tuple[int, ...]:
        return ()

    def symmetries(self) -> tuple[Symmetry, ...]:
        return ()

    def joint(self) -> NDArray[np.float64]:
        """(9, 9) the probability of each pair of hands: not the product of the priors, since a card is dealt only
        once."""
        return _arrays(self)[0]

    def equity(self) -> NDArray[np.float64]:
        """(9, 9) seat 0's share of the pot at a showdown; one half for pairs that are never dealt."""
        return _arrays(self)[1]


def street_game(matrices: Matrices) -> StreetGame:
    """The game with these matrices. A pair that never met is not dealt, so its equity does not matter."""
    own = matrices.joint.tolist(), np.where(np.isnan(matrices.equity), 0.5, matrices.equity).tolist()
    joint, equity = (tuple(map(tuple, rows)) for rows in own)
    game = StreetGame(matrices.texture)
    return game if _rows_of(matrices.texture) == (joint, equity) else StreetGame(matrices.texture, joint, equity)


def decisions(game: StreetGame) -> Iterator[StreetTable]:
    """The 14 tables at which a seat acts, each before those that follow it."""
    waiting = [game.start()]
    while waiting:
        table = waiting.pop(0)
        if table.turn != OVER:
            yield table
            waiting += [table.after(action) for action in table.actions()]


def word(table: StreetTable, action: Action) -> str:
    """The action's name in exports and baselines."""
    return "check" if action == CALL and table.bet is None else WORDS[action]


def pots(game: StreetGame) -> tuple[Scoring, ...]:
    """The scoring units: thousandths of a pot per game, or pots per hand."""
    return Scoring("mpot/g", 1000.0), Scoring("pots/hand")


def make_street(texture: str = "low_dry", joint: object = None, equity: object = None) -> StreetGame:
    """The street game on a texture of the flop.

    joint, equity: (9, 9) as lists or arrays, the probability of each pair of buckets and seat 0's share of the pot;
    None for the exact ones of the texture.
    """
    if texture not in [*Texture]:
        raise UnknownName(f"no texture '{texture}'; valid: {', '.join(Texture)}")
    return StreetGame(Texture(texture), _as_rows(joint), _as_rows(equity))


def _as_rows(matrix: object) -> Rows | None:
    return None if matrix is None else tuple(tuple(map(float, row)) for row in np.asarray(matrix))


@cache
def _rows_of(texture: Texture) -> tuple[Rows, Rows]:
    """The exact matrices as rows."""
    known = exact(texture)
    equity = np.where(np.isnan(known.equity), 0.5, known.equity)
    return tuple(map(tuple, known.joint.tolist())), tuple(map(tuple, equity.tolist()))


@cache
def _arrays(game: StreetGame) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    joint, equity = _rows_of(game.texture)
    own = np.array(game.joint_rows or joint), np.array(game.equity_rows or equity)
    for array in own:
        array.flags.writeable = False
    return own


ENTRY: Final = GameEntry(
    "street",
    "one street of betting over nine buckets of hands, for a texture of the flop",
    make_street,
    pots,
)
