"""Decides what becomes a fact in a room: people's requests, expired clocks, bots' answers, deals.

Methods do not change the room's state: they return drafts, which become facts once they are on disk. Connections and
times are passed in by the caller; they are not part of the log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, assert_never

from tahur.core.errors import IllegalAction, TahurError
from tahur.core.game import Game, Seat
from tahur.core.player import Decision
from tahur.core.referee import Ask, check_legal
from tahur.players.guarded import safe_action
from tahur.room import facts, wire
from tahur.room.adapter import Sitting
from tahur.room.bans import BANNED, Addresses
from tahur.room.clocks import UNATTENDED, TurnClock, delay, shown_for
from tahur.room.deck import Randomness
from tahur.room.facts import Fact
from tahur.room.live import Live, ending_of
from tahur.room.log import Draft
from tahur.room.names import check_name, free_name
from tahur.room.rate_limits import Chat, Limits
from tahur.room.sealing import dealt, sealed
from tahur.room.seeding import Seeding
from tahur.room.state import Chair, RoomState

MOST_MISSED: Final = 2  # missed turns in a row before a seat sits out; one if it is disconnected
MOST_THOUGHT: Final = 90.0  # seconds that a bot may think
MOST_BOT_NAME: Final = 60  # characters

BotNames = Callable[[str, str], str]  # (bot, game) -> name at the table; raises an error if it cannot be seated


class RequestRefused(TahurError, ValueError):
    """A request that was refused, with the reason."""


@dataclass(slots=True)
class Thinking:
    """A bot's turn: it acts at the time `ready` or, if its answer comes later, at once."""

    ready: float
    answer: Decision | None = None
    failed: bool = False


