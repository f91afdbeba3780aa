"""Habits of Kuhn, Leduc and liar's dice, in hands with every figure known; and that every game has some."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from tahur.arena.match import run
from tahur.core.game import Action
from tahur.core.habits import FigureKind
from tahur.core.record import Record
from tahur.games.kuhn import BET, PASS, Kuhn
from tahur.games.leduc import CALL, FOLD, RAISE, Leduc
from tahur.games.liars_dice import LiarsDice
from tahur.games.registry import GAMES, game_of, make
from tahur.players.simple import RandomPlayer

Figures = dict[str, tuple[int, int]]

JACK, QUEEN, KING = 0, 1, 2


def figures(game: Any, hands: tuple[int, ...], *actions: Action) -> list[Figures]:
    """Hits and chances of each seat, habits without either left out."""
    table = game.start()
    for action in actions:
        table = table.after(action)
    record = Record(
        game=game.name, settings=game.settings, hands=hands, actions=table.history, payoffs=game.payoffs(table, hands)
    )
    habits = GAMES[game.name].habits
    assert habits is not None
    return [
        {
            habit.name: (hits, chances)
            for habit, (hits, chances) in zip(habits.entries, seat, strict=True)
            if hits or chances
        }
        for seat in habits.tallies(game, record).tolist()
    ]


# ---- Kuhn ----------------------------------------------------------------------------------------


def test_a_jack_that_bets_is_a_bluff_and_a_queen_is_none() -> None:
    bettor, folder = figures(Kuhn(), (JACK, QUEEN), BET, PASS)
    assert bettor == {"bet": (1, 1), "bluff share": (1, 1), "bluff": (1, 1)}
    assert folder == {"fold": (1, 1), "call": (0, 1)}
    assert figures(Kuhn(), (QUEEN, KING), BET, PASS)[0] == {"bet": (1, 1), "bluff share": (0, 1)}


def test_a_check_then_a_call_is_two_turns() -> None:
    first, second = figures(Kuhn(), (JACK, KING), PASS, BET, BET)
    assert first == {"bet": (0, 1), "fold": (0, 1), "call": (1, 1), "bluff": (0, 1), "won at showdown": (0, 1)}
    assert second == {"bet": (1, 1), "bluff share": (0, 1), "won at showdown": (1, 1)}


def test_nobody_raises_at_kuhn() -> None:
    habits = GAMES["kuhn"].habits
    assert habits is not None
    assert "raise" not in {habit.name for habit in habits.entries}


# ---- Leduc ---------------------------------------------------------------------------------------


def test_a_jack_is_weak_until_it_pairs_the_board() -> None:
    hands, jack_of_hearts = (0, 4), 1
    first, second = figures(Leduc(), hands, RAISE, CALL, jack_of_hearts, RAISE, FOLD)
    assert first == {"bet": (2, 2), "bluff share": (1, 2), "bluff": (1, 1)}
    assert second == {"fold": (1, 2), "call": (1, 2), "raise": (0, 2)}


def test_a_queen_is_as_good_as_not_before_the_board_and_no_bluff() -> None:
    assert figures(Leduc(), (2, 4), RAISE, FOLD)[0] == {"bet": (1, 1), "bluff share": (0, 1)}


def test_after_two_raises_there_is_no_chance_to_raise() -> None:
    first, second = figures(Leduc(), (4, 2), RAISE, RAISE, CALL, 3, CALL, CALL)
    assert second["raise"] == (1, 1)
    assert "raise" not in first
    assert first["call"] == (1, 1)
    assert second["won at showdown"] == (1, 1)


def test_equal_hands_share_the_showdown() -> None:
    assert [seat["won at showdown"] for seat in figures(Leduc(), (4, 5), CALL, CALL, 0, CALL, CALL)] == [(1, 1)] * 2


# ---- liar's dice ---------------------------------------------------------------------------------


def test_a_lie_that_is_caught() -> None:
    game = LiarsDice()  # one die each; action 6 * (count - 1) + face - 1
    first, second = figures(game, (0, 2), 2, 4, game.liar)  # a one and a three; 1 x 3, 1 x 5, liar
    assert first == {"bids": (1, 1), "bluff": (1, 1), "liar": (1, 1), "liar right": (1, 1), "doubted": (0, 1)}
    assert second == {
        "bids": (1, 1),
        "jump": (1, 1),
        "bluff": (1, 1),
        "liar": (0, 1),
        "doubted": (1, 1),
        "survived doubt": (0, 1),
    }


def test_the_wild_face_is_no_bluff_whatever_is_bid() -> None:
    game = LiarsDice()
    first, second = figures(game, (5, 0), 1, game.liar)  # a six stands for the two
    assert first["bluff"] == (0, 1)
    assert first["survived doubt"] == (1, 1)
    assert second["liar right"] == (0, 1)


# ---- every game ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_every_game_counts_habits_of_each_seat_in_whole_numbers(name: str) -> None:
    game, habits = make(name), GAMES[name].habits
    assert habits is not None
    again = pickle.loads(pickle.dumps(habits))  # as a worker process gets it
    for record in run(game, [RandomPlayer() for _ in range(game.seats)], seed=2, deals=12):
        tallies = habits.tallies(game_of(record), record)
        assert tallies.shape == (game.seats, len(habits.entries), 2)
        assert tallies.dtype.kind == "i"
        assert (again.tallies(game_of(record), record) == tallies).all()
        rates = [place for place, habit in enumerate(habits.entries) if habit.kind is FigureKind.RATE]
        assert (tallies[:, rates, 0] <= tallies[:, rates, 1]).all()


@pytest.mark.parametrize("name", GAMES)
def test_no_two_habits_of_a_game_have_one_name(name: str) -> None:
    habits = GAMES[name].habits
    assert habits is not None
    assert len({habit.name for habit in habits.entries}) == len(habits.entries)
