"""The local best response against strategies made by hand, and against plain play with drawn hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tahur.cards.cards import COMBOS, cards_of
from tahur.cards.equity import equity
from tahur.cards.equity.tables import combos
from tahur.cards.evaluator import evaluate
from tahur.cards.ranges import Range
from tahur.core.errors import SolverError, StrategyError, UnknownName
from tahur.core.game import CHANCE, OVER, Game
from tahur.core.resolver import ResolvedDecision
from tahur.games.holdem import fourteen
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.table import CALL, FOLD, HoldemTable
from tahur.solvers.nolimit.lbr import (
    DealtCards,
    LbrEstimate,
    LocalResponder,
    ResponseOptions,
    local_best_response,
    played,
)
from tahur.solvers.nolimit.tree import heads_up

EVERYTHING = np.ones(COMBOS)


class OneAction:
    """Folds to every bet if it is a folder, otherwise calls everything."""

    def __init__(self, *, folds: bool) -> None:
        self.folds = folds

    def misfit(self, game: Game[Any]) -> str | None:
        return None if game.seats == 2 else "it is for two seats"

    def resolve(self, table: HoldemTable) -> ResolvedDecision:
        action = FOLD if self.folds and table.to_call else CALL
        return ResolvedDecision((action,), np.ones((1, COMBOS)), (EVERYTHING, EVERYTHING))


class RandomStrategy(OneAction):
    """Fold, call, one bet and all-in with probabilities that differ by hand and by history; the same each time."""

    def __init__(self, seed: int = 1) -> None:
        super().__init__(folds=False)
        self.seed = seed
        self.asked: list[HoldemTable] = []

    def resolve(self, table: HoldemTable) -> ResolvedDecision:
        self.asked.append(table)
        raises = table.raises
        actions = [CALL, *sorted({raises[0] + 1, raises[-1] + 1} if raises else ())]
        actions = [FOLD, *actions] if table.to_call else actions
        rng = np.random.default_rng([self.seed, *table.history])
        weights = rng.random((len(actions), COMBOS)) ** 3
        return ResolvedDecision(tuple(actions), weights / weights.sum(axis=0), (EVERYTHING, EVERYTHING))


def estimate_of(resolver: Any, game: Holdem, options: ResponseOptions, deals: int, seed: int = 3) -> LbrEstimate:
    results = local_best_response(resolver, game, options, deals=range(deals), seed=seed)
    return LbrEstimate.of(list(results), game.stakes.blinds[1])


def test_an_always_folder_loses_its_blinds() -> None:
    for bets in ("pot", "fourteen"):
        estimate = estimate_of(OneAction(folds=True), heads_up(100), ResponseOptions(bets), 20)
        assert estimate.by_seat == (1000, 500)
        assert estimate.interval == (750, 750)


def equity_on(hand: int, board: tuple[int, ...]) -> float:
    return equity(Range.of_hand(cards_of(hand)), Range("any"), board=board).players[0].equity


def test_an_always_caller_loses_what_all_in_with_the_better_half_wins_on_the_river() -> None:
    """On the river, the best response to calling is all-in with more than half the equity, otherwise a check."""
    game, options = heads_up(20), ResponseOptions(streets=(3,))
    for deal in range(60):
        cards = DealtCards.of(3, deal)
        lead = 2 * equity_on(cards.hand, cards.board) - 1
        expected = max(2000 * lead, 100 * lead)
        assert played(OneAction(folds=False), game, options, seed=3, deal=deal) == pytest.approx((expected, expected))


def test_an_always_caller_is_pushed_all_in_on_the_flop_for_the_equity_there() -> None:
    game, options = heads_up(20), ResponseOptions(streets=(1,))
    for deal in range(6):
        cards = DealtCards.of(4, deal)
        lead = 2 * equity_on(cards.hand, cards.board[:3]) - 1
        checked = 100 * (2 * equity_on(cards.hand, cards.board) - 1)
        expected = 2000 * lead if lead > 0 else checked
        assert played(OneAction(folds=False), game, options, seed=4, deal=deal)[0] == pytest.approx(expected)


def test_local_values_are_those_of_the_paper() -> None:
    """A bet wins the pot if the range folds, and otherwise the equity of the rest, in chips from now on."""
    game, strategy = heads_up(20), RandomStrategy()
    cards = DealtCards.of(5, 0)
    table = game.start().after(CALL).after(CALL)
    for card in cards.board[:3]:
        table = table.after(card)
    seat, reach = table.turn, np.random.default_rng(1).random(COMBOS)
    options = ResponseOptions("fourteen")
    values = LocalResponder(strategy, options, cards, seat, rng=np.random.default_rng(1)).local_values(table, reach)
    alive = (combos().mask & (int(combos().mask[cards.hand]) | sum(1 << card for card in cards.board[:3]))) == 0
    assert len(values) > 8
    for action, value in values.items():
        if action == CALL:
            continue
        answer = strategy.resolve(table.after(action))
        folding = answer.mix[answer.actions.index(FOLD)]
        folds = (reach * alive * folding).sum() / (reach * alive).sum()
        rest = Range.from_vector(reach * alive * (1 - folding) / reach.max())
        win = equity(Range.of_hand(cards_of(cards.hand)), rest, board=cards.board[:3]).players[0].equity
        bet, pot = action - 1, table.pot
        gain = folds * pot + (1 - folds) * (win * (pot + bet) - (1 - win) * bet)
        assert value == pytest.approx(gain - table.committed[seat])


class Recording(LocalResponder):
    """Remembers the tables at which it chose, with the reach that it used."""

    def choose(self, table: HoldemTable, reach: np.ndarray) -> int:
        self.__dict__.setdefault("seen", []).append((table, reach))
        return super().choose(table, reach)


def test_the_range_of_the_opponent_is_the_product_of_the_strategy_that_it_gave() -> None:
    game, strategy = heads_up(20), RandomStrategy()
    checked = 0
    for deal in range(40):
        cards = DealtCards.of(6, deal)
        responder = Recording(
            strategy, ResponseOptions(streets=(2, 3)), cards, deal % 2, rng=np.random.default_rng(deal)
        )
        responder.value(game.start(), EVERYTHING)
        for table, reach in responder.__dict__.get("seen", []):
            direct, now = np.ones(COMBOS), game.start()
            for action in table.history:
                if now.turn == 1 - responder.seat:
                    answer = strategy.resolve(now)
                    direct = direct * answer.mix[answer.actions.index(action)]
                now = now.after(action)
            assert np.allclose(reach / reach.max(), direct / direct.max(), rtol=1e-9)
            checked += len(table.history) > 6
    assert checked > 20


@dataclass
class PlainPlay:
    """The same strategies played by a hand of the opponent, scalar by scalar, with every card dealt out."""

    responder: LocalResponder
    strategy: RandomStrategy
    hand: int

    def value(self, table: HoldemTable, reach: np.ndarray) -> float:
        """Chips of the responder, averaged over all actions of the opponent's hand."""
        seat, board = self.responder.seat, self.responder.cards.board
        if table.turn == OVER:
            return self.paid(table)
        if table.turn == CHANCE:
            return self.value(table.after(board[len(table.board)]), reach)
        if table.turn == seat:
            return self.value(table.after(self.responder.choose(table, reach)), reach)
        answer = self.responder.answer(table)
        return sum(
            answer.mix[choice, self.hand] * self.value(table.after(action), reach * answer.mix[choice])
            for choice, action in enumerate(answer.actions)
        )

    def paid(self, table: HoldemTable) -> float:
        seat = self.responder.seat
        if len(table.live) == 1:
            return min(table.committed) * (1 if table.live[0] == seat else -1)
        ranks = [
            evaluate([*cards_of(hand), *self.responder.cards.board]) for hand in (self.responder.cards.hand, self.hand)
        ]
        return min(table.committed) * int(np.sign(ranks[0] - ranks[1]))


