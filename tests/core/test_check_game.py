"""`check_game`: games whose parts contradict each other are refused, in a test of the author's and before solving."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tahur.core.check import check_game
from tahur.core.errors import GameError
from tahur.core.game import Fold, Showdown, Symmetry, Terminal
from tahur.games.kuhn import Kuhn
from tahur.games.leduc import Leduc
from tahur.games.liars_dice import LiarsDice
from tahur.solvers.cfr import CfrSolver
from tahur.solvers.schedule import CFR_PLUS
from tahur.solvers.unroll import unroll


class OwnKuhn(Kuhn):
    """Somebody's game that is right."""


class PaysTwice(Kuhn):
    """At a showdown the terminal pays twice what `payoffs` pays."""

    def terminal(self, table: Any) -> Terminal:
        right = super().terminal(table)
        if isinstance(right, Fold):
            return right
        assert isinstance(right, Showdown)
        return Showdown(right.strengths, 2 * right.win, 2 * right.lose, 2 * right.tie)


class FoldsPayTheFolder(Kuhn):
    """The wrong sign, at folds alone."""

    def terminal(self, table: Any) -> Terminal:
        right = super().terminal(table)
        return Fold(-right.won) if isinstance(right, Fold) else right


class JackIsQueen(Kuhn):
    """A symmetry that swaps two cards of different ranks."""

    def symmetries(self) -> tuple[Symmetry, ...]:
        swapped = np.array([1, 0, 2])
        return (Symmetry((swapped, swapped), {}),)


class SuitsOfOneSeat(Leduc):
    """Suits are swapped in one hand and on the board, not in the other hand."""

    def symmetries(self) -> tuple[Symmetry, ...]:
        right = super().symmetries()[0]
        return (Symmetry((right.hands[0], np.arange(len(right.hands[1]))), right.moves),)


class DealsMore(Kuhn):
    def deal(self, rng: np.random.Generator) -> tuple[int, ...]:
        return 0, 0


class Unlikely(Kuhn):
    def prior(self, seat: int) -> np.ndarray:
        return np.array([0.5, 0.5, 0.5])


class NobodyActs(Kuhn):
    def payoffs(self, table: Any, hands: Sequence[int]) -> tuple[float, ...]:
        return float("nan"), 0.0


@dataclass(frozen=True)
class NotAGame:
    name: str = "not a game"
    seats: int = 2


@pytest.mark.parametrize("game", [Kuhn(), Leduc(), LiarsDice(faces=3), OwnKuhn()])
def test_a_right_game_passes(game: Any) -> None:
    check_game(game)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (PaysTwice(), r"terminal\(\) pays hands .* \(-4\.0, 4\.0\), payoffs\(\) \(-2, 2\)"),
        (FoldsPayTheFolder(), r"terminal\(\) pays hands"),
        (JackIsQueen(), "under a symmetry"),
        (SuitsOfOneSeat(), "under a symmetry|a symmetry makes"),
        (DealsMore(), r"possible\(\) is false"),
        (Unlikely(), "adds up to 1.5"),
        (NobodyActs(), "one finite number"),
    ],
)
def test_a_game_that_contradicts_itself_is_refused_before_it_is_solved(game: Any, said: str) -> None:
    with pytest.raises(GameError, match=said):
        check_game(game)
    with pytest.raises(GameError, match=said):
        CfrSolver(unroll(game), CFR_PLUS)


def test_what_has_not_the_parts_of_a_game_is_refused_with_their_names() -> None:
    with pytest.raises(GameError, match=r"NotAGame: no start, outcomes, .*symmetries"):
        check_game(NotAGame())


def test_somebodys_right_game_is_solved() -> None:
    solver = CfrSolver(unroll(OwnKuhn()), CFR_PLUS)
    solver.iterate(200)
    assert solver.measure().value == pytest.approx(-1 / 18, abs=1e-3)
