"""What a mind remembers about each opponent over a session: bids, calls, and the dice that were then shown.

Events are recorded as they happen: a bid, a dudo or calza, the lifting of the cups. Everything is a count, so a memory
can be saved, loaded and added to. Only public information is used: all cups are lifted after every call. A player
without a name is remembered by its seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any, Final

from tahur.core.errors import RecordError
from tahur.core.game import Action, Seat
from tahur.core.record import Seen
from tahur.games.perudo.bids import CALZA, DUDO, FIRST_BID, count_of, face_of, increment, is_supported
from tahur.games.perudo.table import matching_of

AGGRESSIVE_JUMP: Final = 2
ENOUGH_BIDS: Final = 3  # bids of an opponent before its figures affect a decision
PATTERN_BIDS: Final = 5  # bids before a pattern is assumed
PATTERN_OPENINGS: Final = 3
PATTERNS: Final = ((0.8, 0.40, 0.8), (0.5, 0.30, 0.6), (0.3, 0.25, 0.5))  # deviation; min. favourite's share, rarity
DOMINANCES: Final = ((0.7, 0.5), (0.4, 0.35))  # deviation; minimal share of the usual opening
LEAST_OPENING_DEVIATION: Final = 0.2


def _no_faces() -> list[int]:
    return [0] * 7  # by face; 0 is unused


@dataclass(slots=True)
class OpponentMemory:
    """The counts of one opponent. A *final* bid is one that was called, so that its bidder's dice were seen."""

    bids: int = 0
    raises: int = 0
    aggressive: int = 0
    increments: int = 0  # summed over raises
    dudos: int = 0
    dudos_right: int = 0
    calzas: int = 0
    calzas_right: int = 0
    finals: int = 0
    finals_held: int = 0  # the bidder held at least one die for the bid
    bluffs: int = 0  # final bids that their bidder's dice did not support
    bluffs_met: int = 0  # bluffs that were true
    bluffs_caught: int = 0  # bluffs that were doubted and false
    faces: list[int] = field(default_factory=_no_faces)
    openings: list[int] = field(default_factory=_no_faces)

    @property
    def aggression(self) -> float:
        """The share of its bids that jump by two or more."""
        return _part(self.aggressive, self.bids)

    @property
    def average_increment(self) -> float:
        """The average number of dice by which it raises."""
        return _part(self.increments, self.raises)

    @property
    def confidence(self) -> float:
        """The share of its final bids whose face it held."""
        return _part(self.finals_held, self.finals)

    @property
    def bluff_rate(self) -> float:
        """The share of its final bids that are bluffs, smoothed by one extra bluff and one extra honest bid."""
        return (self.bluffs + 1) / (self.finals + 2)

    @property
    def caught_rate(self) -> float:
        """The share of its bluffs that were doubted and false."""
        return _part(self.bluffs_caught, self.bluffs)

    @property
    def bluff_index(self) -> float:
        """The share of its bluffs that were true; displayed, but not used in decisions."""
        return _part(self.bluffs_met, self.bluffs)

    @property
    def favourite(self) -> int | None:
        """The face it bids most, the lowest if tied; None before its first bid."""
        return favourite_of(self.faces)

    def bid_placed(self, bid: Action, before: Action | None, wild: bool) -> None:
        """Count a bid that raises `before`; None if it opened the round."""
        face = face_of(bid)
        self.bids += 1
        self.faces[face] += 1
        if before is None:
            self.openings[face] += 1
            return
        jump = increment(before, bid, wild)
        self.raises += 1
        self.increments += jump
        if jump >= AGGRESSIVE_JUMP:
            self.aggressive += 1

    def figures(self) -> dict[str, float | int | None]:
        """All figures for display."""
        return {
            "bids": self.bids,
            "raises": self.raises,
            "aggressive bids": self.aggressive,
            "aggression": self.aggression,
            "average increment": self.average_increment,
            "dudos": self.dudos,
            "dudos right": self.dudos_right,
            "calzas": self.calzas,
            "calzas right": self.calzas_right,
            "favourite face": self.favourite,
            "favourite opening": favourite_of(self.openings),
            "revealed bids": self.finals,
            "confidence": self.confidence,
            "bluff rate": self.bluff_rate,
            "caught rate": self.caught_rate,
            "bluff index": self.bluff_index,
        }