def possible(cards: DealtCards) -> list[int]:
    gone = int(combos().mask[cards.hand]) | sum(1 << card for card in cards.board)
    return np.flatnonzero(combos().mask & gone == 0).tolist()


@pytest.mark.parametrize("seat", [0, 1])
def test_averaging_over_the_range_is_the_mean_of_play_with_each_hand(seat: int) -> None:
    """Exact: all actions are followed, and it plays on the river only, so that nothing is all-in with cards to come."""
    game, strategy = heads_up(3), RiverOnly()
    options = ResponseOptions(streets=(3,), averaged_from=0)
    cards = DealtCards.of(7, seat)
    responder = LocalResponder(strategy, options, cards, seat, rng=np.random.default_rng(0))
    hands = possible(cards)
    plain = [PlainPlay(responder, strategy, hand).value(game.start(), EVERYTHING) for hand in hands]
    assert responder.value(game.start(), EVERYTHING) == pytest.approx(sum(plain) / len(plain), abs=1e-9)


class RiverOnly(RandomStrategy):
    """Checks and calls before the river, except that it may fold."""

    def resolve(self, table: HoldemTable) -> ResolvedDecision:
        answer = super().resolve(table)
        if table.street == 3:
            return answer
        kept = [at for at, action in enumerate(answer.actions) if action <= CALL]
        mix = answer.mix[kept] / answer.mix[kept].sum(axis=0)
        return ResolvedDecision(tuple(answer.actions[at] for at in kept), mix, answer.ranges)


