"""Minds of Perudo: decisions of a personality, and whole matches of six of them in the arena, on one core.

No public program plays such minds, so there is no peer and the target is a rate. `python -m benchmarks.perudo` prints
both.
"""

from __future__ import annotations

from functools import partial
from itertools import cycle, islice

import numpy as np

from benchmarks.measure import Pace, Side
from tahur.arena.match import DealBlock, Match, play_block, run
from tahur.core.player import Decision, View
from tahur.games.perudo.game import perudo, scorings
from tahur.players.perudo.personalities import SIX
from tahur.players.perudo.player import PerudoMind

MATCHES = 5
SITUATIONS = 500


class _Watched(PerudoMind):
    """A mind that records the views it was shown."""

    seen: list[View]

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        self.seen.append(view)
        return super().act(view, rng)


def _decisions() -> Side:
    """Each of the six minds in situations of a match between them, thought and memory included."""
    minds = [_Watched(each) for each in SIX]
    for mind in minds:
        mind.seen = []
    names = [each.name for each in SIX]
    for _ in islice(run(perudo(seats=6), minds, seed=1, names=names), 60):
        pass
    views = [view for mind in minds for view in mind.seen]
    rng = np.random.default_rng(1)
    asked = list(islice(cycle(zip(cycle(PerudoMind(each) for each in SIX), views, strict=False)), SITUATIONS))

    def decide() -> int:
        for mind, view in asked:
            mind.act(view, rng)
        return len(asked)

    return decide


def _matches() -> Side:
    """The six at one table, to the last die, as the arena plays them."""
    game = perudo(seats=6)
    makers = tuple(partial(PerudoMind, each) for each in SIX)
    match = Match(game, scorings(game)[0], tuple(each.name for each in SIX), makers, seed=1)

    def play() -> int:
        play_block(match, DealBlock(0, MATCHES))
        return MATCHES

    return play


BENCHMARKS = (
    Pace("decisions of a Perudo personality", 5_000, _decisions, "decisions"),
    Pace("six-seat Perudo matches of the six minds", 50, _matches, "matches"),
)

if __name__ == "__main__":
    for benchmark in BENCHMARKS:
        row = benchmark.measure()
        print(f"{row.work}: {row.ours}, {row.target}: {row.verdict}")
