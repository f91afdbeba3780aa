"""The language model of a server, configured by the operator at the start, for all its rooms.

Requests and costs are logged in the same files as those of the commands: the daily caps cover all of them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tahur.players.bounded.asking import ModelChooser
    from tahur.players.bounded.settings import LlmOptions
    from tahur.room.gallery import Language

LONGEST: Final = 60.0  # seconds for one decision: people sit at this table


def language_of(url: str | None, model: str | None, settings: Sequence[str], folder: Path) -> Language | None:
    """The model at this endpoint; None if none is configured. `folder` is for the log of requests."""
    if not url:
        return None
    from tahur.players.bounded.settings import LlmOptions, with_settings
    from tahur.room.gallery import Language

    options = with_settings(LlmOptions(url, model), settings)
    log = options.log or folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.jsonl"
    options = replace(options, log=log, seconds=min(options.seconds, LONGEST))
    _chooser(options, folder)  # a missing name or client is an error now, not later at a table
    return Language(model or "", lambda text: _chooser(options, folder))


def _chooser(options: LlmOptions, folder: Path) -> ModelChooser:
    """The chooser. Players cannot select another model or endpoint than the operator's."""
    from tahur.players.bounded.ledger import LogFile, SharedLedger
    from tahur.players.bounded.settings import Tools, model_chooser

    assert options.log is not None
    log = LogFile(options.log, lambda: time.strftime("%Y-%m-%dT%H:%M:%S"))
    ledger = SharedLedger(folder, lambda: time.strftime("%Y-%m-%d"))
    return model_chooser(options, "", Tools(time.monotonic, log.add, ledger, os.environ))
