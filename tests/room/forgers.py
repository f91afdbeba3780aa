"""Deals with their proofs, honest and forged: a server that knows every secret and tries to get past the checks.

`python tests/room/forgers.py` writes them to tests/data/deals.json, for the tests of the page too. Each forger is told
the whole deal, and makes both what the player saw and the proof that fits it best.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from desk import Desk, settings

from tahur.room import facts, wire
from tahur.room.adapter import adapter_of
from tahur.room.codec import text_of
from tahur.room.deck import Seal, commitment, turned
from tahur.room.history import fairness
from tahur.room.rest import DealFile, DealNotes, Fairness, Opening, SeenHand, UsedSeed
from tahur.room.sealing import dealt, header_of, seals_of

FILE = Path(__file__).parents[1] / "data" / "deals.json"
ME = 0
SPARE = "2d"  # a card that nobody is dealt in the hand that is forged


def seed_of(seat: int, hand: int) -> str:
    return hashlib.sha256(f"seed {seat} {hand}".encode()).hexdigest()


def digest_of(seat: int, hand: int) -> str:
    return hashlib.sha256(seed_of(seat, hand).encode()).hexdigest()


def offer(desk: Desk, *seats: int) -> None:
    """These people offer a seed for the next hand."""
    hand = desk.state.next_hand.hand
    for seat in seats:
        answer = desk.ask(f"p{seat}", wire.OfferSeed(f"offer {hand}", hand, digest_of(seat, hand)))
        assert isinstance(answer, wire.Ack), answer


def reveal(desk: Desk, *seats: int) -> None:
    hand = desk.state.next_hand.hand
    for seat in seats:
        answer = desk.ask(f"p{seat}", wire.RevealSeed(f"reveal {hand}", hand, seed_of(seat, hand)))
        assert isinstance(answer, wire.Ack), answer


@dataclass(frozen=True)
class Deal:
    """A finished hand with all its secrets, and who showed."""

    sealed: facts.Sealed
    revealed: dict[int, str]
    dealt: facts.Dealt
    game: Any
    table: Any
    shown: tuple[int, ...]

    def file(self) -> DealFile:
        """The proof for seat 0, and the notes of somebody who saw that deal."""
        proof = fairness(self.dealt, self.table, ME, self.shown)
        return DealFile(proof, self.notes(self.dealt))

    def notes(self, seen: facts.Dealt) -> DealNotes:
        adapter = adapter_of(seen.game)
        draws = adapter.draws(self.game)
        texts = [adapter.value_text(value) for value in seen.values]
        hands = [
            SeenHand(seat, tuple(texts[draw] for draw in numbers))
            for seat, numbers in draws.seats
            if seat == ME or seat in self.shown
        ]
        board = tuple(texts[draw] for draw in draws.board)
        return DealNotes(
            commitment=self.sealed.commitment, seat=ME, seed=self.revealed[ME], hands=tuple(hands), board=board
        )

    def dealt_otherwise(self, **changes: Any) -> Deal:
        """The same hand, dealt from something else."""
        return replace(self, dealt=replace(self.dealt, **changes))


def played(game: str, seats: int = 3) -> Deal:
    """A hand that everybody plays to the end; seats 0 and 1 have seeds in it."""
    desk = Desk(settings(game, seats, pace="brisk"))
    offer(desk, 0, 1)
    desk.run()
    sealed = desk.state.next_hand.sealed
    assert sealed is not None
    reveal(desk, 0, 1)
    revealed = dict(desk.state.next_hand.revealed)
    desk.run()
    while desk.state.ask is not None:
        legal = desk.state.ask.view.table.actions()
        desk.act(legal[0] if game == "perudo" and len(desk.state.ask.view.table.history) > 2 else legal[1])
    desk.run(one_hand=True)
    live = desk.state.live
    assert live is not None
    assert live.ended
    shown = tuple(seat for seat, _ in desk.state.adapter.draws(live.game).seats)  # everybody shows
    return Deal(sealed, revealed, live.dealt, live.game, live.table, shown)


# ---- forgers -------------------------------------------------------------------------------------


def opening_at(deal: Deal, draw: int, whose: str) -> Opening:
    """That draw opened, whoever it was dealt to."""
    sealed = seals_of(deal.dealt)
    place = adapter_of(deal.dealt.game).places_of(deal.dealt.seeds, len(sealed))[draw]
    return Opening(place, whose, sealed[place].value, sealed[place].salt)


def with_opening(file: DealFile, at: int, opening: Opening | None) -> DealFile:
    kept = [each for number, each in enumerate(file.proof.openings) if number != at]
    made = kept if opening is None else [*kept[:at], opening, *kept[at:]]
    return replace(file, proof=replace(file.proof, openings=tuple(made)))


def sealed_otherwise(deal: Deal, seals: list[Seal], header: str | None = None, **notes: Any) -> DealFile:
    """A commitment to these seals, told to the player before the deal; openings of the first deal."""
    file, digests = deal.file(), tuple(seal.digest for seal in seals)
    head = file.proof.header if header is None else header
    promise = commitment(digests, head)
    proof = replace(file.proof, digests=digests, commitment=promise, header=head)
    return DealFile(proof, replace(file.notes, commitment=promise, **notes))


def another_river(deal: Deal) -> DealFile:
    """After the betting the river is taken from elsewhere in the deck, and opened there."""
    file, unused = deal.file(), 40
    opening = opening_at(deal, unused, "board")
    board = (*file.notes.board[:-1], opening.value)
    last = len(file.proof.openings) - 1
    return with_opening(replace(file, notes=replace(file.notes, board=board)), last, opening)


def board_out_of_order(deal: Deal) -> DealFile:
    """The turn and the river change places."""
    file = deal.file()
    board = (*file.notes.board[:3], file.notes.board[4], file.notes.board[3])
    return replace(file, notes=replace(file.notes, board=board))


def one_digest_less(deal: Deal) -> DealFile:
    return sealed_otherwise(deal, list(seals_of(deal.dealt))[:-1])


def one_digest_more(deal: Deal) -> DealFile:
    return sealed_otherwise(deal, [*seals_of(deal.dealt), Seal(deal.dealt.hand, len(deal.dealt.values), "As", "ff")])


def a_digest_twice(deal: Deal) -> DealFile:
    """The last place, which nobody opens, has the digest of the first."""
    seals = list(seals_of(deal.dealt))
    opened = {each.place for each in deal.file().proof.openings}
    spare = next((place for place in range(len(seals)) if place not in opened), len(seals) - 1)
    seals[spare] = seals[spare - 1]
    return sealed_otherwise(deal, seals)


def committed_afterwards(deal: Deal) -> DealFile:
    """Another deck is sealed once the betting is over; everything but the noted commitment fits it."""
    values = adapter_of(deal.dealt.game).mixed(deal.sealed.values[::-1], deal.dealt.seeds)
    key = "11" * 32
    changed = deal.dealt_otherwise(values=values, key=key)
    promise = commitment([seal.digest for seal in seals_of(changed.dealt)], deal.dealt.header)
    file = changed.dealt_otherwise(commitment=promise).file()
    return replace(file, notes=replace(file.notes, commitment=deal.sealed.commitment))


def my_seed_left_out(deal: Deal) -> DealFile:
    """The deck is mixed by the others' seeds alone."""
    others = {seat: seed for seat, seed in deal.revealed.items() if seat != ME}
    return replace(deal, dealt=dealt(deal.sealed, others)).file()


