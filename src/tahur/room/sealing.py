"""A hand from the sealed deck to the deal: the commitment, then the seeds that mix the deck."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tahur.core.game import Game, Seat
from tahur.games.registry import make
from tahur.room.adapter import Draws, GameAdapter, adapter_of
from tahur.room.deck import Randomness, Seal, Seeds, commitment, seals, sha256
from tahur.room.facts import Dealt, LogError, Sealed, SeedOffered, SeedRevealed

FORMAT: Final = "tahur deal 1"


def header_of(hand: int, game: str, draws: Draws, digests: Seeds) -> str:
    """The header of a commitment, one item per line: hand, game, dealing order, hashes of seeds by seat."""
    lines = [FORMAT, f"hand: {hand}", f"game: {game}", f"{draws.unit}: {draws.total}"]
    lines += [f"seat {seat}: {' '.join(map(str, numbers))}" for seat, numbers in draws.seats]
    if draws.board:
        lines.append(f"board: {' '.join(map(str, draws.board))}")
    lines += [f"seed {seat}: {digest}" for seat, digest in enumerate(digests) if digest is not None]
    return "\n".join(lines)


def sealed(
    adapter: GameAdapter, game: Game[Any], hand: int, names: Sequence[str], digests: Seeds, randomness: Randomness
) -> Sealed:
    """The fact of a sealed deck (or dice): drawn now, with the commitment to it and to the seeds' hashes by seat."""
    values, key = adapter.draw(game, randomness), randomness.key()
    header = header_of(hand, game.name, adapter.draws(game), digests)
    promise = commitment([seal.digest for seal in _seals(adapter, hand, values, key)], header)
    return Sealed(
        hand=hand,
        game=game.name,
        settings=json.dumps(dict(game.settings)),
        names=tuple(names),
        values=values,
        key=key,
        digests=tuple(digests),
        header=header,
        commitment=promise,
    )


def dealt(fact: Sealed, revealed: Mapping[Seat, str]) -> Dealt:
    """The fact of the deal that results from a sealed deck and the seeds revealed, by seat."""
    seeds = tuple(revealed.get(seat) for seat in range(len(fact.names))) if revealed else ()
    return Dealt(
        hand=fact.hand,
        game=fact.game,
        settings=fact.settings,
        names=fact.names,
        values=adapter_of(fact.game).mixed(fact.values, seeds),
        key=fact.key,
        commitment=fact.commitment,
        header=fact.header,
        seeds=seeds,
    )


def seals_of(fact: Dealt) -> tuple[Seal, ...]:
    """Every value of a deal as it was sealed."""
    adapter = adapter_of(fact.game)
    return _seals(adapter, fact.hand, adapter.unmixed(fact.values, fact.seeds), fact.key)


def check_deal(fact: Dealt) -> None:
    """Check the deck or dice of a hand, its dealing order and seeds against the commitment published before it."""
    if commitment([seal.digest for seal in seals_of(fact)], fact.header) != fact.commitment:
        raise LogError(f"hand {fact.hand} was not dealt as it was committed to")
    if not fact.header:
        if any(seed is not None for seed in fact.seeds):
            raise LogError(f"hand {fact.hand} was mixed with seeds whose hashes are not in the commitment")
        return
    game = make(fact.game, json.loads(fact.settings))
    order, _, hashes = fact.header.partition("\nseed ")
    if order != header_of(fact.hand, fact.game, adapter_of(fact.game).draws(game), ()):
        raise LogError(f"hand {fact.hand} was not dealt in the order that was committed to")
    promised = f"{order}\nseed {hashes}".splitlines()
    for seat, seed in enumerate(fact.seeds):
        if seed is not None and f"seed {seat}: {sha256(seed)}" not in promised:
            raise LogError(f"hand {fact.hand}: the seed of seat {seat} is not the one that was committed to")


@dataclass(slots=True)
class NextHand:
    """The next hand of a room: hashes of seeds offered by seats, then its sealed deck, then the revealed seeds."""

    hand: int
    offers: dict[Seat, str] = field(default_factory=dict)  # hashes of seeds
    sealed: Sealed | None = None
    game: Game[Any] | None = None  # once the deck is sealed
    revealed: dict[Seat, str] = field(default_factory=dict)

    @property
    def missing(self) -> list[Seat]:
        """The seats whose seeds are still missing, once the deck is sealed."""
        digests = self.sealed.digests if self.sealed else ()
        return [seat for seat, digest in enumerate(digests) if digest is not None and seat not in self.revealed]

    def take_seed(self, fact: SeedOffered | SeedRevealed) -> None:
        """Apply the hash of a seed (before the deck is sealed) or the seed itself (after)."""
        if fact.hand != self.hand or (self.sealed is None) != isinstance(fact, SeedOffered):
            raise LogError(f"a seed of seat {fact.seat} for hand {fact.hand}, out of turn")
        if isinstance(fact, SeedOffered):
            self.offers[fact.seat] = fact.digest
        elif fact.seat not in self.missing or not self.is_promised(fact.seat, fact.seed):
            raise LogError(f"hand {fact.hand}: seat {fact.seat} reveals a seed that it did not offer")
        else:
            self.revealed[fact.seat] = fact.seed

    def is_promised(self, seat: Seat, seed: str) -> bool:
        """Whether it is the seed whose hash is in the commitment."""
        return self.sealed is not None and self.sealed.digests[seat] == sha256(seed)

    def seal(self, fact: Sealed) -> Game[Any]:
        """Fix the hand: its players, its deck, and the seats whose seeds may mix it."""
        if self.sealed is not None or fact.hand != self.hand:
            raise LogError(f"a deck is sealed for hand {fact.hand}, out of turn")
        if {seat: digest for seat, digest in enumerate(fact.digests) if digest is not None} != self.offers:
            raise LogError(f"hand {fact.hand} is not sealed with the hashes of seeds that were offered")
        self.sealed, self.game = fact, make(fact.game, json.loads(fact.settings))
        return self.game

    def check_dealt(self, fact: Dealt) -> Game[Any]:
        """Check that the deal follows from the sealed deck and the seeds; returns its game."""
        if self.sealed is None and (fact.seeds or "\nseed " in fact.header):
            raise LogError(f"hand {fact.hand} has seeds, and no deck was sealed for it")
        if self.sealed is not None and fact != dealt(self.sealed, self.revealed):
            raise LogError(f"hand {fact.hand} was not dealt from its sealed deck and the seeds that were revealed")
        return self.game or make(fact.game, json.loads(fact.settings))


def _seals(adapter: GameAdapter, hand: int, values: Sequence[int], key: str) -> tuple[Seal, ...]:
    return seals(hand, [adapter.value_text(value) for value in values], key)
