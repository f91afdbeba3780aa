"""What menus cost on a solved river: of every option the EV it gives up, and of coin flips over menus what they lose.

A move is worth what the hand earns after it against the solution's other seat, playing on as well as it can; its cost
is that of the best move less its own. What a chooser loses in all is then the sum, over its own decisions, of how often
it comes there times what it gives up there: exact, because the best continuation is what every cost is measured from.
Menus get the true equity, against the range that the solution's other seat comes with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import cards_of
from tahur.cards.equity.tables import combos
from tahur.cards.evaluator import evaluate
from tahur.core.errors import SolverError
from tahur.players.bounded.menu import layers_for
from tahur.players.bounded.modes import Flags
from tahur.players.bounded.mood import CALM, IMPAIRED, Mood
from tahur.players.bounded.options import Menu, Option
from tahur.players.bounded.profiles import OptionProfile
from tahur.players.bounded.situation import Estimate, Position, Situation
from tahur.solvers.postflop.line import Place, moved, node_at, start, strategy_at
from tahur.solvers.postflop.results import move_evs, to_call
from tahur.solvers.postflop.solve import Solution
from tahur.solvers.postflop.tree import Kind, Move, Node

Numbers = NDArray[np.float64]
RARE: Final = 0.001  # a line that comes less often was hardly trained: it counts, but is no witness to the worst
WORDS: Final = ("nudges", "framing", "order")  # layers that change no option
FINE: Final = 200  # equities are taken to half a percent, so that hands alike share a menu
QUIET: Final = Flags(composed_nudges=False)


@dataclass(frozen=True, slots=True)
class Worst:
    """The dearest option there is, in chips, and where."""

    chips: float
    line: str = ""
    hand: int = -1
    option: str = ""


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one profile in one mood: the dearest option, and what flipping coins loses a hand, in chips."""

    profile: str
    mood: str
    worst: Worst
    coins: float


@dataclass(frozen=True, slots=True)
class Chooser:
    """Whose menus are measured."""

    profile: OptionProfile
    mood: Mood


@dataclass(slots=True)
class _Tally:
    """Of one chooser, so far."""

    worst: Worst
    coins: float = 0.0


@dataclass(frozen=True, slots=True)
class _Spread:
    """A coin flipped over every menu that the dice can write: how often each move is made, and which were offered."""

    shares: Numbers
    offered: tuple[tuple[int, str], ...]


def costs(solution: Solution, choosers: Sequence[Chooser], *, big_blind: int) -> Iterator[float | list[Cost]]:
    """How far it is, 0 to 1, again and again; at last the costs of each chooser, coins being the mean of both seats."""
    if len(solution.spot.board) != 5:
        raise SolverError(f"menus are certified on rivers; {solution!r} has cards to come")
    tallies = [_Tally(Worst(0.0)) for _ in choosers]
    for seat in (0, 1):
        walk = _Walk(solution, seat, choosers, tallies, big_blind)
        for done in walk.run():
            yield (seat + done) / 2
    yield [
        Cost(chooser.profile.name, chooser.mood.text, tally.worst, tally.coins / 2)
        for chooser, tally in zip(choosers, tallies, strict=True)
    ]


