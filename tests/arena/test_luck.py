"""Luck taken off results. That nothing but luck goes is shown by playing whole games through, branch by branch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isqrt, sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike
from small_deals import Deals, Mixed, all_ways, card_deals, dice_deals

from tahur.arena import luck as luck_module
from tahur.arena.luck import Luck, remove_luck
from tahur.arena.match import run
from tahur.cards.cards import combo_of, parse_cards
from tahur.cards.equity import equity
from tahur.core.errors import SettingError
from tahur.core.game import Action
from tahur.core.player import Decision, View
from tahur.core.record import Record, Talk
from tahur.games.registry import make


def reduction(raw: ArrayLike, less_luck: ArrayLike) -> float:
    """How many times fewer deals give the same precision: the ratio of the variances.

    One row per deal; dependent hands of one deal (its seatings) are in the row's columns and count as their mean, as in
    an interval clustered by deal.
    """
    before, after = _variance_of_means(raw), _variance_of_means(less_luck)
    if after == 0:
        return 1.0 if before == 0 else float("inf")
    return before / after


def _variance_of_means(results: ArrayLike) -> float:
    """The variance of the deals' means."""
    rows = np.asarray(results, np.float64)
    return float(np.var(rows if rows.ndim == 1 else rows.mean(axis=tuple(range(1, rows.ndim))), ddof=1))


# ---- the mean is kept ----------------------------------------------------------------------------


def _small_games() -> list[Any]:
    dice, pair = make("liars-dice", {"faces": 2}), make("perudo", {"cups": [1, 1, 1], "rules": "classic"})
    return [
        pytest.param(make("kuhn"), card_deals(3, 2), id="kuhn"),
        pytest.param(make("kuhn", {"seats": 3}), card_deals(4, 3), id="kuhn for three"),
        pytest.param(make("leduc"), card_deals(6, 2), id="leduc"),
        pytest.param(dice, dice_deals(dice), id="liar's dice"),
        pytest.param(pair, dice_deals(pair)[::23], id="perudo"),  # the mean is kept for each hand by itself
    ]


