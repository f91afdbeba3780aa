"""Hands of hold'em for the tests of habits, spelled out as moves, and what each seat did in them."""

from __future__ import annotations

from holdem_play import hands_of, play

from tahur.core.game import OVER, Hand
from tahur.core.record import Record
from tahur.games.holdem.habits import ALL_HABITS, HABITS
from tahur.games.holdem.rules import Holdem
from tahur.games.registry import make

HOLE = ("AsAh", "KsKh", "QsQh", "JsJh", "TsTh", "9s9h")
WEAK = "3c2d"

Figures = dict[str, tuple[int, int]]


def record(game: Holdem, moves: str, *hole: str) -> Record:
    hands = hands_of(*(hole or HOLE)[: game.seats])
    return recorded(game, moves, hands)


def recorded(game: Holdem, moves: str, hands: tuple[Hand, ...]) -> Record:
    table = play(game, moves)
    assert table.turn == OVER
    return Record(
        game=game.name, settings=game.settings, hands=hands, actions=table.history, payoffs=game.payoffs(table, hands)
    )


def figures(game: Holdem, moves: str, *hole: str) -> list[Figures]:
    """Hits and chances of each seat, habits without either left out."""
    return figures_of(game, record(game, moves, *hole))


def figures_of(game: Holdem, played: Record) -> list[Figures]:
    tallies = HABITS.tallies(game, played).tolist()
    return [
        {
            habit.name: (hits, chances)
            for habit, (hits, chances) in zip(ALL_HABITS, seat, strict=True)
            if hits or chances
        }
        for seat in tallies
    ]


def no_limit(seats: int, **settings: object) -> Holdem:
    """Blinds 1 and 2. Seat 0 has the button, and the small blind too when there are two seats."""
    game = make("nlhe", {"seats": seats, "stack": 200} | settings if "stacks" not in settings else settings)
    assert isinstance(game, Holdem)
    return game
