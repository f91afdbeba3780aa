"""Many hands at once: the same hands through the readable table, move by move; then what a batch promises besides."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from holdem_play import random_limit

from tahur.cards.cards import cards_of
from tahur.core.errors import IllegalAction, SettingError, UnknownName
from tahur.core.game import CHANCE, OVER
from tahur.games.holdem.batch import (
    LIMIT_NAMES,
    Batch,
    Depth,
    Depths,
    _rules,
    fixed,
    mixed,
    uniform,
    warm_up,
)
from tahur.games.holdem.fourteen import NAMES, PotBase, Situation, action_of, legal_mask, situation_of
from tahur.games.holdem.kernels.features import Layout
from tahur.games.holdem.kernels.menus import offer
from tahur.games.holdem.kernels.rows import MASKED, ROW
from tahur.games.holdem.limit import PRESETS, limit
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
    stakes = Stakes((shortest,) * seats, (small, big), ante, button, structure)
    kinds = (
        uniform(shortest, shortest + random.choice((3, 12, 40, 200))),
        uniform(shortest, shortest + 30, shared=True),
        mixed((shortest, 1), (shortest + big, 2), (100 * big + ante, 1)),
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


def _any_spot(random: Random, big_blind: int) -> tuple[Any, Situation]:
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
    situation = Situation(pot, bet, own, stacks[0], big_blind, full_raise, is_reopened, bet + stacks[1])
    return row, situation


def test_all_in_against_less_than_a_minimum_raise_is_a_raise_that_the_table_allows() -> None:
    """The other seat has 3 chips, the least raise is to 4: to raise to 3 is no legal move, to 4 puts it all-in too."""
    batch = Batch(no_limit(stacks=(100, 3)), hands=1)
    assert batch.turn[0] == 0
    assert batch.moves[0, [2, 13]].tolist() == [MASKED, 5]


# ---- hands and their numbers ---------------------------------------------------------------------


@pytest.mark.parametrize("game", [no_limit(seats=3, stack=40), limit(seats=4, stack=30)], ids=lambda game: game.name)
def test_a_hand_of_a_seed_is_the_same_whatever_the_size_of_the_batch(game: Holdem) -> None:
    depths = uniform(20, 60)
    told = [_play_at_random(Batch(game, hands=size, seed=7, depths=depths), 200) for size in (1, 7, 64)]
    assert told[0] == told[1] == told[2]
    assert told[0] != _play_at_random(Batch(game, hands=7, seed=8, depths=depths), 200)


def _play_at_random(batch: Batch, hands: int) -> dict[int, tuple[Any, ...]]:
    """The first so many hands: stacks, button, cards and rewards, by their numbers."""
    told: dict[int, tuple[Any, ...]] = {}
    while not all(number in told for number in range(hands)):
        before = [(int(batch.hand[row]), batch.game_of(row).stakes, batch.deal_of(row)) for row in range(batch.hands)]
        outcome = batch.step(batch.random_actions())
        for row in np.flatnonzero(outcome.done):
            number, stakes, deal = before[row]
            told[number] = stakes.stacks, stakes.button, deal, outcome.rewards[row].tolist()
    return {number: told[number] for number in range(hands)}


def test_hands_are_numbered_as_they_are_dealt_and_none_is_left_out() -> None:
    batch = Batch(no_limit(seats=2), hands=5)
    numbers = set(batch.hand.tolist())
    for _ in range(100):
        batch.step(batch.random_actions())
        numbers |= set(batch.hand.tolist())
    assert numbers == set(range(len(numbers)))


def test_the_button_goes_round_from_the_seat_of_the_game() -> None:
    batch = Batch(no_limit(seats=3, button=2), hands=6)
    assert batch.button.tolist() == [2, 0, 1, 2, 0, 1]
    while batch.hand[0] < 6:
        batch.step(batch.random_actions())
    assert np.array_equal(batch.button, (batch.hand + 2) % 3)


def test_every_card_is_as_likely_in_every_place() -> None:
    """20,000 deals to nine seats: 385 of each card in each place, with a deviation of 19; five of those are rare."""
    rows = Batch(no_limit(seats=9), hands=20_000, seed=3).rows
    cards = np.concatenate([rows["board"], rows["hole"].reshape(-1, 18)], axis=1)
    counts = np.array([np.bincount(place, minlength=52) for place in cards.T])
    assert counts.shape == (23, 52)
    assert abs(counts - 20_000 / 52).max() < 5 * 19.5
    assert all(len(set(row)) == 23 for row in cards.tolist())


def test_random_actions_are_legal_and_each_as_likely() -> None:
    batch = Batch(no_limit(seats=2), hands=20_000)
    actions = batch.random_actions()
    assert batch.mask[np.arange(20_000), actions].all()
    legal = batch.mask[0].sum()
    shares = np.bincount(actions, minlength=14) / 20_000
    assert np.allclose(shares, batch.mask[0] / legal, atol=0.015)


# ---- stacks --------------------------------------------------------------------------------------


def _began(depths: Depths | None, seats: int = 3) -> np.ndarray:
    game = no_limit(stacks=(50, 60, 70)[:seats])
    return Batch(game, hands=30_000, depths=depths).rows["began"][:, :seats]


def test_without_depths_the_stacks_are_those_of_the_game() -> None:
    assert np.unique(_began(None), axis=0).tolist() == [[50, 60, 70]]


def test_a_fixed_depth_is_the_same_for_all() -> None:
    assert np.unique(_began(fixed(44)), axis=0).tolist() == [[44, 44, 44]]


def test_a_uniform_depth_has_every_number_of_chips_as_often() -> None:
    stacks = _began(uniform(11, 20))
    for seat in range(3):
        chips, counts = np.unique(stacks[:, seat], return_counts=True)
        assert chips.tolist() == list(range(11, 21))
        assert abs(counts / 3_000 - 1).max() < 0.1
    assert np.corrcoef(stacks.T)[0, 1:] == pytest.approx([0, 0], abs=0.03)


def test_depths_are_mixed_by_their_weights() -> None:
    chips, counts = np.unique(_began(mixed((20, 1), (40, 2), (200, 3)))[:, 1], return_counts=True)
    assert chips.tolist() == [20, 40, 200]
    assert counts / 30_000 == pytest.approx([1 / 6, 2 / 6, 3 / 6], abs=0.015)


def test_shared_depths_are_alike_within_a_hand_only() -> None:
    stacks = _began(uniform(10, 400, shared=True))
    assert (stacks == stacks[:, :1]).all()
    assert len(np.unique(stacks)) > 380
    both = Depths((Depth(10, 20), Depth(100, 200, weight=3)), shared=True)
    assert (_began(both) == _began(both)[:, :1]).all()


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: Depth(0, 5), "a depth of 0 to 5 chips"),
        (lambda: Depth(6, 5), "a depth of 6 to 5 chips"),
        (lambda: Depth(5, 5.5), "most 5.5; a whole number was expected"),  # type: ignore[arg-type]
        (lambda: mixed((5, 0)), "weight 0"),
        (mixed, "no depths"),
        (lambda: Batch(no_limit(seats=2), hands=0), "0 hands at once"),
        (lambda: Batch(no_limit(seats=2), seed=1.5), "seed 1.5; a whole number"),  # type: ignore[arg-type]
        (lambda: Batch(no_limit(seats=2, ante=1), depths=fixed(2)), "a stack of 2; it takes 3 chips"),
        (lambda: Batch(no_limit(stacks=(50, 0, 50))), "a stack of 0; it takes 2 chips"),
        (lambda: Batch(no_limit(seats=2), depths=fixed(2**30 + 1)), "2147483650 chips in play"),
        (lambda: Batch(no_limit(seats=2), depths=fixed(2**70)), "chips in play; 2147483647 are the most"),
        (lambda: Batch(no_limit(seats=2, blinds=(1, 2**31))), "a blind, ante, bet or cap of 2147483648"),
        (lambda: Batch(limit(seats=2, free_folds=True)), "nobody folds what can be checked for free"),
        (lambda: Batch(limit(seats=2, bets=(2, 2**70))), "a blind, ante, bet or cap of"),
    ],
)
def test_a_batch_that_cannot_be_is_refused_with_what_is_wrong(make: Any, complaint: str) -> None:
    with pytest.raises(SettingError, match=complaint):
        make()


# ---- what a batch promises -----------------------------------------------------------------------


def test_rewards_add_up_to_nothing_and_stand_only_where_a_hand_ended() -> None:
    batch = Batch(no_limit(seats=4), hands=500, depths=uniform(5, 300))
    for _ in range(60):
        rewards, done = batch.step(batch.random_actions())
        assert abs(rewards.sum(axis=1)).max() < 1e-9
        assert not rewards[~done].any()


def test_chips_are_conserved_at_every_step() -> None:
    batch = Batch(no_limit(seats=5, ante=1), hands=500, depths=uniform(5, 300))
    for _ in range(60):
        assert (batch.stacks.sum(axis=1) + batch.pot == batch.rows["began"].sum(axis=1)).all()
        batch.step(batch.random_actions())


def test_an_illegal_action_is_refused_and_nothing_is_played() -> None:
    batch = Batch(no_limit(seats=2), hands=4)
    before = batch.rows.tobytes()
    with pytest.raises(IllegalAction) as refused:
        batch.step([1, 1, 3, 1])
    assert str(refused.value) == (
        "nlhe: row 2, hand 2, seat 0 cannot play action 3 (10 %); legal: 0 (fold), 1 (check/call), 2 (min-raise), "
        "7 (75 %), 8 (100 %), 9 (125 %), 10 (150 %), 11 (200 %), 12 (300 %), 13 (all-in)"
    )
    assert batch.rows.tobytes() == before


@pytest.mark.parametrize("action", [-1, 3, 2**40])
def test_an_action_that_is_none_is_refused(action: int) -> None:
    batch = Batch(limit(seats=2), hands=2)
    with pytest.raises(IllegalAction, match=rf"row 1, hand 1, seat 1 cannot play action {action}; legal: 0 \(fold\)"):
        batch.step([1, action])


@pytest.mark.parametrize("actions", [[1, 1, 1], [[1, 1]], [1.0, 1.0], 1, [True, True], ["1", "1"]])
def test_actions_are_one_whole_number_a_row(actions: Any) -> None:
    with pytest.raises(IllegalAction, match="one whole number for each of 2 hands"):
        Batch(limit(seats=2), hands=2).step(actions)


def test_actions_may_be_of_any_whole_type() -> None:
    ways = [np.ones(3, dtype) for dtype in (np.int64, np.int32, np.uint8)]
    told = []
    for actions in ways:
        batch = Batch(no_limit(seats=2), hands=3)
        batch.step(actions)
        told.append(batch.rows.tobytes())
    assert len(set(told)) == 1


def test_nobody_but_the_batch_writes_to_its_arrays() -> None:
    batch = Batch(no_limit(seats=2), hands=2)
    rewards, done = batch.step([1, 1])
    shown = (batch.turn, batch.mask, batch.moves, batch.stacks, batch.rows, batch.observation, rewards, done)
    assert not any(array.flags.writeable for array in (*shown, batch.part("pot")))


def test_the_parts_of_an_observation_are_where_the_layout_says() -> None:
    batch = Batch(no_limit(seats=3, stack=200, blinds=(1, 2)), hands=1)
    widths = {name: batch.part(name).shape[1] for name in Layout._fields}
    assert sum(widths.values()) == batch.observation.shape[1]
    assert widths["hole"] == widths["river_card"] == 52
    assert batch.part("stacks").tolist() == [[100, 99.5, 99]]  # the button acts first, the blinds to its left
    assert batch.part("position").tolist() == [[1, 0, 0]]
    assert batch.part("bets").tolist() == [[0, 0.5, 1, *[0] * 9]]
    assert (batch.part("pot")[0, 0], batch.part("to_call")[0, 0]) == (1.5, 1)
    with pytest.raises(UnknownName, match="no part 'pots' of an observation; it has hole, flop"):
        batch.part("pots")


def test_an_observation_does_not_change_with_cards_that_its_seat_has_not_seen() -> None:
    """Other hands and the board to come are dealt anew under the batch's feet; what is seen stays the same."""
    batch = Batch(no_limit(seats=4), hands=300, seed=2)
    for _ in range(12):
        batch.step(batch.random_actions())
        before = batch.observation.copy()
        rows = batch._arrays.rows
        for row in range(batch.hands):
            shown = (0, 3, 4, 5)[batch.street[row]]
            rows["board"][row, shown:] = 51 - rows["board"][row, shown:]
            hidden = [seat for seat in range(4) if seat != batch.turn[row]]
            rows["hole"][row, hidden] = 51 - rows["hole"][row, hidden]
        batch._is_observed = False
        assert np.array_equal(batch.observation, before)


def test_limit_has_three_actions_and_no_limit_fourteen() -> None:
    three, fourteen = Batch(limit(seats=2), hands=1), Batch(no_limit(seats=2), hands=1)
    assert three.action_names == LIMIT_NAMES
    assert fourteen.action_names == NAMES
    assert (three.mask.shape, fourteen.mask.shape) == ((1, 3), (1, 14))


def test_warming_up_names_what_it_compiles() -> None:
    assert list(warm_up()) == ["hold'em, many hands at once"]
