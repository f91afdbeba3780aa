"""A trail: the nodes from the root of a solved spot to one node, one for each move and each card.

The terminal explorer and the browser's Study walk the tree by these functions. As text a trail is a list of steps,
moves as they are shown and cards: `("check", "bet100", "call", "2c")`.
"""

from __future__ import annotations

from collections.abc import Sequence

from tahur.cards.cards import DECK, Card, parse_cards
from tahur.core.errors import CardError, SolverError
from tahur.solvers.postflop.engine import Engine
from tahur.solvers.postflop.line import BoardNode, has_choice, moved, node_at, start, with_card
from tahur.solvers.postflop.tree import NodeKind, move_named

Trail = tuple[BoardNode, ...]


def root_trail(engine: Engine) -> Trail:
    return (start(engine),)


def after_move(engine: Engine, trail: Trail, choice: int) -> Trail:
    """The trail after one of the moves of its last node, by its index."""
    return (*trail, moved(engine, trail[-1], choice))


def after_card(engine: Engine, trail: Trail, card: Card) -> Trail:
    """The trail after a card, which its last node deals."""
    return (*trail, with_card(engine, trail[-1], card))


def free_cards(trail: Trail) -> tuple[Card, ...]:
    """The cards that are not on the board, from the deuce of clubs on."""
    return tuple(card for card in DECK if card not in trail[-1].board)


def before_last_card(engine: Engine, trail: Trail) -> tuple[Trail, tuple[int, ...]] | None:
    """The trail to where the last card came, and the moves made after it; None if no card has been dealt."""
    dealt = [at for at, node in enumerate(trail) if node.steps and isinstance(node.steps[-1], Card)]
    if not dealt:
        return None
    pairs = zip(trail[dealt[-1] :], trail[dealt[-1] + 1 :], strict=False)
    again = tuple(node_at(engine, above).moves.index(below.line[-1]) for above, below in pairs)
    return trail[: dealt[-1]], again


def steps_of(trail: Trail) -> tuple[str, ...]:
    """The trail as text, from which `trail_of` makes it again."""
    return tuple(map(str, trail[-1].steps))


def trail_of(engine: Engine, steps: Sequence[str]) -> Trail:
    """The trail of a list of steps; a step that is not possible is an error with the steps that are."""
    trail = root_trail(engine)
    for step in steps:
        trail = _after_step(engine, trail, step)
    return trail


def _after_step(engine: Engine, trail: Trail, step: str) -> Trail:
    """The trail after a move or a card in words."""
    node, where = node_at(engine, trail[-1]), ", ".join(steps_of(trail)) or "the first decision"
    if has_choice(node):
        return after_card(engine, trail, _card_named(step, trail, where))
    if node.kind is not NodeKind.DECISION:
        raise SolverError(f"no step '{step[:40]}' after {where}: the betting is over there")
    choice = move_named(node.moves, step)
    if choice is None:
        raise SolverError(f"no move '{step[:40]}' after {where}; valid: {', '.join(map(str, node.moves))}")
    return after_move(engine, trail, choice)


def _card_named(step: str, trail: Trail, where: str) -> Card:
    try:
        (card,) = parse_cards(step[:40])
    except (CardError, ValueError):
        raise SolverError(f"'{step[:40]}' after {where} is not a card; a card comes there, such as 2c") from None
    if card in trail[-1].board:
        raise SolverError(f"{card} after {where} is on the board already; choose another card")
    return card
