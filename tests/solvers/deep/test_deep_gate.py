"""The gate before hold'em: Kuhn and Leduc converge through the trainer, from five seeds, by exact best responses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tahur.solvers.deep.config import preset
from tahur.solvers.deep.run import Training


def _exploitability(name: str, seed: int, folder: Path) -> float:
    config = preset(name)
    config = replace(config, training=replace(config.training, seed=seed))
    last = list(Training(config, folder).run())[-1].exploitability
    assert last is not None
    return last


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5])
def test_kuhn_comes_below_a_nashconv_of_two_hundredths(seed: int, tmp_path: Path) -> None:
    assert 2 * _exploitability("kuhn", seed, tmp_path / "nets") < 0.02


@pytest.mark.slow(minutes=10)
@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5])
def test_leduc_comes_below_fifty_thousandths_of_an_ante(seed: int, tmp_path: Path) -> None:
    assert _exploitability("leduc", seed, tmp_path / "nets") < 0.05
