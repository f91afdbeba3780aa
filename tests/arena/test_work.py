"""Work done here, in processes and on a Dask cluster: the same results in the same order, whoever dies on the way."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count, islice
from pathlib import Path

import pytest
from cluster import dask_cluster
from tasks import always_killed, refused, squared, squared_by_somebody_mortal

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


@pytest.mark.slow  # test_series.py plays on a cluster in every run
def test_a_dask_cluster_gives_the_same_results(tmp_path: Path) -> None:
    with dask_cluster(tmp_path) as address:
        assert list(Workers(cluster=address).run(squared, range(30))) == [number**2 for number in range(30)]
