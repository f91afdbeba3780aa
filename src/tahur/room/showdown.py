"""The end of a hold'em hand, step by step: hands shown, each pot, its winners and their hands.

Only shown hands are used: a kicker is named if it decided between two open hands, and a mucked hand leaves no trace in
the texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tahur.cards.cards import Card, cards_of
from tahur.cards.evaluator import RANK_WORDS, NamedHand, name_hand
from tahur.core.game import CHANCE, Game, Seat
from tahur.core.record import Record
from tahur.games.holdem.history import settle, won_pots
from tahur.games.holdem.table import HoldemTable, Pot
from tahur.room.adapter import Beat, Happening, Look
from tahur.room.scene import News, ScenePot

# Seconds, at normal pace with nothing at stake. SHOWN: a hand that was already open.
SHOW, SHOWN, MUCK, PAY, TAKE_BACK, END = 1.2, 0.7, 0.9, 1.9, 1.0, 0.6


def showdown(
    game: Game[Any], record: Record, shown: Sequence[Seat], names: Sequence[str], hand: int, stake: float
) -> list[Beat]:
    """Every step from the last action to the end; a larger `stake` (0 to 1) makes it slower."""
    *_, before, last = record.replay(game)
    open_hands = {seat: name_hand((*cards_of(record.hands[seat]), *last.board)) for seat in shown}
    pots = won_pots(settle(game, last, record.hands))  # type: ignore[arg-type]
    table = _Table(last=last, names=tuple(names), made=open_hands, shown=tuple(shown), hands=record.hands)
    look = Look(chips=last.stacks, pots=tuple(ScenePot(pot.chips, pot.seats) for pot, _ in pots))
    beats = list(_shows(table, look, SHOWN if before.turn == CHANCE else SHOW))
    look = replace(beats[-1].look if beats else look, lit=())
    beats += _pays(table, pots, look, 1 + stake)
    final = beats[-1].look
    if summary := _summary(table, pots):
        final = replace(final, news=summary, own_details=())
    return [*beats, Beat((Happening("end", f"Hand {hand} is over"),), final, END)]


@dataclass(frozen=True, slots=True)
class _Table:
    """The data of the steps."""

    last: HoldemTable
    names: tuple[str, ...]
    made: dict[Seat, NamedHand]  # shown hands
    shown: tuple[Seat, ...]
    hands: tuple[int, ...]


# ---- hands ---------------------------------------------------------------------------------------


def _shows(table: _Table, look: Look, seconds: float) -> Iterator[Beat]:
    """The steps in which hands are shown, in order, and then the others mucked."""
    for seat in table.shown:
        cards = tuple(str(card) for card in cards_of(table.hands[seat]))
        made = table.made[seat]
        words = hand_words(made.name)
        news = News(f"{table.names[seat]} shows", words, (seat,), (0,))
        look = replace(
            look, up=(*look.up, seat), made=(*look.made, (seat, words)), lit=_texts(made.best), news=news, found=None
        )
        happening = Happening("show", f"{table.names[seat]} shows {' '.join(cards)}, {made.name}", seat, cards)
        yield Beat((happening,), look, seconds)
    mucked = tuple(seat for seat in table.last.live if seat not in table.shown) if len(table.last.live) > 1 else ()
    if mucked:
        names = [table.names[seat] for seat in mucked]
        words = f"{names[0]} mucks" if len(names) == 1 else f"{len(names)} hands are mucked"
        look = replace(look, lit=(), news=News(words, "", mucked, (0,) * len(mucked)))
        yield Beat(tuple(Happening("muck", f"{table.names[seat]} mucks", seat) for seat in mucked), look, MUCK)


def hand_words(name: str) -> str:
    """`a pair of aces`, `ace high`: the name of a hand, to follow "with"."""
    category, _, rest = name.partition(", ")
    if category == "high card":
        return f"{rest} high"
    article = "" if category in ("two pair", "three of a kind", "four of a kind") else "a "
    return article + name


def kicker_words(winner: NamedHand, rivals: Sequence[NamedHand]) -> str:
    """`, king kicker` if the best rival has a hand of the same name and a kicker decided; otherwise empty."""
    beaten = [rival for rival in rivals if rival.rank < winner.rank]
    best = max(beaten, key=lambda rival: rival.rank, default=None)
    if best is None or best.name != winner.name:
        return ""
    pairs = zip(_by_weight(winner.best), _by_weight(best.best), strict=True)
    rank = next(ours for ours, theirs in pairs if ours != theirs)
    return f", {RANK_WORDS[rank]} kicker"


def _by_weight(five: Sequence[int]) -> list[int]:
    """The ranks of five cards in order of importance: larger groups first, then higher ranks."""
    ranks = [card >> 2 for card in five]
    count = Counter(ranks)
    return sorted(ranks, key=lambda rank: (count[rank], rank), reverse=True)


# ---- pots ----------------------------------------------------------------------------------------


def _pays(table: _Table, pots: Sequence[tuple[Pot, list[Seat]]], look: Look, longer: float) -> Iterator[Beat]:
    """The steps that pay the pots, one after the other, the main pot first."""
    chips, waiting = list(look.chips or ()), list(look.pots or ())
    for number, (pot, winners) in enumerate(pots):
        shares = _shares(pot, winners)
        for seat, share in zip(winners, shares, strict=True):
            chips[seat] += share
        back = len(pots) > 1 and _is_uncalled(table.last, pot)
        which = "" if len(pots) == 1 else "the main pot" if number == 0 else f"side pot {number}"
        made = _winning_hand_text(table, pot, winners)
        best = [table.made[seat].best for seat in winners if seat in table.made]
        look = replace(
            look,
            lit=() if back else _texts({card for five in best for card in five}),
            chips=tuple(chips),
            pots=tuple(waiting[number + 1 :]),
            news=_news(table, winners, shares, which, "" if back else made, back=back),
            own_details=() if back else _own_details(table, pot, winners),
        )
        happenings = _pay_events(table, winners, shares, which, "" if back else made, back=back)
        yield Beat(happenings, look, TAKE_BACK if back else PAY * longer)


def _shares(pot: Pot, winners: Sequence[Seat]) -> tuple[int, ...]:
    share, odd = divmod(pot.chips, len(winners))
    return tuple(share + (odd if index == 0 else 0) for index in range(len(winners)))


def _is_uncalled(table: HoldemTable, pot: Pot) -> bool:
    """Whether a pot is an uncalled bet of one seat."""
    if len(pot.seats) > 1:
        return False
    (seat,) = pot.seats
    others = max(paid for at, paid in enumerate(table.committed) if at != seat)
    return pot.chips == table.committed[seat] - others


def _winning_hand_text(table: _Table, pot: Pot, winners: Sequence[Seat]) -> str:
    """The hand that won a pot, with the kicker if it decided; empty if no hand was shown."""
    winner = table.made.get(winners[0])
    if winner is None:
        return ""
    rivals = [table.made[seat] for seat in pot.seats if seat in table.made]
    return hand_words(winner.name) + kicker_words(winner, rivals)


def _own_details(table: _Table, pot: Pot, winners: Sequence[Seat]) -> tuple[tuple[Seat, str], ...]:
    """For seats that mucked: the winning hand, with the kicker that beat their own hand."""
    winner = table.made.get(winners[0])
    hidden = [seat for seat in pot.seats if seat not in table.made]
    if winner is None:
        return ()
    beaten = ((seat, name_hand((*cards_of(table.hands[seat]), *table.last.board))) for seat in hidden)
    return tuple((seat, hand_words(winner.name) + kicker_words(winner, [hand])) for seat, hand in beaten)


def _pay_events(
    table: _Table, winners: Sequence[Seat], shares: Sequence[int], which: str, made: str, *, back: bool
) -> tuple[Happening, ...]:
    """The events that pay a pot: `which` pot, with which hand; `back`: an uncalled bet returns."""
    source = f" from {which}" if which else ""
    tail = f" with {made}" if made else ""
    happenings = []
    for seat, chips in zip(winners, shares, strict=True):
        name = table.names[seat]
        words = f"{name} takes back {chips:,}, not called" if back else f"{name} wins {chips:,}{source}{tail}"
        happenings.append(Happening("pay", words, seat, chips=chips))
    return tuple(happenings)


def _news(table: _Table, winners: Sequence[Seat], shares: Sequence[int], which: str, made: str, *, back: bool) -> News:
    """The headline of a payment: who wins or splits which pot; `back`: an uncalled bet returns."""
    names = [table.names[seat] for seat in winners]
    total = f"{sum(shares):,}"
    if back:
        words = f"{names[0]} takes back {total}, not called"
    elif len(winners) > 1:
        words = f"{', '.join(names[:-1])} and {names[-1]} split {which or 'the pot'}, {total}"
    else:
        words = f"{names[0]} wins {which + ', ' if which else ''}{total}"
    return News(words, made, tuple(winners), tuple(shares))


def _summary(table: _Table, pots: Sequence[tuple[Pot, list[Seat]]]) -> News | None:
    """The total of each winner, if there was more than one pot."""
    if len(pots) < 2:
        return None
    won: Counter[Seat] = Counter()
    for pot, winners in pots:
        if not _is_uncalled(table.last, pot):
            won.update(dict(zip(winners, _shares(pot, winners), strict=True)))
    ranked = won.most_common()
    words = ", ".join(f"{table.names[seat]} wins {chips:,}" for seat, chips in ranked)
    first = table.made.get(ranked[0][0]) if len(ranked) == 1 else None
    detail = hand_words(first.name) if first else ""
    return News(words, detail, tuple(seat for seat, _ in ranked), tuple(0 for _ in ranked))


def _texts(cards: Sequence[int] | set[Card]) -> tuple[str, ...]:
    return tuple(sorted(str(Card(card)) for card in cards))
