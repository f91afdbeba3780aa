"""External sampling in blocks of thousands of deals that walk down the betting tree together (`kernels.py`).

The traverser tries every action, the other samples one from its own net's policy; each of the traverser's decisions
yields the regrets of its actions. Without nets both seats play uniformly over legal actions.

Net outputs are computed in as few matrix products as possible: for the betting once for all deals, for cards that can
be numbered (before the flop, and in small games) once for each number, for the others once for each deal, role and
street (`Reader`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Bytes, Float32s, Int32s
from tahur.core.towers import SLOTS, Towers
from tahur.games.encoders.holdem import BOARDS, GROUPS
from tahur.solvers.deep.game import TrainingGame

Nets = Sequence[Towers | None]


@dataclass(frozen=True, slots=True, eq=False)
class Reader:
    """The card tower of a net for thousands of dealt hands, without building its input rows.

    Most of a row is zeros and a few ones for the cards: their columns are added instead of multiplied. The last layer
    is left out, because `Towers.bets_for_hidden` has already applied it for every decision.
    """

    net: Towers
    columns: Float32s  # (inputs, width): of the first layer
    biases: tuple[Float32s, Float32s]  # of the first two

    def read(self, ones: NDArray[np.int64], rest: Float32s, out: Float32s) -> None:
        """ones: (n, cards), rest: (streets, n, features), as encoders split them; out: (streets x n, width)."""
        from tahur.solvers.deep.kernels import add_ones, bend

        streets, count, features = rest.shape
        first = self.net.times(rest.reshape(-1, features), self.net.parts["cards.0.weight"][:, -features:])
        for street in range(streets):
            here = first[street * count : (street + 1) * count]
            add_ones(here, self.biases[0], self.columns, ones, GROUPS[0] + BOARDS[street])
        bend(self.net.times(first, self.net.parts["cards.1.weight"]), self.biases[1], out)


def reader_of(net: Towers) -> Reader:
    """A copy of the arrays: those of a file are read-only, and kernels would be compiled again for them."""
    first, second = (np.array(net.parts[f"cards.{layer}.bias"]) for layer in (0, 1))
    return Reader(net, np.array(net.parts["cards.0.weight"].T, order="C"), (first, second))


@dataclass(frozen=True, slots=True, eq=False)
class NetAnswers:
    """The outputs of both roles' nets for all deals of an iteration."""

    game: TrainingGame
    traverser: int
    nets: tuple[Towers | None, Towers | None]  # by the role whose decisions they make
    factors: Float32s  # (decisions, 3, width), each decision by the net of its role
    added: Float32s  # (decisions, 3)
    numbered: tuple[Float32s, Float32s]  # of the numbered cards, street by street
    readers: tuple[Reader | None, Reader | None]  # of the other cards, if there are any
    even: NDArray[np.bool_]  # (2,)


def net_of(turn: int, traverser: int) -> int:
    """The index of the net that acts: that of the seat to act, not of the traverser."""
    return turn


def net_answers(game: TrainingGame, nets: Nets, traverser: int, *, uniform: bool = False) -> NetAnswers:
    """The net outputs that do not depend on the dealt cards."""
    betting = game.betting
    ours = nets[net_of(0, traverser)], nets[net_of(1, traverser)]
    width = next((net.width for net in ours if net is not None), 1)
    factors = np.zeros((betting.decisions, SLOTS, width), np.float32)
    added = np.zeros((betting.decisions, SLOTS), np.float32)
    for role, net in enumerate(ours):
        mine = betting.decisions_of(role)
        if net is not None:
            ask = net.bets if game.hands is not None else net.bets_for_hidden
            factors[mine], added[mine] = ask(game.betting_rows[mine])
    numbered = [_numbered_outputs(game, net, width) for net in ours]
    readers = [None if net is None or game.hands is not None else reader_of(net) for net in ours]
    even = np.array([uniform or net is None for net in ours])
    return NetAnswers(
        game=game,
        traverser=traverser,
        nets=ours,
        factors=factors,
        added=added,
        numbered=(numbered[0], numbered[1]),
        readers=(readers[0], readers[1]),
        even=even,
    )