def my_seed_replaced(deal: Deal) -> DealFile:
    """Mixed by a seed that the server chose for me when it knew the deck."""
    mixed = dealt(deal.sealed, deal.revealed | {ME: "22" * 32})
    return replace(deal, dealt=mixed).file()


def another_seed_replaced(deal: Deal) -> DealFile:
    """The accomplice in seat 1 reveals another seed than was committed to, once mine is known."""
    mixed = dealt(deal.sealed, deal.revealed | {1: "33" * 32})
    return replace(deal, dealt=mixed).file()


def a_seed_added(deal: Deal) -> DealFile:
    """Seat 2, which offered none, has a seed after all."""
    mixed = dealt(deal.sealed, deal.revealed | {2: "44" * 32})
    return replace(deal, dealt=mixed).file()


def seeds_ignored(deal: Deal) -> DealFile:
    """The deck is dealt as it was sealed, and the seeds are told as if they had been used."""
    file = replace(deal, dealt=dealt(deal.sealed, {})).file()
    seeds = tuple(UsedSeed(seat, seed) for seat, seed in deal.revealed.items())
    return replace(file, proof=replace(file.proof, seeds=seeds))


def my_hash_left_out(deal: Deal) -> DealFile:
    """The server commits without the hash that I offered, and mixes without my seed."""
    digests = [None, *deal.sealed.digests[1:]]
    header = header_of(deal.dealt.hand, deal.dealt.game, adapter_of(deal.dealt.game).draws(deal.game), digests)
    changed = dealt(deal.sealed, {1: deal.revealed[1]})
    forged = replace(deal, dealt=replace(changed, header=header))
    return sealed_otherwise(forged, list(seals_of(changed)), header)


def own_card_withheld(deal: Deal) -> DealFile:
    return with_opening(deal.file(), 0, None)


def own_hand_withheld_and_not_noted(deal: Deal) -> DealFile:
    """A player who noted nothing but the commitment is owed their own hand still."""
    file = with_opening(deal.file(), 1, None)
    return replace(file, notes=replace(file.notes, hands=(), board=()))


