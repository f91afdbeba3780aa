"""Whole deals with random play through the object API, against PokerKit, RLCard and OpenSpiel.

Both sides play alike: fold (when it saves chips), call and raise are equally likely, and raises have any legal size.
Hands cannot be compared card by card here (the tests do that); each side's payoffs must balance, and hands must be
about equally long, so that neither side is fast because it folds early.
"""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import numpy as np

from benchmarks.measure import Contest, Race
from tahur.core.game import CHANCE, OVER, Game
from tahur.games.holdem.table import CALL, FOLD
from tahur.games.registry import make

HANDS = 50
STACK = 200  # chips, at blinds of 1 and 2


class _Holdem:
    """Random hands in tahur: tables, actions and payoffs, chance included."""

    def __init__(self, seats: int) -> None:
        self.game = make("nlhe", {"seats": seats, "stack": STACK})
        self.rng = np.random.default_rng(1)
        self.pick = random.Random(1)

    def hand(self) -> tuple[int, float]:
        """Actions taken, and the sum of the payoffs."""
        game, rng, pick = self.game, self.rng, self.pick
        hands = game.deal(rng)
        table = game.start()
        actions = 0
        while table.turn != OVER:
            if table.turn == CHANCE:
                cards = game.outcomes(table, hands)
                table = table.after(cards[int(pick.random() * len(cards))])
                continue
            actions += 1
            raises = table.raises
            kinds = [CALL]
            if FOLD in table.actions():
                kinds.append(FOLD)
            if raises:
                kinds.append(raises[int(pick.random() * len(raises))] + 1)
            table = table.after(kinds[int(pick.random() * len(kinds))])
        return actions, sum(game.payoffs(table, hands))


class _PokerKit:
    def __init__(self, seats: int) -> None:
        from pokerkit import Automation, NoLimitTexasHoldem

        self.game = NoLimitTexasHoldem
        self.automations = tuple(Automation)
        self.seats = seats
        self.pick = random.Random(1)

    def hand(self) -> tuple[int, float]:
        state = self.game.create_state(self.automations, True, 0, (1, 2), 2, (STACK,) * self.seats, self.seats)
        pick = self.pick
        actions = 0
        while state.status:
            actions += 1
            kinds: list[Any] = [state.check_or_call]
            if state.checking_or_calling_amount:
                kinds.append(state.fold)
            if state.can_complete_bet_or_raise_to():
                least = state.min_completion_betting_or_raising_to_amount
                most = state.max_completion_betting_or_raising_to_amount
                kinds.append(partial(state.complete_bet_or_raise_to, pick.randint(int(least), int(most))))
            kinds[int(pick.random() * len(kinds))]()
        return actions, sum(state.payoffs)


class _RlCard:
    """RLCard's no-limit game has five named actions; they are equally likely, except folding when it is free."""

    def __init__(self, seats: int) -> None:
        from rlcard.games.nolimitholdem import Game as NoLimit
        from rlcard.games.nolimitholdem.round import Action

        self.fold, self.check_call = Action.FOLD, Action.CHECK_CALL
        self.game = NoLimit(num_players=seats)
        self.pick = random.Random(1)

    def hand(self) -> tuple[int, float]:
        game, pick = self.game, self.pick
        game.init_game()
        actions = 0
        while not game.is_over():
            actions += 1
            raises = [action for action in game.get_legal_actions() if action not in (self.fold, self.check_call)]
            kinds = [self.check_call, self.fold, *raises[:1]]
            game.step(kinds[int(pick.random() * len(kinds))])
        return actions, float(sum(game.get_payoffs()))


def _deals(seats: int, peer: type[_PokerKit] | type[_RlCard], *, alike: bool) -> Contest:
    ours, theirs = _Holdem(seats), peer(seats)

    def agree() -> bool:
        mine, yours = ([side.hand() for _ in range(300)] for side in (ours, theirs))
        conserved = all(abs(total) < 1e-9 for _, total in mine + yours)
        lengths = [sum(actions for actions, _ in side) for side in (mine, yours)]
        return conserved and (not alike or 0.8 < lengths[0] / lengths[1] < 1.25)

    return Contest(partial(_play, theirs), partial(_play, ours), agree)


def _play(side: _Holdem | _PokerKit | _RlCard) -> int:
    for _ in range(HANDS):
        side.hand()
    return HANDS


def _dice() -> Contest:
    """A round of Perudo, five dice each, against OpenSpiel's liar's dice with as many; both deal and settle."""
    import pyspiel

    theirs = pyspiel.load_game("liars_dice(players=2,numdice=5)")
    ours: Game[Any] = make("perudo", {"seats": 2})
    rng, pick = np.random.default_rng(1), random.Random(1)

    def peer() -> int:
        for _ in range(HANDS):
            state = theirs.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()  # at a chance node: the faces, each equally likely
                state.apply_action(actions[int(pick.random() * len(actions))])
            state.returns()
        return HANDS

    def round_of_ours() -> tuple[float, ...]:
        hands = ours.deal(rng)
        table = ours.start()
        while table.turn != OVER:
            actions = table.actions()
            table = table.after(actions[int(pick.random() * len(actions))])
        return ours.payoffs(table, hands)

    def mine() -> int:
        for _ in range(HANDS):
            round_of_ours()
        return HANDS

    def agree() -> bool:
        return all(sorted(map(abs, round_of_ours())) in ([0, 1], [0, 0]) for _ in range(300))

    return Contest(peer, mine, agree)


def _race(seats: int, name: str, peer: type[_PokerKit] | type[_RlCard], target: float, *, alike: bool) -> Race:
    work = f"random no-limit hands, {seats} seats, object API"
    return Race(work, name, target, partial(_deals, seats, peer, alike=alike), "hands")


BENCHMARKS = (
    _race(2, "PokerKit", _PokerKit, 10, alike=True),
    _race(6, "PokerKit", _PokerKit, 10, alike=True),
    _race(2, "RLCard", _RlCard, 1, alike=False),
    _race(6, "RLCard", _RlCard, 1, alike=False),
    Race("rounds of Perudo, 2 seats with 5 dice, object API", "OpenSpiel liars_dice", 0.5, _dice, "rounds"),
)
