"""The blueprints that are shipped with the package: one file for each depth, `blueprints/100bb.tahur`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tahur.core.cache import shipped_files
from tahur.core.errors import StrategyError
from tahur.solvers.nolimit.playing import BlueprintStrategy, read

FOLDER: Final = "solvers/nolimit/blueprints"
SUFFIX: Final = "bb.tahur"


def shipped(depth: float) -> Path:
    """The shipped blueprint whose depth, in big blinds, is nearest by ratio; its name says the depth."""
    files = {float(path.name.removesuffix(SUFFIX)): path for path in _numbered()}
    if not files:
        raise StrategyError(
            "this installation has no no-limit strategies; give a file that `tahur solve nlhe -o FILE` writes"
        )
    return files[min(files, key=lambda held: max(held / depth, depth / held))]


def shipped_depths() -> tuple[float, ...]:
    """The depths for which there is a file, ascending."""
    return tuple(sorted(float(path.name.removesuffix(SUFFIX)) for path in _numbered()))


def shipped_strategy(depth: float) -> BlueprintStrategy:
    """The strategy of the shipped blueprint that is nearest, read once per process."""
    strategy = read(shipped(depth))
    assert strategy is not None
    return strategy


def _numbered() -> list[Path]:
    return [path for path in shipped_files(FOLDER, SUFFIX) if re.fullmatch(r"\d+(\.\d+)?bb", path.stem)]
