"""What one viewer may know of a room: the only conversion from a state to what a page gets.

Events are the same for all viewers and contain nothing hidden. A scene has the viewer's own hand, the shown hands and,
on the viewer's turn, the choices; of other hands it has only the number of cards. It never contains thoughts, the deck,
keys or tokens.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from tahur.core.game import OVER, Game, Hand, Seat
from tahur.room.adapter import NO_LOOK, GameAdapter, Look, TableSeat, happenings_of
from tahur.room.clocks import shown_for
from tahur.room.codec import field_texts, text_of
from tahur.room.keeper import Keeper, may_rebuy
from tahur.room.live import Live, Moment, ending_of, equities
from tahur.room.scene import BanLine, EndStep, FinishedMatch, Phase, Scene, SealedDeck, SeatScene, Standing, Turn
from tahur.room.state import Chair, RoomState
from tahur.room.wire import VERSION, Frame

_NOWHERE: Final = TableSeat("out", 0, 0, 0)  # before the first hand


class EncodedScene:
    """A scene with its JSON. The JSON of a scene that differs in a few fields is made from it."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._fields = field_texts(scene)
        self._seats = [text_of(seat) for seat in scene.seats]

    def text(self, changes: Mapping[str, Any]) -> str:
        """The JSON of `replace(scene, **changes)`; only the changed fields are encoded."""
        fields = dict(self._fields)
        for name, value in changes.items():
            fields[name] = f'"{name}":{self._seats_text(value) if name == "seats" else text_of(value)}'
        return f"{{{','.join(fields.values())}}}"

    def _seats_text(self, seats: tuple[SeatScene, ...]) -> str:
        """The JSON of the seats; those that are the same objects as in the scene are not encoded again."""
        rows = zip(seats, self.scene.seats, self._seats, strict=True)
        texts = [known_text if seat is known else text_of(seat) for seat, known, known_text in rows]
        return f"[{','.join(texts)}]"


@dataclass(frozen=True, slots=True)
class _PublicStep:
    """A moment of a hand's end as spectators see it; `number` is its last event."""

    moment: Moment
    number: int
    milliseconds: int
    encoded: EncodedScene


class Scenes:
    """The scenes of one room, for any viewer.

    What spectators see is made and encoded once, until `changed` is called; a seat sees the same except for a few
    fields, such as its own hand and its choices.
    """

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self.changed()

    def changed(self) -> None:
        """The room's state or its connections have changed."""
        self._public: EncodedScene | None = None
        self._ending: list[_PublicStep] | None = None
        self._events: dict[int, str] = {}  # event number -> the JSON of the events after it

    def scene(self, viewer: Seat | None, now: float) -> Scene:
        """The current scene for a seat or a spectator (None)."""
        return replace(self._public_scene().scene, **self._own_fields(viewer, now))

    def frame(self, viewer: Seat | None, seen: int, now: float) -> Frame:
        """The events after event number `seen`, and the scene for a seat or a spectator (None)."""
        state = self._keeper.state
        events, gap = state.events_after(seen)
        steps = tuple(
            EndStep(step.number, step.milliseconds, replace(step.encoded.scene, **fields))
            for step, fields in self._own_ending(viewer, seen)
        )
        return Frame(number=state.number, gap=gap, events=events, scene=self.scene(viewer, now), ending=steps)

    def frame_text(self, viewer: Seat | None, seen: int, now: float) -> str:
        """The same as `wire.encode(frame(...))`, in a fraction of the time."""
        state = self._keeper.state
        if seen not in self._events:
            events, gap = state.events_after(seen)
            self._events[seen] = f'"gap":{text_of(gap)},"events":{text_of(events)}'
        scene = self._public_scene().text(self._own_fields(viewer, now))
        steps = [
            f'{{"number":{step.number},"milliseconds":{step.milliseconds},"scene":{step.encoded.text(fields)}}}'
            for step, fields in self._own_ending(viewer, seen)
        ]
        head = f'"v":{VERSION},"type":"{Frame.TYPE}","number":{state.number}'
        return f'{{{head},{self._events[seen]},"scene":{scene},"ending":[{",".join(steps)}]}}'

    def _public_scene(self) -> EncodedScene:
        if self._public is None:
            self._public = EncodedScene(_public_scene(self._keeper))
        return self._public

    def _own_fields(self, viewer: Seat | None, now: float) -> dict[str, Any]:
        """The fields in which the viewer's scene differs from the public one, and the clock."""
        turn = _turn(self._keeper, now)
        if viewer is None:
            return {"turn": turn}
        state, live, chair = self._keeper.state, self._keeper.state.live, self._keeper.state.chairs[viewer]
        fields: dict[str, Any] = {"you": viewer, "turn": turn, "seed_for": self._keeper.seeding.asks(viewer)}
        fields |= _settings_fields(state, chair)
        if may_rebuy(state, chair):
            fields["may_rebuy"] = True
        if live is not None:
            fields |= _hand_fields(state, self._public_scene().scene.seats, viewer, live.table, _look(live))
            if state.ask is not None and not state.paused and state.ask.view.seat == viewer:
                fields["choices"] = state.adapter.choices(live.table)
        return fields

    def _own_ending(self, viewer: Seat | None, seen: int) -> Iterator[tuple[_PublicStep, dict[str, Any]]]:
        """The moments of the last hand's end if they come after `seen`, each with the viewer's own fields."""
        state = self._keeper.state
        if not _shows_an_end(state, seen):
            return
        if self._ending is None:
            self._ending = _public_ending(state, self._public_scene().scene)
        own = {} if viewer is None else {"you": viewer, **_settings_fields(state, state.chairs[viewer])}
        for step in self._ending:
            moment, seats = step.moment, step.encoded.scene.seats
            hand = {} if viewer is None else _hand_fields(state, seats, viewer, moment.table, moment.look)
            yield step, own | hand


