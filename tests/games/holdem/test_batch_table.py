"""The batch against the readable table: the same hands, the same menus, the same chips."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from holdem_play import random_limit

from tahur.cards.cards import cards_of
from tahur.core.game import CHANCE, OVER
from tahur.games.holdem.batch import (
    Batch,
    Depths,
    _rules,
    mixed_stacks,
    uniform,
)
from tahur.games.holdem.fourteen import BettingSituation, PotBase, action_of, legal_mask, situation_of
from tahur.games.holdem.kernels.rows import MASKED, ROW
from tahur.games.holdem.kernels.steps import offer
from tahur.games.holdem.limit import PRESETS
from tahur.games.holdem.rules import Holdem, no_limit
from tahur.games.holdem.stakes import Limit, NoLimit, Stakes
from tahur.games.holdem.table import CALL, FOLD, HoldemTable

SEATS = range(2, 10)
BIG_BLINDS = (1, 2, 3, 10, 100)
ROWS = 8
HANDS_OF_A_GAME = 25  # then another is drawn


# ---- the same hands on the readable table --------------------------------------------------------


@pytest.mark.parametrize("seats", SEATS)
def test_no_limit_goes_as_on_the_table(seats: int) -> None:
    _follow(seats, 225)


@pytest.mark.parametrize("seats", SEATS)
def test_limit_goes_as_on_the_table(seats: int) -> None:
    _follow(seats, 150, is_limit=True)


@pytest.mark.slow
@pytest.mark.parametrize("seats", SEATS)
def test_no_limit_goes_as_on_the_table_sixty_thousand_times(seats: int) -> None:
    _follow(seats, 7_500, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seats", SEATS)
def test_limit_goes_as_on_the_table_forty_thousand_times(seats: int) -> None:
    _follow(seats, 5_000, seed=1, is_limit=True)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_the_named_limit_games_go_as_on_the_table(preset: Any) -> None:
    random = Random(preset.name)
    for settings in ({}, {"stack": 7}, {"stacks": (9, 30), "button": 1}):
        Replay(Batch(preset(**settings), hands=ROWS), random).play(HANDS_OF_A_GAME)


def test_flop_holdem_may_show_down_with_five_cards() -> None:
    game = next(preset for preset in PRESETS if preset.name == "fhp")(showdown_board=5)
    Replay(Batch(game, hands=ROWS), Random(5)).play(4 * HANDS_OF_A_GAME)


def _follow(seats: int, hands: int, *, seed: int = 0, is_limit: bool = False) -> None:
    """So many hands, of many games."""
    for number in range(hands // HANDS_OF_A_GAME):
        random = Random(f"{seed} {seats} {number} {is_limit}")
        game, depths = _any_game(random, seats, is_limit)
        menu: dict[str, Any] = (
            {} if is_limit else {"strict": random.random() < 0.3, "pot_base": random.choice(tuple(PotBase))}
        )
        batch = Batch(game, hands=ROWS, seed=random.randrange(2**70), depths=depths, **menu)
        Replay(batch, random, **menu).play(HANDS_OF_A_GAME)


def _any_game(random: Random, seats: int, is_limit: bool) -> tuple[Holdem, Depths]:
    """Blinds and antes of all kinds; stacks from the shortest that are allowed, and deep ones among them."""
    big = random.choice((1, 2, 2, 4, 10, 25))
    small, ante = random.randint(0, big), random.choice((0, 0, 0, 1, 3))
    shortest = ante + small + 1
    structure = random_limit(random) if is_limit else NoLimit()
    button = random.randrange(seats)
    stakes = Stakes(stacks=(shortest,) * seats, blinds=(small, big), ante=ante, button=button, structure=structure)
    kinds = (
        uniform(shortest, shortest + random.choice((3, 12, 40, 200))),
        uniform(shortest, shortest + 30, shared=True),
        mixed_stacks((shortest, 1), (shortest + big, 2), (100 * big + ante, 1)),
    )
    return Holdem("limit" if is_limit else "nlhe", stakes), random.choice(kinds)


class Replay:
    """A batch, and the readable table of each of its rows, which goes where the batch goes."""

    def __init__(self, batch: Batch, random: Random, **menu: Any) -> None:
        self.batch, self.random, self.menu = batch, random, menu
        self.rows = [self._sit_down(row) for row in range(batch.hands)]

    def play(self, hands: int) -> None:
        """Until so many hands are over, checking everything at every step."""
        over = 0
        while over < hands:
            moves = self.batch.moves.tolist()
            for row, tables in enumerate(self.rows):
                self._check(row, tables.now, moves[row])
            self._check_observation(self.random.randrange(self.batch.hands))
            actions = [self._choose(row) for row in range(self.batch.hands)]
            outcome = self.batch.step(actions)
            for row, action in enumerate(actions):
                self._go_on(row, moves[row][action], outcome.done[row], outcome.rewards[row].tolist())
            over += int(np.count_nonzero(outcome.done))

    def _sit_down(self, row: int) -> Tables:
        game = self.batch.game_of(row)
        return Tables(game, *self.batch.deal_of(row))

    def _check(self, row: int, table: HoldemTable, moves: list[int]) -> None:
        batch = self.batch
        assert batch.turn[row] == table.turn, table
        assert batch.stacks[row].tolist() == list(table.stacks), table
        assert batch.pot[row] == table.pot, table
        assert batch.street[row] == table.street, table
        assert batch.rows["bets"][row, table.street, : batch.seats].tolist() == list(table.bets), table
        assert {seat for seat in range(9) if batch.rows["live"][row] >> seat & 1} == set(table.live), table
        assert moves == menu_of(table, self.menu), table
        assert batch.mask[row].tolist() == [move != MASKED for move in moves], table
        legal = table.actions()
        assert all(move in legal for move in moves if move != MASKED), table

    def _check_observation(self, row: int) -> None:
        seen = np.array(self.rows[row].seen(), np.float32)
        assert np.array_equal(self.batch.observation[row], seen), self.rows[row].now

    def _choose(self, row: int) -> int:
        """Any legal action, but often a call, and rarely a fold: hands must come to something."""
        legal = np.flatnonzero(self.batch.mask[row]).tolist()
        if self.random.random() < 0.4:
            return CALL
        return self.random.choice(legal if self.random.random() < 0.3 else [index for index in legal if index > FOLD])

    def _go_on(self, row: int, move: int, done: bool, rewards: list[float]) -> None:
        tables = self.rows[row]
        tables.play(move)
        assert done == (tables.now.turn == OVER), tables.now
        if not done:
            assert not any(rewards)
            return
        payoffs = tables.game.payoffs(tables.now, tables.hands)
        assert rewards == [chips / tables.game.stakes.blinds[1] for chips in payoffs], tables.now
        self.rows[row] = self._sit_down(row)


class Tables:
    """One hand on the readable table: all its tables so far."""

    def __init__(self, game: Holdem, hands: tuple[int, ...], board: tuple[int, ...]) -> None:
        self.game, self.hands, self.board = game, hands, board
        self.all: list[HoldemTable] = [game.start()]
        assert game.possible(hands)
        assert self.now.turn >= 0, "a hand without a decision"

    @property
    def now(self) -> HoldemTable:
        return self.all[-1]

    def play(self, move: int) -> None:
        self.all.append(self.now.after(move))
        while self.now.turn == CHANCE:
            self.all.append(self.now.after(self.board[len(self.now.board)]))

    def seen(self) -> list[float]:
        """The observation of the seat to act, from its own hand and from what lies on the tables."""
        table, seats, big = self.now, self.game.seats, self.game.stakes.blinds[1]
        around = [(table.turn + step) % seats for step in range(seats)]
        position = (table.turn - table.stakes.button) % seats
        bets = [[chips[seat] / big for seat in around] for chips in self._bets()]
        raisers = self._raisers()
        return [
            *_set_of(52, cards_of(self.hands[table.turn])),
            *_set_of(52, table.board[:3]),
            *_set_of(52, table.board[3:4]),
            *_set_of(52, table.board[4:]),
            *_set_of(4, [table.street]),
            *_set_of(seats, [position]),
            table.pot / big,
            table.to_call / big,
            *(table.stacks[seat] / big for seat in around),
            *(float(seat in table.live) for seat in around),
            *(chips for street in bets for chips in street),
            *map(len, raisers),
            *(float(street[-1:] == [seat]) for street, seat in product(raisers, around)),
        ]

    def _bets(self) -> list[list[int]]:
        """By street, what each seat has put in: the difference between the first tables of two streets."""
        before = [self.game.stakes.ante] * self.game.seats
        bets = []
        for street in range(4):
            later = [table.committed for table in self.all if table.street > street and table.turn >= 0]
            after = list((later or [self.now.committed])[0])
            bets.append([paid - had for paid, had in zip(after, before, strict=True)])
            before = after
        return bets

    def _raisers(self) -> list[list[int]]:
        """By street, the seats that bet or raised, in their order."""
        raisers: list[list[int]] = [[], [], [], []]
        for table, after in zip(self.all, self.all[1:], strict=False):
            if table.turn >= 0 and after.history[-1] > CALL:
                raisers[table.street].append(table.turn)
        return raisers


def _set_of(size: int, members: Sequence[int]) -> list[float]:
    return [float(number in members) for number in range(size)]


def menu_of(table: HoldemTable, settings: dict[str, Any]) -> list[int]:
    """The moves of the readable menu, -1 where it is masked."""
    if isinstance(table.stakes.structure, Limit):
        moves = list(table.actions())
        return [FOLD if FOLD in moves else MASKED, CALL, moves[-1] if moves[-1] > CALL else MASKED]
    spot = situation_of(table)
    return [
        _allowed(table, action_of(spot, index, **settings)) if legal else MASKED
        for index, legal in enumerate(legal_mask(spot, **settings))
    ]


def _allowed(table: HoldemTable, move: int) -> int:
    """To put somebody all-in who has less than a minimum raise, one has to raise by the minimum, or all one has."""
    return max(move, table.raises[0] + 1) if move > CALL else move


# ---- the fourteen in any situation ---------------------------------------------------------------


@pytest.mark.parametrize(("strict", "pot_base"), list(product((False, True), PotBase)))
def test_the_mask_is_that_of_the_fourteen_actions_in_any_situation(strict: bool, pot_base: PotBase) -> None:
    random = Random(14)
    moves, mask = np.zeros((1, 14), np.int32), np.zeros((1, 14), np.bool_)
    games = {big_blind: no_limit(seats=2, blinds=(0, big_blind)) for big_blind in BIG_BLINDS}
    rules_of = {big_blind: _rules(game, 0, strict, pot_base) for big_blind, game in games.items()}
    for _ in range(5_000):
        big_blind = random.choice(BIG_BLINDS)
        rules = rules_of[big_blind]
        row, situation = _any_spot(random, big_blind)
        offer(0, row, rules[0], moves, mask)
        assert tuple(mask[0].tolist()) == legal_mask(situation, strict=strict, pot_base=pot_base), situation


def _any_spot(random: Random, big_blind: int) -> tuple[Any, BettingSituation]:
    """Two seats in the middle of a street, as a row and as a situation; small numbers as often as large ones."""
    most = big_blind * random.choice((3, 12, 60, 300))
    bet = random.choice((0, big_blind, random.randint(0, most)))
    own = random.choice((0, bet, random.randint(0, bet)))
    stacks = random.choice((random.randint(1, most), bet - own + big_blind)), random.randint(0, most)
    last_raise = random.choice((0, bet, random.randint(0, most)))
    pot = bet + own + random.randint(0, most)
    row = np.zeros(1, ROW)[0]
    row["live"], row["street"], row["pot"], row["bet"], row["last_raise"] = 3, 1, pot, bet, last_raise
    row["bets"][1, :2], row["stacks"][:2] = (own, bet), stacks
    full_raise, is_reopened = max(last_raise, big_blind), bet - own >= last_raise
    situation = BettingSituation(
        pot=pot,
        bet=bet,
        committed=own,
        stack=stacks[0],
        big_blind=big_blind,
        last_raise=full_raise,
        reopened=is_reopened,
        useful=bet + stacks[1],
    )
    return row, situation


def test_all_in_against_less_than_a_minimum_raise_is_a_raise_that_the_table_allows() -> None:
    """The other seat has 3 chips, the least raise is to 4: to raise to 3 is no legal move, to 4 puts it all-in too."""
    batch = Batch(no_limit(stacks=(100, 3)), hands=1)
    assert batch.turn[0] == 0
    assert batch.moves[0, [2, 13]].tolist() == [MASKED, 5]
