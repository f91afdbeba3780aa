"""A line of moves and cards through a solved spot, and the hands with which each seat reaches each node of it.

Suit-isomorphic boards are stored once, so a dealt card may lead to a stored board with other suits: `frame` maps each
combo to its name there. Hands in this module are always those of the actual board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, Card, cards_of, cards_text, parse_cards
from tahur.cards.equity.ask import equity
from tahur.cards.equity.removal import meeting
from tahur.cards.equity.tables import combos
from tahur.cards.flops import RELABELINGS
from tahur.cards.ranges import Range
from tahur.core.arrays import Array, Float64s
from tahur.core.errors import EquityError, SolverError
from tahur.solvers.postflop.engine import Engine
from tahur.solvers.postflop.spot import STREETS
from tahur.solvers.postflop.tree import Move, Node, NodeKind, move_named

_IDENTITY: Final = tuple(range(4))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BoardNode:
    """A node on a stored board. `reach`: (1326,) for each seat, the weight with which each combo reaches it."""

    line: tuple[Move, ...]
    board: tuple[Card, ...]
    street: int  # 0 is the spot's first
    stored: int  # the stored board's index
    node: int  # its index in the street's tree
    suits: tuple[int, ...]  # the name of each suit on the stored board
    frame: Array  # (1326,) the name of each combo there
    reach: tuple[Float64s, Float64s]
    frequency: float = 1.0  # the probability of the line's moves, given the cards
    steps: tuple[Move | Card, ...] = ()  # moves and cards in order

    def __repr__(self) -> str:
        return f"<BoardNode {cards_text(self.board)} {steps_text(self.steps) or 'first'}, reached {self.frequency:.2%}>"


def start(engine: Engine) -> BoardNode:
    """The root."""
    spot = engine.layout.spot
    alive = (combos().mask & _mask(spot.board)) == 0
    reach = spot.ranges[0].vector * alive, spot.ranges[1].vector * alive
    return BoardNode(
        line=(), board=spot.board, street=0, stored=0, node=0, suits=_IDENTITY, frame=np.arange(COMBOS), reach=reach
    )


def walk(engine: Engine, line: str = "", *, turn: str | None = None, river: str | None = None) -> BoardNode:
    """The decision that the moves of `line` (`check,bet100,call`) and the cards lead to."""
    state = start(engine)
    cards = _cards(state, {"turn": turn, "river": river})
    for word in [word.strip() for word in line.split(",") if word.strip()]:
        state = _after_deal(engine, state, cards)
        state = moved(engine, state, _choice(engine, state, word))
    state = _after_deal(engine, state, cards)
    if cards:
        raise SolverError(f"{_line_text(state)} ends before the {next(iter(cards))}; remove that card or add moves")
    return state


def steps_text(steps: Sequence[Move | Card]) -> str:
    """`check,bet100,call,[2c],check`: moves as `walk` reads them, with the cards where they were dealt."""
    return ",".join(f"[{step}]" if isinstance(step, Card) else str(step) for step in steps)


def has_choice(node: Node) -> bool:
    """Whether the node deals a card that is followed by a decision; after an all-in there are only cards."""
    return node.kind is NodeKind.DEAL and node.children[0].kind is NodeKind.DECISION


def node_at(engine: Engine, state: BoardNode) -> Node:
    """The decision, card or terminal at a board node."""
    return engine.layout.street_nodes[state.street].nodes[state.node]


def strategy_at(engine: Engine, state: BoardNode) -> Float64s:
    """(moves, 1326) the strategy of the seat that acts; 0 for combos that it cannot hold."""
    seat = node_at(engine, state).seat
    hands = engine.layout.hands[state.street].combos[seat][state.stored]
    known = engine.strategy(state.street, state.stored, state.node)
    stored = np.zeros((len(known), COMBOS))
    stored[:, hands] = known
    renamed: Float64s = stored[:, state.frame]
    return renamed


def locked_at(engine: Engine, state: BoardNode) -> NDArray[np.bool_]:
    """(1326,) the combos that are locked there."""
    boards, seat = engine.layout.boards[state.street], node_at(engine, state).seat
    stored = np.zeros(COMBOS, np.bool_)
    if boards.lock.size and boards.lock[state.stored, state.node] >= 0:
        hands = engine.layout.hands[state.street].combos[seat][state.stored]
        start = int(boards.lock[state.stored, state.node])
        stored[hands] = boards.locked[start : start + len(hands)] > 0
    renamed: NDArray[np.bool_] = stored[state.frame]
    return renamed


def meeting_weights(mine: Float64s, theirs: Float64s) -> Float64s:
    """(1326,) each own combo's weight times that of all combos it can meet, computed per card without a matrix."""
    weights: Float64s = mine * meeting(theirs)
    return weights


