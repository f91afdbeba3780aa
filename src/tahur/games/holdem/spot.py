"""A spot as a game: no-limit hold'em starting on a flop, turn or river, with hands dealt from two ranges.

The table is that of the rules, in the middle of a hand: board, pot and stacks are set, and the seat out of position
acts. Any bet of one chip or more is legal, whatever sizes a solver was given. Two hands are dealt with a probability
proportional to the product of their weights if they share no card; the rest of the deck is uniform.

Payoffs are chips from the spot's start, counting the pot as put in half by each seat: chips won, less chips bet, less
half of the pot. They sum to zero, or with rake to minus the rake, which is taken from every pot, won by a fold or at a
showdown. So a seat's mean payoff is its EV in a solution, which includes the pot, less half of the pot. A split pot is
divided to the half chip.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import Card, cards_text, check_distinct, parse_cards
from tahur.cards.equity.removal import alive_hands, meeting
from tahur.cards.equity.tables import combos
from tahur.cards.evaluator import evaluator
from tahur.cards.ranges import Range
from tahur.core.errors import IllegalAction, SettingError
from tahur.core.game import OVER, Action, Hand, Seat, Settings
from tahur.core.record import Record
from tahur.core.scoring import Scoring
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.stakes import FLOP, RIVER, Stakes, whole_number
from tahur.games.holdem.table import HoldemTable

NAME: Final = "spot"
LEAST_BET: Final = 1  # chip
USUAL: Final = {
    "board": "Td9d6hQc2s",
    "oop": "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
    "ip": "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
    "pot": 200,
    "stack": 900,
}  # the example in the documentation of the postflop solver


@dataclass(frozen=True)
class SpotStakes(Stakes):
    """Stakes that include the starting board, so that tables of different spots are never equal."""

    board: tuple[int, ...] = ()


@dataclass(frozen=True)
class SpotGame:
    """The rules of one deal. `ranges`: out of position first; the seat on the button is in position."""

    board: tuple[Card, ...]
    ranges: tuple[Range, Range]
    pot: int
    stack: int
    rake: float = 0.0
    rake_cap: float = inf
    button: Seat = 1

    def __post_init__(self) -> None:
        """Reject settings out of range, and ranges whose hands cannot meet."""
        if not FLOP <= len(self.board) <= RIVER:
            raise SettingError(f"board '{cards_text(self.board)}'; a spot has 3, 4 or 5 cards on the table")
        check_distinct(("the board", self.board))
        if min(self.pot, self.stack) < 1:
            raise SettingError(f"pot {self.pot} and stack {self.stack}; both must be one chip or more")
        if not (0 <= self.rake <= 1 and self.rake_cap >= 0):
            raise SettingError(
                f"rake {self.rake} up to {self.rake_cap}; valid: a share from 0 to 1, a cap of 0 or more"
            )
        if self.button not in (0, 1):
            raise SettingError(f"button {self.button}; valid: seats 0 and 1")
        if not self._together.any():
            raise SettingError("no hand of one range is compatible with any hand of the other; add hands")

    @property
    def name(self) -> str:
        return NAME

    @property
    def seats(self) -> int:
        return 2

    @cached_property
    def settings(self) -> Settings:
        """The settings with which the registry makes this game again."""
        settings: dict[str, Any] = {
            "board": cards_text(self.board),
            "oop": self.ranges[0].text(),
            "ip": self.ranges[1].text(),
            "pot": self.pot,
            "stack": self.stack,
            "button": self.button,
        }
        if self.rake:
            settings["rake"] = self.rake
            if self.rake_cap < inf:
                settings["rake_cap"] = self.rake_cap
        return settings

    @property
    def stakes(self) -> Stakes:
        return self._rules.stakes

    def position(self, seat: Seat) -> int:
        """0 out of position, 1 in position."""
        return int(seat == self.button)

    def start(self) -> HoldemTable:
        return self._opening

    def deal(self, rng: np.random.Generator) -> tuple[Hand, ...]:
        """First the hand out of position, by its marginal probability; then the other, given the first."""
        first = _draw_hand(self._together, rng)
        second = _draw_hand(
            self.ranges[1].vector * ((combos().mask & (self._lying | int(combos().mask[first]))) == 0), rng
        )
        return (first, second) if self.button == 1 else (second, first)

    def outcomes(self, table: HoldemTable, hands: Sequence[Hand]) -> Sequence[Action]:
        return self._rules.outcomes(table, hands)

    def payoffs(self, table: HoldemTable, hands: Sequence[Hand]) -> tuple[float, ...]:
        if table.turn != OVER:
            raise IllegalAction(f"{NAME}: nobody is paid before the deal is over; it is at {list(table.history)}")
        return self._payoffs_for(self._stakes_of(table), self._better(table, hands))

    def worth(self, table: HoldemTable, hands: Sequence[Hand]) -> tuple[float, ...]:
        """With probability 1/3 a player who owes chips folds; else all call and check to the end. See `Appraised`."""
        if table.turn == OVER:
            return self.payoffs(table, hands)
        from tahur.games.holdem.worth import FOLDS, ahead

        stakes = self._stakes_of(table)
        called = self._payoffs_for(max(stakes), ahead(table, hands))
        if table.turn < 0 or not table.to_call:
            return called
        folded = self._payoffs_for(min(stakes), -1.0 if table.turn == 0 else 1.0)
        return tuple([FOLDS * fold + (1 - FOLDS) * call for fold, call in zip(folded, called, strict=True)])

    def luck_of_deal(self, hands: Sequence[Hand]) -> tuple[float, ...]:
        """How much more of the pot these hands win than the average hands, if nobody bets."""
        from tahur.games.holdem.worth import ahead

        first = ahead(self.start(), hands)
        mean = self._lead if self.button == 1 else -self._lead
        luck = (first - mean) * (self.pot - self._rake_of(self.pot)) / 2
        return luck, -luck

    def revealed(self, table: HoldemTable) -> tuple[Seat, ...]:
        return self._rules.revealed(table)

    def label(self, table: HoldemTable, action: Action) -> str:
        return self._rules.label(table, action)

    def hand_text(self, hand: Hand) -> str:
        return self._rules.hand_text(hand)

    def next(self, record: Record) -> SpotGame:
        """The same spot with the seats exchanged and the same chips."""
        return replace(self, button=1 - self.button)

    @cached_property
    def _rules(self) -> Holdem:
        more = (self.pot + 1) // 2  # an odd chip of the pot belongs to neither seat; the payoffs halve it
        stacks = self.stack + more, self.stack + self.pot - more
        return Holdem(NAME, SpotStakes(stacks, (0, LEAST_BET), button=self.button, board=tuple(map(int, self.board))))

    @cached_property
    def _opening(self) -> HoldemTable:
        """The table at the start of the spot: the board is dealt, and nobody has bet."""
        stakes = self._rules.stakes
        order, stacks, board = stakes.order, (self.stack, self.stack), tuple(map(int, self.board))
        return HoldemTable(
            stakes=stakes,
            history=(),
            turn=order[0],
            board=board,
            stacks=stacks,
            bets=(0, 0),
            live=order,
            pending=order,
            bet=0,
            last_raise=0,
            raised=0,
        )

    @cached_property
    def _lying(self) -> int:
        return sum(1 << card for card in self.board)

    @cached_property
    def _together(self) -> NDArray[np.float64]:
        """(1326,) for each hand out of position: its weight times the total weight of compatible hands."""
        alive = alive_hands(tuple(self.board))
        weights: NDArray[np.float64] = self.ranges[0].vector * alive * meeting(self.ranges[1].vector * alive)
        return weights

    @cached_property
    def _lead(self) -> float:
        """How much more often the range out of position wins than the other if all is checked."""
        from tahur.cards.equity.ask import equity

        first, second = equity(*self.ranges, board=self.board).players
        return first.equity - second.equity

    def _stakes_of(self, table: HoldemTable) -> tuple[float, float]:
        """What each seat has put in, including half of the pot."""
        half = self.pot / 2 + self.stack
        return half - table.stacks[0], half - table.stacks[1]

    def _better(self, table: HoldemTable, hands: Sequence[Hand]) -> float:
        """1 if seat 0 wins, -1 if seat 1 does, 0 if they split."""
        if len(table.live) == 1:
            return 1.0 if table.live[0] == 0 else -1.0
        rank, cards = evaluator(), combos().cards
        mine, theirs = (rank((*cards[hand].tolist(), *table.board)) for hand in hands)
        return float((mine > theirs) - (mine < theirs))

    def _payoffs_for(self, stakes: float | tuple[float, float], lead: float) -> tuple[float, float]:
        """The payoffs for each seat's stake in the middle, and the win rate of seat 0 minus that of seat 1."""
        stake = min(stakes) if isinstance(stakes, tuple) else stakes
        rake = self._rake_of(2 * stake)
        won = lead * (stake - rake / 2)
        return won - rake / 2, -won - rake / 2

    def _rake_of(self, pot: float) -> float:
        return min(pot * self.rake, self.rake_cap) if self.rake else 0.0


