"""The numbers of bids, their order, and every small round's legal actions against the twin."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from perudo_talk import legal_words, say
from perudo_twin import Bid, legal, may_follow, parse

from tahur.core.errors import IllegalAction
from tahur.core.game import OVER, Action
from tahur.games.perudo.bids import (
    CALZA,
    DUDO,
    FIRST_BID,
    Raising,
    action_text,
    bid,
    bids_in_order,
    count_of,
    face_of,
    lowest,
    matching,
    outbids,
    rank,
)
from tahur.games.perudo.game import Perudo, perudo
from tahur.games.perudo.rules import PRESETS
from tahur.games.perudo.table import PerudoTable

counts, faces = st.integers(1, 80), st.integers(1, 6)
bids = st.builds(bid, counts, faces)


def pair(number: Action) -> Bid:
    return count_of(number), face_of(number)


def all_pairs(total: int) -> list[Bid]:
    return [(count, face) for count in range(1, total + 1) for face in range(1, 7)]


# ---- numbers -------------------------------------------------------------------------------------


@given(counts, faces)
def test_a_bid_is_its_count_and_face(count: int, face: int) -> None:
    assert pair(bid(count, face)) == (count, face)


@given(st.integers(FIRST_BID, 1000))
def test_every_number_from_two_up_is_a_bid(number: int) -> None:
    assert bid(*pair(number)) == number


def test_the_numbers_follow_the_order_of_the_game() -> None:
    words = [action_text(number) for number in range(26)]
    assert words[:2] == ["dudo", "calza"]
    assert words[2:12] == [
        *("1 two", "1 three", "1 four", "1 five", "1 six"),
        *("2 twos", "2 threes", "2 fours", "2 fives", "2 sixes"),
    ]
    assert words[12:14] == ["1 ace", "3 twos"]
    assert words[22:25] == ["4 sixes", "2 aces", "5 twos"]


@pytest.mark.parametrize(("count", "face"), [(0, 3), (-1, 3), (2, 0), (2, 7)])
def test_what_is_no_bid_is_refused(count: int, face: int) -> None:
    with pytest.raises(IllegalAction, match="a bid is 1 or more of a face from 1 to 6"):
        bid(count, face)


def test_no_two_actions_have_the_same_label() -> None:
    labels = [action_text(each) for each in (DUDO, CALZA, *bids_in_order(80))]
    assert len(set(labels)) == len(labels) == 482
    assert all(bid(*parse(label)) == number for label, number in zip(labels[2:], bids_in_order(80), strict=True))


# ---- order ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("total", range(1, 11))
def test_raising_to_any_face_makes_one_total_order_of_all_bids_aces_included(total: int) -> None:
    """The twin's relation is irreflexive, total and transitive, and its order is that of the numbers."""

    def beats(new: Bid, old: Bid) -> bool:
        return may_follow("faroleo", False, 5, old, new)

    pairs = all_pairs(total)
    for first, second in product(pairs, repeat=2):
        assert beats(first, second) + beats(second, first) == (first != second)
    for first, second in product(pairs, repeat=2):
        if beats(second, first):
            assert all(beats(third, first) for third in pairs if beats(third, second))
    ordered = sorted(pairs, key=lambda each: sum(beats(each, other) for other in pairs))
    assert [bid(*each) for each in ordered] == list(bids_in_order(total))


