"""What is remembered of an opponent, figure by figure, and that it outlives being written down."""

from __future__ import annotations

import json

import pytest
from minds_talk import played

from tahur.arena.match import run
from tahur.core.errors import RecordError
from tahur.core.record import Record
from tahur.games.perudo.game import perudo
from tahur.games.registry import game_of
from tahur.players.perudo.memory import Memory, OpponentMemory, deviation_of, opening_deviation, pattern_deviation
from tahur.players.perudo.personalities import CHAOS, SHARK, TURTLE
from tahur.players.perudo.player import PerudoMind

NAMES = ("Ana", "Ben", "Cai")


def learnt(record: Record, seat: int | None = None, memory: Memory | None = None) -> Memory:
    found = Memory() if memory is None else memory
    found.learn(record.seen_by(game_of(record), seat))
    return found


def a_round(*words: str, cups: tuple[tuple[int, ...], ...] = ((5, 5, 1), (2, 3, 4), (6, 6, 6))) -> Record:
    return played(perudo(cups=[3, 3, 3]), cups, *words, names=NAMES)


def test_bids_raises_jumps_and_faces_are_counted() -> None:
    memory = learnt(a_round("2 fives", "3 fives", "5 fives", "3 aces", "dudo"))
    ana, ben, cai = (memory.of(name) for name in NAMES)
    assert (ana.bids, ana.raises, ana.openings[5], ana.faces[5], ana.faces[1]) == (2, 1, 1, 1, 1)
    assert (ana.increments, ana.aggressive) == (1, 0)  # 5 fives to 3 aces, which are worth 6
    assert (ben.bids, ben.raises, ben.increments, ben.aggressive) == (1, 1, 1, 0)
    assert (cai.bids, cai.increments, cai.aggressive) == (1, 2, 1)
    assert cai.aggression == 1
    assert cai.average_increment == 2
    assert (ben.dudos, ben.dudos_right) == (1, 1)


def test_a_dudo_is_right_when_the_bid_was_false() -> None:
    assert learnt(a_round("3 fives", "dudo")).of("Ben").dudos_right == 0  # 5 5 1
    assert learnt(a_round("4 fives", "dudo")).of("Ben").dudos_right == 1


def test_a_calza_is_right_when_the_bid_was_exactly_so() -> None:
    assert learnt(a_round("3 fives", "calza")).of("Ben").calzas_right == 1
    right_or_not = learnt(a_round("2 fives", "calza")).of("Ben")
    assert (right_or_not.calzas, right_or_not.calzas_right, right_or_not.dudos) == (1, 0, 0)


def test_a_final_bid_without_a_third_of_it_in_the_cup_is_a_bluff() -> None:
    honest = learnt(a_round("2 fives", "dudo")).of("Ana")
    assert (honest.finals, honest.bluffs, honest.confidence) == (1, 0, 1)
    caught = learnt(a_round("2 fives", "3 fives", "4 fives", "dudo")).of("Cai")
    assert (caught.finals, caught.bluffs, caught.bluffs_caught, caught.confidence) == (1, 1, 1, 0)
    assert (caught.caught_rate, caught.bluff_index) == (1, 0)
    lucky = learnt(a_round("2 fives", "3 fives", "dudo")).of("Ben")  # it holds neither five nor ace; Ana has three
    assert (lucky.bluffs, lucky.bluffs_met, lucky.bluffs_caught, lucky.bluff_index) == (1, 1, 0, 1)


def test_only_the_bid_that_is_called_tells_of_bluffs() -> None:
    assert learnt(a_round("2 fives", "3 fives", "4 fives", "dudo")).of("Ben").finals == 0


def test_the_bluff_rate_starts_at_a_half_and_is_smoothed() -> None:
    assert OpponentMemory().bluff_rate == 0.5
    assert OpponentMemory(finals=4, bluffs=3).bluff_rate == pytest.approx(4 / 6)


def test_nobody_remembers_oneself() -> None:
    record = a_round("2 fives", "3 fives", "dudo")
    assert set(learnt(record, seat=1).opponents) == {"Ana", "Cai"}
    assert learnt(record, seat=0).of("Cai").dudos == 1


def test_in_palifico_aces_are_no_support() -> None:
    record = played(
        perudo(cups=[3, 3, 3], palifico_round=True),
        ((1, 1, 1), (2, 3, 4), (6, 6, 6)),
        "1 five",
        "dudo",
        names=NAMES,
    )
    assert learnt(record).of("Ana").bluffs == 1