def traverse(
    game: TrainingGame, nets: Nets, traverser: int, deals: Bytes, rng: np.random.Generator, *, uniform: bool = False
) -> tuple[Int32s, Int32s, Float32s]:
    """Traverse the deals. Returns the traverser's decisions that were reached: index of the deal, decision, three
    regrets."""
    return walk_block(net_answers(game, nets, traverser, uniform=uniform), deals, rng)


def walk_block(answers: NetAnswers, deals: Bytes, rng: np.random.Generator) -> tuple[Int32s, Int32s, Float32s]:
    """Traverse a block of deals, as `traverse` does, with net outputs that were computed before.

    The traverser's decisions that were reached: index of the deal, decision, and three regrets.
    """
    from tahur.solvers.deep.kernels import BettingNodes, FoundRegrets, NetRows, WalkRoom, walk

    betting, count = answers.game.betting, len(deals)
    cards, rows = _card_outputs(answers, deals)
    nodes = BettingNodes(
        turn=betting.turn,
        street=betting.street,
        children=betting.children,
        stake=betting.stake.astype(np.float32),
        walk=betting.walk,
    )
    signs = answers.game.signs(deals)
    size = betting.depth, count
    room = WalkRoom(
        node=np.zeros(betting.depth, np.int32),
        size=np.zeros(betting.depth, np.int32),
        next=np.zeros(betting.depth, np.int32),
        who=np.empty(size, np.int32),
        values=np.empty(size, np.float32),
        chosen=np.empty(size, np.int8),
        policies=np.empty((betting.depth, SLOTS, count), np.float32),
        below=np.empty((betting.depth, SLOTS, count), np.float32),
    )
    room.who[0] = np.arange(count)
    most = count * betting.most[answers.traverser]  # memory that is never touched costs nothing
    regrets_found = FoundRegrets(
        np.empty(most, np.int32), np.empty(most, np.int32), np.empty((most, SLOTS), np.float32), np.zeros(1, np.int64)
    )
    seed = int(rng.integers(1 << 62))
    block = NetRows(
        factors=answers.factors, added=answers.added, cards=cards, rows=rows, signs=signs, even=answers.even
    )
    walk(answers.traverser, seed, nodes, block, room, regrets_found)
    end = int(regrets_found.total[0])
    return regrets_found.deals[:end], regrets_found.decisions[:end], regrets_found.regrets[:end]


def samples_of(answers: NetAnswers, deals: Bytes, rng: np.random.Generator, iteration: int) -> Samples:
    """The samples from one block of deals, for the traverser."""
    places, decisions, regrets = walk_block(answers, deals, rng)
    return Samples(deals[places], decisions, regrets, np.full(len(places), iteration, np.int32))


def _numbered_outputs(game: TrainingGame, net: Towers | None, width: int) -> Float32s:
    """A net's outputs for the numbered cards; one row for each, street by street."""
    streets = [street for street in range(game.betting.streets) if game.is_numbered(street)]
    if net is None or not streets:
        return np.zeros((1, width), np.float32)
    rows = np.concatenate([game.numbered_rows(street) for street in streets])
    return net.cards(rows) if game.hands is not None else net.hidden(rows)


