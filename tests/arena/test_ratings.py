"""Ratings: a closed form for two, a general optimiser for many, and intervals that hold in simulated tournaments."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from scipy.optimize import minimize

from tahur.arena.ratings import ELO, Pairing, Rating, groups, rate
from tahur.core.errors import ResultsError


def expected_score(rating: float, other: float) -> float:
    """The expected score of a rating against another."""
    return 1 / (1 + math.exp((other - rating) / ELO))


def round_robin(strengths: dict[str, float], games: int, rng: np.random.Generator) -> list[Pairing]:
    return [
        Pairing(a, b, float(rng.binomial(games, expected_score(strengths[a], strengths[b]))), games)
        for a, b in combinations(strengths, 2)
    ]


def by_name(ratings: tuple[Rating, ...]) -> dict[str, Rating]:
    return {each.name: each for each in ratings}


@pytest.mark.parametrize(("score", "games"), [(30, 40), (12.25, 17), (0, 9), (9, 9), (1e6, 1e6), (5, 10)])
def test_two_players_have_the_closed_form(score: float, games: float) -> None:
    rated = by_name(rate([Pairing("ann", "bob", score, games)]))
    gap = 400 * math.log10((score + 0.5) / (games - score + 0.5))
    assert rated["ann"].rating == pytest.approx(1500 + gap / 2, abs=1e-6)
    assert rated["bob"].rating == pytest.approx(1500 - gap / 2, abs=1e-6)
    share = (score + 0.5) / (games + 1)
    error = ELO / math.sqrt((games + 1) * share * (1 - share)) / 2  # half of the gap's
    assert rated["ann"].high - rated["ann"].rating == pytest.approx(1.959964 * error, rel=1e-5)


def test_a_rating_promises_what_was_scored() -> None:
    ann, bob = rate([Pairing("ann", "bob", 7_500, 10_000)])
    assert expected_score(ann.rating, bob.rating) == pytest.approx(0.75, abs=1e-4)
    assert expected_score(1900, 1500) == pytest.approx(10 / 11)


def test_many_players_have_the_most_likely_ratings() -> None:
    rng = np.random.default_rng(4)
    names = [f"p{number}" for number in range(7)]
    pairings = [
        Pairing(a, b, float(rng.random() * games), float(games))
        for a, b in combinations(names, 2)
        if (games := int(rng.integers(0, 40)))
    ]

    def unlikely(logs: np.ndarray) -> float:
        total = 0.0
        for each in pairings:
            gap = logs[names.index(each.a)] - logs[names.index(each.b)]
            won, lost = each.score_a + 0.5, each.games - each.score_a + 0.5
            total += won * np.logaddexp(0, -gap) + lost * np.logaddexp(0, gap)
        return total

    found = minimize(unlikely, np.zeros(7), method="BFGS", options={"gtol": 1e-8}).x
    theirs = 1500 + ELO * (found - found.mean())
    ours = by_name(rate(pairings))
    assert [ours[name].rating for name in names] == pytest.approx(theirs.tolist(), abs=1e-3)


def test_the_order_and_the_direction_of_pairings_are_no_matter() -> None:
    rng = np.random.default_rng(2)
    pairings = round_robin({"ann": 1600, "bob": 1500, "cid": 1450, "dan": 1300}, 30, rng)
    turned = [Pairing(each.b, each.a, each.games - each.score_a, each.games) for each in pairings]
    parts = [Pairing(each.a, each.b, each.score_a / 2, each.games / 2) for each in pairings for _ in "12"]
    shuffled = [pairings[place] for place in rng.permutation(len(pairings))]
    assert rate(shuffled) == rate(turned) == rate(parts) == rate(pairings)


def test_the_best_comes_first_and_the_mean_is_1500() -> None:
    rated = rate(round_robin({"ann": 1200, "bob": 1500, "cid": 1900}, 500, np.random.default_rng(1)))
    assert [each.name for each in rated] == ["cid", "bob", "ann"]
    assert sum(each.rating for each in rated) == pytest.approx(4500, abs=1e-9)
    assert [each.games for each in rated] == [1_000, 1_000, 1_000]


def test_a_ladder_of_unbeaten_players_is_finite_and_exact() -> None:
    names = [f"{number:02}" for number in range(10)]
    rated = rate([Pairing(a, b, 1_000, 1_000) for a, b in pairwise(names)])
    assert [each.name for each in rated] == names
    step = 400 * math.log10(1_000.5 / 0.5)  # a ladder has no circle, so every step stands for itself
    assert rated[0].rating - rated[9].rating == pytest.approx(9 * step, abs=1e-4)


def test_scores_that_go_in_circles_do_not_throw_the_search_off() -> None:
    """Newton's whole steps run away here. At the most likely ratings each is expected to score what it scored."""
    played = [("cid", "ann", 5, 10), ("cid", "bob", 1, 1), ("dan", "ann", 1e6, 1e6), ("dan", "bob", 0, 1e6)]
    played += [("dan", "cid", 100, 100), ("eve", "bob", 999e3, 1e6), ("eve", "cid", 1e5, 1e5), ("eve", "dan", 0, 1e3)]
    rated = by_name(rate([Pairing(*each) for each in played]))
    missing = dict.fromkeys(rated, 0.0)
    for a, b, score, games in played:
        more = score + 0.5 - (games + 1) * expected_score(rated[a].rating, rated[b].rating)
        missing[a] += more
        missing[b] -= more
    assert list(missing.values()) == pytest.approx([0.0] * 5, abs=1e-3)


