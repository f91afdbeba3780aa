"""A sound pot-odds player for hold'em: bets what is better than its share, pays what is worth the price, else folds.

Its chances are a function of the view: `probabilities` tells them, `act` draws from them. The lines it goes by are the
constants below, as parts of the way from a fair share of the pot (one half against one opponent) to the whole of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tahur.core.errors import PlayerError
from tahur.core.game import Action, Game
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.core.strategy import draw
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.table import CALL, FOLD, HoldemTable
from tahur.players.odds.equities import equity_against
from tahur.players.odds.opponents import OpponentRange, opponents_of
from tahur.players.sizes import raises_of

CALLED: Final = 0.5  # the part of all hands that others are taken to call with before the flop
BET_LINE: Final = 0.1  # above it, it bets
RAISE_LINE: Final = 0.25  # above it, it raises a bet
STRONG_LINE: Final = 0.5  # above it, by the larger sizes
MARGIN: Final = 1.05  # times the price is asked for while cards are to come
BLUFFS: Final = 0.1  # how often it bets, after the flop and against one or two, what is below the line
SIZES: Final[Mapping[int, float]] = {5: 0.3, 6: 0.4, 7: 0.3}  # 33, 50 and 75 % of the pot
LARGE_SIZES: Final[Mapping[int, float]] = {7: 0.3, 8: 0.4, 10: 0.3}  # 75, 100 and 150 %


@dataclass(frozen=True, slots=True)
class OddsReading:
    """What the player makes of a view: its equity against whom, and the price of going on, as parts of the pot."""

    equity: float
    price: float
    opponents: tuple[OpponentRange, ...]

    @property
    def edge(self) -> float:
        """How far the equity is above a fair share, as a part of all that could be above it."""
        share = 1 / (len(self.opponents) + 1)
        return (self.equity - share) / (1 - share)


@dataclass(frozen=True, slots=True)
class OddsPlayer:
    """`called`: the part of all hands that opponents are taken to call with before the flop (see `opponents`)."""

    called: float = CALLED

    def plays(self, game: Game[Any]) -> bool:
        return isinstance(game, Holdem)

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Nothing to prepare."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        return Decision(draw(self.probabilities(view), rng))

    def learn(self, seen: Seen) -> None:
        """Nothing to remember."""

    def probabilities(self, view: View) -> Mapping[Action, float]:
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
        assert view.hand is not None
        table: HoldemTable = view.table
        opponents = opponents_of(view.game, table, called=self.called)
        equity = equity_against(view.hand, table.board, opponents, last=table.stakes.showdown_board)
        return OddsReading(equity, price_of(table), opponents)


def odds_from_text(text: str) -> OddsPlayer:
    """`40%`: others are taken to call with the top 40 % of all hands."""
    percent = re.fullmatch(r"(\d{1,3}(?:\.\d+)?)%", text)
    if not percent or not 1 <= float(percent[1]) <= 100:
        raise PlayerError(f"odds:{text}; after the colon stands a part of all hands, 1% to 100%, such as odds:40%")
    return OddsPlayer(float(percent[1]) / 100)


def price_of(table: HoldemTable) -> float:
    """What a call adds, as a part of the pot that it can win: of a larger stack's chips only those it covers."""
    owed = table.to_call
    covered = table.committed[table.turn] + owed
    winnable = sum(min(chips, covered) for chips in table.committed) + owed
    return owed / winnable if owed else 0.0


def _sometimes_bluff(table: HoldemTable, reading: OddsReading) -> Mapping[Action, float]:
    """A check, or after the flop a bet of the usual sizes, so that it looks like one with a hand."""
    bets = raises_of(table, SIZES) if table.street and len(reading.opponents) <= 2 else {}
    if not bets:
        return {CALL: 1.0}
    return {CALL: 1 - BLUFFS} | {action: BLUFFS * chance for action, chance in bets.items()}
