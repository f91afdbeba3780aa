"""A tournament: everybody against everybody at tables of two, or all at one table.

All matches have the same seed, so everybody meets the same cards. That makes the matches of one player depend on each
other; his total is therefore taken deal by deal, over all opponents of that deal, before it is given an interval.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Protocol

import numpy as np

from tahur.arena.folder import Folder
from tahur.arena.match import Block, Maker, Match, Played, blocks, play_block
from tahur.arena.moments import Moments
from tahur.arena.ratings import Pairing
from tahur.arena.series import Goal, Rows, block_line, kept_blocks
from tahur.arena.stats import Interval, gap, intervals
from tahur.arena.work import Workers

Those = tuple[int, ...]  # the players of one match


class Crosstable(Protocol):
    """What a tournament has shown so far, in payoffs a deal."""

    def cell(self, a: int, b: int) -> Interval | None:
        """What a wins in his matches with b, or how much more than b at one table; None before they have met."""
        ...

    def totals(self) -> Moments:
        """Of each player, over all opponents."""
        ...

    def pairings(self) -> tuple[Pairing, ...]:
        """How many deals each won from each; a tie is half a win."""
        ...


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """`results[a, b]`: (deals, 2), what a and b won in each deal."""

    players: int
    results: Mapping[Those, Rows]

    def cell(self, a: int, b: int) -> Interval | None:
        rows = self.results[min(a, b), max(a, b)]
        return intervals(Moments.of(rows))[int(a > b)] if len(rows) else None

    def totals(self) -> Moments:
        """In the deals that every pair has played."""
        deals = min(map(len, self.results.values()))
        sums = np.zeros((deals, self.players))
        for pair, rows in self.results.items():
            sums[:, pair] += rows[:deals]
        return Moments.of(sums / (self.players - 1))

    def pairings(self) -> tuple[Pairing, ...]:
        return tuple(_pairing(a, b, rows[:, 0] - rows[:, 1]) for (a, b), rows in self.results.items() if len(rows))


@dataclass(frozen=True, slots=True)
class OneTable:
    """`results`: (deals, players)."""

    results: Rows

    def cell(self, a: int, b: int) -> Interval | None:
        return gap(self.totals(), a, b) if len(self.results) else None

    def totals(self) -> Moments:
        return Moments.of(self.results)

    def pairings(self) -> tuple[Pairing, ...]:
        rows = self.results
        pairs = combinations(range(rows.shape[1]), 2)
        return tuple(_pairing(a, b, rows[:, a] - rows[:, b]) for a, b in pairs if len(rows))


def round_robin(two: Match, names: Sequence[str], makers: Sequence[Maker]) -> dict[Those, Match]:
    """A match for each two of the players, otherwise like `two`."""
    return {
        (a, b): replace(two, names=(names[a], names[b]), makers=(makers[a], makers[b]))
        for a, b in combinations(range(len(names)), 2)
    }


class Tournament:
    """The matches of a tournament, their results, and where they are kept. `play` goes on where they stand."""

    def __init__(self, matches: Mapping[Those, Match], deals: int, folders: Mapping[Those, Folder]) -> None:
        self._matches = matches
        self._deals = deals
        self._folders = folders
        self._results = {those: [np.zeros((0, match.game.seats))] for those, match in matches.items()}
        for those, folder in folders.items():
            self._results[those] += [results for results, _ in kept_blocks(folder, Goal(deals))]

    def results(self, those: Those) -> Rows:
        """Of one match so far: (deals, its players)."""
        self._results[those] = [np.concatenate(self._results[those])[: self._deals]]
        return self._results[those][0]

    @property
    def part_done(self) -> float:
        return sum(map(self._played, self._matches)) / max(self._deals * len(self._matches), 1)

    def play(self, workers: Workers) -> Iterator[Those]:
        """Play block after block, the matches in turns; whose match has just got a block."""
        items = [
            (those, block) for block in blocks(self._deals) for those in self._matches if block.first >= self._played(those)
        ]
        task = partial(_play_one, self._matches, bool(self._folders))
        for (those, _), played in zip(items, workers.run(task, items), strict=True):
            if those in self._folders:
                self._folders[those].add(block_line(self._matches[those], played), played.records)
            self._results[those].append(played.results)
            yield those

    def _played(self, those: Those) -> int:
        return sum(map(len, self._results[those]))


def _play_one(matches: Mapping[Those, Match], keep_records: bool, item: tuple[Those, Block]) -> Played:
    those, block = item
    return play_block(matches[those], block, keep_records=keep_records)


def _pairing(a: int, b: int, ahead: Rows) -> Pairing:
    return Pairing(a, b, float((ahead > 0).sum() + (ahead == 0).sum() / 2), len(ahead))
