"""Luck taken off results with ranges: the mean is kept whatever the values of positions, and the noise goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import permutations
from math import sqrt
from typing import Any

import numpy as np
import pytest
from small_deals import Mixed, all_ways, card_deals

from tahur.arena import range_luck
from tahur.arena.luck import Luck, remove_luck
from tahur.arena.match import Match, run
from tahur.arena.range_luck import groups, remove_range_luck
from tahur.cards.flops import start_classes
from tahur.cli.players import make_player
from tahur.core.arrays import Float64s
from tahur.core.errors import SettingError
from tahur.core.game import CHANCE, OVER, Action
from tahur.core.player import View
from tahur.core.record import Record
from tahur.core.resolver import ResolvedDecision
from tahur.core.scoring import RangeAppraised, Scoring
from tahur.games.kuhn import Kuhn
from tahur.games.leduc import Leduc
from tahur.games.registry import make


class Ranged:
    """Values with ranges for a game of cards, by looking at every pair of hands.

    Where a seat has to act they are arbitrary numbers, as good a reference as any other for keeping the mean.
    """

    def ranges_misfit(self) -> str | None:
        return None

    def holdable(self: Any, table: Any) -> Float64s:
        board = getattr(table, "board", None)
        return np.array([float(hand != board) for hand in self.hands(0)])

    def meeting(self, weights: Float64s) -> Float64s:
        return weights.sum() - weights

    def range_luck_of_deal(self: Any, ranges: Sequence[Float64s]) -> float:
        return 5 * _mean(_pairs(self, self.start(), "luck"), ranges)

    def range_worth(self: Any, table: Any, ranges: Sequence[Float64s]) -> float:
        if table.turn == OVER:
            return _mean(_pairs(self, table, "payoffs"), ranges)
        if table.turn == CHANCE:
            return self._mean_after_cards(table, ranges)
        noise = np.random.default_rng((7, len(table.history), *table.history)).normal(size=2)
        shares = [np.arange(len(weights)) @ weights / weights.sum() for weights in ranges]
        return float(3 * noise[0] + 2 * noise[1] * (shares[0] - shares[1] ** 2))

    def _mean_after_cards(self: Any, table: Any, ranges: Sequence[Float64s]) -> float:
        total = chances = 0.0
        for card in self.outcomes(table, ()):
            after = table.after(card)
            left = [weights * self.holdable(after) for weights in ranges]
            chance = float(left[0] @ self.meeting(left[1]))
            if chance:
                total, chances = total + chance * self.range_worth(after, left), chances + chance
        return total / chances


@lru_cache(maxsize=1 << 12)
def _pairs(game: Any, table: Any, what: str) -> Float64s:
    """What each pair of hands is worth to the first seat; 0 where they cannot be dealt."""
    values = np.zeros((len(game.hands(0)),) * 2)
    for pair in permutations(range(len(values)), 2):
        if getattr(table, "board", None) not in pair:
            worth = {"payoffs": game.payoffs, "worth": game.worth, "luck": lambda _, hands: game.luck_of_deal(hands)}
            values[pair] = worth[what](table, pair)[0]
    return values


def _mean(values: Float64s, ranges: Sequence[Float64s]) -> float:
    """The mean over all pairs of different hands."""
    pairs = np.outer(*ranges)
    np.fill_diagonal(pairs, 0)
    return float((pairs * values).sum() / pairs.sum())


class RangedKuhn(Ranged, Kuhn):
    """Kuhn poker with values for ranges."""


class RangedLeduc(Ranged, Leduc):
    """Leduc poker with values for ranges."""


class AllAtOnce(Mixed):
    """The same strategy, which says what all hands do in one answer."""

    def resolver_for(self, game: Any) -> _AllHands:
        return _AllHands(self, game)


class _AllHands:
    def __init__(self, strategy: Mixed, game: Any) -> None:
        self._strategy, self._game = strategy, game

    def misfit(self, game: Any) -> str | None:
        return None

    def resolve(self, table: Any) -> ResolvedDecision:
        rows = [self._strategy.probabilities(View(self._game, table, table.turn, hand)) for hand in range(6)]
        actions = tuple(sorted(rows[0]))
        return ResolvedDecision(actions, np.array([[row[action] for row in rows] for action in actions]), ())


# ---- the mean is kept, exactly -------------------------------------------------------------------


def _ways(game: Any, mixed: Sequence[Mixed], cards: int) -> tuple[Float64s, list[Record]]:
    ways = [
        (dealt * chance, record)
        for dealt, hands in card_deals(cards, 2)
        for chance, record in all_ways(game, game.start(), hands, mixed)
    ]
    return np.array([chance for chance, _ in ways]), [record for _, record in ways]


@pytest.mark.parametrize(
    ("game", "cards", "known", "most"),
    [
        *((RangedKuhn(), 3, known, range_luck.MOST_CHOICES) for known in ((), (0,), (1,), (0, 1))),
        *((RangedLeduc(), 6, known, range_luck.MOST_CHOICES) for known in ((), (1,), (0, 1))),
        (RangedLeduc(), 6, (0,), 2),
    ],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_the_mean_over_all_outcomes_is_that_of_the_payoffs(
    game: Any, cards: int, known: tuple[int, ...], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(range_luck, "MOST_CHOICES", most)
    mixed = [Mixed(3), Mixed(4)]
    chances, records = _ways(game, mixed, cards)
    strategies = [player if seat in known else None for seat, player in enumerate(mixed)]
    raw = np.array([record.payoffs for record in records])
    less = np.array([remove_range_luck(game, record, strategies) for record in records])
    assert chances.sum() == pytest.approx(1)
    assert chances @ less == pytest.approx(chances @ raw, abs=1e-12)
    assert np.abs(less - raw).max() > 0.01  # something was taken off


def test_a_strategy_that_answers_for_all_hands_at_once_gives_the_same_results() -> None:
    game: Any = RangedLeduc()
    mixed, at_once = [Mixed(3), Mixed(4)], [AllAtOnce(3), AllAtOnce(4)]
    _, records = _ways(game, mixed, 6)
    for record in records[::37]:
        assert remove_range_luck(game, record, at_once) == pytest.approx(remove_range_luck(game, record, mixed))


def test_the_more_strategies_are_known_the_less_noise_is_left() -> None:
    class Plain(RangedLeduc):
        """With values that resemble play."""

        def range_worth(self: Any, table: Any, ranges: Sequence[Float64s]) -> float:
            if table.turn == CHANCE:
                return self._mean_after_cards(table, ranges)
            return _mean(_pairs(self, table, "worth"), ranges)

        def range_luck_of_deal(self: Any, ranges: Sequence[Float64s]) -> float:
            return _mean(_pairs(self, self.start(), "luck"), ranges)

    game: Any = Plain()
    mixed = [Mixed(8), Mixed(9)]
    chances, records = _ways(game, mixed, 6)
    spreads = []
    for known in ((None, None), (mixed[0], None), tuple(mixed)):
        less = np.array([remove_range_luck(game, record, known)[0] for record in records])
        spreads.append(chances @ less**2 - (chances @ less) ** 2)
    raw = np.array([record.payoffs[0] for record in records])
    assert chances @ raw**2 - (chances @ raw) ** 2 > spreads[0] > spreads[1] > spreads[2]
    full = np.array([remove_luck(game, record, mixed)[0] for record in records])
    assert chances @ full**2 - (chances @ full) ** 2 > 1.5 * spreads[2]  # hands are averaged, too


def test_many_actions_are_grouped_by_their_chances() -> None:
    chances = dict.fromkeys(range(100), 1.0) | {100: 50.0}
    grouped = groups(chances)
    assert len(grouped) <= range_luck.MOST_CHOICES
    assert sorted(action for group in grouped for action in group) == sorted(chances)
    assert groups({4: 0.5, 2: 0.5}) == [[4], [2]]


# ---- the values of hold'em -----------------------------------------------------------------------


def _nlhe(stack: int = 40) -> Any:
    return make("nlhe", {"stacks": [stack, stack], "carry": False})


def _after(game: Any, *actions: Action) -> Any:
    table = game.start()
    for action in actions:
        table = table.after(action)
    return table


def _random_ranges(game: Any, table: Any, seed: int) -> list[Float64s]:
    rng = np.random.default_rng(seed)
    return [rng.random(1326) ** 3 * game.holdable(table) for _ in range(2)]


@pytest.mark.parametrize(
    "actions",
    [
        (1, 1, 0, 14, 28, 1, 1, 40, 1, 1, 51),  # bets may follow
        (1, 1, 0, 14, 28, 1, 1, 40, 39, 1, 51),  # all-in on the turn
    ],
    ids=["checked", "all-in"],
)
def test_before_a_card_a_table_of_hold_em_is_worth_the_mean_of_the_tables_after_it(actions: tuple[int, ...]) -> None:
    game = _nlhe()
    table = _after(game, *actions[:-1])
    assert table.turn == CHANCE
    ranges = _random_ranges(game, table, 5)
    total = chances = 0.0
    for card in game.outcomes(table, ()):
        after = table.after(card)
        left = [weights * game.holdable(after) for weights in ranges]
        chance = float(left[0] @ game.meeting(left[1]))
        total, chances = total + chance * game.range_worth(after, left), chances + chance
    assert game.range_worth(table, ranges) == pytest.approx(total / chances, abs=1e-5)


@pytest.mark.parametrize(
    "actions",
    [(1, 7, 0), (1, 1, 0, 14, 28, 1, 1, 40, 39, 1, 51), (1, 1, 0, 14, 28, 1, 1, 40, 1, 1, 51, 9, 0)],
    ids=["fold before the flop", "showdown", "fold on the river"],
)
def test_when_the_deal_is_over_it_is_worth_the_mean_payoff(actions: tuple[int, ...]) -> None:
    game = _nlhe()
    table = _after(game, *actions)
    assert table.turn == OVER
    ranges = _random_ranges(game, table, 6)
    for weights in ranges:
        weights[np.random.default_rng(7).random(1326) < 0.95] = 0
    pairs = [
        (weight * other_weight, game.payoffs(table, (hand, other))[0])
        for hand, weight in enumerate(ranges[0])
        for other, other_weight in enumerate(ranges[1])
        if weight and other_weight and game.possible((hand, other))
    ]
    weights, payoffs = np.array(pairs).T
    assert game.range_worth(table, ranges) == pytest.approx(np.average(payoffs, weights=weights), abs=1e-5)


def test_the_luck_of_the_deal_at_hold_em_averages_to_zero() -> None:
    game = _nlhe()
    everything = np.ones(1326)
    assert game.range_luck_of_deal((everything, everything)) == pytest.approx(0, abs=1e-6)
    classes = start_classes()
    of_class = [game.range_luck_of_deal((everything, np.eye(1326)[hand])) for hand in classes.firsts.tolist()]
    assert np.average(of_class, weights=np.bincount(classes.member)) == pytest.approx(0, abs=1e-6)
    assert np.ptp(of_class) > 1


def test_no_limit_keeps_its_mean_over_some_hundred_hands_and_loses_most_of_its_noise() -> None:
    game = _nlhe(20)
    players = [Pusher(1), Pusher(2)]
    for known, least in ((players, 30.0), ([players[0], None], 3.0)):
        raw, less, now = [], [], game
        for record in run(game, players, seed=12, deals=150):
            raw.append(record.payoffs[0])
            less.append(remove_luck(now, record, known, luck=Luck.STRATEGY)[0])
            now = now.next(record)
        off = np.array(raw) - np.array(less)
        assert abs(off.mean()) < 4 * off.std(ddof=1) / sqrt(len(off))
        assert np.var(raw) / np.var(less) > least


class Pusher(Mixed):
    """Folds, checks, calls or puts all its chips in, more often with higher cards."""

    def probabilities(self, view: View) -> Any:
        table = view.table
        assert view.hand is not None
        strength = view.hand / 1326
        first = {0: 0.6 - 0.5 * strength} if table.to_call else {1: 0.6 - 0.5 * strength}
        other = table.raises.stop if table.raises else 1
        return first | {other: first.get(other, 0.0) + 1 - sum(first.values())}


@pytest.mark.slow
def test_the_solver_and_odds_keep_their_mean_with_much_less_noise_than_without_the_luck_of_all_ins() -> None:
    game: Any = make("nlhe", {"stacks": [40, 40], "carry": False})
    players: list[Any] = [make_player("solver:fast", game), make_player("odds", game)]
    raw, all_in, less, now = [], [], [], game
    for record in run(game, players, seed=3, deals=100):
        raw.append(record.payoffs[0])
        all_in.append(remove_luck(now, record, luck=Luck.ALL_IN)[0])
        less.append(remove_luck(now, record, players, luck=Luck.STRATEGY)[0])
        now = now.next(record)
    off = np.array(raw) - np.array(less)
    assert abs(off.mean()) < 4 * off.std(ddof=1) / sqrt(len(off))
    assert np.var(all_in) / np.var(less) > 3


def test_the_seat_solver_says_for_all_hands_what_it_does_with_each() -> None:
    game: Any = make("nlhe", {"stacks": [40, 40], "carry": False})
    seat: Any = make_player("solver:fast", game)
    for actions in ((), (6,), (1, 1, 0, 14, 28), (1, 1, 0, 14, 28, 1, 1, 40)):
        table = _after(game, *actions)
        decision = seat.resolver_for(game).resolve(table)
        for hand in (400, 900, 1325):
            chances = seat.probabilities(View(game, table, table.turn, hand))
            row = dict(zip(decision.actions, decision.mix[:, hand].tolist(), strict=True))
            assert chances == pytest.approx({action: chance for action, chance in row.items() if chance > 0})


# ---- what it asks for ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("leduc", {}, "cannot evaluate ranges"),
        ("nlhe", {"seats": 3, "stack": 200}, "tables for two"),
        ("fhp", {}, "3 board cards"),
    ],
)
def test_games_without_values_for_ranges_are_refused(name: str, settings: dict[str, Any], words: str) -> None:
    game: Any = make(name, settings)
    with pytest.raises(SettingError, match=words):
        Match(game, Scoring("x"), ("a",) * game.seats, (Mixed,) * game.seats, 1, luck=Luck.STRATEGY)


def test_a_strategy_that_cannot_have_played_the_deal_is_refused_with_ranges_too() -> None:
    class Never(Mixed):
        def probabilities(self, view: View) -> Any:
            return {0: 1.0} if record.actions[len(view.table.history)] != 0 else {1: 1.0}

    game: Any = RangedKuhn()
    record = next(run(game, [Mixed(1), Mixed(2)], seed=5, deals=1))
    with pytest.raises(SettingError, match="never does here"):
        remove_range_luck(game, record, (Never(1), None))


def test_chances_that_do_not_add_up_are_refused_with_ranges_too() -> None:
    class Short(Mixed):
        def probabilities(self, view: View) -> Any:
            return {action: 0.9 * chance for action, chance in super().probabilities(view).items()}

    game: Any = RangedKuhn()
    record = next(run(game, [Mixed(1), Mixed(2)], seed=5, deals=1))
    with pytest.raises(SettingError, match=r"add up to 0\.9"):
        remove_range_luck(game, record, (Short(1), None))


def test_hold_em_for_two_can_evaluate_ranges() -> None:
    game = _nlhe()
    assert isinstance(game, RangeAppraised)
    assert game.ranges_misfit() is None
    assert replace(game, carry=True).ranges_misfit() is None
