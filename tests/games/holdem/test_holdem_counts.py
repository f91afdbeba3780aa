"""Known sizes of the heads-up limit games, by walking every betting sequence once.

They can be checked by hand: a street closes without a fold in 7 ways with a cap of 3 (before the flop, where there is
a bet to begin with, too) and in 9 with a cap of 4. acpc, with caps 3/4/4/4, is the game of the literature.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pytest

from tahur.core.game import CHANCE, OVER, Action
from tahur.games.holdem.limit import PRESETS, LimitPreset
from tahur.games.holdem.table import HoldemTable

PRESET = {preset.name: preset for preset in PRESETS}


@dataclass
class Size:
    decisions: int
    longest: int  # decisions of one deal
    committed: int  # the most chips of one seat


def size_of(table: HoldemTable, depth: int = 0) -> Size:
    """The size of the tree below a table, each board card dealt in one way only."""
    size = Size(0, depth, max(table.committed))
    if table.turn == OVER:
        return size
    if table.turn == CHANCE:
        children = [size_of(table.after(len(table.board)), depth)]
    else:
        children = [size_of(table.after(action), depth + 1) for action in table.actions()]
        size.decisions = 1
    for child in children:
        size.decisions += child.decisions
        size.longest = max(size.longest, child.longest)
        size.committed = max(size.committed, child.committed)
    return size


def ends_of(table: HoldemTable) -> set[tuple[Action, ...]]:
    """Every betting sequence to the end, with its amounts."""
    if table.turn == OVER:
        return {table.history}
    actions = (len(table.board),) if table.turn == CHANCE else table.actions()
    return set().union(*(ends_of(table.after(action)) for action in actions))


def ways_to_close(table: HoldemTable) -> int:
    """How many betting sequences of this street end without a fold."""
    if table.turn < 0:
        return len(table.live) > 1
    return sum(ways_to_close(table.after(action)) for action in table.actions())


@pytest.mark.parametrize(
    ("name", "decisions", "longest", "committed"),
    [("hulh", 4964, 22, 46), ("acpc", 6378, 23, 48), ("fhp", 64, 10, 14), ("fhp-3-4", 78, 11, 16)],
)
def test_a_limit_game_has_its_known_size(name: str, decisions: int, longest: int, committed: int) -> None:
    size = size_of(PRESET[name]().start())
    assert (size.decisions, size.longest, size.committed) == (decisions, longest, committed)


@pytest.mark.parametrize(("name", "ways"), [("hulh", [7, 7, 9, 9]), ("acpc", [7, 9, 9, 9]), ("fhp", [7, 7])])
def test_a_street_closes_in_its_known_number_of_ways(name: str, ways: list[int]) -> None:
    table = PRESET[name]().start()
    found = []
    for _ in ways:
        while table.turn == CHANCE:
            table = table.after(len(table.board))
        found.append(ways_to_close(table))
        table = table.after(1).after(1)  # check it down
    assert found == ways


@pytest.mark.parametrize(("name", "big_blinds"), [("hulh", 23), ("acpc", 24)])
def test_from_so_many_big_blinds_on_no_bet_is_cut_short_by_a_stack(name: str, big_blinds: int) -> None:
    preset: LimitPreset = PRESET[name]
    enough, deep, short = (ends_of(preset(stack=chips).start()) for chips in (2 * big_blinds, 2000, 2 * big_blinds - 1))
    assert enough == deep
    assert enough != short


def test_flop_holdem_has_eight_decisions_before_the_flop_and_eight_after_each_of_seven_ways_to_it() -> None:
    """64 = 8 + 7 x 8; with a cap of four there are ten on the flop: 78 = 8 + 7 x 10."""
    before = Counter[int]()

    def count(table: HoldemTable) -> None:
        if table.turn == OVER:
            return
        if table.turn == CHANCE:
            count(table.after(len(table.board)))
            return
        before[table.street] += 1
        for action in table.actions():
            count(table.after(action))

    count(PRESET["fhp"]().start())
    assert before == {0: 8, 1: 7 * 8}
