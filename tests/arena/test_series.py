"""A match as it goes on: the same bits on one process, on two and on a Dask cluster; stopped, resumed, and enough."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cluster import dask_cluster
from contests import BOLD, TIMID, Grudge, match_between

from tahur.arena.folder import BLOCKS, RECORDS, RunFolder
from tahur.arena.luck import Luck
from tahur.arena.match import BLOCK, Match
from tahur.arena.series import MatchGoal, MatchStanding, play
from tahur.arena.stats import intervals
from tahur.arena.summary import identity, summary
from tahur.arena.work import Workers

DEALS = 3 * BLOCK + 20


def last(match: Match, deals: int = DEALS, **options: Any) -> MatchStanding:
    return list(play(match, MatchGoal(deals), **options))[-1]


def folder(path: Path, match: Match, *, resume: bool = False) -> RunFolder:
    return RunFolder(path, identity(match), resume=resume)


def contents(path: Path) -> tuple[bytes, bytes]:
    return (path / BLOCKS).read_bytes(), (path / RECORDS).read_bytes()


@pytest.fixture
def match() -> Match:
    return match_between(Grudge, BOLD, luck=Luck.FULL)


def test_one_process_two_processes_and_a_dask_cluster_give_the_same_bits(tmp_path: Path, match: Match) -> None:
    with dask_cluster(tmp_path) as cluster:
        ways = [Workers(1), Workers(2), Workers(cluster=cluster.address)]
        for number, workers in enumerate(ways):
            place = tmp_path / str(number)
            standing = last(match, workers=workers, folder=folder(place, match))
            (place / "summary").write_text(repr(summary(standing)))
    kept = [(contents(tmp_path / str(n)), (tmp_path / str(n) / "summary").read_text()) for n in range(len(ways))]
    assert kept[0] == kept[1] == kept[2]


def test_moments_by_blocks_are_those_of_all_results(tmp_path: Path, match: Match) -> None:
    standings = list(play(match, MatchGoal(DEALS)))
    results = np.concatenate([standing.latest for standing in standings])
    assert len(results) == DEALS == standings[-1].deals
    assert standings[-1].hands == 2 * DEALS
    assert intervals(standings[-1].fair)[0].mean == pytest.approx(results[:, 0].mean())
    assert standings[-1].fair.covariance == pytest.approx(np.cov(results.T))


@pytest.mark.parametrize("stop", [1, 2, 3])
def test_stopped_and_resumed_is_the_same_as_never_stopped(tmp_path: Path, match: Match, stop: int) -> None:
    whole = last(match, folder=folder(tmp_path / "whole", match))
    going = play(match, MatchGoal(DEALS), folder=folder(tmp_path / "parts", match))
    for _ in range(1 + stop):
        next(going)
    going.close()
    resumed = last(match, folder=folder(tmp_path / "parts", match, resume=True))
    assert resumed.fair == whole.fair
    assert resumed.raw == whole.raw
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")


def test_a_finished_match_can_be_made_longer(tmp_path: Path, match: Match) -> None:
    """Its last block was cut short by the end; it is played again, whole."""
    whole = last(match, folder=folder(tmp_path / "whole", match))
    last(match, 2 * BLOCK - 13, folder=folder(tmp_path / "longer", match))
    assert last(match, folder=folder(tmp_path / "longer", match, resume=True)).fair == whole.fair
    assert contents(tmp_path / "longer") == contents(tmp_path / "whole")


def test_what_is_there_is_not_played_again(tmp_path: Path, match: Match) -> None:
    last(match, folder=folder(tmp_path, match))

    class Nobody(Workers):
        def run(self, task: Any, items: Any) -> Any:
            raise AssertionError("somebody played")

    assert last(match, workers=Nobody(), folder=folder(tmp_path, match, resume=True)).deals == DEALS


def test_a_match_can_go_on_until_the_interval_is_narrow() -> None:
    match = match_between(TIMID, BOLD)
    narrow = list(play(match, MatchGoal(100_000, width=300)))
    widths = [intervals(standing.fair)[0].scaled(1000).half_width for standing in narrow]
    assert widths[-1] <= 300 < widths[-2]
    assert narrow[-1].deals < 100_000
    parallel = list(play(match, MatchGoal(100_000, width=300), Workers(2)))
    assert parallel[-1].fair == narrow[-1].fair
