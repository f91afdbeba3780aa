"""Menus of bounded options: with the equity known, and with the equity computed anew, on one core.

No public program writes such menus, so there is no peer and the target is a rate. `python -m benchmarks.options` prints
both.
"""

from __future__ import annotations

from itertools import cycle

import numpy as np

from benchmarks.measure import Pace, Side
from tahur.core.chance import RandomDealer
from tahur.core.player import Decision, View
from tahur.core.referee import play
from tahur.games.holdem.rules import no_limit
from tahur.players import equities
from tahur.players.bounded.menu import write_menu
from tahur.players.bounded.mood import mood_from_text
from tahur.players.bounded.profiles import PROFILES
from tahur.players.bounded.situation import situation_of
from tahur.players.simple import RandomPlayer

VIEWS = 100
MOODS = ("composed", "tilted:mild", "overconfident:moderate", "shaken:extreme", "dissociated:extreme")


def _views() -> list[View]:
    """Decisions of six-seat hands in which players mostly call."""
    rng, anything = np.random.default_rng(1), RandomPlayer()
    views: list[View] = []
    while len(views) < VIEWS:
        referee = play(no_limit(seats=6, stack=200), RandomDealer(rng))
        try:
            ask = next(referee)
            while True:
                views.append(ask.view)
                calls = rng.random() < 0.6
                ask = referee.send(Decision(1) if calls else anything.act(ask.view, rng))
        except StopIteration:
            continue
    return views[:VIEWS]


def _menus() -> Side:
    """All layers, every profile and mood in turn; the situations are prepared, with known equities."""
    situations = [situation_of(view) for view in _views()]
    rng = np.random.default_rng(2)
    who = cycle([(profile, mood_from_text(mood)) for profile in PROFILES.values() for mood in MOODS])

    def write() -> int:
        for situation in situations:
            profile, mood = next(who)
            write_menu(situation, profile, mood, rng=rng)
        return len(situations)

    return write


def _fresh() -> Side:
    """Starting from the view, with the equity counted or sampled each time."""
    views = _views()
    rng = np.random.default_rng(2)

    def write() -> int:
        equities._before_the_flop.cache_clear()
        equities._on_board.cache_clear()
        for view in views:
            write_menu(situation_of(view), PROFILES["default"], rng=rng)
        return len(views)

    return write


BENCHMARKS = (
    Pace("menus with all layers, equity known", 2_000, _menus, "menus"),
    Pace("menus with all layers, equity afresh", 100, _fresh, "menus"),
)

if __name__ == "__main__":
    for benchmark in BENCHMARKS:
        row = benchmark.measure()
        print(f"{row.work}: {row.ours}, {row.target}: {row.verdict}")
