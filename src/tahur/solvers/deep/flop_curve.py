"""The learning curve of a run: the exact exploitability of the average after some of its nets, in one pass."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tahur.core.game import Game
from tahur.core.net_file import NetSet
from tahur.solvers.deep.flop_nets import FlopAverage
from tahur.solvers.limit.engine import BEST, LimitLayout, PreflopWalk, Walker
from tahur.solvers.limit.evaluate import start_of
from tahur.solvers.limit.flow import LANES


def curve(
    layout: LimitLayout, nets: NetSet, game: Game[Any], marks: Sequence[int]
) -> Generator[float, None, list[float]]:
    """(BR1 + BR2) / 2 in chips of the average of the first nets, one for each mark (a number of nets); yields
    progress."""
    from tahur.solvers.limit.kernels.flops import traverse

    walker, deck = Walker(layout), layout.deck
    books = [start_of(layout, FlopAverage(replace(nets, kept=nets.kept[:mark]), game)) for mark in marks]
    starts = [[PreflopWalk(layout, me, book) for me in (0, 1)] for book in books]
    befores = [[start.before() for start in pair] for pair in starts]
    outs = np.zeros((len(marks), 2, deck.classes * LANES))
    sums = FlopAverage(replace(nets, kept=nets.kept[: max(marks)]), game).sums(layout)
    places, nothing = np.zeros(len(deck.boards), np.int64), np.zeros(3)
    for flop in range(len(deck.boards)):
        for count, part in enumerate(sums.along(flop), start=1):
            for place in [place for place, mark in enumerate(marks) if mark == count]:
                for me in (0, 1):
                    traverse(
                        deck.flops, layout.flows[me], flop, flop + 1, BEST, part, part, part, places, nothing,
                        befores[place][me], walker.work, outs[place, me],
                    )  # fmt: skip
        yield (flop + 1) / len(deck.boards)
    return [
        sum(walker.mean(pair[me].back(BEST, book, walker.of_hands(out[me]), nothing)) for me in (0, 1)) / 2
        for pair, book, out in zip(starts, books, outs, strict=True)
    ]
