"""The betting tree as arrays: known counts, and the real rules at every step of random hands."""

from __future__ import annotations

import numpy as np
import pytest

from tahur.core.errors import SolverError
from tahur.core.game import CHANCE, OVER
from tahur.games.betting import DECISION, FOLDED, SHOWDOWN, betting_of, slot_of
from tahur.games.registry import make


@pytest.mark.parametrize(
    ("name", "decisions", "by_street", "most"),
    [
        ("fhp", 64, (8, 56), 14),
        ("fhp-3-4", 78, (8, 70), 16),
        ("hulh", 4964, (8, 56, 490, 4410), 46),
        ("acpc", 6378, (8, 70, 630, 5670), 48),
    ],
)
def test_a_preset_has_the_known_number_of_decisions(
    name: str, decisions: int, by_street: tuple[int, ...], most: int
) -> None:
    betting = betting_of(make(name, {}))
    assert betting.decisions == decisions
    assert tuple(len(betting.of_street(street)) for street in range(betting.streets)) == by_street
    assert betting.committed.max() == most


@pytest.mark.parametrize("name", ["fhp", "hulh"])
def test_the_tree_goes_along_with_random_hands_at_the_table(name: str) -> None:
    game, rng = make(name, {}), np.random.default_rng(7)
    betting = betting_of(game)
    for _ in range(60):
        hands, table, node = game.deal(rng), game.start(), 0
        while table.turn != OVER:
            if table.turn == CHANCE:
                table = table.after(int(rng.choice(game.outcomes(table, hands))))
                continue
            assert betting.kind[node] == DECISION
            assert (betting.seat[node], betting.street[node]) == (table.turn, table.street)
            assert tuple(betting.committed[node]) == table.committed
            assert sorted(betting.actions[node][betting.legal[node]]) == list(table.actions())
            assert betting.find(table) == node
            action = int(rng.choice(table.actions()))
            node, table = int(betting.children[node, slot_of(action)]), table.after(action)
        assert betting.kind[node] == (FOLDED if len(table.live) == 1 else SHOWDOWN)
        assert betting.find(table) == node == betting.after(betting.line(node))
        paid = game.payoffs(table, hands)[0]
        assert betting.stake[node] == paid if betting.kind[node] == FOLDED else abs(paid) in (0, betting.stake[node])


def test_a_short_stack_goes_all_in_and_the_board_runs_out() -> None:
    betting = betting_of(make("fhp", {"stack": 5}))
    assert betting.committed.max() == 5
    assert betting.decisions < 64


def test_no_limit_has_no_limit_betting() -> None:
    with pytest.raises(SolverError, match="only two-player limit games"):
        betting_of(make("nlhe", {"seats": 2}))
