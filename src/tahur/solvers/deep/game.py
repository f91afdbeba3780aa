"""The trainer's view of a game: its betting tree, batches of deals, showdown results, and input rows for the nets.

A deal is a row of cards: those of role 0, those of role 1, the board. Kuhn, Leduc and limit hold'em are trained by the
same code because each is a `TrainingGame`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from tahur.cards.rankings import class_of_combos
from tahur.core.arrays import Bytes, Float32s
from tahur.core.errors import SettingError
from tahur.core.game import Game
from tahur.games.betting import Betting, betting_tree
from tahur.games.encoders.encoder import Encoder, one_hot
from tahur.games.encoders.registry import KUHN_CARDS, RANKS, encoder_of, leduc_cards
from tahur.games.kuhn import Kuhn
from tahur.games.leduc import CARDS, Leduc

BOARDS: Final = (0, 3, 4, 5)  # board cards by street


class TrainingGame(Protocol):
    """A game for two, as arrays."""

    @property
    def game(self) -> Game[Any]: ...

    @property
    def encoder(self) -> Encoder: ...

    @property
    def betting(self) -> Betting:
        """The betting tree, its decisions depth first."""
        ...

    @property
    def betting_rows(self) -> Float32s:
        """(decisions, betting features): the input row of each decision."""
        ...

    @property
    def scale(self) -> float:
        """A typical stake: nets learn regrets in units of it."""
        ...

    def deal(self, rng: np.random.Generator, deals: int) -> Bytes:
        """(deals, cards): random deals."""
        ...

    def signs(self, deals: Bytes) -> NDArray[np.float32]:
        """1 where role 0 wins the showdown, -1 where it loses it, 0 for a tie."""
        ...

    def rows(self, deals: Bytes, role: int, street: int) -> Float32s:
        """(deals, card_width): the input row of the cards that the role sees on the street."""
        ...

    @property
    def hands(self) -> int | None:
        """The number of distinct card rows of a street, where there are few on every street; else None."""
        ...

    def is_numbered(self, street: int) -> bool:
        """Whether the street has few enough card rows to be numbered."""
        ...

    def hand_numbers(self, deals: Bytes, role: int, street: int) -> NDArray[np.int64]:
        """The number of each deal's hand, which is its index in `numbered_rows`; only for numbered streets."""
        ...

    def numbered_rows(self, street: int) -> Float32s:
        """(hands, card_width): the input row of each hand of a numbered street."""
        ...

    def parts(self, deals: Bytes, role: int) -> tuple[NDArray[np.int64], Float32s]:
        """The rows of streets that are not numbered: the indices of their ones, and the other features."""
        ...


def training_game(game: Game[Any]) -> TrainingGame:
    """The game prepared for training; rejects games that nets do not support."""
    encoder_of(game)
    if isinstance(game, Kuhn):
        return KuhnDeals(game)
    if isinstance(game, Leduc):
        return LeducDeals(game)
    return LimitDeals(game)


@dataclass(frozen=True)
class _Compiled:
    """What all three games have: the encoder and the betting tree, made on first use."""

    game: Any

    @cached_property
    def encoder(self) -> Any:
        return encoder_of(self.game)

    @cached_property
    def betting(self) -> Betting:
        return betting_tree(self.game, self.encoder, depth_first=True)

    @cached_property
    def betting_rows(self) -> Float32s:
        return np.array([self.encoder.betting(table) for table in self.betting.tables])

    @cached_property
    def scale(self) -> float:
        stakes = self.betting.stake[self.betting.decisions :]
        return float(np.sqrt((stakes**2).mean()))

    def parts(self, deals: Bytes, role: int) -> tuple[NDArray[np.int64], Float32s]:
        raise SettingError(f"{self.game.name} has numbers for all of its hands")


@dataclass(frozen=True)
class KuhnDeals(_Compiled):
    """Kuhn poker: a deal is the two hands."""

    game: Kuhn

    def deal(self, rng: np.random.Generator, deals: int) -> Bytes:
        return _shuffle(rng, deals, KUHN_CARDS, 2)

    def signs(self, deals: Bytes) -> NDArray[np.float32]:
        return np.where(deals[:, 0] > deals[:, 1], 1, -1).astype(np.float32)

    def rows(self, deals: Bytes, role: int, street: int) -> Float32s:
        return one_hot(deals[:, role], KUHN_CARDS)

    @property
    def hands(self) -> int:
        return KUHN_CARDS

    def is_numbered(self, street: int) -> bool:
        return True

    def hand_numbers(self, deals: Bytes, role: int, street: int) -> NDArray[np.int64]:
        return deals[:, role].astype(np.int64)

    def numbered_rows(self, street: int) -> Float32s:
        return one_hot(np.arange(KUHN_CARDS), KUHN_CARDS)