def shown_hand_withheld(deal: Deal) -> DealFile:
    file = deal.file()
    name = deal.dealt.names[1]
    kept = tuple(each for each in file.proof.openings if each.whose != name)
    return replace(file, proof=replace(file.proof, openings=kept))


def board_card_withheld(deal: Deal) -> DealFile:
    return with_opening(deal.file(), len(deal.file().proof.openings) - 1, None)


def seats_swapped(deal: Deal) -> DealFile:
    """I am dealt seat 1's cards and seat 1 is dealt mine; the proof opens them with the names changed too."""
    file = deal.file()
    swap = {0: 1, 1: 0}
    hands = tuple(SeenHand(swap.get(each.seat, each.seat), each.cards) for each in file.notes.hands)
    names = {deal.dealt.names[0]: deal.dealt.names[1], deal.dealt.names[1]: deal.dealt.names[0]}
    openings = tuple(replace(each, whose=names.get(each.whose, each.whose)) for each in file.proof.openings)
    return DealFile(replace(file.proof, openings=openings), replace(file.notes, hands=hands))


def another_dealing_order(deal: Deal) -> DealFile:
    """The header, committed to before the deal, gives seat 0 the draws of seat 1."""
    lines = deal.dealt.header.split("\n")
    mine = next(at for at, line in enumerate(lines) if line.startswith("seat 0"))
    first, second = lines[mine].split(": "), lines[mine + 1].split(": ")
    lines[mine], lines[mine + 1] = f"{first[0]}: {second[1]}", f"{second[0]}: {first[1]}"
    return sealed_otherwise(deal, list(seals_of(deal.dealt)), "\n".join(lines))


def a_line_twice(deal: Deal) -> DealFile:
    """The header has two lines for the same seed."""
    line = next(each for each in deal.dealt.header.split("\n") if each.startswith("seed 1"))
    return sealed_otherwise(deal, list(seals_of(deal.dealt)), f"{deal.dealt.header}\n{line}")


def no_header(deal: Deal) -> DealFile:
    """A commitment as older versions made it."""
    unmixed = replace(deal, dealt=dealt(deal.sealed, {}))
    return sealed_otherwise(unmixed, list(seals_of(unmixed.dealt)), "", seed=None)


def another_value(deal: Deal) -> DealFile:
    """I am shown another card, or die, than was sealed, and it is opened as that."""
    file = resealed(deal, 0, "1" if deal.dealt.game == "perudo" else SPARE)
    first = deal.file().proof
    proof = replace(file.proof, digests=first.digests, commitment=first.commitment)
    return DealFile(proof, replace(file.notes, commitment=first.commitment))


def a_value_that_is_none(deal: Deal) -> DealFile:
    """A joker, or a die with seven."""
    return resealed(deal, 0, "7" if deal.dealt.game == "perudo" else "Xx")


def resealed(deal: Deal, draw: int, value: str) -> DealFile:
    """Another value sealed, dealt at that draw of seat 0, opened and seen."""
    file, place = deal.file(), opening_at(deal, draw, "").place
    seals = [replace(each, value=value) if each.place == place else each for each in seals_of(deal.dealt)]
    openings = tuple(replace(each, value=value) if each.place == place else each for each in file.proof.openings)
    dealt_value = value
    if deal.dealt.game == "perudo":
        dealt_value = str(turned([int(value)] * len(deal.dealt.values), deal.dealt.seeds)[draw])
    own = file.notes.hands[0]
    texts = [adapter_of(deal.dealt.game).value_text(each) for each in deal.dealt.values]
    hand = tuple(dealt_value if each == draw else texts[each] for each in range(len(own.cards)))
    hands = (SeenHand(ME, hand), *file.notes.hands[1:])
    made = sealed_otherwise(deal, seals, hands=hands)
    return replace(made, proof=replace(made.proof, openings=openings))


def a_card_twice(deal: Deal) -> DealFile:
    """My first card is the first of the board, too: the deck has it twice, with two salts."""
    return resealed(deal, 0, deal.file().notes.board[0])


def a_deck_of_53(deal: Deal) -> DealFile:
    """One more card, and a header that says so."""
    header = deal.dealt.header.replace("cards: 52", "cards: 53")
    seals = [*seals_of(deal.dealt), Seal(deal.dealt.hand, 52, "As", "ff")]
    return unmixed_otherwise(deal, seals, header)


def a_die_of_nobody(deal: Deal) -> DealFile:
    """One more die than the cups hold, and a header that says so."""
    count = len(deal.dealt.values)
    header = deal.dealt.header.replace(f"dice: {count}", f"dice: {count + 1}")
    return sealed_otherwise(deal, [*seals_of(deal.dealt), Seal(deal.dealt.hand, count, "6", "ff")], header)


