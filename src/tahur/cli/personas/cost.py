"""What menus cost on a solved river: the EV that each option gives up, and the loss of uniformly random choices.

The value of a move is what the hand earns after it against the solution's other seat, with the best continuation; its
cost is the best move's value minus its own. The total loss of a chooser is the sum over its decisions of its reach
times the cost there. This is exact, because every cost is measured from the best continuation. Menus get the true
equity against the range of the solution's other seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import cards_of
from tahur.cards.equity.tables import combos
from tahur.cards.evaluator import evaluate
from tahur.core.arrays import Float64s
from tahur.core.errors import SolverError
from tahur.players.bounded.menu import layers_for
from tahur.players.bounded.modes import Flags
from tahur.players.bounded.mood import CALM, IMPAIRED, Mood
from tahur.players.bounded.options import Menu, Option
from tahur.players.bounded.profiles import OptionProfile
from tahur.players.bounded.situation import EquityEstimate, Position, Situation
from tahur.solvers.postflop.line import BoardNode, moved, node_at, start, strategy_at
from tahur.solvers.postflop.results import move_evs, to_call
from tahur.solvers.postflop.solve import PostflopSolution
from tahur.solvers.postflop.tree import Move, Node, NodeKind

Key = tuple[str, Mood, float]
WORDS: Final = ("nudges", "framing", "order")  # layers that do not change the options
QUIET: Final = Flags(composed_nudges=False)


@dataclass(frozen=True, slots=True)
class Worst:
    """The costliest option: its cost in chips, and where it occurs."""

    chips: float
    line: str = ""
    hand: int = -1
    option: str = ""


@dataclass(frozen=True, slots=True)
class FlipCost:
    """The costs of one profile in one mood: the costliest option, and the loss of random choices per hand, in chips."""

    profile: str
    mood: str
    worst: Worst
    coins: float


@dataclass(frozen=True, slots=True)
class FlipSubject:
    """The profile and the mood whose menus are measured."""

    profile: OptionProfile
    mood: Mood


@dataclass(frozen=True, slots=True)
class Spread:
    """Uniformly random choices over all possible menus: the frequency of each move, and which were offered."""

    shares: Float64s
    offered: tuple[tuple[int, str], ...]


@dataclass(slots=True)
class FlipTally:
    """The running costs of one chooser."""

    worst: Worst = Worst(0.0)
    coins: float = 0.0

    def witness(
        self, line: str, lost: Float64s, spreads: Sequence[Spread], names: NDArray[np.int64], hands: NDArray[np.int64]
    ) -> None:
        """Update the worst option by what these hands were offered; `lost` is (moves, hands), `names` their numbers."""
        for hand in hands.tolist():
            for at, option in spreads[hand].offered:
                if lost[at, hand] > self.worst.chips:
                    self.worst = Worst(float(lost[at, hand]), line, int(names[hand]), option)


def cost_of(chooser: FlipSubject, tally: FlipTally, share: float) -> FlipCost:
    """The costs, with the loss of random choices multiplied by `share`."""
    return FlipCost(chooser.profile.name, chooser.mood.text, tally.worst, tally.coins * share)


def spread(
    moves: Sequence[Move], chooser: FlipSubject, situation: Situation, equity: float, known: dict[Key, Spread]
) -> Spread:
    """What a hand with this equity does in the situation. `known` caches a profile's menus without mood."""
    impaired = IMPAIRED[chooser.mood.severity]
    shares, offered = np.zeros(len(moves)), dict[int, str]()
    for chance, mood in ((1 - impaired, CALM), (impaired, chooser.mood)):
        if not chance:
            continue
        key = chooser.profile.name, mood, equity
        if key not in known:
            known[key] = _random_choices(
                moves, chooser.profile, mood, replace(situation, estimate=EquityEstimate(equity))
            )
        shares = shares + chance * known[key].shares
        offered |= dict(known[key].offered)
    return Spread(shares, tuple(offered.items()))


