"""Kuhn poker (1950): one card each, one chip in the pot, one bet of one chip.

The smallest game in which it pays to bluff. Two seats and three cards as a rule; with more seats there is always one
card more than seats, and the first bet goes once around. Seats are kept from deal to deal, so a match never ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.errors import SettingError
from tahur.core.game import OVER, Action, Hand, Seat, Settings
from tahur.core.record import Record
from tahur.core.referee import check_legal
from tahur.core.terminal import Fold, Showdown, Symmetry
from tahur.games.betting_habits import EACH, RAISE, betting_habits
from tahur.games.entry import GameEntry, antes

PASS: Final = 0  # check, or fold to a bet
BET: Final = 1  # bet, or call one
FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 10
RANKS: Final = "3456789TJQK"


@dataclass(frozen=True, slots=True)
class KuhnTable:
    """Who passed and who bet. Once there is a bet, every seat acts once more up to the bettor."""

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
    """The rules. A hand is a card, 0 the lowest; the highest card among those who paid the bet wins the pot."""

    seats: int = 2

    def __post_init__(self) -> None:
        if not (isinstance(self.seats, int) and FEWEST_SEATS <= self.seats <= MOST_SEATS):
            raise SettingError(f"kuhn: seats = {self.seats!r}; it is {FEWEST_SEATS} to {MOST_SEATS}")

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
        """Chance only deals."""
        return ()

    def payoffs(self, table: KuhnTable, hands: Sequence[Hand]) -> tuple[float, ...]:
        """The ante is one chip a seat, the bet another."""
        bettors = table.bettors
        winner = max(bettors or range(self.seats), key=lambda seat: hands[seat])
        paid = [2 if seat in bettors else 1 for seat in range(self.seats)]
        return tuple(sum(paid) - chips if seat == winner else -chips for seat, chips in enumerate(paid))

    def worth(self, table: KuhnTable, hands: Sequence[Hand]) -> tuple[float, ...]:
        """The payoffs to expect if nobody else bets, and all who are left fold to a bet or, twice as often, call it."""
        if not table.bet_on or table.turn == OVER:
            return self.payoffs(_all(table, PASS), hands)
        outcomes = zip(self.payoffs(_all(table, PASS), hands), self.payoffs(_all(table, BET), hands), strict=True)
        return tuple((folded + 2 * called) / 3 for folded, called in outcomes)

    def luck_of_deal(self, hands: Sequence[Hand]) -> tuple[float, ...]:
        """The highest card is worth everybody's ante, and each seat gets it as often."""
        return self.worth(self.start(), hands)

    def revealed(self, table: KuhnTable) -> tuple[Seat, ...]:
        """Those who paid the bet, or everybody if there was none; a bet that nobody called is not shown."""
        if table.turn != OVER or len(table.bettors) == 1:
            return ()
        return tuple(sorted(table.bettors)) or tuple(range(self.seats))

    def label(self, table: KuhnTable, action: Action) -> str:
        return ("fold", "call")[action] if table.bet_on else ("check", "bet")[action]

    def hand_text(self, hand: Hand) -> str:
        """The cards end with the king: J, Q, K for two seats."""
        return RANKS[hand - self.seats - 1]

    def next(self, record: Record) -> Kuhn:
        """The same again: nothing moves between deals."""
        return self

    def hands(self, seat: Seat) -> range:
        return range(self.seats + 1)

    def prior(self, seat: Seat) -> NDArray[np.float64]:
        return np.full(self.seats + 1, 1 / (self.seats + 1))

    def possible(self, hands: Sequence[Hand]) -> bool:
        return len(set(hands)) == len(hands)

    def terminal(self, table: KuhnTable) -> Fold | Showdown:
        """For two seats."""
        if len(table.bettors) == 1:
            return Fold(1.0 if table.bettors == (0,) else -1.0)
        chips = 2.0 if table.bettors else 1.0
        cards = np.arange(self.seats + 1)
        return Showdown((cards, cards), chips, -chips)

    def holdings(self, seat: Seat) -> NDArray[np.int64]:
        return np.arange(self.seats + 1).reshape(-1, 1)

    def shown(self, table: KuhnTable, move: Action) -> tuple[int, ...]:
        """Nothing: chance only deals."""
        return ()

    def symmetries(self) -> tuple[Symmetry, ...]:
        """None: no two cards are alike."""
        return ()


def _all(table: KuhnTable, action: Action) -> KuhnTable:
    """The table once everybody left has taken the same action."""
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
    habits=betting_habits(_is_weak, tuple(habit for habit in EACH if habit != RAISE)),
)
