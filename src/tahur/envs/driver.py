"""The engine of all environments: episodes, deals, whose turn it is, and the rewards.

Seats that have a player are played by it; for the others the driver stops and waits for an index of the menu. Chance,
the start of an episode, and each player have separate random streams from one seed, reset for every deal: the same seed
gives the same cards whoever plays, and the n-th episode after a seed does not depend on those before it.
"""

from __future__ import annotations

import logging
import operator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Int8s
from tahur.core.chance import RandomDealer, Streams
from tahur.core.errors import IllegalAction, SettingError
from tahur.core.game import CHANCE, OVER, Action, Dealer, Game, Hand, Seat
from tahur.core.player import Player, View
from tahur.core.record import Record
from tahur.core.referee import check_legal
from tahur.envs.game import EnvGame, legal_names

RAISE: Final = "raise"
MOST_DEALS: Final = 2**20  # in one episode; each has its own section of the streams

Observation = dict[str, NDArray[Any]]  # "observation" and "action_mask"

_log = logging.getLogger("tahur.envs")


@dataclass(frozen=True, slots=True)
class Caught:
    """A replacement by the safety net: the illegal index that was chosen, and the one that was played."""

    asked: int
    played: int


class Driver:
    """Plays episodes. `rewards` is what each seat has won since the last index was played, or since the reset."""

    def __init__(self, kind: EnvGame, *, illegal: str = RAISE, players: Mapping[Seat, Player] | None = None) -> None:
        """`illegal`: "raise" an error, or the name of the safety net; `players`: bots by seat, asked by `Driver`."""
        if illegal not in (RAISE, kind.menu.net):
            raise SettingError(f"{kind.name}: illegal={illegal!r}; valid: '{RAISE}' or '{kind.menu.net}'")
        self.kind = kind
        self.over = True
        self.rewards = [0.0] * kind.layout.seats
        self._has_net = illegal != RAISE
        self._players = dict(players or {})
        self._game: Game[Any]
        self._table: Any
        self._hands: tuple[Hand, ...]
        self._dealer: Dealer
        self._mask: Int8s | None = None  # of the seat to act; computed on demand
        self.seed(0)

    # ---- public interface ------------------------------------------------------------------------

    def seed(self, seed: int) -> None:
        """Make the next episode the first one of this seed."""
        self._streams = Streams(seed, 1 + (len(self.rewards) if self._players else 0))
        self._episode, self._deal = -1, 0

    def reset(self, dealer: Dealer | None = None) -> None:
        """Begin the next episode; `dealer`, if given, replaces chance in all of it."""
        self._episode, self._deal = self._episode + 1, 0
        self._set_streams()
        self._dealer = dealer or RandomDealer(self._streams.chance)
        self.over = False
        self.rewards = [0.0] * len(self.rewards)
        self._begin(self.kind.opening(self._streams.seats[0]))
        self._advance()

    @property
    def turn(self) -> Seat:
        """The seat that has to choose; OVER at the end of the episode."""
        turn: Seat = OVER if self.over else self._table.turn
        return turn

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that are not out; empty once the episode is over."""
        return () if self.over else tuple(self.kind.playing(self._game))

    def view(self, seat: Seat) -> View:
        """A seat's view of the deal, also after its end."""
        return View(self._game, self._table, seat, self._hands[seat])

    def mask(self, seat: Seat) -> Int8s:
        """The legal choices of a seat: none, unless it is its turn."""
        if seat != self.turn:
            return np.zeros(self.kind.menu.size, dtype=np.int8)
        return self._legal().copy()

    def observe(self, seat: Seat) -> Observation:
        """A seat's observation as numbers, and its mask."""
        return {"observation": self.kind.observe(self.view(seat)), "action_mask": self.mask(seat)}

    def play(self, action: Any) -> Caught | None:
        """Play an index for the seat to act; returns the replacement if the safety net has played another one."""
        if self.over:
            raise IllegalAction(f"{self.kind.name}: the episode is over; reset begins another one")
        index = index_of(self.kind, action)
        caught = None if self._legal()[index] else self._catch(index)
        self.rewards = [0.0] * len(self.rewards)
        self._move(self.kind.menu.action(self._table, caught.played if caught else index))
        self._advance()
        return caught

    # ---- progress --------------------------------------------------------------------------------

    def _legal(self) -> Int8s:
        if self._mask is None:
            self._mask = self.kind.menu.mask(self._table)
        return self._mask

    def _catch(self, index: int) -> Caught:
        if not self._has_net:
            raise IllegalAction(refusal(self.kind, self._table, index))
        caught = Caught(index, self.kind.menu.caught(self._table))
        if _log.isEnabledFor(logging.INFO):  # a learner that ignores the mask gets here all the time
            _log.info("%s; played: %s", refusal(self.kind, self._table, index), self.kind.menu.name(caught.played))
        return caught

    def _advance(self) -> None:
        """Move for chance and players until a seat has to choose, or the episode is over."""
        while not self.over:
            turn = self._table.turn
            if turn == OVER:
                self._end(self._game)
            elif turn == CHANCE:
                self._move(self._dealer.chance(self._game, self._table, self._hands))
            elif turn in self._players:
                decision = self._players[turn].act(self.view(turn), self._rng(turn))
                self._move(check_legal(self._game, self._table, decision.action))
            else:
                return

    def _move(self, action: Action) -> None:
        self._table = self._table.after(action)
        self._mask = None

    def _begin(self, game: Game[Any]) -> None:
        self._game, self._table, self._mask = game, game.start(), None
        self._hands = self._dealer.deal(game)
        for seat, player in self._players.items():
            player.begin(self.view(seat), self._rng(seat))

    def _end(self, game: Game[Any]) -> None:
        """Finish a deal: pay everybody, let the players learn, and begin the next one if there is one."""
        payoffs = game.payoffs(self._table, self._hands)
        self.rewards = list(map(operator.add, self.rewards, self.kind.rewards(game, payoffs)))
        record = Record(
            game=game.name, settings=game.settings, hands=self._hands, actions=self._table.history, payoffs=payoffs
        )
        for seat, player in self._players.items():
            player.learn(record.seen_by(game, seat))
        follows = self.kind.after(game, record)
        self.over = follows is None or self._players.keys() >= set(self.kind.playing(follows))
        if follows is not None and not self.over:
            self._deal += 1
            self._set_streams()
            self._begin(follows)

    def _set_streams(self) -> None:
        """Set the random streams to this deal of this episode."""
        self._streams.turn_to(self._episode * MOST_DEALS + self._deal)

    def _rng(self, seat: Seat) -> np.random.Generator:
        return self._streams.seats[1 + seat]


def index_of(kind: EnvGame, action: Any) -> int:
    """An index of the menu, from any integer type."""
    try:
        index = operator.index(action)
    except TypeError:
        index = -1
    if not 0 <= index < kind.menu.size:
        raise IllegalAction(f"{kind.name}: {action!r} is not on the menu; valid: 0 to {kind.menu.size - 1}")
    return index


def refusal(kind: EnvGame, table: Any, index: int) -> str:
    """The error text for an index that is on the menu but not legal now."""
    menu = kind.menu
    legal = legal_names(menu, menu.mask(table))
    return f"{kind.name}: seat {table.turn} cannot choose {index} ({menu.name(index)}); legal: {legal}"
