"""The games that nets can play, the encoder of each, and the strategy of a net before the first card is dealt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tahur.cards.rankings import class_of_combos
from tahur.core.errors import SettingError
from tahur.core.game import CHANCE, OVER, Action, Game, Hand, Settings
from tahur.games.encoders.encoder import Encoder
from tahur.games.kuhn import Kuhn
from tahur.games.leduc import Leduc
from tahur.games.registry import make


def encoder_of(game: Game[Any]) -> Encoder:
    """The encoder of a game; raises `SettingError` for games that nets do not play."""
    from tahur.games.encoders.holdem import HoldemEncoder  # loads Numba, which the small games do not need
    from tahur.games.encoders.small import KuhnEncoder, LeducEncoder
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
    game: Any = make(name, dict(settings))
    encoder = encoder_of(game)
    lines: tuple[list[tuple[Action, ...]], list[tuple[Action, ...]]] = ([], [])
    for role, line in _decisions(encoder, game, game.start()):
        lines[role].append(line)
    return PreflopLines((tuple(lines[0]), tuple(lines[1])))


def _decisions(encoder: Encoder, game: Any, table: Any) -> Iterator[tuple[int, tuple[Action, ...]]]:
    if table.turn in (CHANCE, OVER):
        return
    yield encoder.role(game, table.turn), tuple(table.history)
    for action in encoder.slots(table):
        if action is not None:
            yield from _decisions(encoder, game, table.after(action))
