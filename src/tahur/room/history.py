"""Finished hands as a seat saw them: lists, replays, the bots' thoughts, odds and proofs.

Everything is computed from the log's facts and a seat; hands that the seat never saw are never included.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from tahur.cards.cards import Card, cards_of, cards_text
from tahur.core.game import OVER, Game, Hand, Seat
from tahur.core.record import UNSEEN, Record
from tahur.games.perudo.bids import FIRST_BID, action_text, count_of, face_of
from tahur.games.perudo.reading import chance_of
from tahur.games.registry import game_of, make
from tahur.players.perudo.odds import at_least
from tahur.players.perudo.situation import matches_of
from tahur.room.bots import seen
from tahur.room.facts import Dealt, Ended
from tahur.room.kind import happenings_of, kind_of
from tahur.room.moments import moments
from tahur.room.rest import (
    Fairness,
    HandLine,
    Odds,
    Opening,
    Replay,
    ReplayStep,
    StreetOdds,
    ThoughtLine,
    Thoughts,
    UsedSeed,
)
from tahur.room.scene import Scene, SeatScene
from tahur.room.scenes import still_scene
from tahur.room.sealing import seals_of
from tahur.room.thinking import plain

PROOF = (
    "Before the deal the room sealed the deck and sent you its commitment, with the dealing order and the hashes of "
    "the players' seeds; the seeds then shuffled it again. What you were entitled to see opens to its place in that "
    "deck. It does not prove that the server's operator cannot look at the cards."
)
OLDER_PROOF = (
    "This deal was made by an older version. What you were entitled to see opens to the seals that were sent to you "
    "before the deal, but the commitment does not say which card of the deck goes where, and players had no part in "
    "the shuffle."
)


def hand_line(ended: Ended, seat: Seat | None, total: float | None) -> HandLine:
    """A finished hand as a row of a list."""
    record = Record.from_json(ended.record)
    game, known = game_of(record), seen(ended, seat)
    kind = kind_of(record.game)
    *_, last = record.replay(game)
    beats = kind.ending(game, record, ended.shown, record.names, ended.hand)
    words = "; ".join(each.words for each in happenings_of(beats) if each.kind == "pay")
    hand = known.hands[seat] if seat is not None else None
    cards = kind.hand_texts(hand) if hand is not None else ()
    board = tuple(str(Card(card)) for card in getattr(last, "board", ()))
    return HandLine(
        hand=ended.hand,
        result=record.payoffs[seat] if seat is not None else None,
        total=total,
        words=words,
        board=board,
        cards=cards,
    )


# ---- step by step --------------------------------------------------------------------------------


def replay(dealt: Dealt, ended: Ended, seat: Seat | None, like: Scene) -> Replay:
    """Every moment of a hand as the seat saw it; the room's name and title come from `like`."""
    record = Record.from_json(ended.record)
    game, kind = game_of(record), kind_of(record.game)
    seats = tuple(
        SeatScene(seat=at, name=name, mind=None, state="in", here=True, chips=0, bet=0, last="", hand=(), hidden=0)
        for at, name in enumerate(dealt.names[: game.seats])
    )
    like = replace(like, hand=ended.hand, you=seat, seats=seats, commitment=dealt.commitment)
    beats = kind.ending(game, record, ended.shown, dealt.names, ended.hand)
    own: tuple[Hand | None, ...] = tuple(hand if at == seat else None for at, hand in enumerate(record.hands))
    steps = []
    for number, moment in enumerate(moments(kind, game, record, dealt.names, ended.hand, beats), start=1):
        known = tuple(record.hands[at] if at in moment.look.up else hand for at, hand in enumerate(own))
        event = moment.happening.event(number, ended.hand)
        steps.append(ReplayStep(event, still_scene(kind, game, moment, known, like)))
    return Replay(ended.hand, tuple(steps))


# ---- thoughts and odds ---------------------------------------------------------------------------


def thoughts(ended: Ended) -> Thoughts:
    """The bots' thoughts at their actions."""
    record = Record.from_json(ended.record)
    game = game_of(record)
    tables = list(record.replay(game))
    lines = tuple(
        ThoughtLine(
            at=each.at,
            seat=each.seat,
            name=record.names[each.seat],
            did=game.label(tables[each.at], record.actions[each.at]),
            words=plain(each.text),
            thought=each.text,
        )
        for each in record.thoughts
    )
    return Thoughts(ended.hand, lines)


