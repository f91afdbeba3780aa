"""What mistakes cost: an identity that must hold to the last digit, and kinds reckoned by hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from tahur.core.errors import StrategyError
from tahur.core.game import OVER, Action
from tahur.core.player import View
from tahur.games.perudo.bids import CALZA, DUDO, bid
from tahur.games.perudo.game import perudo
from tahur.games.perudo.grading import Grader, MistakeKind, PerudoGrade
from tahur.games.perudo.ladder import BidLimit
from tahur.games.perudo.solved import RoundStrategy
from tahur.games.perudo.table import PerudoTable, hand_of, hands_of
from tahur.players.perudo.personalities import CALCULATOR
from tahur.players.perudo.player import PerudoMind
from tahur.players.perudo.timeout import TimeoutMind
from tahur.solvers.perudo.solver import RoundSolver

Policy = Callable[[View], Action]


def mind(personality: object) -> Policy:
    """A mind as a fixed policy: each time fresh, and with the same luck."""
    return lambda view: PerudoMind(personality).act(view, np.random.default_rng(3)).action  # type: ignore[arg-type]


POLICIES: dict[str, Policy] = {
    "calculator": mind(CALCULATOR),
    "timeout": lambda view: TimeoutMind().act(view, np.random.default_rng(1)).action,
}


@cache
def solved(
    rules: str, cups: tuple[int, int] = (1, 1), iterations: int = 60
) -> tuple[RoundStrategy, tuple[float, float]]:
    solver = RoundSolver(perudo(rules=rules, cups=cups, palifico=False))
    solver.iterate(iterations)
    measure = solver.measure()
    return solver.strategy(measure), (measure.responses[0], measure.responses[1])


def walked(strategy: RoundStrategy, seat: int, policy: Policy, grader: Grader) -> tuple[float, float]:
    """What the policy wins against the strategy, and what its mistakes cost, over all dice and all that can be said."""
    game, result, cost = strategy.game, 0.0, 0.0
    said: dict[tuple[int, tuple[Action, ...]], Action] = {}

    def down(table: PerudoTable, hands: tuple[int, int], chance: float) -> None:
        nonlocal result, cost
        if table.turn == OVER:
            paid = game.payoffs(table, hands)
            result += chance * (paid[seat] - paid[1 - seat])
            cost += chance * sum(grade.cost for grade in grader.grades(table.history, hands[seat]))
            return
        view = View(game, table, table.turn, hands[table.turn])
        if table.turn == seat:
            key = hands[seat], table.history
            if key not in said:
                said[key] = policy(view)
            down(table.after(said[key]), hands, chance)
            return
        for action, likely in strategy.probabilities(view).items():
            if likely > 0:
                down(table.after(action), hands, chance * likely)

    for first in hands_of(1):
        for second in hands_of(1):
            down(game.start(), (first, second), 1 / 36)
    return result, cost


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("name", "rules"), [("calculator", "classic"), ("calculator", "faroleo"), ("timeout", "classic")]
)
def test_what_mistakes_cost_is_exactly_what_a_best_response_wins_more(rules: str, seat: int, name: str) -> None:
    strategy, responses = solved(rules)
    grader = Grader(strategy, seat)
    result, cost = walked(strategy, seat, POLICIES[name], grader)
    assert cost > 0.001
    assert result + cost == pytest.approx(responses[seat], abs=1e-6)  # weights are kept in float32


@pytest.mark.parametrize("seat", [0, 1])
def test_the_best_value_is_the_one_that_the_solver_measures(seat: int) -> None:
    for rules in ("classic", "faroleo"):
        strategy, responses = solved(rules)
        assert Grader(strategy, seat).best_value() == pytest.approx(responses[seat], abs=1e-6)


def test_the_solved_strategy_itself_loses_no_more_than_its_nashconv() -> None:
    strategy, responses = solved("classic", iterations=300)

    def likeliest(view: View) -> Action:
        chances = strategy.probabilities(view)
        return max(chances, key=chances.__getitem__)

    for seat in (0, 1):
        _, cost = walked(strategy, seat, likeliest, Grader(strategy, seat))
        assert cost <= sum(responses) + 1e-6


@pytest.mark.parametrize(
    ("said", "best", "kind"),
    [
        (DUDO, bid(2, 3), MistakeKind.BAD_DUDO),
        (DUDO, CALZA, MistakeKind.BAD_DUDO),
        (bid(2, 3), DUDO, MistakeKind.MISSED_DUDO),
        (CALZA, DUDO, MistakeKind.BAD_CALZA),
        (bid(2, 3), CALZA, MistakeKind.MISSED_CALZA),
        (bid(2, 3), bid(2, 4), MistakeKind.BAD_BID),
    ],
)
def test_a_mistake_is_called_by_what_was_said_and_what_was_better(
    said: Action, best: Action, kind: MistakeKind
) -> None:
    assert PerudoGrade(said, best, 0.1).kind is kind
    assert PerudoGrade(said, best, 0.0).kind is None


def test_doubting_a_bid_that_one_s_own_die_makes_true_costs_what_the_other_die_can_lose() -> None:
    """With an ace every bid of one die is true: dudo loses a die of lead for certain, and anything else is better."""
    strategy, _ = solved("classic")
    menu, chances = strategy.block(())
    opening = menu[int(chances.max(axis=1)[:5].argmax())]  # one of something
    grader = Grader(strategy, 1)
    grade = next(grader.grades((opening, DUDO), hand_of([1])))
    found = grader.worth((opening,))
    assert found is not None
    assert found.values[found.menu.index(DUDO), 0] == pytest.approx(-1)
    assert grade.kind is MistakeKind.BAD_DUDO
    assert grade.cost == pytest.approx(found.values[:, 0].max() + 1)


def test_rounds_within_limits_are_not_graded_by() -> None:
    strategy, _ = solved("classic")
    limited = RoundStrategy(strategy.facts, strategy.weights[:100], BidLimit(0, 2))
    with pytest.raises(StrategyError, match="is not a full solution"):
        Grader(limited, 0)
