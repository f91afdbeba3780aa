"""The six-seat strategies that come with the package: those of the script, and sane to a strong player."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

import tahur
from tahur.cards.ranges import Range
from tahur.cards.rankings import class_names
from tahur.core.errors import StrategyError
from tahur.solvers.nolimit.multiway.lines import node_at, parse_line
from tahur.solvers.nolimit.multiway.names import named_actions
from tahur.solvers.nolimit.multiway.situations import flop_situation, shipped_file, shipped_strategy
from tahur.solvers.nolimit.multiway.strategy import MultiwayStrategy
from tahur.solvers.nolimit.multiway.tree import action_names

PACKAGE = Path(tahur.__file__).parent
FOLDER = PACKAGE / "solvers" / "nolimit" / "multiway" / "strategies"
DEPTHS = (40, 100, 200)
NAMES = class_names()
ACES = NAMES.index("AA")
POSITIONS = ("utg", "hj", "co", "btn")


def _frequencies(strategy: MultiwayStrategy, line: str, position: str) -> dict[str, float]:
    node = node_at(strategy.tree, parse_line(line), position)
    return dict(zip(action_names(strategy.tree, node), strategy.chart(node).frequencies, strict=True))


def test_every_file_is_there_with_its_checksum_and_small() -> None:
    files = [*FOLDER.glob("*.tahur"), PACKAGE / "cards" / "preflop_ranges.tahur"]
    checksums = json.loads((FOLDER / "checksums.json").read_text())
    assert checksums == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    assert len(files) == len(DEPTHS) + 1
    assert max(path.stat().st_size for path in files) < 1_000_000


@pytest.mark.parametrize("depth", DEPTHS)
def test_aces_never_fold_and_the_worst_hand_is_not_opened(depth: int) -> None:
    strategy = shipped_strategy("6max", depth)
    assert strategy.depth == depth
    for node in {named.node for named in named_actions(strategy.tree) if not strategy.is_rare(named.node)}:
        names, mix = action_names(strategy.tree, node), strategy.mix(node)
        if names[0] == "fold":
            assert mix[0, ACES] == 0, node
    for position in POSITIONS:
        node = node_at(strategy.tree, (), position)
        assert strategy.mix(node)[1, ACES] > 0.98
        assert strategy.mix(node)[0, NAMES.index("72o")] > 0.98


@pytest.mark.parametrize("depth", DEPTHS)
def test_later_positions_open_more(depth: int) -> None:
    strategy = shipped_strategy("6max", depth)
    opened = [_frequencies(strategy, "", position)["raise"] for position in POSITIONS]
    assert opened == sorted(opened)


def test_frequencies_at_100_bb_are_near_published_charts() -> None:
    """Published: 15-18, 18-22, 26-30 and 40-50 %; the seats before the button may differ by 2 %, the button by 3 %."""
    strategy = shipped_strategy("6max", 100)
    for position, low, high in (("utg", 0.13, 0.20), ("hj", 0.17, 0.24), ("co", 0.24, 0.32), ("btn", 0.37, 0.52)):
        assert low < _frequencies(strategy, "", position)["raise"] < high
    small_blind = _frequencies(strategy, "", "sb")
    assert 0.35 < small_blind["raise"] + small_blind["limp"] < 0.75
    for opener, folds in (("utg", 0.8), ("btn", 0.63), ("sb", 0.5)):  # the big blind defends more against later seats
        assert 0.3 < _frequencies(strategy, opener, "bb")["fold"] < folds


@pytest.mark.parametrize("depth", DEPTHS)
def test_suited_hands_are_opened_more_than_offsuit_ones(depth: int) -> None:
    strategy = shipped_strategy("6max", depth)
    for position in POSITIONS:
        opened = strategy.mix(node_at(strategy.tree, (), position))[1].reshape(13, 13)
        upper = np.triu_indices(13, 1)
        assert (opened[upper] >= opened.T[upper] - 0.1).all(), position


def test_a_pot_before_the_flop_has_its_ranges_its_size_and_its_stacks() -> None:
    pot = flop_situation("6max", 100, "btn-open,bb-call")
    assert (pot.pot, pot.stack) == (5.5, 97.5)
    assert [seat.position for seat in pot.seats] == ["bb", "btn"]
    assert pot.seat("BTN").range == Range("btn-open")
    assert pot.seat("bb").range == Range("bb-call-v-btn")
    assert pot.seat("bb").share == pytest.approx(pot.seat("bb").range.combos / 1326)
    three = flop_situation("6max", 100, "btn-open,sb-call,bb-call")
    assert (three.pot, [seat.position for seat in three.seats]) == (7.5, ["sb", "bb", "btn"])
    raised = flop_situation("6max", 100, "utg,bb-3bet,utg-call")
    assert raised.seat("utg").range == Range("utg-call-v-bb-3bet")
    assert (raised.pot, raised.stack) == (22.5, 89)
    with pytest.raises(StrategyError, match="co is not in the pot"):
        pot.seat("co")


def test_a_heads_up_pot_is_described_in_the_same_words() -> None:
    pot = flop_situation("hu", 100, "btn-open,bb-3bet,btn-call")
    assert [seat.position for seat in pot.seats] == ["bb", "btn"]
    assert pot.seat("bb").range == Range("hu:bb-3bet-v-btn")
    assert pot.pot / 2 + pot.stack == pytest.approx(100)
    with pytest.raises(StrategyError, match="not over"):
        flop_situation("hu", 100, "btn-open")
    with pytest.raises(StrategyError, match="it is not the turn of 'btn'"):
        flop_situation("hu", 100, "btn-open,btn-call")


def test_the_nearest_depth_is_used_and_other_tables_are_refused() -> None:
    assert shipped_file("6max", 60).name == "6max-40bb.tahur"
    assert shipped_file("6max", 500).name == "6max-200bb.tahur"
    with pytest.raises(StrategyError, match="no preflop strategies for '9max'"):
        shipped_file("9max", 100)
