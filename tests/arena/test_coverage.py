"""Do the intervals hold? Thousands of matches whose truth is known: how often is it inside.

The Leduc matches go through the real referee, deal by deal in both seatings, each player with randomness of its own.
The truth of a pair is its exact expectation over the whole tree. Lopsided and heavy-tailed results, and the stopping
rule, are simulated by drawing results directly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from tahur.arena.match import DealBlock, Match, play_block
from tahur.arena.moments import Moments
from tahur.arena.stats import Interval, interval, intervals, is_narrow_enough, trusted_from
from tahur.core.game import CHANCE, OVER, Action, Game, Hand, Seat
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.core.scoring import Scoring
from tahur.core.strategy import Strategy, draw
from tahur.games.leduc import Leduc


@dataclass(frozen=True)
class Mixed:
    """Folds, calls and raises with chances that depend on its card alone; weights of (fold, call, raise) by rank."""

    weights: tuple[tuple[float, float, float], ...]

    def probabilities(self, view: View) -> Mapping[Action, float]:
        weight = self.weights[view.hand // 2]  # type: ignore[operator]  # a player always has a hand
        legal = view.table.actions()
        total = sum(weight[action] for action in legal)
        return {action: weight[action] / total for action in legal}

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Nothing to prepare."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        return Decision(draw(self.probabilities(view), rng))

    def learn(self, seen: Seen) -> None:
        """Nothing to remember."""


CAREFUL = Mixed(((0.5, 0.4, 0.1), (0.2, 0.5, 0.3), (0.05, 0.35, 0.6)))
RECKLESS = Mixed(((0.1, 0.3, 0.6), (0.1, 0.4, 0.5), (0.05, 0.5, 0.45)))


# ---- matches of Leduc ----------------------------------------------------------------------------


def duplicate(players: Sequence[Mixed], deals: int, seed: int) -> np.ndarray:
    """(deals, players): each row the mean over both seatings of one deal."""
    makers = tuple(partial(Mixed, player.weights) for player in players)
    match = Match(
        game=Leduc(), scoring=Scoring("antes/hand"), names=("one", "other"), makers=makers, seed=seed, duplicate=True
    )
    return play_block(match, DealBlock(0, deals)).results


def exact(game: Game[Any], players: Sequence[Strategy]) -> np.ndarray:
    """What each player wins a deal, over all seatings, deals, draws and actions."""
    seatings = list(permutations(range(len(players))))
    deals = [hands for hands in permutations(range(6), 2) if hands[0] != hands[1]]
    total = np.zeros(len(players))
    for seating in seatings:
        seated = [players[player] for player in seating]
        for hands in deals:
            total[list(seating)] += expectation(game, game.start(), hands, seated)
    return total / len(seatings) / len(deals)


def expectation(game: Game[Any], table: Any, hands: Sequence[Hand], seated: Sequence[Strategy]) -> np.ndarray:
    """What each seat wins from here on."""
    if table.turn == OVER:
        return np.array(game.payoffs(table, hands))
    if table.turn == CHANCE:
        outcomes = game.outcomes(table, hands)
        chances = dict.fromkeys(outcomes, 1 / len(outcomes))
    else:
        seat: Seat = table.turn
        chances = dict(seated[seat].probabilities(View(game, table, seat, hands[seat])))
    parts = [chance * expectation(game, table.after(action), hands, seated) for action, chance in chances.items()]
    return np.asarray(sum(parts))


def share_held(players: Sequence[Mixed], matches: int, deals: int, seed: int) -> float:
    """How many of the matches, each of so many deals, have the truth in the interval of the first player."""
    truth = exact(Leduc(), players)[0]
    results = duplicate(players, matches * deals, seed)[:, 0].reshape(matches, deals)
    return float(np.mean([interval(match).holds(truth) for match in results]))


def test_the_pair_differs_and_the_exact_sum_is_zero() -> None:
    value = exact(Leduc(), [CAREFUL, RECKLESS])
    assert value.sum() == pytest.approx(0, abs=1e-12)
    assert abs(value[0]) > 0.1
    assert exact(Leduc(), [CAREFUL, CAREFUL]) == pytest.approx([0, 0], abs=1e-12)


def test_who_folds_at_once_loses_what_the_rules_say() -> None:
    folder = Mixed(((1.0, 1e-300, 0.0),) * 3)
    raiser = Mixed(((0.0, 1e-300, 1.0),) * 3)
    assert exact(Leduc(), [folder, raiser]) == pytest.approx([-1, 1])
    assert duplicate([folder, raiser], 20, seed=1).tolist() == [[-1, 1]] * 20


def test_one_long_match_agrees_with_the_exact_value() -> None:
    found = interval(duplicate([CAREFUL, RECKLESS], 1_500, seed=3)[:, 0], level=0.999)
    assert found.holds(exact(Leduc(), [CAREFUL, RECKLESS])[0])


@pytest.mark.parametrize("players", [(CAREFUL, CAREFUL), (CAREFUL, RECKLESS)], ids=["itself", "a pair"])
def test_300_matches_hold_the_truth_about_as_often_as_they_say(players: tuple[Mixed, Mixed]) -> None:
    assert share_held(players, 300, 20, seed=20) == pytest.approx(0.95, abs=0.035)


@pytest.mark.slow
@pytest.mark.parametrize("players", [(CAREFUL, CAREFUL), (CAREFUL, RECKLESS)], ids=["itself", "a pair"])
def test_2000_matches_hold_the_truth_in_95_percent(players: tuple[Mixed, Mixed]) -> None:
    assert share_held(players, 2_000, 60, seed=21) == pytest.approx(0.95, abs=0.015)


# ---- results that are far from normal ------------------------------------------------------------


@dataclass(frozen=True)
class Payoffs:
    """Results drawn at random, with their mean."""

    draw: Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]
    mean: float


def even_pots(rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    """No-limit poker between equals: small pots mostly, a hundred big blinds now and then; kurtosis 41."""
    pots = np.minimum(0.5 + 1.5 * rng.pareto(1.2, size), 100)
    return pots * rng.choice([-1, 1], size)


def traps(rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    """Loses a little in 97 of 100 deals and wins 30 in the others; skewness 5.5, so 760 deals by Cochran's rule."""
    return np.where(rng.random(size) < 0.97, -0.75, 30.0)


