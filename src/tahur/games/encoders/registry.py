"""The games that nets can play, the encoder of each, and the strategy of a net before the first card is dealt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.rankings import class_of_combos
from tahur.core.arrays import Float32s
from tahur.core.errors import SettingError
from tahur.core.game import CHANCE, OVER, Action, Game, Hand, Seat, Settings
from tahur.games.encoders.encoder import BettingStep, Encoder, Slots, bet_row, one_hot
from tahur.games.kuhn import BET, PASS, Kuhn, KuhnTable
from tahur.games.leduc import ANTE, CALL, FOLD, RAISE, Leduc, LeducTable
from tahur.games.registry import make


def encoder_of(game: Game[Any]) -> Encoder:
    """The encoder of a game; raises `SettingError` for games that nets do not play."""
    from tahur.games.encoders.holdem import HoldemEncoder  # loads Numba, which the small games do not need
    from tahur.games.holdem.rules import Holdem
    from tahur.games.holdem.stakes import Limit

    if isinstance(game, Kuhn) and game.seats == 2:
        return KuhnEncoder()
    if isinstance(game, Leduc):
        return LeducEncoder()
    if isinstance(game, Holdem) and game.seats == 2 and isinstance(game.stakes.structure, Limit):
        return HoldemEncoder(game.stakes.structure.rounds)
    raise SettingError(f"{game.name}: nets play kuhn, leduc and limit hold'em, each with two seats")


@dataclass(frozen=True, slots=True)
class PreflopLines:
    """The action sequences before the flop at which each role decides, in the order of the tree."""

    lines: tuple[tuple[tuple[Action, ...], ...], tuple[tuple[Action, ...], ...]]

    def row(self, table: Any, role: int) -> int:
        """The index of the table's betting line among the role's lines."""
        return self.lines[role].index(tuple(table.history))

    def hand_class(self, hand: Hand | None) -> int:
        """The number of a starting hand's class, 0 to 168."""
        return int(class_of_combos()[hand])


def start_of(name: str, settings: Settings) -> PreflopLines:
    """The decisions before the first card, by role, in the order of a net's tables."""
    game: Any = make(name, dict(settings))
    encoder = encoder_of(game)
    lines: tuple[list[tuple[Action, ...]], list[tuple[Action, ...]]] = ([], [])
    for role, line in _decisions(encoder, game, game.start()):
        lines[role].append(line)
    return PreflopLines((tuple(lines[0]), tuple(lines[1])))


def _decisions(encoder: Encoder, game: Any, table: Any) -> Iterator[tuple[int, tuple[Action, ...]]]:
    """The role and the history of each decision of a betting tree, depth first."""
    if table.turn in (CHANCE, OVER):
        return
    yield encoder.role(game, table.turn), tuple(table.history)
    for action in encoder.slots(table):
        if action is not None:
            yield from _decisions(encoder, game, table.after(action))


# ---- Kuhn and Leduc ------------------------------------------------------------------------------
# Network inputs for Kuhn and Leduc.


KUHN_CARDS: Final = 3
RANKS: Final = 3  # in Leduc


@dataclass(frozen=True, slots=True)
class KuhnEncoder:
    """The card is one of three (one-hot); a bet is half the pot."""

    card_width: int = KUHN_CARDS
    streets: int = 1

    def role(self, game: Any, seat: Seat) -> int:
        return seat

    def street(self, table: KuhnTable) -> int:
        return 0

    def slots(self, table: KuhnTable) -> Slots:
        return (PASS, BET, None) if table.bet_on else (None, PASS, BET)

    def committed(self, table: KuhnTable) -> tuple[int, ...]:
        return tuple(1 + (seat in table.bettors) for seat in range(table.game.seats))

    def betting(self, table: KuhnTable) -> Float32s:
        pots = [2 + sum(table.history[:at]) for at in range(len(table.history) + 1)]
        steps = [BettingStep(0, action, pot) for action, pot in zip(table.history, pots, strict=False)]
        return bet_row(steps, table.turn, 0, pots[-1], float(table.bet_on))

    def cards(self, table: KuhnTable, hands: NDArray[np.int64]) -> Float32s:
        return one_hot(hands, KUHN_CARDS)


@dataclass(frozen=True, slots=True)
class LeducEncoder:
    """Ranks only: the hand's, the board's, and whether they pair."""

    card_width: int = 2 * RANKS + 2
    streets: int = 2

    def role(self, game: Any, seat: Seat) -> int:
        return seat

    def street(self, table: LeducTable) -> int:
        return int(table.board is not None)

    def slots(self, table: LeducTable) -> Slots:
        legal = table.actions()
        return FOLD if FOLD in legal else None, CALL, RAISE if RAISE in legal else None

    def committed(self, table: LeducTable) -> tuple[int, ...]:
        return table.paid

    def betting(self, table: LeducTable) -> Float32s:
        """The network's input row for the betting so far."""
        steps, now = [], Leduc().start()
        for action in table.history:
            after = now.after(action)
            if now.turn >= 0:
                steps.append(BettingStep(self.street(now), sum(after.paid) - sum(now.paid), sum(now.paid)))
            now = after
        owed = max(table.paid) - min(table.paid)
        return bet_row(steps, table.turn, self.street(table), sum(table.paid) / (2 * ANTE), owed / (2 * ANTE))

    def cards(self, table: LeducTable, hands: NDArray[np.int64]) -> Float32s:
        boards = np.full(len(hands), -1 if table.board is None else table.board)
        return leduc_cards(hands, boards)


def leduc_cards(hands: NDArray[Any], boards: NDArray[Any]) -> Float32s:
    """One row for each hand and its board; a board of -1 means none yet."""
    hand, board = hands // 2, np.where(boards < 0, RANKS, boards // 2)
    paired = (hand == board).astype(np.float32)
    return np.concatenate([one_hot(hand, RANKS), one_hot(board, RANKS + 1), paired[:, None]], axis=1)
