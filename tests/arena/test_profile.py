"""Profiles: figures of tallies, intervals that cover, and parts that add up to the whole."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tahur.arena.profile import Counts, mean_interval, play_hands, profile, rate_interval, wilson
from tahur.core.habits import FigureKind, Habit, HabitFigure, Habits, Profile
from tahur.core.player import Decision, View
from tahur.core.quantiles import normal_reach
from tahur.core.record import Seen
from tahur.games.kuhn import Kuhn
from tahur.games.perudo.game import perudo
from tahur.players.simple import RandomPlayer


def _counts_nothing(*_: object) -> None:
    """Tallies come from the tests."""


def row(kind: FigureKind, *deals: tuple[int, int]) -> HabitFigure:
    """The figure of some deals, each its hits and chances."""
    return rows(
        Habits((Habit(name="it", explanation="", hits="", chances="", kind=kind, unit=""),), _counts_nothing),
        np.array(deals).reshape(-1, 1, 2),
    ).rows[0]


def rows(habits: Habits, tallies: NDArray[np.int64]) -> Profile:
    return profile("somebody", "some game", habits, Counts.of(tallies))


# ---- figures -------------------------------------------------------------------------------------


def test_a_rate_is_hits_of_chances() -> None:
    found = row(FigureKind.RATE, (1, 2), (0, 0), (2, 6))
    assert (found.value, found.hits, found.chances, found.deals) == (3 / 8, 3, 8, 2)


@pytest.mark.parametrize("kind", FigureKind)
def test_without_a_chance_there_is_no_figure(kind: FigureKind) -> None:
    found = row(kind, (0, 0), (0, 0))
    assert (found.value, found.low, found.high, found.deals) == (None, None, None, 0)


def test_bets_without_a_call_have_odds_without_an_upper_bound() -> None:
    found = row(FigureKind.ODDS, *[(1, 0)] * 30)
    assert (found.value, found.high) == (None, None)
    assert found.low is not None
    assert 5 < found.low < 15


def test_odds_are_the_rate_turned() -> None:
    deals = [(2, 1), (0, 3), (1, 1), (4, 0), (1, 2)] * 8
    odds, rate = row(FigureKind.ODDS, *deals), row(FigureKind.RATE, *[(hits, hits + calls) for hits, calls in deals])
    assert odds.value == 8 / 7
    assert rate.low is not None
    assert rate.high is not None
    assert odds.low == pytest.approx(rate.low / (1 - rate.low))
    assert odds.high == pytest.approx(rate.high / (1 - rate.high))


def test_a_profile_is_what_json_can_hold() -> None:
    found = rows(
        Habits(
            (Habit(name="it", explanation="what", hits="hits", chances="of", kind=FigureKind.ODDS, unit="x"),),
            _counts_nothing,
        ),
        np.array([[[1, 0]]]),
    )
    again = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert again["rows"] == [
        {
            "name": "it",
            "value": None,
            "low": 0.0,
            "high": None,
            "hits": 1,
            "chances": 0,
            "deals": 1,
            "kind": "odds",
            "unit": "x",
            "explanation": "what",
        }
    ]
    assert (again["player"], again["game"], again["deals"]) == ("somebody", "some game", 1)


# ---- parts and the whole -------------------------------------------------------------------------


def test_parts_add_up_to_the_whole_in_any_order() -> None:
    rng = np.random.default_rng(1)
    tallies = rng.integers(0, 9, size=(300, 5, 2))
    whole = Counts.of(tallies)
    parts = [Counts.of(part) for part in np.array_split(tallies, 7)]
    for order in (parts, parts[::-1]):
        together = sum(order[1:], start=order[0])
        assert together.deals == whole.deals == 300
        assert (together.sums == whole.sums).all()


def test_nothing_adds_nothing() -> None:
    habits = Habits((Habit("it", "", "", ""), Habit("that", "", "", "")), _counts_nothing)
    counts = Counts.of(np.array([[[1, 2], [3, 4]]]))
    assert ((Counts.none(habits) + counts).sums == counts.sums).all()


# ---- intervals -----------------------------------------------------------------------------------


def test_one_chance_a_deal_is_the_interval_of_wilson() -> None:
    """Wilson (1927); 15 of 50 by Student's quantile with 49 degrees instead of the normal one, so a little wider."""
    low, high = wilson(0.3, 50, normal_reach(0.95))
    assert (low, high) == (pytest.approx(0.19103, abs=1e-5), pytest.approx(0.43750, abs=1e-5))
    found = row(FigureKind.RATE, *[(1, 1)] * 15, *[(0, 1)] * 35)
    assert found.low is not None
    assert found.high is not None
    assert low - 0.005 < found.low < low
    assert high < found.high < high + 0.006


@pytest.mark.parametrize(("hit", "bound"), [(0, 0.0), (1, 1.0)])
def test_no_hits_and_nothing_but_hits_leave_an_interval_by_deals_not_chances(hit: int, bound: float) -> None:
    few, many = (row(FigureKind.RATE, *[(hit * chances, chances)] * 100) for chances in (1, 10))
    assert (few.low, few.high) == (many.low, many.high)
    assert bound in (few.low, few.high)
    assert few.low is not None
    assert few.high is not None
    assert 0.03 < few.high - few.low < 0.04


def test_one_deal_says_nothing_of_a_rate() -> None:
    found = row(FigureKind.RATE, (3, 5))
    assert (found.low, found.high) == (0.0, 1.0)