def make_spot(
    *,
    board: Any = USUAL["board"],
    oop: Any = USUAL["oop"],
    ip: Any = USUAL["ip"],
    pot: Any = USUAL["pot"],
    stack: Any = USUAL["stack"],
    rake: Any = 0.0,
    rake_cap: Any = inf,
    button: Any = 1,
) -> SpotGame:
    """The game with these settings: strings for cards and ranges, whole chips."""
    for name, text in (("board", board), ("oop", oop), ("ip", ip)):
        if not isinstance(text, str):
            raise SettingError(f"{name} {text!r}; a text was expected")
    for name, number in (("rake", rake), ("rake_cap", rake_cap)):
        if type(number) not in (int, float):
            raise SettingError(f"{name} {number!r}; a number was expected")
    return SpotGame(
        board=tuple(parse_cards(board)),
        ranges=(Range.parse(oop), Range.parse(ip)),
        pot=whole_number("pot", pot),
        stack=whole_number("stack", stack),
        rake=float(rake),
        rake_cap=float(rake_cap),
        button=whole_number("button", button),
    )


def spot_scorings(game: SpotGame) -> tuple[Scoring, ...]:
    """Chips per hand, comparable with a solution's EV, or percent of the pot."""
    return Scoring("chips/hand"), Scoring("%pot/hand", 100 / game.pot)


def _draw_hand(weights: NDArray[np.float64], rng: np.random.Generator) -> Hand:
    upto = weights.cumsum()
    return int(np.searchsorted(upto, rng.random() * upto[-1], side="right"))
