"""A batch of hold'em: hands and their numbers, stacks, and what it promises of its arrays."""

from __future__ import annotations

import doctest
from typing import Any

import numpy as np
import pytest

from tahur.core.errors import IllegalAction, SettingError, UnknownName
from tahur.games.holdem import batch as batch_module
from tahur.games.holdem.batch import (
    LIMIT_NAMES,
    Batch,
    Depth,
    Depths,
    fixed_stack,
    mixed_stacks,
    uniform,
)
from tahur.games.holdem.fourteen import NAMES
from tahur.games.holdem.kernels.features import FeatureLayout
from tahur.games.holdem.limit import limit
from tahur.games.holdem.rules import Holdem, no_limit

# ---- hands and their numbers ---------------------------------------------------------------------
from tahur.warm import warm_up


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
    assert np.unique(_began(fixed_stack(44)), axis=0).tolist() == [[44, 44, 44]]


def test_a_uniform_depth_has_every_number_of_chips_as_often() -> None:
    stacks = _began(uniform(11, 20))
    for seat in range(3):
        chips, counts = np.unique(stacks[:, seat], return_counts=True)
        assert chips.tolist() == list(range(11, 21))
        assert abs(counts / 3_000 - 1).max() < 0.1
    assert np.corrcoef(stacks.T)[0, 1:] == pytest.approx([0, 0], abs=0.03)


def test_depths_are_mixed_by_their_weights() -> None:
    chips, counts = np.unique(_began(mixed_stacks((20, 1), (40, 2), (200, 3)))[:, 1], return_counts=True)
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
        (lambda: mixed_stacks((5, 0)), "weight 0"),
        (mixed_stacks, "no depths"),
        (lambda: Batch(no_limit(seats=2), hands=0), "0 hands at once"),
        (lambda: Batch(no_limit(seats=2), seed=1.5), "seed 1.5; a whole number"),  # type: ignore[arg-type]
        (lambda: Batch(no_limit(seats=2, ante=1), depths=fixed_stack(2)), "a stack of 2; the minimum is 3 chips"),
        (lambda: Batch(no_limit(stacks=(50, 0, 50))), "a stack of 0; the minimum is 2 chips"),
        (lambda: Batch(no_limit(seats=2), depths=fixed_stack(2**30 + 1)), "2147483650 chips in play"),
        (lambda: Batch(no_limit(seats=2), depths=fixed_stack(2**70)), "chips in play; at most 2147483647"),
        (lambda: Batch(no_limit(seats=2, blinds=(1, 2**31))), "a blind, ante, bet or cap of 2147483648"),
        (lambda: Batch(limit(seats=2, free_folds=True)), "does not allow folding when checking is free"),
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
    with pytest.raises(IllegalAction, match="expected one integer for each of 2 hands"):
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
    widths = {name: batch.part(name).shape[1] for name in FeatureLayout._fields}
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


def test_the_example_of_the_class_is_right() -> None:
    failed, tried = doctest.testmod(batch_module)
    assert tried > 5
    assert not failed


def test_warming_up_names_what_it_compiles() -> None:
    assert list(warm_up(("batch",))) == ["hold'em, many hands at once"]
