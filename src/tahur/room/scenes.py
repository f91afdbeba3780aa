"""What one viewer may know of a room, and nothing more: the only way from a state to a page.

Events are the same for everybody and tell nothing that is hidden. A scene has the viewer's own hand, the hands that
were shown and, on the viewer's turn, the choices; of all others' hands it has the number of cards. Thoughts, the deck,
keys and tokens never come near it.
"""

from __future__ import annotations

from typing import Any, Final

from tahur.core.game import OVER, Game, Hand, Seat
from tahur.room.keeper import Keeper, may_rebuy
from tahur.room.kind import Kind, Place
from tahur.room.state import Chair, Live, State
from tahur.room.wire import Frame, Phase, Scene, SeatScene, Turn

_NOWHERE: Final = Place("out", 0, 0, 0)  # before the first hand


def frame(keeper: Keeper, viewer: Seat | None, seen: int, now: float) -> Frame:
    """Everything since event `seen`, for the seat, or for a spectator (None)."""
    events, gap = keeper.state.events_after(seen)
    return Frame(keeper.state.number, gap, events, scene(keeper, viewer, now))


def scene(keeper: Keeper, viewer: Seat | None, now: float) -> Scene:
    """The room as it is, for one viewer."""
    state, live = keeper.state, keeper.state.live
    mine = state.chairs[viewer] if viewer is not None else None
    holdem, perudo = state.kind.scene(live.table) if live else (None, None)
    places = state.kind.places(live.game, live.table) if live else (_NOWHERE,) * len(state.chairs)
    my_turn = live is not None and state.ask is not None and not state.paused and state.ask.view.seat == viewer
    holdem_choices, perudo_choices = state.kind.choices(live.table) if live and my_turn else (None, None)
    return Scene(
        state.room,
        state.settings.title,
        state.settings.game,
        state.hand,
        _phase(keeper),
        why(keeper),
        state.seat_of(state.host),
        viewer,
        tuple(_seat(keeper, seat, viewer, place) for seat, place in enumerate(places)),
        holdem,
        perudo,
        _turn(keeper, now),
        holdem_choices,
        perudo_choices,
        mine.muck if mine else True,
        mine is not None and may_rebuy(state, mine),
        live.dealt.commitment if live else "",
    )


def why(keeper: Keeper) -> str:
    """What is waited for, in words; nothing while a hand is played."""
    state = keeper.state
    if state.paused:
        waiting = "Waiting for friends, who come by the room's link. The host starts the game."
        return "The host has paused the game." if state.hand else waiting
    if state.playing:
        return ""
    if state.closed:
        return "The room is closed: no other hand is dealt."
    if keeper.next_game() is not None:
        return ""
    present = [chair for chair in state.chairs if chair.person and keeper.here[chair.person]]
    if not present:
        return "Nobody is here."
    if all(chair.away for chair in present):
        return "Everybody who is here sits out."
    if state.settings.game != "perudo" and not any(chair.chips or chair.rebuys for chair in present if not chair.away):
        return "Out of chips: buy in again to go on."
    return "Waiting for one more to sit down."


def _phase(keeper: Keeper) -> Phase:
    state = keeper.state
    if state.paused:
        return "paused"
    if state.playing:
        return "playing"
    if state.closed:
        return "over"
    return "waiting" if keeper.next_game() is None else "between"


def _turn(keeper: Keeper, now: float) -> Turn | None:
    turn, state = keeper.turn, keeper.state
    if turn is None:
        return None
    chair = state.chairs[turn.seat]
    if chair.mind is not None:  # when a mind will answer is nobody's business
        return Turn(turn.seat, turn.at, None, None, 0, 0)
    whole = 1000 * turn.seconds + int(1000 * turn.grace) if turn.seconds else None
    return Turn(turn.seat, turn.at, turn.left(now), whole, turn.bank_left(now), int(1000 * turn.grace))


def _seat(keeper: Keeper, seat: Seat, viewer: Seat | None, place: Place) -> SeatScene:
    state = keeper.state
    chair, live = state.chairs[seat], state.live
    hand = _visible(state, live, seat, viewer) if live else None
    cards = state.kind.hand_texts(hand) if hand is not None else ()
    in_hand = live is not None and not live.ended
    return SeatScene(
        seat,
        chair.name,
        chair.mind,
        _state_of(chair, place, in_hand),  # type: ignore[arg-type]
        chair.mind is not None or bool(chair.person and keeper.here[chair.person]),
        place.chips if in_hand and place.state != "out" else chair.chips,
        place.bet if in_hand else 0,
        live.last_words.get(seat, "") if live else "",
        cards,
        0 if cards or live is None or live.ended else place.hidden,
    )


def _visible(state: State, live: Live, seat: Seat, viewer: Seat | None) -> Hand | None:
    """A hand if the viewer may see it: one's own, one that was shown, or any where cards lie open."""
    own = seat == viewer and state.chairs[seat].since < live.dealt.hand  # not of who sat there before
    if own or (live.ended and seat in live.shown) or state.settings.open_cards:
        return live.hands[seat]
    return None


def _state_of(chair: Chair, place: Place, in_hand: bool) -> str:
    if not chair.taken:
        return "empty"
    if in_hand and place.state != "out":
        return place.state
    if chair.away:
        return "sitting out"
    return "out" if not chair.chips and not chair.rebuys else "next hand"


def still_scene(kind: Kind, game: Game[Any], table: Any, hands: tuple[Hand | None, ...], like: Scene) -> Scene:
    """A moment of a finished hand, with the hands that a seat may see of it; all else is as in `like`."""
    places = kind.places(game, table)
    seats = tuple(
        SeatScene(
            seat,
            like.seats[seat].name,
            like.seats[seat].mind,
            place.state,
            True,
            place.chips,
            place.bet,
            like.seats[seat].last,
            kind.hand_texts(hand) if hand is not None else (),
            0 if hand is not None else place.hidden,
        )
        for seat, (place, hand) in enumerate(zip(places, hands, strict=True))
    )
    holdem, perudo = kind.scene(table)
    turn = Turn(table.turn, len(table.history), None, None, 0, 0) if table.turn >= 0 else None
    return Scene(
        like.room,
        like.title,
        like.game,
        like.hand,
        "between" if table.turn == OVER else "playing",
        "",
        None,
        like.you,
        seats,
        holdem,
        perudo,
        turn,
        None,
        None,
        like.muck,
        False,
        like.commitment,
    )
