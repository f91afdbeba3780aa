"""Creates a mind from text: `shark`, `El Tahúr`, any other name, or a user's file such as `nervous.toml`.

name = "Nervous"
like = "turtle"     # optional: without it every figure that is not given is 0.5
dudo = 0.55
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tahur.core.errors import PlayerError
from tahur.core.limits import MOST_SETTINGS, parse_toml, read_file
from tahur.players.perudo.personalities import Personality, personality_from, personality_of
from tahur.players.perudo.player import PerudoMind

SUFFIX: Final = ".toml"


def persona_from_text(text: str) -> PerudoMind:
    """The mind of that name, or of that file."""
    if not text.strip():
        raise PlayerError('persona: no name; write persona:shark, persona:"El Tahúr" or persona:nervous.toml')
    return PerudoMind(read_personality(Path(text)) if text.lower().endswith(SUFFIX) else personality_of(text))


def read_personality(path: Path) -> Personality:
    """The personality in a file; raises `PlayerError` if the file is invalid."""
    try:
        values = parse_toml(read_file(path, MOST_SETTINGS).decode("utf-8"))
    except OSError as error:
        raise PlayerError(f"persona:{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise PlayerError(f"persona:{path}: not a TOML file: {error}") from None
    return personality_from(values, path.stem)
