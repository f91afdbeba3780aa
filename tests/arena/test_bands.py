"""Rank bands: no false order, and no order withheld that the deals show."""

from __future__ import annotations

import numpy as np
import pytest

from tahur.arena.moments import Moments
from tahur.arena.stats import Band, bands, gap, shown_better


def match(strengths: list[float], deals: int, seed: int) -> Moments:
    """Payoffs that add up to 0, with the luck of the cards shared out unevenly."""
    rng = np.random.default_rng(seed)
    results = rng.standard_normal((deals, len(strengths))) * np.arange(1, len(strengths) + 1) + strengths
    return Moments.of(results - results.mean(axis=1, keepdims=True))


def test_players_far_apart_are_ordered() -> None:
    assert bands(match([0, 9, 3], 500, 1)) == (Band(3, 3), Band(1, 1), Band(2, 2))


def test_two_who_cannot_be_told_apart_share_a_band() -> None:
    assert bands(match([0, 9, 0], 300, 2)) == (Band(2, 3), Band(1, 1), Band(2, 3))


@pytest.mark.parametrize("deals", [0, 1])
def test_without_deals_everybody_may_have_any_place(deals: int) -> None:
    assert bands(Moments.of(np.ones((deals, 3)) * [1, 2, 3])) == (Band(1, 3),) * 3


def test_equal_payoffs_in_every_deal_part_nobody_and_a_constant_lead_does() -> None:
    assert bands(Moments.of(np.zeros((50, 2)))) == (Band(1, 2), Band(1, 2))
    assert bands(Moments.of(np.tile([0.5, -0.5], (50, 1)))) == (Band(1, 1), Band(2, 2))


def test_two_players_part_exactly_when_the_interval_of_their_difference_leaves_out_zero() -> None:
    parted = 0
    for seed in range(300):
        moments = match([0, 0.35], 60, seed)
        band = bands(moments)
        assert (band[0].best == 2 or band[1].best == 2) == (not gap(moments, 0, 1).holds(0))
        parted += not gap(moments, 0, 1).holds(0)
    assert 20 < parted < 280


def test_one_player_has_the_only_place() -> None:
    assert bands(Moments.of(np.ones((9, 1)))) == (Band(1, 1),)


def test_what_is_shown_makes_the_next_easier_to_show() -> None:
    """Holm's step: a lead that Bonferroni would not accept beside five others is accepted once those are shown."""
    rng = np.random.default_rng(3)
    noise = rng.standard_normal((200, 3))
    noise -= noise.mean(axis=0)
    values, vectors = np.linalg.eigh(np.cov(noise.T))
    white = noise @ vectors / np.sqrt(values)  # uncorrelated, variance 1: each lead is gap / sqrt(2) * sqrt(200)
    lead = 2.35  # standard errors: between the 2.41 of six ordered pairs and the 2.26 of the four left after two
    strengths = np.array([0, lead * (2 / 200) ** 0.5, 5])
    assert shown_better(Moments.of(white + strengths))[1, 0]
    assert not shown_better(Moments.of(white + strengths[[0, 1, 0]]))[1, 0]


@pytest.mark.parametrize("strengths", [[0.0] * 5, [0, 0, 0.3, 0.3, 0.3], [0, 0.2, 0.4, 0.6, 3]])
def test_the_true_places_are_within_the_bands_in_95_percent_of_matches(strengths: list[float]) -> None:
    held = sum(_holds(bands(match(strengths, 100, seed)), strengths) for seed in range(600))
    assert held >= 600 * 0.93  # 95 % at least, and two standard errors of such a count


def _holds(shown: tuple[Band, ...], strengths: list[float]) -> bool:
    """Equal players share their places: any of these within the band will do."""
    best = [1 + sum(other > own for other in strengths) for own in strengths]
    worst = [sum(other >= own for other in strengths) for own in strengths]
    return all(band.best <= low and high <= band.worst for band, low, high in zip(shown, best, worst, strict=True))
