"""Adapters for OpenSpiel: a tahur strategy as an OpenSpiel policy, and an OpenSpiel policy as a tahur player.

For the games that both have: Kuhn, Leduc and liar's dice. They are the same games with the same action numbers; only
the deal differs: there it is moves of chance (one per die), here it is the hands of the seats.

    policy = SpielPolicy(strategy, make("leduc"))          # for OpenSpiel's nash_conv, best_response, ...
    player = SpielPlayer(their_policy, make("leduc"))      # for our matches and solvers

Needs the extra `openspiel`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tahur.core.errors import PlayerError, SettingError, missing_extra
from tahur.core.game import CHANCE, Action, Game, Hand, Seat
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.core.strategy import Strategy, draw
from tahur.games.kuhn import Kuhn
from tahur.games.leduc import Leduc
from tahur.games.liars_dice import LiarsDice

try:
    import pyspiel
    from open_spiel.python.policy import Policy
except ModuleNotFoundError:
    raise missing_extra("OpenSpiel is not installed", "openspiel") from None


def spiel_game(game: Game[Any]) -> Any:
    """The OpenSpiel game that is identical to ours."""
    match game:
        case Kuhn(seats):
            return pyspiel.load_game("kuhn_poker", {"players": seats})
        case Leduc():
            return pyspiel.load_game("leduc_poker")
        case LiarsDice(dice, faces):
            return pyspiel.load_game("liars_dice", {"numdice": dice, "dice_sides": faces})
        case _:
            raise SettingError(
                f"{game.name}: OpenSpiel has no identical game; kuhn, leduc and liars-dice are identical"
            )


class SpielPolicy(Policy):
    """A tahur strategy as an OpenSpiel policy."""

    def __init__(self, strategy: Strategy, game: Game[Any]) -> None:
        super().__init__(spiel_game(game), list(range(game.seats)))
        self._strategy = strategy
        self._ours = game

    def action_probabilities(self, state: Any, player_id: Seat | None = None) -> dict[Action, float]:
        """The strategy's probabilities in that state, for the hand of the player to act."""
        seat = state.current_player() if player_id is None else player_id
        chances = self._strategy.probabilities(view_of(self._ours, state, seat))
        return {action: chances.get(action, 0.0) for action in state.legal_actions(seat)}


class SpielPlayer:
    """An OpenSpiel policy as a player and `Strategy`."""

    def __init__(self, policy: Any, game: Game[Any]) -> None:
        self._policy = policy
        self._ours = game
        self._theirs = spiel_game(game)

    def plays(self, game: Game[Any]) -> bool:
        return (game.name, dict(game.settings)) == (self._ours.name, dict(self._ours.settings))

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Does nothing."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        return Decision(draw(self.probabilities(view), rng))

    def learn(self, seen: Seen) -> None:
        """Does nothing."""

    def probabilities(self, view: View) -> Mapping[Action, float]:
        if not self.plays(view.game) or view.hand is None:
            raise PlayerError(f"an OpenSpiel policy for {self._ours.name} cannot answer this view of {view.game.name}")
        if view.hand in _board(view):  # impossible, and OpenSpiel would reject it; but tree builders ask for all hands
            return dict.fromkeys(view.table.actions(), 1 / len(view.table.actions()))
        state = state_of(self._theirs, view)
        chances: Mapping[Any, Any] = self._policy.action_probabilities(state, view.seat)
        return {int(action): float(chance) for action, chance in chances.items()}


def view_of(game: Game[Any], state: Any, seat: Seat) -> View:
    """A seat's view of an OpenSpiel state."""
    played = [step.action for step in state.full_history()]
    dealt = played[: _deal_length(game)]
    table = game.start()
    for action in played[len(dealt) :]:
        table = table.after(action)
    return View(game, table, seat, _hand(game, dealt, seat))


def state_of(theirs: Any, view: View) -> Any:
    """An OpenSpiel state consistent with the view; the other seats get the lowest remaining hands."""
    state = theirs.new_initial_state()
    taken = {view.hand} | _board(view)
    for seat in range(view.game.seats):
        for move in _moves(view, seat, taken):
            state.apply_action(move)
    for action in view.table.history:
        state.apply_action(action)
    return state


def _deal_length(game: Game[Any]) -> int:
    return game.seats * (game.dice if isinstance(game, LiarsDice) else 1)


def _hand(game: Game[Any], dealt: Sequence[Action], seat: Seat) -> Hand:
    """The hand dealt to a seat: cards have the same numbers; dice are one move each, faces from 0."""
    if not isinstance(game, LiarsDice):
        return dealt[seat]
    roll = tuple(sorted(face + 1 for face in dealt[seat * game.dice : (seat + 1) * game.dice]))
    return next(hand for hand in game.hands(seat) if game.roll(hand) == roll)


def _moves(view: View, seat: Seat, taken: set[Hand | None]) -> list[Action]:
    """The chance moves that deal a seat its hand."""
    game = view.game
    if isinstance(game, LiarsDice):
        hand = view.hand if seat == view.seat else None
        return [0] * game.dice if hand is None else [die - 1 for die in game.roll(hand)]
    if seat == view.seat and view.hand is not None:
        return [view.hand]
    card = next(card for card in range(len(taken) + game.seats) if card not in taken)
    taken.add(card)
    return [card]


def _board(view: View) -> set[Hand | None]:
    """The cards on the table, which nobody can hold."""
    table, board = view.game.start(), set[Hand | None]()
    for action in view.table.history:
        if table.turn == CHANCE:
            board.add(action)
        table = table.after(action)
    return board
