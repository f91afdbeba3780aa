"""The record of one deal, and what each seat may know of it.

A `Record` holds the hands, the actions (including chance's) and the payoffs; together with the game it reproduces every
table. It is stored as one JSON line. A `Seen` is a record without the hands that a seat never saw.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, NamedTuple, Protocol, TypeVar

from tahur.core.errors import IllegalAction, RecordError
from tahur.core.limits import parse_json
from tahur.core.words import CHANCE, OVER, Action, Hand, Seat, Settings

VERSION = 1
UNSEEN = -1  # in a record written from one seat's view: a hand that this seat never saw

V = TypeVar("V")


class ReplayRules(Protocol):
    """The methods of a game that are needed to replay a record."""

    def start(self) -> Any: ...

    def revealed(self, table: Any) -> tuple[Seat, ...]: ...


@dataclass(frozen=True, slots=True)
class Talk:
    """Something said at the table together with action number `at`; audible to everyone who sees that action."""

    at: int
    seat: Seat
    text: str


@dataclass(frozen=True, slots=True)
class Thought:
    """Why a seat took action number `at`; hidden from the other seats until the hand is over."""

    at: int
    seat: Seat
    text: str


@dataclass(frozen=True, slots=True)
class Record:
    """One complete deal: hands, actions and payoffs."""

    game: str
    settings: Settings
    hands: tuple[Hand, ...]
    actions: tuple[Action, ...]
    payoffs: tuple[float, ...]
    names: tuple[str, ...] = ()
    talk: tuple[Talk, ...] = ()
    thoughts: tuple[Thought, ...] = ()
    seat: Seat | None = None  # the seat whose view this is, with only the hands it saw; None: all hands are known
    mucked: tuple[Seat, ...] = ()  # the seats that did not show their hands at the showdown

    def to_json(self) -> str:
        """The record as one JSON line, without a newline."""
        of_seat = {} if self.seat is None else {"seat": self.seat}
        mucked = {"mucked": self.mucked} if self.mucked else {}
        return json.dumps(
            {
                "version": VERSION,
                "game": self.game,
                "settings": dict(self.settings),
                "hands": self.hands,
                "actions": self.actions,
                "payoffs": self.payoffs,
                "names": self.names,
                "talk": [[line.at, line.seat, line.text] for line in self.talk],
                "thoughts": [[thought.at, thought.seat, thought.text] for thought in self.thoughts],
                **of_seat,
                **mucked,
            },
            ensure_ascii=True,  # some readers split lines at Unicode separators, and lone surrogates cannot be encoded
            separators=(",", ":"),
        )

    @classmethod
    def from_json(cls, line: str) -> Record:
        """Parse a line written by `to_json`."""
        try:
            value = parse_json(line)
            thoughts = value.get("thoughts", []) if "seat" in value else value["thoughts"]  # optional in a seat's view
            if _is(int, value["version"]) != VERSION:
                raise RecordError(f"a record of version {value['version']!r}; this tahur reads version {VERSION}")
            return cls(
                _is(str, value["game"]),
                _is(dict, value["settings"]),
                tuple(UNSEEN if hand is None else _is(int, hand) for hand in _is(list, value["hands"])),
                tuple(_is(int, action) for action in _is(list, value["actions"])),
                tuple(_number(paid) for paid in _is(list, value["payoffs"])),
                tuple(_is(str, name) for name in _is(list, value["names"])),
                tuple(Talk(_is(int, at), _is(int, seat), _is(str, text)) for at, seat, text in value["talk"]),
                tuple(Thought(_is(int, at), _is(int, seat), _is(str, text)) for at, seat, text in thoughts),
                None if value.get("seat") is None else _is(int, value["seat"]),
                tuple(_is(int, seat) for seat in _is(list, value.get("mucked", []))),
            )
        except RecordError:
            raise
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise RecordError(f"not a record: {line[:60]!r} ({type(error).__name__}: {error})") from None

    def replay(self, game: ReplayRules) -> Iterator[Any]:
        """Every table of the deal, from the first to the last."""
        table = game.start()
        yield table
        for action in self.actions:
            try:
                table = table.after(action)
            except IllegalAction as error:
                raise RecordError(f"not a record of this game, after {list(table.history)}: {error}") from None
            yield table

    def seen_by(self, game: ReplayRules, seat: Seat | None, upto: int | None = None) -> Seen:
        """What a seat (None: a spectator) knows after `upto` actions, or at the end of the hand."""
        actions = self.actions if upto is None else self.actions[:upto]
        table = game.start()
        for action in actions:
            table = table.after(action)
        talk = tuple(talk_line for talk_line in self.talk if talk_line.at < len(actions))
        payoffs = self.payoffs if table.turn == OVER else None
        hands = self._visible_hands(seat, game.revealed(table))
        return Seen(
            game=self.game,
            settings=self.settings,
            seat=seat,
            hands=hands,
            actions=actions,
            payoffs=payoffs,
            names=self.names,
            talk=talk,
        )

    def seen_at_the_end(self, game: ReplayRules, last: Any) -> Iterator[Seen]:
        """What each seat, in order, knows on the last table; avoids replaying the deal."""
        revealed = game.revealed(last)
        for seat in range(len(self.hands)):
            hands = self._visible_hands(seat, revealed)
            yield Seen(
                game=self.game,
                settings=self.settings,
                seat=seat,
                hands=hands,
                actions=self.actions,
                payoffs=self.payoffs,
                names=self.names,
                talk=self.talk,
            )

    def _visible_hands(self, seat: Seat | None, revealed: tuple[Seat, ...]) -> tuple[Hand | None, ...]:
        return tuple([hand if at == seat or at in revealed else None for at, hand in enumerate(self.hands)])


class Seen(NamedTuple):
    """A record as one seat knows it: unseen hands are None, and so are the payoffs while the hand is in progress."""

    game: str
    settings: Settings
    seat: Seat | None
    hands: tuple[Hand | None, ...]
    actions: tuple[Action, ...]
    payoffs: tuple[float, ...] | None
    names: tuple[str, ...] = ()
    talk: tuple[Talk, ...] = ()


def decisions(game: ReplayRules, actions: Sequence[Action]) -> Iterator[tuple[Any, Action]]:
    """Each action taken by a seat (not by chance), with the table on which it was taken."""
    table = game.start()
    for action in actions:
        if table.turn != CHANCE:
            yield table, action
        table = table.after(action)


def _is(kind: type[V], value: Any) -> V:
    """The value if its type is exactly `kind`, else a TypeError: records are parsed strictly."""
    if type(value) is not kind:
        raise TypeError(f"{value!r} where a {kind.__name__} should be")
    return value


def _number(value: Any) -> float:
    return value if type(value) is float and isfinite(value) else _is(int, value)
