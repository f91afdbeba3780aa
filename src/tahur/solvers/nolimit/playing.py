"""A blueprint at a real table: the hand's history as a line of the abstract tree, with the ranges of both seats.

An action that the tree has is that action. A bet between two of its sizes is read as the likelier of the two by the
pseudo-harmonic mapping (Ganzfried and Sandholm 2013), so that the reading is a function of the history; as all-in only
if it is nearly that. How often hands fold to it lies between their answers to both sizes, by what makes a bluff break
even: risk / (risk + pot). A bet smaller than all of the tree's lies between none and the smallest, a larger one between
the largest and all-in, whose answer is then that of a small game (`overbets.py`). Ranges are updated by Bayes' rule
with the strategy that is played; an action is never taken to be impossible for every hand.

Where the reading cannot continue (the tree was all-in, or the file ends after the flop), the player checks if it can,
and calls if its equity against the opponent's range is at least the price.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from tahur.cards.cards import COMBOS
from tahur.cards.equity.hand import equities
from tahur.cards.equity.removal import alive_hands
from tahur.cards.equity.tables import combos
from tahur.cards.flops import start_classes
from tahur.core.archive import once_per_file
from tahur.core.arrays import Float64s
from tahur.core.errors import StrategyError
from tahur.core.game import CHANCE, Action, Game
from tahur.core.player import View
from tahur.core.resolver import ResolvedDecision
from tahur.games.holdem import fourteen
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.stakes import RIVER, NoLimit
from tahur.games.holdem.table import CALL, FOLD, HoldemTable, opening
from tahur.solvers.nolimit.blueprint import Blueprint, is_blueprint, read_blueprint
from tahur.solvers.nolimit.overbets import calls
from tahur.solvers.nolimit.translation import BetReading, read_bet
from tahur.solvers.nolimit.tree import DECISION

LEAST: Final = 1e-4  # the least probability that a range is multiplied by, so that no action empties it
CLOSE: Final = 1.5  # the ratio up to which a table's depth may differ from the blueprint's
REMEMBERED: Final = 256  # histories


@dataclass(frozen=True, slots=True, eq=False)
class LineReading:
    """A history in the tree. `lost` says why it cannot continue from `node`; empty while it can."""

    node: int
    ranges: tuple[Float64s, Float64s]  # of the button and the big blind, (1326,) each
    translated: tuple[str, ...] = ()
    lost: str = ""
    other: int | None = None  # the node after the tree's other size near the last bet
    share: float = 0.0  # of the answer to `other`, to no bet or to all-in in how often hands fold to the last bet
    overbet: Float64s | None = (
        None  # (1326,) the bettor's range before the last bet, if all bets of the tree are smaller
    )


class BlueprintStrategy:
    """A blueprint's strategy at tables for two, for whichever seat has to act."""

    def __init__(self, blueprint: Blueprint) -> None:
        self.blueprint = blueprint
        self._read = lru_cache(REMEMBERED)(self._new_reading)
        self._calls = lru_cache(REMEMBERED)(self._overbet_calls)

    def misfit(self, game: Game[Any]) -> str | None:
        """Why the strategy cannot be played at that game; None if it can."""
        if not isinstance(game, Holdem) or not isinstance(game.stakes.structure, NoLimit):
            return f"this is a blueprint of no-limit hold'em; the table plays {game.name}"
        stakes = game.stakes
        if len(stakes.order) != 2 or stakes.ante or stakes.showdown_board != RIVER:
            return "this blueprint is for two seats without an ante and for four streets; the table plays otherwise"
        depth = min(stakes.stacks[seat] for seat in stakes.order) / stakes.blinds[1]
        if not 1 / CLOSE <= depth / self.blueprint.depth <= CLOSE:
            return f"this blueprint is for stacks of {self.blueprint.depth:g} big blinds; the table has {depth:g}"
        return None

    def probabilities(self, view: View) -> Mapping[Action, float]:
        """The probability of each action with the viewer's hand."""
        if view.hand is None:
            raise StrategyError("a spectator has no hand to play")
        table: HoldemTable = view.table
        reading = self.read(table)
        if reading.lost:
            theirs = reading.ranges[1 - position(table, table.turn)]
            return {_by_the_price(table, theirs, view.hand): 1.0}
        chances: dict[Action, float] = {}
        for index, chance in enumerate(self._mix(reading, table)[:, view.hand].tolist()):
            action = self._action(table, reading.node, index)
            chances[action] = chances.get(action, 0.0) + chance
        return {action: chance for action, chance in sorted(chances.items()) if chance > 0}

    def resolve(self, table: HoldemTable) -> ResolvedDecision:
        """What every hand of the seat to act does."""
        reading = self.read(table)
        if reading.lost:
            return _resolved(table, reading.ranges, _by_the_prices(table, reading.ranges), _note(reading))
        chances: dict[Action, Float64s] = {}
        evs: dict[Action, Float64s] = {}
        known = None if table.board else self.blueprint.preflop_values(reading.node)
        for choice, row in enumerate(self._mix(reading, table)):
            action = self._action(table, reading.node, choice)
            chances[action] = chances.get(action, np.zeros(COMBOS)) + row
            if known is not None:
                evs[action] = known[choice][start_classes().member] * table.stakes.blinds[1]
        decision = _resolved(table, reading.ranges, chances, _note(reading))
        return replace(decision, values=np.array([evs[action] for action in decision.actions])) if evs else decision

    def read_as(self, table: HoldemTable, action: Action) -> Action | None:
        """The action of `resolve` that an action at a table is read as; None if the tree has none."""
        reading = self.read(table)
        bet = None if reading.lost else self._bet_reading(reading.node, table, action)
        return None if bet is None else self._action(table, reading.node, bet.choice)

    def thought(self, view: View) -> str:
        """How bets that the tree lacks were read, and whether the line could be followed; empty on the tree's lines."""
        return self.note(view.table)

    def note(self, table: HoldemTable) -> str:
        """The same for any seat."""
        return _note(self.read(table))

    def read(self, table: HoldemTable) -> LineReading:
        """The table's history in the tree."""
        return self._read(table)

    def _new_reading(self, table: HoldemTable) -> LineReading:
        """Follow the history from the first action."""
        now, everything = opening(table.stakes), np.ones(COMBOS)
        reading = LineReading(0, (everything, everything))
        for action in table.history:
            if now.turn == CHANCE:
                alive = alive_hands((action,))
                reading = replace(reading, ranges=(reading.ranges[0] * alive, reading.ranges[1] * alive))
            elif not reading.lost:
                reading = self._after(reading, now, action)
            now = now.after(action)
        return reading if reading.lost else replace(reading, lost=self._why_lost(reading.node, table))

    def _after(self, reading: LineReading, table: HoldemTable, action: Action) -> LineReading:
        """The reading after one more action."""
        if reason := self._why_lost(reading.node, table):
            return replace(reading, lost=reason)
        bet = self._bet_reading(reading.node, table, action)
        if bet is None:
            return replace(reading, lost=f"the tree has no bet where {action - 1} was bet")
        choice, children = bet.choice, self.blueprint.tree.arrays.child[reading.node]
        seat = position(table, table.turn)
        chosen = np.maximum(self._mix(reading, table)[choice], LEAST)
        mine = reading.ranges[seat] * chosen
        ranges = (mine, reading.ranges[1]) if seat == 0 else (reading.ranges[0], mine)
        ours = self._action(table, reading.node, choice)
        words = () if ours == action else (f"a bet of {action - 1} as {'over ' * bet.is_largest}{ours - 1}",)
        return LineReading(
            node=int(children[choice]),
            ranges=ranges,
            translated=(*reading.translated, *words),
            other=None if bet.other is None else int(children[bet.other]),
            share=bet.share,
            overbet=reading.ranges[seat] if bet.is_largest else None,
        )

    def _mix(self, reading: LineReading, table: HoldemTable) -> Float64s:
        """(actions, 1326) the strategy at a node of the tree, adapted to the size of a bet that the tree lacks."""
        mix, menu = self.blueprint.mix(reading.node, table.board), self.blueprint.tree.menus[reading.node]
        if reading.share > 0 and menu[0] == fourteen.FOLD:
            folding = np.zeros(COMBOS)
            if reading.overbet is not None:
                folding = 1 - self._calls(table)
            elif reading.other is not None:
                folding = self.blueprint.mix(reading.other, table.board)[0]
            _fold(mix, (1 - reading.share) * mix[0] + reading.share * folding, menu.index(fourteen.CALL))
        return mix

    def _overbet_calls(self, table: HoldemTable) -> Float64s:
        """(1326,) how often each hand calls the last bet, which is larger than those of the tree."""
        reading, seat = self.read(table), position(table, table.turn)
        assert reading.overbet is not None
        return calls(table, reading.ranges[seat], reading.overbet)

    def _why_lost(self, node: int, table: HoldemTable) -> str:
        """Why the tree's node does not belong to the table; empty if it does."""
        arrays = self.blueprint.tree.arrays
        if arrays.kind[node] != DECISION or arrays.street[node] != table.street:
            return "the tree was all-in there"
        if arrays.seat[node] != position(table, table.turn):
            return "the other seat acts in the tree"
        return "" if table.street < self.blueprint.streets else "the blueprint ends before this street"

    def _bet_reading(self, node: int, table: HoldemTable, action: Action) -> BetReading | None:
        """The tree's action that a table's action is read as; None if the tree has none."""
        menu, fractions = self.blueprint.tree.menus[node], self.blueprint.tree.fractions[node]
        if action <= CALL:
            index = fourteen.FOLD if action == FOLD else fourteen.CALL
            return BetReading(menu.index(index)) if index in menu else None
        if action - 1 == table.raises[-1] and fourteen.ALL_IN in menu:
            return BetReading(menu.index(fourteen.ALL_IN))
        bets = {at: fractions[at] for at, index in enumerate(menu) if index > fourteen.CALL}
        if not bets:
            return None
        called = table.pot + table.to_call
        x, most = ((total - table.bet) / called for total in (action - 1, table.raises[-1]))
        reading = read_bet(bets, x, price=table.to_call / called, most=most)
        is_all_in = menu[reading.choice] == fourteen.ALL_IN and reading.other is not None
        return reading.swapped() if is_all_in and _leaves_a_pot(table, action) else reading

    def _action(self, table: HoldemTable, node: int, choice: int) -> Action:
        """A tree's action at the table: the same part of the pot, or the nearest legal bet."""
        index = self.blueprint.tree.menus[node][choice]
        if index == fourteen.FOLD and table.to_call:
            return FOLD
        raises = table.raises
        if index <= fourteen.CALL or not raises:
            return CALL
        wanted = table.bet + round(self.blueprint.tree.fractions[node][choice] * (table.pot + table.to_call))
        return (raises[-1] if index == fourteen.ALL_IN else min(max(wanted, raises[0]), raises[-1])) + 1