def _random_choices(moves: Sequence[Move], profile: OptionProfile, mood: Mood, situation: Situation) -> Spread:
    """Random choices over all menus that the generator can produce in this mood."""
    shares, offered = np.zeros(len(moves)), dict[int, str]()
    for chance, dice in _throws(profile):
        menu = _write_menu(profile, mood, situation, dice)
        for option in menu.options:
            at = _move_of(moves, option)
            shares[at] += chance / len(menu.options)
            offered[at] = option.act.value if option.raise_to is None else f"{option.act.value} {option.raise_to}"
    return Spread(shares, tuple(offered.items()))


def _throws(profile: OptionProfile) -> list[tuple[float, tuple[float, ...]]]:
    """The possible outcomes: no bluff, or a bluff of one of up to four sizes."""
    bluffs = profile.bluff_frequency
    picks = [(bluffs / 4, (0.0, (2 * pick + 1) / 8)) for pick in range(4)] if bluffs else []
    return [(1 - bluffs, (1.0,)), *picks]


def _write_menu(profile: OptionProfile, mood: Mood, situation: Situation, dice: tuple[float, ...]) -> Menu:
    menu, rng = Menu(), cast(np.random.Generator, _Dice(dice))
    for name, layer in layers_for(profile, mood, QUIET):
        if name not in WORDS:
            menu = layer(menu, situation, rng)
    return menu


class _Dice:
    """A stand-in for a random generator that returns fixed outcomes."""

    def __init__(self, shows: tuple[float, ...]) -> None:
        self._shows = iter(shows)

    def random(self) -> float:
        return next(self._shows)


def _move_of(moves: Sequence[Move], option: Option) -> int:
    """The move of the solved tree that matches the option; for sizes, the nearest by ratio."""
    if option.raise_to is None:
        return next(at for at, move in enumerate(moves) if move.deed.value == option.act.value)
    return min((abs(log(move.to / option.raise_to)), at) for at, move in enumerate(moves) if move.to)[1]


# ---- walking a solved river ----------------------------------------------------------------------

RARE: Final = 0.001  # lines with less reach are poorly solved: they count, but not for the worst option
FINE: Final = 200  # equities are rounded to half a percent, so that similar hands share a menu


def costs(
    solution: PostflopSolution, choosers: Sequence[FlipSubject], *, big_blind: int
) -> Iterator[float | list[FlipCost]]:
    """Yield the progress, 0 to 1; return the costs of each chooser, random choices averaged over both seats."""
    if len(solution.spot.board) != 5:
        raise SolverError(f"menus are certified on rivers only; {solution!r} has cards to come")
    tallies = [FlipTally() for _ in choosers]
    for seat in (0, 1):
        walk = _Walk(solution=solution, seat=seat, choosers=choosers, tallies=tallies, big_blind=big_blind)
        for done in walk.run():
            yield (seat + done) / 2
    yield [cost_of(chooser, tally, 1 / 2) for chooser, tally in zip(choosers, tallies, strict=True)]


