"""Each term of each utility by itself, and the sums reckoned by hand."""

from __future__ import annotations

import pytest
from minds_talk import situation

from tahur.games.perudo.bids import bid, face_of, increment, ratio_of
from tahur.players.perudo.memory import OpponentMemory
from tahur.players.perudo.personalities import BLUFFER, CALCULATOR, SHARK, TRAPPER, TURTLE, Personality
from tahur.players.perudo.situation import PerudoSituation
from tahur.players.perudo.tactics import candidates
from tahur.players.perudo.utility import (
    CALZA_CLIP,
    DUDO_CLIP,
    Candidate,
    Tactic,
    alignment,
    best_bid,
    bid_risk,
    bluff_term,
    boldness,
    calza_position,
    calza_risk,
    calza_support,
    calza_tolerance,
    calza_utility,
    crowd,
    doubt,
    dudo_position,
    dudo_risk,
    dudo_utility,
    leap,
    long_shot,
    opponent_term,
    variance,
)


def test_chance_swings_evenly_by_unpredictability_and_is_clipped() -> None:
    assert variance(0.9, 1.0, 0.0) == pytest.approx(-0.54)
    assert variance(0.9, 1.0, 0.5) == 0
    assert variance(0.9, 1.0, 0.75) == pytest.approx(0.27)
    assert variance(0.0, 1.0, 0.9) == 0
    assert variance(1.0, 0.2, 1.0) == 0.4
    assert variance(1.0, 0.2, 0.0) == -0.4
    assert (DUDO_CLIP, CALZA_CLIP) == (0.5, 0.3)


def test_doubt_is_nothing_at_the_threshold() -> None:
    assert doubt(0.55, 0.55) == 0
    assert doubt(0.75, 0.55) == pytest.approx(2)


def test_a_bluffer_is_doubted_more_and_an_honest_seat_less() -> None:
    assert bluff_term(OpponentMemory(bids=3, finals=8, bluffs=8), 0, 0.5) == pytest.approx((0.9 - 0.5) * 0.30)
    assert bluff_term(OpponentMemory(bids=3, finals=8, bluffs=0), 0, 0.5) == pytest.approx((0.1 - 0.5) * 0.30)
    assert bluff_term(OpponentMemory(bids=2, finals=8, bluffs=8), 0.8, 0.5) == 0  # two bids are too few


def test_who_jumps_too_often_and_who_leaves_its_pattern_is_doubted_more() -> None:
    assert bluff_term(OpponentMemory(bids=10, aggressive=7), 0, 0.5) == pytest.approx(0.05)
    assert bluff_term(OpponentMemory(bids=10, aggressive=6), 0, 0.5) == 0
    assert bluff_term(OpponentMemory(bids=10), 0.8, 0.5) == pytest.approx(0.8 * 0.12 * 0.5)
    patterned = OpponentMemory(bids=6, faces=[0, 0, 0, 0, 0, 6, 0])
    assert opponent_term(SHARK, patterned, 2, opening=False) == pytest.approx(0.8 * 0.12 * 0.8)
    assert opponent_term(SHARK, patterned, 5, opening=False) == 0


@pytest.mark.parametrize(
    ("ratio", "matches", "count", "own", "term"),
    [
        (0.86, 0, 4, 5, 2),
        (0.85, 0, 4, 5, 1),
        (0.75, 0, 4, 5, 0),
        (0.86, 2, 4, 5, 0),  # half of the bid is one's own
        (0.86, 1, 4, 2, 1),
        (0.10, 0, 4, 2, -1),
        (0.10, 0, 4, 3, 0),
    ],
)
def test_a_bold_bid_invites_dudo_and_few_dice_forbid_it(
    ratio: float, matches: int, count: int, own: int, term: float
) -> None:
    assert dudo_position(ratio, matches, count, own) == term


def test_risk_weighs_on_every_call() -> None:
    assert dudo_risk(0.7) == pytest.approx(0.4)
    assert calza_risk(0.2) == pytest.approx(-0.9)
    assert bid_risk(0.7, 0.25) == pytest.approx(0.3)
    assert bid_risk(0.5, 0.25) == 0


def test_dudo_is_the_sum_of_its_terms() -> None:
    here = situation([2, 2, 3, 4, 6], (4, 5), cups=[5, 5])
    failure = 1 - here.success(bid(4, 5))
    assert failure == pytest.approx(1 - (5 * 2 + 1) / 3**5)  # four or five of five dice
    bold = 2  # 4 of an expectation of 10/3
    total = (failure - 0.55) * 10 + 0.1 * 10 + bold + 0.4 + variance(0.2, 0.5, 0.3)
    assert dudo_utility(SHARK, here, failure, 0.1, 0.3) == pytest.approx(total)


def test_a_bid_that_one_s_own_dice_meet_is_never_doubted() -> None:
    here = situation([5, 5, 1, 1, 6], (4, 5), cups=[5, 5])
    assert dudo_utility(SHARK, here, 0.0, 0.5, 0.5) < -90