def _card_outputs(answers: NetAnswers, deals: Bytes) -> tuple[Float32s, Int32s]:
    """The card outputs of both nets: (rows, width), and (roles, streets, deals) the row of each deal's cards."""
    game, streets, count = answers.game, answers.game.betting.streets, len(deals)
    unnumbered = [street for street in range(streets) if not game.is_numbered(street)]
    sizes = [
        len(answers.numbered[role]) + (reader is not None) * len(unnumbered) * count
        for role, reader in enumerate(answers.readers)
    ]
    cards = np.empty((sum(sizes), answers.factors.shape[2]), np.float32)
    rows = np.zeros((2, streets, count), np.int32)
    for role, net in enumerate(answers.nets):
        numbered = sum(sizes[:role])  # the next row of numbered cards
        dealt = numbered + len(answers.numbered[role])  # the next row of other cards
        cards[numbered:dealt] = answers.numbered[role]
        reader = answers.readers[role]
        if reader is not None:
            reader.read(*game.parts(deals, role), cards[dealt : dealt + len(unnumbered) * count])
        for street in range(streets):
            if net is None:
                rows[role, street] = numbered
            elif game.is_numbered(street):
                rows[role, street] = numbered + game.hand_numbers(deals, role, street)
                numbered += len(game.numbered_rows(street))
            else:
                rows[role, street] = np.arange(dealt, dealt + count)
                dealt += count
    return cards, rows


# ---- the reservoir -------------------------------------------------------------------------------
# A reservoir of samples: every sample ever seen is equally likely to be in it. A sample is a deal, a decision of the
# betting tree, three regrets and the iteration; the input rows that the net is fitted to are recomputed from it when
# needed, which takes a tenth of the memory.


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Samples, one per row."""

    deals: NDArray[np.uint8]  # (samples, cards)
    decisions: NDArray[np.int32]  # nodes of the betting tree
    regrets: NDArray[np.float32]  # (samples, SLOTS)
    iterations: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.decisions)

    def at(self, places: NDArray[np.int64]) -> Samples:
        return Samples(self.deals[places], self.decisions[places], self.regrets[places], self.iterations[places])


class Reservoir:
    """A uniform random subset of at most `cap` of all samples added."""

    def __init__(self, cap: int, cards: int) -> None:
        """An empty reservoir of at most `cap` samples, whose deals have `cards` cards."""
        self.cap = cap
        self.seen = 0
        self._samples = Samples(
            np.zeros((cap, cards), np.uint8),
            np.zeros(cap, np.int32),
            np.zeros((cap, SLOTS), np.float32),
            np.zeros(cap, np.int32),
        )

    def __len__(self) -> int:
        return min(self.seen, self.cap)

    @property
    def samples(self) -> Samples:
        return self._part(slice(0, len(self)))

    def add(self, new: Samples, rng: np.random.Generator) -> None:
        """Add samples. In a full reservoir, sample number n replaces a random one with probability cap / n, else none.

        This is Vitter's algorithm R for many samples at once: if two get the same place, the later one stays.
        """
        if self.seen + len(new) <= self.cap:
            self._write(slice(self.seen, self.seen + len(new)), new)
        else:
            count = self.seen + np.arange(len(new))
            places = np.where(count < self.cap, count, (rng.random(len(new)) * (count + 1)).astype(np.int64))
            kept = np.flatnonzero(places < self.cap)
            self._write(places[kept], new.at(kept))
        self.seen += len(new)

    def _write(self, places: slice | NDArray[np.int64], new: Samples) -> None:
        ours = self._samples
        ours.deals[places] = new.deals
        ours.decisions[places] = new.decisions
        ours.regrets[places] = new.regrets
        ours.iterations[places] = new.iterations

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything to store in a file."""
        now = self.samples
        return {
            "seen": np.array([self.seen], np.int64),
            "deals": now.deals,
            "decisions": now.decisions,
            "regrets": now.regrets,
            "iterations": now.iterations,
        }

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        self.seen = int(arrays["seen"][0])
        part = self._part(slice(0, len(self)))
        part.deals[:], part.decisions[:] = arrays["deals"], arrays["decisions"]
        part.regrets[:], part.iterations[:] = arrays["regrets"], arrays["iterations"]

    def _part(self, part: slice) -> Samples:
        ours = self._samples
        return Samples(ours.deals[part], ours.decisions[part], ours.regrets[part], ours.iterations[part])
