"""Nobody learns a hand that is not theirs before it is shown: 2,000 pairs of twins over all games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from games.twins import check_twins, laid_bare, twins
from tahur.core.game import Action, Game, Hand, Seat
from tahur.games.kuhn import Kuhn, KuhnTable
from tahur.games.leduc import Leduc, LeducTable
from tahur.games.liars_dice import LiarsDice
from tahur.games.registry import GAMES, make

PAIRS = 2000
PLAYED: dict[str, Game[Any]] = {
    **{name: entry.make() for name, entry in GAMES.items()},
    "kuhn, 3 seats": Kuhn(3),
    "kuhn, 5 seats": Kuhn(5),
    "liars-dice, 2 x 3": LiarsDice(2, 3),
    "liars-dice, 5 x 6": LiarsDice(5, 6),
    "perudo, 4 seats": make("perudo", {"seats": 4}),
}


@pytest.mark.parametrize("name", PLAYED)
def test_twins_cannot_be_told_apart_before_hands_are_shown(name: str) -> None:
    check_twins(PLAYED[name], -(-PAIRS // len(PLAYED)))


@pytest.mark.parametrize("game", [Kuhn(3), Leduc(), LiarsDice()], ids=repr)
def test_twins_differ_where_the_seat_cannot_see_and_nowhere_else(game: Game[Any]) -> None:
    for first, second in twins(game, 40, seed=2):
        same = [one == two for one, two in zip(first.record.hands, second.record.hands, strict=True)]
        assert not all(same)
        assert first.seat is None or same[first.seat]


# ---- leaks, planted ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mindful(Leduc):
    """Remembers the hands when it deals the board, where no `repr` shows it."""

    memory: list[Hand] = field(default_factory=list, repr=False, compare=False)

    def outcomes(self, table: LeducTable, hands: Sequence[Hand]) -> tuple[Action, ...]:
        self.memory[:] = hands
        return Leduc.outcomes(self, table, hands)


@dataclass(frozen=True)
class Eager(Kuhn):
    """Shows all hands after the first action."""

    def revealed(self, table: KuhnTable) -> tuple[Seat, ...]:
        return (0, 1) if table.history else ()


@pytest.mark.parametrize("game", [Mindful(), Eager()], ids=repr)
def test_a_game_that_lets_hands_out_is_caught(game: Game[Any]) -> None:
    with pytest.raises(AssertionError, match="tells them apart"):
        check_twins(game, 40)


def test_all_that_a_value_holds_is_laid_bare() -> None:
    circle: list[Any] = [np.array([1, 2])]
    circle.append(circle)
    assert laid_bare(circle) == "list([1, 2], (again))"
    assert laid_bare(Mindful(memory=[4, 5])) == "Mindful(memory=[4, 5])"
