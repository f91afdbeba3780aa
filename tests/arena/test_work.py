"""Work done here, in processes and on a Dask cluster: the same results in the same order, whoever dies on the way."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count, islice
from pathlib import Path

import pytest
from cluster import dask_cluster
from tasks import always_killed, refused, squared, squared_by_somebody_mortal, without_its_file

from tahur.arena.work import Workers
from tahur.core.errors import SettingError, WorkersLost


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_the_items(workers: int) -> None:
    assert list(Workers(workers).run(squared, range(40))) == [number**2 for number in range(40)]


@pytest.mark.parametrize("workers", [1, 2])
def test_endless_items_are_begun_no_more_once_enough_results_were_taken(workers: int) -> None:
    begun = []

    def items() -> Iterator[int]:
        for number in count():
            begun.append(number)
            yield number

    results = Workers(workers).run(squared, items())
    assert list(islice(results, 20)) == [number**2 for number in range(20)]
    results.close()
    then = len(begun)
    assert list(Workers(workers).run(squared, range(30))) == [number**2 for number in range(30)]
    assert len(begun) == then < 500


def test_a_worker_killed_in_mid_run_loses_nothing(tmp_path: Path) -> None:
    task = partial(squared_by_somebody_mortal, tmp_path, frozenset({3, 17, 18}))
    assert list(Workers(2).run(task, range(40))) == [number**2 for number in range(40)]
    assert {mark.name for mark in tmp_path.iterdir()} == {"3", "17", "18"}


def test_workers_that_all_die_at_once_end_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tahur.arena.work.MOST_LOST", 2)
    with pytest.raises(WorkersLost, match="2 times in a row"):
        list(Workers(2).run(always_killed, range(10)))


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_of_ours_comes_through_as_it_is(workers: int) -> None:
    with pytest.raises(SettingError, match="is wrong"):
        list(Workers(workers).run(refused, range(10)))


def test_no_workers_are_refused() -> None:
    with pytest.raises(SettingError, match="at least 1"):
        Workers(0)


def test_a_cluster_that_is_not_there_is_told_by_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tahur.arena.work.CONNECTING", 1)
    with pytest.raises(SettingError, match=r"tcp://127\.0\.0\.1:9"):
        list(Workers(cluster="tcp://127.0.0.1:9").run(squared, range(3)))


def test_a_cluster_without_workers_says_how_to_start_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tahur.arena.work.CONNECTING", 2)
    with dask_cluster(tmp_path, workers=0) as cluster, pytest.raises(SettingError, match="no workers; start one"):
        list(Workers(cluster=cluster.address).run(squared, range(3)))


def test_on_a_cluster_a_killed_worker_loses_nothing_and_errors_keep_their_type(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    task = partial(squared_by_somebody_mortal, marks, frozenset({3}))
    with dask_cluster(tmp_path, workers=6) as cluster:
        workers = Workers(cluster=cluster.address)
        assert list(workers.run(task, range(40))) == [number**2 for number in range(40)]
        assert {mark.name for mark in marks.iterdir()} == {"3"}
        with pytest.raises(SettingError, match="is wrong"):
            list(workers.run(refused, range(10)))
        with pytest.raises(FileNotFoundError, match="/nowhere/0"):
            list(workers.run(without_its_file, range(10)))
        with pytest.raises(WorkersLost, match="died at one task"):
            list(workers.run(always_killed, range(1)))
