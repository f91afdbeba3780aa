"""Writing one of our hands as a PHH.

All-in seats show before the rest of the board, as readers expect. A check by the last seat with chips, when there is
nobody left to bet against, is not written: our table does not ask for it, and PokerKit supplies it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tahur.cards.cards import cards_text
from tahur.core.errors import RecordError
from tahur.core.game import CHANCE, OVER, Hand, Seat
from tahur.games.holdem.history import History, hole_cards
from tahur.games.holdem.phh import UNKNOWN_CARD, Phh, PhhAction, Variant, Verb
from tahur.games.holdem.replay import CAPS, plain_game
from tahur.games.holdem.rules import NO_HAND
from tahur.games.holdem.stakes import FLOP, Limit
from tahur.games.holdem.table import CALL, FOLD, HoldemTable


def phh_of(history: History) -> Phh:
    """The hand as a PHH, with its finishing stacks."""
    stakes = history.game.stakes
    structure, order = stakes.structure, stakes.order
    if structure.rounds != len(CAPS):
        raise RecordError(f"{history.game.name} has {structure.rounds} rounds of betting; hold'em in a PHH has four")
    limit = isinstance(structure, Limit)
    return Phh(
        variant=Variant.FIXED_LIMIT if limit else Variant.NO_LIMIT,
        antes=(stakes.ante,) * len(order),
        blinds=stakes.blinds + (0,) * (len(order) - 2),
        bets=(structure.small_bet, structure.big_bet) if isinstance(structure, Limit) else (stakes.blinds[1],),
        stacks=tuple([stakes.stacks[seat] for seat in order]),
        steps=tuple(_steps(history)),
        finishing_stacks=tuple([history.finishing_stacks[seat] for seat in order]),
        scale=history.scale,
        fields=_fields(history),
    )


def _steps(history: History) -> Iterator[PhhAction]:
    """Hole cards, actions, board; the live seats show as soon as nobody can bet any more."""
    player = {seat: number for number, seat in enumerate(history.game.stakes.order)}
    for seat, number in player.items():
        yield PhhAction(Verb.HOLE, number, _hand_text(history.hands[seat]))
    shown = False
    before = None
    for table in history.tables():
        if before is not None:
            yield from _step(before, table, player)
        if not shown and _is_showdown(table):
            shown = True
            for seat in table.live:
                yield PhhAction(
                    Verb.SHOW, player[seat], "" if seat in history.mucked else _hand_text(history.hands[seat])
                )
        before = table


def _step(before: HoldemTable, after: HoldemTable, player: Mapping[Seat, int]) -> Iterator[PhhAction]:
    action = after.history[-1]
    if before.turn != CHANCE:
        verb = Verb.FOLD if action == FOLD else Verb.CALL if action == CALL else Verb.RAISE
        yield PhhAction(verb, player[before.turn], chips=action - 1 if verb is Verb.RAISE else 0)
    elif len(after.board) >= FLOP:
        yield PhhAction(Verb.BOARD, cards=cards_text(after.board[0 if len(after.board) == FLOP else -1 :]))


def _is_showdown(table: HoldemTable) -> bool:
    """Whether there is no more betting and at least two hands are left to show."""
    if table.turn >= 0 or len(table.live) == 1:
        return False
    return table.turn == OVER or sum(table.stacks[seat] > 0 for seat in table.live) < 2


def _fields(history: History) -> dict[str, Any]:
    """The optional PHH fields of a history, with those it had when it was read."""
    game = history.game
    order, plain = game.stakes.order, plain_game(game.stakes)
    fields: dict[str, Any] = {}
    if game.stakes.ante:
        fields["ante_trimming_status"] = True
    fields["seats"] = [seat + 1 for seat in order]
    fields["seat_count"] = game.seats
    if history.names:
        fields["players"] = [history.names[seat] for seat in order]
    if history.hero is not None:
        fields["_hero"] = history.hero + 1
    if game != plain:
        fields["_game"] = game.name
        fields["_settings"] = {key: value for key, value in game.settings.items() if value != plain.settings[key]}
    return {**history.fields, **fields}


def _hand_text(hand: Hand) -> str:
    return UNKNOWN_CARD * 2 if hand == NO_HAND else cards_text(hole_cards(hand))
