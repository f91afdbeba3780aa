"""The local best response against strategies made by hand, and against plain play with drawn hands."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
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
    LbrEstimate,
    LocalResponder,
    ResponseOptions,
    dealt_board,
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


def responder_of(
    strategy: Any, options: ResponseOptions, board: tuple[int, ...], seat: int, seed: int = 0
) -> LocalResponder:
    return LocalResponder(strategy, options, board, seat, rng=np.random.default_rng(seed))


def alive_on(board: tuple[int, ...]) -> list[int]:
    return np.flatnonzero(combos().mask & sum(1 << card for card in board) == 0).tolist()


def some_of(hands: list[int], count: int, seed: int) -> list[int]:
    return np.random.default_rng(seed).choice(hands, count, replace=False).tolist()


def equity_on(hand: int, board: tuple[int, ...]) -> float:
    return equity(Range.of_hand(cards_of(hand)), Range("any"), board=board).players[0].equity


RIVER_PAIRS = 1326 / 1081  # hands before the flop for each that a river leaves
FLOP_PAIRS = 1326 / 1176


def test_an_always_caller_loses_what_all_in_with_the_better_half_wins_on_the_river() -> None:
    """On the river, the best response to calling is all-in with more than half the equity, otherwise a check."""
    game, options = heads_up(20), ResponseOptions(streets=(3,))
    for deal in range(6):
        board = dealt_board(3, deal)
        values = responder_of(OneAction(folds=False), options, board, deal % 2).root_values(game)
        assert not values[np.setdiff1d(np.arange(COMBOS), alive_on(board))].any()
        for hand in some_of(alive_on(board), 10, deal):
            lead = 2 * equity_on(hand, board) - 1
            assert values[hand] == pytest.approx(RIVER_PAIRS * max(2000 * lead, 100 * lead), abs=1e-2)


def test_an_always_caller_is_pushed_all_in_on_the_flop_for_the_equity_there() -> None:
    game, options = heads_up(20), ResponseOptions(streets=(1,))
    for deal in range(2):
        board = dealt_board(4, deal)
        values = responder_of(OneAction(folds=False), options, board, deal % 2).root_values(game)
        for hand in some_of(alive_on(board[:3]), 12, deal):
            lead = 2 * equity_on(hand, board[:3]) - 1
            checked = 100 * RIVER_PAIRS * (2 * equity_on(hand, board) - 1) if hand in alive_on(board) else 0.0
            expected = 2000 * FLOP_PAIRS * lead if lead > 0 else checked
            assert values[hand] == pytest.approx(expected, abs=1e-2)


def test_local_values_are_those_of_the_paper() -> None:
    """A bet wins the pot if the range folds, and otherwise the equity of the rest, in chips from now on."""
    game, strategy, board = heads_up(20), RandomStrategy(), dealt_board(5, 0)[:3]
    table = game.start().after(CALL).after(CALL)
    for card in board:
        table = table.after(card)
    seat, reach = table.turn, np.random.default_rng(1).random(COMBOS)
    values = responder_of(strategy, ResponseOptions("fourteen"), board, seat).local_values(table, reach)
    assert len(values) > 8
    for hand in some_of(alive_on(board), 3, 1):
        met = reach * ((combos().mask & (int(combos().mask[hand]) | sum(1 << card for card in board))) == 0)
        for action in set(values) - {CALL}:
            answer = strategy.resolve(table.after(action))
            folding = answer.mix[answer.actions.index(FOLD)]
            folds = (met * folding).sum() / met.sum()
            rest = Range.from_vector(met * (1 - folding) / reach.max())
            win = equity(Range.of_hand(cards_of(hand)), rest, board=board).players[0].equity
            bet, pot = action - 1, table.pot
            gain = folds * pot + (1 - folds) * (win * (pot + bet) - (1 - win) * bet)
            assert values[action][hand] / met.sum() == pytest.approx(gain - table.committed[seat], rel=1e-4, abs=1e-3)


class Recording(LocalResponder):
    """Remembers the tables at which it chose, with the reach that it used."""

    def choices(self, table: HoldemTable, reach: np.ndarray, hands: np.ndarray) -> list[tuple[int, np.ndarray]]:
        self.__dict__.setdefault("seen", []).append((table, reach))
        return super().choices(table, reach, hands)


def test_the_range_of_the_opponent_is_the_product_of_the_strategy_that_it_gave() -> None:
    game, strategy = heads_up(20), RandomStrategy()
    checked = 0
    for deal in range(2):
        options = ResponseOptions(streets=(2, 3), averaged_from=0)
        responder = Recording(strategy, options, dealt_board(6, deal), deal % 2, rng=np.random.default_rng(deal))
        responder.root_values(game)
        for table, reach in responder.__dict__.get("seen", []):
            direct, now = np.ones(COMBOS), game.start()
            for action in table.history:
                if now.turn == 1 - responder.seat:
                    answer = strategy.resolve(now)
                    direct = direct * answer.mix[answer.actions.index(action)]
                elif now.turn == CHANCE:
                    direct[combos().mask & (1 << action) != 0] = 0
                now = now.after(action)
            assert np.allclose(reach / reach.max(), direct / direct.max(), rtol=1e-9)
            checked += len(table.history) > 6
    assert checked > 20


@dataclass
class PlainPlay:
    """The same strategies played with one hand each, scalar by scalar, with every card dealt out."""

    responder: LocalResponder
    strategy: RandomStrategy
    mine: int
    hand: int

    def value(self, table: HoldemTable, reach: np.ndarray) -> float:
        """Chips of the responder, averaged over all actions of the opponent's hand."""
        seat, board = self.responder.seat, self.responder.board
        if table.turn == OVER:
            return self.paid(table)
        if table.turn == CHANCE:
            return self.value(table.after(board[len(table.board)]), reach)
        if table.turn == seat:
            return self.value(table.after(self.chosen(table, reach)), reach)
        answer = self.responder.answer(table)
        return sum(
            answer.mix[choice, self.hand] * self.value(table.after(action), reach * answer.mix[choice])
            for choice, action in enumerate(answer.actions)
        )

    def chosen(self, table: HoldemTable, reach: np.ndarray) -> int:
        """The action of its hand."""
        choices = self.responder.choices(table, reach, np.ones(COMBOS, np.bool_))
        return next(action for action, hands in choices if hands[self.mine])

    def paid(self, table: HoldemTable) -> float:
        seat = self.responder.seat
        if len(table.live) == 1:
            return min(table.committed) * (1 if table.live[0] == seat else -1)
        ranks = [evaluate([*cards_of(hand), *self.responder.board]) for hand in (self.mine, self.hand)]
        return min(table.committed) * int(np.sign(ranks[0] - ranks[1]))