def test_drawing_actions_has_the_mean_of_following_all() -> None:
    game, strategy, cards = heads_up(6), RandomStrategy(), DealtCards.of(8, 0)

    def value(averaged_from: int, seed: int) -> float:
        options = ResponseOptions(streets=(2, 3), averaged_from=averaged_from)
        return LocalResponder(strategy, options, cards, 0, rng=np.random.default_rng(seed)).value(
            game.start(), EVERYTHING
        )

    exact = value(0, 0)
    for averaged_from in (3, 4):
        drawn = np.array([value(averaged_from, seed) for seed in range(300)])
        assert abs(drawn.mean() - exact) < 4 * drawn.std() / np.sqrt(len(drawn))
        assert drawn.std() > 0


def test_estimates_agree_with_hands_and_cards_that_are_drawn() -> None:
    """The whole estimator against duplicate deals with a drawn hand of the opponent and no all-in equity."""
    game, strategy, options = heads_up(4), RandomStrategy(), ResponseOptions(streets=(2, 3))
    reduced, plain = [], []
    for deal in range(700):
        cards, rng = DealtCards.of(9, deal), np.random.default_rng(deal)
        reduced.append(played(strategy, game, options, seed=9, deal=deal)[0])
        responder = LocalResponder(strategy, options, cards, 0, rng=rng)
        plain.append(one_game(responder, game, int(rng.choice(possible(cards))), rng))
    difference = np.array(reduced) - np.array(plain)
    assert abs(difference.mean()) < 3 * difference.std() / np.sqrt(len(difference))
    assert np.std(reduced) < 0.7 * np.std(plain)


def one_game(responder: LocalResponder, game: Holdem, hand: int, rng: np.random.Generator) -> float:
    """One drawn game."""
    table, reach = game.start(), EVERYTHING
    while table.turn != OVER:
        if table.turn == CHANCE:
            table = table.after(responder.cards.board[len(table.board)])
        elif table.turn == responder.seat:
            table = table.after(responder.choose(table, reach))
        else:
            answer = responder.answer(table)
            choice = int(rng.choice(len(answer.actions), p=answer.mix[:, hand]))
            table, reach = table.after(answer.actions[choice]), reach * answer.mix[choice]
    return PlainPlay(responder, RandomStrategy(), hand).paid(table)


def test_it_checks_and_calls_on_streets_that_it_does_not_play() -> None:
    game, strategy = heads_up(50), RandomStrategy()
    options = ResponseOptions("fourteen", streets=(3,))
    list(local_best_response(strategy, game, options, deals=range(10), seed=1))
    for table in strategy.asked:
        now, seat = game.start(), 1 - table.turn
        for action in table.history:
            assert now.turn != seat or now.street == 3 or action == CALL
            now = now.after(action)


def test_a_seed_repeats_every_deal_and_another_has_others() -> None:
    game, strategy, options = heads_up(10), RandomStrategy(), ResponseOptions(streets=(2, 3))
    runs = [list(local_best_response(strategy, game, options, deals=range(12), seed=seed)) for seed in (1, 1, 2)]
    assert runs[0] == runs[1]
    assert not set(runs[0]) & set(runs[2])
    assert list(local_best_response(strategy, game, options, deals=range(9, 12), seed=1)) == runs[0][9:]


def test_the_interval_is_that_of_deals() -> None:
    game, strategy, options = heads_up(10), RandomStrategy(), ResponseOptions(streets=(3,))
    estimate = estimate_of(strategy, game, options, 30, seed=1)
    deals = np.array([played(strategy, game, options, seed=1, deal=deal) for deal in range(30)]).mean(axis=1) * 10
    error = deals.std(ddof=1) / np.sqrt(30)
    assert estimate.mean == pytest.approx(deals.mean())
    assert estimate.interval == pytest.approx(
        (deals.mean() - 2.04523 * error, deals.mean() + 2.04523 * error), rel=1e-4
    )
    assert estimate_of(strategy, game, options, 9).interval is None


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(UnknownName, match="no bets 'half'"):
        ResponseOptions("half")
    with pytest.raises(SolverError, match="streets"):
        ResponseOptions(streets=(4,))
    from tahur.games.holdem.rules import no_limit

    with pytest.raises(StrategyError, match="two seats"):
        next(local_best_response(OneAction(folds=True), no_limit(seats=3), ResponseOptions(), deals=range(1), seed=1))


def test_the_bets_are_the_legal_ones_of_their_set() -> None:
    game = heads_up(100)
    responder = LocalResponder(
        OneAction(folds=False), ResponseOptions("pot"), DealtCards.of(1, 0), 0, rng=np.random.default_rng(0)
    )
    table = game.start()
    values = responder.local_values(table, EVERYTHING)
    pot = fourteen.action_of(fourteen.situation_of(table), fourteen.NAMES.index("100 %"))
    assert sorted(values) == [FOLD, CALL, pot, 10_001]
