"""A strategy for Flop Hold'em, decision by decision, as a person studies it: `Spot`s, a row for each of the 169 hands.

A line is what was played, with commas, and the flop as three cards: `raise,call,Ks8s3d,check`. On a flop a row is the
mean over the combos of the hand as they come there. How often play comes somewhere is exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, DECK_SIZE, cards_text, parse_cards
from tahur.cards.equity.tables import combos
from tahur.cards.flops import Flop, least_flop
from tahur.cards.rankings import class_names, class_of_combos
from tahur.core.errors import CardError, StrategyError
from tahur.core.game import CHANCE, OVER
from tahur.core.spots import HandRow, Onward, Spot
from tahur.games.holdem.limit_betting import NOT_LEGAL, Betting, betting_of, slot_of
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.table import HoldemTable

Numbers = NDArray[np.float64]
FLOP: Final = 3  # cards
FLOPS: Final = comb(DECK_SIZE - 4, FLOP)  # that two hands leave possible


class Policy(Protocol):
    """Probabilities of fold, call and raise for all 1,326 hands; flops are the least of their classes."""

    def preflop(self) -> NDArray[np.float32]: ...

    def flop(self, cards: Flop) -> NDArray[np.float32]: ...


@dataclass(frozen=True, eq=False)
class FlopStudy:
    """A policy and the game it is for."""

    policy: Policy
    game: Holdem

    @cached_property
    def betting(self) -> Betting:
        return betting_of(self.game)

    def spot(self, line: str = "") -> Spot:
        """All about the decision that a line leads to; refuses lines where nobody decides."""
        return self._spot(self.table(line))

    def table(self, line: str) -> HoldemTable:
        """The table after a line of labels or their beginnings, the flop among them."""
        table, played = self.game.start(), list[str]()
        for word in filter(None, (word.strip() for word in line.split(","))):
            if table.turn == CHANCE:
                for card in _flop(word, played):
                    table = table.after(card)
                played.append(word)
            else:
                action = self._chosen(table, word, played)
                played.append(self.game.label(table, action))
                table = table.after(action)
        if table.turn == CHANCE:
            raise StrategyError(f"the flop comes after '{','.join(played)}'; go on with three cards, such as Ks8s3d")
        if table.turn == OVER:
            raise StrategyError(f"nobody decides after '{','.join(played)}': the deal is over")
        return table

    def _spot(self, table: HoldemTable) -> Spot:
        node, seat = self.betting.find(table), table.turn
        met, reach = self._met(table)
        total = met.sum()
        chances = self._chances(node, table.board)
        actions = [int(action) for action in self.betting.actions[node] if action != NOT_LEGAL]
        slots = [slot_of(action) for action in actions]
        weights = met / total if total else np.full(COMBOS, 1 / COMBOS)
        return Spot(
            line=self._labels(table),
            seat=seat,
            actions=tuple(self.game.label(table, action) for action in actions),
            rows=tuple(_rows(weights, reach, chances[:, slots], table.board)),
            average=tuple((weights @ chances[:, slots]).tolist()),
            frequency=float(total),
            onward=tuple(self._onward(table, actions)),
        )

    def _met(self, table: HoldemTable) -> tuple[Numbers, Numbers]:
        """How often the seat to act comes here with each hand, and how often it plays so that it does."""
        reach = np.ones((2, COMBOS))
        at = self.game.start()
        for action in table.history:
            if at.turn != CHANCE:
                node = self.betting.find(at)
                reach[at.turn] *= self._chances(node, at.board)[:, slot_of(action)]
            at = at.after(action)
        open_ = ~np.isin(combos().cards, table.board).any(axis=1)
        theirs = reach[1 - table.turn] * open_
        by_card = np.bincount(combos().cards.ravel(), np.repeat(theirs, 2), DECK_SIZE)
        met = theirs.sum() - by_card[combos().cards].sum(axis=1) + theirs
        likely = 1 / (COMBOS * comb(DECK_SIZE - 2, 2)) / (FLOPS if table.board else 1)
        return reach[table.turn] * open_ * np.maximum(met, 0) * likely, reach[table.turn] * open_

    def _chances(self, node: int, board: tuple[int, ...]) -> Numbers:
        """(1326, 3)"""
        if not board:
            return np.asarray(self.policy.preflop()[node], np.float64)
        cards, renamed = least_flop(board)
        rows: Any = self.policy.flop(cards)[node - self.betting.first[1]]
        return np.asarray(rows[renamed], np.float64)

    def _onward(self, table: HoldemTable, actions: list[int]) -> Iterator[Onward]:
        for action in actions:
            after = table.after(action)
            if after.turn >= 0:
                yield Onward(self._labels(after), float(self._met(after)[0].sum()), after.turn)

    def _labels(self, table: HoldemTable) -> tuple[str, ...]:
        at, labels = self.game.start(), list[str]()
        for action in table.history:
            dealt = at.turn == CHANCE
            if not dealt:
                labels.append(self.game.label(at, action))
            at = at.after(action)
            if dealt and at.turn != CHANCE:
                labels.append(cards_text(at.board))
        return tuple(labels)

    def _chosen(self, table: HoldemTable, word: str, played: list[str]) -> int:
        labels = {action: self.game.label(table, action) for action in table.actions()}
        asked = "".join(word.lower().split())
        for fits in (str.__eq__, str.startswith):
            found = [action for action, label in labels.items() if fits("".join(label.split()), asked)]
            if len(found) == 1:
                return found[0]
        after = f"after '{','.join(played)}'" if played else "at the start"
        raise StrategyError(f"'{word}' is not possible {after}; possible: {', '.join(labels.values())}")


def _flop(word: str, played: list[str]) -> tuple[int, ...]:
    try:
        cards = parse_cards(word)
    except CardError as error:
        raise StrategyError(f"after '{','.join(played)}' comes the flop, such as Ks8s3d: {error}") from None
    if len(cards) != FLOP:
        raise StrategyError(f"after '{','.join(played)}' comes the flop, three cards such as Ks8s3d, not '{word}'")
    return tuple(cards)


def _rows(weights: Numbers, reach: Numbers, chances: Numbers, board: tuple[int, ...]) -> Iterator[HandRow]:
    """A row for each of the 169 hands that can be held, in the order of the matrix."""
    numbers = class_of_combos()
    open_ = ~np.isin(combos().cards, board).any(axis=1)
    for number, name in enumerate(class_names()):
        mine = np.flatnonzero((numbers == number) & open_)
        if not len(mine):
            continue
        share = weights[mine].sum()
        parts = weights[mine] / share if share else np.full(len(mine), 1 / len(mine))
        mean = tuple((parts @ chances[mine]).tolist())
        yield HandRow(int(mine[-1]), name, float(reach[mine].mean()), float(share), mean)
