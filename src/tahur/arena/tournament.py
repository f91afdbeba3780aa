"""A tournament: a round robin of two-player matches, or all players at one table.

All matches have the same seed, so every pair meets the same cards. That makes the matches of one player dependent; its
total is therefore computed deal by deal, over all opponents of that deal, before its interval is computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations, product
from typing import Protocol

import numpy as np

from tahur.arena.folder import RunFolder
from tahur.arena.match import DealBlock, Maker, Match, PlayedDeals, blocks, play_block
from tahur.arena.moments import Moments
from tahur.arena.ratings import Pairing
from tahur.arena.series import MatchGoal, block_line, kept_blocks
from tahur.arena.stats import Interval, gap, intervals
from tahur.arena.work import Workers
from tahur.core.arrays import Float64s

Lineup = tuple[int, ...]  # the players of one match, by index


class Crosstable(Protocol):
    """The results of a tournament so far, in payoffs per deal."""

    def cell(self, a: int, b: int) -> Interval | None:
        """What a wins in its matches with b, or how much more than b at one table; None before they have met."""
        ...

    def totals(self) -> Moments:
        """The moments of each player, over all opponents."""
        ...

    def pairings(self) -> tuple[Pairing, ...]:
        """How many deals each won from each; a tie is half a win."""
        ...


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """`results[a, b]`: (deals, 2), what a and b won in each deal."""

    names: tuple[str, ...]
    results: Mapping[Lineup, Float64s]

    def cell(self, a: int, b: int) -> Interval | None:
        """What player a won against player b per deal, with its interval; None if they have not met."""
        rows = self.results[min(a, b), max(a, b)]
        return intervals(Moments.of(rows))[int(a > b)] if len(rows) else None

    def totals(self) -> Moments:
        """Over the deals that every pair has played."""
        deals = min(map(len, self.results.values()))
        sums = np.zeros((deals, len(self.names)))
        for pair, rows in self.results.items():
            sums[:, pair] += rows[:deals]
        return Moments.of(sums / (len(self.names) - 1))

    def pairings(self) -> tuple[Pairing, ...]:
        """The score of every pair of players that has met, for the ratings."""
        return tuple(
            _pairing(self.names[a], self.names[b], rows[:, 0] - rows[:, 1])
            for (a, b), rows in self.results.items()
            if len(rows)
        )


@dataclass(frozen=True)
class OneTable:
    """`results`: (deals, players)."""

    names: tuple[str, ...]
    results: Float64s

    def cell(self, a: int, b: int) -> Interval | None:
        return gap(self._moments, a, b) if len(self.results) else None

    def totals(self) -> Moments:
        return self._moments

    @cached_property
    def _moments(self) -> Moments:
        return Moments.of(self.results)

    def pairings(self) -> tuple[Pairing, ...]:
        names, rows = self.names, self.results
        pairs = combinations(range(len(names)), 2) if len(rows) else ()
        return tuple(_pairing(names[a], names[b], rows[:, a] - rows[:, b]) for a, b in pairs)


def round_robin(two: Match, names: Sequence[str], makers: Sequence[Maker]) -> dict[Lineup, Match]:
    """A match for each pair of players, otherwise like `two`."""
    return {
        (a, b): replace(two, names=(names[a], names[b]), makers=(makers[a], makers[b]))
        for a, b in combinations(range(len(names)), 2)
    }


class Tournament:
    """The matches of a tournament, their results, and their folders. `play` resumes them."""

    def __init__(
        self, names: Sequence[str], matches: Mapping[Lineup, Match], deals: int, folders: Mapping[Lineup, RunFolder]
    ) -> None:
        self.names = tuple(names)
        self.matches = matches
        self._deals = deals
        self._folders = folders
        self._results = {lineup: [np.zeros((0, match.game.seats))] for lineup, match in matches.items()}
        for lineup, folder in folders.items():
            self._results[lineup] += [results for results, _ in kept_blocks(folder, MatchGoal(deals))]

    @property
    def any_match(self) -> Match:
        """Any of the matches: they differ only in the players."""
        return next(iter(self.matches.values()))

    @property
    def hands(self) -> int:
        """Hands played so far."""
        return sum(map(self._deals_played, self.matches)) * self.any_match.hands_per_deal

    @property
    def hands_in_all(self) -> int:
        return self._deals * len(self.matches) * self.any_match.hands_per_deal

    def play(self, workers: Workers) -> Iterator[Lineup]:
        """Play block after block, the matches in turn; yields the players of the match that got a block."""
        ahead = product(blocks(self._deals), self.matches)
        items = [(lineup, block) for block, lineup in ahead if block.first >= self._deals_played(lineup)]
        task = partial(_play_one, self.matches, bool(self._folders))
        for (lineup, _), played in zip(items, workers.run(task, items), strict=True):
            if lineup in self._folders:
                self._folders[lineup].add(block_line(self.matches[lineup], played), played.records)
            self._results[lineup].append(played.results)
            yield lineup

    def crosstable(self) -> Crosstable:
        """The results so far."""
        results = {lineup: self._all_results(lineup) for lineup in self.matches}
        at_one_table = tuple(range(len(self.names)))
        if len(self.names) > 2 and at_one_table in results:
            return OneTable(self.names, results[at_one_table])
        return RoundRobin(self.names, results)

    def _all_results(self, lineup: Lineup) -> Float64s:
        """All results of a match: (deals, its players)."""
        self._results[lineup] = [np.concatenate(self._results[lineup])[: self._deals]]
        return self._results[lineup][0]

    def _deals_played(self, lineup: Lineup) -> int:
        return sum(map(len, self._results[lineup]))


def _play_one(matches: Mapping[Lineup, Match], keep_records: bool, item: tuple[Lineup, DealBlock]) -> PlayedDeals:
    lineup, block = item
    return play_block(matches[lineup], block, keep_records=keep_records)


def _pairing(one: str, other: str, ahead: Float64s) -> Pairing:
    """A deal counts as a game, won by the player who got more out of it over all its seatings."""
    scores = (ahead > 0) + (ahead == 0) / 2
    return Pairing(a=one, b=other, score_a=float(scores.sum()), games=len(scores), variance=float(scores.var()))
