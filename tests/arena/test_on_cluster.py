"""`--cluster`: a Dask cluster writes the same bytes as this process, also if a worker is killed on the way."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from cluster import dask_cluster

MATCH = ("arena", "match", "leduc", "maniac", "random", "--hands", "20000", "--duplicate")
TOURNAMENT = ("arena", "tournament", "leduc", "caller", "random", "maniac", "--hands", "8000", "--duplicate")
AGGREGATE = (
    "postflop", "aggregate", "--oop", "AA:0.5,87s", "--ip", "QQ,65s", "--pot", "20", "--stack", "40", "--sizes", "-",
    "--flop", "50% / -", "--target", "1%", "--flops", "QsJs9s,7d7c2h,Td9d6h,AhKh2d,8s5c3d,JcTc4c", "--keep",
)  # fmt: skip


def begun(command: tuple[str, ...], folder: Path, *where: str) -> subprocess.Popen[str]:
    given = [sys.executable, "-m", "tahur", *command, *where, "-o", str(folder)]
    return subprocess.Popen(given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def wait_for_a_result(run: subprocess.Popen[str], folder: Path) -> None:
    while not any(lines.stat().st_size for lines in folder.rglob("*.jsonl")):
        assert run.poll() is None, run.communicate()
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("command", "files"),
    [
        pytest.param(MATCH, 4, id="match"),
        pytest.param(TOURNAMENT, 3 * 3 + 1, id="tournament", marks=pytest.mark.slow),
        pytest.param(AGGREGATE, 4 + 6, id="aggregate", marks=pytest.mark.slow),
    ],
)
def test_a_cluster_that_loses_a_worker_writes_the_same_bytes(
    tmp_path: Path, command: tuple[str, ...], files: int
) -> None:
    with dask_cluster(tmp_path) as cluster:
        run = begun(command, tmp_path / "far", "--cluster", cluster.address)
        wait_for_a_result(run, tmp_path / "far")
        cluster.workers[0].kill()
        assert run.poll() is None, "it was over before the worker was killed"
        assert run.wait() == 0, run.communicate()
    here = begun(command, tmp_path / "here", "--workers", "1")
    assert here.wait() == 0, here.communicate()
    assert contents(tmp_path / "far") == contents(tmp_path / "here")
    assert len(contents(tmp_path / "far")) == files


def test_a_scheduler_that_dies_ends_a_match_in_a_sentence(tmp_path: Path) -> None:
    with dask_cluster(tmp_path) as cluster:
        run = begun(MATCH, tmp_path / "far", "--cluster", cluster.address)
        wait_for_a_result(run, tmp_path / "far")
        cluster.scheduler.kill()
        _, told = run.communicate()
    assert run.returncode == 2, told
    assert told.splitlines()[-1] == f"tahur: the connection to the Dask scheduler at {cluster.address} was lost"