def test_chances_that_go_together_widen_the_interval() -> None:
    apart = row(FigureKind.RATE, *[(1, 2)] * 200)
    together = row(FigureKind.RATE, *[(2, 2), (0, 2)] * 100)
    assert apart.value == together.value == 0.5
    assert _width(together) > 1.35 * _width(apart)


def test_a_mean_has_the_interval_of_its_spread_and_stays_above_nothing() -> None:
    found = row(FigureKind.MEAN, *[(0, 1), (4, 1)] * 50)
    assert found.value == 2
    assert _width(found) == pytest.approx(2 * 1.9842 * 2 / np.sqrt(99), rel=1e-3)
    assert row(FigureKind.MEAN, (0, 1), (0, 1), (9, 1)).low == 0.0


def test_amounts_all_alike_or_seen_once_give_no_interval() -> None:
    for deals in ([(3, 1)] * 5, [(3, 1)]):
        found = row(FigureKind.MEAN, *deals)
        assert (found.value, found.low, found.high) == (3, None, None)


def _width(found: HabitFigure) -> float:
    assert found.low is not None
    assert found.high is not None
    return found.high - found.low


def deals_of(rng: np.random.Generator, rate: float, deals: int, most: int) -> NDArray[np.int64]:
    """Chances from 0 to `most` a deal, hits that go together: each deal has a rate of its own, `rate` on average."""
    chances = rng.integers(0, most + 1, size=deals)
    return np.stack([rng.binomial(chances, rng.beta(2 * rate, 2 * (1 - rate), size=deals)), chances], axis=1)


@pytest.mark.parametrize(("rate", "deals", "most"), [(0.3, 60, 5), (0.5, 400, 3), (0.05, 300, 6), (0.9, 40, 4)])
def test_the_intervals_of_clustered_rates_cover_19_times_out_of_20(rate: float, deals: int, most: int) -> None:
    rng, runs, covered, naive = np.random.default_rng(7), 2000, 0, 0
    for _ in range(runs):
        sums = Counts.of(deals_of(rng, rate, deals, most)[:, None]).sums[0].tolist()
        low, high = rate_interval(*sums)
        covered += low <= rate <= high
        low, high = wilson(sums[1] / sums[2], sums[2], normal_reach(0.95))
        naive += low <= rate <= high
    assert 0.93 <= covered / runs <= 0.98
    assert naive / runs < 0.92  # what it would be if every chance were its own deal


def test_the_intervals_of_means_cover_19_times_out_of_20() -> None:
    rng, runs, covered = np.random.default_rng(7), 2000, 0
    for _ in range(runs):
        chances = rng.integers(0, 4, size=150)
        sums = rng.poisson(chances * rng.gamma(2.0, 1.5, size=150))  # 3 a chance, deals of their own
        low, high = mean_interval(*Counts.of(np.stack([sums, chances], axis=1)[:, None]).sums[0].tolist())
        assert low is not None
        assert high is not None
        covered += low <= 3 <= high
    assert 0.93 <= covered / runs <= 0.97


# ---- playing -------------------------------------------------------------------------------------


@dataclass
class Sitting(RandomPlayer):
    """Remembers in which seat it began each hand."""

    seats: Counter[int]

    def begin(self, view: View, rng: np.random.Generator) -> None:
        self.seats[view.seat] += 1


@pytest.mark.parametrize(("game", "hands"), [(Kuhn(), 100), (Kuhn(3), 91), (Kuhn(2), 1), (perudo(seats=3), 40)])
def test_exactly_so_many_hands_are_played_and_the_seats_shared(game: Any, hands: int) -> None:
    sat: Counter[int] = Counter()
    names = ["me", *(f"other {number}" for number in range(game.seats - 1))]

    def line_up() -> list[Any]:
        return [Sitting(sat), *(RandomPlayer() for _ in names[1:])]

    found = list(play_hands(game, line_up, hands=hands, seed=3, names=names))
    assert len(found) == hands
    assert all(record.names[seat] == "me" for record, seat in found)
    assert sat == Counter(seat for _, seat in found)
    if isinstance(game, Kuhn):
        assert max(sat.values()) - (min(sat.values()) if len(sat) == game.seats else 0) <= game.seats


def test_the_same_seed_gives_the_same_hands_and_another_seed_others() -> None:
    def records(seed: int) -> list[Any]:
        return list(play_hands(Kuhn(), lambda: [RandomPlayer(), RandomPlayer()], hands=40, seed=seed))

    assert records(1) == records(1)
    assert records(1) != records(2)


def test_no_two_matches_deal_the_same_hands() -> None:
    hands = [
        record.hands for record, _ in play_hands(Kuhn(), lambda: [RandomPlayer(), RandomPlayer()], hands=80, seed=1)
    ]
    assert hands[:40] != hands[40:]


class Shy:
    """Never bets, never calls."""

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Nothing to prepare."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        return Decision(0)

    def learn(self, seen: Seen) -> None:
        """Nothing to remember."""


def test_the_profile_is_of_the_first_player_whatever_its_seat() -> None:
    from tahur.games.registry import GAMES

    habits = GAMES["kuhn"].habits
    assert habits is not None
    tallies = [
        habits.tallies(Kuhn(), record)[seat]
        for record, seat in play_hands(Kuhn(), lambda: [Shy(), RandomPlayer()], hands=60, seed=1)
    ]
    found = {row.name: row for row in rows(habits, np.array(tallies)).rows}
    assert found["bet"].hits == found["call"].hits == 0
    assert found["fold"].hits == found["fold"].chances > 5
