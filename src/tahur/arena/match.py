"""A match: deals between players, in seatings that favour nobody, divided into blocks that any worker can play.

A deal is played once, with the players moving on by one seat each time, or in duplicate: the same cards in every
seating. The cards depend only on the seed and the number of the deal, never on who plays, so different opponents meet
the same cards. A block is a sequence of deals with newly created players: it gives the same results wherever and in
whatever order blocks are played, and a player who learns does so within a block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.arena.luck import Luck, misfit, remove_luck
from tahur.core.chance import RandomDealer, Streams
from tahur.core.errors import SettingError
from tahur.core.game import Game
from tahur.core.player import Player
from tahur.core.record import Record
from tahur.core.referee import play_out
from tahur.core.scoring import Scoring
from tahur.core.strategy import Strategy

MOST_PERMUTED: Final = 3  # players; from four on there are too many orders, and rotations are used

Seating = tuple[int, ...]


@cache
def rotations(players: int) -> tuple[Seating, ...]:
    """Every player in every seat once, with the same order around the table."""
    return tuple(tuple((seat + step) % players for seat in range(players)) for step in range(players))


@cache
def duplicates(players: int) -> tuple[Seating, ...]:
    """The seatings in which one deal is played so that its cards favour nobody."""
    return tuple(permutations(range(players))) if players <= MOST_PERMUTED else rotations(players)


BLOCK: Final = 50  # deals; fixed, because another size would create fresh players at other deals and change the match
LONGEST_CONTEST: Final = 10_000  # deals after which a match is assumed never to end

Maker = Callable[[], Player]
_Seated = tuple[list[Player], tuple[str, ...], list[np.random.Generator]]


@dataclass(frozen=True, slots=True)
class Match:
    """Everything that determines the results: equal matches have equal results. Makers can be sent to processes."""

    game: Game[Any]
    scoring: Scoring
    names: tuple[str, ...]
    makers: tuple[Maker, ...]
    seed: int
    duplicate: bool = False
    luck: Luck = Luck.NONE

    def __post_init__(self) -> None:
        if not len(self.names) == len(self.makers) == self.game.seats:
            raise SettingError(f"{self.game.name}: {len(self.makers)} players for {self.game.seats} seats")
        if self.luck and self.scoring.decided is not None:
            raise SettingError(f"{self.game.name}: luck can be removed from single deals, not from whole matches")
        if reason := misfit(self.game, self.luck):
            raise SettingError(reason)

    @property
    def hands_per_deal(self) -> int:
        """How many times one deal is played."""
        return len(duplicates(self.game.seats)) if self.duplicate else 1

    def seatings_of(self, deal: int) -> tuple[tuple[int, Seating], ...]:
        """The seatings in which a deal is played, each with its number."""
        if self.duplicate:
            return tuple(enumerate(duplicates(self.game.seats)))
        number = deal % self.game.seats
        return ((number, rotations(self.game.seats)[number]),)


@dataclass(frozen=True, slots=True)
class DealBlock:
    """Deals `first` to `first + count - 1`."""

    first: int
    count: int


@dataclass(frozen=True, slots=True)
class PlayedDeals:
    """The results of a block: one row per deal, one column per player, the mean over the seatings, in payoffs."""

    results: NDArray[np.float64]
    raw: NDArray[np.float64]  # before luck was removed; the same array if it was not
    records: tuple[Record, ...]


def blocks(deals: int | None) -> Iterator[DealBlock]:
    """`deals` deals in blocks, the last one perhaps shorter; None: endless."""
    first = 0
    while deals is None or first < deals:
        count = BLOCK if deals is None else min(BLOCK, deals - first)
        yield DealBlock(first, count)
        first += count


def play_block(match: Match, block: DealBlock, *, keep_records: bool = False) -> PlayedDeals:
    """Play a block; with `keep_records` also returns the records, deal by deal and seating by seating."""
    sitting = _Sitting(match, aloud=keep_records)
    raw, fair = _Sums(block.count, match), _Sums(block.count, match)
    kept: list[Record] = []
    for row, deal in enumerate(range(block.first, block.first + block.count)):
        for seating_number, seating in match.seatings_of(deal):
            contest = sitting.play_contest(deal, seating_number, seating)
            raw.add(row, seating, sitting.result(contest))
            if match.luck:
                fair.add(row, seating, sitting.result_without_luck(contest, seating))
            if keep_records:
                kept += contest.records
    results = raw.means()
    return PlayedDeals(fair.means() if match.luck else results, results, tuple(kept))


def run(
    game: Game[Any], players: Sequence[Player], *, seed: int, deals: int | None = None, names: Sequence[str] = ()
) -> Iterator[Record]:
    """The record of each deal in turn, with fixed seats and each deal following from the one before.

    Each deal has its own randomness, determined by `seed` and its number.
    """
    streams = Streams(seed, len(players))
    dealer = RandomDealer(streams.chance)
    number = 0
    current: Game[Any] | None = game
    while current is not None and (deals is None or number < deals):
        streams.turn_to(number)
        record = play_out(current, dealer, players, streams.seats, names)
        yield record
        current = current.next(record)
        number += 1


class _Sums:
    """Each player's results in each deal, summed over the seatings."""

    def __init__(self, deals: int, match: Match) -> None:
        self._rows = [[0.0] * match.game.seats for _ in range(deals)]
        self._seatings = match.hands_per_deal

    def add(self, row: int, seating: Seating, result: Sequence[float]) -> None:
        sums = self._rows[row]
        for who, payoff in zip(seating, result, strict=True):
            sums[who] += payoff

    def means(self) -> NDArray[np.float64]:
        return np.array(self._rows) / self._seatings


