"""Hand review: each decision of a heads-up hand, judged by the blueprint and by solved streets."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from tahur.cards.cards import combo_of, parse_cards
from tahur.core.game import Action
from tahur.games.holdem.history import History, settle
from tahur.games.holdem.rules import NO_HAND, Holdem, no_limit
from tahur.games.holdem.table import CALL, FOLD
from tahur.games.registry import make
from tahur.review import HandReview, review
from tahur.review.session import SessionReport
from tahur.review.streets import solved_streets
from tahur.solvers.nolimit.shipped import shipped_strategy
from tahur.solvers.postflop.grading import MoveQuality
from tahur.solvers.postflop.line import start
from tahur.solvers.postflop.results import move_evs

SHORT = 1000  # ten big blinds, so that flops are solved in a moment


def history(*steps: Action | str, hands: tuple[str, ...] = ("AsKd", "QcJh"), game: Holdem | None = None) -> History:
    """A finished hand; seat 0 has the button. Texts are cards; the blinds are 50 and 100."""
    game = game or no_limit(seats=2, stack=SHORT, blinds=(50, 100))
    table = game.start()
    for step in steps:
        for action in [int(card) for card in parse_cards(step)] if isinstance(step, str) else [step]:
            table = table.after(action)
    return settle(game, table, tuple([combo_of(parse_cards(hand)) if hand else NO_HAND for hand in hands]))


TO_THE_RIVER = (CALL, 801, CALL, "Kh7d2c", CALL, CALL, "5s", CALL, CALL, "9h", 138, FOLD)


@cache
def to_the_river() -> HandReview:
    """The button checks twice and folds kings with the best kicker to a small bet into a large pot."""
    return review(history(*TO_THE_RIVER), 0)


def test_folding_a_strong_hand_to_a_small_bet_is_a_blunder_that_costs_its_ev() -> None:
    *_, fold = to_the_river().decisions
    assert (fold.chosen, fold.street, fold.to_call) == ("fold", 3, 137)
    assert fold.quality is MoveQuality.BLUNDER
    best = max(action.ev for action in fold.actions)
    assert fold.lost == pytest.approx(best, abs=fold.error + 1)
    assert fold.lost > 900  # most of the pot
    assert "folding 0.0" in fold.why
    assert "solved to" in fold.how


def test_every_decision_is_listed_with_the_actions_that_were_possible() -> None:
    reviewed = to_the_river()
    assert [decision.street for decision in reviewed.decisions] == [0, 0, 1, 2, 3]
    assert [decision.chosen for decision in reviewed.decisions] == ["call 50", "call 700", "check", "check", "fold"]
    for decision in reviewed.decisions:
        assert decision.is_judged
        assert sum(action.chance for action in decision.actions) == pytest.approx(1, abs=1e-6)
        assert decision.chosen in [action.name for action in decision.actions]
        assert decision.best in [action.name for action in decision.actions]
    assert reviewed.won == -800
    assert reviewed.lost == pytest.approx(sum(decision.lost for decision in reviewed.decisions))
    assert [street for street, _oop, _ip in reviewed.ranges] == ["flop", "turn", "river"]


def test_the_bet_that_was_made_is_in_the_tree_and_its_values_are_those_of_the_solution() -> None:
    hand = history(*TO_THE_RIVER)
    bet = review(hand, 1).decisions[-1]
    assert "bet 137" in [action.name for action in bet.actions]
    river = list(solved_streets(hand, 1, shipped_strategy(10)))[-1]
    evs = move_evs(river.solution.engine, start(river.solution.engine), best=True)[:, hand.hands[1]]
    np.testing.assert_allclose([action.ev for action in bet.actions], evs, atol=1e-9)


@pytest.mark.parametrize(("cards", "action", "is_mistake"), [
    ("AsAd", FOLD, True), ("Ah4c", 1001, False), ("7s2d", FOLD, False), ("7s2d", 1001, True),
])  # fmt: skip
def test_before_the_flop_the_blueprint_says_what_is_a_mistake(cards: str, action: Action, is_mistake: bool) -> None:
    answer = () if action == FOLD else (FOLD,)
    (decision,) = review(history(action, *answer, hands=(cards, "QcJh")), 0).decisions
    assert (decision.lost > 0) is is_mistake
    assert (decision.quality in (MoveQuality.MISTAKE, MoveQuality.BLUNDER)) is is_mistake
    assert decision.how == "blueprint for 10 bb"


def test_an_action_that_the_strategy_takes_is_no_mistake() -> None:
    strategy = shipped_strategy(10)
    table = no_limit(seats=2, stack=SHORT, blinds=(50, 100)).start()
    mix, checked = strategy.resolve(table), 0
    for hand in ("AsAd", "9s8s", "Kd4c", "6h6d", "Jd3d"):
        combo = combo_of(parse_cards(hand))
        for action in (FOLD, CALL, 1001):
            if mix.mix[mix.actions.index(action), combo] > 0.2:
                answers = {FOLD: (), CALL: (1001, FOLD)}.get(action, (FOLD,))
                (first, *_rest) = review(history(action, *answers, hands=(hand, "QcJh")), 0).decisions
                assert first.lost == 0, (hand, action)
                checked += 1
    assert checked >= 5


def test_hands_that_cannot_be_judged_say_why() -> None:
    three = no_limit(seats=3, stack=SHORT, blinds=(50, 100))
    folded = history(FOLD, FOLD, hands=("AsKd", "QcJh", "2c2d"), game=three)
    (decision,) = review(folded, three.start().turn).decisions
    assert (decision.quality, decision.lost) == (None, 0.0)
    assert decision.why == "only heads-up hands are judged; 3 players were dealt in"
    limit = make("hulh")
    assert isinstance(limit, Holdem)
    (decision,) = review(history(FOLD, game=limit), limit.start().turn).decisions
    assert decision.why == "only no-limit hold'em is judged"
    (decision,) = review(history(FOLD, hands=("", "QcJh")), 0).decisions
    assert decision.why == "the hand is unknown"


def test_a_report_adds_up_its_hands_and_lists_the_worst_decision_first() -> None:
    aces = review(history(FOLD, hands=("AsAd", "QcJh")), 0)
    session = SessionReport((aces, to_the_river()))
    assert session.won == pytest.approx((aces.won - 800) / 100)
    assert session.lost == pytest.approx((aces.lost + to_the_river().lost) / 100)
    assert session.judged == 6
    assert session.mistakes == sum(decision.lost > 0 for known in session.reviews for decision in known.judged)
    first, second, *_ = session.worst(5)
    assert (first.hand, first.decision.street) == (2, 3)
    assert first.lost > second.lost
    assert session.leaks()[0].name == "river: folding"
    assert sum(leak.lost for leak in session.leaks()) == pytest.approx(session.lost)
    assert session.unjudged == {}
