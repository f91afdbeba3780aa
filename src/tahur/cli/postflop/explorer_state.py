"""The explorer's state, a frozen value; `press(key)` returns the next one. Nothing here touches the terminal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from tahur.cards.cards import DECK, RANKS, SUITS, Card, parse_cards
from tahur.cards.ranges import Range
from tahur.cards.rankings import class_of_combos
from tahur.core.errors import TahurError
from tahur.solvers.postflop.engine import Engine
from tahur.solvers.postflop.line import BoardNode, has_choice, meeting_weights, node_at, strategy_at
from tahur.solvers.postflop.tree import Node, NodeKind
from tahur.study.trail import Trail, after_card, after_move, before_last_card, root_trail

SIDE: Final = 13
ARROWS: Final = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}
_HAND_SIGNS: Final = 6  # characters typed at most


class Focus(Enum):
    """What the arrow keys move."""

    MOVES = "moves"
    MATRIX = "matrix"
    CARDS = "cards"


@dataclass(frozen=True, slots=True, eq=False)
class Explorer:
    """`trail` is the path from the root, one node for each move and card; the other fields are cursors."""

    engine: Engine
    trail: Trail
    marked: int = 0  # move
    focus: Focus = Focus.MOVES
    cell: int = 0  # of the matrix, row by row
    combo: int | None = None  # selected by name
    page: int = 0  # of the cell's combos
    card: Card = DECK[-1]
    again: tuple[int, ...] = ()  # moves to repeat after another card
    other: bool = False  # whether to show the range of the seat that does not decide
    typed: str | None = None  # a hand or a card being typed
    message: str = ""
    help: bool = False
    left: bool = False

    @classmethod
    def at_root(cls, engine: Engine) -> Explorer:
        return _place_cursors(cls(engine, root_trail(engine)))

    @property
    def here(self) -> BoardNode:
        return self.trail[-1]

    @property
    def node(self) -> Node:
        return node_at(self.engine, self.here)

    @property
    def dealing(self) -> bool:
        """Whether the next card must be chosen."""
        return has_choice(self.node)

    @property
    def seat(self) -> int:
        """The seat whose range is shown."""
        decides = self.node.seat if self.node.kind is NodeKind.DECISION else 0
        return 1 - decides if self.other else decides

    def press(self, key: str) -> Explorer:
        """The state after a key."""
        now = replace(self, message="")
        if now.help:
            return replace(now, help=False, left=key == "q")
        if now.typed is not None:
            return _typing(now, key)
        if now.focus is Focus.CARDS and (written := _start_card(now, key)):
            return written
        if key in ARROWS or key == "enter":
            return _MOVERS[now.focus](now, key)
        return _COMMANDS.get(key, _unknown)(now, key)

    def free(self, card: Card) -> bool:
        return card not in self.here.board


# ---- moves of the line ---------------------------------------------------------------------------


def _among_moves(now: Explorer, key: str) -> Explorer:
    """The state after a key while a move is marked: up, down, left to go back, or take the move."""
    count = len(now.node.moves)
    if key == "left":
        return _back(now)
    if not count:
        return replace(now, message="the hand is over here; left goes back")
    if key in ("up", "down"):
        return replace(now, marked=(now.marked + ARROWS[key][0]) % count)
    return _take(now, now.marked)


def _take(now: Explorer, choice: int) -> Explorer:
    return _place_cursors(replace(now, trail=after_move(now.engine, now.trail, choice), again=()))


def _back(now: Explorer, _: str = "") -> Explorer:
    """Go up the tree, with the cursor on the move that was made."""
    if len(now.trail) == 1:
        return replace(now, message="this is where the spot begins")
    last, above = now.trail[-1].steps[-1], replace(now, trail=now.trail[:-1], again=(), focus=Focus.MOVES, page=0)
    if isinstance(last, Card):
        return replace(above, focus=Focus.CARDS, card=last)
    return replace(above, marked=above.node.moves.index(last))


def _place_cursors(now: Explorer) -> Explorer:
    """The cursors at a new node: on the most frequent move, or on the first card that can be dealt."""
    now = replace(now, marked=0, page=0, focus=Focus.MOVES)
    if now.dealing:
        card = now.card if now.free(now.card) else next(card for card in reversed(DECK) if now.free(card))
        return replace(now, focus=Focus.CARDS, card=card)
    if now.node.kind is not NodeKind.DECISION:
        return now
    seat = now.node.seat
    frequencies = strategy_at(now.engine, now.here) @ meeting_weights(now.here.reach[seat], now.here.reach[1 - seat])
    return replace(now, marked=int(frequencies.argmax()))


# ---- cells of the matrix -------------------------------------------------------------------------


def _in_matrix(now: Explorer, key: str) -> Explorer:
    if key == "enter":
        return replace(now, page=now.page + 1)
    row, column = divmod(now.cell, SIDE)
    down, right = ARROWS[key]
    return replace(now, cell=(row + down) % SIDE * SIDE + (column + right) % SIDE, page=0, combo=None)


def _ask_hand(now: Explorer, _: str) -> Explorer:
    return replace(now, typed="", focus=Focus.MATRIX)


def _to_hand(now: Explorer, text: str) -> Explorer:
    """Select the cell of the typed hand."""
    now = replace(now, typed=None)
    try:
        hands = Range.parse(text)
    except TahurError:
        return replace(now, message=f"'{text}' is not a hand; write AsKs, AKs or 77")
    cells = sorted({int(class_of_combos()[combo]) for combo in hands.indices})
    if not 1 <= len(cells) <= 2:
        return replace(now, message=f"'{text}' is {len(cells)} hands; write one, such as AsKs, AKs or 77")
    combo = int(hands.indices[0]) if len(hands) == 1 else None
    return replace(now, cell=cells[0], combo=combo, page=0, focus=Focus.MATRIX)


# ---- cards ---------------------------------------------------------------------------------------


def _in_cards(now: Explorer, key: str) -> Explorer:
    """Move the card cursor: aces on the left, spades at the top; cards already dealt are skipped."""
    if key == "enter":
        return _deal_card(now, now.card)
    column, row = SIDE - 1 - now.card.rank, len(SUITS) - 1 - now.card.suit
    if key == "left" and not any(now.free(DECK[_number(left, row)]) for left in range(column)):
        return _back(now)
    down, right = ARROWS[key]
    while True:
        column, row = (column + right) % SIDE, (row + down) % len(SUITS)
        if now.free(DECK[_number(column, row)]):
            return replace(now, card=DECK[_number(column, row)])


def _number(column: int, row: int) -> int:
    return (SIDE - 1 - column) * len(SUITS) + len(SUITS) - 1 - row


def _deal_card(now: Explorer, card: Card) -> Explorer:
    """Deal the card, and repeat the moves that were made after the previous one."""
    again = now.again
    now = _place_cursors(replace(now, trail=after_card(now.engine, now.trail, card), card=card, again=()))
    for choice in again:
        now = _take(now, choice)
    return now


def _start_card(now: Explorer, key: str) -> Explorer | None:
    """Whether a key starts typing a card: a rank, but not lower-case t and q, which are commands."""
    return replace(now, typed=key.upper()) if key in RANKS or key in ("a", "k", "j") else None


def _pick_card(now: Explorer, _: str) -> Explorer:
    """Go back to where the last card was dealt, to choose another and repeat the moves after it."""
    if now.dealing:
        return replace(now, focus=Focus.CARDS, message="arrows and enter, or type it, such as 2c")
    before = before_last_card(now.engine, now.trail)
    if before is None:
        return replace(now, message="no card has been dealt before this; make moves that end the street")
    trail, again = before
    card = now.trail[len(trail)].board[-1]
    return replace(now, trail=trail, focus=Focus.CARDS, card=card, again=again, page=0)


# ---- typing and the rest -------------------------------------------------------------------------


def _typing(now: Explorer, key: str) -> Explorer:
    """The next state after a key while a card or a hand is typed."""
    typed = now.typed or ""
    if key == "escape" or (key == "backspace" and not typed):
        return replace(now, typed=None)
    if key == "backspace":
        return replace(now, typed=typed[:-1])
    card = now.focus is Focus.CARDS
    if key == "enter":
        return _type_card(now, typed) if card else _to_hand(now, typed)
    if len(key) > 1 or len(typed) >= _HAND_SIGNS:
        return now
    return _type_card(now, typed + key) if card else replace(now, typed=typed + key)


def _type_card(now: Explorer, text: str) -> Explorer:
    now = replace(now, typed=None)
    try:
        (card,) = parse_cards(text)
    except (TahurError, ValueError):
        return replace(now, message=f"'{text}' is not a card; write one such as 2c")
    return _deal_card(now, card) if now.free(card) else replace(now, message=f"{card} is on the table already")


def _tab(now: Explorer, _: str) -> Explorer:
    if now.focus is Focus.MATRIX:
        return replace(now, focus=Focus.CARDS if now.dealing else Focus.MOVES, page=0)
    return replace(now, focus=Focus.MATRIX)


def _escape(now: Explorer, key: str) -> Explorer:
    return _tab(now, key) if now.focus is Focus.MATRIX else _back(now)


def _switch(now: Explorer, _: str) -> Explorer:
    return replace(now, other=not now.other, page=0)


def _help(now: Explorer, _: str) -> Explorer:
    return replace(now, help=True)


def _quit(now: Explorer, _: str) -> Explorer:
    return replace(now, left=True)


def _unknown(now: Explorer, key: str) -> Explorer:
    return replace(now, message=f"no key '{key}' here; ? lists them" if len(key) == 1 else "")


_Step = Callable[[Explorer, str], Explorer]
_MOVERS: Final[dict[Focus, _Step]] = {
    Focus.MOVES: _among_moves, Focus.MATRIX: _in_matrix, Focus.CARDS: _in_cards,
}  # fmt: skip
_COMMANDS: Final[dict[str, _Step]] = {
    "tab": _tab, "escape": _escape, "backspace": _back, "t": _pick_card, "h": _ask_hand, "s": _switch, "?": _help,
    "q": _quit,
}  # fmt: skip
