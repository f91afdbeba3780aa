"""`odds`: pot odds in hold'em, the expected change in dice in Perudo.

The hold'em player estimates what the others hold, its equity against that, and the price of a call. It bets hands that
are better than a fair share, calls if the price is right, else folds. Its action probabilities are a function of the
view: `probabilities` returns them, `act` draws from them. Its thresholds are the constants below, as fractions of the
way from a fair share of the pot (one half against one opponent) to all of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np

from tahur.core.errors import PlayerError
from tahur.core.game import Action, Game
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.core.strategy import draw
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.table import CALL, FOLD, HoldemTable
from tahur.games.perudo.game import Perudo
from tahur.players.opponents import CallingModel, OpponentRange
from tahur.players.perudo.expectation import OddsMind
from tahur.players.simple import raises_of

CALLED: Final = 0.5  # the part of all hands that others are assumed to call with before the flop
BET_LINE: Final = 0.1  # it bets above this
RAISE_LINE: Final = 0.25  # it raises a bet above this
STRONG_LINE: Final = 0.5  # it uses the larger sizes above this
MARGIN: Final = 1.05  # factor on the required equity while cards are to come
BLUFFS: Final = 0.1  # how often it bets weaker hands, after the flop and against one or two opponents
SIZES: Final[Mapping[int, float]] = {5: 0.3, 6: 0.4, 7: 0.3}  # 33, 50 and 75 % of the pot
LARGE_SIZES: Final[Mapping[int, float]] = {7: 0.3, 8: 0.4, 10: 0.3}  # 75, 100 and 150 %


@dataclass(frozen=True, slots=True)
class OddsReading:
    """The evaluation of a view: the equity, the opponents, and the price of a call, as parts of the pot."""

    equity: float
    price: float
    opponents: tuple[OpponentRange, ...]

    @property
    def edge(self) -> float:
        """How far the equity is above a fair share, as a fraction of the maximum."""
        share = 1 / (len(self.opponents) + 1)
        return (self.equity - share) / (1 - share)


@dataclass(frozen=True, slots=True)
class OddsPlayer:
    """`called`: the part of all hands that opponents are assumed to call with before the flop (see `CallingModel`)."""

    called: float = CALLED

    def plays(self, game: Game[Any]) -> bool:
        return isinstance(game, Holdem)

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Does nothing."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        return Decision(draw(self.probabilities(view), rng))

    def learn(self, seen: Seen) -> None:
        """Does nothing."""

    def probabilities(self, view: View) -> Mapping[Action, float]:
        """Bet or raise with a large enough edge; otherwise call or fold by the price, or check and sometimes bluff."""
        table: HoldemTable = view.table
        reading = self.reading(view)
        line = RAISE_LINE if table.last_raise else BET_LINE
        if reading.edge >= line:
            sizes = LARGE_SIZES if reading.edge >= STRONG_LINE else SIZES
            return raises_of(table, sizes) or {CALL: 1.0}
        if table.to_call:
            margin = MARGIN if len(table.board) < table.stakes.showdown_board else 1.0
            return {CALL if reading.equity >= reading.price * margin else FOLD: 1.0}
        return _sometimes_bluff(table, reading)

    def reading(self, view: View) -> OddsReading:
        """The equity and the price behind `probabilities`."""
        from tahur.players.equities import equity_against  # loads Numba, which Perudo does not need

        assert view.hand is not None
        table: HoldemTable = view.table
        opponents = CallingModel(self.called).opponents(view.game, table)
        equity = equity_against(view.hand, table.board, opponents, last=table.stakes.showdown_board)
        return OddsReading(equity, price_of(table), opponents)


class _OddsStrategy(Protocol):
    """A player by pot odds for one kind of game, with known action probabilities."""

    def act(self, view: View, rng: np.random.Generator) -> Decision: ...

    def probabilities(self, view: View) -> Mapping[Action, float]: ...


class OddsAnywhere:
    """`odds` in every supported game; remembers nothing."""

    learns = False

    def __init__(self) -> None:
        self._holdem = OddsPlayer()
        self._perudo = OddsMind()

    def plays(self, game: Game[Any]) -> bool:
        return isinstance(game, Holdem | Perudo)

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Does nothing."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        return self.at(view.game).act(view, rng)

    def learn(self, seen: Seen) -> None:
        """Does nothing."""

    def probabilities(self, view: View) -> Mapping[Action, float]:
        return self.at(view.game).probabilities(view)

    def at(self, game: Game[Any]) -> _OddsStrategy:
        """The player for that game."""
        return self._perudo if isinstance(game, Perudo) else self._holdem


def odds_from_text(text: str) -> OddsPlayer:
    """Parse `40%`: others are assumed to call with the top 40 % of all hands."""
    percent = re.fullmatch(r"(\d{1,3}(?:\.\d+)?)%", text)
    if not percent or not 1 <= float(percent[1]) <= 100:
        raise PlayerError(f"odds:{text}; expected a part of all hands after the colon, 1% to 100%, such as odds:40%")
    return OddsPlayer(float(percent[1]) / 100)


def price_of(table: HoldemTable) -> float:
    """The cost of a call as a part of the pot that it can win: a larger stack's chips count only as far as covered."""
    owed = table.to_call
    covered = table.committed[table.turn] + owed
    winnable = sum(min(chips, covered) for chips in table.committed) + owed
    return owed / winnable if owed else 0.0


def _sometimes_bluff(table: HoldemTable, reading: OddsReading) -> Mapping[Action, float]:
    """A check or, sometimes after the flop, a bet of the usual sizes, so that it looks like one with a hand."""
    bets = raises_of(table, SIZES) if table.street and len(reading.opponents) <= 2 else {}
    if not bets:
        return {CALL: 1.0}
    return {CALL: 1 - BLUFFS} | {action: BLUFFS * chance for action, chance in bets.items()}
