"""The blueprints that come with the package are those of the script, and the seat sits down with them quickly."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

import tahur
from tahur.cards.cards import combo_of, parse_cards
from tahur.games.holdem.rules import no_limit
from tahur.solvers.nolimit.abstraction import DEPTHS
from tahur.solvers.nolimit.chart import action_names, node_of, preflop_chart
from tahur.solvers.nolimit.resolving import resolver_named
from tahur.solvers.nolimit.shipped import shipped, shipped_depths, shipped_strategy

FOLDER = Path(tahur.__file__).parent / "solvers" / "nolimit" / "blueprints"
MOST_BYTES = 25_000_000


def test_every_depth_is_there_with_its_checksum_and_all_are_small() -> None:
    assert shipped_depths() == DEPTHS
    checksums = json.loads((FOLDER / "checksums.json").read_text())
    assert checksums == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in FOLDER.glob("*.tahur")}
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < MOST_BYTES


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_shipped_blueprint_plays_aces_and_gives_up_the_worst_hand(depth: int) -> None:
    assert shipped(depth * 1.05).name == f"{depth}bb.tahur"
    blueprint = shipped_strategy(depth).blueprint
    assert blueprint.streets == (4 if depth == 100 else 2)
    root = blueprint.mix(0, ())
    assert action_names(blueprint.tree, 0)[0] == "fold"
    assert root[0, combo_of(parse_cards("AsAh"))] < 0.02
    facing = blueprint.mix(node_of(blueprint.tree, action_names(blueprint.tree, 0)[-1]), ())
    assert facing[1, combo_of(parse_cards("AsAh"))] > 0.9  # calls all-in
    assert facing[0, combo_of(parse_cards("7s2h"))] > 0.9
    chart = preflop_chart(blueprint, 0)
    assert chart.values is not None
    assert np.isfinite(chart.values).all()
    assert chart.values[1:, 0].max() > 1  # aces win more than a big blind


def test_the_seat_answers_at_tables_of_any_depth() -> None:
    for depth in (4, 30, 100, 500):
        game = no_limit(seats=2, stack=2 * depth, blinds=(1, 2))
        resolver = resolver_named("fast")
        assert resolver.misfit(game) is None
        decision = resolver.resolve(game.start())
        assert decision.mix.sum(axis=0) == pytest.approx(1)
        assert set(decision.actions) <= set(game.start().actions())