class Memory:
    """Opponents by name."""

    __slots__ = ("_heard", "opponents")

    def __init__(self, opponents: Mapping[str, OpponentMemory] | None = None) -> None:
        self.opponents: dict[str, OpponentMemory] = dict(opponents or {})
        self._heard = 0  # actions of the current round that are already counted

    def of(self, name: str) -> OpponentMemory:
        """That opponent's counts; empty for a new one."""
        opponent = self.opponents.get(name)
        if opponent is None:
            opponent = self.opponents[name] = OpponentMemory()
        return opponent

    def round_start(self) -> None:
        """Start a new round; what was learned is kept."""
        self._heard = 0

    def hear(self, speakers: Sequence[str | None], actions: Sequence[Action], *, wild: bool) -> None:
        """Count this round's actions, each once; `speakers` are in turn order, None for the player itself."""
        turns, heard = len(speakers), self._heard
        if heard >= len(actions):
            return
        before = actions[heard - 1] if heard else None
        for at in range(heard, len(actions)):
            who, action = speakers[at % turns], actions[at]
            if who is not None and action >= FIRST_BID:
                (self.opponents.get(who) or self.of(who)).bid_placed(action, before, wild)
            before = action
        self._heard = len(actions)

    def dudo_called(self, who: str, *, right: bool) -> None:
        opponent = self.of(who)
        opponent.dudos += 1
        opponent.dudos_right += right

    def calza_called(self, who: str, *, right: bool) -> None:
        opponent = self.of(who)
        opponent.calzas += 1
        opponent.calzas_right += right

    def round_revealed(self, bidder: str, bid: Action, matches: int, *, met: bool, doubted: bool) -> None:
        """Count a final bid; `matches` of the bidder's own dice count for it."""
        opponent = self.of(bidder)
        opponent.finals += 1
        opponent.finals_held += matches > 0
        if not is_supported(matches, count_of(bid)):
            opponent.bluffs += 1
            opponent.bluffs_met += met
            opponent.bluffs_caught += doubted and not met

    def learn(self, seen: Seen) -> None:
        """Count a whole round as seen by a seat or a spectator."""
        settings = seen.settings
        order = order_of(tuple(settings["cups"]), settings["opener"])
        speakers = speakers_of(seen.names, order, seen.seat)
        wild = not settings["palifico_round"]
        self.hear(speakers, seen.actions, wild=wild)
        self._learn_call(seen, order, speakers, wild=wild)
        self.round_start()

    def _learn_call(self, seen: Seen, order: Sequence[Seat], speakers: Sequence[str | None], *, wild: bool) -> None:
        """Learn from the end of a round: whether the call was right, and what the bidder held."""
        bid, call = seen.actions[-2:]
        counts, count = matching_of(face_of(bid), wild=wild), count_of(bid)
        dice = sum([counts[hand] for hand in seen.hands if hand is not None])
        last, turns, met = len(seen.actions) - 1, len(order), dice >= count
        caller, bidder = speakers[last % turns], speakers[(last - 1) % turns]
        if caller is not None and call == DUDO:
            self.dudo_called(caller, right=not met)
        if caller is not None and call == CALZA:
            self.calza_called(caller, right=dice == count)
        hand = seen.hands[order[(last - 1) % turns]]
        if bidder is not None and hand is not None:
            self.round_revealed(bidder, bid, counts[hand], met=met, doubted=call == DUDO)

    def to_json(self) -> dict[str, Any]:
        """The memory as JSON values."""
        return {name: asdict(opponent) for name, opponent in self.opponents.items()}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Memory:
        """The memory that `to_json` wrote."""
        try:
            return cls({str(name): OpponentMemory(**counts) for name, counts in value.items()})
        except (TypeError, AttributeError) as error:
            raise RecordError(f"not a memory of Perudo: {error}") from None


def name_of(names: Sequence[str], seat: Seat) -> str:
    """The name of a seat; `seat N` if it has none."""
    return names[seat] if seat < len(names) else f"seat {seat}"


@lru_cache(maxsize=2**12)
def order_of(cups: tuple[int, ...], opener: Seat) -> tuple[Seat, ...]:
    """The seats that have dice, from the opener on."""
    around = ((opener + step) % len(cups) for step in range(len(cups)))
    return tuple([seat for seat in around if cups[seat]])


@lru_cache(maxsize=2**12)
def speakers_of(names: tuple[str, ...], order: tuple[Seat, ...], self_: Seat | None) -> tuple[str | None, ...]:
    """The names in turn order; None for the player itself."""
    return tuple([None if seat == self_ else name_of(names, seat) for seat in order])


def favourite_of(faces: Sequence[int]) -> int | None:
    """The face with the highest count, the lowest if tied; None if all are 0."""
    most = max(faces)
    return faces.index(most) if most else None


def pattern_deviation(faces: Sequence[int], face: int) -> float:
    """How far a bid on the face deviates from a player's pattern of bids: 0 to 0.8.

    `rarity` is 1 for a face that was never bid, 0 for one bid as often as the favourite.
    """
    bids, most = sum(faces), max(faces)
    if bids < PATTERN_BIDS or 2 * faces[face] >= most:  # no pattern, or nothing rare
        return 0.0
    share, rarity = most / bids, 1 - faces[face] / most
    for deviation, much, rare in PATTERNS:
        if share > much and rarity > rare:
            return deviation
    return 0.0


def opening_deviation(openings: Sequence[int], face: int) -> float:
    """How far an opening on the face deviates from the usual one: 0 for the usual one itself, else 0.2 to 0.7."""
    opened, most = sum(openings), max(openings)
    if opened < PATTERN_OPENINGS or openings[face] == most:
        return 0.0
    dominance = most / opened
    return next((deviation for deviation, much in DOMINANCES if dominance > much), LEAST_OPENING_DEVIATION)


def deviation_of(opponent: OpponentMemory, face: int, *, opening: bool) -> float:
    """How far a bid deviates from what its bidder usually does."""
    pattern = pattern_deviation(opponent.faces, face)
    return max(pattern, opening_deviation(opponent.openings, face)) if opening else pattern


def _part(of: int, whole: int) -> float:
    return of / whole if whole else 0.0
