"""Heads-up limit as it was designed, group by group: what may be done, streets, ends, chips, edges, caps, whole hands.

Sizes of the trees are in `test_holdem_counts.py`, what nets are told of cards and bets in `test_card_rows.py`, the
whole trees against OpenSpiel in `test_universal_poker.py`. Seat 0 has the button and the small blind.
"""

from __future__ import annotations

from typing import Any

import pytest
from holdem_play import hands_of, play

from tahur.core.game import CHANCE, OVER
from tahur.games.holdem.limit import PRESETS, limit
from tahur.games.holdem.table import CALL, FOLD, HoldemTable

PRESET = {preset.name: preset for preset in PRESETS}
HULH, FHP = PRESET["hulh"](), PRESET["fhp"]()
FLOP, TURN, RIVER = "QsJdTh", "4c", "4h"


def _tables(table: HoldemTable) -> list[HoldemTable]:
    """Every decision of the betting tree."""
    found, waiting = [], [table]
    while waiting:
        table = waiting.pop()
        if table.turn == CHANCE:
            waiting.append(table.after(len(table.board)))
        elif table.turn != OVER:
            found.append(table)
            waiting += [table.after(action) for action in table.actions()]
    return found


def _aggressive(table: HoldemTable) -> int:
    """Bets and raises of this street so far: levels above the blind, or above nothing."""
    return (max(table.bets) - (2 if table.street == 0 else 0)) // (2 if table.street < 2 else 4)


# ---- action generation, and caps -----------------------------------------------------------------


@pytest.mark.parametrize("name", ["hulh", "fhp", "fhp-3-4", pytest.param("acpc", marks=pytest.mark.slow)])
def test_everywhere_one_folds_only_to_a_bet_and_raises_only_below_the_cap(name: str) -> None:
    game = PRESET[name]()
    for table in _tables(game.start()):
        actions, facing = list(table.actions()), table.to_call > 0
        assert (FOLD in actions) == facing
        assert CALL in actions
        below = _aggressive(table) < PRESET[name].caps[table.street]
        assert len(actions) == 1 + facing + below  # one size of raise
        if below:
            assert table.raises == range(max(table.bets) + (2 if table.street < 2 else 4), table.raises[0] + 1)


@pytest.mark.parametrize(("caps", "most"), [((0, 0, 0, 0), 0), ((1, 2, 3, 4), 10), ((3, 3, 4, 4), 14)])
def test_a_hand_has_as_many_bets_and_raises_as_its_caps_add_up_to(caps: tuple[int, ...], most: int) -> None:
    table, made = limit(stacks=[200, 200], caps=list(caps)).start(), 0
    while table.turn != OVER:
        if table.turn == CHANCE:
            table = table.after(len(table.board))
        else:
            made += bool(table.raises)
            table = table.after(table.raises[0] + 1 if table.raises else CALL)
    assert made == most


# ---- streets -------------------------------------------------------------------------------------


def test_each_street_shows_its_cards_begins_with_no_bets_and_with_the_big_blind() -> None:
    shown, line = [], "r4 c"
    for cards in (FLOP, TURN, RIVER):
        line += f" {cards}"
        table = play(HULH, line)
        shown.append(len(table.board))
        assert (table.bets, table.to_call, table.turn) == ((0, 0), 0, 1)
        line += " c r4 c" if cards != FLOP else " c r2 c"
    assert shown == [3, 4, 5]
    assert play(HULH, line).turn == OVER


def test_two_checks_or_a_call_end_a_street_and_a_limp_does_not() -> None:
    assert play(HULH, "c").turn == 1  # the big blind's option
    assert play(HULH, "c c").turn == CHANCE
    assert play(HULH, f"c c {FLOP} c").turn == 0
    assert play(HULH, f"c c {FLOP} c c").turn == CHANCE
    assert play(HULH, f"c c {FLOP} c r2").turn == 1
    assert play(HULH, f"c c {FLOP} c r2 c").turn == CHANCE


