"""Limit strategies as they are studied: how often play comes somewhere is what adding up all deals gives."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from limit_fakes import EvenPolicy, FakePolicy, betting
from tahur.cards.cards import parse_cards
from tahur.cards.equity.tables import combos
from tahur.core.errors import StrategyError
from tahur.games.betting import LimitPolicy
from tahur.games.holdem.bucket_table import BucketTable
from tahur.games.holdem.limit_study import LimitStudy
from tahur.solvers.limit import bounds
from tahur.solvers.limit.player_policy import AnyFlopPolicy, UniformPolicy

FHP, HULH = betting("fhp"), betting("hulh")


def test_a_spot_on_a_flop_is_what_adding_up_all_pairs_of_hands_gives() -> None:
    policy = FakePolicy(FHP)
    board = tuple(map(int, parse_cards("Td9d6h")))
    spot = LimitStudy(policy, FHP).spot("raise,call,Td9d6h,bet")
    start, answer = policy.chances(0, ()), policy.chances(FHP.after([2]), ())
    bet = policy.chances(FHP.after([2, 1]), board)
    here = policy.chances(FHP.after([2, 1, 2]), board)
    small, big = start[:, 2], answer[:, 1] * bet[:, 2]
    mask = combos().mask
    table = sum(1 << card for card in board)
    apart = (mask[:, None] & mask[None, :] == 0) & (mask & table == 0)[:, None] & (mask & table == 0)[None, :]
    met = (small[:, None] * big[None, :] * apart).sum(axis=1)
    assert spot.frequency == pytest.approx(met.sum() / (1326 * 1225) / comb(48, 3), rel=1e-9)
    assert spot.average == pytest.approx(((met / met.sum()) @ here).tolist(), rel=1e-9)
    assert spot.seat == 0
    assert LimitStudy(policy, FHP).glance("raise,call,Td9d6h,bet").average == spot.average


def test_what_goes_on_from_a_spot_comes_as_often_as_it_is_played() -> None:
    study = LimitStudy(FakePolicy(HULH), HULH)
    first = study.spot("raise,call,Ks8s3d,check,check,2c")
    assert first.line == ("raise to 4", "call 2", "Ks8s3d", "check", "check", "2c")
    for onward, share in zip(first.onward, first.average, strict=True):
        assert onward.frequency == pytest.approx(first.frequency * share)


def test_a_river_is_one_of_all_boards() -> None:
    """Even play: a check or call is a third or a half each, a board one of C(48, 3) x 45 x 44 for every deal."""
    study = LimitStudy(EvenPolicy(HULH), HULH)
    spot = study.spot("call,check,Ks8s3d,check,check,2c,check,check,7h")
    pairs = 47 * 46 / 2 * 45 * 44 / 2
    boards = comb(48, 3) * 45 * 44
    assert spot.frequency == pytest.approx(1 / 3 / 2**5 * pairs / (1326 * 1225) / boards)
    assert sum(row.share for row in spot.rows) == pytest.approx(1)


def test_a_hand_is_asked_for_by_its_class_or_its_cards() -> None:
    policy = FakePolicy(FHP)
    study = LimitStudy(policy, FHP)
    asked = study.hand("raise", "k9S")
    assert list(asked) == ["fold", "call 2", "raise to 6"]
    assert asked == pytest.approx(study.hand("raise", "Kd9d"))
    assert sum(asked.values()) == pytest.approx(1)
    for hand in ("K9", "KdKd", "Td2c"):
        with pytest.raises(StrategyError, match="no hand"):
            study.hand("raise,call,Td9d6h", hand)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("raise,call", "the flop comes after 'raise to 4,call 2'; add the cards, such as three cards, Ks8s3d"),
        ("raise,call,Ks8s3d,check,check", "the turn comes after"),
        ("raise,call,Ks8s3d,check,check,Ks", "the turn comes after .* not 'Ks'"),
        ("raise,call,Ks8s", "such as three cards, Ks8s3d, not 'Ks8s'"),
        ("fold", "the deal is over"),
        ("fold,raise", "'raise' is not possible after 'fold': the deal is over"),
        ("check", "not possible at the start; possible: fold, call 1, raise to 4"),
    ],
)
def test_a_line_that_leads_nowhere_is_refused_in_words(line: str, why: str) -> None:
    with pytest.raises(StrategyError, match=why):
        LimitStudy(EvenPolicy(HULH), HULH).spot(line)


def test_only_lines_that_end_the_betting_lead_to_flops() -> None:
    study = LimitStudy(EvenPolicy(FHP), FHP)
    assert study.to_the_flop("r,r,c") == ("raise to 4", "raise to 6", "call 2")
    for line in ("", "raise", "fold", "raise,call,Ks8s3d"):
        with pytest.raises(StrategyError, match="no flop comes after"):
            study.to_the_flop(line)


def test_a_decision_that_never_comes_is_the_mean_over_all_hands() -> None:
    class Folds(EvenPolicy):
        def chances(self, decision: int, board: tuple[int, ...]) -> np.ndarray:
            return np.tile(np.eye(3)[0] if decision == 0 else np.eye(3)[1], (1326, 1))

    spot = LimitStudy(Folds(FHP), FHP).spot("raise")
    assert spot.frequency == 0
    assert spot.average == pytest.approx((0, 1, 0))


def test_there_is_one_protocol_for_all_policies() -> None:
    assert bounds.LimitPolicy is LimitPolicy
    assert isinstance(AnyFlopPolicy(UniformPolicy(FHP.game), FHP), LimitPolicy)
    assert issubclass(BucketTable, LimitPolicy)
