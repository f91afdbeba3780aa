"""The betting before the flop in words: `utg-open,btn-call,bb-squeeze`. Seats that are not named fold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from tahur.core.errors import StrategyError, hint_for
from tahur.games.holdem.table import CALL, FOLD
from tahur.solvers.nolimit.multiway.tree import PreflopTree, action_names, position_names

PASSIVE: Final = ("limp", "call", "check")
# The number of raises before each of these words; None: any.
RAISES: Final[Mapping[str, int | None]] = {
    "open": 0,
    "raise": None,
    "3bet": 1,
    "squeeze": 1,
    "4bet": 2,
    "5bet": 3,
    "6bet": 4,
    "all-in": None,
}
OTHER_NAMES: Final = {"mp": "hj", "lj": "utg", "ep": "utg", "bu": "btn", "button": "btn"}


@dataclass(frozen=True, slots=True)
class PreflopAction:
    """What a seat did, folding excepted: `btn` and `open`."""

    position: str
    action: str

    @property
    def text(self) -> str:
        return f"{self.position}-{self.action}"


def parse_line(text: str) -> tuple[PreflopAction, ...]:
    """The actions of a line; a position alone means that it opened: `btn` is `btn-open`."""
    return tuple(_parse_word(word) for word in re.split(r"[,\s]+", text.strip().lower()) if word)


def position_of(text: str, seats: int) -> str:
    """A position as it is called here: `utg`, also written `UTG` or `lj`."""
    name = OTHER_NAMES.get(text.strip().lower(), text.strip().lower())
    if name not in (known := position_names(seats)):
        raise StrategyError(f"no position '{text}' at a table of {seats}; valid: {', '.join(known)}")
    return name


def node_at(tree: PreflopTree, line: tuple[PreflopAction, ...], position: str | None = None) -> int:
    """The decision after a line, of the next seat to act, or of `position` after the seats before it folded."""
    node = _after(tree, line)
    seat = None if position is None else _seat(tree, position)
    while seat is not None and tree.children[node] and tree.tables[node].turn != seat:
        node = tree.children[node][0]  # folds, or checks
    if not tree.children[node]:
        who = f"{position} has no decision" if position else "the betting is over"
        raise StrategyError(f"{who} after {_text(line) or 'no action'}")
    return node


def closed_node(tree: PreflopTree, line: tuple[PreflopAction, ...]) -> int:
    """The end of the betting after a line: everybody else folds. Two or more seats must be left."""
    node = _after(tree, line)
    while tree.children[node]:
        node = tree.children[node][0]  # folds, or checks
    if len(tree.tables[node].live) < 2:
        raise StrategyError(f"nobody calls after {_text(line) or 'no action'}: there is no flop")
    return node


def words_to(tree: PreflopTree, node: int) -> Iterator[PreflopAction]:
    """The actions that lead to a node, folding excepted, the raises by their number."""
    names = position_names(tree.seats)
    for parent, place in tree.path(node):
        table, action = tree.tables[parent], tree.menu(parent)[place]
        if action != FOLD:
            word = action_names(tree, parent)[place] if action == CALL else raise_name(table.raised)
            yield PreflopAction(names[table.turn], word)


def raise_name(raised: int) -> str:
    """The name of the raise after so many raises: open, 3bet, 4bet, ..."""
    return "open" if raised == 0 else f"{raised + 2}bet"


def _parse_word(word: str) -> PreflopAction:
    position, _, action = word.partition("-")
    action = {"": "open", "allin": "all-in"}.get(action, action)
    if action not in (known := ("fold", *PASSIVE, *RAISES)):
        raise StrategyError(f"no action '{action}' in '{word}'; {hint_for(action, known)}")
    return PreflopAction(OTHER_NAMES.get(position, position), action)


def _after(tree: PreflopTree, line: tuple[PreflopAction, ...]) -> int:
    """The node after all actions of a line; seats between them fold."""
    node = 0
    for step in line:
        seat = _seat(tree, step.position)
        while tree.children[node] and tree.tables[node].turn != seat:
            node = tree.children[node][0]  # folds, or checks
        if not tree.children[node]:
            raise StrategyError(f"{step.position} cannot act in {_text(line)}: the betting is over or it has folded")
        node = tree.children[node][_place(tree, node, step)]
    return node


def _place(tree: PreflopTree, node: int, step: PreflopAction) -> int:
    """Which of the actions of a decision a word means."""
    table, menu, names = tree.tables[node], tree.menu(node), action_names(tree, node)
    if step.action in PASSIVE and CALL in menu:
        return menu.index(CALL)
    if step.action == "fold" and FOLD in menu:
        return menu.index(FOLD)
    fits = step.action in RAISES and RAISES[step.action] in (None, table.raised)
    if fits and menu[-1] > CALL and (step.action != "all-in" or names[-1] == "all-in"):
        return len(menu) - 1
    valid = [raise_name(table.raised) if action > CALL else name for action, name in zip(menu, names, strict=True)]
    raise StrategyError(f"{step.text} is not possible there; valid for {step.position}: {', '.join(valid)}")


def _seat(tree: PreflopTree, position: str) -> int:
    return position_names(tree.seats).index(position_of(position, tree.seats))


def _text(line: tuple[PreflopAction, ...]) -> str:
    return ",".join(step.text for step in line)
