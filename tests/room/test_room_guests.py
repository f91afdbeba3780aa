"""What the host and the room do about guests who misbehave: chat limits and bans, in a room without a server."""

from __future__ import annotations

import pytest
from desk import Desk, settings

from tahur.room import facts, wire
from tahur.room.bans import BANNED, Visitor, address_hash
from tahur.room.facts import fact_of
from tahur.room.keeper import RequestRefused
from tahur.room.log import Draft
from tahur.room.rate_limits import CHAT, Chat
from tahur.room.scene import BanLine
from tahur.room.state import replay_log
from tahur.room.task import Newcomer, joining_fact, token_hash

HOME, CAFE = "home", "cafe"  # addresses, as hashes


def chatting() -> Desk:
    """Two people and the server's limits."""
    desk = Desk(settings("nlhe", 2, seconds=0))
    desk.keeper.chat = Chat.limited(CHAT)
    desk.run()
    return desk


def words(desk: Desk) -> list[str]:
    return [event.words for event in desk.state.events if event.kind == "chat"]


# ---- chat ----------------------------------------------------------------------------------------


def test_who_writes_too_fast_is_told_how_long_to_wait_and_nothing_acknowledged_is_lost() -> None:
    desk = chatting()
    answers = [desk.ask("p0", wire.Say(f"s{at}", f"line {at}")) for at in range(20)]
    acked = [at for at, answer in enumerate(answers) if isinstance(answer, wire.Ack)]
    assert len(acked) == CHAT.burst
    assert words(desk) == [f"Person 0: line {at}" for at in acked]
    refused = answers[-1]
    assert isinstance(refused, wire.Refused)
    assert refused.why == f"you are writing too fast; try again in {1 / CHAT.rate:g} s"
    assert isinstance(desk.ask("p1", wire.Say("s", "I may")), wire.Ack)  # each person alone
    assert desk.ask("p0", wire.Say("s0", "line 0")) == answers[0]  # a copy is no new line
    desk.now += 1 / CHAT.rate
    assert isinstance(desk.ask("p0", wire.Say("later", "again")), wire.Ack)


def test_an_action_counts_although_the_words_with_it_are_too_many() -> None:
    desk = chatting()
    for at in range(int(CHAT.burst)):
        desk.ask("p0", wire.Say(f"s{at}", "hello"))
        desk.ask("p1", wire.Say(f"s{at}", "hello"))
    ask = desk.state.ask
    assert ask is not None
    person = f"p{ask.view.seat}"
    act = wire.Act(id="a", hand=desk.state.hand, at=len(ask.view.table.history), action=1, say="and one more")
    answer = desk.ask(person, act)
    assert isinstance(answer, wire.Ack)
    assert "and one more" not in str(words(desk))
    assert desk.keeper.chat.note_for(person, "a").startswith("your action counts, your message was dropped")
    assert len(desk.state.live.table.history) == act.at + 1  # type: ignore[union-attr]


def test_words_with_an_action_are_counted_like_others() -> None:
    desk = chatting()
    ask = desk.state.ask
    assert ask is not None
    person = f"p{ask.view.seat}"
    assert isinstance(
        desk.ask(person, wire.Act(id="a", hand=1, at=len(ask.view.table.history), action=1, say="mine")), wire.Ack
    )
    assert "mine" in str(words(desk))
    said = [desk.ask(person, wire.Say(f"s{at}", "more")) for at in range(int(CHAT.burst))]
    assert [isinstance(answer, wire.Ack) for answer in said] == [True] * int(CHAT.burst - 1) + [False]


@pytest.mark.parametrize("text", [" ", "\u00a0\u2003"])
def test_a_line_of_nothing_is_refused(text: str) -> None:
    assert isinstance(chatting().ask("p0", wire.Say("x", text)), wire.Refused)


# ---- bans ----------------------------------------------------------------------------------------


def table(**addresses: str) -> Desk:
    """Four people at a table that is paused; `p0` is the host."""
    desk = Desk(settings("nlhe", 4, seconds=0))
    desk.write([Draft(facts.Paused(True))])
    for person, address in addresses.items():
        desk.keeper.addresses.note(person, address)
    return desk


def comes_in(desk: Desk, person: str, address: str) -> str:
    """What somebody who wants a seat is told, "" for welcome."""
    try:
        desk.write(
            [
                Draft(
                    joining_fact(
                        desk.state,
                        Newcomer(
                            person=f"{person} again", name="New", token=token_hash(person), seat=None, address=address
                        ),
                    )
                )
            ]
        )
    except RequestRefused as error:
        return str(error)
    return ""


