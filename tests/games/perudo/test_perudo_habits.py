"""Habits of Perudo: rounds spoken aloud with every figure known, and random rounds recounted from the words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from perudo_talk import played
from perudo_twin import parse

from tahur.arena.match import run
from tahur.core.record import Record
from tahur.games.perudo.bids import bids_in_order
from tahur.games.perudo.game import Perudo, perudo
from tahur.games.perudo.habits import ALL_HABITS, HABITS
from tahur.games.perudo.table import dice_of
from tahur.games.registry import game_of
from tahur.players.simple import RandomPlayer

Figures = dict[str, tuple[int, int]]

NONE_OF_IT = (2, 3, 4, 6, 6)


def figures(game: Perudo, dice: Sequence[Sequence[int]], *words: str) -> list[Figures]:
    """Hits and chances of each seat, habits without either left out."""
    tallies = HABITS.tallies(game, played(game, dice, *words)).tolist()
    return [
        {
            habit.name: (hits, chances)
            for habit, (hits, chances) in zip(ALL_HABITS, seat, strict=True)
            if hits or chances
        }
        for seat in tallies
    ]


def test_a_round_with_a_wrong_dudo() -> None:
    opener, caller = figures(perudo(), [(5, 5, 1, 2, 3), (5, 2, 2, 3, 4)], "2 fives", "3 fives", "4 fives", "dudo")
    assert opener == {
        "bids": (2, 1),
        "opening count": (2, 1),
        "jump": (4, 1),  # over 3 sixes, 4 twos, 4 threes and 4 fours
        "increment": (1, 1),
        "face change": (0, 1),
        "ace bid": (0, 1),
        "bluff": (0, 2),
        "unsupported": (0, 2),
        "true bid": (2, 2),
        "dudo": (0, 1),
        "calza": (0, 1),
        "doubted": (1, 2),
        "survived doubt": (1, 1),
    }
    assert caller["bids"] == (1, 1)
    assert caller["dudo"] == (1, 2)
    assert caller["dudo right"] == (0, 1)
    assert caller["calza"] == (0, 2)
    assert "opening count" not in caller
    assert caller["doubted"] == (0, 1)


@pytest.mark.parametrize(
    ("raised", "over"), [("2 threes", 0), ("2 fours", 1), ("1 ace", 4), ("3 twos", 5), ("3 fives", 8)]
)
def test_a_jump_is_how_many_bids_lie_between(raised: str, over: int) -> None:
    _, raiser = figures(perudo(), [(2,) * 5, NONE_OF_IT], "2 twos", raised, "dudo")
    assert raiser["jump"] == (over, 1)


def test_a_face_is_changed_or_kept() -> None:
    dice = [(2,) * 5, NONE_OF_IT]
    assert figures(perudo(), dice, "2 twos", "2 threes", "dudo")[1]["face change"] == (1, 1)
    assert figures(perudo(), dice, "2 twos", "3 twos", "dudo")[1]["face change"] == (0, 1)
    assert figures(perudo(), dice, "2 twos", "1 ace", "dudo")[1]["face change"] == (1, 1)


def test_opening_on_aces_is_a_chance_only_where_it_is_legal() -> None:
    dice = [(2,) * 5, (3,) * 5, (4,) * 5]
    assert "ace bid" not in figures(perudo(seats=3), dice, "2 twos", "dudo")[0]
    classic = perudo(seats=3, rules="classic")
    assert figures(classic, dice, "2 twos", "dudo")[0]["ace bid"] == (0, 1)
    assert figures(classic, dice, "2 aces", "dudo")[0]["ace bid"] == (1, 1)


@pytest.mark.parametrize(
    ("cup", "opening", "bluff"),
    [((5, 2, 2, 3, 3), "2 fives", 0), ((1, 2, 2, 3, 3), "2 fives", 0), ((2, 2, 2, 3, 3), "2 fives", 1)],
)
def test_a_bluff_holds_neither_the_face_nor_a_wild_ace(cup: tuple[int, ...], opening: str, bluff: int) -> None:
    assert figures(perudo(), [cup, NONE_OF_IT], opening, "dudo")[0]["bluff"] == (bluff, 1)


def test_aces_are_not_wild_in_palifico_and_it_has_its_own_figures() -> None:
    game = perudo(cups=[1, 3, 3], palifico_round=True)
    opener, second, third = figures(game, [(1,), (4, 4, 4), (2, 2, 2)], "1 four", "2 fours", "dudo")
    assert opener["bluff"] == opener["palifico bluff"] == (1, 1)
    assert second["palifico bluff"] == (0, 1)
    assert second["palifico dudo"] == (0, 1)
    assert third["palifico dudo"] == third["dudo"] == (1, 1)
    assert "face change" not in second  # the face is locked
    assert "ace bid" not in opener
    assert second["survived doubt"] == (1, 1)
    assert third["dudo right"] == (0, 1)


def test_outside_palifico_its_figures_are_empty() -> None:
    assert not any(
        name.startswith("palifico") for seat in figures(perudo(), [(2,) * 5] * 2, "2 twos", "dudo") for name in seat
    )


@pytest.mark.parametrize(("called", "right"), [("3 twos", 1), ("2 twos", 0), ("4 twos", 0)])
def test_a_calza_is_right_when_it_is_exactly_so_and_doubts_nobody(called: str, right: int) -> None:
    bidder, caller = figures(perudo(), [(2, 2, 3, 3, 4), (1, 3, 3, 4, 6)], called, "calza")
    assert caller["calza"] == (1, 1)
    assert caller["calza right"] == (right, 1)
    assert caller["dudo"] == (0, 1)
    assert "dudo right" not in caller
    assert bidder["doubted"] == (0, 1)
    assert "survived doubt" not in bidder


def test_where_calza_is_off_there_is_no_chance_of_it() -> None:
    bidder, caller = figures(perudo(rules="classic"), [(2,) * 5, (3,) * 5], "2 twos", "dudo")
    assert "calza" not in caller
    assert "calza" not in bidder


def test_a_seat_without_dice_has_no_round() -> None:
    figure = figures(perudo(cups=[2, 0, 2]), [(2, 2), (), (3, 3)], "1 two", "1 three", "dudo")
    assert figure[1] == {}
    assert figure[2]["bids"] == (1, 1)
    assert figure[0]["dudo"] == (1, 1)
    assert figure[0]["dudo right"] == (0, 1)


def recount(game: Perudo, record: Record) -> Counter[tuple[int, str]]:
    """Hits by seat and habit, from the words that were said and the dice."""
    table, words = game.start(), []
    for action in record.actions:
        words.append((table.turn, game.label(table, action)))
        table = table.after(action)
    wild, dice = not game.round.palifico, [dice_of(hand) for hand in record.hands]
    order = [game.label(table, bid) for bid in bids_in_order(game.round.total, wild=wild)]
    told: Counter[tuple[int, str]] = Counter()
    for place, (seat, said) in enumerate(words):
        if said in ("dudo", "calza"):
            bidder, bid = words[place - 1]
            count, face = parse(bid)
            there = sum(die == face or (wild and die == 1) for cup in dice for die in cup)
            told[seat, said] += 1
            told[seat, f"{said} right"] += there < count if said == "dudo" else there == count
            told[seat, "palifico dudo"] += said == "dudo" and not wild
            told[bidder, "doubted"] += said == "dudo"
            told[bidder, "survived doubt"] += said == "dudo" and there >= count
            continue
        count, face = parse(said)
        bluff = not any(die == face or (wild and die == 1) for die in dice[seat])
        mine, all_there = (
            sum(die == face or (wild and die == 1) for die in cup) for cup in (dice[seat], sum(dice, start=()))
        )
        told[seat, "bids"] += 1
        told[seat, "unsupported"] += mine / count < 0.3
        told[seat, "true bid"] += all_there >= count
        told[seat, "bluff"] += bluff
        told[seat, "palifico bluff"] += bluff and not wild
        told[seat, "ace bid"] += face == 1 and wild
        if not place:
            told[seat, "opening count"] += count
        else:
            before = words[place - 1][1]
            if wild:  # every higher bid is legal by these rules
                told[seat, "jump"] += order.index(said) - order.index(before) - 1
            old_count, old_face = parse(before)
            told[seat, "face change"] += face != old_face
            worth = [
                2 * dice if wild and on == 1 and face != old_face else dice for dice, on in (parse(said), parse(before))
            ]
            told[seat, "increment"] += worth[0] - worth[1]
            expectation = game.round.total / (3 if wild and old_face != 1 else 6)
            after = next(other for other in (*range(seat + 1, 9), *range(seat)) if other < len(dice) and dice[other])
            weak = old_count >= 0.75 * expectation - 1e-9 and len(dice[after]) <= 2
            told[seat, "squeeze"] += weak and face == old_face and count >= old_count + 2
    return told


@pytest.mark.parametrize("seats", [2, 4])
def test_random_rounds_are_counted_as_the_words_tell_them(seats: int) -> None:
    seen = Counter[str]()
    for seed in range(40):
        for record in run(perudo(seats=seats), [RandomPlayer() for _ in range(seats)], seed=seed):
            game = game_of(record)
            assert isinstance(game, Perudo)
            told = recount(game, record)
            for seat, row in enumerate(HABITS.tallies(game, record).tolist()):
                for habit, (hits, _) in zip(ALL_HABITS, row, strict=True):
                    if habit.name != "jump" or not game.round.palifico:
                        assert hits == told[seat, habit.name], (habit.name, record)
                        seen[habit.name] += hits
    assert set(seen) == {habit.name for habit in ALL_HABITS}
    assert min(seen.values()) > 0
