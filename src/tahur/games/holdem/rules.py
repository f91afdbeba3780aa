"""Hold'em as a game: deals, chance, showdowns, labels of actions, and the next deal.

A hand is a combo of two cards, numbered as in `cards.cards`; a seat without chips holds NO_HAND. Payoffs are chips won
or lost, and sum to zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import permutations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, DECK_SIZE, Card, cards_of, cards_text
from tahur.cards.evaluator import evaluate_many, evaluator
from tahur.core.errors import IllegalAction
from tahur.core.game import CHANCE, NOT_HERE, OVER, Action, Fold, Hand, Seat, Settings, Showdown, Symmetry
from tahur.core.record import Record
from tahur.games.holdem.stakes import RIVER, Limit, NoLimit, Stakes, stacks_of, two_numbers, whole_number, yes_or_no
from tahur.games.holdem.table import CALL, FOLD, HoldemTable, opening, winnings

NO_HAND: Final = -1
USUAL: Final = (6, 200)  # default seats, and chips for each: 100 big blinds


@dataclass(frozen=True)
class Holdem:
    """The rules of one deal. `carry`: the next deal starts with the final stacks of this one instead of the same."""

    name: str
    stakes: Stakes
    carry: bool = True

    @property
    def seats(self) -> int:
        return len(self.stakes.stacks)

    @cached_property
    def settings(self) -> Settings:
        """The settings with which the registry makes this game again."""
        stakes = self.stakes
        settings = {
            "stacks": list(stakes.stacks),
            "blinds": list(stakes.blinds),
            "ante": stakes.ante,
            "button": stakes.button,
            "carry": self.carry,
        }
        if stakes.free_folds:
            settings["free_folds"] = True
        if isinstance(stakes.structure, Limit):
            settings["bets"] = [stakes.structure.small_bet, stakes.structure.big_bet]
            settings["caps"] = list(stakes.structure.caps)
            settings["showdown_board"] = stakes.showdown_board
        return settings

    def start(self) -> HoldemTable:
        return self._opening

    def deal(self, rng: np.random.Generator) -> tuple[Hand, ...]:
        """Two cards from the top of a shuffled deck for each seat that has chips."""
        stacks = self.stakes.stacks
        cards = _shuffle_top(2 * len(self.stakes.order), rng)
        return tuple([_combo(cards.pop(), cards.pop()) if stack else NO_HAND for stack in stacks])

    def outcomes(self, table: HoldemTable, hands: Sequence[Hand]) -> Sequence[Action]:
        """The cards that are neither on the board nor in any hand, including folded ones."""
        if table.turn != CHANCE:
            return ()
        hole_cards = _hole_cards()
        gone = [*table.board]
        for hand in hands:
            if hand != NO_HAND:
                gone += hole_cards[hand]
        gone.sort(reverse=True)
        left = list(range(DECK_SIZE))
        for card in gone:  # highest first, so that the indices below stay valid
            del left[card]
        return left

    def payoffs(self, table: HoldemTable, hands: Sequence[Hand]) -> tuple[float, ...]:
        """What each seat wins or loses in chips, for finished hands."""
        if table.turn != OVER:
            raise IllegalAction(f"{self.name}: nobody is paid before the deal is over; it is at {list(table.history)}")
        lost = [has - had for had, has in zip(self.stakes.stacks, table.stacks, strict=True)]
        if len(table.live) == 1:
            lost[table.live[0]] -= sum(lost)
            return tuple(lost)
        rank, hole_cards = evaluator(), _hole_cards()
        ranks = {seat: rank((*hole_cards[hands[seat]], *table.board)) for seat in table.live}
        for seat, chips in winnings(table.pots, ranks).items():
            lost[seat] += chips
        return tuple(lost)

    def worth(self, table: HoldemTable, hands: Sequence[Hand]) -> tuple[float, ...] | None:
        """The expected payoffs if everybody checks or calls to the end."""
        if table.turn == OVER:
            return self.payoffs(table, hands)
        from tahur.games.holdem.worth import worth  # it loads the kernels, which play does not need

        return worth(table, hands)

    def luck_of_deal(self, hands: Sequence[Hand]) -> tuple[float, ...]:
        """What the hole cards are worth to each seat if all blinds and antes are called."""
        from tahur.games.holdem.worth import luck_of_deal

        return luck_of_deal(self.start(), hands)

    def ranges_misfit(self) -> str | None:
        """Why ranges cannot be evaluated; None at tables for two with four streets."""
        stakes = self.stakes
        if len(stakes.stacks) == len(stakes.order) == 2 and stakes.showdown_board == RIVER:
            return None
        cards = "" if stakes.showdown_board == RIVER else f" and {stakes.showdown_board} board cards"
        return f"ranges are evaluated at tables for two with five board cards; this one has {self.seats} seats{cards}"

    def holdable(self, table: HoldemTable) -> NDArray[np.float64]:
        from tahur.cards.equity.removal import alive_hands

        return alive_hands(tuple(table.board))

    def meeting(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        from tahur.cards.equity.removal import meeting

        return meeting(weights)

    def range_worth(self, table: HoldemTable, ranges: Sequence[NDArray[np.float64]]) -> float:
        """The expected payoff of seat 0 by equity, a factor for later bets, and calls by the price."""
        from tahur.games.holdem.range_worth import range_worth

        return range_worth(table, ranges)

    def range_luck_of_deal(self, ranges: Sequence[NDArray[np.float64]]) -> float:
        from tahur.games.holdem.range_worth import range_luck_of_deal

        return range_luck_of_deal(self.start(), ranges)

    def revealed(self, table: HoldemTable) -> tuple[Seat, ...]:
        """All live seats at a showdown; none if the others have folded."""
        return tuple(sorted(table.live)) if table.turn == OVER and len(table.live) > 1 else ()

    def label(self, table: HoldemTable, action: Action) -> str:
        """An action in words: `fold`, `call 20`, `raise to 60 all-in`, `deal Kd`."""
        if table.turn < 0:
            return f"deal {Card(action)}"
        if action == FOLD:
            return "fold"
        stack, owed = table.stacks[table.turn], table.to_call
        if action == CALL:
            return f"call {owed}{' all-in' if owed == stack else ''}" if owed else "check"
        chips = action - 1
        all_in = " all-in" if chips == table.bets[table.turn] + stack else ""
        return f"{'raise to' if table.bet else 'bet'} {chips}{all_in}"

    def hand_text(self, hand: Hand) -> str:
        return "" if hand == NO_HAND else cards_text(cards_of(hand))

    def next(self, record: Record) -> Holdem | None:
        """The button moves to the next seat with chips; seats without chips stay, but are not dealt in."""
        stacks = self.stakes.stacks
        if self.carry:
            stacks = tuple(had + int(won) for had, won in zip(stacks, record.payoffs, strict=True))
        around = ((self.stakes.button + step) % self.seats for step in range(1, self.seats))
        button = next((seat for seat in around if stacks[seat]), self.stakes.button)
        if sum(map(bool, stacks)) < 2:
            return None
        return replace(self, stakes=replace(self.stakes, stacks=stacks, button=button))

    def hands(self, seat: Seat) -> Sequence[Hand]:
        return range(COMBOS) if self.stakes.stacks[seat] else (NO_HAND,)

    def prior(self, seat: Seat) -> NDArray[np.float64]:
        count = len(self.hands(seat))
        return np.full(count, 1 / count)

    def possible(self, hands: Sequence[Hand]) -> bool:
        cards = [card for hand in hands if hand != NO_HAND for card in _hole_cards()[hand]]
        return len(set(cards)) == len(cards)

    def terminal(self, table: HoldemTable) -> Fold | Showdown:
        """The payoffs for two seats. The odd chip of a split pot goes where `winnings` puts it."""
        lost = [has - had for had, has in zip(self.stakes.stacks, table.stacks, strict=True)]
        if len(table.live) == 1:
            return Fold(float(-lost[1] if table.live[0] == 0 else lost[0]))
        win, lose, tie = (
            lost[0] + winnings(table.pots, {seat: ranks[seat] for seat in table.live})[0]
            for ranks in ((2, 1), (1, 2), (1, 1))
        )
        strengths = _strengths(table.board)
        return Showdown((strengths, strengths), float(win), float(lose), float(tie))

    def holdings(self, seat: Seat) -> NDArray[np.int64]:
        return np.array(_hole_cards())

    def shown(self, table: HoldemTable, move: Action) -> tuple[int, ...]:
        return (move,)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """The 23 permutations of the four suits other than the identity."""
        return _suit_symmetries()

    @cached_property
    def _opening(self) -> HoldemTable:
        return opening(self.stakes)


def no_limit(
    *,
    stacks: Any = None,
    seats: Any = None,
    stack: Any = None,
    blinds: Any = (1, 2),
    ante: Any = 0,
    button: Any = 0,
    carry: Any = True,
    free_folds: Any = False,
) -> Holdem:
    """No-limit hold'em. Pass `stacks`, or `seats` and one `stack` for all; the default is six seats with 200 chips."""
    stakes = Stakes(
        stacks=stacks_of(stacks, seats, stack, usual=USUAL),
        blinds=two_numbers("blinds", blinds),
        ante=whole_number("ante", ante),
        button=whole_number("button", button),
        structure=NoLimit(),
        free_folds=yes_or_no("free_folds", free_folds),
    )
    return Holdem("nlhe", stakes, yes_or_no("carry", carry))