def unmixed_otherwise(deal: Deal, seals: list[Seal], header: str) -> DealFile:
    """Dealt without seeds, so that places do not depend on how many there are."""
    unmixed = replace(deal, dealt=dealt(deal.sealed, {}))
    return sealed_otherwise(unmixed, seals, header, seed=None)


def a_header_of_another_hand(deal: Deal) -> DealFile:
    header = deal.dealt.header.replace("hand: 1", "hand: 2")
    return sealed_otherwise(deal, list(seals_of(deal.dealt)), header)


def digests_of_another_deck(deal: Deal) -> DealFile:
    """As `committed_afterwards`, under the commitment that was told."""
    file = committed_afterwards(deal)
    return replace(file, proof=replace(file.proof, commitment=file.notes.commitment))


def two_seeds_for_a_seat(deal: Deal) -> DealFile:
    file = deal.file()
    return replace(file, proof=replace(file.proof, seeds=(UsedSeed(1, "55" * 32), *file.proof.seeds)))


def a_place_opened_twice(deal: Deal) -> DealFile:
    """First as another card, then as it was sealed."""
    file = deal.file()
    other = "1" if deal.dealt.game == "perudo" else SPARE
    wrong = replace(file.proof.openings[0], value=other)
    return replace(file, proof=replace(file.proof, openings=(wrong, *file.proof.openings)))


def a_card_of_nobody_opened(deal: Deal) -> DealFile:
    file = deal.file()
    opening = opening_at(deal, 50, "board")
    return replace(file, proof=replace(file.proof, openings=(*file.proof.openings, opening)))


Forger = Callable[[Deal], DealFile]
FORGERS: tuple[Forger, ...] = (
    one_digest_less,
    one_digest_more,
    a_digest_twice,
    committed_afterwards,
    my_seed_left_out,
    my_seed_replaced,
    another_seed_replaced,
    a_seed_added,
    seeds_ignored,
    my_hash_left_out,
    own_card_withheld,
    own_hand_withheld_and_not_noted,
    shown_hand_withheld,
    seats_swapped,
    another_dealing_order,
    a_line_twice,
    no_header,
    another_value,
    a_value_that_is_none,
    a_header_of_another_hand,
    digests_of_another_deck,
    two_seeds_for_a_seat,
    a_place_opened_twice,
)
FOR_CARDS: tuple[Forger, ...] = (
    another_river,
    board_out_of_order,
    board_card_withheld,
    a_card_twice,
    a_deck_of_53,
    a_card_of_nobody_opened,
)
FOR_DICE: tuple[Forger, ...] = (a_die_of_nobody,)


def honest() -> Iterator[tuple[str, DealFile]]:
    """Deals that every check accepts."""
    yield "limit", played("limit", 2).file()
    for game in ("nlhe", "perudo"):
        deal = played(game)
        file = deal.file()
        yield game, file
        unseen = replace(file.notes, seed=None, hands=file.notes.hands[:1], board=file.notes.board[:3])
        yield f"{game}, seen in part", replace(file, notes=unseen)
        yield f"{game}, a spectator", DealFile(_for_nobody(deal), replace(unseen, seat=None, hands=()))
        unmixed = replace(deal, dealt=dealt(deal.sealed, {})).file()
        yield f"{game}, without seeds", replace(unmixed, notes=replace(unmixed.notes, seed=None))
        alone = replace(deal, dealt=dealt(deal.sealed, {ME: deal.revealed[ME]}))
        yield f"{game}, one seed came too late", alone.file()


def _for_nobody(deal: Deal) -> Fairness:
    return fairness(deal.dealt, deal.table, None, ())


def forged() -> Iterator[tuple[str, DealFile]]:
    """Deals that every check refuses."""
    for game in ("nlhe", "perudo"):
        deal = played(game)
        for forger in (*FORGERS, *(FOR_CARDS if game != "perudo" else FOR_DICE)):
            yield f"{game}, {forger.__name__.replace('_', ' ')}", forger(deal)


def everything() -> dict[str, Any]:
    cases = {"honest": honest(), "forged": forged()}
    return {kind: {name: json.loads(text_of(file)) for name, file in files} for kind, files in cases.items()}


def written() -> str:
    """All of them as JSON, a deal in a line."""
    kinds = []
    for kind, files in everything().items():
        lines = [f"{json.dumps(name)}:{json.dumps(file, separators=(',', ':'))}" for name, file in files.items()]
        kinds.append(f"{json.dumps(kind)}:{{\n" + ",\n".join(lines) + "\n}")
    return "{" + ",\n".join(kinds) + "}\n"


def main() -> None:
    FILE.write_text(written(), "utf-8")


if __name__ == "__main__":
    main()
