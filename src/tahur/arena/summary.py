"""What a match says in the end, as a JSON object: in the game's unit, with intervals, and the same for the same match."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from tahur import __version__
from tahur.arena.match import BLOCK, Match
from tahur.arena.series import Standing


def identity(match: Match) -> dict[str, Any]:
    """What was played, and by which versions: all that decides the results."""
    return {
        "game": match.game.name,
        "settings": dict(match.game.settings),
        "players": list(match.names),
        "seed": match.seed,
        "duplicate": match.duplicate,
        "luck": match.luck.value,
        "counted": match.scoring.of,
        "block": BLOCK,
        "versions": {
            "tahur": __version__,
            "numpy": np.__version__,
            "python": ".".join(map(str, sys.version_info[:3])),
        },
    }
