"""The rows of the preflop table that nets trained in the fast mode have for limit hold'em."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tahur.cards.rankings import class_of_combos
from tahur.core.game import CHANCE, OVER, Action, Hand, Settings
from tahur.games.encoders.encoder import Encoder
from tahur.games.encoders.registry import encoder_of
from tahur.games.registry import make


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
