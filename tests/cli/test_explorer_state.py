"""The explorer without a terminal: what keys do to where it is."""

from __future__ import annotations

from functools import cache

import pytest

from tahur.cards.cards import Card, cards_text
from tahur.cards.rankings import class_names
from tahur.cli.postflop.explorer_state import Explorer, Focus
from tahur.solvers.postflop.line import steps_text
from tahur.solvers.postflop.solve import PostflopSolution, PostflopSolver
from tahur.solvers.postflop.spot import spot
from tahur.solvers.postflop.tree import NodeKind

TURN = spot(
    board="Td9d6hQc", oop="AsAc,KsTs:0.5,9s8s,JcJs,5h4h", ip="AcKc,TsTc:0.25,9h8h,7s7c,QhJh", pot=30, stack=60,
    sizes="50%,a / a",
)  # fmt: skip


@cache
def solved() -> PostflopSolution:
    solver = PostflopSolver(TURN)
    solver.engine.iterate(20)
    return solver.solution()


def after(*keys: str) -> Explorer:
    """Where keys lead from the root; a word in angle brackets takes the move of that name."""
    now = Explorer.at_root(solved().engine)
    for key in keys:
        now = take(now, key[1:-1]) if key.startswith("<") else now.press(key)
    return now


def take(now: Explorer, name: str) -> Explorer:
    names = [str(move) for move in now.node.moves]
    while names[now.marked] != name:
        now = now.press("down")
    return now.press("right")


def line(now: Explorer) -> str:
    return steps_text(now.here.steps)


# ---- moves ---------------------------------------------------------------------------------------


def test_at_first_the_mark_is_on_the_move_that_is_made_most() -> None:
    often = solved().frequencies
    assert after().marked == often.index(max(often))


def test_up_and_down_go_round_the_moves() -> None:
    now = after()
    count = len(now.node.moves)
    marks = [now.marked]
    for _ in range(count):
        now = now.press("down")
        marks.append(now.marked)
    assert sorted(marks[:-1]) == list(range(count))
    assert marks[0] == marks[-1]
    assert after("down", "up").marked == after().marked


def test_right_makes_the_marked_move_and_left_goes_back_to_it() -> None:
    now = after("<check>", "<bet15>")
    assert line(now) == "check,bet15"
    assert now.node.seat == 0
    back = now.press("left")
    assert line(back) == "check"
    assert str(back.node.moves[back.marked]) == "bet15"


def test_at_the_root_left_stays_and_says_so() -> None:
    now = after("left")
    assert line(now) == ""
    assert "begins" in now.message
    assert now.press("down").message == ""


def test_where_the_hand_is_over_only_left_leads_on() -> None:
    over = after("<bet15>", "<fold>")
    assert over.node.kind is NodeKind.FOLD
    for key in ("right", "up", "down", "enter"):
        assert line(over.press(key)) == "bet15,fold"
        assert "over" in over.press(key).message
    assert line(over.press("left")) == "bet15"


def test_moves_that_are_never_made_can_be_walked() -> None:
    """All-in against all-in again and again: the solver has no use for it, and every node is still there."""
    now = after()
    for name in ("all-in60", "call"):
        now = take(now, name)
    assert now.node.kind is NodeKind.DEAL
    assert not now.dealing
    assert now.press("right").message


# ---- cards ---------------------------------------------------------------------------------------


def test_when_a_street_ends_a_card_is_chosen_with_arrows() -> None:
    now = after("<check>", "<check>")
    assert now.dealing
    assert now.focus is Focus.CARDS
    assert cards_text([now.card]) == "As"
    assert str(now.press("right").card) == "Ks"
    assert str(now.press("down").card) == "Ah"
    dealt = now.press("right").press("enter")
    assert line(dealt) == "check,check,[Ks]"
    assert cards_text(dealt.here.board) == "Td9d6hQcKs"
    assert dealt.focus is Focus.MOVES


def test_the_cursor_passes_over_cards_on_the_table() -> None:
    now = after("<check>", "<check>", "J", "c").press("left")
    assert str(now.card) == "Jc"
    assert str(now.press("left").card) == "Kc"


def test_a_card_can_be_typed_even_a_ten_or_a_queen() -> None:
    for keys, card in ((("2", "c"), "2c"), (("T", "s"), "Ts"), (("Q", "h"), "Qh"), (("a", "D"), "Ad")):
        assert cards_text(after("<check>", "<check>", *keys).here.board[-1:]) == card


def test_a_card_that_cannot_come_is_refused() -> None:
    assert "on the table" in after("<check>", "<check>", "T", "d").message
    assert "not a card" in after("<check>", "<check>", "2", "x").message
    assert after("<check>", "<check>", "2", "escape").dealing


def test_left_of_the_first_card_and_escape_go_back() -> None:
    assert line(after("<check>", "<check>", "left")) == "check"
    assert line(after("<check>", "<check>", "right", "left")) == "check,check"
    assert line(after("<check>", "<check>", "right", "escape")) == "check"


def test_another_card_is_followed_by_the_same_moves() -> None:
    now = after("<check>", "<check>", "2", "c", "<bet15>", "t")
    assert line(now) == "check,check"
    assert now.card == Card("2c")
    assert line(now.press("3").press("s")) == "check,check,[3s],bet15"
    assert line(after("<check>", "<check>", "2", "c", "t", "escape", "<bet15>")) == "check,bet15"


def test_without_a_card_before_there_is_none_to_change() -> None:
    assert "no card" in after("<check>", "t").message


# ---- the matrix ----------------------------------------------------------------------------------


def test_tab_gives_the_arrows_to_the_matrix_and_back() -> None:
    now = after("tab", "right", "down")
    assert class_names()[now.cell] == "KK"
    assert line(now) == ""
    assert class_names()[after("tab", "left").cell] == "A2s"
    assert line(now.press("tab").press("right")) != ""
    assert after("<check>", "<check>", "tab", "tab").focus is Focus.CARDS


@pytest.mark.parametrize(
    ("typed", "cell"), [("AKs", "AKs"), ("77", "77"), ("5h4h", "54s"), ("4c5h", "54o"), ("KT", "KTs")]
)
def test_a_hand_that_is_typed_gets_the_cursor(typed: str, cell: str) -> None:
    now = after("h", *typed, "enter")
    assert class_names()[now.cell] == cell
    assert now.focus is Focus.MATRIX
    assert (now.combo is not None) == (len(typed) == 4)


def test_what_is_no_hand_moves_nothing() -> None:
    for typed in ("zz", "", "22+"):
        now = after("h", *typed, "enter")
        assert now.cell == 0
        assert now.message
    assert after("h", "K", "K", "escape").cell == 0
    assert class_names()[after("h", "K", "x", "backspace", "K", "enter").cell] == "KK"


def test_while_a_hand_is_typed_letters_are_letters() -> None:
    now = after("h", "q", "s")
    assert not now.left
    assert now.typed == "qs"


# ---- the rest ------------------------------------------------------------------------------------


def test_s_shows_the_other_seat_and_back() -> None:
    assert [after(*"s" * count).seat for count in range(3)] == [0, 1, 0]
    assert after("<check>", "s").seat == 0


def test_q_leaves_also_from_the_help() -> None:
    assert after("q").left
    assert after("?", "q").left
    assert not after("?", "x").help
    assert line(after("?", "right")) == ""


def test_a_key_without_a_meaning_says_where_the_keys_are() -> None:
    assert "?" in after("x").message