def read(path: Path) -> BlueprintStrategy | None:
    """The strategy in a file written by `tahur solve nlhe`; None if it is another kind of file."""
    return _strategy(path) if is_blueprint(path) else None


@once_per_file(4)
def _strategy(path: Path) -> BlueprintStrategy:
    """One strategy per file, so that its cache outlives a player, until the file changes."""
    return BlueprintStrategy(read_blueprint(path))


def _fold(mix: Float64s, folding: Float64s, call: int) -> None:
    """Let hands fold that often: others call instead, or all their other actions are rarer."""
    continuing = 1 - mix[0]
    rarer = np.where(continuing > 0, (1 - folding) / np.where(continuing > 0, continuing, 1.0), 1.0)
    mix[1:] *= np.minimum(rarer, 1.0)
    mix[call] += np.maximum(mix[0] - folding, 0.0)
    mix[0] = folding


def _leaves_a_pot(table: HoldemTable, action: Action) -> bool:
    """Whether both seats would have at least the pot left after a call of a bet."""
    added = action - 1 - table.bet
    called = table.pot + table.to_call + 2 * added
    return min(table.stacks[table.turn] - table.to_call, table.stacks[1 - table.turn]) - added >= called


def position(table: HoldemTable, seat: int) -> int:
    """The tree's seat of a table's seat: 0 has the button, 1 the big blind."""
    return int(seat != table.stakes.button)