def spikes(rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    """Exponential; skewness 2."""
    return rng.exponential(1.0, size)


EVEN = Payoffs(even_pots, 0.0)
TRAPS = Payoffs(traps, 0.97 * -0.75 + 0.03 * 30)
SPIKES = Payoffs(spikes, 1.0)
NORMAL = Payoffs(np.random.Generator.standard_normal, 0.0)  # type: ignore[arg-type]


def held_of_drawn(payoffs: Payoffs, matches: int, deals: int, seed: int) -> float:
    results = payoffs.draw(np.random.default_rng(seed), (matches, deals))
    return float(np.mean([interval(match).holds(payoffs.mean) for match in results]))


@pytest.mark.parametrize(
    ("payoffs", "deals"), [(EVEN, 200), (EVEN, 2_000), (SPIKES, 200), (TRAPS, 800), (TRAPS, 2_000)]
)
def test_heavy_tails_and_lopsided_results_are_held_once_the_deals_are_enough(payoffs: Payoffs, deals: int) -> None:
    assert held_of_drawn(payoffs, 2_000, deals, seed=1) == pytest.approx(0.95, abs=0.02)


def test_lopsided_results_are_not_held_before_and_we_say_so() -> None:
    assert held_of_drawn(TRAPS, 2_000, 100, seed=1) < 0.93
    drawn = TRAPS.draw(np.random.default_rng(1), (200, 100))
    warned = [trusted_from(Moments.of(match[:, None])) > 100 for match in drawn]
    assert np.mean(warned) > 0.93  # in 5 of 100 such matches no trap closed


# ---- the stopping rule ---------------------------------------------------------------------------


def stopped(payoffs: Payoffs, half_width: float, block: int, rng: np.random.Generator) -> Interval:
    """Block after block until the rule says stop."""
    moments = Moments.nothing(1)
    while not is_narrow_enough(moments, half_width):
        moments = moments.merged(Moments.of(payoffs.draw(rng, (block, 1))))
    return intervals(moments)[0]


def stopped_share(payoffs: Payoffs, half_width: float, block: int, matches: int) -> float:
    rng = np.random.default_rng(9)
    return float(np.mean([stopped(payoffs, half_width, block, rng).holds(payoffs.mean) for _ in range(matches)]))


WIDTHS = [(NORMAL, 0.1), (SPIKES, 0.1), (EVEN, 1.2), (TRAPS, 0.4)]  # some 400 to 700 deals each


@pytest.mark.parametrize(("payoffs", "half_width"), WIDTHS)
def test_the_interval_at_the_stop_holds_about_as_often(payoffs: Payoffs, half_width: float) -> None:
    assert stopped_share(payoffs, half_width, 50, 400) >= 0.92


@pytest.mark.slow
@pytest.mark.parametrize(("payoffs", "half_width"), WIDTHS)
@pytest.mark.parametrize("block", [10, 50])
def test_the_interval_at_the_stop_holds_in_94_percent(payoffs: Payoffs, half_width: float, block: int) -> None:
    assert stopped_share(payoffs, half_width, block, 4_000) >= 0.94 - 2 * (0.94 * 0.06 / 4_000) ** 0.5
