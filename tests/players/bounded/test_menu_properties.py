"""What must hold of every menu, whoever writes it in whatever mood: of twenty thousand quickly, of a million slowly."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import numpy as np
import pytest
from menu_checks import action_of, from_tables, from_thin_air, rate

from tahur.players.bounded.mood import Severity

IMPAIRED = {Severity.NONE: 0.0, Severity.MILD: 0.70, Severity.MODERATE: 0.85, Severity.EXTREME: 0.95}


def check_menus(seed: int, on_tables: int, stated: int) -> None:
    rng = np.random.default_rng(seed)
    rolls: Counter[tuple[Severity, bool]] = Counter()
    for situation, view in from_tables(rng, on_tables):
        written, mood, wrong = rate(situation, rng)
        rolls[mood.severity, written.impaired] += 1
        moves = view.table.actions()
        illegal = [option for option in written.menu.options if action_of(option) not in moves]
        assert (wrong, illegal) == ([], []), (situation, mood, written.menu)
    for situation in from_thin_air(rng, stated):
        written, mood, wrong = rate(situation, rng)
        rolls[mood.severity, written.impaired] += 1
        assert wrong == [], (situation, mood, written.menu)
    for severity, expected in IMPAIRED.items():
        count = rolls[severity, True] + rolls[severity, False]
        error = sqrt(expected * (1 - expected) / count)
        assert abs(rolls[severity, True] / count - expected) <= 3 * error, severity


def test_twenty_thousand_menus_keep_every_promise() -> None:
    check_menus(9, 12_000, 8_000)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_a_million_menus_keep_every_promise(part: int) -> None:
    check_menus(100 + part, 150_000, 100_000)
