"""The exact counts: against a plain count of pairs, against what is shipped, and against what must add up."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tahur.cards import tables
from tahur.cards.cards import cards_of, parse_cards
from tahur.cards.equity import equity
from tahur.cards.equity.tables import combos
from tahur.cards.evaluator import evaluate_many
from tahur.cards.flops import canonical_many
from tahur.games.holdem.buckets import NO_HAND, Bucket, bucket_table, classify
from tahur.games.holdem.textures import Texture, texture_of
from tahur.solvers.street.counts import (
    RUNOUTS,
    TEXTURES,
    BucketCounts,
    all_flops,
    exact_counts,
    flop_buckets,
    flop_numbers,
    flop_textures,
    from_json,
    recount,
    river_boards,
    to_json,
)
from tahur.solvers.street.kernels import NO_TEXTURE, count_pairs, count_wins
from tahur.solvers.street.matrices import frequencies

CARDS = np.array([cards_of(combo) for combo in range(1326)])
APART = ~(CARDS[:, None, :, None] == CARDS[None, :, None, :]).any(axis=(2, 3))  # combos that share no card


def plain_wins(board: list[int], flop: list[int]) -> np.ndarray:
    """(9, 9) pairs of hands that one of the row's bucket wins, every pair looked at."""
    live = [combo for combo in range(1326) if not set(CARDS[combo]) & set(board)]
    ranks = evaluate_many([[*board, *CARDS[combo]] for combo in live])
    beats = (ranks[:, None] > ranks[None, :]) & APART[np.ix_(live, live)]
    mine = np.eye(len(Bucket), dtype=np.int64)[bucket_table([flop])[0, live]]
    return mine.T @ beats.astype(np.int64) @ mine


def number_of(flop: list[int]) -> int:
    return int(flop_numbers(np.array([flop]))[0])


def plain_cell(texture: Texture, one: Bucket, other: Bucket) -> tuple[int, int]:
    """Pairs and wins of one bucket against another, every pair of hands played out on every turn and river."""
    flops = all_flops()[flop_textures() == TEXTURES.index(texture)]
    least, orbits = canonical_many(flops, 0)
    pairs = wins = 0
    for at in np.flatnonzero((least == flops).all(axis=1)):
        row = bucket_table([flops[at]])[0]
        for mine in np.flatnonzero(row == one):
            for theirs in np.flatnonzero((row == other) & APART[mine]):
                pairs += orbits[at]
                wins += orbits[at] * _won(flops[at], CARDS[mine], CARDS[theirs])
    return int(pairs), int(wins)


def _won(flop: np.ndarray, mine: np.ndarray, theirs: np.ndarray) -> int:
    left = np.setdiff1d(np.arange(52), [*flop, *mine, *theirs])
    runouts = left[np.stack(np.triu_indices(len(left), 1), axis=1)]
    known = np.tile(flop, (len(runouts), 1))
    ranks = [evaluate_many(np.hstack([known, runouts, np.tile(hand, (len(runouts), 1))])) for hand in (mine, theirs)]
    return int((ranks[0] > ranks[1]).sum())


@pytest.mark.parametrize(
    ("texture", "one", "other"),
    [
        (Texture.PAIRED, Bucket.NUT, Bucket.NUT),
        (Texture.PAIRED, Bucket.PREMIUM, Bucket.NUT),
        (Texture.PAIRED, Bucket.NUT, Bucket.PREMIUM),
        (Texture.PAIRED, Bucket.WEAK_MADE, Bucket.NUT),
        (Texture.MONOTONE, Bucket.PREMIUM, Bucket.PREMIUM),
        pytest.param(Texture.HIGH_DRY, Bucket.PREMIUM, Bucket.GOOD, marks=pytest.mark.slow),
        pytest.param(Texture.WET, Bucket.NUT, Bucket.NUT, marks=pytest.mark.slow),
    ],
)
def test_rare_cells_of_what_is_shipped_are_found_pair_by_pair(texture: Texture, one: Bucket, other: Bucket) -> None:
    counts = exact_counts()[texture]
    assert plain_cell(texture, one, other) == (counts.pairs[one, other], counts.wins[one, other])


