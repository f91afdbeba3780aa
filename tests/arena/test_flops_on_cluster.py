"""`tahur postflop aggregate --cluster`: a Dask cluster solves the same flops, and the folder has the same bytes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from cluster import dask_cluster

AGGREGATE = (
    "postflop", "aggregate", "--oop", "AA:0.5,87s", "--ip", "QQ,65s", "--pot", "20", "--stack", "40",
    "--sizes", "-", "--flop", "50% / -", "--target", "1%", "--flops", "QsJs9s,7d7c2h,Td9d6h", "--keep",
)  # fmt: skip


def study(folder: Path, *where: str) -> dict[str, bytes]:
    command = [sys.executable, "-m", "tahur", *AGGREGATE, *where, "-o", str(folder)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_a_dask_cluster_solves_the_flops_to_the_same_bytes(tmp_path: Path) -> None:
    with dask_cluster(tmp_path) as address:
        far = study(tmp_path / "far", "--cluster", address)
    assert far == study(tmp_path / "here", "--workers", "1")
    assert len(far) == 4 + 3  # the study, its lines, the summary as JSON and CSV, and the solutions
