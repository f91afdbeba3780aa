"""Kuhn poker (Kuhn, 1950): one card each, one chip of ante, one bet of one chip.

The smallest game in which bluffing pays. Usually two seats and three cards; with more seats there is always one card
more than there are seats, and after the first bet every other seat acts once more. Seats do not change between deals,
so a match never ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.errors import SettingError
from tahur.core.game import OVER, Action, Fold, Hand, Seat, Settings, Showdown, Symmetry
from tahur.core.record import Record
from tahur.core.referee import check_legal
from tahur.games.betting_habits import ALL_HABITS, RAISE, betting_habits
from tahur.games.entry import GameEntry, antes

PASS: Final = 0  # check, or fold to a bet
BET: Final = 1  # bet, or call one
FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 10
RANKS: Final = "3456789TJQK"


@dataclass(frozen=True, slots=True)
class KuhnTable:
    """The passes and bets so far. After a bet, every other seat acts once more."""

    game: Kuhn
    history: tuple[Action, ...] = ()

    @property
    def bet_on(self) -> bool:
        return BET in self.history

    @property
    def turn(self) -> Seat:
        seats, acted = self.game.seats, len(self.history)
        first = self.history.index(BET) if self.bet_on else 0
        return OVER if acted == first + seats else acted % seats

    @property
    def bettors(self) -> tuple[Seat, ...]:
        """The seats that bet or called, in that order."""
        return tuple(at % self.game.seats for at, action in enumerate(self.history) if action == BET)

    def actions(self) -> tuple[Action, ...]:
        return () if self.turn == OVER else (PASS, BET)

    def after(self, action: Action) -> KuhnTable:
        check_legal(self.game, self, action)
        return KuhnTable(self.game, (*self.history, action))


@dataclass(frozen=True, slots=True)
class Kuhn:
    """The rules. A hand is a card, 0 the lowest; the highest card among the seats that paid the bet wins the pot."""

    seats: int = 2

    def __post_init__(self) -> None:
        if not (isinstance(self.seats, int) and FEWEST_SEATS <= self.seats <= MOST_SEATS):
            raise SettingError(f"kuhn: seats = {self.seats!r}; valid: {FEWEST_SEATS} to {MOST_SEATS}")

    @property
    def name(self) -> str:
        return "kuhn"

    @property
    def settings(self) -> Settings:
        return {"seats": self.seats}

    def start(self) -> KuhnTable:
        return KuhnTable(self)

    def deal(self, rng: np.random.Generator) -> tuple[Hand, ...]:
        return tuple(rng.permutation(self.seats + 1)[: self.seats].tolist())

    def outcomes(self, table: KuhnTable, hands: Sequence[Hand]) -> tuple[Action, ...]:
        """Empty: chance only deals."""
        return ()

    def payoffs(self, table: KuhnTable, hands: Sequence[Hand]) -> tuple[float, ...]:
        """The ante is one chip per seat, the bet one more."""
        bettors = table.bettors
        winner = max(bettors or range(self.seats), key=lambda seat: hands[seat])
        paid = [2 if seat in bettors else 1 for seat in range(self.seats)]
        return tuple(sum(paid) - chips if seat == winner else -chips for seat, chips in enumerate(paid))

    def worth(self, table: KuhnTable, hands: Sequence[Hand]) -> tuple[float, ...]:
        """The expected payoffs if nobody else bets, and the remaining seats all call a bet (2/3) or all fold (1/3)."""
        if not table.bet_on or table.turn == OVER:
            return self.payoffs(_all(table, PASS), hands)
        outcomes = zip(self.payoffs(_all(table, PASS), hands), self.payoffs(_all(table, BET), hands), strict=True)
        return tuple((folded + 2 * called) / 3 for folded, called in outcomes)

    def luck_of_deal(self, hands: Sequence[Hand]) -> tuple[float, ...]:
        """The highest card is worth everybody's ante, and each seat is equally likely to get it."""
        return self.worth(self.start(), hands)

    def revealed(self, table: KuhnTable) -> tuple[Seat, ...]:
        """The seats that paid the bet, or all seats if there was none; a bettor whom nobody called does not show."""
        if table.turn != OVER or len(table.bettors) == 1:
            return ()
        return tuple(sorted(table.bettors)) or tuple(range(self.seats))

    def label(self, table: KuhnTable, action: Action) -> str:
        return ("fold", "call")[action] if table.bet_on else ("check", "bet")[action]

    def hand_text(self, hand: Hand) -> str:
        """The cards' letters, ending with the king: J, Q, K for two seats."""
        return RANKS[hand - self.seats - 1]

    def next(self, record: Record) -> Kuhn:
        """The same game: nothing moves between deals."""
        return self

    def hands(self, seat: Seat) -> range:
        return range(self.seats + 1)

    def prior(self, seat: Seat) -> NDArray[np.float64]:
        return np.full(self.seats + 1, 1 / (self.seats + 1))

    def possible(self, hands: Sequence[Hand]) -> bool:
        return len(set(hands)) == len(hands)

    def terminal(self, table: KuhnTable) -> Fold | Showdown:
        """The payoffs for all hands; for two seats only."""
        if len(table.bettors) == 1:
            return Fold(1.0 if table.bettors == (0,) else -1.0)
        chips = 2.0 if table.bettors else 1.0
        cards = np.arange(self.seats + 1)
        return Showdown((cards, cards), chips, -chips)

    def holdings(self, seat: Seat) -> NDArray[np.int64]:
        return np.arange(self.seats + 1).reshape(-1, 1)

    def shown(self, table: KuhnTable, move: Action) -> tuple[int, ...]:
        """Empty: chance only deals."""
        return ()

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Empty: no two cards are equivalent."""
        return ()


def _all(table: KuhnTable, action: Action) -> KuhnTable:
    """The table after every remaining seat has taken the same action."""
    while table.turn != OVER:
        table = table.after(action)
    return table


def _is_weak(game: Kuhn, table: KuhnTable, card: Hand) -> bool:
    """Whether fewer than half of the other cards are below it: the jack of three cards."""
    return 2 * card < game.seats


ENTRY: Final = GameEntry(
    name="kuhn",
    summary="Kuhn poker: one card each, one bet; the smallest game with bluffing",
    make=Kuhn,
    scorings=antes,
    habits=betting_habits(_is_weak, tuple(habit for habit in ALL_HABITS if habit != RAISE)),
)