def _settings_fields(state: RoomState, chair: Chair) -> dict[str, Any]:
    """The scene's fields for a person's own setting (muck) and, for the host, the bans."""
    fields: dict[str, Any] = {} if chair.muck else {"muck": False}
    if chair.person == state.host and state.bans.by_number:
        fields["bans"] = _bans(state)
    return fields


def _hand_fields(
    state: RoomState, seats: tuple[SeatScene, ...], viewer: Seat, table: Any, look: Look
) -> dict[str, Any]:
    """The scene's fields that depend on the viewer's own hand: `seats` with it, and the viewer's headline.

    A player who sat down after the deal does not see the hand of the player before.
    """
    live = state.live
    assert live is not None
    fields: dict[str, Any] = {"news": look.news_for(viewer)} if look.own_details else {}
    if viewer < live.game.seats and state.chairs[viewer].since < live.dealt.hand:
        own = _holding(seats[viewer], live.hands[viewer], state.adapter, table, look)
        fields["seats"] = (*seats[:viewer], own, *seats[viewer + 1 :])
    return fields


def _public_scene(keeper: Keeper) -> Scene:
    """The current scene for spectators, without the clock."""
    state, live = keeper.state, keeper.state.live
    look = _look(live)
    places = state.adapter.places(live.game, live.table) if live else (_NOWHERE,) * len(state.chairs)
    return Scene(
        room=state.room,
        title=state.settings.title,
        game=state.settings.game,
        hand=state.hand,
        phase=_phase(keeper),
        why=waiting_reason(keeper),
        host=state.seat_of(state.host),
        you=None,
        seats=tuple(_seat(keeper, seat, place, look) for seat, place in enumerate(places)),
        table=state.adapter.scene(live.table, look) if live else None,
        turn=None,
        choices=None,
        muck=True,
        may_rebuy=False,
        commitment=live.dealt.commitment if live else "",
        news=look.news_for(None),
        match=_match(state),
        sealed=_sealed_deck(state),
    )


def _look(live: Live | None) -> Look:
    return live.beats[-1].look if live and live.ended else NO_LOOK


def _sealed_deck(state: RoomState) -> SealedDeck | None:
    sealed = state.next_hand.sealed
    return SealedDeck(sealed.hand, sealed.commitment, sealed.digests) if sealed else None