def share(hand: int, weights: Float64s, board: tuple[int, ...]) -> float:
    """The equity of a hand against a range if there is no further betting; 0 if every combo shares a card with it."""
    if not weights.max() > 0:
        return 0.0
    try:
        answer = equity(Range.of_hand(cards_of(hand)), Range.from_vector(weights / weights.max()), board=board)
    except EquityError:  # every combo of the range shares a card with the hand
        return 0.0
    return answer.players[0].equity


def moved(engine: Engine, state: BoardNode, choice: int) -> BoardNode:
    """The node after a move. A move that no hand makes is treated as made by all, so that one can look below it."""
    node = node_at(engine, state)
    seat = node.seat
    often = strategy_at(engine, state)[choice]
    weights = meeting_weights(state.reach[seat], state.reach[1 - seat])
    share = float(often @ weights / weights.sum()) if weights.sum() else 0.0
    mine = state.reach[seat] * often if share > 0 else state.reach[seat]
    child = int(engine.layout.street_nodes[state.street].tree.child[_first(engine, state) + choice])
    return replace(
        state,
        line=(*state.line, node.moves[choice]),
        steps=(*state.steps, node.moves[choice]),
        node=child,
        reach=(mine, state.reach[1]) if seat == 0 else (state.reach[0], mine),
        frequency=state.frequency * share,
    )


def with_card(engine: Engine, state: BoardNode, card: Card) -> BoardNode:
    """The node after a card, from a node that deals one."""
    layout = engine.layout
    first, last = layout.boards[state.street].children[state.stored : state.stored + 2]
    renamed = _with_suit(card, state.suits)
    stored, relabeling = next(
        (board, number)
        for board in range(first, last)
        for number in layout.hands[state.street + 1].boards[board].images
        if _with_suit(layout.hands[state.street + 1].boards[board].cards[-1], RELABELINGS[number]) == renamed
    )
    back = _inverse(RELABELINGS[relabeling])
    line = int(np.searchsorted(layout.street_nodes[state.street].tree.deals, state.node))
    alive = (combos().mask & (1 << card)) == 0
    return replace(
        state,
        board=(*state.board, card),
        steps=(*state.steps, card),
        street=state.street + 1,
        stored=stored,
        node=int(layout.street_nodes[state.street + 1].tree.roots[line]),
        suits=tuple(back[suit] for suit in state.suits),
        frame=combos().image[RELABELINGS.index(back)][state.frame],
        reach=(state.reach[0] * alive, state.reach[1] * alive),
    )


def _cards(state: BoardNode, texts: dict[str, str | None]) -> dict[str, Card]:
    """The cards still to be dealt, by the name of their street."""
    texts_given = {name: text for name, text in texts.items() if text is not None}
    dealt: dict[str, Card] = {}
    for name, text in texts_given.items():
        if STREETS.index(name) < len(state.board) - 2:
            raise SolverError(f"{name} {text}: the spot's board is already {cards_text(state.board)}; omit the {name}")
        cards = parse_cards(text)
        if len(cards) != 1:
            raise SolverError(f"{name} '{text}' is not a single card, such as 2c")
        if cards[0] in (*state.board, *dealt.values()):
            raise SolverError(f"{name} {text} is already on the table; choose another card")
        dealt[name] = cards[0]
    return dealt


def _after_deal(engine: Engine, state: BoardNode, cards: dict[str, Card]) -> BoardNode:
    """The node itself if it is a decision; if a card is dealt, the node after it."""
    node = node_at(engine, state)
    if has_choice(node):
        street = STREETS[len(state.board) - 2]
        if street not in cards:
            raise SolverError(
                f"{_line_text(state)} ends the {STREETS[len(state.board) - 3]}; give a {street}, such as 2c"
            )
        return with_card(engine, state, cards.pop(street))
    if node.kind is not NodeKind.DECISION:
        over = "a fold" if node.kind is NodeKind.FOLD else "all-in" if node.kind is NodeKind.DEAL else "a showdown"
        raise SolverError(f"{_line_text(state)} ends in a terminal ({over}); a line must end at a decision")
    return state


def _choice(engine: Engine, state: BoardNode, word: str) -> int:
    """The index of the move that a word names."""
    moves = node_at(engine, state).moves
    move = move_named(moves, word)
    if move is None:
        raise SolverError(f"no move '{word}' after {_line_text(state)}; valid: {', '.join(map(str, moves))}")
    return move


def _line_text(state: BoardNode) -> str:
    return f"the line '{','.join(map(str, state.line))}'" if state.line else "the empty line"


def _first(engine: Engine, state: BoardNode) -> int:
    return int(engine.layout.street_nodes[state.street].tree.first[state.node])


def _mask(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)


def _with_suit(card: int, suits: Sequence[int]) -> int:
    return card & ~3 | suits[card & 3]


def _inverse(suits: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(suits.index(suit) for suit in range(4))
