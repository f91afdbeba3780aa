"""The same deal in PokerKit, told what to deal and what to play, so that it can be held against our table.

PokerKit numbers its players from the left of the button on, as our `Stakes.order` does.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pokerkit import Automation, BettingStructure, Deck, Mode, Opening, StandardHighHand, State, Street

from tahur.cards.cards import Card, cards_of, cards_text
from tahur.core.game import Action, Hand
from tahur.games.holdem.stakes import Limit, Stakes
from tahur.games.holdem.table import CALL, FOLD

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
UNKNOWN_CARD = "??"


class RememberedHand(StandardHighHand):
    """PokerKit's own hand, worked out once: it asks for each many times, which is most of its time."""

    @classmethod
    def from_game(cls, hole_cards: Any, board_cards: Any = ()) -> Any:
        return _hand(tuple(hole_cards), tuple(board_cards))


@lru_cache(maxsize=64)
def _hand(hole_cards: tuple[Any, ...], board_cards: tuple[Any, ...]) -> Any:
    return StandardHighHand.from_game(hole_cards, board_cards)


def pokerkit_state(stakes: Stakes, hands: tuple[Hand, ...] = (), mode: Mode = Mode.TOURNAMENT) -> State:
    """PokerKit's state once the hands are dealt; no hands given: it knows of none."""
    limit = isinstance(stakes.structure, Limit)
    state = State(
        AUTOMATIONS,
        Deck.STANDARD,
        (RememberedHand,),
        _streets(stakes),
        BettingStructure.FIXED_LIMIT if limit else BettingStructure.NO_LIMIT,
        True,  # what nobody else could ante is given back, and antes are part of the side pots
        stakes.ante,
        stakes.blinds,
        0,
        tuple(stakes.stacks[seat] for seat in stakes.order),
        len(stakes.order),
        mode=mode,
    )
    for seat in stakes.order:
        state.deal_hole(cards_text(cards_of(hands[seat])) if hands else UNKNOWN_CARD * 2)
    return state


def apply(state: State, action: Action) -> None:
    if action == FOLD:
        state.fold()
    elif action == CALL:
        state.check_or_call()
    else:
        state.complete_bet_or_raise_to(action - 1)


def deal_board(state: State, board: list[int]) -> None:
    """Deal, from the whole board, the cards of the next street."""
    state.burn_card(UNKNOWN_CARD)
    count = state.board_dealing_count
    assert count is not None
    lie = len(state.board_cards)
    state.deal_board("".join(str(Card(card)) for card in board[lie : lie + count]))


def least_and_most(state: State) -> tuple[int, int] | None:
    """What the actor may raise to."""
    least = state.min_completion_betting_or_raising_to_amount
    most = state.max_completion_betting_or_raising_to_amount
    return None if least is None or most is None or not state.can_complete_bet_or_raise_to(most) else (least, most)


def can_only_check(state: State) -> bool:
    return state.actor_index is not None and not state.checking_or_calling_amount and least_and_most(state) is None


def _streets(stakes: Stakes) -> tuple[Street, ...]:
    structure = stakes.structure
    big_blind = stakes.blinds[1]
    caps: tuple[int | None, ...] = (None,) * 4
    bets = (big_blind,) * 4
    if isinstance(structure, Limit):
        caps = structure.caps
        bets = (structure.small_bet, structure.small_bet, structure.big_bet, structure.big_bet)
    return tuple(
        Street(
            card_burning_status=number > 0,
            hole_dealing_statuses=() if number else (False, False),
            board_dealing_count=(0, 3, 1, 1)[number],
            draw_status=False,
            opening=Opening.POSITION,
            min_completion_betting_or_raising_amount=bets[number],
            max_completion_betting_or_raising_count=cap,
        )
        for number, cap in enumerate(caps)
    )
