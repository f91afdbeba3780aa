"""Seeded playthroughs of every game, compared with the text files beside this one.

They change on purpose only: `python -m pytest tests/golden --regenerate` writes them anew, and somebody reads the
difference. A new version of NumPy may draw other numbers from the same seed; then all of them change, and only hands,
cards and choices may differ.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from golden.playthrough import playthrough
from tahur.core.game import Game
from tahur.games.kuhn import Kuhn
from tahur.games.liars_dice import LiarsDice
from tahur.games.registry import GAMES

FOLDER = Path(__file__).parent
PLAYED: dict[str, Game[Any]] = {
    **{name: entry.make() for name, entry in GAMES.items()},
    "kuhn-3-seats": Kuhn(3),
    "liars-dice-2x3": LiarsDice(2, 3),
}


@pytest.mark.parametrize("name", PLAYED)
def test_the_playthrough_is_as_it_was(name: str, regenerate: bool) -> None:
    path, text = FOLDER / f"{name}.txt", playthrough(PLAYED[name])
    if regenerate:
        path.write_text(text, "utf-8")
    assert path.exists(), f"{path.name} is missing: python -m pytest tests/golden --regenerate"
    assert text == path.read_text("utf-8"), "if this is on purpose: python -m pytest tests/golden --regenerate"


def test_no_playthrough_is_left_behind() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} <= set(PLAYED)
