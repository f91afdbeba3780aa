"""A line of moves and cards through a solved spot, and with which hands each seat comes along it.

Boards are stored once for all that differ by the names of suits, so a card that is dealt may lead to a stored board of
other suits: `frame` says what each combo is called there. Hands here are always those that were asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, Card, cards_of, cards_text, parse_cards
from tahur.cards.equity.ask import equity
from tahur.cards.equity.tables import combos
from tahur.cards.ranges import Range
from tahur.cards.suits import RELABELINGS
from tahur.core.arrays import Array, Float64s
from tahur.core.errors import EquityError, SolverError
from tahur.solvers.postflop.engine import Engine
from tahur.solvers.postflop.spot import STREETS
from tahur.solvers.postflop.tree import Move, Node, NodeKind, move_named

_IDENTITY: Final = tuple(range(4))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BoardNode:
    """A node on a stored board. `reach`: (1326,) for each seat, the weight with which it comes here with each combo."""

    line: tuple[Move, ...]
    board: tuple[Card, ...]
    street: int  # 0 is the spot's first
    stored: int  # the stored board's number
    node: int  # its number among the street's
    suits: tuple[int, ...]  # what each suit is called on the stored board
    frame: Array  # (1326,) what each combo is called there
    reach: tuple[Float64s, Float64s]
    frequency: float = 1.0  # how often the moves are made, once the cards are known
    steps: tuple[Move | Card, ...] = ()  # moves and cards in their order

    def __repr__(self) -> str:
        return f"<Place {cards_text(self.board)} {steps_text(self.steps) or 'first'}, comes {self.frequency:.2%}>"


def start(engine: Engine) -> BoardNode:
    """The root."""
    spot = engine.layout.spot
    alive = (combos().mask & _mask(spot.board)) == 0
    reach = spot.ranges[0].vector * alive, spot.ranges[1].vector * alive
    return BoardNode(
        line=(), board=spot.board, street=0, stored=0, node=0, suits=_IDENTITY, frame=np.arange(COMBOS), reach=reach
    )


def walk(engine: Engine, line: str = "", *, turn: str | None = None, river: str | None = None) -> BoardNode:
    """Where the moves of `line` (`check,bet100,call`) and the cards lead: always a decision."""
    place = start(engine)
    cards = _cards(place, {"turn": turn, "river": river})
    for word in [word.strip() for word in line.split(",") if word.strip()]:
        place = _dealt(engine, place, cards)
        place = moved(engine, place, _choice(engine, place, word))
    place = _dealt(engine, place, cards)
    if cards:
        raise SolverError(
            f"{_asked(place)} ends before the {next(iter(cards))}; leave that card away or say more moves"
        )
    return place


def steps_text(steps: Sequence[Move | Card]) -> str:
    """`check,bet100,call,[2c],check`: moves as `walk` reads them, and where the cards came."""
    return ",".join(f"[{step}]" if isinstance(step, Card) else str(step) for step in steps)


def has_choice(node: Node) -> bool:
    """Whether it is a card that somebody decides after; all-in, cards only come."""
    return node.kind is NodeKind.DEAL and node.children[0].kind is NodeKind.DECISION


def node_at(engine: Engine, place: BoardNode) -> Node:
    """The decision, card or end at a place."""
    return engine.layout.street_nodes[place.street].nodes[place.node]


def strategy_at(engine: Engine, place: BoardNode) -> Float64s:
    """(moves, 1326) what the seat to move does with each combo; nothing with combos that it cannot hold."""
    seat = node_at(engine, place).seat
    hands = engine.layout.hands[place.street].combos[seat][place.stored]
    known = engine.strategy(place.street, place.stored, place.node)
    stored = np.zeros((len(known), COMBOS))
    stored[:, hands] = known
    renamed: Float64s = stored[:, place.frame]
    return renamed


def locked_at(engine: Engine, place: BoardNode) -> NDArray[np.bool_]:
    """(1326,) the combos that were told what to do there."""
    boards, seat = engine.layout.boards[place.street], node_at(engine, place).seat
    stored = np.zeros(COMBOS, np.bool_)
    if boards.lock.size and boards.lock[place.stored, place.node] >= 0:
        hands = engine.layout.hands[place.street].combos[seat][place.stored]
        start = int(boards.lock[place.stored, place.node])
        stored[hands] = boards.locked[start : start + len(hands)] > 0
    renamed: NDArray[np.bool_] = stored[place.frame]
    return renamed


def met(mine: Float64s, theirs: Float64s) -> Float64s:
    """(1326,) each of my combos' weight times that of all it can meet; no matrix, since each card is counted once."""
    weights: Float64s = mine * possible(theirs)
    return weights


def possible(theirs: Float64s) -> Float64s:
    """(1326,) the weight of all combos that share no card with each combo."""
    cards = combos().cards
    by_card = np.bincount(cards.ravel(), np.repeat(theirs, 2), 52)
    left: Float64s = theirs.sum() - by_card[cards[:, 0]] - by_card[cards[:, 1]] + theirs
    return np.where(left > 1e-12 * theirs.sum(), left, 0.0)  # what is left by rounding is nothing


