"""A solved spot as a strategy: its actions on the actual table, where any bet is legal, with any hand.

The table's history is translated to moves of the tree. A bet that the tree has is that move. A bet between two of the
tree's sizes is translated to either, by the pseudo-harmonic mapping (Ganzfried and Sandholm 2013): a bet of x pots
between A and B is read as A with probability (B - x)(1 + A) / ((B - A)(1 + x)); below the smallest it is the smallest,
above the largest the largest. Raises are measured in pots after calling. Several readings are mixed by their
probabilities, anew at each decision, so that the strategy is a function of the view. Once the pots differ, own bets are
the tree's fractions of the pot, and all-in is all-in.

Where no reading can continue (the tree has no bet there at all, or was all-in already), it checks if it can, and calls
if its equity is at least the price, against the range of the other seat at the last node that it could follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from tahur.cards.cards import Card, cards_text
from tahur.core.errors import StrategyError
from tahur.core.game import CHANCE, Action, Game
from tahur.core.player import View
from tahur.games.holdem.spot import SpotGame
from tahur.games.holdem.table import CALL, FOLD, HoldemTable
from tahur.solvers.postflop.file import is_postflop_file, load_once
from tahur.solvers.postflop.line import BoardNode, moved, node_at, share, start, strategy_at, with_card
from tahur.solvers.postflop.results import to_call
from tahur.solvers.postflop.solve import PostflopSolution
from tahur.solvers.postflop.spot import Spot
from tahur.solvers.postflop.tree import Deed, Node, NodeKind

BETS: Final = (Deed.BET, Deed.RAISE, Deed.ALL_IN)
REMEMBERED: Final = 1024  # cached histories; each has a reach of 1,326 hands for both seats
_SAME: Final = 1e-9  # pots


@dataclass(frozen=True, slots=True, eq=False)
class HistoryReading:
    """One translation of a history. `lost` says why it cannot continue from `state`; empty while it can."""

    weight: float
    state: BoardNode
    to: int = 0  # the highest bet of the street, in the tree's chips
    translated: tuple[str, ...] = ()
    lost: str = ""


class SpotStrategy:
    """The solution's strategy at the spot's table, for whichever seat has to act."""

    def __init__(self, solution: PostflopSolution) -> None:
        self.solution = solution
        self._checked: Game[Any] | None = None
        self._readings = lru_cache(REMEMBERED)(self._read_history)

    def misfit(self, game: Game[Any]) -> str | None:
        """Why the strategy cannot be played at that game; None if it can."""
        spot = self.solution.spot
        if not isinstance(game, SpotGame):
            where = f"{cards_text(spot.board)}, pot {spot.pot}, stack {spot.stack}"
            return f"this is a solved spot ({where}); it plays at spot:FILE, and the table plays {game.name}"
        for name, ours, theirs in (
            ("board", cards_text(spot.board), cards_text(game.board)),
            ("pot", spot.pot, game.pot),
            ("stack", spot.stack, game.stack),
            ("rake", _rake(spot.rake.share, spot.rake.cap), _rake(game.rake, game.rake_cap)),
        ):
            if ours != theirs:
                return f"this spot was solved with {name} {ours}; the table has {name} {theirs}"
        if game.ranges != spot.ranges:
            return "this spot was solved for other ranges than the table deals from"
        return None

    def probabilities(self, view: View) -> Mapping[Action, float]:
        """The probability of each action; a `StrategyError` for a hand or a table that does not belong to the spot."""
        hand = self._hand(view)
        chances: dict[Action, float] = {}
        for reading in self._readings(view.game.start(), view.table):
            for action, chance in self._mix(view, reading, hand):
                chances[action] = chances.get(action, 0.0) + reading.weight * chance
        total = sum(chances.values())
        return {action: chance / total for action, chance in sorted(chances.items()) if chance > 0}

    def thought(self, view: View) -> str:
        """How it translated bets that the tree lacks, and whether it could follow; empty on the tree's own lines."""
        words = []
        for reading in self._readings(view.game.start(), view.table):
            if reading.lost:
                words.append(f"{reading.weight:.0%}: cannot follow: {reading.lost}; checks or calls by the price")
            elif reading.translated:
                words.append(f"{reading.weight:.0%}: reads {', '.join(reading.translated)}")
        return "; ".join(words)

    def _hand(self, view: View) -> int:
        """The viewer's hand, after a check that the game is that of the spot."""
        if view.game is not self._checked:
            if reason := self.misfit(view.game):
                raise StrategyError(reason)
            self._checked = view.game
        if view.hand is None:
            raise StrategyError("a spectator has no hand to play")
        return view.hand

    def _read_history(self, opening: HoldemTable, table: HoldemTable) -> tuple[HistoryReading, ...]:
        """All translations of the table's history."""
        readings = [HistoryReading(1.0, start(self.solution.engine))]
        for now, action in _steps(opening, table.history):
            readings = [after for reading in readings for after in self._after(reading, now, action)]
        return tuple(self._check_turn(reading, table) for reading in readings)

    def _after(self, reading: HistoryReading, table: HoldemTable, action: Action) -> Iterator[HistoryReading]:
        """The readings of the history after one more action or card at the table."""
        node = node_at(self.solution.engine, reading.state)
        if reading.lost:
            yield reading
        elif table.turn == CHANCE:
            if node.kind is NodeKind.DEAL:
                yield replace(reading, state=with_card(self.solution.engine, reading.state, Card(action)), to=0)
            else:
                yield replace(reading, lost="the tree deals no card there")
        elif node.kind is not NodeKind.DECISION or node.seat != _position(table):
            yield replace(reading, lost="the tree was all-in there")
        else:
            yield from self._translate(reading, node, table, action)

    def _translate(
        self, reading: HistoryReading, node: Node, table: HoldemTable, action: Action
    ) -> Iterator[HistoryReading]:
        """The readings after an action: the moves of the tree that it may stand for, with their weights."""
        choices = _translations(self._fractions(reading, node), node, table, action)
        if not choices:
            yield replace(reading, lost=f"the tree has no bet where {action - 1} was bet")
        for choice, chance in choices.items():
            move = node.moves[choice]
            exact = move.deed not in BETS or move.to == action - 1
            words = () if exact else (f"{action - 1} as {move.to}",)
            yield replace(
                reading, weight=reading.weight * chance, state=moved(self.solution.engine, reading.state, choice),
                to=move.to or reading.to, translated=(*reading.translated, *words),
            )  # fmt: skip

    def _check_turn(self, reading: HistoryReading, table: HoldemTable) -> HistoryReading:
        """The reading marked as lost, unless the tree has the same seat to act."""
        node = node_at(self.solution.engine, reading.state)
        ours = node.kind is NodeKind.DECISION and node.seat == _position(table)
        return reading if reading.lost or ours else replace(reading, lost="the tree was all-in there")

    def _fractions(self, reading: HistoryReading, node: Node) -> dict[int, float]:
        """The size of each bet of a node, in pots after calling."""
        pot = self.solution.spot.pot + 2 * (node.bet + to_call(node))
        return {at: (move.to - reading.to) / pot for at, move in enumerate(node.moves) if move.deed in BETS}

    def _mix(self, view: View, reading: HistoryReading, hand: int) -> Iterator[tuple[Action, float]]:
        """The actions of one reading, with probabilities."""
        if not reading.lost:
            engine = self.solution.engine
            node, often = node_at(engine, reading.state), strategy_at(engine, reading.state)[:, hand]
            fractions = self._fractions(reading, node)
            if often.sum() > 0:
                for at, chance in enumerate(often.tolist()):
                    yield _action(view.table, node.moves[at].deed, fractions.get(at, 0.0)), chance
                return
        yield self._by_the_price(view.table, reading.state, hand), 1.0

    def _by_the_price(self, table: HoldemTable, state: BoardNode, hand: int) -> Action:
        """Without a solution: check, or call if the equity is at least the price."""
        if not table.to_call:
            return CALL
        theirs = state.reach[1 - _position(table)]
        return CALL if share(hand, theirs, table.board) * (table.pot + table.to_call) >= table.to_call else FOLD


