"""The public table of a round of Perudo: the number of dice under each cup, and what has been said."""

from __future__ import annotations

from typing import Final, NamedTuple

from tahur.core.errors import IllegalAction
from tahur.core.game import OVER, Action, Seat
from tahur.games.perudo.bids import FIRST_BID, action_text
from tahur.games.perudo.round import NO_BID, Round

_MOST_LISTED: Final = 12


class PerudoTable(NamedTuple):
    """What everybody sees. The history is the bids and, at the end, the dudo or calza that lifts the cups."""

    round: Round
    turn: Seat
    history: tuple[Action, ...] = ()

    @property
    def cups(self) -> tuple[int, ...]:
        """How many dice each seat has."""
        return self.round.cups

    @property
    def wild(self) -> bool:
        """Whether aces count for every face; not in palifico."""
        return not self.round.palifico

    @property
    def standing(self) -> Action | None:
        """The last bid: the one to raise or, once the cups are lifted, the one that was called."""
        return next((action for action in reversed(self.history[-2:]) if action >= FIRST_BID), None)

    @property
    def bidder(self) -> Seat | None:
        """The seat that made the standing bid."""
        bids = len(self.history) - (self.turn == OVER)
        return self.seat_at(bids - 1) if bids else None

    @property
    def caller(self) -> Seat | None:
        """The seat that called dudo or calza."""
        return self.seat_at(len(self.history) - 1) if self.turn == OVER else None

    def seat_at(self, number: int) -> Seat:
        """The seat that takes action number `number` of the round."""
        return self.round.order[number % len(self.round.order)]

    def actions(self) -> tuple[Action, ...]:
        """Dudo, calza and the raises, lowest first; at the start the possible opening bids; empty when over."""
        if self.turn == OVER:
            return ()
        history = self.history
        return self.round.menus[self.turn][history[-1] if history else NO_BID]

    def after(self, action: Action) -> PerudoTable:
        round_, turn, past = self
        if turn == OVER or not round_.menus[turn].allows(past[-1] if past else NO_BID, action):
            raise IllegalAction(self._refusal(action))
        history, order = (*past, action), round_.order
        return PerudoTable(round_, OVER if action < FIRST_BID else order[len(history) % len(order)], history)

    def lowest(self, face: int) -> Action | None:
        """The lowest bid on a face that is legal now; None if there is none."""
        if self.turn == OVER:
            return None
        return self.round.menus[self.turn].lowest(self.history[-1] if self.history else NO_BID)[face]

    def _refusal(self, action: Action) -> str:
        said = ", ".join(map(action_text, self.history)) or "nothing"
        if self.turn == OVER:
            return f"perudo: the round is over after {said}; nothing is legal"
        attempt = f"say {action_text(action)}" if action >= 0 else f"play action {action}"
        legal = self.actions()
        more = f" and {len(legal) - _MOST_LISTED} more" if len(legal) > _MOST_LISTED else ""
        listed = ", ".join(map(action_text, legal[:_MOST_LISTED]))
        return f"perudo: seat {self.turn} cannot {attempt} after {said}; legal: {listed}{more}"
