"""A room plays: clocks, seats, the host, minds, showdowns; and its log makes it again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from desk import Desk, Dice, Stacked, bot_name, settings

from tahur.cards.cards import parse_cards
from tahur.core.record import Record
from tahur.games.holdem.table import CALL, FOLD
from tahur.room import facts, wire
from tahur.room.bots import seen
from tahur.room.clocks import UNATTENDED
from tahur.room.keeper import Keeper
from tahur.room.state import replay_log

ROOMS = (
    ("nlhe", [None, "caller", "maniac", None]),
    ("limit", [None, "random", None]),
    ("perudo", [None, "persona:shark", None, "persona:turtle"]),
)


def _acts(desk: Desk) -> list[facts.Acted]:
    return [entry.fact for entry in desk.log if isinstance(entry.fact, facts.Acted)]


# ---- the log -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "minds"), ROOMS, ids=[game for game, _ in ROOMS])
def test_a_room_is_what_its_log_makes_of_it(game: str, minds: list[str | None]) -> None:
    desk, rng = Desk(settings(game, len(minds)), minds), np.random.default_rng(1)
    for _ in range(5):
        desk.random_hand(rng)
    desk.run()
    again = replay_log(desk.log)
    assert again.number == desk.state.number > 30
    assert again.events == desk.state.events
    assert again.chairs == desk.state.chairs
    assert again.live is not None
    assert desk.state.live is not None
    assert (again.hand, again.live.table, again.live.hands) == (
        desk.state.hand,
        desk.state.live.table,
        desk.state.live.hands,
    )


@pytest.mark.parametrize(("game", "minds"), ROOMS[:2], ids=["nlhe", "limit"])
def test_chips_are_only_made_by_buying_them(game: str, minds: list[str | None]) -> None:
    desk, rng = Desk(settings(game, len(minds)), minds), np.random.default_rng(2)
    for _ in range(8):
        desk.random_hand(rng)
        results = sum(chair.result for chair in desk.state.chairs)
        assert results == 0
        bought = sum(isinstance(entry.fact, facts.Rebought) for entry in desk.log)
        chips = sum(chair.chips for chair in desk.state.chairs)
        assert chips <= 200 * (len(minds) + bought)


@pytest.mark.parametrize(("game", "minds"), ROOMS, ids=[game for game, _ in ROOMS])
def test_a_hand_that_was_cut_off_goes_on_with_the_same_deck(game: str, minds: list[str | None]) -> None:
    people: list[str | None] = [None] * 3
    desk, rng = Desk(settings(game, 3), people, Dice(4)), np.random.default_rng(3)
    desk.run()
    for _ in range(2):
        legal = desk.state.ask.view.table.actions()  # type: ignore[union-attr]
        desk.act(legal[1 if game != "perudo" else -1])
    lost = Desk(settings(game, 3), people, Dice(99))
    lost.log, lost.state = list(desk.log), replay_log(desk.log)
    lost.keeper = Keeper(lost.state, Dice(99), bot_name, 5000.0)
    lost.now = 5000.0
    for seat in range(3):
        lost.keeper.connected(f"p{seat}", 1, lost.now)
    for each in (desk, lost):
        rng = np.random.default_rng(5)
        each.random_hand(rng)
    one, two = (each.state.ended[-1] for each in (desk, lost))
    assert one.record == two.record


# ---- clocks --------------------------------------------------------------------------------------


def test_out_of_time_checks_or_folds_after_the_clock_and_the_bank() -> None:
    desk = Desk(settings("nlhe", 3, seconds=10, bank=5))
    desk.run()
    desk.run(14.9)
    assert not _acts(desk)
    desk.run(0.2)
    assert [(act.action, act.by, act.bank) for act in _acts(desk)] == [(FOLD, "clock", 0)]


def test_the_bank_pays_for_what_goes_beyond_the_clock_and_is_not_filled_again() -> None:
    desk = Desk(settings("nlhe", 2, seconds=10, bank=30))
    desk.run()
    desk.run(17)
    seat = desk.state.ask.view.seat  # type: ignore[union-attr]
    desk.act(CALL)
    assert _acts(desk)[-1].bank == 23_000
    assert desk.state.chairs[seat].bank == 23_000
    desk.act(CALL)
    assert _acts(desk)[-1].bank == 30_000


def test_who_lost_the_connection_gets_a_grace_once_a_hand() -> None:
    desk = Desk(settings("nlhe", 2, seconds=10, bank=0, grace=20))
    desk.run()
    seat = desk.state.ask.view.seat  # type: ignore[union-attr]
    desk.keeper.connected(f"p{seat}", -1, desk.now)
    assert desk.frame(None).scene.turn.grace == 20_000  # type: ignore[union-attr]
    desk.run(29)
    assert not _acts(desk)
    desk.act(CALL)
    other = desk.act(CALL)
    assert isinstance(other, wire.Ack)
    while desk.state.ask and desk.state.ask.view.seat != seat:
        desk.act(CALL)
    before = len(_acts(desk))
    desk.run(10.1)
    assert _acts(desk)[before].by == "clock"


def test_nobody_is_hurried_where_there_is_no_clock() -> None:
    desk = Desk(settings("nlhe", 2, seconds=0), [None, "caller"])
    desk.run(100_000)
    assert not [act for act in _acts(desk) if act.by == "clock"]
    assert desk.frame("p0").scene.turn.left is None  # type: ignore[union-attr]


def thinking_for(seconds: float) -> tuple[Desk, str]:
    """Two people without a clock, and who is to act, having thought for so long."""
    desk = Desk(settings("nlhe", 2, seconds=0, grace=20))
    desk.run()
    desk.run(seconds)
    return desk, f"p{desk.state.ask.view.seat}"  # type: ignore[union-attr]


def test_a_reload_without_a_clock_costs_nothing_however_long_the_thought() -> None:
    desk, person = thinking_for(86)
    desk.keeper.connected(person, -1, desk.now)
    desk.run(0.5)
    desk.keeper.connected(person, 1, desk.now)
    desk.run(1000)
    assert not _acts(desk)
    assert desk.act(CALL)


def test_without_a_clock_absence_counts_from_the_lost_connection() -> None:
    desk, person = thinking_for(86)
    desk.keeper.connected(person, -1, desk.now)
    gone = desk.now
    desk.run(UNATTENDED + 20 - 1)
    assert not _acts(desk)
    desk.run(2)
    assert [act.by for act in _acts(desk)] == ["clock"]
    assert desk.now - gone >= UNATTENDED + 20


def test_without_a_clock_a_restart_gives_everybody_time_to_come_back() -> None:
    desk, _ = thinking_for(86)
    again = Keeper(desk.state, Dice(1), bot_name, desk.now, spent=86)
    due = again.due()
    assert due is not None
    assert due >= desk.now + UNATTENDED


def test_a_pause_is_no_absence_where_there_is_no_clock() -> None:
    desk, person = thinking_for(10)
    other = "p1" if person == "p0" else "p0"
    desk.keeper.connected(person, -1, desk.now)
    host = person if desk.state.host == person else other
    desk.ask(host, wire.Pause("stop", True))
    desk.now += 500
    desk.ask(host, wire.Pause("go", False))
    desk.run(UNATTENDED + 20 - 1)
    assert not _acts(desk)


def test_out_of_time_in_perudo_plays_as_the_timeout_mind() -> None:
    desk = Desk(settings("perudo", 2, seconds=10, bank=0))
    desk.run()
    desk.run(10.1)
    lowest = desk.state.live.game.start().actions()[0]  # type: ignore[union-attr]
    assert [(act.action, act.by) for act in _acts(desk)] == [(lowest, "clock")]


def test_who_misses_two_turns_sits_out_and_nothing_is_dealt_until_somebody_is_back() -> None:
    desk = Desk(settings("nlhe", 2, seconds=10, bank=0), [None, "caller"])
    desk.run(300)
    hand = desk.state.hand
    assert desk.state.chairs[0].away
    assert desk.frame("p0").scene.phase == "waiting"
    desk.run(300)
    assert desk.state.hand == hand
    assert isinstance(desk.ask("p0", wire.SitOut("back", False)), wire.Ack)
    desk.run()
    assert desk.state.hand == hand + 1


# ---- seats and the host --------------------------------------------------------------------------


def test_who_leaves_in_mid_hand_folds_at_once_and_the_seat_is_empty_after_it() -> None:
    desk = Desk(settings("nlhe", 3))
    desk.run()
    seat = desk.state.ask.view.seat  # type: ignore[union-attr]
    assert isinstance(desk.ask(f"p{seat}", wire.Leave("bye")), wire.Ack)
    desk.run()
    assert [(act.seat, act.action) for act in _acts(desk)] == [(seat, FOLD)]
    desk.act(FOLD)
    desk.run()
    assert not desk.state.chairs[seat].taken
    assert desk.state.hand == 2


def test_the_next_host_is_another_person() -> None:
    desk = Desk(settings("nlhe", 3), [None, "caller", None])
    assert desk.state.host == "p0"
    desk.ask("p0", wire.Leave("bye"))
    assert desk.state.host == "p2"


def test_a_paused_clock_stands_still() -> None:
    desk = Desk(settings("nlhe", 2, seconds=10, bank=0))
    desk.run()
    desk.run(6)
    assert isinstance(desk.ask("p0", wire.Pause("p", True)), wire.Ack)
    desk.run(1000)
    assert not _acts(desk)
    assert isinstance(desk.act(CALL, id="no"), wire.Refused)
    assert isinstance(desk.ask("p0", wire.Pause("q", False)), wire.Ack)
    desk.run(3.9)
    assert not _acts(desk)
    desk.run(0.2)
    assert len(_acts(desk)) == 1


HOSTS: list[Any] = [wire.Pause("x", True), wire.PutMind("x", 2, "caller"), wire.Remove("x", 0), wire.CloseRoom("x")]


@pytest.mark.parametrize("message", HOSTS, ids=lambda message: message.TYPE)
def test_only_the_host_has_a_hosts_powers(message: wire.Request) -> None:
    desk = Desk(settings("nlhe", 3), [None, None, "caller"])
    assert desk.ask("p1", message) == wire.Refused("x", "only the host can do that")


def test_the_host_seats_and_removes_minds() -> None:
    desk = Desk(settings("nlhe", 3), [None, "caller", "caller"])
    assert isinstance(desk.ask("p0", wire.Remove("a", 2)), wire.Ack)
    assert not desk.state.chairs[2].taken
    assert isinstance(desk.ask("p0", wire.PutMind("b", 2, "maniac")), wire.Ack)
    assert desk.state.chairs[2].mind == "maniac"
    assert isinstance(desk.ask("p0", wire.PutMind("c", 2, "maniac")), wire.Refused)
    assert isinstance(desk.ask("p0", wire.PutMind("d", 1, "nobody")), wire.Refused)


def test_a_closed_room_deals_no_more() -> None:
    desk = Desk(settings("nlhe", 2), [None, "caller"])
    desk.run()
    desk.ask("p0", wire.CloseRoom("x"))
    desk.random_hand(np.random.default_rng(1))
    desk.run(100)
    assert desk.state.hand == 1
    assert desk.frame("p0").scene.phase == "over"


def test_who_has_no_seat_changes_nothing() -> None:
    desk = Desk(settings("nlhe", 2))
    desk.run()
    entries = len(desk.log)
    assert isinstance(desk.ask("stranger", wire.Act("x", 1, 0, CALL)), wire.Refused)
    assert isinstance(desk.ask("stranger", wire.Say("y", "hello")), wire.Refused)
    assert len(desk.log) == entries


def test_chips_can_be_bought_up_to_the_buy_in_with_the_next_hand() -> None:
    desk = Desk(settings("nlhe", 2, stack=10))
    desk.run()
    while desk.state.hand == 1 and desk.state.ask:
        desk.act(FOLD if FOLD in desk.state.ask.view.table.actions() else CALL)
        desk.run(one_hand=True)
    poor = next(seat for seat, chair in enumerate(desk.state.chairs) if chair.chips < 10)
    rich = 1 - poor
    assert isinstance(desk.ask(f"p{rich}", wire.Rebuy("r")), wire.Refused)
    assert isinstance(desk.ask(f"p{poor}", wire.Rebuy("r")), wire.Ack)
    assert isinstance(desk.ask(f"p{poor}", wire.Rebuy("r2")), wire.Refused)
    desk.run()
    assert desk.state.hand == 2
    assert desk.state.chairs[poor].chips == 10


def test_a_newcomer_does_not_see_the_hand_of_who_sat_there_before() -> None:
    desk = Desk(settings("nlhe", 3))
    desk.run()
    seat = desk.state.ask.view.seat  # type: ignore[union-attr]
    desk.ask(f"p{seat}", wire.Leave("bye"))
    desk.run()
    desk.act(FOLD)
    desk.run(one_hand=True)
    desk.join("p9", seat)
    assert desk.state.hand == 1
    assert desk.frame("p9").scene.seats[seat].hand == ()


# ---- showdowns -----------------------------------------------------------------------------------


def _deck(text: str) -> tuple[int, ...]:
    """A deck that begins with these cards."""
    top = [int(card) for card in parse_cards(text)]
    return tuple(top + [card for card in range(52) if card not in top])


def _checked_down(muck: bool = True) -> Desk:
    """Seats 0, 1 and 2 hold aces, kings and rags; seat 1 is first to show."""
    desk = Desk(settings("nlhe", 3), randomness=Stacked([_deck("AsAh KsKh 7d2c Qh9s5c3d4s")]))
    desk.run()
    if not muck:
        desk.ask("p2", wire.Muck("m", False))
    while desk.state.ask is not None:
        desk.act(CALL)
    desk.run(one_hand=True)
    return desk


def test_a_beaten_hand_is_mucked_and_revealed_nowhere() -> None:
    desk = _checked_down()
    assert desk.state.ended[-1].shown == (1, 0)
    for person in ("p0", "p1", None):
        assert [seat.hand for seat in desk.frame(person).scene.seats] == [("As", "Ah"), ("Ks", "Kh"), ()]
    assert desk.frame("p2").scene.seats[2].hand == ("7d", "2c")
    assert not [event for event in desk.state.events if "7d" in event.words or "2c" in event.words]
    assert seen(desk.state.ended[-1], 0).hands[2] is None
    assert seen(desk.state.ended[-1], 2).hands[2] is not None


def test_who_wants_to_show_a_beaten_hand_shows_it() -> None:
    assert _checked_down(muck=False).state.ended[-1].shown == (1, 2, 0)


def test_all_hands_lie_open_when_nobody_could_bet_any_more() -> None:
    desk = Desk(settings("nlhe", 2), randomness=Stacked([_deck("AsAh 7d2c Qh9s5c3d4s")]))
    desk.run()
    desk.act(201)
    desk.act(CALL)
    desk.run(one_hand=True)
    assert sorted(desk.state.ended[-1].shown) == [0, 1]
    record = Record.from_json(desk.state.ended[-1].record)
    assert record.payoffs == (200, -200)


def test_nobody_shows_when_all_others_folded() -> None:
    desk = Desk(settings("nlhe", 2))
    desk.run()
    desk.act(FOLD)
    desk.run(one_hand=True)
    assert desk.state.ended[-1].shown == ()
    assert desk.frame(None).scene.seats[0].hand == ()


# ---- minds ---------------------------------------------------------------------------------------


def test_a_mind_that_answers_nonsense_is_out_of_time_and_the_table_goes_on() -> None:
    from tahur.core.player import Decision

    desk = Desk(settings("nlhe", 2), ["caller", None])
    desk.run()
    while desk.state.chairs[desk.state.ask.view.seat].mind is None:  # type: ignore[union-attr]
        desk.act(CALL)
        if desk.minds.question(desk.state):
            break
        desk.run()
    turn = desk.keeper.turn
    assert turn is not None
    desk.keeper.bot_answered(turn.hand, turn.at, Decision(10**6))
    desk.write(desk.keeper.tick(desk.now))
    assert _acts(desk)[-1].action in (CALL, FOLD)
    assert _acts(desk)[-1].by == "failure"


def test_open_cards_are_for_one_person_alone() -> None:
    desk = Desk(settings("nlhe", 2, open_cards=True), [None, "caller"])
    desk.run()
    assert all(len(seat.hand) == 2 for seat in desk.frame("p0").scene.seats)
    desk.ask("p0", wire.Remove("x", 1))
