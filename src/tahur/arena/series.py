"""Plays a match block after block, storing the results, until its goal is met."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import dropwhile
from typing import Any

import numpy as np

from tahur.arena.folder import RunFolder
from tahur.arena.match import BLOCK, Match, PlayedDeals, blocks, play_block
from tahur.arena.moments import Moments
from tahur.arena.stats import is_narrow_enough
from tahur.arena.work import Workers
from tahur.core.arrays import Float64s


@dataclass(frozen=True, slots=True)
class MatchGoal:
    """When a match ends: after so many deals, or when the widest interval is within +- `width`."""

    deals: int | None
    width: float | None = None  # in the unit of the match

    def met(self, standing: MatchStanding) -> bool:
        enough = self.deals is not None and standing.deals >= self.deals
        width = None if self.width is None else self.width / standing.match.scoring.scale
        return enough or (width is not None and is_narrow_enough(standing.fair, width))


@dataclass(frozen=True, slots=True)
class MatchStanding:
    """The state of a match. Moments are in payoffs; `raw` includes the luck that is removed in `fair`."""

    match: Match
    fair: Moments
    raw: Moments
    latest: Float64s  # the latest results, (deals, players), in payoffs, with luck removed as in `fair`

    @classmethod
    def before(cls, match: Match) -> MatchStanding:
        nothing = Moments.nothing(match.game.seats)
        return cls(match, nothing, nothing, np.zeros((0, match.game.seats)))

    @property
    def deals(self) -> int:
        return self.fair.count

    @property
    def hands(self) -> int:
        """Hands played: each deal counts as often as it was played."""
        return self.deals * self.match.hands_per_deal

    def plus(self, results: Float64s, raw: Float64s) -> MatchStanding:
        """After one more block."""
        fair = self.fair.merged(Moments.of(results))
        return MatchStanding(
            self.match, fair, self.raw.merged(Moments.of(raw)) if raw is not results else fair, results
        )


def play(
    match: Match, goal: MatchGoal, workers: Workers | None = None, folder: RunFolder | None = None
) -> Iterator[MatchStanding]:
    """The standing before the first block and after each; blocks already in the folder are not played again."""
    standing = MatchStanding.before(match)
    yield standing
    for results, raw in kept_blocks(folder, goal):
        standing = standing.plus(results, raw)
        yield standing
        if goal.met(standing):
            return
    ahead = dropwhile(lambda block: block.first < standing.deals, blocks(goal.deals))
    task = partial(play_block, match, keep_records=folder is not None)
    with closing((workers or Workers()).run(task, ahead)) as blocks_played:
        for played in blocks_played:
            standing = standing.plus(played.results, played.raw)
            if folder is not None:
                folder.add(block_line(match, played), played.records)
            yield standing
            if goal.met(standing):
                return


def kept_blocks(folder: RunFolder | None, goal: MatchGoal) -> Iterator[tuple[Float64s, Float64s]]:
    """The blocks of a folder. A shorter last block is played again if the match continues after it."""
    if folder is None or not folder.blocks:
        return
    counts = [len(block["results"]) for block in folder.blocks]
    if counts[-1] < BLOCK and (goal.deals is None or goal.deals > sum(counts)):
        folder.keep(len(counts) - 1)
    for block in folder.blocks:
        results = np.array(block["results"])
        yield results, np.array(block["raw"]) if "raw" in block else results


def block_line(match: Match, played: PlayedDeals) -> Mapping[str, Any]:
    line = {"results": played.results.tolist()}
    return line | {"raw": played.raw.tolist()} if match.luck else line
