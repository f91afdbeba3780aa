"""One round of Perudo as a game: the deal, who loses or wins a die, and the next round.

A round pays in dice: -1, 0 or +1 to each seat. Between two seats the difference of the two payoffs is what is at stake,
and that is zero-sum.

Where the rules are silent: a correct calza with a full cup wins no die, but its caller opens the next round as if it
had; calza may be called in palifico; a die lost by a wrong calza can be the drop to one die that triggers palifico.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tahur.core.errors import RecordError, SettingError
from tahur.core.game import OVER, Action, DiceCount, Hand, Seat, Settings, Symmetry
from tahur.core.record import Record
from tahur.core.scoring import Scoring
from tahur.games.entry import GameEntry
from tahur.games.perudo.bids import DUDO, action_text, count_of, face_of
from tahur.games.perudo.habits import HABITS
from tahur.games.perudo.round import Round, first_round, round_after
from tahur.games.perudo.rules import rules_from_json, rules_to_json, with_calza, with_palifico
from tahur.games.perudo.table import EMPTY, PerudoTable, hand_text, hands_of, matching_of, prior, roll


@dataclass(frozen=True, slots=True)
class Perudo:
    """One round. `Perudo(Round(FAROLEO, (5, 5)))` is the first of a match between two."""

    round: Round

    @property
    def name(self) -> str:
        return "perudo"

    @property
    def seats(self) -> int:
        return len(self.round.cups)

    @property
    def settings(self) -> Settings:
        return {
            "rules": rules_to_json(self.round.rules),
            "cups": list(self.round.cups),
            "opener": self.round.opener,
            "palifico_round": self.round.palifico,
            "dropped": list(self.round.dropped),
        }

    def start(self) -> PerudoTable:
        return PerudoTable(self.round, self.round.opener)

    def deal(self, rng: np.random.Generator) -> tuple[Hand, ...]:
        """Fair dice under each cup; a seat that is out gets the empty hand and uses no random numbers."""
        return tuple([roll(dice, rng) if dice else EMPTY for dice in self.round.cups])

    def outcomes(self, table: PerudoTable, hands: Sequence[Hand]) -> tuple[Action, ...]:
        """Empty: chance only deals."""
        return ()

    def payoffs(self, table: PerudoTable, hands: Sequence[Hand]) -> tuple[float, ...]:
        """The change in each seat's dice."""
        if table.turn != OVER:
            raise RecordError(f"perudo: nobody loses a die before dudo or calza; it is seat {table.turn}'s turn")
        face = face_of(table.history[-2])
        return self._payoff(table, sum(map(matching_of(face, wild=table.wild).__getitem__, hands)))

    def _payoff(self, table: PerudoTable, count: int) -> tuple[int, ...]:
        """The change in dice if `count` dice match the last bid."""
        bid, call = table.history[-2:]
        caller = table.seat_at(len(table.history) - 1)
        if call == DUDO:
            loser = caller if count >= count_of(bid) else table.seat_at(len(table.history) - 2)
            return self._change(loser, -1)
        if count != count_of(bid):
            return self._change(caller, -1)
        return self._change(caller, 1 if self.round.cups[caller] < self.round.rules.dice else 0)

    def worth(self, table: PerudoTable, hands: Sequence[Hand]) -> tuple[float, ...]:
        """Half of the payoffs if the standing bid were doubted now, since it may also be raised; 0 without a bid."""
        if table.turn == OVER:
            return self.payoffs(table, hands)
        if not table.history:
            return (0.0,) * self.seats
        return tuple([change / 2 for change in self.payoffs(table.after(DUDO), hands)])

    def luck_of_deal(self, hands: Sequence[Hand]) -> tuple[float, ...]:
        """Zeros: before the first bid no roll is better than another."""
        return (0.0,) * self.seats

    def revealed(self, table: PerudoTable) -> tuple[Seat, ...]:
        """Every cup with dice, after dudo or calza."""
        return tuple(sorted(self.round.order)) if table.turn == OVER else ()

    def label(self, table: PerudoTable, action: Action) -> str:
        return action_text(action)

    def hand_text(self, hand: Hand) -> str:
        return hand_text(hand)

    def next(self, record: Record) -> Perudo | None:
        """The next round: the seat that lost or won a die opens it, or the next seat if that one is out."""
        if len(record.payoffs) != self.seats or not record.actions:
            raise RecordError(f"perudo: not a record of a round between {self.seats} seats")
        cups = tuple([dice + int(change) for dice, change in zip(self.round.cups, record.payoffs, strict=True)])
        if sum(map(bool, cups)) < 2:
            return None
        caller = self.round.order[(len(record.actions) - 1) % len(self.round.order)]
        seat = next((seat for seat, change in enumerate(record.payoffs) if change), caller)
        return Perudo(round_after(self.round, cups, seat))

    def hands(self, seat: Seat) -> Sequence[Hand]:
        return hands_of(self.round.cups[seat])

    def prior(self, seat: Seat) -> NDArray[np.float64]:
        return prior(self.round.cups[seat])

    def possible(self, hands: Sequence[Hand]) -> bool:
        """Whether each hand has the number of dice of its cup; the rolls are independent."""
        return all(hand in self.hands(seat) for seat, hand in enumerate(hands))

    def terminal(self, table: PerudoTable) -> DiceCount:
        """The payoffs of a two-seat round in dice, as in `payoffs`; they need not sum to zero."""
        counts = np.frombuffer(bytes(matching_of(face_of(table.history[-2]), wild=table.wild)), np.uint8).astype(int)
        matching = counts[list(self.hands(0))], counts[list(self.hands(1))]
        return DiceCount(
            matching, np.array([self._payoff(table, count) for count in range(self.round.total + 1)], float)
        )

    def holdings(self, seat: Seat) -> None:
        """None: hands are not made of cards."""
        return

    def shown(self, table: PerudoTable, move: Action) -> tuple[int, ...]:
        """Empty: chance only rolls the dice."""
        return ()

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Empty: bids rise with the face, so no two faces are equivalent."""
        return ()

    def _change(self, seat: Seat, dice: int) -> tuple[int, ...]:
        changes = [0] * len(self.round.cups)
        changes[seat] = dice
        return tuple(changes)


def perudo(
    *,
    seats: int | None = None,
    dice: int | None = None,
    rules: str | dict[str, Any] = "faroleo",
    palifico: bool | None = None,
    calza: bool | None = None,
    opener: Seat = 0,
    cups: Sequence[int] | None = None,
    palifico_round: bool | None = None,
    dropped: Sequence[Seat] = (),
) -> Perudo:
    """The first round of a match or, given `cups`, any round of one.

    `dice` is the number each seat starts with. `palifico` and `calza` turn these on (also with two seats left) or off;
    the default is what the rules say. `palifico_round` says whether this round is palifico; by default it is if the
    rules make it one regardless of earlier rounds.
    """
    chosen = rules_from_json(rules)
    chosen = chosen if dice is None else replace(chosen, dice=dice)
    chosen = chosen if palifico is None else with_palifico(chosen, palifico)
    chosen = chosen if calza is None else with_calza(chosen, calza)
    held = (chosen.dice,) * (2 if seats is None else seats) if cups is None else tuple(cups)
    if seats not in (None, len(held)):
        raise SettingError(f"perudo: {seats} seats, but {len(held)} cups {list(held)}")
    first = first_round(chosen, held, opener, tuple(sorted(set(dropped))))
    return Perudo(first if palifico_round is None else replace(first, palifico=palifico_round))


def scorings(game: Perudo) -> tuple[Scoring, ...]:
    """Percentage of matches won, or dice won per hundred rounds like the first one."""
    matches = Scoring("% won", 100.0, decided, "match", par=1 / game.seats)
    return matches, Scoring("dice/100", 100.0, of="round")


def decided(last: Perudo, record: Record) -> tuple[float, ...]:
    """1 to the seat that has dice left after the last round, 0 to the others."""
    left = (dice + change for dice, change in zip(last.round.cups, record.payoffs, strict=True))
    return tuple(float(dice > 0) for dice in left)


ENTRY = GameEntry(
    name="perudo",
    summary="Perudo: 2 to 8 cups of dice, bids, dudo and calza; rules faroleo, asmodee or classic",
    make=perudo,
    scorings=scorings,
    habits=HABITS,
)
