"""Training runs that are over in a second or two, for the tests of the trainer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from tahur.solvers.deep.config import Config, preset
from tahur.solvers.deep.run import LogLine, Training


def small(name: str, **training: Any) -> Config:
    """A preset, cut down."""
    config = preset(name)
    return replace(config, training=replace(config.training, threads=1, **training))


def trained(config: Config, folder: Path, *, resume: bool = False) -> tuple[Training, list[LogLine]]:
    training = Training(config, folder, resume=resume)
    return training, list(training.run())
