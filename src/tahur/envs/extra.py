"""The error for a missing PettingZoo or Gymnasium."""

from __future__ import annotations

from tahur.core.errors import MissingExtra as MissingExtra
from tahur.core.errors import missing_extra


def without(missing: ModuleNotFoundError) -> MissingExtra:
    """The error to raise instead of Python's own."""
    library = str(missing.name).split(".")[0]
    return missing_extra(f"tahur's environments need {library}", "rl")
