"""What positions are worth: equal to the payoffs at the end, a mean over chance before, and exact to the odd chip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from tahur.arena.match import run
from tahur.core.game import CHANCE, OVER, Game
from tahur.core.scoring import Appraised
from tahur.games.holdem.table import CALL, FOLD
from tahur.games.holdem.worth import FOLDS
from tahur.games.registry import GAMES, make
from tahur.players.simple import RandomPlayer

Worth = tuple[float, ...]

# Stacks that make side pots and odd chips; a seat without chips; antes; limit; a showdown on three cards.
HOLDEMS: list[tuple[str, dict[str, Any]]] = [
    ("nlhe", {"stacks": [200, 200], "carry": False}),
    ("nlhe", {"stacks": [37, 200], "blinds": [1, 3], "ante": 1, "carry": False}),
    ("nlhe", {"stacks": [11, 25, 40], "blinds": [1, 3], "carry": False}),
    ("nlhe", {"stacks": [9, 17, 0, 33, 60], "ante": 1, "carry": False}),
    ("nlhe", {"stacks": [5, 9, 13, 21, 30, 44], "carry": False}),
    ("limit", {"stacks": [15, 30, 40], "carry": False}),
    ("hulh", {}),
    ("fhp", {}),
    ("fhp", {"showdown_board": 5}),
]


def _tables(game: Game[Any], deals: int, seed: int) -> Iterator[tuple[Any, Any, tuple[int, ...]]]:
    """Every table of some deals between random players, with the game and the hands."""
    now: Game[Any] | None = game
    for record in run(game, [RandomPlayer()] * game.seats, seed=seed, deals=deals):
        assert now is not None
        for table in record.replay(now):
            yield now, table, record.hands
        now = now.next(record)


def _mean(worths: Sequence[Worth]) -> Worth:
    return tuple(np.mean(np.array(worths, float), axis=0).tolist())


@pytest.mark.parametrize("name", GAMES)
def test_every_game_says_what_its_tables_are_worth(name: str) -> None:
    assert isinstance(make(name), Appraised)


@pytest.mark.parametrize("name", GAMES)
def test_a_table_that_is_over_is_worth_the_payoffs(name: str) -> None:
    for game, table, hands in _tables(make(name), 20, seed=1):
        if table.turn == OVER:
            assert game.worth(table, hands) == game.payoffs(table, hands)


@pytest.mark.parametrize(("name", "settings"), [("leduc", {}), *HOLDEMS])
def test_before_a_card_a_table_is_worth_the_mean_of_what_it_is_worth_after(name: str, settings: dict[str, Any]) -> None:
    seen = 0
    for game, table, hands in _tables(make(name, settings), 12, seed=2):
        if table.turn == CHANCE and (table.board or name == "leduc"):
            after = [game.worth(table.after(card), hands) for card in game.outcomes(table, hands)]
            assert game.worth(table, hands) == pytest.approx(_mean(after), abs=1e-9)
            seen += 1
    assert seen > 5


@pytest.mark.parametrize(("name", "settings"), [HOLDEMS[0], HOLDEMS[4], HOLDEMS[7]])
def test_before_the_flop_too(name: str, settings: dict[str, Any]) -> None:
    seen = 0
    for game, table, hands in _tables(make(name, settings), 12, seed=3):
        if table.turn == CHANCE and not table.board and seen < 2:
            after = [game.worth(table.after(card), hands) for card in game.outcomes(table, hands)]
            assert game.worth(table, hands) == pytest.approx(_mean(after), abs=1e-9)
            seen += 1
    assert seen


def _played_out(game: Any, table: Any, hands: tuple[int, ...], *, fold: bool) -> Worth:
    """The mean of real payoffs, every card gone through: all who owe on this street fold, or all call; then checks."""
    street = table.board
    while table.turn >= 0:
        owes = table.bets[table.turn] < table.bet
        table = table.after(FOLD if fold and owes and table.board == street else CALL)
    if table.turn == OVER:
        return tuple(game.payoffs(table, hands))
    cards = game.outcomes(table, hands)
    return _mean([_played_out(game, table.after(card), hands, fold=False) for card in cards])


@pytest.mark.parametrize(("name", "settings"), HOLDEMS[:-1])
def test_a_table_is_worth_what_playing_it_out_by_the_yardstick_pays_to_the_odd_chip(
    name: str, settings: dict[str, Any]
) -> None:
    owed = unowed = 0
    for game, table, hands in _tables(make(name, settings), 25, seed=4):
        if table.turn < 0 or len(table.board) < game.stakes.showdown_board - 1:
            continue
        called = _played_out(game, table, hands, fold=False)
        folded = _played_out(game, table, hands, fold=True)
        mean = tuple(FOLDS * f + (1 - FOLDS) * c for f, c in zip(folded, called, strict=True))
        assert game.worth(table, hands) == pytest.approx(mean, abs=1e-9), table.history
        owed, unowed = owed + (folded != called), unowed + (folded == called)
    assert owed
    assert unowed


def test_some_of_these_tables_have_side_pots_odd_chips_and_folded_hands() -> None:
    side = odd = dead = 0
    for name, settings in HOLDEMS[2:5]:
        for _, table, _ in _tables(make(name, settings), 25, seed=4):
            if len(table.board) == 4:
                side += len(table.pots) > 1
                odd += any(pot.chips % len(pot.seats) for pot in table.pots)
                dead += len(table.live) < len(table.stakes.order)
    assert min(side, odd, dead) > 0


def test_nothing_is_said_before_the_flop_while_more_than_two_are_in_and_bet() -> None:
    said = {True: 0, False: 0}
    for game, table, hands in _tables(make("nlhe", {"seats": 4, "stack": 40, "carry": False}), 30, seed=5):
        if table.turn != OVER:
            many = not table.board and len(table.live) > 2 and table.turn != CHANCE
            assert (game.worth(table, hands) is None) == many
            said[many] += 1
    assert min(said.values()) > 0


# ---- the deal ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "cards"), [(make("kuhn"), 3), (make("kuhn", {"seats": 4}), 5), (make("leduc"), 6)])
def test_the_deal_gives_nothing_on_average(game: Any, cards: int) -> None:
    luck = [game.luck_of_deal(hands) for hands in permutations(range(cards), game.seats)]
    assert _mean(luck) == pytest.approx((0,) * game.seats, abs=1e-12)
    assert any(map(any, luck))


@pytest.mark.parametrize(("name", "settings"), [HOLDEMS[0], HOLDEMS[1], HOLDEMS[7]])
def test_what_a_deal_gives_two_seats_it_takes_if_they_swap_hands(name: str, settings: dict[str, Any]) -> None:
    game: Any = make(name, settings)
    for seed in range(10):
        hands = game.deal(np.random.default_rng(seed))
        luck = game.luck_of_deal(hands)
        assert any(luck)
        assert game.luck_of_deal(hands[::-1]) == pytest.approx(luck[::-1], abs=1e-12)
        assert sum(luck) == pytest.approx(0, abs=1e-12)
