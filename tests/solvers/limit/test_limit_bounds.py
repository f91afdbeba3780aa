"""Bounds on limit policies, against what can be worked out by hand; and the bot on card buckets."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tahur.cards.buckets import NO_BUCKET, Buckets, classes
from tahur.cards.cards import COMBOS, cards_text, combo_of, parse_cards
from tahur.cards.equity.ask import equity
from tahur.cards.equity.tables import combos
from tahur.cards.flops import start_classes
from tahur.core.errors import SolverError
from tahur.core.player import View
from tahur.games.betting import Betting, betting_of
from tahur.games.holdem.bucket_table import BucketTable, read_bucket_table, read_memory, write_bucket_table
from tahur.games.registry import make
from tahur.solvers.limit.bounds import CALL, FOLD, RAISE, BestResponse, Ranks, against, hands_without
from tahur.solvers.limit.bucketed import Trainer
from tahur.solvers.limit.sampled_bounds import CLAIRVOYANT, LOWER, SampledBound, bound_names, sample_bound, sample_match
from tahur.solvers.solver import SolverState

BOARD = tuple(parse_cards("Td9d6hQc2s"))


@cache
def betting(name: str = "hulh") -> Betting:
    return betting_of(make(name))


class Always:
    """Takes the first legal of its slots."""

    def __init__(self, *slots: int, game: str = "hulh") -> None:
        self.slots, self.game = slots, game

    def chances(self, decision: int, board: tuple[int, ...]) -> np.ndarray:
        legal = betting(self.game).legal[decision]
        out = np.zeros((COMBOS, 3))
        out[:, next(slot for slot in self.slots if legal[slot])] = 1.0
        return out


CALLER, FOLDER, MANIAC = Always(CALL), Always(FOLD, CALL), Always(RAISE, CALL)


def rung(name: str, policy: object, boards: int, game: str = "hulh") -> SampledBound:
    *_, last = sample_bound(name, betting(game), policy, boards, np.random.default_rng(1))  # type: ignore[arg-type]
    return last


def shares(board: tuple[int, ...]) -> np.ndarray:
    """Of each hand: what it beats less what beats it, of all hands that it can meet."""
    hands = hands_without(board)
    return hands * Ranks.on(board).duel(hands) / np.maximum(against(hands), 1)


def test_a_duel_counts_what_is_beaten_less_what_beats_and_shares_no_card() -> None:
    rng = np.random.default_rng(0)
    weights = rng.random(COMBOS) * hands_without(BOARD)
    ranked = Ranks.on(BOARD)
    rank = np.full(COMBOS, -1)
    rank[ranked.held[: ranked.count]] = ranked.ranks[: ranked.count]
    found = ranked.duel(weights)
    for text in ("AsAh", "Tc9s", "3c4c", "KdJd"):
        hand = combo_of(parse_cards(text))
        apart = (combos().mask & combos().mask[hand] == 0) & (rank >= 0)
        expected = weights[apart & (rank < rank[hand])].sum() - weights[apart & (rank > rank[hand])].sum()
        assert found[hand] == pytest.approx(expected)


def test_on_the_river_a_caller_loses_one_bet_to_every_better_hand() -> None:
    for seat in (0, 1):
        one = BestResponse(betting(), CALLER, seat, street=3)
        hands = hands_without(BOARD)
        found = one.value(0, BOARD, hands)[hands > 0] / 990
        share = shares(BOARD)[hands > 0]
        assert found == pytest.approx(np.maximum(2 * share, 6 * share))


def test_against_one_who_folds_all_the_local_best_response_steals_every_blind() -> None:
    found = rung("local", FOLDER, 2)
    assert found.mean == pytest.approx((1 + 2) / 2 / 2 * 1000)
    assert found.kind == LOWER


def test_a_best_response_on_more_streets_wins_no_less_on_the_same_boards() -> None:
    turn, river = rung("turn", Half(), 1), rung("river", Half(), 20)
    assert river.interval is not None
    assert turn.mean > river.interval[0]


class Half:
    """Bets and raises with every second hand whenever it may."""

    def chances(self, decision: int, board: tuple[int, ...]) -> np.ndarray:
        odd = (np.arange(COMBOS) % 2 == 1)[:, None]
        return np.where(odd, MANIAC.chances(decision, board), CALLER.chances(decision, board))


def test_the_clairvoyant_lies_far_above_the_bounds_and_says_so() -> None:
    seer = rung("clairvoyant", CALLER, 3)
    assert seer.kind == CLAIRVOYANT
    assert seer.mean > 2 * rung("local", CALLER, 3).mean


def test_a_meeting_is_worth_the_opposite_to_the_other_seat() -> None:
    for policies in ((MANIAC, CALLER), (FOLDER, CALLER), (CALLER, FOLDER)):
        *_, one = sample_match(betting("fhp"), policies_of(policies), 3, np.random.default_rng(2))
        *_, other = sample_match(betting("fhp"), policies_of(policies[::-1]), 3, np.random.default_rng(2))
        assert one.mean == pytest.approx(-other.mean, abs=1e-9)


def policies_of(pair: tuple[Always, ...]) -> tuple[Always, Always]:
    first, second = (Always(*one.slots, game="fhp") for one in pair)
    return first, second


def test_a_bound_that_the_game_has_not_is_refused_with_those_it_has() -> None:
    assert bound_names(betting("fhp")) == ("flop", "local", "clairvoyant")
    with pytest.raises(SolverError, match="no bound 'turn' for fhp; valid: flop, local, clairvoyant"):
        rung("turn", CALLER, 1, "fhp")


@cache
def coarse() -> Buckets:
    """One bucket on flop and turn, eight on the river: enough to learn to bet what wins."""
    flop, turn = (np.zeros((len(classes(size).kept), COMBOS), np.uint16) for size in (3, 4))
    for table, size in ((flop, 3), (turn, 4)):
        for row, board in enumerate(classes(size).kept.tolist()):
            table[row, hands_without(board) == 0] = NO_BUCKET
    return Buckets(start_classes().member.astype(np.uint16), flop, turn, (np.arange(1, 8) / 8).astype(np.float32))


@cache
def learnt() -> BucketTable:
    trainer = Trainer(betting(), coarse(), seed=3, boards=250)
    trainer.iterate(8)
    assert trainer.deals == 40_000
    return trainer.table()


def test_what_is_learnt_is_a_strategy() -> None:
    policy = learnt()
    assert policy.average.sum(axis=1) == pytest.approx(1.0)
    for decision in (0, 5, 70, 600, 4_900):
        cards = (0, 3, 4, 5)[betting().street[decision]]
        chances = policy.chances(decision, BOARD[:cards])
        assert (chances[:, ~betting().legal[decision]] == 0).all()


def test_what_is_learnt_beats_a_caller_and_never_folds_aces() -> None:
    policy = learnt()
    assert policy.chances(0, ())[combo_of(parse_cards("AsAh")), FOLD] < 0.01
    *_, won = sample_match(betting(), (policy, CALLER), 3, np.random.default_rng(4))
    assert won.mean > 2 * won.error
    assert won.interval is None  # too few boards


def test_the_same_seed_learns_the_same_and_another_seed_something_else() -> None:
    def regrets(seed: int) -> np.ndarray:
        trainer = Trainer(betting(), coarse(), seed, boards=5)
        trainer.iterate(1)
        return trainer.regrets

    assert np.array_equal(regrets(1), regrets(1))
    assert not np.array_equal(regrets(1), regrets(2))


def test_a_file_gives_the_strategy_back_and_training_goes_on_as_if_nothing_had_been_in_between(tmp_path: Path) -> None:
    path = tmp_path / "hulh.tahur"
    whole, first = (Trainer(betting(), coarse(), 5, boards=10) for _ in range(2))
    whole.iterate(2)
    first.iterate(1)
    write_bucket_table(path, first.table(), first.state().arrays)
    table = read_bucket_table(path)
    assert table.average == pytest.approx(first.average(), abs=0.01)
    second = Trainer(table.betting, table.buckets, table.training.seed, boards=10)
    expected = {name: (array.dtype.str, len(array)) for name, array in second.state().arrays.items()}
    second.resume(SolverState(table.training.rounds, read_memory(path, expected)))
    second.iterate(1)
    assert np.array_equal(second.regrets, whole.regrets)
    assert np.array_equal(second.sums, whole.sums)
    assert second.table().training == whole.table().training


def test_a_strategy_on_buckets_answers_views_and_refuses_other_games() -> None:
    table = learnt()
    game = make("hulh")
    view = View(game, game.start(), 0, combo_of(parse_cards("AsAh")))
    chances = table.probabilities(view)
    assert set(chances) == set(game.start().actions())
    assert sum(chances.values()) == pytest.approx(1.0)
    assert "trained for hulh" in str(table.misfit(make("acpc")))
    assert "stacks of 46 chips" in str(table.misfit(make("hulh", {"stacks": [20, 20]})))


def test_an_interval_is_students_and_needs_ten_boards() -> None:
    assert SampledBound(name="river", kind=LOWER, boards=9, mean=100.0, error=10.0).interval is None
    assert SampledBound(name="river", kind=LOWER, boards=10, mean=100.0, error=10.0).interval == pytest.approx(
        (77.378, 122.622), abs=1e-3
    )


@pytest.mark.parametrize("streets", [2, 3])
def test_board_cards_after_the_last_street_are_run_out(streets: int) -> None:
    """Everybody calls and nobody may bet: each hand is worth the blind times its exact equity advantage."""
    game = make("limit", {"seats": 2, "stack": 40, "carry": False, "caps": [0] * streets, "showdown_board": 5})
    tree = betting_of(game)
    board = BOARD[: (3, 4)[streets - 2]]
    hand, other = combo_of(parse_cards("AsAh")), combo_of(parse_cards("KsKh"))
    reach = np.zeros(COMBOS)
    reach[other] = 1.0
    value = BestResponse(tree, AlwaysCall(), 0, street=streets - 1).value(0, board, reach)[hand]
    assert value == pytest.approx(2 * (2 * showdown_equity("AsAh", "KsKh", board) - 1))


class AlwaysCall:
    def chances(self, decision: int, board: tuple[int, ...]) -> np.ndarray:
        return np.broadcast_to(np.array([0.0, 1.0, 0.0]), (COMBOS, 3))


def showdown_equity(hand: str, other: str, board: tuple[int, ...]) -> float:
    return equity(hand, other, board=cards_text(board)).players[0].equity
