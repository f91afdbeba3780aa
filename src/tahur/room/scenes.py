"""What one viewer may know of a room: the only conversion from a state to what a page gets.

Events are the same for all viewers and contain nothing hidden. A scene has the viewer's own hand, the shown hands and,
on the viewer's turn, the choices; of other hands it has only the number of cards. It never contains thoughts, the deck,
keys or tokens.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final

from tahur.core.game import OVER, Game, Hand, Seat
from tahur.room.adapter import NO_LOOK, GameAdapter, Look, TableSeat, happenings_of
from tahur.room.clocks import shown_for
from tahur.room.keeper import Keeper, may_rebuy
from tahur.room.live import Live, Moment, ending_of, equities
from tahur.room.scene import BanLine, EndStep, FinishedMatch, Phase, Scene, SealedDeck, SeatScene, Standing, Turn
from tahur.room.state import Chair, RoomState
from tahur.room.wire import Frame

_NOWHERE: Final = TableSeat("out", 0, 0, 0)  # before the first hand


def frame(keeper: Keeper, viewer: Seat | None, seen: int, now: float) -> Frame:
    """The events after `seen` and the scene, for a seat or a spectator (None)."""
    state = keeper.state
    events, gap = state.events_after(seen)
    whole = scene(keeper, viewer, now)
    ending = _ending(state, viewer, whole) if _tells_an_end(state, seen) else ()
    return Frame(number=state.number, gap=gap, events=events, scene=whole, ending=ending)


def scene(keeper: Keeper, viewer: Seat | None, now: float) -> Scene:
    """The current scene for one viewer."""
    state, live = keeper.state, keeper.state.live
    mine = state.chairs[viewer] if viewer is not None else None
    look = live.beats[-1].look if live and live.ended else NO_LOOK
    places = state.adapter.places(live.game, live.table) if live else (_NOWHERE,) * len(state.chairs)
    my_turn = live is not None and state.ask is not None and not state.paused and state.ask.view.seat == viewer
    return Scene(
        room=state.room,
        title=state.settings.title,
        game=state.settings.game,
        hand=state.hand,
        phase=_phase(keeper),
        why=why(keeper),
        host=state.seat_of(state.host),
        you=viewer,
        seats=tuple(_seat(keeper, seat, viewer, place) for seat, place in enumerate(places)),
        table=state.adapter.scene(live.table, look) if live else None,
        turn=_turn(keeper, now),
        choices=state.adapter.choices(live.table) if live and my_turn else None,
        muck=mine.muck if mine else True,
        may_rebuy=mine is not None and may_rebuy(state, mine),
        commitment=live.dealt.commitment if live else "",
        bans=_bans(state) if mine is not None and mine.person == state.host else (),
        news=look.news_for(viewer),
        match=_match(state),
        seed_for=keeper.seeding.asks(viewer),
        sealed=_sealed(state),
    )


def _sealed(state: RoomState) -> SealedDeck | None:
    sealed = state.coming.sealed
    return SealedDeck(sealed.hand, sealed.commitment, sealed.digests) if sealed else None


def _match(state: RoomState) -> FinishedMatch | None:
    """The finished match: the winner first, then the others, last eliminated first."""
    match, live = state.match, state.live
    if match.winner is None or live is None:
        return None
    name = live.dealt.names[match.winner]
    rounds = live.dealt.hand - match.first + 1
    out = [
        Standing(seat, who, place, f"out in round {hand - match.first + 1}")
        for place, (seat, who, hand) in enumerate(reversed(match.out), start=2)
    ]
    dice = live.beats[-1].look.chips or ()
    left = dice[match.winner]
    first = Standing(match.winner, name, 1, f"{left} {'die' if left == 1 else 'dice'} left")
    return FinishedMatch(
        words=f"{name} wins the match", winner=match.winner, rounds=rounds, standings=(first, *out), again=state.rematch
    )


def _bans(state: RoomState) -> tuple[BanLine, ...]:
    return tuple(BanLine(number, ban.name, bool(ban.addresses)) for number, ban in state.bans.each.items())


def why(keeper: Keeper) -> str:
    """What the room waits for, in words; empty while a hand is played."""
    state = keeper.state
    if state.paused:
        waiting = "Waiting for friends, who join by the room's link. The host starts the game."
        return "The host has paused the game." if state.hand else waiting
    if state.playing:
        return ""
    if state.closed:
        return "The room is closed: no more hands are dealt."
    if state.coming.sealed or keeper.next_game() is not None:
        return ""
    if keeper.waits_for_rematch:
        return "The match is over. Any player at the table can ask for a rematch."
    present = [chair for chair in state.chairs if chair.person and keeper.here[chair.person]]
    if not present:
        return "No one is here."
    if all(chair.away for chair in present):
        return "Everyone here is sitting out."
    if state.adapter.has_rebuys and not any(chair.chips or chair.rebuys for chair in present if not chair.away):
        return "Out of chips: buy in again to continue."
    return "Waiting for one more player."


def _phase(keeper: Keeper) -> Phase:
    state = keeper.state
    if state.paused:
        return "paused"
    if state.playing:
        return "playing"
    if state.closed:
        return "over"
    return "between" if state.coming.sealed or keeper.next_game() is not None else "waiting"


def _turn(keeper: Keeper, now: float) -> Turn | None:
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


def _seat(keeper: Keeper, seat: Seat, viewer: Seat | None, place: TableSeat) -> SeatScene:
    state = keeper.state
    chair, live = state.chairs[seat], state.live
    in_hand = live is not None and not live.ended
    bare = SeatScene(
        seat=seat,
        name=chair.name,
        mind=chair.mind,
        state=_state_of(chair, place, in_hand),  # type: ignore[arg-type]
        here=chair.mind is not None or bool(chair.person and keeper.here[chair.person]),
        chips=place.chips if in_hand and place.state != "out" else chair.chips,
        bet=place.bet if in_hand else 0,
        last=live.last_words.get(seat, "") if live else "",
        hand=(),
        hidden=place.hidden if in_hand else 0,
    )
    if live is None:
        return bare
    look = live.beats[-1].look if live.ended else NO_LOOK
    up = live.shown if live.ended else ()
    return _holding(bare, _visible(state, live, seat, viewer, up), state.adapter, live.table, look)


def _visible(state: RoomState, live: Live, seat: Seat, viewer: Seat | None, up: Collection[Seat]) -> Hand | None:
    """A hand if the viewer may see it: the viewer's own, an open one, or any in a room with open cards."""
    own = (
        seat == viewer and state.chairs[seat].since < live.dealt.hand
    )  # not the hand of a previous player in this seat
    return live.hands[seat] if own or seat in up or state.settings.open_cards else None