@dataclass(frozen=True, slots=True)
class _Contest:
    """One result: a deal, or a match with all its deals. `last_game` is the game of its last deal."""

    last_game: Game[Any]
    records: tuple[Record, ...]


class _Sitting:
    """Newly created players of a match, with their random streams and that of chance."""

    def __init__(self, match: Match, *, aloud: bool) -> None:
        """Make the players of a match; `aloud`: they give their thoughts, for the records."""
        self._match = match
        self._players = [make() for make in match.makers]
        for player in self._players:
            if hasattr(player, "aloud"):
                player.aloud = aloud
        self._strategies = [player if isinstance(player, Strategy) else None for player in self._players]
        self._streams = Streams(match.seed, match.game.seats)
        self._dealer = RandomDealer(self._streams.chance)
        self._seats: dict[Seating, _Seated] = {}

    def play_contest(self, deal: int, seating_number: int, seating: Seating) -> _Contest:
        """Play from the start until there is a result. A player draws from its own stream wherever it sits."""
        match, streams = self._match, self._streams
        players, names, rngs = self._seat_players(seating)
        records: list[Record] = []
        game: Game[Any] | None = match.game
        while game is not None:
            streams.turn_to(deal, round=len(records), seating=seating_number)
            last_game = game
            records.append(play_out(game, self._dealer, players, rngs, names))
            # without `decided` a result is a single deal
            game = game.next(records[-1]) if match.scoring.decided is not None else None
            if len(records) > LONGEST_CONTEST:
                raise SettingError(
                    f"{last_game.name}: no end after {LONGEST_CONTEST:,} deals, between {', '.join(names)}"
                )
        return _Contest(last_game, tuple(records))

    def _seat_players(self, seating: Seating) -> _Seated:
        """The players in their seats, with their names and streams; the same for every deal."""
        seated = self._seats.get(seating)
        if seated is None:
            names = tuple(self._match.names[who] for who in seating)
            rngs = [self._streams.seats[who] for who in seating]
            seated = self._seats[seating] = [self._players[who] for who in seating], names, rngs
        return seated

    def result(self, contest: _Contest) -> tuple[float, ...]:
        decided = self._match.scoring.decided
        return contest.records[-1].payoffs if decided is None else decided(contest.last_game, contest.records[-1])

    def result_without_luck(self, contest: _Contest, seating: Seating) -> tuple[float, ...]:
        strategies = [self._strategies[who] for who in seating]
        game: Any = self._match.game  # an appraised one, as the match has made sure
        return remove_luck(game, contest.records[-1], strategies, luck=self._match.luck)
