"""Options and reader for the files of `tahur postflop street solve -o`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from tahur.games.holdem.textures import Texture
    from tahur.solvers.street.solve import SolvedTexture

Source = Annotated[
    Path | None,
    typer.Option("--from", help="Read a file of `street solve -o` instead of solving again.", metavar="FILE"),
]
Averaged = Annotated[bool, typer.Option("--averaged", help="Use the averaged view: one table for facing any bet.")]


def read_solved(path: Path, only: str | None = None) -> dict[Texture, SolvedTexture]:
    """The textures in the file, or the requested one, with values and exploitabilities."""
    from tahur.core.errors import StrategyError
    from tahur.core.limits import parse_json, read_file
    from tahur.solvers.street.solve import judged
    from tahur.solvers.street.views import read_export

    try:
        payload = parse_json(read_file(path))
        stored = read_export(payload)
    except (OSError, ValueError) as error:
        raise StrategyError(f"{path} is not a file of `tahur postflop street solve -o`: {error}") from error
    if only is not None and only not in stored:
        raise StrategyError(f"{path} has no texture '{only}'; it has {', '.join(stored)}")
    chosen = [texture for texture in stored if only in (None, texture.value)]
    return {texture: judged(*stored[texture]) for texture in chosen}
