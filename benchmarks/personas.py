"""Six personas at one table of no-limit hold'em, choosing without a model, as the arena plays them, on one core.

No public program plays such opponents, so there is no peer and the target is a rate: 10,000 hands in five minutes on
two cores. Every round has new deals, so that no equity is cached except recurring preflop ones. `python -m
benchmarks.personas` prints it.
"""

from __future__ import annotations

from functools import partial
from itertools import count

from benchmarks.measure import Pace, Side
from tahur.arena.match import BLOCK, DealBlock, Match, play_block
from tahur.games.registry import GAMES, make
from tahur.players.bounded.personas import house
from tahur.players.bounded.player import BoundedPlayer

HANDS, SECONDS, CORES = 10_000, 300, 2


def _hands() -> Side:
    game = make("nlhe", {"seats": 6, "carry": False})
    who = house()[::2]
    makers = tuple(partial(BoundedPlayer, each) for each in who)
    match = Match(game, GAMES["nlhe"].scorings(game)[0], tuple(each.name for each in who), makers, seed=1)
    first = count(0, BLOCK)

    def play() -> int:
        play_block(match, DealBlock(next(first), BLOCK))
        return BLOCK

    return play


BENCHMARKS = (Pace("six-seat hands of six personas", HANDS / SECONDS / CORES, _hands, "hands"),)

if __name__ == "__main__":
    for benchmark in BENCHMARKS:
        row = benchmark.measure()
        print(f"{row.work}: {row.ours}, {row.target}: {row.verdict}")
