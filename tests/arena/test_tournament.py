"""Tournaments: who met whom, totals that know that everybody met the same cards, and nothing lost in between."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from contests import BOLD, TIMID, Grudge, match_between

from tahur.arena.folder import BLOCKS, RunFolder
from tahur.arena.match import BLOCK, DealBlock, Match, play_block
from tahur.arena.ratings import rate
from tahur.arena.summary import identity, tournament_summary
from tahur.arena.tournament import Lineup, OneTable, RoundRobin, Tournament, round_robin
from tahur.arena.work import Workers
from tahur.games.registry import make
from tahur.players.simple import RandomPlayer

NAMES = ("timid", "bold", "grudge")
DEALS = BLOCK + 10


def matches() -> dict[Lineup, Match]:
    return round_robin(match_between(TIMID, BOLD), NAMES, (TIMID, BOLD, Grudge))


def tournament(path: Path | None = None, *, resume: bool = False) -> Tournament:
    played = matches()
    folders = {}
    if path is not None:
        for those, match in played.items():
            folders[those] = RunFolder(path / str(those), identity(match), resume=resume)
    return Tournament(NAMES, played, DEALS, folders)


def finished(contest: Tournament, workers: int = 1) -> Tournament:
    for _ in contest.play(Workers(workers)):
        pass
    return contest


def test_each_two_meet_once_under_their_own_names() -> None:
    assert {those: match.names for those, match in matches().items()} == {
        (0, 1): ("timid", "bold"),
        (0, 2): ("timid", "grudge"),
        (1, 2): ("bold", "grudge"),
    }


def test_cells_are_the_results_of_the_two_and_mirror_each_other() -> None:
    contest = finished(tournament())
    alone = np.concatenate(
        [play_block(matches()[1, 2], block).results for block in (DealBlock(0, BLOCK), DealBlock(BLOCK, 10))]
    )
    there, back = contest.crosstable().cell(1, 2), contest.crosstable().cell(2, 1)
    assert there is not None
    assert back is not None
    assert there.mean == pytest.approx(alone[:, 0].mean())
    assert (there.mean, there.low, there.high) == pytest.approx((-back.mean, -back.high, -back.low))


def test_totals_are_means_over_opponents_deal_by_deal() -> None:
    rng = np.random.default_rng(1)
    shared = rng.normal(size=(400, 1))  # what the cards give seat 0 in all matches
    results = {
        pair: np.hstack([shared, -shared]) + rng.normal(size=(400, 1)) * [0.1, -0.1] for pair in [(0, 1), (0, 2)]
    }
    totals = RoundRobin(NAMES, {**results, (1, 2): np.zeros((400, 2))}).totals()
    expected = (results[0, 1][:, 0] + results[0, 2][:, 0]) / 2
    assert totals.means[0] == pytest.approx(expected.mean())
    assert totals.covariance[0, 0] == pytest.approx(expected.var(ddof=1))
    assert totals.covariance[0, 0] > 0.8  # as if they were independent it would be half of that


def test_totals_count_only_the_deals_that_every_pair_has_played() -> None:
    results = {(0, 1): np.full((7, 2), [1.0, -1.0]), (0, 2): np.full((5, 2), [3.0, -3.0]), (1, 2): np.zeros((5, 2))}
    totals = RoundRobin(NAMES, results).totals()
    assert totals.count == 5
    assert totals.means.tolist() == [2.0, -0.5, -1.5]


def test_one_table_tells_who_is_ahead_of_whom() -> None:
    match = match_between(TIMID, BOLD, RandomPlayer, game=make("kuhn", {"seats": 3}))
    contest = finished(Tournament(NAMES, {(0, 1, 2): match}, DEALS, {}))
    crosstable = contest.crosstable()
    assert isinstance(crosstable, OneTable)
    cell = crosstable.cell(0, 1)
    assert cell is not None
    assert cell.mean == pytest.approx(float(crosstable.totals().means[0] - crosstable.totals().means[1]))
    assert contest.hands == contest.hands_in_all == 6 * DEALS


def test_a_deal_won_counts_one_and_a_tie_half() -> None:
    rows = np.array([[1.0, -1.0], [-2.0, 2.0], [0.0, 0.0], [3.0, -3.0]])
    (pairing,) = RoundRobin(("a", "b"), {(0, 1): rows}).pairings()
    assert (pairing.a, pairing.b, pairing.score_a, pairing.games) == ("a", "b", 2.5, 4)
    assert rate([pairing])[0].name == "a"


def test_two_workers_give_the_same_tournament() -> None:
    assert tournament_summary(finished(tournament())) == tournament_summary(finished(tournament(), workers=2))


@pytest.mark.parametrize("stop", [1, 4])
def test_stopped_and_resumed_is_the_same_as_never_stopped(tmp_path: Path, stop: int) -> None:
    whole = tournament_summary(finished(tournament(tmp_path / "whole")))
    going = tournament(tmp_path / "parts").play(Workers())
    for _ in range(stop):
        next(going)
    resumed = tournament(tmp_path / "parts", resume=True)
    assert 0 < resumed.hands < resumed.hands_in_all
    assert tournament_summary(finished(resumed)) == whole
    for those in matches():
        parts, at_once = (tmp_path / place / str(those) / BLOCKS for place in ("parts", "whole"))
        assert parts.read_bytes() == at_once.read_bytes()


def test_before_anything_is_played_nothing_is_claimed() -> None:
    told = tournament_summary(tournament())
    assert told["hands"] == 0
    assert {cell for row in told["crosstable"] for cell in row} == {None}
    assert [player["places"] for player in told["results"]] == [[1, 3]] * 3
    assert [player["elo"] for player in told["results"]] == [None] * 3