def test_all_pairs_that_are_shipped_are_counted_again() -> None:
    found = np.zeros((5, 9, 9), np.int64)
    count_pairs(np.arange(22100), flop_textures(), flop_buckets(), combos(), found)
    for at, texture in enumerate(TEXTURES):
        assert (found[at] == exact_counts()[texture].pairs).all()


@pytest.mark.parametrize("board", ["As9s4s7d2c", "KsKd7hTc2c", "JsTs9d8h2c", "AhAdAcKs2s", "5s4s3s2sAs"])
def test_the_sweep_counts_what_a_look_at_every_pair_counts(board: str) -> None:
    """One board at a time, all ten of its flops."""
    cards = sorted(parse_cards(board))
    flops = [[*flop] for flop in all_flops().tolist() if set(flop) <= set(cards)]
    textures = np.full(22100, NO_TEXTURE, np.uint8)
    buckets = np.full((22100, 1326), NO_HAND, np.uint8)
    expected = np.zeros((5, 9, 9), np.int64)
    for flop in flops:
        textures[number_of(flop)] = TEXTURES.index(texture_of(flop))
        buckets[number_of(flop)] = bucket_table([flop])[0]
        expected[TEXTURES.index(texture_of(flop))] += 6 * plain_wins(cards, flop)
    found = np.zeros((5, 9, 9), np.int64)
    one = np.array([cards], np.uint8)
    count_wins(one, np.array([6]), textures, buckets, tables.load(), combos(), found)
    assert len(flops) == 10
    assert (found == expected).all()


def test_pairs_are_counted_with_card_removal() -> None:
    flop = [*parse_cards("Tc7d2s")]
    row = bucket_table([flop])
    mine = np.eye(len(Bucket), dtype=np.int64)[np.where(row[0] == NO_HAND, 0, row[0])] * (row[0] != NO_HAND)[:, None]
    found = np.zeros((5, 9, 9), np.int64)
    count_pairs(np.zeros(1, np.int64), np.zeros(22100, np.uint8), row, combos(), found)
    assert (found[0] == mine.T @ APART.astype(np.int64) @ mine).all()


def test_river_boards_stand_for_all_boards() -> None:
    boards, orbits = river_boards()
    assert (len(boards), orbits.sum()) == (134_459, 2_598_960)


@pytest.mark.parametrize("texture", Texture)
def test_what_is_shipped_adds_up(texture: Texture) -> None:
    counts = exact_counts()[texture]
    assert counts.pairs.sum() == counts.flops * 1176 * 1081
    assert (counts.pairs == counts.pairs.T).all()
    assert (counts.ties == counts.ties.T).all()
    assert counts.ties.min() >= 0
    assert np.allclose((counts.equity + counts.equity.T)[counts.pairs > 0], 1, atol=1e-15)
    assert np.isnan(counts.equity[counts.pairs == 0]).all()
    assert counts.joint.sum() == pytest.approx(1, abs=1e-14)


def test_the_shipped_flops_are_the_textures_and_the_marginals_the_hands() -> None:
    assert {texture.value: counts.flops for texture, counts in exact_counts().items()} == {
        "monotone": 1144, "paired": 3796, "wet": 1584, "high_dry": 4896, "low_dry": 10680,
    }  # fmt: skip
    for at, texture in enumerate(TEXTURES):
        hands = np.bincount(flop_buckets()[flop_textures() == at].ravel(), minlength=256)[: len(Bucket)]
        assert (exact_counts()[texture].pairs.sum(axis=1) == hands * 1081).all()