def test_one_player_better_than_all_others_does_not_move_them_apart() -> None:
    rated = by_name(rate([Pairing("top", name, 10, 10) for name in ("ann", "bob", "cid")]))
    assert rated["ann"].rating == pytest.approx(rated["bob"].rating) == pytest.approx(rated["cid"].rating)


def test_players_who_never_met_are_not_compared() -> None:
    pairings = [Pairing("ann", "bob", 1, 2), Pairing("dan", "cid", 1, 2), Pairing("eve", "cid", 1, 2)]
    assert groups(pairings) == (("ann", "bob"), ("cid", "dan", "eve"))
    with pytest.raises(ResultsError, match="there are 2: ann, bob; cid, dan, eve"):
        rate(pairings)
    assert len(rate([*pairings, Pairing("ann", "eve", 1, 2)])) == 5
    with pytest.raises(ResultsError, match="nobody played"):
        rate([])


@pytest.mark.parametrize(
    ("score", "games", "variance"),
    [(3, 2, None), (-1, 2, None), (0, 0, None), (math.nan, 2, None), (1, math.inf, None), (1, 2, -1), (1, 2, math.nan)],
)
def test_an_impossible_pairing_is_refused(score: float, games: float, variance: float | None) -> None:
    with pytest.raises(ResultsError, match="ann"):
        Pairing(a="ann", b="bob", score_a=score, games=games, variance=variance)


def test_nobody_plays_himself() -> None:
    with pytest.raises(ResultsError, match="itself"):
        Pairing("ann", "ann", 1, 2)


def test_without_an_added_draw_there_is_no_rating() -> None:
    with pytest.raises(ResultsError, match="unbeaten"):
        rate([Pairing("ann", "bob", 1, 2)], drawn=0)


def test_the_variance_of_coins_gives_the_interval_of_coins() -> None:
    plain = rate([Pairing("ann", "bob", 6_000, 10_000)])[0]
    measured = rate([Pairing("ann", "bob", 6_000, 10_000, variance=0.24)])[0]
    quarter = rate([Pairing("ann", "bob", 6_000, 10_000, variance=0.06)])[0]
    assert measured.high == pytest.approx(plain.high, abs=0.01)
    assert (quarter.high - quarter.low) / (plain.high - plain.low) == pytest.approx(0.5, abs=0.001)
    assert rate([Pairing("ann", "bob", 500, 500, variance=0.0)])[0].high > plain.high + 100


@pytest.mark.parametrize("measure", [False, True])
def test_the_intervals_hold_the_true_ratings(measure: bool) -> None:
    """Scores are means of two seatings that are won or lost: with the variance known 95 %, without it more."""
    rng = np.random.default_rng(11)
    truth = {"ann": 1650.0, "bob": 1550.0, "cid": 1450.0, "dan": 1350.0}
    held = []
    for _ in range(500):
        rated = by_name(rate(_duplicate(truth, 100, measure, rng)))
        held += [rated[name].low <= truth[name] <= rated[name].high for name in truth]
    assert np.mean(held) == pytest.approx(0.95, abs=0.015) if measure else np.mean(held) > 0.98


def _duplicate(truth: dict[str, float], deals: int, measure: bool, rng: np.random.Generator) -> list[Pairing]:
    pairings = []
    for a, b in combinations(truth, 2):
        scores = rng.binomial(2, expected_score(truth[a], truth[b]), deals) / 2
        variance = float(scores.var(ddof=1)) if measure else None
        pairings.append(Pairing(a=a, b=b, score_a=float(scores.sum()), games=deals, variance=variance))
    return pairings
