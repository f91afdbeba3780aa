"""Every line of a betting tree is played at the table of the hold'em rules, which must allow it and agree on chips."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from named_spots import SPOTS

from tahur.core.game import CHANCE, OVER
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.stakes import Stakes
from tahur.games.holdem.table import CALL, FOLD, HoldemTable
from tahur.solvers.postflop.spot import Spot, spot
from tahur.solvers.postflop.tree import Deed, Node, NodeKind, build

CARDS = [card for card in range(52) if card not in SPOTS["R1"].board]


def table_at(asked: Spot) -> HoldemTable:
    """Heads-up, both half the pot in: the button is in position, and nobody bets before the spot's street."""
    half = asked.pot // 2
    table = Holdem("nlhe", Stakes((half + asked.stack,) * 2, blinds=(0, 1))).start()
    for action in (half + 1, CALL) if half > 1 else (CALL, CALL):
        table = table.after(action)
    for number, card in enumerate(asked.board):
        table = table.after(card)
        if 3 <= number + 1 < len(asked.board):
            table = table.after(CALL).after(CALL)
    return table


def play(node: Node, table: HoldemTable, asked: Spot) -> int:
    """How many ends there are below, all checked."""
    if node.kind is NodeKind.DEAL:
        assert table.turn == CHANCE
        fresh = next(card for card in CARDS if card not in table.board)
        return play(node.children[0], table.after(fresh), asked)
    if node.kind is not NodeKind.DECISION:
        assert table.turn == OVER
        assert (len(table.live) == 1) == (node.kind is NodeKind.FOLD)
        assert sorted(table.committed)[0] == asked.pot // 2 + node.bet
        return 1
    assert table.turn == 1 - node.seat
    actions = [_action(move.deed, move.to) for move in node.moves]
    assert all(action in table.actions() for action in actions)
    return sum(play(child, table.after(a), asked) for child, a in zip(node.children, actions, strict=True))


def _action(deed: Deed, to: int) -> int:
    return FOLD if deed is Deed.FOLD else CALL if deed in (Deed.CHECK, Deed.CALL) else to + 1


@pytest.mark.parametrize("name", SPOTS)
def test_named_trees_can_be_played_at_the_table(name: str) -> None:
    assert play(build(SPOTS[name]), table_at(SPOTS[name]), SPOTS[name]) > 40


@given(st.integers(1, 40), st.integers(1, 150), st.sampled_from(["33%,a / 20c", "7c,e / 1.2x,a", "75% / e,150%"]))
def test_any_tree_can_be_played_at_the_table(half: int, stack: int, sizes: str) -> None:
    river = spot(board="Td9d6hQc2s", oop="AA", ip="KK", pot=2 * half, stack=stack, sizes=sizes)
    play(build(river), table_at(river), river)
