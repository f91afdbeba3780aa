"""A match: ends when the game says so or after enough deals, and every deal can be dealt again by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import pytest

from tahur.arena.match import run
from tahur.core.game import CHANCE, Game
from tahur.core.player import Decision, Player, View
from tahur.core.record import Record, Seen
from tahur.games.kuhn import Kuhn
from tahur.games.leduc import CALL, RAISE, Leduc
from tahur.games.liars_dice import LiarsDice
from tahur.players.simple import RandomPlayer

GAMES: list[Game[Any]] = [Kuhn(), Kuhn(3), Leduc(), LiarsDice(2, 6)]


@dataclass(frozen=True)
class Short(Kuhn):
    """Kuhn poker that is over after so many deals."""

    left: int = 3

    def next(self, record: Record) -> Any:
        return Short(self.seats, self.left - 1) if self.left > 1 else None


class Only:
    """Plays one action where it can, the first legal one elsewhere; draws much, counts what it is told."""

    def __init__(self, action: int, draws: int = 0) -> None:
        self.begun = self.learned = 0
        self._action = action
        self._draws = draws

    def begin(self, view: View, rng: np.random.Generator) -> None:
        self.begun += 1
        rng.random(self._draws)

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        actions = view.table.actions()
        return Decision(self._action if self._action in actions else actions[0])

    def learn(self, seen: Seen) -> None:
        self.learned += 1


def randoms(game: Game[Any]) -> list[Player]:
    return [RandomPlayer() for _ in range(game.seats)]


@pytest.mark.parametrize(("deals", "played"), [(None, 3), (2, 2), (3, 3), (9, 3), (0, 0)])
def test_a_match_ends_when_the_game_is_over_or_enough_was_dealt(deals: int | None, played: int) -> None:
    match = run(Short(), randoms(Short()), seed=1, deals=deals)
    assert len(list(islice(match, 20))) == played


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_the_small_games_go_on_for_ever(game: Game[Any]) -> None:
    assert len(list(run(game, randoms(game), seed=1, deals=40))) == 40
    assert len(list(islice(run(game, randoms(game), seed=1), 41))) == 41


def test_a_match_is_played_as_it_is_asked_for() -> None:
    player = Only(0)
    match = run(Kuhn(), [player, Only(0)], seed=1)
    assert player.begun == 0
    next(match)
    assert (player.begun, player.learned) == (1, 1)
    next(match)
    assert (player.begun, player.learned) == (2, 2)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_the_same_seed_gives_the_same_match_and_another_seed_another(game: Game[Any]) -> None:
    first, again, other = (list(run(game, randoms(game), seed=seed, deals=30)) for seed in (7, 7, 8))
    assert first == again
    assert first != other


def test_deals_of_a_match_differ() -> None:
    records = list(run(LiarsDice(5, 6), randoms(LiarsDice()), seed=7, deals=30))
    assert len({record.hands for record in records}) == 30


def test_names_are_in_every_record() -> None:
    names = ("Ana", "Blas")
    assert {record.names for record in run(Kuhn(), randoms(Kuhn()), seed=1, deals=5, names=names)} == {names}


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_swapping_a_player_never_changes_the_hands(game: Game[Any]) -> None:
    line_ups: list[list[Player]] = [
        randoms(game),
        [Only(0, draws=50), *randoms(game)[1:]],
        [*randoms(game)[1:], Only(1, draws=1)],
        [Only(2) for _ in range(game.seats)],
    ]
    hands = [[record.hands for record in run(game, players, seed=3, deals=50)] for players in line_ups]
    assert hands.count(hands[0]) == len(line_ups)


def test_swapping_a_player_never_changes_the_board() -> None:
    """Even when the betting differs, as the cards of a deck would come."""
    line_ups: list[list[Player]] = [
        [Only(CALL, draws=9), Only(CALL)],
        [Only(RAISE), Only(CALL, draws=3)],
        randoms(Leduc()),
    ]
    boards = [[_board(record) for record in run(Leduc(), players, seed=3, deals=60)] for players in line_ups]
    assert None not in boards[0]
    for called, raised, chanced in zip(*boards, strict=True):
        assert raised == called
        assert chanced in (called, None)


def test_a_seat_draws_the_same_whoever_sits_opposite() -> None:
    class Diary(Only):
        def __init__(self) -> None:
            super().__init__(0)
            self.drawn: list[float] = []

        def begin(self, view: View, rng: np.random.Generator) -> None:
            self.drawn.append(rng.random())

    def diary(opponent: Player) -> Sequence[float]:
        writer = Diary()
        for _ in run(Kuhn(), [writer, opponent], seed=3, deals=20):
            pass
        return writer.drawn

    assert diary(RandomPlayer()) == diary(Only(1, draws=77))


def _board(record: Record) -> int | None:
    tables = zip(record.replay(Leduc()), record.actions, strict=False)
    return next((action for table, action in tables if table.turn == CHANCE), None)