def test_three_bids_on_a_face_make_a_crowd() -> None:
    assert [crowd(bids) for bids in (0, 2, 3, 4)] == [0, 0, 0.05, 0.05]


def test_calza_wants_the_bid_near_the_expectation() -> None:
    assert calza_tolerance(4, 4.79, 0.8) == 2
    assert calza_tolerance(4, 4.81, 0.8) == -2
    assert calza_tolerance(5, 4.79, 0.1) == -2


def test_calza_is_for_who_has_room_and_dice_to_spare() -> None:
    assert [calza_position(own, 5) for own in (1, 2, 3, 4, 5)] == [-2, -1, 0, 0, -3]
    assert calza_position(1, 1) == -3
    assert calza_support(2, 5) == 1
    assert calza_support(1, 3) == 0


def test_calza_is_the_sum_of_its_terms() -> None:
    here = situation([2, 2, 5, 6], (3, 5), cups=[4, 5])
    exact = here.exact
    assert exact == pytest.approx(10 * 4 * 8 / 3**5 / 4)  # two of five dice, each once in three
    tolerance = 2  # |3 - (1 + 5/3)| < 0.8
    total = exact * 15 + tolerance + 0 + 0 + (0.7 - 0.5) * 3 + variance(0.2, 0.3, 0.9) - 3
    assert calza_utility(SHARK, here, exact, 0.9) == pytest.approx(total)


def test_a_tactic_suits_who_is_made_for_it() -> None:
    assert alignment(Tactic.MINIMUM, TURTLE) == pytest.approx(1.7)
    assert alignment(Tactic.AGGRESSIVE, SHARK) == pytest.approx(2.25)
    assert alignment(Tactic.SQUEEZE, TRAPPER) == pytest.approx(0.55 * 3 + 0.95 * 2)
    assert alignment(Tactic.BLUFF, BLUFFER) == pytest.approx(2.2)
    assert alignment(Tactic.VALUE, SHARK) == alignment(Tactic.LIARS_LEAP, BLUFFER) == 0


def test_bold_bids_long_shots_and_leaps_cost() -> None:
    assert [boldness(ratio) for ratio in (0.49, 0.5, 0.75, 0.76, 0.9, 0.91)] == [1, 0, 0, -1, -1, -3]
    assert [leap(jump) for jump in (0, 3, 4)] == [0, 0, -2]
    assert long_shot(Tactic.VALUE) == -5
    assert long_shot(Tactic.BLUFF) == 0


def utility_of(mind: Personality, here: PerudoSituation, bid: Candidate, draw: float) -> float:
    best = best_bid(mind, here, [bid], lambda: draw)
    assert best is not None
    return best.utility


def test_a_bid_is_the_sum_of_its_terms() -> None:
    here = situation([1, 5, 5, 2, 3], (2, 4), cups=[5, 5])
    success = here.success(bid(3, 5))
    assert success == 1
    value = Candidate(Tactic.VALUE, bid(3, 5), 7.5)
    assert utility_of(CALCULATOR, here, value, 0.9) == pytest.approx(7.5 + 8 + 3 * 1.5 - 1)  # ratio 0.9
    far = Candidate(Tactic.AGGRESSIVE, bid(8, 5), 3.5)
    unlikely = here.success(bid(8, 5))
    total = 3.5 + unlikely * 8 + 0.75 * 3 + 4.5 - 3 + 0.4 * (1 - unlikely) - 2 - 5 + variance(0.2, 1, 0.1)
    assert utility_of(SHARK, here, far, 0.1) == pytest.approx(total)


def test_an_opening_leaps_over_nothing() -> None:
    here = situation([5, 5, 5, 5, 5], cups=[5, 5])
    assert utility_of(CALCULATOR, here, Candidate(Tactic.VALUE, bid(5, 5), 0), 0.5) == pytest.approx(8 + 7.5 - 3)


def test_the_best_bid_is_the_one_whose_terms_add_up_to_most() -> None:
    here = situation([1, 5, 5, 2, 3], (2, 1), cups=[5, 5, 2], rules="classic")
    found = candidates(TRAPPER, here, lambda: 0.3)
    likely = [here.success(each.bid) for each in found]
    sums = [
        each.base
        + success * 8
        + alignment(each.tactic, TRAPPER)
        + here.matches[face_of(each.bid)] * 1.5
        + boldness(ratio_of(each.bid, here.total, wild=True))
        + bid_risk(TRAPPER.risk, success)
        + variance(TRAPPER.unpredictability, 1.0, 0.3)
        + leap(increment(bid(2, 1), each.bid))
        + (long_shot(each.tactic) if success < 0.3 else 0)
        for each, success in zip(found, likely, strict=True)
    ]
    best = best_bid(TRAPPER, here, found, lambda: 0.3)
    assert best is not None
    assert len(set(sums)) > 2
    assert best.utility == pytest.approx(max(sums))
    assert best.action == found[sums.index(max(sums))].bid
    assert best.probability == likely[sums.index(max(sums))]
