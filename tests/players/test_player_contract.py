"""What must hold for every player of the list at every table it plays at."""

from __future__ import annotations

import numpy as np
import pytest
from watched import TABLES, Watched, table_named

from tahur.arena.match import run
from tahur.core.player import Player, View
from tahur.core.strategy import Strategy
from tahur.games.registry import GAMES
from tahur.players.registry import PLAYERS, make_player
from tahur.players.simple import RandomPlayer

OF_PERUDO = {"equilibrium", "timeout"}
SMALL = {"kuhn", "leduc", "liars-dice"}
FROM_RANGES = {"spot"}  # where odds would have to know them
PAIRS = [
    (player, table)
    for player in PLAYERS
    for table, (game, _) in TABLES.items()
    if not (player == "odds" and game in SMALL | FROM_RANGES) and not (player in OF_PERUDO and game != "perudo")
]
SETTLED = {"caller", "folder", "timeout", "equilibrium"}  # never mix, or not where no round is solved
SETTLED_AT = {("maniac", "limit, two"), ("maniac", "leduc"), ("odds", "perudo, two")}


def watched_match(name: str, table: str, *, deals: int) -> Watched:
    """The player against random ones, in every seat in turn as far as the game turns."""
    game = table_named(table)
    watched = Watched(make_player(name, game))
    for seat in range(game.seats):
        players: list[Player] = [RandomPlayer() for _ in range(game.seats)]
        players[seat] = watched
        for record in run(game, players, seed=seat, deals=deals):
            assert len(record.payoffs) == game.seats
    return watched


def test_every_game_has_its_table() -> None:
    assert {game for game, _ in TABLES.values()} == set(GAMES)


@pytest.mark.parametrize(("name", "table"), PAIRS)
def test_it_plays_by_the_rules_the_same_from_the_same_randomness_and_as_likely_as_it_tells(
    name: str, table: str
) -> None:
    assert len(watched_match(name, table, deals=12).views) > 10


@pytest.mark.parametrize("name", PLAYERS)
def test_its_chances_are_known(name: str) -> None:
    assert isinstance(make_player(name), Strategy)


@pytest.mark.parametrize("table", ["nlhe, two", "limit, two", "perudo, two", "leduc"])
@pytest.mark.parametrize("name", PLAYERS)
def test_how_often_it_does_what_is_what_it_tells(name: str, table: str) -> None:
    """The largest distance between the two distributions, over the actions in order (Kolmogorov and Smirnov)."""
    if (name, table) not in PAIRS:
        return
    draws = 1500
    watched = watched_match(name, table, deals=15)
    mixed = [view for view in watched.views if len(watched.player.probabilities(view)) > 1]  # type: ignore[attr-defined]
    assert mixed or name in SETTLED or (name, table) in SETTLED_AT
    rng = np.random.default_rng(1)
    for view in mixed[:: max(1, len(mixed) // 4)][:4]:
        assert _distance(watched.player, view, draws, rng) < 2 / draws**0.5  # by chance: once in 1,500 times


@pytest.mark.parametrize("name", PLAYERS)
def test_a_decision_depends_on_nothing_that_happened_in_other_hands(name: str) -> None:
    watched = watched_match(name, "perudo, two" if name in OF_PERUDO else "nlhe, two", deals=20)
    for view in watched.views[::7]:
        decisions = {
            player.act(view, np.random.default_rng(3)).action for player in (make_player(name), watched.player)
        }
        assert len(decisions) == 1


def _distance(player: Player, view: View, draws: int, rng: np.random.Generator) -> float:
    told = player.probabilities(view)  # type: ignore[attr-defined]
    counted = np.zeros(len(told))
    places = {action: place for place, action in enumerate(sorted(told))}
    for _ in range(draws):
        counted[places[player.act(view, rng).action]] += 1
    expected = np.array([told[action] for action in sorted(told)])
    return float(np.abs(np.cumsum(counted / draws - expected)).max())
