"""A hand history: a finished hand of hold'em from any source.

It is made from a record here, and from a PHH in `replay`. A hand that nobody saw is NO_HAND, which is enough unless it
is needed to determine the winner: a seat that mucks wins nothing; one that neither shows nor mucks leaves the result
undetermined, which is an error. The result stated by the source is stored beside the computed one, for comparison.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from typing import Any

from tahur.cards.cards import COMBOS, Card, cards_of, check_distinct
from tahur.cards.evaluator import evaluator
from tahur.core.errors import RecordError
from tahur.core.game import OVER, Hand, Seat
from tahur.core.record import Record
from tahur.games.holdem.rules import NO_HAND, Holdem
from tahur.games.holdem.table import HoldemTable, Pot, winnings
from tahur.games.registry import game_of

Chips = tuple[int, ...]  # one number for each seat


class ReplayVerdict(Enum):
    """How the computed result compares with the one stated by the source."""

    MATCHED = "matched"
    ODD_CHIPS = "matched but for odd chips"  # rules differ on who gets the odd chips of a split pot
    RAKED = "matched but for the rake"
    UNSTATED = "unstated"
    MISMATCHED = "mismatched"


@dataclass(frozen=True, slots=True)
class History:
    """A finished hand, by seat. `scale` chips are 1 in the source; `fields` are the other fields of a PHH."""

    game: Holdem
    hands: tuple[Hand, ...]  # NO_HAND: unknown
    table: HoldemTable  # the last one
    payoffs: Chips
    mucked: frozenset[Seat] = frozenset()
    names: tuple[str, ...] = ()
    stated: tuple[float, ...] | None = None  # finishing stacks, if the source gives them
    scale: int = 1
    fields: Mapping[str, Any] = field(default_factory=dict)
    hero: Seat | None = None  # the seat from whose view it was written, if any

    @property
    def finishing_stacks(self) -> Chips:
        return tuple([had + won for had, won in zip(self.game.stakes.stacks, self.payoffs, strict=True)])

    def tables(self) -> Iterator[HoldemTable]:
        """Every table of the hand, from the first to the last."""
        table = self.game.start()
        yield table
        for action in self.table.history:
            table = table.after(action)
            yield table

    def verdict(self, *, raked: bool = False) -> ReplayVerdict:
        """How the computed result compares with the stated one. `raked`: winners may have got less because of rake."""
        if self.stated is None:
            return ReplayVerdict.UNSTATED
        short = [ours - theirs for ours, theirs in zip(self.finishing_stacks, self.stated, strict=True)]
        if not any(short):
            return ReplayVerdict.MATCHED
        if self._is_odd_chips():
            return ReplayVerdict.ODD_CHIPS
        won = [payoff + paid > 0 for payoff, paid in zip(self.payoffs, self.table.committed, strict=True)]
        is_rake = all(off == 0 or (took and off > 0) for off, took in zip(short, won, strict=True))
        return ReplayVerdict.RAKED if raked and is_rake else ReplayVerdict.MISMATCHED

    def _is_odd_chips(self) -> bool:
        """Whether the stated result differs only in who got the odd chips of a split pot."""
        assert self.stated is not None
        least = list(self.table.stacks)
        split: set[Seat] = set()
        for pot, winners in won_pots(self):
            share, odd = divmod(pot.chips, len(winners))
            split.update(winners if odd else ())
            for seat in winners:
                least[seat] += share
        over = [theirs - low for theirs, low in zip(self.stated, least, strict=True)]
        return sum(self.stated) == sum(self.finishing_stacks) and all(
            extra == 0 or (extra > 0 and seat in split) for seat, extra in enumerate(over)
        )


def settle(game: Holdem, table: HoldemTable, hands: tuple[Hand, ...], mucked: Iterable[Seat] = ()) -> History:
    """The history of a finished hand, after checking that no card appears twice; divides the pots."""
    known = [(f"the hand of seat {seat + 1}", hole_cards(hand)) for seat, hand in enumerate(hands) if hand != NO_HAND]
    check_distinct(("the board", table.board), *known)
    folded = frozenset(mucked).intersection(table.live) if len(table.live) > 1 else frozenset()
    return History(game=game, hands=hands, table=table, payoffs=_payoffs(game, table, hands, folded), mucked=folded)


def won_pots(history: History) -> list[tuple[Pot, list[Seat]]]:
    """The pots, the main pot first, each with the seats that share it."""
    table = history.table
    if len(table.live) == 1:
        return [(Pot(table.pot, table.live), list(table.live))]
    ranks = _ranks(table, history.hands, history.mucked)
    best = [(pot, max(ranks[seat] for seat in pot.seats)) for pot in table.pots]
    return [(pot, [seat for seat in pot.seats if ranks[seat] == rank]) for pot, rank in best]


@cache
def hole_cards(hand: Hand) -> tuple[Card, Card]:
    """`cards_of`, cached: it is called often for ten thousand hands."""
    return cards_of(hand)


def history_of(record: Record) -> History:
    """Replay a record of hold'em; the record's payoffs become the stated result."""
    game = game_of(record)
    if not isinstance(game, Holdem):
        raise RecordError(f"a record of {record.game}; hand histories are of hold'em")
    stacks = game.stakes.stacks
    if len(record.hands) != len(stacks) or not all(NO_HAND <= hand < COMBOS for hand in record.hands):
        raise RecordError(f"hands {list(record.hands)}; {len(stacks)} numbers up to {COMBOS - 1} were expected")
    if len(record.payoffs) != len(stacks) or not all(_is_amount(won) for won in record.payoffs):
        raise RecordError(f"payoffs {list(record.payoffs)}; a number for each of {len(stacks)} seats was expected")
    table = game.start()
    for action in record.actions:
        table = table.after(action)
    if table.turn != OVER:
        raise RecordError(f"the record stops after {len(record.actions)} actions, before the hand is over")
    stated = tuple(had + won for had, won in zip(stacks, record.payoffs, strict=True))
    names = record.names if len(record.names) == len(stacks) else ()
    unseen = [seat for seat in table.live if record.hands[seat] == NO_HAND]
    history = settle(game, table, record.hands, (*record.mucked, *unseen))
    return replace(history, names=names, stated=stated, hero=record.seat)


def record_of(history: History) -> Record:
    """The hand as a record, including who mucked, with the mucked hand if it is known."""
    game, mucked = history.game, tuple(sorted(history.mucked))
    unseen = [seat for seat in history.table.live if history.hands[seat] == NO_HAND and seat not in mucked]
    if unseen and len(history.table.live) > 1:
        raise RecordError(f"the hand of seat {unseen[0] + 1}, which won, is unknown; a record needs it")
    record = Record(
        game=game.name,
        settings=game.settings,
        hands=history.hands,
        actions=history.table.history,
        payoffs=history.payoffs,
        names=history.names,
    )
    return replace(record, seat=history.hero, mucked=mucked)


def _is_amount(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _payoffs(game: Holdem, table: HoldemTable, hands: tuple[Hand, ...], mucked: frozenset[Seat]) -> Chips:
    if len(table.live) > 1:
        _check_open_hands(table, hands, mucked)
    if not mucked:
        return tuple([int(won) for won in game.payoffs(table, hands)])
    won = winnings(table.pots, _ranks(table, hands, mucked))
    return tuple([won.get(seat, 0) - paid for seat, paid in enumerate(table.committed)])


def _check_open_hands(table: HoldemTable, hands: tuple[Hand, ...], mucked: frozenset[Seat]) -> None:
    """Raise `RecordError` for a showdown whose winners cannot be determined from the shown hands."""
    contenders = [seat for seat in table.live if seat not in mucked]
    unseen = [str(seat + 1) for seat in contenders if hands[seat] == NO_HAND]
    if unseen and len(contenders) > 1:
        raise RecordError(f"the winner cannot be determined: seat {' and '.join(unseen)} neither shows nor mucks")
    if any(len(pot.seats) > 1 and mucked.issuperset(pot.seats) for pot in table.pots):
        raise RecordError("the winner cannot be determined: all seats that could win a pot muck their hands")


def _ranks(table: HoldemTable, hands: tuple[Hand, ...], mucked: frozenset[Seat]) -> dict[Seat, int]:
    """The ranks of the live seats' hands: 0 if mucked, 1 if unknown because all others mucked."""
    rank = evaluator()
    open_hands = {seat: hands[seat] for seat in table.live if seat not in mucked}
    return dict.fromkeys(table.live, 0) | {
        seat: 1 if hand == NO_HAND else rank((*hole_cards(hand), *table.board)) for seat, hand in open_hands.items()
    }