@pytest.mark.parametrize(("game", "deals"), _small_games())
@pytest.mark.parametrize("most", [luck_module.MOST_CHOICES, 2], ids=["each action", "actions in groups"])
def test_results_less_luck_have_the_mean_of_the_results(
    game: Any, deals: Deals, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(luck_module, "MOST_CHOICES", most)
    mixed = [Mixed(seed, 2 if game.name == "perudo" else 4) for seed in range(game.seats)]
    ways = [
        (dealt * chance, record)
        for dealt, hands in deals
        for chance, record in all_ways(game, game.start(), hands, mixed)
    ]
    chances = np.array([chance for chance, _ in ways])
    raw = np.array([record.payoffs for _, record in ways])
    for known, luck in (((), Luck.CHANCE), ((0,), Luck.CHOICES), ((1,), Luck.FULL), (range(game.seats), Luck.FULL)):
        strategies = [player if seat in known else None for seat, player in enumerate(mixed)]
        less = np.array([remove_luck(game, record, strategies, luck=luck) for _, record in ways])
        assert chances @ less == pytest.approx(chances @ raw, abs=1e-12), (known, luck)
        if known:
            assert np.abs(less - raw).max() > 0.01  # something was taken off


def test_each_kind_of_luck_keeps_the_mean_by_itself() -> None:
    game: Any = make("leduc")
    mixed = [Mixed(8), Mixed(9)]
    ways = [way for _, hands in card_deals(6, 2) for way in all_ways(game, game.start(), hands, mixed)]
    chances = np.array([chance for chance, _ in ways])
    mean = chances @ np.array([record.payoffs for _, record in ways])
    assert abs(mean[0]) > 0.1
    for luck in (Luck.ALL_IN, Luck.BOARD, Luck.DEAL, Luck.CHOICES):
        less = np.array([remove_luck(game, record, mixed, luck=luck) for _, record in ways])
        assert chances @ less == pytest.approx(mean, abs=1e-9), luck


def test_both_strategies_known_leave_less_variance_than_one_and_one_less_than_none() -> None:
    game: Any = make("leduc")
    mixed = [Mixed(8), Mixed(9)]
    ways = [way for _, hands in card_deals(6, 2) for way in all_ways(game, game.start(), hands, mixed)]
    chances = np.array([chance for chance, _ in ways]) / 30
    spreads = []
    for known in ((None, None), (mixed[0], None), tuple(mixed)):
        less = np.array([remove_luck(game, record, known)[0] for _, record in ways])
        spreads.append(chances @ less**2 - (chances @ less) ** 2)
    raw = np.array([record.payoffs[0] for _, record in ways])
    assert chances @ raw**2 - (chances @ raw) ** 2 > spreads[0] > spreads[1] > spreads[2]


# ---- hold'em, sampled ----------------------------------------------------------------------------


class Shover(Mixed):
    """Checks, calls, folds or puts all its chips in, whatever it holds."""

    def probabilities(self, view: View) -> Mapping[Action, float]:
        table = view.table
        fold = {0: 0.2} if table.to_call else {}
        shove = {table.raises.stop: 0.3} if table.raises else {}
        return {**fold, **shove, 1: 1 - sum(fold.values()) - sum(shove.values())}


def _results(
    game: Any, players: Sequence[Mixed], known: Sequence[Mixed | None], luck: Luck, deals: int
) -> tuple[Any, Any]:
    raw, less = [], []
    now = game
    for record in run(game, players, seed=11, deals=deals):
        raw.append(record.payoffs)
        less.append(remove_luck(now, record, known, luck=luck))
        now = now.next(record)
    return np.array(raw, float), np.array(less)


@pytest.mark.parametrize(
    ("settings", "deals"),
    [
        ({"stacks": [200, 200], "carry": False}, 700),
        ({"stacks": [15, 40], "blinds": [1, 3], "carry": False}, 700),
        ({"stacks": [10, 25, 40, 80], "carry": False}, 250),
    ],
)
def test_all_in_at_hold_em_the_mean_is_kept_and_the_noise_is_not(settings: dict[str, Any], deals: int) -> None:
    game: Any = make("nlhe", settings)
    players = [Shover(seat) for seat in range(game.seats)]
    nobody = [None] * game.seats
    before = 1.0
    for known, luck in ((nobody, Luck.ALL_IN), (nobody, Luck.CHANCE), (players, Luck.FULL)):
        raw, less = _results(game, players, known, luck, deals)
        off = raw - less
        errors = off.std(axis=0, ddof=1) / sqrt(deals)
        assert (np.abs(off.mean(axis=0)) < 4 * errors).all(), (luck, off.mean(axis=0) / errors)
        assert less.sum(axis=1) == pytest.approx(0, abs=1e-6)
        now = reduction(raw[:, 0], less[:, 0])
        assert now > max(1.5, 0.97 * before), luck
        before = now


def test_hundreds_of_raises_are_reckoned_in_a_few_groups_and_keep_the_mean() -> None:
    game: Any = make("nlhe", {"stacks": [60, 60], "carry": False})
    players = [Mixed(1, most=1000), Mixed(2, most=1000)]
    raw, less = _results(game, players, players, Luck.FULL, 500)
    off = raw - less
    assert np.abs(off.mean(axis=0)).max() < 4 * off[:, 0].std() / isqrt(500)
    assert reduction(raw[:, 0], less[:, 0]) > 2


def test_all_in_before_the_flop_each_gets_its_equity_whatever_the_board() -> None:
    game: Any = make("nlhe", {"stacks": [100, 100], "carry": False})
    hands = tuple(combo_of(parse_cards(text)) for text in ("AsAh", "KdKc"))
    share = equity("AsAh", "KdKc").players[0].equity
    for board in ("2c3c4c5c7d", "KsKh2c2d2h", "AcAd9h7d2c"):
        table = game.start()
        for action in (101, 1, *parse_cards(board)):
            table = table.after(action)
        record = Record(
            game=game.name,
            settings=game.settings,
            hands=hands,
            actions=table.history,
            payoffs=game.payoffs(table, hands),
        )
        assert remove_luck(game, record, luck=Luck.ALL_IN) == pytest.approx((200 * share - 100, 100 - 200 * share))


# ---- what it asks for ----------------------------------------------------------------------------


def _record(game: Any, seed: int = 5, players: Sequence[Any] = ()) -> Record:
    return next(run(game, players or [Mixed(1), Mixed(2)], seed=seed, deals=1))


def test_where_nothing_is_known_and_nothing_is_dealt_the_result_stays() -> None:
    game: Any = make("liars-dice")
    record = _record(game)
    assert remove_luck(game, record) == remove_luck(game, record, (None, None)) == record.payoffs
    assert remove_luck(game, record, (Mixed(1), Mixed(2)), luck=Luck.NONE) == record.payoffs


def test_a_strategy_that_cannot_have_played_the_deal_is_refused() -> None:
    class Never(Mixed):
        def probabilities(self, view: View) -> Mapping[Action, float]:
            return {0: 1.0} if record.actions[len(view.table.history)] != 0 else {1: 1.0}

    game: Any = make("kuhn")
    record = _record(game)
    with pytest.raises(SettingError, match="never does here"):
        remove_luck(game, record, (Never(1), None))


def test_chances_that_do_not_add_up_are_refused() -> None:
    class Short(Mixed):
        def probabilities(self, view: View) -> Mapping[Action, float]:
            return {0: 0.5, 1: 0.4}

    game: Any = make("kuhn")
    with pytest.raises(SettingError, match=r"add up to 0\.9"):
        remove_luck(game, _record(game), (Short(1), None))


def test_there_is_a_strategy_or_none_for_every_seat() -> None:
    game: Any = make("kuhn")
    with pytest.raises(SettingError, match="1 strategies for 2 seats"):
        remove_luck(game, _record(game), (None,))


def test_a_strategy_is_shown_what_the_player_was_shown() -> None:
    seen: list[View] = []

    class Talker(Mixed):
        def act(self, view: View, rng: np.random.Generator) -> Decision:
            seen.append(view)
            return Decision(super().act(view, rng).action, talk="I have it")

    class Watcher(Mixed):
        def probabilities(self, view: View) -> Mapping[Action, float]:
            shown.append(view)
            return super().probabilities(view)

    shown: list[View] = []
    game: Any = make("leduc")
    record = next(run(game, [Talker(1), Talker(2)], seed=6, deals=1, names=("Ana", "Bo")))
    remove_luck(game, record, (Watcher(1), Watcher(2)))
    assert shown == seen
    assert shown[-1].talk[0] == Talk(0, 0, "I have it")


# ---- how much it helps ---------------------------------------------------------------------------


def test_half_the_spread_is_a_quarter_of_the_deals() -> None:
    raw = np.random.default_rng(1).normal(size=1000)
    assert reduction(raw, raw / 2 + 7) == pytest.approx(4)


def test_the_hands_of_a_deal_count_as_their_mean() -> None:
    luck, skill = np.random.default_rng(2).normal(size=(2, 1000))
    raw = np.stack([skill + luck, skill - luck], axis=1)  # duplicate deals cancel it already
    assert reduction(raw, np.stack([skill, skill], axis=1)) == pytest.approx(1)


def test_a_result_without_any_luck_left_needs_no_more_hands() -> None:
    assert reduction([1, 2, 3], [2, 2, 2]) == float("inf")
    assert reduction([2, 2], [2, 2]) == 1
