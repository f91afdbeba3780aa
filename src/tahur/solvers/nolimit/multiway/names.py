"""The names of preflop ranges: `btn-open`, `bb-call-v-btn`, `sb-3bet-v-btn`, `bb-squeeze-v-utg-btn`.

A name says who does what against whom. After `v-` come the others that are in the pot, in the order in which they
entered it; if it is not clear from the action what the last of them did, that follows: `btn-call-v-sb-3bet`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tahur.games.holdem.table import CALL, FOLD
from tahur.solvers.nolimit.multiway.lines import PreflopAction, raise_name, words_to
from tahur.solvers.nolimit.multiway.tree import PreflopTree, position_names


class NamedAction(NamedTuple):
    """An action of a decision that has a name."""

    name: str
    node: int
    action: int  # its place among the actions of the decision


CALLS, RAISES = "call", "raise"


def named_actions(tree: PreflopTree) -> Iterator[NamedAction]:
    """All named actions of a tree."""
    seats = position_names(tree.seats)
    for node in tree.decisions:
        position, past = seats[tree.tables[node].turn], tuple(words_to(tree, node))
        for place, action in enumerate(tree.menu(node)):
            kind = CALLS if action == CALL else RAISES
            if action != FOLD and (name := name_of(position, kind, past)) is not None:
                yield NamedAction(name, node, place)


def name_of(position: str, kind: str, past: tuple[PreflopAction, ...]) -> str | None:
    """The name of an action of a seat after these of all seats; None if it has none."""
    kinds = "".join("r" if step.action[-3:] in ("pen", "bet") else "c" for step in past)
    who = [step.position for step in past]
    if not past:
        return f"{position}-open" if kind == RAISES else f"{position}-limp"
    if past[0].action == "limp":
        return _after_limp(position, kind, who, kinds)
    if kinds == "r" * len(kinds):
        return _between_raisers(position, kind, who)
    if kinds == "rc":
        return f"{position}-{'squeeze' if kind == RAISES else 'call'}-v-{who[0]}-{who[1]}"
    if kinds == "rcr" and position in who[:2]:
        other = who[1 - who.index(position)]
        return f"{position}-{'4bet' if kind == RAISES else 'call'}-v-{who[2]}-squeeze-{other}"
    return None


def _after_limp(position: str, kind: str, who: list[str], kinds: str) -> str | None:
    """The small blind limped."""
    if kinds == "c":
        return f"{position}-{'raise' if kind == RAISES else 'check'}-v-{who[0]}-limp"
    if kinds == "cr" and position == who[0]:
        return f"{position}-limp-{'3bet' if kind == RAISES else 'call'}-v-{who[1]}"
    return None


def _between_raisers(position: str, kind: str, who: list[str]) -> str | None:
    """Raises only: of one seat, or of two against each other; a third seat may 4-bet."""
    raised = len(who)
    word = raise_name(raised) if kind == RAISES else "call"
    if raised == 1:
        return f"{position}-{word}-v-{who[0]}"
    if position not in who:
        return f"{position}-cold4bet-v-{who[0]}-{who[1]}" if raised == 2 and kind == RAISES else None
    if len(set(who)) > 2:
        return None
    faced = raise_name(raised - 1)
    return f"{position}-{word}-v-{who[-1]}" + ("" if kind == RAISES else f"-{faced}")