def _holding(bare: SeatScene, hand: Hand | None, adapter: GameAdapter, table: Any, look: Look) -> SeatScene:
    """The seat with the hand that the viewer may see, and its highlights."""
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
    if not chair.taken:
        return "empty"
    if in_hand and place.state != "out":
        return place.state
    if chair.away:
        return "sitting out"
    return "out" if not chair.chips and not chair.rebuys else "next hand"


# ---- moments of a finished hand ------------------------------------------------------------------


def _tells_an_end(state: RoomState, seen: int) -> bool:
    """Whether the events after `seen` include the end of the last hand, and there is time to show it."""
    live = state.live
    return live is not None and live.ended and seen < live.told_from[1] and shown_for(1.0, state.settings.pace) > 0


def _ending(state: RoomState, viewer: Seat | None, whole: Scene) -> tuple[EndStep, ...]:
    """The moments of the last hand's end as the viewer sees them, with their event numbers."""
    live = state.live
    assert live is not None
    row = ending_of(state.adapter, live)
    acted, ended = live.told_from
    before = len(row) - len(
        happenings_of(live.beats)
    )  # moments before the end itself: the last action, run-out streets
    steps = []
    for at, moment in enumerate(row):
        hands = tuple(
            _visible(state, live, seat, viewer, moment.look.up) if seat < live.game.seats else None
            for seat in range(len(state.chairs))
        )
        number = acted + at if at < before else ended + at - before
        milliseconds = int(1000 * shown_for(moment.seconds, state.settings.pace))
        steps.append(EndStep(number, milliseconds, still_scene(state.adapter, live.game, moment, hands, whole)))
    return tuple(step for step in steps if step.milliseconds)


def still_scene(
    adapter: GameAdapter, game: Game[Any], moment: Moment, hands: tuple[Hand | None, ...], like: Scene
) -> Scene:
    """A moment of a finished hand, with the hands that a seat may see; everything else comes from `like`."""
    table, look = moment.table, moment.look
    shares = _shares(moment, hands)
    places = adapter.places(game, table)
    seats = tuple(
        replace(
            _holding(_bare(like.seats[seat], place, moment, seat), hand, adapter, table, look), equity=shares.get(seat)
        )
        for seat, (place, hand) in enumerate(zip(places, hands, strict=True))
    )
    turn = (
        Turn(seat=table.turn, at=len(table.history), left=None, whole=None, bank=0, grace=0)
        if table.turn >= 0
        else None
    )
    return replace(
        like,
        phase="between" if table.turn == OVER else "playing",
        why="",
        host=None,
        seats=seats,
        table=adapter.scene(table, look),
        turn=turn,
        choices=None,
        may_rebuy=False,
        news=look.news_for(like.you),
        match=None,
        seed_for=None,
        sealed=None,
    )


def _bare(like: SeatScene, place: TableSeat, moment: Moment, seat: Seat) -> SeatScene:
    """The seat without its hand. Once pots are shown separately, bets are in them."""
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


def _shares(moment: Moment, hands: tuple[Hand | None, ...]) -> dict[Seat, float]:
    """The equities of open hands, if cards are to come."""
    if not moment.look.equities:
        return {}
    known = [(seat, hand) for seat in moment.look.up if (hand := hands[seat]) is not None]
    shares = equities(tuple(hand for _, hand in known), tuple(moment.table.board))
    return {seat: share for (seat, _), share in zip(known, shares, strict=True)}