@dataclass(frozen=True)
class LeducDeals(_Compiled):
    """Leduc: a deal is the two hands and the board card."""

    game: Leduc

    def deal(self, rng: np.random.Generator, deals: int) -> Bytes:
        return _shuffle(rng, deals, len(CARDS), 3)

    def signs(self, deals: Bytes) -> NDArray[np.float32]:
        ranks = deals.astype(np.int64) // 2
        first, second = (ranks[:, role] + len(CARDS) * (ranks[:, role] == ranks[:, 2]) for role in (0, 1))
        return np.asarray(np.sign(first - second), np.float32)

    def rows(self, deals: Bytes, role: int, street: int) -> Float32s:
        boards = deals[:, 2].astype(np.int64) if street else np.full(len(deals), -1)
        return leduc_cards(deals[:, role].astype(np.int64), boards)

    @property
    def hands(self) -> int:
        """A rank and a board's rank."""
        return RANKS * RANKS

    def is_numbered(self, street: int) -> bool:
        return True

    def hand_numbers(self, deals: Bytes, role: int, street: int) -> NDArray[np.int64]:
        hand, board = deals[:, role] // 2, deals[:, 2] // 2
        return (hand * RANKS + (board if street else 0)).astype(np.int64)

    def numbered_rows(self, street: int) -> Float32s:
        hand, board = np.divmod(np.arange(self.hands), RANKS)
        return leduc_cards(2 * hand, 2 * board if street else np.full(self.hands, -1))


@dataclass(frozen=True)
class LimitDeals(_Compiled):
    """Limit hold'em with the button in seat 0, whose role is 0: the small blind."""

    def __post_init__(self) -> None:
        if self.game.stakes.button != 0:
            raise SettingError(f"{self.game.name}: the button must be in seat 0 for training")

    @property
    def board(self) -> int:
        return int(self.game.stakes.showdown_board)

    def deal(self, rng: np.random.Generator, deals: int) -> Bytes:
        from tahur.games.encoders.holdem import deal_cards

        return deal_cards(rng, deals, self.board)

    def signs(self, deals: Bytes) -> NDArray[np.float32]:
        """(deals,) 1 if role 0 has the better hand at showdown, -1 if role 1 has, 0 for a tie."""
        from tahur.cards.evaluator import evaluate_many

        boards = deals[:, 4:]
        first, second = (
            evaluate_many(np.concatenate([deals[:, 2 * role : 2 * role + 2], boards], axis=1)).astype(np.int64)
            for role in (0, 1)
        )
        return np.asarray(np.sign(first - second), np.float32)

    def rows(self, deals: Bytes, role: int, street: int) -> Float32s:
        board = deals[:, 4 : 4 + BOARDS[street]]
        rows: Float32s = self.encoder.rows(deals[:, 2 * role : 2 * role + 2], board)
        return rows

    def parts(self, deals: Bytes, role: int) -> tuple[NDArray[np.int64], Float32s]:
        ones, rest = self.encoder.parts(deals[:, 2 * role : 2 * role + 2], deals[:, 4:])
        return ones, rest

    @property
    def hands(self) -> None:
        """Too many to be merged."""

    def is_numbered(self, street: int) -> bool:
        """Before the flop there are 169 hands; after it, too many."""
        return street == 0

    def hand_numbers(self, deals: Bytes, role: int, street: int) -> NDArray[np.int64]:
        """The starting hand's class, 0 to 168, of each deal."""
        from tahur.games.encoders.holdem import combos_of

        self._check_numbered(street)
        return np.asarray(class_of_combos()[combos_of(deals[:, 2 * role : 2 * role + 2])], np.int64)

    def numbered_rows(self, street: int) -> Float32s:
        self._check_numbered(street)
        return self._starting_rows

    @cached_property
    def _starting_rows(self) -> Float32s:
        from tahur.games.encoders.holdem import combo_cards

        _, first = np.unique(class_of_combos(), return_index=True)
        rows: Float32s = self.encoder.rows(combo_cards()[first], np.zeros((len(first), 0), np.uint8))
        return rows

    def _check_numbered(self, street: int) -> None:
        if not self.is_numbered(street):
            raise SettingError(f"{self.game.name} has too many hands on street {street} to number them")


def _shuffle(rng: np.random.Generator, deals: int, deck: int, top: int) -> Bytes:
    return np.argsort(rng.random((deals, deck)), axis=1)[:, :top].astype(np.uint8)