# ---- ends, and what they pay ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "hands", "paid"),
    [
        ("f", ("2c2d", "AsAh"), (-1, 1)),
        ("r4 f", ("7c2d", "AsAh"), (2, -2)),
        (f"r4 r6 c {FLOP} r2 r4 f", ("7c2d", "AsAh"), (8, -8)),
        (f"r4 c {FLOP} c c {TURN} r4 c {RIVER} c c", ("AsKh", "AdAh"), (8, -8)),  # a straight over two pair
        (f"c c {FLOP} c c {TURN} c c {RIVER} r4 c", ("KsQh", "AcKd"), (-6, 6)),
        (f"r4 c {FLOP} c c {TURN} c c {RIVER} r4 r8 c", ("AsKh", "AdKc"), (0, 0)),  # the same straight
    ],
)
def test_an_end_pays_what_the_loser_put_in(line: str, hands: tuple[str, str], paid: tuple[int, int]) -> None:
    table = play(HULH, line)
    assert table.turn == OVER
    assert HULH.payoffs(table, hands_of(*hands)) == paid


def test_flop_holdem_ends_after_the_flop_with_five_cards_each() -> None:
    table = play(FHP, f"r4 c {FLOP} c r2 c")
    assert (table.turn, len(table.board)) == (OVER, 3)
    assert FHP.payoffs(table, hands_of("AsKh", "QdQh")) == (6, -6)  # no full house comes any more
    other = PRESET["fhp"](showdown_board=5)
    dealt = play(other, f"r4 c {FLOP} c r2 c {TURN} {RIVER}")
    assert other.payoffs(dealt, hands_of("AsKh", "QdQc")) == (-6, 6)


# ---- edges ---------------------------------------------------------------------------------------


def test_all_in_before_the_cap_the_board_runs_out_and_nothing_is_asked_any_more() -> None:
    game = PRESET["hulh"](stack=5)
    table = play(game, "r4 r5")
    assert not table.raises  # a third raise would be below the cap
    table = table.after(CALL)
    while table.turn != OVER:
        assert table.turn == CHANCE
        table = table.after(len(table.board))
    assert len(table.board) == 5
    assert sorted(map(abs, game.payoffs(table, hands_of("AsAh", "KsKh")))) == [5, 5]


def test_the_shorter_stack_is_what_can_be_lost() -> None:
    game = PRESET["hulh"](stacks=[100, 3])
    table = play(game, f"r4 c {FLOP} {TURN} {RIVER}")
    assert game.payoffs(table, hands_of("2c2d", "AsKh")) == (-3, 3)
    assert play(PRESET["hulh"](stack=2), "c").turn == CHANCE  # nothing left but the blind


# ---- a whole hand --------------------------------------------------------------------------------


def test_a_whole_hand_offers_the_right_actions_at_every_step() -> None:
    steps: list[tuple[str, str]] = [
        ("", "fcr"), ("r4", "fcr"), ("r6", "fcr"), ("r8", "fc"), (f"c {FLOP}", "cr"), ("c", "cr"), ("r2", "fcr"),
        ("r4", "fcr"), ("r6", "fc"), (f"c {TURN}", "cr"), ("r4", "fcr"), ("r8", "fcr"), ("r12", "fcr"), ("r16", "fc"),
        (f"c {RIVER}", "cr"), ("c", "cr"), ("r4", "fcr"), ("c", ""),
    ]  # fmt: skip
    line = ""
    for step, offered in steps:
        line = f"{line} {step}".strip()
        table = play(HULH, line)
        actions: Any = table.actions() if table.turn != OVER else ()
        assert "".join("fcr"[min(action, 2)] for action in actions) == offered
    assert table.committed == (34, 34)
    assert HULH.payoffs(table, hands_of("AsKh", "AdAh")) == (34, -34)
