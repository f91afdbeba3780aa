"""The blueprints that come with the package, one file for each depth of stacks."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tahur.core.errors import StrategyError
from tahur.solvers.nolimit.abstraction import nearest_depth
from tahur.solvers.nolimit.playing import BlueprintStrategy, read

FOLDER: Final = Path(__file__).parent / "blueprints"


def shipped(depth: float) -> Path:
    """The file of the depth that is nearest to a number of big blinds."""
    path = FOLDER / f"{nearest_depth(depth)}bb.tahur"
    if not path.exists():
        raise StrategyError(f"{path.name} is not in {FOLDER}; `python tools/blueprints.py` makes it")
    return path


def shipped_strategy(depth: int) -> BlueprintStrategy:
    """The blueprint of a depth, read once per process."""
    strategy = read(shipped(depth))
    assert strategy is not None
    return strategy