class _Walk:
    """Through the betting with one seat's hands, all choosers at once, the solution in the other seat."""

    def __init__(
        self, solution: Solution, seat: int, choosers: Sequence[Chooser], tallies: list[_Tally], big_blind: int
    ) -> None:
        self.solution, self.engine, self.seat, self.big_blind = solution, solution.engine, seat, big_blind
        self.choosers, self.tallies = choosers, tallies
        self.root = start(self.engine)
        self.hands = np.flatnonzero(self.root.reach[seat])
        self.range = self.root.reach[seat][self.hands]
        self.wins, self.free = _meetings(self.hands, np.flatnonzero(self.root.reach[1 - seat]), self.root.board)
        self.theirs = np.flatnonzero(self.root.reach[1 - seat])
        self.total = float(self.range @ (self.free @ self.root.reach[1 - seat][self.theirs]))

    def run(self) -> Iterator[float]:
        """Yields how far it is; depth first, so that little is kept."""
        waiting: list[tuple[Place, list[Numbers], float]] = [(self.root, [self.range] * len(self.choosers), 1.0)]
        done = 0.0
        while waiting:
            place, owns, share = waiting.pop()
            node = node_at(self.engine, place)
            if node.kind is not Kind.DECISION:
                done += share
                continue
            mine = node.seat == self.seat
            after = self._measured(place, node, owns) if mine else self._answered(place, owns)
            done += 0.0 if after else share
            waiting += [(there, reach, share / len(after)) for there, reach in after]
            yield done

    def _answered(self, place: Place, owns: list[Numbers]) -> list[tuple[Place, list[Numbers]]]:
        """After each move that the other seat makes at all."""
        often = strategy_at(self.engine, place) @ place.reach[1 - self.seat]
        return [(moved(self.engine, place, at), owns) for at in range(len(often)) if often[at] > 0]

    def _measured(self, place: Place, node: Node, owns: list[Numbers]) -> list[tuple[Place, list[Numbers]]]:
        """Count what is lost here by each chooser, and go on with what it does."""
        values = move_evs(self.engine, place, best=True)[:, self.hands]
        lost = np.nan_to_num(values.max(axis=0) - values)
        reach = place.reach[1 - self.seat][self.theirs]
        pairs = self.free @ reach
        often = float(self.range @ pairs) / self.total
        equity = np.where(pairs > 0, self.wins @ reach / np.where(pairs > 0, pairs, 1), 0.0)
        known: dict[tuple[object, ...], _Spread] = {}
        shares = []
        for chooser, tally, own in zip(self.choosers, self.tallies, owns, strict=True):
            spreads = [self._spread(place, node, hand, chooser, known) for hand in np.round(equity * FINE) / FINE]
            made = np.array([spread.shares for spread in spreads]).T
            tally.coins += float((own * pairs) @ (made * lost).sum(axis=0)) / self.total
            if often >= RARE:
                self._witness(tally, place, lost, spreads, np.flatnonzero((own > 0) & (pairs > 0)))
            shares.append(made)
        return [
            (moved(self.engine, place, at), [own * made[at] for own, made in zip(owns, shares, strict=True)])
            for at in range(len(node.moves))
        ]

    def _witness(
        self, tally: _Tally, place: Place, lost: Numbers, spreads: list[_Spread], hands: NDArray[np.int64]
    ) -> None:
        for hand in hands.tolist():
            for at, option in spreads[hand].offered:
                if lost[at, hand] > tally.worst.chips:
                    line = ",".join(map(str, place.line)) or "first"
                    tally.worst = Worst(float(lost[at, hand]), line, int(self.hands[hand]), option)

    def _spread(
        self, place: Place, node: Node, equity: float, chooser: Chooser, known: dict[tuple[object, ...], _Spread]
    ) -> _Spread:
        """Choosers of one profile share their lucid menus, hands of one equity all of them."""
        calm = (chooser.profile.name, CALM, equity)
        impaired = IMPAIRED[chooser.mood.severity]
        parts = [(1 - impaired, calm, CALM), (impaired, (chooser.profile.name, chooser.mood, equity), chooser.mood)]
        shares, offered = np.zeros(len(node.moves)), dict[int, str]()
        for chance, key, mood in parts:
            if not chance:
                continue
            if key not in known:
                known[key] = _flipped(node, chooser.profile, mood, self._situation(place, node, equity))
            shares = shares + chance * known[key].shares
            offered |= dict(known[key].offered)
        return _Spread(shares, tuple(offered.items()))

    def _situation(self, place: Place, node: Node, equity: float) -> Situation:
        spot, owed = self.solution.spot, to_call(node)
        bet, stack = node.bet + owed, spot.stack - node.bet
        whole = node.bet + stack
        least = bet + max(self.big_blind, owed)
        raises = range(min(least, whole), whole + 1) if any(move.to for move in node.moves) else range(0)
        return Situation(
            tuple(int(card) for card in cards_of(int(self.hands[0]))), tuple(map(int, place.board)), 2, 1,
            Position.BUTTON if self.seat else Position.BLINDS, spot.pot + 2 * node.bet + owed, owed, stack,
            self.big_blind, spot.pot // 2 + node.bet, node.bet, bet, raises, whole,
            sum(move.to > 0 for move in place.line), Estimate(equity),
        )  # fmt: skip


def _meetings(mine: NDArray[np.int64], theirs: NDArray[np.int64], board: Sequence[int]) -> tuple[Numbers, Numbers]:
    """(mine, theirs) each: the share of the pot that one wins from the other, and whether they can meet."""
    ranks = [np.array([evaluate((*cards_of(int(hand)), *board)) for hand in hands]) for hands in (mine, theirs)]
    free = (combos().mask[mine][:, None] & combos().mask[theirs][None, :] == 0).astype(float)
    wins = (ranks[0][:, None] > ranks[1][None, :]) + 0.5 * (ranks[0][:, None] == ranks[1][None, :])
    return wins * free, free


def _flipped(node: Node, profile: OptionProfile, mood: Mood, situation: Situation) -> _Spread:
    """All menus that the generator's dice can write in that mood, a coin flipped over each."""
    shares, offered = np.zeros(len(node.moves)), dict[int, str]()
    for chance, dice in _throws(profile):
        menu = _written(profile, mood, situation, dice)
        for option in menu.options:
            at = _move_of(node.moves, option)
            shares[at] += chance / len(menu.options)
            offered[at] = option.act.value if option.raise_to is None else f"{option.act.value} {option.raise_to}"
    return _Spread(shares, tuple(offered.items()))


def _throws(profile: OptionProfile) -> list[tuple[float, tuple[float, ...]]]:
    """What those dice may show: no bluff, or one of up to four sizes."""
    bluffs = profile.bluff_frequency
    picks = [(bluffs / 4, (0.0, (2 * pick + 1) / 8)) for pick in range(4)] if bluffs else []
    return [(1 - bluffs, (1.0,)), *picks]


def _written(profile: OptionProfile, mood: Mood, situation: Situation, dice: tuple[float, ...]) -> Menu:
    menu, rng = Menu(), cast(np.random.Generator, _Dice(dice))
    for name, layer in layers_for(profile, mood, QUIET):
        if name not in WORDS:
            menu = layer(menu, situation, rng)
    return menu


class _Dice:
    """Shows what it was told to."""

    def __init__(self, shows: tuple[float, ...]) -> None:
        self._shows = iter(shows)

    def random(self) -> float:
        return next(self._shows)


def _move_of(moves: tuple[Move, ...], option: Option) -> int:
    """The move of the solved tree that the option is; of sizes the nearest, as parts of each other."""
    if option.raise_to is None:
        return next(at for at, move in enumerate(moves) if move.deed.value == option.act.value)
    return min((abs(log(move.to / option.raise_to)), at) for at, move in enumerate(moves) if move.to)[1]