def settings_of_spot(spot: Spot) -> dict[str, Any]:
    """The settings of the game that plays this spot."""
    game = SpotGame(
        board=spot.board,
        ranges=spot.ranges,
        pot=spot.pot,
        stack=spot.stack,
        rake=spot.rake.share,
        rake_cap=spot.rake.cap,
    )
    return dict(game.settings)


def read(path: Path) -> SpotStrategy | None:
    """The strategy in a file written by `tahur postflop solve`; None if it is another kind of file."""
    return _strategy(load_once(path)) if is_postflop_file(path) else None


@lru_cache(maxsize=4)
def _strategy(solution: PostflopSolution) -> SpotStrategy:
    """One strategy per solution, so that its cache outlives a player."""
    return SpotStrategy(solution)


def _steps(table: HoldemTable, history: tuple[Action, ...]) -> Iterator[tuple[HoldemTable, Action]]:
    """Each table with the action taken on it."""
    for action in history:
        yield table, action
        table = table.after(action)


def _position(table: HoldemTable) -> int:
    """The position of the seat to act: 0 out of position, 1 in position."""
    return int(table.turn == table.stakes.button)


def _translations(fractions: Mapping[int, float], node: Node, table: HoldemTable, action: Action) -> dict[int, float]:
    """The moves of a node that an action may be translated to, with probabilities; empty if the node has no bets.

    fractions: the size of each bet or raise of the node, as a fraction of the pot after calling.
    """
    if action <= CALL:
        deed = Deed.FOLD if action == FOLD else Deed.CALL if table.to_call else Deed.CHECK
        return {at: 1.0 for at, move in enumerate(node.moves) if move.deed is deed}
    if action - 1 == table.raises[-1]:
        all_in = {at: 1.0 for at, move in enumerate(node.moves) if move.deed is Deed.ALL_IN}
        if all_in:
            return all_in
    return nearest(fractions, (action - 1 - table.bet) / (table.pot + table.to_call))