def test_a_bucket_pair_of_one_flop_has_the_equity_of_its_ranges() -> None:
    """Another way altogether: top set against the open-ended draws of one flop, asked of `equity`."""
    flop = [*parse_cards("Tc7d2s")]
    row = bucket_table([flop])[0]
    premium, draw = (
        ",".join("".join(map(str, cards_of(combo))) for combo in np.flatnonzero(row == bucket).tolist())
        for bucket in (Bucket.PREMIUM, Bucket.DRAW)
    )
    asked = equity(premium, draw, board="Tc7d2s")
    wins = ties = deals = 0
    for turn in range(52):
        for river in range(turn):
            if not {turn, river} & set(flop):
                board = sorted([*flop, turn, river])
                won = swept_wins(board, flop)
                wins += won[Bucket.PREMIUM, Bucket.DRAW]
                ties += won[Bucket.DRAW, Bucket.PREMIUM]
                deals += 1
    assert deals == 1176
    pairs = np.zeros((5, 9, 9), np.int64)
    count_pairs(np.zeros(1, np.int64), np.zeros(22100, np.uint8), row[None], combos(), pairs)
    total = RUNOUTS * pairs[0, Bucket.PREMIUM, Bucket.DRAW]
    assert (wins + (total - wins - ties) / 2) / total == pytest.approx(asked.players[0].equity, abs=1e-12)


def swept_wins(board: list[int], flop: list[int]) -> np.ndarray:
    """The kernel on one board and one flop."""
    textures, found = np.full(22100, NO_TEXTURE, np.uint8), np.zeros((5, 9, 9), np.int64)
    textures[number_of(flop)] = 0
    buckets = flop_buckets()
    count_wins(np.array([board], np.uint8), np.ones(1, np.int64), textures, buckets, tables.load(), combos(), found)
    return found[0]


@pytest.mark.slow
def test_a_recount_of_the_monotone_flops_finds_what_is_shipped() -> None:
    _check_recount((Texture.MONOTONE,))


@pytest.mark.slow
def test_a_recount_of_everything_finds_what_is_shipped() -> None:
    _check_recount(TEXTURES)


def test_counts_are_read_back_as_they_were_written() -> None:
    again = from_json(json.loads(to_json(exact_counts())))
    for texture, counts in exact_counts().items():
        assert _same(again[texture], counts)


def test_frequencies_stand_beside_the_reported_ones() -> None:
    rows = list(frequencies())
    assert len(rows) == 45
    for row in rows:
        if row.reported is not None and not row.reason:  # sampling alone: 50,000 deals over all textures
            deals = 50_000 * exact_counts()[row.texture].flops / 22_100
            error = (row.probability * (1 - row.probability) / deals) ** 0.5
            assert abs(row.probability - row.reported) < 3 * error + 0.0005, row
    air = next(row for row in rows if (row.texture, row.bucket) == (Texture.MONOTONE, Bucket.AIR))
    assert air.probability == pytest.approx(0.1947, abs=1e-4)


def test_the_reported_shares_are_those_of_hands_that_pair_something_or_do_not() -> None:
    """Two differences explained: 23.4 % of hands draw without a pair on monotone flops; 25 % pair on paired ones."""
    ranks = CARDS // 4
    draws, paired = [], []
    for flop, row, texture in zip(all_flops() // 4, flop_buckets(), flop_textures(), strict=True):
        if texture <= TEXTURES.index(Texture.PAIRED):
            pairs = (ranks[:, 0] == ranks[:, 1]) | np.isin(ranks, flop).any(axis=1)
            if TEXTURES[texture] == Texture.MONOTONE:
                draws.append((row[~pairs] == Bucket.DRAW).sum() / 1176)
            else:
                paired.append(pairs[row != NO_HAND].sum() / 1176)
    assert np.mean(draws) == pytest.approx(0.2341, abs=5e-5)
    assert np.mean(paired) == pytest.approx(0.250, abs=5e-4)


def test_nothing_hands_on_monotone_flops_are_air_not_weak_draws() -> None:
    assert classify(parse_cards("7c2d"), parse_cards("Ks9s4s")).bucket == Bucket.AIR


def _check_recount(textures: tuple[Texture, ...]) -> None:
    found: dict[Texture, BucketCounts] = {}
    told = [progress.done for progress in recount(textures, found)]
    assert told == [*range(101)]
    assert set(found) == set(textures)
    for texture in textures:
        assert _same(found[texture], exact_counts()[texture])


def _same(one: BucketCounts, other: BucketCounts) -> bool:
    return one.flops == other.flops and (one.pairs == other.pairs).all() and (one.wins == other.wins).all()