def share(hand: int, weights: Float64s, board: tuple[int, ...]) -> float:
    """The part of the pot that a hand wins from a range if nobody bets any more; 0 if it can meet none of it."""
    if not weights.max() > 0:
        return 0.0
    try:
        found = equity(Range.of_hand(cards_of(hand)), Range.from_vector(weights / weights.max()), board=board)
    except EquityError:  # every hand of the range holds a card of this one
        return 0.0
    return found.players[0].equity


def moved(engine: Engine, place: BoardNode, choice: int) -> BoardNode:
    """After a move. One that no hand ever makes is made by all alike, so that one can look at what would follow."""
    node = node_at(engine, place)
    seat = node.seat
    often = strategy_at(engine, place)[choice]
    weights = met(place.reach[seat], place.reach[1 - seat])
    share = float(often @ weights / weights.sum()) if weights.sum() else 0.0
    mine = place.reach[seat] * often if share > 0 else place.reach[seat]
    child = int(engine.layout.street_nodes[place.street].tree.child[_first(engine, place) + choice])
    return replace(
        place,
        line=(*place.line, node.moves[choice]),
        steps=(*place.steps, node.moves[choice]),
        node=child,
        reach=(mine, place.reach[1]) if seat == 0 else (place.reach[0], mine),
        frequency=place.frequency * share,
    )


def with_card(engine: Engine, place: BoardNode, card: Card) -> BoardNode:
    """After a card, at a node that deals one."""
    layout = engine.layout
    first, last = layout.boards[place.street].children[place.stored : place.stored + 2]
    renamed = _named(card, place.suits)
    stored, relabeling = next(
        (board, number)
        for board in range(first, last)
        for number in layout.hands[place.street + 1].boards[board].images
        if _named(layout.hands[place.street + 1].boards[board].cards[-1], RELABELINGS[number]) == renamed
    )
    back = _inverse(RELABELINGS[relabeling])
    line = int(np.searchsorted(layout.street_nodes[place.street].tree.deals, place.node))
    alive = (combos().mask & (1 << card)) == 0
    return replace(
        place,
        board=(*place.board, card),
        steps=(*place.steps, card),
        street=place.street + 1,
        stored=stored,
        node=int(layout.street_nodes[place.street + 1].tree.roots[line]),
        suits=tuple(back[suit] for suit in place.suits),
        frame=combos().image[RELABELINGS.index(back)][place.frame],
        reach=(place.reach[0] * alive, place.reach[1] * alive),
    )


def _cards(place: BoardNode, said: dict[str, str | None]) -> dict[str, Card]:
    """The cards that are still to come, by the name of their street."""
    given = {name: text for name, text in said.items() if text is not None}
    found: dict[str, Card] = {}
    for name, text in given.items():
        if STREETS.index(name) < len(place.board) - 2:
            raise SolverError(f"a {name} of {text}, but the spot begins with {cards_text(place.board)} on the table")
        cards = parse_cards(text)
        if len(cards) != 1:
            raise SolverError(f"a {name} of '{text}'; it is one card, such as 2c")
        if cards[0] in (*place.board, *found.values()):
            raise SolverError(f"a {name} of {text}, which is on the table already")
        found[name] = cards[0]
    return found


def _dealt(engine: Engine, place: BoardNode, cards: dict[str, Card]) -> BoardNode:
    """The place itself if it is a decision; if a card comes, the place after it."""
    node = node_at(engine, place)
    if has_choice(node):
        street = STREETS[len(place.board) - 2]
        if street not in cards:
            raise SolverError(f"{_asked(place)} ends the {STREETS[len(place.board) - 3]}; say the {street}, such as 2c")
        return with_card(engine, place, cards.pop(street))
    if node.kind is not NodeKind.DECISION:
        over = "a fold" if node.kind is NodeKind.FOLD else "all-in" if node.kind is NodeKind.DEAL else "a showdown"
        raise SolverError(f"{_asked(place)} is over ({over}); a line ends where somebody decides")
    return place


def _choice(engine: Engine, place: BoardNode, word: str) -> int:
    """The number of the move that a word means."""
    moves = node_at(engine, place).moves
    found = move_named(moves, word)
    if found is None:
        raise SolverError(f"no move '{word}' after {_asked(place)}; there are {', '.join(map(str, moves))}")
    return found


def _asked(place: BoardNode) -> str:
    return f"the line '{','.join(map(str, place.line))}'" if place.line else "the empty line"


def _first(engine: Engine, place: BoardNode) -> int:
    return int(engine.layout.street_nodes[place.street].tree.first[place.node])


def _mask(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)


def _named(card: int, suits: Sequence[int]) -> int:
    return card & ~3 | suits[card & 3]


def _inverse(suits: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(suits.index(suit) for suit in range(4))