@pytest.mark.parametrize("total", range(2, 11))
def test_under_faroleo_the_legal_bids_are_exactly_the_later_ones(total: int) -> None:
    game = perudo(cups=[total - total // 2, total // 2], palifico_round=False)
    order = bids_in_order(total)
    for place, standing in enumerate(order[1:], start=1):
        table = game.start().after(order[0]).after(standing)
        assert table.actions() == (DUDO, CALZA, *order[place + 1 :])


def test_palifico_bids_rank_by_count_then_face_with_aces_lowest() -> None:
    assert [pair(number) for number in bids_in_order(4, wild=False)] == all_pairs(4)


@given(bids, bids, st.sampled_from(list(Raising)), st.booleans())
def test_a_raise_always_ranks_higher(new: Action, old: Action, raising: Raising, wild: bool) -> None:
    if outbids(new, old, raising, wild=wild):
        assert rank(new, wild=wild) > rank(old, wild=wild)


@given(bids, bids, st.integers(1, 5), st.booleans(), st.sampled_from(["faroleo", "asmodee"]))
def test_raises_agree_with_the_twin_at_any_size(
    new: Action, old: Action, dice: int, palifico: bool, preset: str
) -> None:
    free = not palifico or (preset == "asmodee" and dice == 1)
    raising = PRESETS[preset].raising if free else Raising.FACE_LOCKED
    assert outbids(new, old, raising, wild=not palifico) == may_follow(preset, palifico, dice, pair(old), pair(new))


@given(st.lists(bids), faces)
def test_the_lowest_bid_on_a_face_is_the_one_with_the_fewest_dice(some: list[Action], face: int) -> None:
    on_it = [count_of(each) for each in some if face_of(each) == face]
    assert lowest((DUDO, CALZA, *some), face) == (bid(min(on_it), face) if on_it else None)


def test_the_table_knows_the_lowest_raise_for_each_face() -> None:
    table = say(perudo(), "3 fours")
    raises = [table.lowest(face) for face in range(1, 7)]
    assert [action_text(each) for each in raises if each is not None] == [
        *("2 aces", "4 twos", "4 threes", "4 fours", "3 fives", "3 sixes"),
    ]
    assert say(perudo(), "10 sixes").lowest(6) is None


# ---- matching dice -------------------------------------------------------------------------------


def test_aces_count_for_every_face_while_they_are_wild() -> None:
    dice = (1, 1, 3, 3, 5)
    assert [matching(dice, face) for face in range(1, 7)] == [2, 2, 4, 2, 3, 2]
    assert [matching(dice, face, wild=False) for face in range(1, 7)] == [2, 0, 2, 0, 1, 0]


# ---- every state of small rounds -----------------------------------------------------------------


def small_games(preset: str) -> Iterator[Perudo]:
    for seats in (2, 3):
        for cups in product(range(3), repeat=seats):
            for opener in range(seats):
                if sum(map(bool, cups)) > 1 and cups[opener]:
                    for palifico in (False, True):
                        yield perudo(rules=preset, cups=cups, opener=opener, palifico_round=palifico)


def every_state(game: Perudo) -> Iterator[PerudoTable]:
    """A table for each standing bid and seat to act that the round can come to."""
    waiting, met = [game.start()], set()
    while waiting:
        table = waiting.pop()
        if (table.turn, table.standing) in met or table.turn == OVER:
            continue
        met.add((table.turn, table.standing))
        yield table
        waiting += [table.after(action) for action in table.actions()]


@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_state_of_up_to_three_seats_and_two_dice_has_the_legal_actions_of_the_twin(preset: str) -> None:
    states = 0
    for game in small_games(preset):
        palifico, cups = game.round.palifico, game.round.cups
        for table in every_state(game):
            states += 1
            old = None if table.standing is None else pair(table.standing)
            assert legal_words(game, table) == legal(preset, palifico, cups, table.turn, old)
            assert len(set(table.actions())) == len(table.actions()) <= 6 * sum(cups) + 1
            assert table.bidder != table.turn
            assert cups[table.turn]
    assert states > 3000


@pytest.mark.parametrize("preset", list(PRESETS))
def test_what_is_not_legal_is_refused(preset: str) -> None:
    for game in small_games(preset):
        for table in every_state(game) if sum(game.round.cups) < 4 else ():
            for action in set(range(-1, 40)) - set(table.actions()):
                with pytest.raises(IllegalAction):
                    table.after(action)


@pytest.mark.parametrize("preset", list(PRESETS))
def test_no_round_is_endless(preset: str) -> None:
    """Each raise ranks higher than the bid before it, and there are finitely many: at most six for each die."""
    for game in small_games(preset):
        for table in every_state(game):
            if table.standing is not None:
                before = rank(table.standing, wild=table.wild)
                assert all(rank(each, wild=table.wild) > before for each in table.actions() if each >= FIRST_BID)


def test_the_longest_faroleo_round_says_every_bid() -> None:
    table = perudo(seats=8).start()
    for number in bids_in_order(40):
        table = table.after(number)
    assert table.actions() == (DUDO, CALZA)
    assert len(table.history) == 240


@pytest.mark.parametrize(("cups", "histories"), [([1, 1], 2**12), ([2, 1], 2**18)])
def test_a_two_seat_round_with_n_dice_has_two_to_the_6n_bid_histories(cups: list[int], histories: int) -> None:
    """Known count, where aces may open: any set of bids is one history, in order."""
    game = perudo(rules="classic", cups=cups)
    sizes: dict[Action | None, int] = {}

    def below(table: PerudoTable) -> int:
        if table.standing not in sizes:
            raises = [table.after(each) for each in table.actions() if each >= FIRST_BID]
            sizes[table.standing] = 1 + sum(map(below, raises))
        return sizes[table.standing]

    assert below(game.start()) == histories


def test_a_refusal_says_what_was_asked_and_what_is_legal() -> None:
    table = say(perudo(cups=[1, 1], palifico_round=False), "1 five")
    with pytest.raises(IllegalAction) as refused:
        table.after(bid(1, 2))
    assert str(refused.value) == (
        "perudo: seat 1 cannot say 1 two after 1 five; legal: dudo, calza, 1 six, 2 twos, 2 threes, 2 fours, 2 fives, "
        "2 sixes, 1 ace, 2 aces"
    )
    with pytest.raises(IllegalAction, match="the round is over after 1 five, dudo"):
        table.after(DUDO).after(DUDO)
