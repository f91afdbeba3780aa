"""Leduc hold'em (Southey et al., 2005): one card each, one card on the board, two rounds of betting.

Six cards: jack, queen and king in two suits. The ante is 1 chip, a raise 2 chips before the board card and 4 after it,
at most two raises per round. Pairing the board wins, otherwise the higher rank; equal ranks split. Seat 0 opens both
rounds. Seats do not change between deals, so a match never ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.errors import IllegalAction
from tahur.core.game import CHANCE, OVER, Action, Fold, Hand, Seat, Settings, Showdown, Symmetry
from tahur.core.record import Record
from tahur.core.referee import check_legal
from tahur.games.betting_habits import betting_habits
from tahur.games.entry import GameEntry, antes

FOLD: Final = 0
CALL: Final = 1  # or check
RAISE: Final = 2
CARDS: Final = range(6)  # jacks 0 and 1, queens 2 and 3, kings 4 and 5
ANTE: Final = 1
RAISES: Final = (2, 4)  # chips, before and after the board card
MOST_RAISES: Final = 2  # per round


@dataclass(frozen=True, slots=True)
class LeducTable:
    """The betting and the board. `paid` is what each seat has in the pot, `raises` counts those of this round."""

    history: tuple[Action, ...] = ()
    turn: Seat = 0
    paid: tuple[int, int] = (ANTE, ANTE)
    raises: int = 0
    board: Hand | None = None

    @property
    def raise_to(self) -> int:
        """What a seat will have in the pot if it raises now."""
        return max(self.paid) + RAISES[self.board is not None]

    def actions(self) -> tuple[Action, ...]:
        if self.turn < 0:
            return ()
        fold = (FOLD,) if self.paid[0] != self.paid[1] else ()
        return (*fold, CALL, RAISE) if self.raises < MOST_RAISES else (*fold, CALL)

    def after(self, action: Action) -> LeducTable:
        """The table after an action of the seat to act, or after the board card."""
        if self.turn == CHANCE:
            return self._after_card(action)
        check_legal(Leduc(), self, action)
        history = (*self.history, action)
        if action == FOLD:
            return LeducTable(history, OVER, self.paid, self.raises, self.board)
        if action == RAISE:
            paid = (self.raise_to, self.paid[1]) if self.turn == 0 else (self.paid[0], self.raise_to)
            return LeducTable(history, 1 - self.turn, paid, self.raises + 1, self.board)
        return LeducTable(history, self._turn_after_call(), (max(self.paid),) * 2, self.raises, self.board)

    def _after_card(self, card: Action) -> LeducTable:
        if card not in CARDS:
            raise IllegalAction(f"leduc: chance cannot deal card {card}; legal: {', '.join(map(_card_text, CARDS))}")
        return LeducTable((*self.history, card), 0, self.paid, 0, card)

    def _turn_after_call(self) -> Seat:
        if self.turn == 0 and self.raises == 0:  # the opening check
            return 1
        return CHANCE if self.board is None else OVER


@dataclass(frozen=True, slots=True)
class Leduc:
    """The rules. A hand is a card, and chance's action is the board card."""

    @property
    def name(self) -> str:
        return "leduc"

    @property
    def seats(self) -> int:
        return 2

    @property
    def settings(self) -> Settings:
        return {}

    def start(self) -> LeducTable:
        return LeducTable()

    def deal(self, rng: np.random.Generator) -> tuple[Hand, ...]:
        return tuple(rng.permutation(len(CARDS))[:2].tolist())

    def outcomes(self, table: LeducTable, hands: Sequence[Hand]) -> tuple[Action, ...]:
        if table.turn != CHANCE:
            return ()
        return tuple(card for card in CARDS if card not in hands)

    def payoffs(self, table: LeducTable, hands: Sequence[Hand]) -> tuple[float, ...]:
        """The winner wins what the loser paid: a player who folded has paid less, at a showdown both paid the same."""
        first, second = table.paid if _is_fold(table) else (_strength(hand, table.board) for hand in hands)
        won = min(table.paid) * _order(first, second)
        return won, -won

    def worth(self, table: LeducTable, hands: Sequence[Hand]) -> tuple[float, ...]:
        """The expected payoffs if nobody raises again, and a player who owes chips calls (2/3) or folds (1/3).

        Averaged over the board cards that can still come.
        """
        if table.turn == OVER:
            return self.payoffs(table, hands)
        boards = [card for card in CARDS if card not in hands] if table.board is None else [table.board]
        ahead = sum(_order(*(_strength(hand, card) for hand in hands)) for card in boards)
        won = max(table.paid) * ahead / len(boards)
        if _is_fold(table):  # unequal payments: the payoffs if the seat to act folds
            won = (min(table.paid) * _order(*table.paid) + 2 * won) / 3
        return won, -won

    def luck_of_deal(self, hands: Sequence[Hand]) -> tuple[float, ...]:
        """A hand is worth at most an ante, and each seat is equally likely to get the better one."""
        return self.worth(self.start(), hands)

    def revealed(self, table: LeducTable) -> tuple[Seat, ...]:
        return () if table.turn != OVER or _is_fold(table) else (0, 1)

    def label(self, table: LeducTable, action: Action) -> str:
        if table.turn == CHANCE:
            return f"deal {_card_text(action)}"
        call = "check" if table.paid[0] == table.paid[1] else "call"
        return ("fold", call, f"raise to {table.raise_to}")[action]

    def hand_text(self, hand: Hand) -> str:
        return _card_text(hand)

    def next(self, record: Record) -> Leduc:
        """The same game: nothing moves between deals."""
        return self

    def hands(self, seat: Seat) -> range:
        return CARDS

    def prior(self, seat: Seat) -> NDArray[np.float64]:
        return np.full(len(CARDS), 1 / len(CARDS))

    def possible(self, hands: Sequence[Hand]) -> bool:
        return len(set(hands)) == len(hands)

    def terminal(self, table: LeducTable) -> Fold | Showdown:
        won = float(min(table.paid))
        if _is_fold(table):
            return Fold(won if table.paid[0] > table.paid[1] else -won)
        strengths = np.array([_strength(card, table.board) for card in CARDS])
        return Showdown((strengths, strengths), won, -won)

    def holdings(self, seat: Seat) -> NDArray[np.int64]:
        return np.arange(len(CARDS)).reshape(-1, 1)

    def shown(self, table: LeducTable, move: Action) -> tuple[int, ...]:
        return (move,)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """The two suits of each rank can be swapped, independently for each rank."""
        return tuple(_swap_suits(ranks) for ranks in product((0, 1), repeat=len(CARDS) // 2) if any(ranks))


def _swap_suits(ranks: Sequence[int]) -> Symmetry:
    """The symmetry that swaps the suits in the ranks marked with a 1."""
    cards = np.array([card ^ ranks[_rank(card)] for card in CARDS])
    return Symmetry((cards, cards), dict(zip(CARDS, cards.tolist(), strict=True)))


def _is_fold(table: LeducTable) -> bool:
    return table.paid[0] != table.paid[1]


def _order(first: int, second: int) -> int:
    """1 if the first is higher, -1 if the second is, 0 if they are equal."""
    return (first > second) - (first < second)


def _rank(card: Hand) -> int:
    return card // 2


def _strength(hand: Hand, board: Hand | None) -> int:
    """A hand's strength: a pair with the board beats every rank."""
    paired = board is not None and _rank(hand) == _rank(board)
    return len(CARDS) if paired else _rank(hand)


def _card_text(card: Hand) -> str:
    return "JQK"[_rank(card)] + "sh"[card % 2]


def _is_weak(game: Leduc, table: LeducTable, hand: Hand) -> bool:
    """Whether it wins less than half the time against the remaining cards, counting ties as half."""
    own = _strength(hand, table.board)
    others = [_strength(card, table.board) for card in CARDS if card not in (hand, table.board)]
    return sum((own > other) - (own < other) for other in others) < 0


ENTRY: Final = GameEntry(
    name="leduc",
    summary="Leduc hold'em: six cards, one of them on the board, two rounds of betting",
    make=Leduc,
    scorings=antes,
    habits=betting_habits(_is_weak),
)