class Keeper:
    """Decides what happens next in a room: reads its state, never changes it, and returns drafts of facts.

    Call `facts_applied` whenever facts were applied to the state. `now` is the room's monotonic clock, in seconds.
    """

    def __init__(
        self,
        state: RoomState,
        randomness: Randomness,
        bot_names: BotNames,
        now: float,
        *,
        spent: float = 0.0,
        chat: Limits | None = None,
    ) -> None:
        """`spent`: seconds that the open decision of a person has taken before this keeper was made.
        `chat`: rate limit of one person's chat; None for no limit."""
        self.state = state
        self.connections: Counter[str] = Counter()  # open connections of each person
        self.turn: TurnClock | None = None
        self.thinking: Thinking | None = None
        self.chat = Chat.limited(chat)
        self.addresses = Addresses()
        self.seeding = Seeding(state, now)
        self._randomness = randomness
        self._bot_names = bot_names
        self._grace_hand: dict[Seat, int] = {}  # the last hand in which a seat got extra time
        self._deal_at = now  # the earliest time of the next deal
        self._paused_at: float | None = None
        self._began = now
        self._disconnected_at: dict[str, float] = {}  # when each person's last connection was lost
        self._ended = state.hand if state.live and state.live.ended else 0  # the last hand whose end was noticed
        self.facts_applied(now)
        if self.turn is not None and self.thinking is None:
            self.turn.began -= spent

    # ---- notifications ---------------------------------------------------------------------------

    def facts_applied(self, now: float) -> None:
        """Facts were applied: start the clock of a new turn, or the pause between hands."""
        state = self.state
        self._shift_clocks_by_pause(now)
        self.seeding.facts_applied(now)
        if state.live is not None and state.live.ended and self._ended != state.hand:
            self._ended = state.hand
            self._deal_at = now + self._ending_seconds(state.live)
        ask = state.ask
        if ask is None:
            self.turn = self.thinking = None
            return
        at, seat = len(ask.view.table.history), ask.view.seat
        if self.turn is None or (self.turn.hand, self.turn.at) != (state.hand, at):
            chair = state.chairs[seat]
            self.turn = TurnClock(
                hand=state.hand, at=at, seat=seat, began=now, seconds=state.settings.seconds, bank=chair.bank
            )
            wait = delay(state.settings.secret, state.hand, at, state.settings.pace) if chair.mind else 0.0
            self.thinking = Thinking(now + wait) if chair.mind else None
        self._give_grace()

    def connected(self, person: str, change: int, now: float, *, seeds: bool = False) -> None:
        """A connection of a person was opened (+1) or lost (-1); `seeds`: its page offers seeds."""
        self.connections[person] += change
        if seeds:
            self.seeding.connected(person, change, now)
        if self.connections[person] <= 0:
            del self.connections[person]
            self._disconnected_at[person] = now
        self._give_grace()

    def bot_answered(self, hand: int, at: int, decision: Decision | None) -> None:
        """A bot has answered for action number `at` of this hand; None if it failed: then it checks or folds."""
        if self.thinking is None or self.turn is None or (self.turn.hand, self.turn.at) != (hand, at):
            return
        ask = self.state.ask
        assert ask is not None
        self.thinking.failed = decision is None or not _is_legal(ask, decision)
        self.thinking.answer = Decision(safe_action(ask.view)) if self.thinking.failed else decision

    # ---- what is due -----------------------------------------------------------------------------

    def due(self) -> float | None:
        """When to call `tick` next; None if nothing is due before another request or connection."""
        state, turn = self.state, self.turn
        if state.live is not None and state.live.record is not None and not state.live.ended:
            return 0.0
        if state.paused:
            return None
        if turn is not None:
            return self._turn_due(turn, state.chairs[turn.seat])
        if state.playing or state.closed:
            return None
        if state.next_hand.sealed:
            return self.seeding.reveals_due()
        if self._facts_before_deal():
            return self._deal_at
        return self.seeding.offers_due(self._deal_at) if self.next_game() is not None else None

    def tick(self, now: float) -> list[Draft]:
        """The drafts that are due now, if any."""
        due = self.due()
        if due is None or due > now:
            return []
        live = self.state.live
        if live is not None and live.record is not None and not live.ended:
            return [Draft(self._end_of_hand(live))]
        ask = self.state.ask
        if ask is not None:
            return [Draft(self._act_when_due(ask, now))]
        if self.state.next_hand.sealed:
            return [Draft(dealt(self.state.next_hand.sealed, self.state.next_hand.revealed))]
        if facts_due := self._facts_before_deal():
            return [Draft(fact) for fact in facts_due]
        game = self.next_game()
        return [Draft(self._begin(game))] if game is not None else []

    def request(self, person: str, message: wire.Request, now: float) -> list[Draft]:
        """The drafts of a person's request; raises `RequestRefused` if it is not allowed."""
        seat = self.state.seat_of(person)
        if seat is None:
            raise RequestRefused("you have no seat here: join the room first")
        if self.state.bans.has_person(person):
            raise RequestRefused(BANNED)
        return [Draft(self._fact_of(seat, message, now), person, message.id)]

    # ---- requests --------------------------------------------------------------------------------

    def _fact_of(self, seat: Seat, message: wire.Request, now: float) -> Fact:
        """The fact of a request from the person in this seat; one case for each kind of request."""
        state, chair = self.state, self.state.chairs[seat]
        match message:
            case wire.Act():
                return self._act_request(seat, message, now)
            case wire.Say():
                return self._say_request(seat, message, now)
            case wire.SitOut():
                if chair.away == message.out or chair.leaving:
                    raise RequestRefused(
                        "you are already sitting out" if message.out else "you are already in the game"
                    )
                return facts.SatOut(seat, message.out, missed=False)
            case wire.Rebuy():
                if not may_rebuy(state, chair):
                    raise RequestRefused("you can buy chips if you have less than the buy-in, once for the next hand")
                return facts.Rebought(seat)
            case wire.Rematch():
                if state.match.winner is None or state.rematch:
                    raise RequestRefused("a rematch can be requested once, when the match is over")
                return facts.Rematched(seat)
            case wire.Muck():
                return facts.MuckSet(seat, message.auto)
            case wire.Leave():
                if chair.leaving:
                    raise RequestRefused("you are already leaving after this hand")
                return facts.Gone(seat, removed=False)
            case wire.OfferSeed() | wire.RevealSeed():
                if why := self.seeding.refusal(seat, message):
                    raise RequestRefused(why)
                return self.seeding.fact_of(seat, message)
            case _:
                return self._host_request(seat, message)

    def _say_request(self, seat: Seat, message: wire.Say, now: float) -> facts.Said:
        """A person's chat; refused if it is empty or too frequent."""
        if not message.text.strip():
            raise RequestRefused("the line is empty or unreadable")
        if refusal := self.chat.refusal(self.state.chairs[seat].person or "", now):
            raise RequestRefused(refusal)
        return facts.Said(seat, message.text)

    def _chat_of_action(self, seat: Seat, message: wire.Act, now: float) -> str:
        """The chat sent with an action; dropped if the person writes too fast, but the action still counts."""
        person = self.state.chairs[seat].person or ""
        refusal = self.chat.refusal(person, now) if message.say.strip() else ""
        if refusal:
            self.chat.note(person, message.id, f"your action counts, your message was dropped: {refusal}")
        return "" if refusal else message.say

    def _act_request(self, seat: Seat, message: wire.Act, now: float) -> facts.Acted:
        """A person's action; refused unless this decision is open, the seat's own, and the action legal."""
        state, ask, turn = self.state, self.state.ask, self.turn
        if state.paused:
            raise RequestRefused("the game is paused")
        if ask is None or turn is None or (message.hand, message.at) != (turn.hand, turn.at):
            raise RequestRefused("that decision is no longer open")
        if ask.view.seat != seat:
            raise RequestRefused("it is not your turn")
        try:
            check_legal(ask.view.game, ask.view.table, message.action)
        except IllegalAction as error:
            raise RequestRefused(str(error)) from None
        bank = turn.bank_left(now)
        say = self._chat_of_action(seat, message, now)
        return facts.Acted(
            hand=turn.hand, at=turn.at, seat=seat, action=message.action, thought="", say=say, by="person", bank=bank
        )

    def _host_request(self, seat: Seat, message: wire.HostRequest) -> Fact:
        """A request that only the host may make."""
        state = self.state
        if state.chairs[seat].person != state.host:
            raise RequestRefused("only the host can do that")
        match message:
            case wire.Pause():
                if state.paused == message.paused:
                    raise RequestRefused("the game is already paused" if message.paused else "the game is not paused")
                return facts.Paused(message.paused)
            case wire.PutMind():
                self._check_empty(message.seat)
                mind = facts.mind_in(state.settings, message.mind)
                return facts.MindSat(message.seat, mind, self._new_name(mind))
            case wire.Remove():
                other = state.chairs[message.seat] if message.seat < len(state.chairs) else Chair()
                if not other.taken or other.leaving or message.seat == seat:
                    raise RequestRefused(f"no player can be removed from seat {message.seat + 1}")
                return facts.Gone(message.seat, removed=True)
            case wire.Ban():
                return self._ban(seat, message)
            case wire.LiftBan():
                if message.ban not in state.bans.by_number:
                    raise RequestRefused("no such ban; it may already be lifted")
                return facts.BanLifted(message.ban)
            case wire.CloseRoom():
                if state.closed:
                    raise RequestRefused("the room is already closed")
                return facts.Closed()
            case _:
                assert_never(message)

    def _ban(self, host: Seat, message: wire.Ban) -> facts.Banned:
        """The ban of a person by token and by addresses, except addresses that another player at the table has too."""
        chairs = self.state.chairs
        chair = chairs[message.seat] if message.seat < len(chairs) else Chair()
        if chair.person is None or message.seat == host:
            raise RequestRefused(f"no one in seat {message.seat + 1} can be banned: bots and the host cannot be")
        others = [other.person for other in chairs if other.person and other is not chair]
        addresses, shared = self.addresses.only_of(chair.person, others)
        if shared:
            reason = "another player at the table has the same address, which is not banned"
            words = f"{chair.name} is banned only by their browser's token: {reason}"
            self.chat.note(chairs[host].person or "", message.id, words)
        return facts.Banned(
            seat=message.seat, person=chair.person, name=chair.name, token=chair.token, addresses=addresses
        )

    def _check_empty(self, seat: Seat) -> None:
        if seat >= len(self.state.chairs) or self.state.chairs[seat].taken:
            raise RequestRefused(f"seat {seat + 1} is not empty")

    def _new_name(self, mind: str) -> str:
        """The name of a bot at this table, with a number if the name is taken."""
        try:
            name = check_name(self._bot_names(mind, self.state.settings.game), "bot's name", most=MOST_BOT_NAME)
        except TahurError as error:
            raise RequestRefused(str(error)) from None
        return free_name(name, [chair.name for chair in self.state.chairs])

    # ---- turns -----------------------------------------------------------------------------------

    def _turn_due(self, turn: TurnClock, chair: Chair) -> float | None:
        """When the room acts for the seat to act: a bot, an absent player, or an expired clock; None for never."""
        if self._is_absent(chair):
            return turn.began
        if chair.mind is not None:
            thinking = self.thinking
            assert thinking is not None
            return thinking.ready if thinking.answer is not None else turn.began + MOST_THOUGHT
        deadline = turn.deadline()
        person = chair.person or ""
        if deadline is None and not self.connections[person] and self._others_wait(turn.seat):
            return max(turn.began, self._disconnected_at.get(person, self._began)) + UNATTENDED + turn.grace
        return deadline

    def _act_when_due(self, ask: Ask, now: float) -> facts.Acted:
        """The fact of an action without a request: a bot's answer, or the safe action when the clock has expired."""
        turn = self.turn
        assert turn is not None
        answer = Decision(safe_action(ask.view))
        by: Literal["clock", "failure", "mind"] = "clock"
        if self.thinking is not None and self.thinking.answer is not None:
            answer, by = self.thinking.answer, "failure" if self.thinking.failed else "mind"
        return facts.Acted(
            hand=turn.hand,
            at=turn.at,
            seat=turn.seat,
            action=answer.action,
            thought=answer.thought,
            say=answer.talk[:280],
            by=by,
            bank=turn.bank_left(now),
        )

    def _is_absent(self, chair: Chair) -> bool:
        """Whether a seat will not answer: its player is leaving or, in some games, sitting out."""
        return chair.leaving or not chair.taken or (chair.away and self.state.adapter.plays_for_away_seats)

    def _others_wait(self, seat: Seat) -> bool:
        return any(chair.person is not None for at, chair in enumerate(self.state.chairs) if at != seat)

    def _give_grace(self) -> None:
        """Once per hand, give a disconnected seat to act extra time."""
        turn = self.turn
        if turn is None or turn.grace:
            return
        person = self.state.chairs[turn.seat].person
        if person is not None and not self.connections[person] and self._grace_hand.get(turn.seat) != turn.hand:
            self._grace_hand[turn.seat] = turn.hand
            turn.grace = float(self.state.settings.grace)

    def _shift_clocks_by_pause(self, now: float) -> None:
        """After a pause, move all times by its length, so that it counts against nobody's clock."""
        if self.state.paused and self._paused_at is None:
            self._paused_at = now
        elif not self.state.paused and self._paused_at is not None:
            paused, self._paused_at = now - self._paused_at, None
            self._deal_at += paused
            self._disconnected_at = {person: since + paused for person, since in self._disconnected_at.items()}
            if self.turn is not None:
                self.turn.began += paused
            if self.thinking is not None:
                self.thinking.ready += paused

    # ---- hands -----------------------------------------------------------------------------------

    def _ending_seconds(self, live: Live) -> float:
        """Seconds that the end of a hand is shown before the next deal."""
        state = self.state
        if not shown_for(1.0, state.settings.pace):
            return 0.0
        return sum(shown_for(moment.seconds, state.settings.pace) for moment in ending_of(state.adapter, live))

    def _end_of_hand(self, live: Live) -> facts.Ended:
        """The fact that ends the hand: its record, the hands that are shown, and the stacks."""
        state, record = self.state, live.record
        assert record is not None
        mucks = [seat for seat, chair in enumerate(state.chairs) if chair.muck]
        shown = state.adapter.shown(live.game, record, mucks)
        chips = tuple(chair.chips + int(won) for chair, won in zip(state.chairs, record.payoffs, strict=True))
        return facts.Ended(state.hand, record.to_json(), shown, chips)

    def _facts_before_deal(self) -> list[Fact]:
        """Facts to write before the next deal: seats that missed too many turns sit out, bots without chips buy in."""
        state = self.state
        facts_due: list[Fact] = []
        for seat, chair in enumerate(state.chairs):
            gone = chair.person is not None and not self.connections[chair.person]
            if chair.person and not chair.away and chair.missed >= (1 if gone else MOST_MISSED):
                facts_due.append(facts.SatOut(seat, out=True, missed=True))
            elif chair.mind and may_rebuy(state, chair) and not chair.chips:
                facts_due.append(facts.Rebought(seat))
        return facts_due

    def next_game(self) -> Game[Any] | None:
        """The next deal; None if no connected person could play in it, or there are too few players."""
        state, adapter = self.state, self.state.adapter
        if self.waits_for_rematch:
            return None
        buy_in = adapter.buy_in(state.settings)
        sittings = [
            Sitting(
                chips=max(chair.chips, buy_in) if chair.rebuys else chair.chips,
                plays=chair.taken and not chair.leaving,
                away=chair.away,
            )
            for chair in state.chairs
        ]
        is_person_ready = any(
            chair.person and self.connections[chair.person] and not chair.away and adapter.can_be_dealt(sitting)
            for chair, sitting in zip(state.chairs, sittings, strict=True)
        )
        return adapter.next_game(state.settings, sittings, state.last) if is_person_ready else None

    @property
    def waits_for_rematch(self) -> bool:
        """Whether a match is over and no one has asked for another. Rooms for programs continue without a request."""
        state = self.state
        return state.match.winner is not None and not state.rematch and state.settings.pace != "instant"

    def _begin(self, game: Game[Any]) -> facts.Sealed | facts.Dealt:
        """Seal a deck; if no one offered a seed, deal it at once."""
        state, offers = self.state, self.state.next_hand.offers
        names = [chair.name or f"seat {seat + 1}" for seat, chair in enumerate(state.chairs)]
        digests = [offers.get(seat) for seat in range(len(state.chairs))]
        fact = sealed(state.adapter, game, state.hand + 1, names, digests, self._randomness)
        return fact if offers else dealt(fact, {})


def may_rebuy(state: RoomState, chair: Chair) -> bool:
    """Whether a seat can buy chips: with less than the buy-in, once before the next hand."""
    if chair.rebuys or chair.leaving:
        return False
    return state.adapter.has_rebuys and chair.chips < state.adapter.buy_in(state.settings)


def _is_legal(ask: Ask, decision: Decision) -> bool:
    return type(decision.action) is int and decision.action in ask.view.table.actions()