def _shuffle_top(count: int, rng: np.random.Generator) -> list[int]:
    """The first cards of a shuffled deck; the rest is not shuffled."""
    deck = list(range(DECK_SIZE))
    left = DECK_SIZE
    top = []
    for draw in rng.random(count).tolist():
        index = int(draw * left)
        left -= 1
        top.append(deck[index])
        deck[index] = deck[left]
    return top


def _combo(one: int, other: int) -> Hand:
    """`cards.combo_of`, inlined because it is called for every hand that is dealt."""
    low, high = (one, other) if one < other else (other, one)
    return high * (high - 1) // 2 + low


@lru_cache(maxsize=64)  # boards; many terminals of a tree have the same one
def _strengths(board: tuple[int, ...]) -> NDArray[np.int64]:
    """The rank of each hand on a board, NOT_HERE for those that contain one of its cards."""
    combos = np.array(_hole_cards(), np.uint8)
    free = ~np.isin(combos, board).any(axis=1)
    cards = np.concatenate([combos[free], np.tile(np.array(board, np.uint8), (int(free.sum()), 1))], axis=1)
    strengths = np.full(COMBOS, NOT_HERE)
    strengths[free] = evaluate_many(cards)
    return strengths


@cache
def _suit_symmetries() -> tuple[Symmetry, ...]:
    cards, combos = np.arange(DECK_SIZE), np.array(_hole_cards())
    renamings = [4 * (cards // 4) + np.array(suits)[cards % 4] for suits in permutations(range(4))]
    hands = [[_combo(int(one), int(other)) for one, other in renaming[combos]] for renaming in renamings]
    return tuple(
        Symmetry((np.array(relabeling), np.array(relabeling)), dict(enumerate(renaming.tolist())))
        for relabeling, renaming in list(zip(hands, renamings, strict=True))[1:]
    )


@cache
def _hole_cards() -> tuple[tuple[int, int], ...]:
    """The two cards of each hand, as plain integers."""
    return tuple((int(high), int(low)) for high, low in map(cards_of, range(COMBOS)))