def _match(state: RoomState) -> FinishedMatch | None:
    """The match if it is over: the winner first, then the others, last eliminated first."""
    match, live = state.match, state.live
    if match.winner is None or live is None:
        return None
    winner_name = live.dealt.names[match.winner]
    dice = (live.beats[-1].look.chips or ())[match.winner]
    winner = Standing(match.winner, winner_name, 1, f"{dice} {'die' if dice == 1 else 'dice'} left")
    eliminated = [
        Standing(seat, name, place, f"out in round {hand - match.first + 1}")
        for place, (seat, name, hand) in enumerate(reversed(match.out), start=2)
    ]
    return FinishedMatch(
        words=f"{winner_name} wins the match",
        winner=match.winner,
        rounds=live.dealt.hand - match.first + 1,
        standings=(winner, *eliminated),
        again=state.rematch,
    )


def _bans(state: RoomState) -> tuple[BanLine, ...]:
    return tuple(BanLine(number, ban.name, bool(ban.addresses)) for number, ban in state.bans.by_number.items())


def waiting_reason(keeper: Keeper) -> str:
    """What the room waits for, in words; empty while a hand is played."""
    state = keeper.state
    if state.paused:
        waiting = "Waiting for friends, who join by the room's link. The host starts the game."
        return "The host has paused the game." if state.hand else waiting
    if state.playing:
        return ""
    if state.closed:
        return "The room is closed: no more hands are dealt."
    if state.next_hand.sealed or keeper.next_game() is not None:
        return ""
    if keeper.waits_for_rematch:
        return "The match is over. Any player at the table can ask for a rematch."
    present = [chair for chair in state.chairs if chair.person and keeper.connections[chair.person]]
    if not present:
        return "No one is here."
    if all(chair.away for chair in present):
        return "Everyone here is sitting out."
    if state.adapter.has_rebuys and not any(chair.chips or chair.rebuys for chair in present if not chair.away):
        return "Out of chips: buy in again to continue."
    return "Waiting for one more player."


def _phase(keeper: Keeper) -> Phase:
    """What the room is doing, in one word."""
    state = keeper.state
    if state.paused:
        return "paused"
    if state.playing:
        return "playing"
    if state.closed:
        return "over"
    return "between" if state.next_hand.sealed or keeper.next_game() is not None else "waiting"


def _turn(keeper: Keeper, now: float) -> Turn | None:
    """The seat to act with its clock, in milliseconds; None if no decision is open."""
    turn, state = keeper.turn, keeper.state
    if turn is None:
        return None
    chair = state.chairs[turn.seat]
    if chair.mind is not None:  # the delay of a bot is not public
        return Turn(seat=turn.seat, at=turn.at, left=None, whole=None, bank=0, grace=0)
    whole = 1000 * turn.seconds + int(1000 * turn.grace) if turn.seconds else None
    return Turn(
        seat=turn.seat,
        at=turn.at,
        left=turn.left(now),
        whole=whole,
        bank=turn.bank_left(now),
        grace=int(1000 * turn.grace),
    )


def _seat(keeper: Keeper, seat: Seat, place: TableSeat, look: Look) -> SeatScene:
    """A seat as spectators see it."""
    state = keeper.state
    chair, live = state.chairs[seat], state.live
    in_hand = live is not None and not live.ended
    bare = SeatScene(
        seat=seat,
        name=chair.name,
        mind=chair.mind,
        state=_state_of(chair, place, in_hand),  # type: ignore[arg-type]
        here=chair.mind is not None or bool(chair.person and keeper.connections[chair.person]),
        chips=place.chips if in_hand and place.state != "out" else chair.chips,
        bet=place.bet if in_hand else 0,
        last=live.last_words.get(seat, "") if live else "",
        hand=(),
        hidden=place.hidden if in_hand else 0,
    )
    if live is None:
        return bare
    up = live.shown if live.ended else ()
    return _holding(bare, _public_hand(state, live, seat, up), state.adapter, live.table, look)


def _public_hand(state: RoomState, live: Live, seat: Seat, up: Collection[Seat]) -> Hand | None:
    """The hand of a seat if everyone may see it: it is among the open ones (`up`), or all cards are open here."""
    return live.hands[seat] if seat in up or state.settings.open_cards else None


def _holding(bare: SeatScene, hand: Hand | None, adapter: GameAdapter, table: Any, look: Look) -> SeatScene:
    """The seat with this hand (None: hidden) in words, its highlighted cards, and its name ("a pair of aces")."""
    cards = adapter.hand_texts(hand) if hand is not None else ()
    if not cards:
        return bare
    lit = adapter.lit(table) if look.lit is None else look.lit
    return replace(
        bare,
        hand=cards,
        hidden=0,
        lit=tuple(place for place, card in enumerate(cards) if card in lit),
        made=dict(look.made).get(bare.seat, ""),
    )