def opposing(hand: int, board: tuple[int, ...]) -> list[int]:
    return [other for other in alive_on(board) if not combos().mask[other] & combos().mask[hand]]


class OnTheRiver(RandomStrategy):
    """Checks and calls before the river."""

    def resolve(self, table: HoldemTable) -> ResolvedDecision:
        if table.street == 3:
            return super().resolve(table)
        return ResolvedDecision((CALL,), np.ones((1, COMBOS)), (EVERYTHING, EVERYTHING))


@pytest.mark.parametrize("seat", [0, 1])
def test_averaging_over_the_range_is_the_mean_of_play_with_each_hand(seat: int) -> None:
    """Exact: all actions are followed, and nothing ends before the river, where all pairs of hands count the same."""
    game, strategy = heads_up(3), OnTheRiver()
    board = dealt_board(7, seat)
    responder = responder_of(strategy, ResponseOptions(streets=(3,), averaged_from=0), board, seat)
    values = responder.root_values(game)
    for mine in some_of(alive_on(board), 2, seat):
        others = opposing(mine, board)
        plain = [PlainPlay(responder, strategy, mine, hand).value(game.start(), EVERYTHING) for hand in others]
        assert values[mine] == pytest.approx(RIVER_PAIRS * sum(plain) / len(plain), rel=1e-5)