@pytest.mark.parametrize(
    ("faces", "face", "deviation"),
    [
        ([0, 0, 0, 0, 0, 4, 0], 2, 0.0),  # four bids are no pattern
        ([0, 0, 0, 0, 0, 5, 0], 2, 0.8),
        ([0, 0, 0, 0, 0, 5, 0], 5, 0.0),
        ([0, 0, 1, 2, 2, 3, 0], 6, 0.5),  # 3 of 8, and a face never bid
        ([0, 1, 2, 2, 2, 3, 0], 6, 0.3),  # 3 of 10 is not above 30 %, but above 25 %
        ([0, 0, 2, 2, 2, 3, 1], 6, 0.3),  # bid a third as often as the favourite
        ([0, 0, 2, 2, 2, 3, 1], 2, 0.0),  # two thirds
        ([0, 2, 2, 2, 2, 2, 2], 6, 0.0),
    ],
)
def test_a_bid_deviates_by_how_rare_its_face_is_beside_a_favourite(
    faces: list[int], face: int, deviation: float
) -> None:
    assert pattern_deviation(faces, face) == deviation


@pytest.mark.parametrize(
    ("openings", "face", "deviation"),
    [
        ([0, 0, 0, 0, 0, 2, 0], 2, 0.0),  # two openings are no pattern
        ([0, 0, 0, 0, 0, 3, 0], 2, 0.7),
        ([0, 0, 0, 0, 0, 3, 0], 5, 0.0),
        ([0, 0, 1, 1, 1, 2, 0], 2, 0.4),  # 2 of 5
        ([0, 0, 2, 1, 1, 1, 1], 5, 0.2),  # 2 of 6
    ],
)
def test_an_opening_deviates_by_how_usual_another_one_is(openings: list[int], face: int, deviation: float) -> None:
    assert opening_deviation(openings, face) == deviation


def test_an_opening_is_held_against_openings_too() -> None:
    opponent = OpponentMemory(faces=[0, 0, 3, 3, 3, 3, 3], openings=[0, 0, 0, 0, 0, 3, 0])
    assert deviation_of(opponent, 2, opening=False) == 0
    assert deviation_of(opponent, 2, opening=True) == 0.7


def test_the_favourite_is_the_face_bid_most() -> None:
    assert OpponentMemory().favourite is None
    assert OpponentMemory(faces=[0, 0, 2, 5, 5, 0, 0]).favourite == 3


def test_what_was_heard_in_a_round_is_not_counted_again_when_it_is_over() -> None:
    record = a_round("2 fives", "3 fives", "4 fives", "dudo")
    in_parts = Memory()
    in_parts.round_start()
    speakers = ["Ana", None, "Cai"]
    in_parts.hear(speakers, record.actions[:1], wild=True)
    in_parts.hear(speakers, record.actions[:3], wild=True)
    in_parts.hear(speakers, record.actions[:1], wild=True)
    assert in_parts.of("Cai").bids == 1
    learnt(record, 1, in_parts)
    assert in_parts.to_json() == learnt(record, 1).to_json()
    assert learnt(record, 1, in_parts).of("Ana").bids == 2  # the next round counts from its start


def test_a_memory_outlives_being_written_down() -> None:
    minds = [PerudoMind(each) for each in (SHARK, TURTLE, CHAOS)]
    for _ in run(perudo(seats=3), minds, seed=4, deals=12, names=NAMES):
        pass
    before = minds[0].memory
    assert before.of("Ben").bids > 5
    after = Memory.from_json(json.loads(json.dumps(before.to_json())))
    assert after.to_json() == before.to_json()
    assert after.of("Ben").figures() == before.of("Ben").figures()
    with pytest.raises(RecordError, match="not a memory"):
        Memory.from_json({"Ben": {"bidz": 3}})


def test_told_the_same_rounds_again_a_mind_remembers_the_same() -> None:
    minds = [PerudoMind(each) for each in (SHARK, TURTLE, CHAOS)]
    records = list(run(perudo(seats=3), minds, seed=4, names=NAMES))
    again = PerudoMind(SHARK)
    for record in records:
        again.learn(record.seen_by(game_of(record), 0))
    assert again.memory.to_json() == minds[0].memory.to_json()


def test_who_has_no_name_is_remembered_by_the_seat() -> None:
    record = played(perudo(cups=[3, 3]), ((5, 5, 1), (2, 3, 4)), "2 fives", "dudo")
    assert set(learnt(record).opponents) == {"seat 0", "seat 1"}
    assert learnt(record).of("seat 0").faces[5] == 1


def test_every_figure_is_shown() -> None:
    shown = OpponentMemory(bids=4, raises=3, increments=6, faces=[0, 0, 4, 0, 0, 0, 0]).figures()
    assert shown["average increment"] == 2
    assert shown["favourite face"] == 2