def test_a_ban_takes_the_seat_and_refuses_token_and_address_from_then_on() -> None:
    desk = table(p0=HOME, p2=CAFE)
    assert isinstance(desk.ask("p0", wire.Ban("b", 2)), wire.Ack)
    assert not desk.state.chairs[2].taken
    assert comes_in(desk, "p2", "elsewhere") == BANNED  # the token
    assert comes_in(desk, "fresh", CAFE) == BANNED  # the address
    assert comes_in(desk, "fresh", "elsewhere") == ""
    assert desk.frame("p0").scene.bans == (BanLine(1, "Person 2", address=True),)
    assert desk.frame("p1").scene.bans == desk.frame(None).scene.bans == ()


def test_a_ban_survives_the_log_which_tells_no_address_and_no_token() -> None:
    desk = table(p0=HOME, p2=address_hash("5ec2e7", "192.0.2.7"))
    desk.ask("p0", wire.Ban("b", 2))
    text = next(entry.text for entry in desk.log if isinstance(entry.fact, facts.Banned))
    assert "192.0.2.7" not in text
    assert fact_of(text) == next(iter(desk.state.bans.by_number.values()))
    again = replay_log(desk.log)
    assert again.refuses(Visitor(token_hash("p2")))
    assert again.refuses(Visitor("", address_hash("5ec2e7", "192.0.2.7")))
    assert not again.refuses(Visitor("", address_hash("other secret", "192.0.2.7")))


def test_a_lifted_ban_lets_in_again_once() -> None:
    desk = table(p0=HOME, p2=CAFE)
    desk.ask("p0", wire.Ban("b", 2))
    assert isinstance(desk.ask("p1", wire.LiftBan("l", 1)), wire.Refused)  # not the host
    assert isinstance(desk.ask("p0", wire.LiftBan("l", 1)), wire.Ack)
    assert comes_in(desk, "p2", CAFE) == ""
    assert isinstance(desk.ask("p0", wire.LiftBan("m", 1)), wire.Refused)
    assert replay_log(desk.log).bans.by_number == {}


def test_a_household_behind_one_address_stays_at_the_table() -> None:
    desk = table(p0=HOME, p1=HOME, p2=HOME)
    desk.ask("p0", wire.Ban("b", 2))
    assert desk.keeper.chat.note_for("p0", "b").startswith("Person 2 is banned only by their browser's token")
    assert desk.frame("p0").scene.bans == (BanLine(1, "Person 2", address=False),)
    assert not desk.state.refuses(Visitor(token_hash("p0"), HOME))
    assert not desk.state.refuses(Visitor(token_hash("somebody new"), HOME))
    assert desk.state.refuses(Visitor(token_hash("p2"), HOME))


def test_who_is_seated_may_come_from_a_banned_address_later() -> None:
    desk = table(p0=HOME, p2=CAFE)
    desk.ask("p0", wire.Ban("b", 2))
    assert not desk.state.refuses(Visitor(token_hash("p1"), CAFE))
    assert desk.state.refuses(Visitor(token_hash("stranger"), CAFE))


@pytest.mark.parametrize("seat", [0, 3, 8])
def test_the_host_bans_neither_themselves_nor_an_empty_chair(seat: int) -> None:
    desk = table()
    if seat == 3:
        desk.ask("p0", wire.Remove("r", 3))
        desk.ask("p0", wire.PutMind("m", 3, "caller"))
    assert isinstance(desk.ask("p0", wire.Ban("b", seat)), wire.Refused)
    assert isinstance(desk.ask("p1", wire.Ban("b", 0)), wire.Refused)  # and nobody else bans anybody


def test_who_is_banned_in_mid_hand_neither_acts_nor_writes_and_the_hand_goes_on() -> None:
    desk = Desk(settings("nlhe", 3, seconds=0))
    desk.run()
    ask = desk.state.ask
    assert ask is not None
    seat = ask.view.seat if ask.view.seat else 1
    assert isinstance(desk.ask("p0", wire.Ban("b", seat)), wire.Ack)
    assert desk.ask(f"p{seat}", wire.Say("s", "unfair")) == wire.Refused("s", BANNED)
    desk.run()
    while desk.state.playing:
        desk.act(1)
        desk.run(one_hand=True)
    assert not desk.state.chairs[seat].taken
    assert desk.state.seat_of(f"p{seat}") is None