class _Walk:
    """Walks the betting tree with one seat's hands, for all choosers at once; the solution plays the other seat."""

    def __init__(
        self,
        solution: PostflopSolution,
        seat: int,
        choosers: Sequence[FlipSubject],
        tallies: list[FlipTally],
        big_blind: int,
    ) -> None:
        self.solution, self.engine, self.seat, self.big_blind = solution, solution.engine, seat, big_blind
        self.choosers, self.tallies = choosers, tallies
        self.root = start(self.engine)
        self.hands = np.flatnonzero(self.root.reach[seat])
        self.range = self.root.reach[seat][self.hands]
        self.wins, self.free = meetings(self.hands, np.flatnonzero(self.root.reach[1 - seat]), self.root.board)
        self.theirs = np.flatnonzero(self.root.reach[1 - seat])
        self.total = float(self.range @ (self.free @ self.root.reach[1 - seat][self.theirs]))

    def run(self) -> Iterator[float]:
        """Yield the progress; the walk is depth first to save memory."""
        waiting: list[tuple[BoardNode, list[Float64s], float]] = [(self.root, [self.range] * len(self.choosers), 1.0)]
        done = 0.0
        while waiting:
            state, owns, share = waiting.pop()
            node = node_at(self.engine, state)
            if node.kind is not NodeKind.DECISION:
                done += share
                continue
            mine = node.seat == self.seat
            after = self._measure_node(state, node, owns) if mine else self._follow_replies(state, owns)
            done += 0.0 if after else share
            waiting += [(there, reach, share / len(after)) for there, reach in after]
            yield done

    def _follow_replies(self, state: BoardNode, owns: list[Float64s]) -> list[tuple[BoardNode, list[Float64s]]]:
        """Follow each move that the other seat makes with positive probability."""
        frequencies = strategy_at(self.engine, state) @ state.reach[1 - self.seat]
        return [(moved(self.engine, state, at), owns) for at in range(len(frequencies)) if frequencies[at] > 0]

    def _measure_node(
        self, state: BoardNode, node: Node, owns: list[Float64s]
    ) -> list[tuple[BoardNode, list[Float64s]]]:
        """Add the loss of each chooser at this node, and follow its moves."""
        values = move_evs(self.engine, state, best=True)[:, self.hands]
        lost = np.nan_to_num(values.max(axis=0) - values)
        reach = state.reach[1 - self.seat][self.theirs]
        pairs = self.free @ reach
        node_reach = float(self.range @ pairs) / self.total
        equity = np.where(pairs > 0, self.wins @ reach / np.where(pairs > 0, pairs, 1), 0.0)
        known: dict[Key, Spread] = {}
        shares, situation = [], self._situation(state, node)
        for chooser, tally, own in zip(self.choosers, self.tallies, owns, strict=True):
            spreads = [
                spread(node.moves, chooser, situation, float(rounded), known)
                for rounded in np.round(equity * FINE) / FINE
            ]
            strategy = np.array([spread.shares for spread in spreads]).T
            tally.coins += float((own * pairs) @ (strategy * lost).sum(axis=0)) / self.total
            if node_reach >= RARE:
                line = ",".join(map(str, state.line)) or "first"
                tally.witness(line, lost, spreads, self.hands, np.flatnonzero((own > 0) & (pairs > 0)))
            shares.append(strategy)
        return [
            (moved(self.engine, state, at), [own * made[at] for own, made in zip(owns, shares, strict=True)])
            for at in range(len(node.moves))
        ]

    def _situation(self, state: BoardNode, node: Node) -> Situation:
        """The situation at this node without equity; after the flop, the hand itself does not matter."""
        spot, owed = self.solution.spot, to_call(node)
        bet, stack = node.bet + owed, spot.stack - node.bet
        whole = node.bet + stack
        least = bet + max(self.big_blind, owed)
        raises = range(min(least, whole), whole + 1) if any(move.to for move in node.moves) else range(0)
        return Situation(
            hole=tuple(int(card) for card in cards_of(int(self.hands[0]))),
            board=tuple(map(int, state.board)),
            seats=2,
            opponents=1,
            position=Position.BUTTON if self.seat else Position.BLINDS,
            pot=spot.pot + 2 * node.bet + owed,
            cost=owed,
            stack=stack,
            big_blind=self.big_blind,
            committed=spot.pot // 2 + node.bet,
            street_bet=node.bet,
            bet=bet,
            raises=raises,
            reach=whole,
            street_raises=sum(move.to > 0 for move in state.line),
            estimate=EquityEstimate(0.0),
        )


def meetings(mine: NDArray[np.int64], theirs: NDArray[np.int64], board: Sequence[int]) -> tuple[Float64s, Float64s]:
    """Two (mine, theirs) matrices: the share of the pot won, and whether the two hands can be dealt together."""
    ranks = [np.array([evaluate((*cards_of(int(hand)), *board)) for hand in hands]) for hands in (mine, theirs)]
    free = (combos().mask[mine][:, None] & combos().mask[theirs][None, :] == 0).astype(float)
    wins = (ranks[0][:, None] > ranks[1][None, :]) + 0.5 * (ranks[0][:, None] == ranks[1][None, :])
    return wins * free, free
