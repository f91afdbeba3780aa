"""The twin test of secrecy: two deals alike for one seat and in public, different in every hidden hand.

Both are played with the same public actions, by players whose thoughts give their hands away. Whatever reaches the
seat (the view that begins the hand, the view of each of its turns, what it may know after every action) must then be
the same to the last byte until hands are shown. If it is not, something that should be hidden has leaked.

`repr` is not enough, since a field can be left out of it: `laid_bare` writes down everything a value holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tahur.core.chance import RandomDealer, dealer_of
from tahur.core.game import CHANCE, OVER, Action, Game, Hand, Seat
from tahur.core.player import Decision, View
from tahur.core.record import Record, Seen
from tahur.core.referee import play_out
from tahur.players.simple import RandomPlayer

TRIES = 2000  # other deals looked at before a seat is said to have no twin


def check_twins(game: Game[Any], pairs: int, seed: int = 1) -> None:
    """So many pairs of twins, over the deals of a match and all its seats, spectators included."""
    for first, second in twins(game, pairs, seed):
        check_alike(first, second)


@dataclass(frozen=True, slots=True)
class Told:
    """A deal, and what one seat (None: a spectator) was given to see of it, written down as it came."""

    game: Game[Any]
    record: Record
    seat: Seat | None
    views: tuple[str, ...]


# ---- making them ---------------------------------------------------------------------------------


def twins(game: Game[Any], pairs: int, seed: int) -> Iterator[tuple[Told, Told]]:
    """Pairs of deals that one seat, or a spectator, who knows no hand, should not be able to tell apart."""
    rng = np.random.default_rng(seed)
    now = game
    for number in range(pairs):
        record = _random_record(now, rng)
        seat = (None, *range(now.seats))[number % (now.seats + 1)]
        other = replace(record, hands=_other_hands(now, record, seat, rng))
        yield _told(now, record, seat), _told(now, other, seat)
        now = now.next(record) or game


def _random_record(game: Game[Any], rng: np.random.Generator) -> Record:
    return play_out(game, RandomDealer(rng), [RandomPlayer()] * game.seats, [rng] * game.seats)


def _other_hands(game: Game[Any], record: Record, seat: Seat | None, rng: np.random.Generator) -> tuple[Hand, ...]:
    """Every other seat's hand dealt anew, until they fit with this seat's and with what chance played in public."""
    for _ in range(TRIES):
        dealt = game.deal(rng)
        hands = tuple(record.hands[at] if at == seat else hand for at, hand in enumerate(dealt))
        if hands != record.hands and _fits(game, hands, record.actions):
            return hands
    raise AssertionError(f"{game.name}: no twin for seat {seat} in {TRIES} deals after {record.to_json()}")


def _fits(game: Any, hands: tuple[Hand, ...], actions: Sequence[Action]) -> bool:
    if hasattr(game, "possible") and not game.possible(hands):
        return False
    table = game.start()
    for action in actions:
        if table.turn == CHANCE and action not in game.outcomes(table, hands):
            return False
        table = table.after(action)
    return True


class Spy:
    """Plays what the record says, thinks of its hand, says something in public, and may write down what it is shown."""

    def __init__(self, actions: Sequence[Action], *, writes: bool) -> None:
        self.views: list[str] = []
        self.seen: Seen | None = None
        self._actions = actions
        self._writes = writes

    def begin(self, view: View, rng: np.random.Generator) -> None:
        if self._writes:
            self.views.append(written(view))

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        if self._writes:
            self.views.append(written(view))
        at = len(view.table.history)
        return Decision(self._actions[at], thought=f"I hold {view.hand}", talk=f"move {at}")

    def learn(self, seen: Seen) -> None:
        self.seen = seen


def _told(game: Game[Any], record: Record, seat: Seat | None) -> Told:
    """The record played again. Each twin has a game of its own, so that it cannot remember the other."""
    game = deepcopy(game)
    spies = [Spy(record.actions, writes=at == seat) for at in range(game.seats)]
    rngs = [np.random.default_rng(at) for at in range(game.seats)]
    again = play_out(game, dealer_of(record, game), spies, rngs, [f"seat {at}" for at in range(game.seats)])
    assert (again.hands, again.actions) == (record.hands, record.actions)
    assert [spy.seen for spy in spies] == [again.seen_by(game, at) for at in range(game.seats)]
    return Told(game, again, seat, () if seat is None else tuple(spies[seat].views))


# ---- comparing them ------------------------------------------------------------------------------


def check_alike(first: Told, second: Told) -> None:
    """All that the seat received is the same in both until hands are shown."""
    assert first.record.hands != second.record.hands
    where = f"{first.game.name}, seat {first.seat}, {first.record.hands} or {second.record.hands}"
    for at, (one, two) in enumerate(zip(received(first), received(second), strict=True)):
        assert one == two, f"{where}: message {at} tells them apart:\n{one}\n{two}"


def received(told: Told) -> list[str]:
    """Every view, and what is known after each action; the end only if no hand was shown: who won, nothing else."""
    game, record, seat = told.game, told.record, told.seat
    table = list(record.replay(game))[-1]
    assert table.turn == OVER
    known_until = len(record.actions) + (not set(game.revealed(table)) - {seat})
    return [*told.views, *(repr(record.seen_by(game, seat, upto)) for upto in range(known_until))]


def written(view: View) -> str:
    """To the last byte, as it is now: its `repr`, and what that leaves out."""
    return f"{view!r}\n{laid_bare(view)}"


_ATOMS = (str, bytes, int, float, complex, type(None), type, range)


def _flat(value: Any) -> bool:
    """A container of atoms: its `repr` tells all, and quickly."""
    if type(value) is dict:
        return _flat(tuple(value)) and _flat(tuple(value.values()))
    return type(value) in (tuple, list) and all(isinstance(part, _ATOMS) for part in value)


@dataclass(slots=True)
class _Bare:
    met: set[int] = field(default_factory=set)

    def text(self, value: Any) -> str:
        """Containers and objects are taken apart down to what has no parts; a circle is written once."""
        if isinstance(value, _ATOMS) or _flat(value):
            return repr(value)
        if isinstance(value, np.ndarray | np.generic):
            return repr(value.tolist())
        if id(value) in self.met:
            return "(again)"
        self.met.add(id(value))
        try:
            return f"{type(value).__name__}({', '.join(self._parts(value))})"
        finally:
            self.met.discard(id(value))

    def _parts(self, value: Any) -> Iterator[str]:
        if isinstance(value, Mapping):
            yield from (f"{key!r}: {self.text(part)}" for key, part in value.items())
        elif isinstance(value, tuple | list):
            yield from map(self.text, value)
        elif isinstance(value, set | frozenset):
            yield from sorted(map(self.text, value))
        else:
            yield from (f"{name}={self.text(part)}" for name, part in _attributes(value))


def laid_bare(value: Any) -> str:
    """Everything that a value holds, whether its `repr` tells or not: slots, hidden fields, caches."""
    return _Bare().text(value)


def _attributes(value: Any) -> Iterator[tuple[str, Any]]:
    slots = [name for base in type(value).__mro__ for name in _names(getattr(base, "__slots__", ()))]
    names = dict.fromkeys([*slots, *getattr(value, "__dict__", {})])
    yield from ((name, getattr(value, name)) for name in names if hasattr(value, name) and name != "__weakref__")


def _names(slots: str | Sequence[str]) -> Sequence[str]:
    return (slots,) if isinstance(slots, str) else slots
