"""A solved spot as a strategy: what it does on the rules' own table, where any bet is legal, with any hand.

The table's history is read as moves of the tree. A bet that the tree has is that move. One between two of the tree's is
read as either, by the pseudo-harmonic mapping (Ganzfried and Sandholm 2013): a bet of x pots between A and B is read as
A with chance (B - x)(1 + A) / ((B - A)(1 + x)); below the least it is the least, above the largest the largest. Raises
are measured in pots after calling. Several readings are mixed by their chances, afresh at each decision, so that the
probabilities are a function of the view. Once the pots differ, own bets are the tree's in pots, and all-in is all-in.

Where no reading can go on (the tree has no bet at all there, or was all-in already), it checks when it may, and calls
with as much equity as the price asks, against the range that the solution gave the other when it was last followed.
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
REMEMBERED: Final = 1024  # histories; each has a reach of 1,326 hands for both seats
_SAME: Final = 1e-9  # pots


@dataclass(frozen=True, slots=True, eq=False)
class HistoryReading:
    """One way to read a history. `lost` says why it cannot go on from `place`; empty while it can."""

    weight: float
    place: BoardNode
    to: int = 0  # the highest bet of the street, in the tree's chips
    translated: tuple[str, ...] = ()
    lost: str = ""


class SpotStrategy:
    """What the solution does at the spot's table, for whichever seat has to act."""

    def __init__(self, solution: PostflopSolution) -> None:
        self.solution = solution
        self._checked: Game[Any] | None = None
        self._readings = lru_cache(REMEMBERED)(self._read)

    def misfit(self, game: Game[Any]) -> str | None:
        """Why it cannot be played at that game; None if it can."""
        spot = self.solution.spot
        if not isinstance(game, SpotGame):
            here = f"{cards_text(spot.board)}, pot {spot.pot}, stack {spot.stack}"
            return f"this is a solved spot ({here}); it plays at spot:FILE, and the table plays {game.name}"
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
        """How likely each action is; a `StrategyError` for a hand or a table that is none of the spot's."""
        hand = self._hand(view)
        chances: dict[Action, float] = {}
        for reading in self._readings(view.game.start(), view.table):
            for action, chance in self._mix(view, reading, hand):
                chances[action] = chances.get(action, 0.0) + reading.weight * chance
        total = sum(chances.values())
        return {action: chance / total for action, chance in sorted(chances.items()) if chance > 0}

    def thought(self, view: View) -> str:
        """How it read bets that the tree has not, and whether it could follow; nothing on the tree's own lines."""
        words = []
        for reading in self._readings(view.game.start(), view.table):
            if reading.lost:
                words.append(f"{reading.weight:.0%}: cannot follow: {reading.lost}; checks or calls by the price")
            elif reading.translated:
                words.append(f"{reading.weight:.0%}: reads {', '.join(reading.translated)}")
        return "; ".join(words)

    def _hand(self, view: View) -> int:
        if view.game is not self._checked:
            if reason := self.misfit(view.game):
                raise StrategyError(reason)
            self._checked = view.game
        if view.hand is None:
            raise StrategyError("a spectator has no hand to play")
        return view.hand

    def _read(self, opening: HoldemTable, table: HoldemTable) -> tuple[HistoryReading, ...]:
        """All readings of the table's history."""
        readings = [HistoryReading(1.0, start(self.solution.engine))]
        for now, action in _steps(opening, table.history):
            readings = [after for reading in readings for after in self._after(reading, now, action)]
        return tuple(self._settled(reading, table) for reading in readings)

    def _after(self, reading: HistoryReading, table: HoldemTable, action: Action) -> Iterator[HistoryReading]:
        node = node_at(self.solution.engine, reading.place)
        if reading.lost:
            yield reading
        elif table.turn == CHANCE:
            if node.kind is NodeKind.DEAL:
                yield replace(reading, place=with_card(self.solution.engine, reading.place, Card(action)), to=0)
            else:
                yield replace(reading, lost="the tree deals no card there")
        elif node.kind is not NodeKind.DECISION or node.seat != _position(table):
            yield replace(reading, lost="the tree was all-in there")
        else:
            yield from self._moved(reading, node, table, action)

    def _moved(
        self, reading: HistoryReading, node: Node, table: HoldemTable, action: Action
    ) -> Iterator[HistoryReading]:
        choices = _meant(self._fractions(reading, node), node, table, action)
        if not choices:
            yield replace(reading, lost=f"the tree has no bet where {action - 1} was bet")
        for choice, chance in choices.items():
            move = node.moves[choice]
            exact = move.deed not in BETS or move.to == action - 1
            words = () if exact else (f"{action - 1} as {move.to}",)
            yield replace(
                reading, weight=reading.weight * chance, place=moved(self.solution.engine, reading.place, choice),
                to=move.to or reading.to, translated=(*reading.translated, *words),
            )  # fmt: skip

    def _settled(self, reading: HistoryReading, table: HoldemTable) -> HistoryReading:
        """Lost, unless the tree too has this seat to act."""
        node = node_at(self.solution.engine, reading.place)
        ours = node.kind is NodeKind.DECISION and node.seat == _position(table)
        return reading if reading.lost or ours else replace(reading, lost="the tree was all-in there")

    def _fractions(self, reading: HistoryReading, node: Node) -> dict[int, float]:
        """The size of each bet of a node, in pots after calling."""
        pot = self.solution.spot.pot + 2 * (node.bet + to_call(node))
        return {at: (move.to - reading.to) / pot for at, move in enumerate(node.moves) if move.deed in BETS}

    def _mix(self, view: View, reading: HistoryReading, hand: int) -> Iterator[tuple[Action, float]]:
        """What one reading does."""
        if not reading.lost:
            engine = self.solution.engine
            node, often = node_at(engine, reading.place), strategy_at(engine, reading.place)[:, hand]
            fractions = self._fractions(reading, node)
            if often.sum() > 0:
                for at, chance in enumerate(often.tolist()):
                    yield _action(view.table, node.moves[at].deed, fractions.get(at, 0.0)), chance
                return
        yield self._by_the_price(view.table, reading.place, hand), 1.0

    def _by_the_price(self, table: HoldemTable, place: BoardNode, hand: int) -> Action:
        """Without a solution: check, or call if the equity pays for it."""
        if not table.to_call:
            return CALL
        theirs = place.reach[1 - _position(table)]
        return CALL if share(hand, theirs, table.board) * (table.pot + table.to_call) >= table.to_call else FOLD