def _state_of(chair: Chair, place: TableSeat, in_hand: bool) -> str:
    """The state of a seat in words: that of the game during a hand, otherwise whether it plays the next one."""
    if not chair.taken:
        return "empty"
    if in_hand and place.state != "out":
        return place.state
    if chair.away:
        return "sitting out"
    return "out" if not chair.chips and not chair.rebuys else "next hand"


# ---- moments of a finished hand ------------------------------------------------------------------


def _shows_an_end(state: RoomState, seen: int) -> bool:
    """Whether the events after `seen` include the end of the last hand, and there is time to show it."""
    live = state.live
    return live is not None and live.ended and seen < live.first_events[1] and shown_for(1.0, state.settings.pace) > 0


def _public_ending(state: RoomState, like: Scene) -> list[_PublicStep]:
    """The moments of the last hand's end as spectators see them; only those that take time.

    Whatever is not part of the hand, such as the room's title, comes from the scene `like`.
    """
    live, pace = state.live, state.settings.pace
    assert live is not None
    moments = ending_of(state.adapter, live)
    action_event, end_event = live.first_events
    before_end = len(moments) - len(happenings_of(live.beats))  # number of moments: the last action, run-out streets
    steps = []
    for at, moment in enumerate(moments):
        milliseconds = int(1000 * shown_for(moment.seconds, pace))
        if milliseconds:
            hands = tuple(_public_hand(state, live, seat, moment.look.up) for seat in range(live.game.seats))
            scene = EncodedScene(scene_of_moment(state.adapter, live.game, moment, hands, like))
            number = action_event + at if at < before_end else end_event + at - before_end
            steps.append(_PublicStep(moment, number, milliseconds, scene))
    return steps


def scene_of_moment(
    adapter: GameAdapter, game: Game[Any], moment: Moment, hands: tuple[Hand | None, ...], like: Scene
) -> Scene:
    """A moment of a finished hand, with the hands (by seat; None: hidden) that the viewer may see.

    Whatever is not part of the hand, such as the room's title, comes from the scene `like`.
    """
    table, look = moment.table, moment.look
    equity = _equities(moment, hands)
    seats = []
    for seat, (place, hand) in enumerate(zip(adapter.places(game, table), hands, strict=True)):
        without_hand = _seat_without_hand(like.seats[seat], place, moment, seat)
        seats.append(replace(_holding(without_hand, hand, adapter, table, look), equity=equity.get(seat)))
    turn = None
    if table.turn >= 0:
        turn = Turn(seat=table.turn, at=len(table.history), left=None, whole=None, bank=0, grace=0)
    return replace(
        like,
        phase="between" if table.turn == OVER else "playing",
        why="",
        host=None,
        seats=tuple(seats),
        table=adapter.scene(table, look),
        turn=turn,
        choices=None,
        may_rebuy=False,
        news=look.news_for(like.you),
        match=None,
        seed_for=None,
        sealed=None,
    )


def _seat_without_hand(like: SeatScene, place: TableSeat, moment: Moment, seat: Seat) -> SeatScene:
    """A seat at a moment of a finished hand, its cards hidden. Once pots are shown separately, bets are in them."""
    look = moment.look
    return replace(
        like,
        state=place.state,
        here=True,
        chips=place.chips if look.chips is None else look.chips[seat],
        bet=place.bet if look.pots is None else 0,
        last=moment.last[seat],
        hand=(),
        hidden=0 if look.pots is not None and seat not in look.up else place.hidden,
        lit=(),
        made="",
    )


def _equities(moment: Moment, hands: tuple[Hand | None, ...]) -> dict[Seat, float]:
    """The equities of the open hands by seat, if cards are to come."""
    if not moment.look.equities:
        return {}
    known = [(seat, hand) for seat in moment.look.up if (hand := hands[seat]) is not None]
    shares = equities(tuple(hand for _, hand in known), tuple(moment.table.board))
    return {seat: share for (seat, _), share in zip(known, shares, strict=True)}