def test_drawing_actions_has_the_mean_of_following_all() -> None:
    game, strategy, board = heads_up(6), RandomStrategy(), dealt_board(8, 0)

    def value(averaged_from: int, seed: int) -> float:
        options = ResponseOptions(streets=(3,), averaged_from=averaged_from)
        return float(responder_of(strategy, options, board, 0, seed).root_values(game).mean())

    exact = value(0, 0)
    for averaged_from in (3, 4):
        drawn = np.array([value(averaged_from, seed) for seed in range(100)])
        assert abs(drawn.mean() - exact) < 4 * drawn.std() / np.sqrt(len(drawn))
        assert drawn.std() > 0


def test_estimates_agree_with_hands_and_cards_that_are_drawn() -> None:
    """The whole estimator against deals with drawn hands of both seats, drawn actions and no all-in equity."""
    game, strategy, options = heads_up(4), RandomStrategy(), ResponseOptions(streets=(2, 3))
    reduced = np.array([played(strategy, game, options, seed=9, deal=deal)[0] for deal in range(60)])
    plain = np.array([one_game(strategy, game, options, deal) for deal in range(600)])
    error = np.hypot(reduced.std() / np.sqrt(len(reduced)), plain.std() / np.sqrt(len(plain)))
    assert abs(reduced.mean() - plain.mean()) < 3 * error
    assert reduced.std() < 0.5 * plain.std()


def one_game(strategy: RandomStrategy, game: Holdem, options: ResponseOptions, deal: int) -> float:
    """One drawn game."""
    rng, board = np.random.default_rng([10, deal]), dealt_board(10, deal)
    mine = int(rng.choice(alive_on(board)))
    play = PlainPlay(responder_of(strategy, options, board, 0), strategy, mine, int(rng.choice(opposing(mine, board))))
    table, reach = game.start(), EVERYTHING
    while table.turn != OVER:
        if table.turn == CHANCE:
            table = table.after(board[len(table.board)])
        elif table.turn == 0:
            table = table.after(play.chosen(table, reach))
        else:
            answer = strategy.resolve(table)
            choice = int(rng.choice(len(answer.actions), p=answer.mix[:, play.hand]))
            table, reach = table.after(answer.actions[choice]), reach * answer.mix[choice]
    return play.paid(table)


def test_a_dealt_card_leaves_fewer_pairs_of_hands_so_that_each_counts_for_more() -> None:
    """Bluffs that always win, made on the river: the same chips as if the pot were won before it was dealt."""
    board = dealt_board(1, 1)
    responder = responder_of(OneAction(folds=True), ResponseOptions(streets=(3,)), board, 0)
    table = heads_up(100).start().after(CALL).after(CALL)
    for card in board[:3]:
        table = table.after(card)
    table = table.after(CALL).after(CALL).after(board[3]).after(CALL).after(CALL)
    alive = np.isin(np.arange(COMBOS), alive_on(board[:4]))
    values = responder.values(table, alive.astype(np.float64), alive)
    assert values.sum() == pytest.approx(100 * comb(48, 2) * comb(46, 2))


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
    assert sum(one != other for one, other in zip(runs[0], runs[2], strict=True)) > 6
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
        OneAction(folds=False), ResponseOptions("pot"), dealt_board(1, 0), 0, rng=np.random.default_rng(0)
    )
    table = game.start()
    values = responder.local_values(table, EVERYTHING)
    pot = fourteen.action_of(fourteen.situation_of(table), fourteen.NAMES.index("100 %"))
    assert sorted(values) == [FOLD, CALL, pot, 10_001]
