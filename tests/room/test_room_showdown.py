"""The end of a hand as a room tells it: who won with what, pot by pot, street by street, cup by cup."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from desk import Desk, Stacked, settings

from tahur.cards.cards import parse_cards
from tahur.room import wire
from tahur.room.history import replay
from tahur.room.live import ending_of
from tahur.room.scenes import Scenes
from tahur.room.state import RoomState, replay_log

CALL = 1


def deck(text: str) -> tuple[int, ...]:
    """Hands in the order of seats, then the board, then the other cards."""
    first = [int(card) for card in parse_cards(text)]
    return (*first, *(card for card in range(52) if card not in first))


def room(*deals: str, seats: int = 2, pace: str = "usual", **changes: Any) -> Desk:
    desk = Desk(settings("nlhe", seats, pace=pace, **changes), randomness=Stacked([deck(deal) for deal in deals]))
    desk.run()
    return desk


def to_the_end(desk: Desk, actions: Sequence[int] = ()) -> tuple[wire.Frame, wire.Frame]:
    """Those actions, then checks and calls; the frames before and after the end, for seat 0."""
    left = list(actions)
    while desk.state.ask is not None:
        before = desk.frame("p0", desk.state.number)
        desk.act(left.pop(0) if left else CALL)
    desk.run(one_hand=True)
    return before, desk.frame("p0", before.number)


def words(frame: wire.Frame, kind: str) -> list[str]:
    return [event.words for event in frame.events if event.kind == kind]


def news(frame: wire.Frame) -> list[tuple[str, str]]:
    told = [(step.scene.news.words, step.scene.news.detail) for step in frame.ending if step.scene.news]
    return list(dict.fromkeys(told))


def test_a_kicker_is_named_where_it_decides() -> None:
    _, after = to_the_end(room("As Kd  Ac Qd  Ah 8s 6d 3c 2h"))
    assert words(after, "pay") == ["Person 0 wins 4 with a pair of aces, king kicker"]
    assert news(after)[-1] == ("Person 0 wins 4", "a pair of aces, king kicker")


@pytest.mark.parametrize(
    ("deal", "won"),
    [
        ("As Kd  Qc Qd  Ah 8s 6d 3c 2h", "a pair of aces"),  # another pair: no kicker decides
        ("As 9d  Ac 9h  Ah 8s 6d 3c 2h", "a pair of aces"),  # equal hands
        ("As 4d  Kc 2d  Ah Ac Kd 3c 9h", "three of a kind, aces"),
        ("Ks 4d  Qc Jd  Ah 8s 6d 3c 2h", "ace high, king kicker"),
        ("Ks 4s  Qs Js  As 8s 6s 3c 2h", "a flush, ace high, king kicker"),
        ("Js 4d  Tc 4h  Kh Ks 9d 9c 2h", "two pair, kings and nines, jack kicker"),
        ("Ts 9d  Tc 4h  Kh Qs Jd Ac 2h", "a straight, ace high"),
    ],
)
def test_what_won_is_said_as_players_say_it(deal: str, won: str) -> None:
    desk = room(deal)
    _, after = to_the_end(desk)
    assert {text.partition(" with ")[2] for text in words(after, "pay")} == {won}


def test_the_best_five_cards_of_the_winner_are_lit() -> None:
    _, after = to_the_end(room("As Kd  Ac Qd  Ah 8s 6d 3c 2h"))
    paid = next(step.scene for step in after.ending if step.scene.news and "wins" in step.scene.news.words)
    assert paid.table is not None
    lit = {paid.table.board[at] for at in paid.table.lit} | {paid.seats[0].hand[at] for at in paid.seats[0].lit}
    assert lit == {"As", "Kd", "Ah", "8s", "6d"}
    assert paid.seats[1].lit == ()
    assert after.scene.table is not None
    assert after.scene.table.lit == paid.table.lit  # and stay so until the next deal


def test_a_split_pot_is_paid_to_both_at_once() -> None:
    _, after = to_the_end(room("As Kd  Ac Kh  Ah 8s 6d 3c 2h"))
    assert news(after)[-1] == ("Person 1 and Person 0 split the pot, 4", "a pair of aces")
    assert [seat.chips for seat in after.scene.seats] == [200, 200]


def test_side_pots_are_paid_one_by_one_and_stacks_count_up() -> None:
    # By two hands before, stacks of 200 are 340, 220 and 40.
    desk = room(
        "2c 7d  As Ah  Kd Ks  Jd 8s 6d 3c 2h",
        "As Ah  2c 7d  Kd Ks  Jd 8s 6d 3c 2h",
        "Kd Ks  Qc Qh  As Ah  Jd 8s 6d 3c 2h",
        seats=3,
        pace="brisk",
    )
    to_the_end(desk, [61])
    desk.run(60)
    to_the_end(desk, [101])
    desk.run(60)
    assert [chair.chips for chair in desk.state.chairs] == [340, 220, 40]
    assert desk.state.ask is not None
    first = desk.state.ask.view.seat
    _, after = to_the_end(desk, [CALL] * (first == 2) + [341])
    assert news(after)[-3:] == [
        ("Person 2 wins the main pot, 120", "a pair of aces"),
        ("Person 0 wins side pot 1, 360", "a pair of kings"),
        ("Person 0 wins 360, Person 2 wins 120", ""),
    ]
    stacks = [[seat.chips for seat in step.scene.seats] for step in after.ending]
    pots = [step.scene.table.pot for step in after.ending if step.scene.table]
    assert stacks[-3:] == [[120, 0, 120], [480, 0, 120], [480, 0, 120]]
    assert pots[-3:] == [360, 0, 0]


def test_an_all_in_is_run_out_street_by_street_with_hands_open_and_their_equities() -> None:
    desk = room("As Ah  Kd Ks  Kc 8s 6d 3c Ac")
    before, after = to_the_end(desk, [201])
    assert all(seat.hand == () for seat in before.scene.seats if seat.seat != 0)
    streets = [step.scene for step in after.ending if any(seat.equity is not None for seat in step.scene.seats)]
    assert [len(each.table.board) for each in streets if each.table] == [0, 3, 4, 5]
    assert all(seat.hand for each in streets for seat in each.seats)
    shares = [[seat.equity for seat in each.seats] for each in streets]
    assert shares[0][0] == pytest.approx(0.82, abs=0.02)
    assert shares[1][0] == pytest.approx(0.09, abs=0.02)
    assert shares[-1] == [1.0, 0.0]
    assert all(step.scene.seats[0].equity is None for step in after.ending[-2:])


def test_each_moment_tells_its_event_and_the_last_tells_all() -> None:
    before, after = to_the_end(room("As Ah  Kd Ks  Kc 8s 6d 3c Ac"), [201])
    numbers = [step.number for step in after.ending]
    assert numbers == sorted(set(numbers))
    assert numbers[0] == before.number + 1
    assert numbers[-1] == after.number
    assert all(step.milliseconds > 0 for step in after.ending)


def test_the_end_is_not_told_again_and_not_shown_to_programs() -> None:
    desk = room("As Kd  Ac Qd  Ah 8s 6d 3c 2h")
    to_the_end(desk)
    assert desk.frame("p0", desk.state.number).ending == ()
    _, after = to_the_end(room("As Kd  Ac Qd  Ah 8s 6d 3c 2h", pace="instant"))
    assert after.ending == ()


def test_the_next_hand_waits_until_the_end_was_shown_longer_for_more() -> None:
    pauses = []
    for actions in ([], [61], [151]):
        desk = room("As Kd  Ac Qd  Ah 8s 6d 3c 2h", "As Kd  Ac Qd  Ah 8s 6d 3c 2h")
        _, after = to_the_end(desk, actions)
        shown = sum(step.milliseconds for step in after.ending) / 1000
        due = desk.keeper.due()
        assert due is not None
        assert due - desk.now == pytest.approx(shown, abs=0.05)
        pauses.append(shown)
    assert pauses == sorted(pauses)
    assert pauses[-1] > pauses[0] + 1


def test_a_hand_thrown_away_leaves_no_trace_in_what_is_told() -> None:
    """A kicker that beat a hidden hand is not named, whatever the hand was: the bytes are the same."""
    told = set()
    for hidden in ("Ac Qd", "9c 7d", "Ac 4d"):  # the same pair with a lower kicker, nothing, the same pair again
        desk = room(f"{hidden}  As Kd  Ah 8s 6d 3c 2h", pace="brisk")
        while desk.state.ask is not None:  # seat 1 bets the river, so it shows first, and seat 0 mucks
            board = desk.state.ask.view.table.board
            bets = len(board) == 5 and desk.state.ask.view.seat == 1 and not desk.state.ask.view.table.bet
            desk.act(11 if bets else CALL)
        desk.run(one_hand=True)
        frame = desk.frame(None, 0)
        assert words(frame, "muck") == ["Person 0 mucks"]
        told.add(wire.encode(frame).replace(frame.scene.commitment, ""))
    assert len(told) == 1


def test_who_threw_a_hand_away_is_told_the_kicker_that_beat_it_and_nobody_else_is() -> None:
    desk = room("Ac Qd  As Kd  9c 7d  Ah 8s 6d 3c 2h", seats=3)
    while desk.state.ask is not None:  # seat 1 bets the river, so it shows first, and the others muck
        table, seat = desk.state.ask.view.table, desk.state.ask.view.seat
        desk.act(11 if len(table.board) == 5 and seat == 1 and not table.bet else CALL)
    desk.run(one_hand=True)
    details = {person: desk.frame(person).scene.news.detail for person in ("p0", "p1", "p2", None)}  # type: ignore[union-attr]
    plain = "a pair of aces"
    assert details == {"p0": f"{plain}, king kicker", "p1": plain, "p2": plain, None: plain}
    live = desk.state.live
    assert live is not None
    steps = replay(live.dealt, desk.state.ended[-1], 0, Scenes(desk.keeper).scene(None, 0.0)).steps
    assert steps[-1].scene.news is not None
    assert steps[-1].scene.news.detail == f"{plain}, king kicker"


def test_a_replay_pays_the_pot() -> None:
    desk = room("As Kd  Ac Qd  Ah 8s 6d 3c 2h")
    _, after = to_the_end(desk, [61])
    live = desk.state.live
    assert live is not None
    last = replay(live.dealt, desk.state.ended[-1], 0, Scenes(desk.keeper).scene(None, 0.0)).steps[-1].scene
    assert [seat.chips for seat in last.seats] == [260, 140]
    assert last.table is not None
    assert (last.table.pot, [seat.bet for seat in last.seats]) == (0, [0, 0])
    assert last.news == after.scene.news


# ---- Perudo --------------------------------------------------------------------------------------


def cups(*deals: Sequence[int], dice: int, pace: str = "brisk") -> Desk:
    desk = Desk(settings("perudo", 2, dice=dice, pace=pace), randomness=Stacked(deals))
    desk.run()
    return desk


def say(desk: Desk, count: int, face: int) -> None:
    choices = desk.frame(f"p{desk.state.ask.view.seat}").scene.choices  # type: ignore[union-attr]
    assert choices is not None
    assert isinstance(
        desk.act(next(bid.action for bid in choices.bids if (bid.count, bid.face) == (count, face))), wire.Ack
    )


def doubt(desk: Desk) -> wire.Frame:
    number = desk.state.number
    desk.act(0)
    desk.run(one_hand=True)
    return desk.frame("p0", number)


def test_cups_are_lifted_one_after_another_and_counted_against_the_bid() -> None:
    desk = cups((1, 2, 3, 2, 2, 5), dice=3)
    say(desk, 3, 2)
    after = doubt(desk)
    steps = [step.scene for step in after.ending]
    assert [each.table.found for each in steps if each.table] == [None, 2, 4, 4, 4, 4]
    assert [sum(bool(seat.hand) for seat in each.seats) for each in steps] == [1, 1, 2, 2, 2, 2]
    assert steps[2].seats[0].lit == (0, 1)
    assert steps[2].seats[1].lit == (0, 1)
    assert ("3 twos were bid, 4 are there", "the bid is met") in news(after)
    assert news(after)[-1] == ("Person 1 loses a die", "2 are left")


def test_one_die_is_there_and_two_are() -> None:
    desk = cups((2, 3, 4, 3, 4, 5), dice=3)
    say(desk, 1, 2)
    assert words(doubt(desk), "notice") == ["1 two was bid, 1 is there: exactly met"]


def test_the_end_of_a_match_waits_for_a_rematch() -> None:
    desk = cups((2, 3), (2, 3), dice=1)
    say(desk, 1, 2)
    after = doubt(desk)
    match = after.scene.match
    assert match is not None
    assert (match.words, match.winner, match.rounds) == ("Person 0 wins the match", 0, 1)
    assert [(each.name, each.words) for each in match.standings] == [
        ("Person 0", "1 die left"),
        ("Person 1", "out in round 1"),
    ]
    desk.run(600)
    assert desk.state.hand == 1
    assert "rematch" in desk.frame("p0").scene.why
    again: RoomState = replay_log(desk.log)
    assert again.match == desk.state.match
    assert isinstance(desk.ask("p1", wire.Rematch("again")), wire.Ack)
    assert isinstance(desk.ask("p0", wire.Rematch("too")), wire.Refused)
    desk.run(20)
    assert desk.state.hand == 2
    assert desk.frame("p0").scene.match is None


def test_a_rematch_cannot_be_had_in_the_middle_of_a_match() -> None:
    desk = cups((2, 3), dice=1)
    assert isinstance(desk.ask("p0", wire.Rematch("early")), wire.Refused)


def test_programs_play_match_after_match() -> None:
    desk = cups((2, 3), (2, 3), dice=1, pace="instant")
    say(desk, 1, 2)
    doubt(desk)
    desk.run()
    assert desk.state.hand == 2


def test_the_end_of_a_lost_match_takes_longer_than_of_a_round() -> None:
    long, short = cups((2, 3), dice=1), cups((1, 2, 3, 2, 2, 5), dice=3)
    times = []
    for desk in (long, short):
        say(desk, 1, 2)
        doubt(desk)
        assert desk.state.live is not None
        times.append(sum(moment.seconds for moment in ending_of(desk.state.adapter, desk.state.live)))
    assert times[0] > times[1]
