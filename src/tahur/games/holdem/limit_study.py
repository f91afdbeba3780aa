"""A strategy for a two-player limit game viewed decision by decision: one row for each of the 169 hands.

A line is the actions, separated by commas, with the dealt cards: `raise,call,Ks8s3d,check`. With a board, a row is the
mean over the combos of the hand, weighted by their reach. Frequencies are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, DECK_SIZE, cards_text, combo_of, parse_cards
from tahur.cards.equity.tables import combos
from tahur.cards.rankings import class_names, class_of_combos
from tahur.core.arrays import Float64s
from tahur.core.errors import CardError, StrategyError
from tahur.core.game import CHANCE, OVER
from tahur.core.spots import DecisionTable, HandRow, Onward
from tahur.games.betting import NOT_LEGAL, Betting, Board, LimitPolicy, slot_of
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.table import HoldemTable

FLOP: Final = 3  # board cards
SEATS: Final = ("small blind", "big blind")
_BOARDS: Final = {0: 1, 3: comb(48, 3), 4: comb(48, 3) * 45, 5: comb(48, 3) * 45 * 44}  # possible, given two hands
_KEPT: Final = 64  # cached answers of the policy


@dataclass(frozen=True, slots=True)
class Glance:
    """A decision without its hands: the frequency of each action, and how often play reaches it."""

    seat: int
    actions: tuple[str, ...]
    average: tuple[float, ...]
    frequency: float


@dataclass(frozen=True, eq=False)
class LimitStudy:
    """A policy and the betting tree of its game."""

    policy: LimitPolicy
    betting: Betting

    @property
    def game(self) -> Holdem:
        game: Holdem = self.betting.game
        return game

    def seat_name(self, seat: int) -> str:
        """The button has the small blind; after the flop the big blind is out of position."""
        return SEATS[int(seat != self.game.stakes.button)]

    def spot(self, line: str = "") -> DecisionTable:
        """The table of the decision after a line; raises `StrategyError` where nobody decides."""
        table = self.table(line)
        reached, reach = self._reach(table)
        glance, chances = self._glance(table, reached)
        return DecisionTable(
            line=self._labels(table),
            seat=table.turn,
            actions=glance.actions,
            rows=tuple(_rows(_shares(reached), reach, chances, table.board)),
            average=glance.average,
            frequency=glance.frequency,
            onward=tuple(self._onward(table)),
        )

    def glance(self, line: str) -> Glance:
        """The action frequencies of the decision after a line."""
        table = self.table(line)
        return self._glance(table, self._reach(table)[0])[0]

    def hand(self, line: str, hand: str) -> dict[str, float]:
        """What a hand does after a line, by label; the hand is one of the 169 (`K9s`) or two cards (`Kd9d`)."""
        name = next((name for name in class_names() if name.lower() == hand.lower()), None)
        if name is not None:
            spot = self.spot(line)
            row = next((row for row in spot.rows if row.text == name), None)
            if row is None:
                raise StrategyError(f"nobody can hold {name} after '{line}'")
            return dict(zip(spot.actions, row.chances, strict=True))
        table = self.table(line)
        combo = _combo(hand, table.board)
        glance, chances = self._glance(table, self._reach(table)[0])
        return dict(zip(glance.actions, chances[combo].tolist(), strict=True))

    def table(self, line: str) -> HoldemTable:
        """The table after a line of labels, or prefixes of them, and cards."""
        table, played = self._play_line(line)
        if table.turn == CHANCE:
            raise StrategyError(f"{_next(table)} after '{','.join(played)}'; add the cards, such as {_such(table)}")
        if table.turn == OVER:
            raise StrategyError(f"nobody decides after '{','.join(played)}': the deal is over")
        return table

    def to_the_flop(self, line: str) -> tuple[str, ...]:
        """The labels of a line that ends the betting before the flop; raises `StrategyError` for others."""
        table, played = self._play_line(line)
        if table.turn != CHANCE or table.board:
            raise StrategyError(f"no flop comes after '{','.join(played)}'; lines such as raise,call lead to one")
        return tuple(played)

    # ---- frequencies -------------------------------------------------------------------------------

    def _glance(self, table: HoldemTable, reached: Float64s) -> tuple[Glance, Float64s]:
        """The glance, and the probabilities of all hands, (1326, legal actions)."""
        node = self.betting.find(table)
        actions = [int(action) for action in self.betting.actions[node] if action != NOT_LEGAL]
        chances = self._chances(node, table.board)[:, [slot_of(action) for action in actions]]
        open_ = _open(table.board)
        weights = _shares(reached) if reached.any() else open_ / open_.sum()
        labels = tuple(self.game.label(table, action) for action in actions)
        return Glance(table.turn, labels, tuple((weights @ chances).tolist()), float(reached.sum())), chances

    def _reach(self, table: HoldemTable) -> tuple[Float64s, Float64s]:
        """The probability that the seat to act is here with each hand, and its own contribution to it."""
        reach = np.ones((2, COMBOS))
        earlier = self.game.start()
        for action in table.history:
            if earlier.turn != CHANCE:
                node = self.betting.find(earlier)
                reach[earlier.turn] *= self._chances(node, earlier.board)[:, slot_of(action)]
            earlier = earlier.after(action)
        possible = _open(table.board)
        theirs = reach[1 - table.turn] * possible
        by_card = np.bincount(combos().cards.ravel(), np.repeat(theirs, 2), DECK_SIZE)
        others = theirs.sum() - by_card[combos().cards].sum(axis=1) + theirs
        each_deal = 1 / (COMBOS * comb(DECK_SIZE - 2, 2)) / _BOARDS[len(table.board)]
        return reach[table.turn] * possible * np.maximum(others, 0) * each_deal, reach[table.turn] * possible

    @cached_property
    def _chances(self) -> Callable[[int, Board], Float64s]:
        """(1326, 3), cached for the most recent decisions; rows of impossible hands are arbitrary."""

        @lru_cache(maxsize=_KEPT)
        def chances(node: int, board: Board) -> Float64s:
            return np.asarray(self.policy.chances(node, board), np.float64)

        return chances

    def _onward(self, table: HoldemTable) -> Iterator[Onward]:
        for action in table.actions():
            after = table.after(action)
            if after.turn >= 0:
                yield Onward(self._labels(after), float(self._reach(after)[0].sum()), after.turn)

    # ---- labels ------------------------------------------------------------------------------------

    def _play_line(self, line: str) -> tuple[HoldemTable, list[str]]:
        """The table after a line, and the words of its actions and cards."""
        table, played = self.game.start(), list[str]()
        for word in filter(None, (word.strip() for word in line.split(","))):
            if table.turn == CHANCE:
                for card in _cards(word, table, played):
                    table = table.after(card)
                played.append(word)
            else:
                action = self._parse_action(table, word, played)
                played.append(self.game.label(table, action))
                table = table.after(action)
        return table, played

    def _labels(self, table: HoldemTable) -> tuple[str, ...]:
        """The history as texts: actions, and the cards dealt together."""
        at, labels, shown = self.game.start(), list[str](), 0
        for action in table.history:
            dealt = at.turn == CHANCE
            if not dealt:
                labels.append(self.game.label(at, action))
            at = at.after(action)
            if dealt and at.turn != CHANCE:
                labels.append(cards_text(at.board[shown:]))
                shown = len(at.board)
        return tuple(labels)

    def _parse_action(self, table: HoldemTable, word: str, played: list[str]) -> int:
        """The action that a word names, in full or by a beginning that fits only one."""
        labels = {action: self.game.label(table, action) for action in table.actions()}
        wanted = "".join(word.lower().split())
        for fits in (str.__eq__, str.startswith):
            candidates = [action for action, label in labels.items() if fits("".join(label.split()), wanted)]
            if len(candidates) == 1:
                return candidates[0]
        after = f"after '{','.join(played)}'" if played else "at the start"
        possible = f"; possible: {', '.join(labels.values())}" if labels else ": the deal is over"
        raise StrategyError(f"'{word}' is not possible {after}{possible}")


def _next(table: HoldemTable) -> str:
    return {0: "the flop comes", FLOP: "the turn comes"}.get(len(table.board), "the river comes")


def _such(table: HoldemTable) -> str:
    return "one card, 2c" if table.board else "three cards, Ks8s3d"


def _cards(word: str, table: HoldemTable, played: list[str]) -> Board:
    """The cards that a word names, if chance may deal them here."""
    expected = f"{_next(table)} after '{','.join(played)}', such as {_such(table)}"
    try:
        cards = parse_cards(word)
    except CardError as error:
        raise StrategyError(f"{expected}: {error}") from None
    if len(cards) != (1 if table.board else FLOP) or set(cards) & set(table.board):
        raise StrategyError(f"{expected}, not '{word}'")
    return tuple(cards)


def _combo(hand: str, board: Board) -> int:
    """The combo that a text such as Kd9d names, if it is possible on the board."""
    try:
        cards = parse_cards(hand)
    except CardError:
        cards = ()
    if len(cards) != 2 or set(cards) & set(board):
        where = f" with {cards_text(board)} on the board" if board else ""
        raise StrategyError(f"no hand '{hand}'{where}; write one such as AA, K9s, 72o or Kd9d")
    return combo_of(cards)


def _open(board: Board) -> NDArray[np.bool_]:
    """(1326,) which hands are possible with this board."""
    held: Any = np.isin(combos().cards, board).any(axis=1)
    return np.asarray(~held)


def _shares(met: Float64s) -> Float64s:
    total = met.sum()
    return met / total if total else np.full(COMBOS, 1 / COMBOS)


def _rows(weights: Float64s, reach: Float64s, chances: Float64s, board: Board) -> Iterator[HandRow]:
    """A row for each of the 169 hands that is possible, in the order of the matrix."""
    numbers, open_ = class_of_combos(), _open(board)
    for number, name in enumerate(class_names()):
        mine = np.flatnonzero((numbers == number) & open_)
        if not len(mine):
            continue
        share = weights[mine].sum()
        parts = weights[mine] / share if share else np.full(len(mine), 1 / len(mine))
        mean = tuple((parts @ chances[mine]).tolist())
        yield HandRow(hand=int(mine[-1]), text=name, reach=float(reach[mine].mean()), share=float(share), chances=mean)