def odds(ended: Ended, seat: Seat | None) -> Odds:
    """The equities of the hands known to the seat, street by street; in Perudo, the odds of each bid for the seat."""
    record, known = Record.from_json(ended.record), seen(ended, seat)
    game = game_of(record)
    if record.game == "perudo":
        return Odds(ended.hand, tuple(_bid_odds(game, record, seat)), "How likely each bid was, by your own dice.")
    hands = {at: hand for at, hand in enumerate(known.hands) if hand is not None and hand >= 0}
    if len(hands) < 2:
        return Odds(ended.hand, (), "No other hand was shown, so there is nothing to compare yours with.")
    return Odds(ended.hand, tuple(_street_odds(game, record, hands)), "The share of the pot each hand could expect.")


def _street_odds(game: Game[Any], record: Record, hands: dict[Seat, Hand]) -> Iterator[StreetOdds]:
    from tahur.cards.equity.ask import equity  # loads the kernels

    names = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}
    done = set()
    for table in record.replay(game):
        board = table.board
        if len(board) not in names or board in done:
            continue
        done.add(board)
        seats = tuple(seat for seat in hands if seat in table.live)
        if len(seats) < 2:
            return
        texts = [cards_text(cards_of(hands[seat])) for seat in seats]
        shares = equity(*texts, board=tuple(map(Card, board)))
        yield StreetOdds(
            street=names[len(board)],
            board=tuple(str(Card(card)) for card in board),
            seats=seats,
            hands=tuple(texts),
            equities=tuple(round(share.equity, 4) for share in shares.players),
        )


def _bid_odds(game: Game[Any], record: Record, seat: Seat | None) -> Iterator[StreetOdds]:
    if seat is None or not game.start().cups[seat]:
        return
    for table in record.replay(game):
        if table.turn == OVER or not table.history or table.history[-1] < FIRST_BID:
            continue
        bid = table.history[-1]
        count, face, hand = count_of(bid), face_of(bid), record.hands[seat]
        unknown = table.round.total - table.cups[seat]
        chance = at_least(count - matches_of(hand, table.wild)[face], unknown, chance_of(face, wild=table.wild))
        who = table.seat_at(len(table.history) - 1)
        yield StreetOdds(
            street=f"{record.names[who]}: {action_text(bid)}",
            board=(),
            seats=(who,),
            hands=(game.hand_text(hand),),
            equities=(round(chance, 4),),
        )


# ---- proofs --------------------------------------------------------------------------------------


def fairness(dealt: Dealt, table: Any, seat: Seat | None, shown: Sequence[Seat]) -> Fairness:
    """The proof of a deal: all digests, and the openings of the values that the seat may see."""
    kind, game = kind_of(dealt.game), make(dealt.game, json.loads(dealt.settings))
    sealed = seals_of(dealt)
    openings = []
    for draw, place in enumerate(kind.places_of(dealt.seeds, len(sealed))):
        whose, seal = kind.whose(game, table, draw), sealed[place]
        if whose == "board" or (whose is not None and (whose == seat or whose in shown)):
            name = whose if isinstance(whose, str) else dealt.names[whose]
            openings.append(Opening(seal.place, name, seal.value, seal.salt))
    return Fairness(
        hand=dealt.hand,
        commitment=dealt.commitment,
        digests=tuple(seal.digest for seal in sealed),
        openings=tuple(openings),
        words=PROOF if dealt.header else OLDER_PROOF,
        header=dealt.header,
        seeds=tuple(UsedSeed(at, seed) for at, seed in enumerate(dealt.seeds) if seed is not None),
    )


def seen_record(ended: Ended, seat: Seat | None) -> Record:
    """A hand as the seat saw it: without unseen hands, and without thoughts."""
    record, known = Record.from_json(ended.record), seen(ended, seat)
    *_, last = record.replay(game_of(record))
    live = getattr(last, "live", ())
    hands = tuple(UNSEEN if hand is None else hand for hand in known.hands)
    mucked = tuple(sorted(at for at in live if at not in ended.shown)) if len(live) > 1 else ()
    return replace(record, hands=hands, thoughts=(), seat=seat, mucked=mucked)
