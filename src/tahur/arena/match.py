"""A match: deal after deal between players, in seatings that favour nobody, cut into blocks that any worker can play.

A deal is played once, the players one seat further each time, or in duplicate: the same cards in every seating. What
is dealt depends on the seed and the number of the deal alone, never on who plays, so that different opponents meet the
same cards. A block is a stretch of deals with players fresh from their makers: it gives the same results wherever and
in whatever order blocks are played, and a player who learns does so within a block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.arena.luck import Luck, adjusted
from tahur.arena.seatings import Seating, duplicates, rotations
from tahur.core.chance import RandomDealer, Streams
from tahur.core.errors import SettingError
from tahur.core.game import Game
from tahur.core.player import Player
from tahur.core.record import Record
from tahur.core.referee import play_out
from tahur.core.scoring import Scoring
from tahur.core.strategy import Strategy
from tahur.core.worth import Appraised

BLOCK: Final = 50  # deals; fixed, because fresh players at other places would be another match
LONGEST_CONTEST: Final = 10_000  # deals until one of them is taken to go on for ever

Maker = Callable[[], Player]
_Seated = tuple[list[Player], tuple[str, ...], list[np.random.Generator]]


@dataclass(frozen=True, slots=True)
class Match:
    """All that decides what happens: equal matches have equal results. Makers can be sent to other processes."""

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
            raise SettingError(f"{self.game.name}: luck is taken out of single deals, not of whole matches")
        if self.luck and not isinstance(self.game, Appraised):
            raise SettingError(f"{self.game.name} cannot say what a position is worth, so luck cannot be taken out")

    @property
    def hands_per_deal(self) -> int:
        """How often one deal is played."""
        return len(duplicates(self.game.seats)) if self.duplicate else 1

    def seatings_of(self, deal: int) -> tuple[tuple[int, Seating], ...]:
        """The seatings a deal is played in, each with its number."""
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
    """What a block gives: a row for each deal, a column for each player, mean over the seatings, in payoffs."""

    results: NDArray[np.float64]
    raw: NDArray[np.float64]  # before luck was taken out; the same array where it was not
    records: tuple[Record, ...]


def blocks(deals: int | None) -> Iterator[DealBlock]:
    """So many deals in blocks, the last one perhaps shorter; None: for ever."""
    first = 0
    while deals is None or first < deals:
        count = BLOCK if deals is None else min(BLOCK, deals - first)
        yield DealBlock(first, count)
        first += count


def play_block(match: Match, block: DealBlock, *, keep_records: bool = False) -> PlayedDeals:
    """Play a block; `keep_records` also returns what happened, deal by deal and seating by seating."""
    sitting = _Sitting(match, aloud=keep_records)
    raw, fair = _Sums(block.count, match), _Sums(block.count, match)
    kept: list[Record] = []
    for row, deal in enumerate(range(block.first, block.first + block.count)):
        for number, seating in match.seatings_of(deal):
            contest = sitting.contest(deal, number, seating)
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
    """The record of each deal in turn, everybody in the same seat and each deal following from the one before.

    Each deal has its own randomness: `seed` and its number give it again.
    """
    streams = Streams(seed, len(players))
    dealer = RandomDealer(streams.chance)
    number = 0
    now: Game[Any] | None = game
    while now is not None and (deals is None or number < deals):
        streams.turn_to(number)
        record = play_out(now, dealer, players, streams.seats, names)
        yield record
        now = now.next(record)
        number += 1


class _Sums:
    """What each player got out of each deal, added up over the seatings."""

    def __init__(self, deals: int, match: Match) -> None:
        self._rows = [[0.0] * match.game.seats for _ in range(deals)]
        self._seatings = match.hands_per_deal

    def add(self, row: int, seating: Seating, result: Sequence[float]) -> None:
        sums = self._rows[row]
        for who, got in zip(seating, result, strict=True):
            sums[who] += got

    def means(self) -> NDArray[np.float64]:
        return np.array(self._rows) / self._seatings


@dataclass(frozen=True, slots=True)
class _Contest:
    """One result: a deal, or a match with all its deals. `last` is the game of its last deal."""

    last: Game[Any]
    records: tuple[Record, ...]


class _Sitting:
    """The players of a match, fresh, with the streams they and chance draw from."""

    def __init__(self, match: Match, *, aloud: bool) -> None:
        self._match = match
        self._players = [make() for make in match.makers]
        for player in self._players:
            if hasattr(player, "aloud"):
                player.aloud = aloud
        self._strategies = [player if isinstance(player, Strategy) else None for player in self._players]
        self._streams = Streams(match.seed, match.game.seats)
        self._dealer = RandomDealer(self._streams.chance)
        self._seats: dict[Seating, _Seated] = {}

    def contest(self, deal: int, number: int, seating: Seating) -> _Contest:
        """Play from the start until there is a result. A player draws from its own stream wherever it sits."""
        match, streams = self._match, self._streams
        players, names, rngs = self._seated(seating)
        records: list[Record] = []
        game: Game[Any] | None = match.game
        while game is not None:
            streams.turn_to(deal, round=len(records), seating=number)
            last = game
            records.append(play_out(game, self._dealer, players, rngs, names))
            game = game.next(records[-1]) if match.scoring.decided is not None else None
            if len(records) > LONGEST_CONTEST:
                raise SettingError(f"{last.name}: no end after {LONGEST_CONTEST:,} deals, between {', '.join(names)}")
        return _Contest(last, tuple(records))

    def _seated(self, seating: Seating) -> _Seated:
        """The players in their seats, with their names and streams; the same for every deal."""
        found = self._seats.get(seating)
        if found is None:
            names = tuple(self._match.names[who] for who in seating)
            rngs = [self._streams.seats[who] for who in seating]
            found = self._seats[seating] = [self._players[who] for who in seating], names, rngs
        return found

    def result(self, contest: _Contest) -> tuple[float, ...]:
        decided = self._match.scoring.decided
        return contest.records[-1].payoffs if decided is None else decided(contest.last, contest.records[-1])

    def result_without_luck(self, contest: _Contest, seating: Seating) -> tuple[float, ...]:
        strategies = [self._strategies[who] for who in seating]
        game: Any = self._match.game  # an appraised one, as the match has made sure
        return adjusted(game, contest.records[-1], strategies, luck=self._match.luck)