def nearest(fractions: Mapping[int, float], x: float) -> dict[int, float]:
    """The sizes, in pots, that a bet of x pots is translated to, with probabilities (pseudo-harmonic mapping)."""
    below = [at for at, size in fractions.items() if size <= x + _SAME]
    above = [at for at, size in fractions.items() if size >= x - _SAME]
    if not below or not above:
        ends = sorted(fractions, key=fractions.__getitem__)
        return {ends[0] if above else ends[-1]: 1.0} if ends else {}
    low, high = max(below, key=fractions.__getitem__), min(above, key=fractions.__getitem__)
    if low == high:
        return {low: 1.0}
    a, b = fractions[low], fractions[high]
    chance = (b - x) * (1 + a) / ((b - a) * (1 + x))
    return {low: chance, high: 1 - chance}


def _action(table: HoldemTable, deed: Deed, fraction: float) -> Action:
    """A move of the tree on the table; an illegal bet becomes the nearest legal one, or a call."""
    if deed not in BETS:
        return FOLD if deed is Deed.FOLD and table.to_call else CALL
    raises = table.raises
    if not raises:
        return CALL
    wanted = raises[-1] if deed is Deed.ALL_IN else table.bet + round(fraction * (table.pot + table.to_call))
    return min(max(wanted, raises[0]), raises[-1]) + 1


def _rake(taken: float, cap: float) -> str:
    return f"{taken:g} up to {cap:g}" if taken else "none"
