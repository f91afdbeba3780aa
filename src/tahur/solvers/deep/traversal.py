"""External sampling by the thousand: blocks of deals walk down the betting tree together (`kernels.py`).

The traverser tries every action, the other draws one from its own net's policy; each of the traverser's decisions
learns what its actions were worth and regrets what it did not do. With no nets yet everybody plays any legal action.

What the nets say is worked out in as few products as there are different things to say: of the betting once for all
deals, of cards that can be numbered (before the flop, and in small games) once for each number, of the others once for
each deal, role and street (`reading.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Bytes, Float32s, Int32s
from tahur.core.towers import SLOTS, Towers
from tahur.solvers.deep.game import TrainingGame
from tahur.solvers.deep.memory import Samples
from tahur.solvers.deep.reading import Reader, reader_of

Nets = Sequence[Towers | None]


@dataclass(frozen=True, slots=True, eq=False)
class NetAnswers:
    """What both roles' nets say for all deals of an iteration."""

    game: TrainingGame
    traverser: int
    nets: tuple[Towers | None, Towers | None]  # by the role whose decisions they make
    factors: Float32s  # (decisions, 3, width), each decision by the net of its role
    added: Float32s  # (decisions, 3)
    numbered: tuple[Float32s, Float32s]  # of the cards that have numbers, street after street
    readers: tuple[Reader | None, Reader | None]  # of the other cards, where there are any
    even: NDArray[np.bool_]  # (2,)


def net_of(turn: int, traverser: int) -> int:
    """Whose net decides: that of the seat whose turn it is, whoever traverses."""
    return turn


def told(game: TrainingGame, nets: Nets, traverser: int, *, uniform: bool = False) -> NetAnswers:
    """All that can be said before the cards are dealt."""
    tree = game.tree
    ours = nets[net_of(0, traverser)], nets[net_of(1, traverser)]
    width = next((net.width for net in ours if net is not None), 1)
    factors = np.zeros((len(tree.decisions), SLOTS, width), np.float32)
    added = np.zeros((len(tree.decisions), SLOTS), np.float32)
    for role, net in enumerate(ours):
        mine = np.flatnonzero(tree.turn[tree.decisions] == role)
        if net is not None:
            ask = net.bets if game.hands is not None else net.folded
            factors[mine], added[mine] = ask(tree.rows[mine])
    numbered = [_numbered(game, net, width) for net in ours]
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


def traversed(
    game: TrainingGame, nets: Nets, traverser: int, deals: Bytes, rng: np.random.Generator, *, uniform: bool = False
) -> tuple[Int32s, Int32s, Float32s]:
    """Deal, decision and three regrets of every decision of the traverser that was come to."""
    return walked(told(game, nets, traverser, uniform=uniform), deals, rng)


def walked(said: NetAnswers, deals: Bytes, rng: np.random.Generator) -> tuple[Int32s, Int32s, Float32s]:
    """The same, where what the nets say is known already."""
    from tahur.solvers.deep.kernels import BettingNodes, Found, NetRows, Room, walk

    tree, count = said.game.tree, len(deals)
    cards, rows = _read(said, deals)
    nodes = BettingNodes(
        turn=tree.turn,
        street=tree.street,
        children=tree.children,
        stake=tree.stake.astype(np.float32),
        number=tree.number,
    )
    signs = said.game.signs(deals)
    size = tree.depth, count
    room = Room(
        node=np.zeros(tree.depth, np.int32),
        size=np.zeros(tree.depth, np.int32),
        next=np.zeros(tree.depth, np.int32),
        who=np.empty(size, np.int32),
        values=np.empty(size, np.float32),
        chosen=np.empty(size, np.int8),
        policies=np.empty((tree.depth, SLOTS, count), np.float32),
        below=np.empty((tree.depth, SLOTS, count), np.float32),
    )
    room.who[0] = np.arange(count)
    most = count * tree.most[said.traverser]  # room that is never come to costs nothing
    found = Found(
        np.empty(most, np.int32), np.empty(most, np.int32), np.empty((most, SLOTS), np.float32), np.zeros(1, np.int64)
    )
    seed = int(rng.integers(1 << 62))
    block = NetRows(factors=said.factors, added=said.added, cards=cards, rows=rows, signs=signs, even=said.even)
    walk(said.traverser, seed, nodes, block, room, found)
    end = int(found.total[0])
    return found.deals[:end], found.decisions[:end], found.regrets[:end]


def samples_of(said: NetAnswers, deals: Bytes, rng: np.random.Generator, iteration: int) -> Samples:
    """What one block of deals teaches the traverser."""
    places, decisions, regrets = walked(said, deals, rng)
    return Samples(deals[places], decisions, regrets, np.full(len(places), iteration, np.int32))


def _numbered(game: TrainingGame, net: Towers | None, width: int) -> Float32s:
    """What a net says of the cards that have numbers; a row for each, street after street."""
    streets = [street for street in range(game.tree.streets) if game.is_numbered(street)]
    if net is None or not streets:
        return np.zeros((1, width), np.float32)
    rows = np.concatenate([game.code_rows(street) for street in streets])
    return net.cards(rows) if game.hands is not None else net.hidden(rows)


def _read(said: NetAnswers, deals: Bytes) -> tuple[Float32s, Int32s]:
    """What the nets say of these cards, and which row of it belongs to each role, street and deal."""
    game, streets, count = said.game, said.game.tree.streets, len(deals)
    dealt = [street for street in range(streets) if not game.is_numbered(street)]
    sizes = [
        len(said.numbered[role]) + (reader is not None) * len(dealt) * count for role, reader in enumerate(said.readers)
    ]
    cards = np.empty((sum(sizes), said.factors.shape[2]), np.float32)
    rows = np.zeros((2, streets, count), np.int32)
    place = 0
    for role, net in enumerate(said.nets):
        after = place + len(said.numbered[role])
        cards[place:after] = said.numbered[role]
        reader = said.readers[role]
        if reader is not None:
            reader.read(*game.parts(deals, role), cards[after : after + len(dealt) * count])
        for street in range(streets):
            if net is None:
                rows[role, street] = place
            elif game.is_numbered(street):
                rows[role, street] = place + game.codes(deals, role, street)
                place += len(game.code_rows(street))
            else:
                rows[role, street] = np.arange(after, after + count)
                after += count
        place = sum(sizes[: role + 1])
    return cards, rows