def _note(reading: LineReading) -> str:
    """How bets that the tree lacks were read, and whether the line could be followed; empty on the tree's lines."""
    if reading.lost:
        return f"cannot follow: {reading.lost}; checks or calls by the price"
    return f"reads {', '.join(reading.translated)}" if reading.translated else ""


def _resolved(
    table: HoldemTable, ranges: tuple[Float64s, Float64s], chances: Mapping[Action, Float64s], note: str
) -> ResolvedDecision:
    """The decision at a table, with the ranges in the order of its seats."""
    actions = tuple(sorted(chances))
    mix = np.array([chances[action] for action in actions])
    return ResolvedDecision(actions, mix, ranges if position(table, 0) == 0 else ranges[::-1], note=note)


def _by_the_prices(table: HoldemTable, ranges: tuple[Float64s, Float64s]) -> dict[Action, Float64s]:
    """Without a strategy, for every hand: check, or call if the equity is at least the price."""
    if not table.to_call:
        return {CALL: np.ones(COMBOS)}
    seat = position(table, table.turn)
    calls = np.zeros(COMBOS)
    for hand in np.flatnonzero(ranges[seat]).tolist():
        calls[hand] = _by_the_price(table, ranges[1 - seat], hand) == CALL
    return {FOLD: 1 - calls, CALL: calls}


def _by_the_price(table: HoldemTable, theirs: Float64s, hand: int) -> Action:
    """Without a strategy: check, or call if the equity is at least the price."""
    if not table.to_call:
        return CALL
    shares = equities(hand, table.board)
    met = theirs * ((combos().mask & combos().mask[hand]) == 0)
    share = float(shares @ met) / met.sum() if met.any() else 0.0
    return CALL if share * (table.pot + table.to_call) >= table.to_call else FOLD