def settings_of_spot(spot: Spot) -> dict[str, Any]:
    """Of the game that is this spot at the rules' table."""
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
    """The strategy in a file that `tahur postflop solve` wrote; None if it is another kind of file."""
    return _strategy(load_once(path)) if is_postflop_file(path) else None


@lru_cache(maxsize=4)
def _strategy(solution: PostflopSolution) -> SpotStrategy:
    """The same for the same solution, so that what it remembers outlives a player."""
    return SpotStrategy(solution)


def _steps(now: HoldemTable, history: tuple[Action, ...]) -> Iterator[tuple[HoldemTable, Action]]:
    """Each table before the action taken on it."""
    for action in history:
        yield now, action
        now = now.after(action)


def _position(table: HoldemTable) -> int:
    """Of the seat to act: 0 out of position, 1 in position."""
    return int(table.turn == table.stakes.button)


def _meant(fractions: Mapping[int, float], node: Node, table: HoldemTable, action: Action) -> dict[int, float]:
    """The moves of a node that an action on the table may be read as, with their chances; none: it has no bets."""
    if action <= CALL:
        deed = Deed.FOLD if action == FOLD else Deed.CALL if table.to_call else Deed.CHECK
        return {at: 1.0 for at, move in enumerate(node.moves) if move.deed is deed}
    if action - 1 == table.raises[-1]:
        all_in = {at: 1.0 for at, move in enumerate(node.moves) if move.deed is Deed.ALL_IN}
        if all_in:
            return all_in
    return nearest(fractions, (action - 1 - table.bet) / (table.pot + table.to_call))


def nearest(fractions: Mapping[int, float], x: float) -> dict[int, float]:
    """Which of some sizes in pots a bet of x pots is read as, by the pseudo-harmonic mapping."""
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
    """A move of the tree on the table; a bet that is not legal there becomes the nearest that is, or a call."""
    if deed not in BETS:
        return FOLD if deed is Deed.FOLD and table.to_call else CALL
    raises = table.raises
    if not raises:
        return CALL
    wanted = raises[-1] if deed is Deed.ALL_IN else table.bet + round(fraction * (table.pot + table.to_call))
    return min(max(wanted, raises[0]), raises[-1]) + 1


def _rake(taken: float, cap: float) -> str:
    return f"{taken:g} up to {cap:g}" if taken else "none"
