"""A solved spot at the rules' table: it wins there what the solution says, and reads bets that its tree has not."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tahur.arena.luck import Luck
from tahur.arena.match import Match, run
from tahur.arena.series import MatchGoal, play
from tahur.arena.stats import intervals
from tahur.arena.work import Workers
from tahur.cards.cards import cards_of
from tahur.cards.equity.tables import combos
from tahur.cards.flops import RELABELINGS
from tahur.core.errors import PlayerError, StrategyError
from tahur.core.game import CHANCE, OVER
from tahur.core.player import View
from tahur.core.strategy import Strategy
from tahur.games.holdem.spot import SpotGame, make_spot, spot_scorings
from tahur.games.holdem.table import CALL, FOLD, HoldemTable
from tahur.games.registry import make
from tahur.players.registry import make_player
from tahur.players.simple import Caller, Maniac, RandomPlayer
from tahur.players.solved import SolvedPlayer
from tahur.solvers.postflop.playing import SpotStrategy, nearest, read, settings_of_spot
from tahur.solvers.postflop.solve import PostflopSolution, PostflopSolver
from tahur.solvers.postflop.spot import Spot, spot

RANGES = {"oop": "AsAc,KsTs:0.5,9s8s,JcJs,5h4h", "ip": "AcKc,TsTc:0.25,9h8h,7s7c,QhJh"}
RIVER = spot(board="Td9d6hQc2s", **RANGES, pot=31, stack=60, sizes="50%,a / a")
RAKED = spot(board="Td9d6hQc2s", **RANGES, pot=31, stack=60, sizes="50%,a / a", rake=0.05, rake_cap=2.0)
TWO_SIZES = spot(board="Td9d6hQc2s", **RANGES, pot=100, stack=300, sizes="50%,100% / 60%")
QUIET = spot(board="Td9d6hQc2s", **RANGES, pot=30, stack=60, sizes="")
TWINS = spot(board="TdTh6c", oop="AKs,JTs,55", ip="A5s,KQs,88", pot=20, stack=30, sizes="50% / a")
MONOTONE = spot(board="Td9d6d", oop="AA,JTs", ip="KK:0.5,98s", pot=20, stack=30, sizes="50% / a")


@cache
def solved(asked: Spot, iterations: int = 60) -> PostflopSolution:
    solver = PostflopSolver(asked)
    solver.engine.iterate(iterations)
    return solver.solution()


def game_of_spot(asked: Spot) -> SpotGame:
    return make_spot(**settings_of_spot(asked))


def after(game: SpotGame, *actions: int) -> HoldemTable:
    table = game.start()
    for action in actions:
        table = table.after(action)
    return table


def mean_payoff(game: SpotGame, strategies: tuple[Strategy, Strategy]) -> float:
    """Of seat 0 on the river: every pair of hands, every action by its chance, through the rules."""

    def worth(table: HoldemTable, hands: tuple[int, int]) -> float:
        if table.turn == OVER:
            return game.payoffs(table, hands)[0]
        view = View(game, table, table.turn, hands[table.turn])
        chances = strategies[table.turn].probabilities(view)
        return sum(chance * worth(table.after(action), hands) for action, chance in chances.items())

    total = weight = 0.0
    for one, other in product(*(each.indices.tolist() for each in game.ranges)):
        if len({*cards_of(one), *cards_of(other), *game.board}) == 4 + len(game.board):
            share = game.ranges[0].vector[one] * game.ranges[1].vector[other]
            total += share * worth(game.start(), (one, other))
            weight += share
    return total / weight


# ---- what it wins ----------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [RIVER, RAKED])
def test_through_the_rules_it_wins_what_the_solution_says(asked: Spot) -> None:
    solution = solved(asked)
    strategy = SpotStrategy(solution)
    won = mean_payoff(game_of_spot(asked), (strategy, strategy))
    assert won == pytest.approx(solution.ev[0] - asked.pot / 2, abs=1e-4)


def test_from_the_other_seat_too_and_a_caller_wins_no_more_than_a_best_response() -> None:
    solution, game = solved(RIVER), game_of_spot(RIVER)
    strategy, half = SpotStrategy(solution), RIVER.pot / 2
    slack = 2 * solution.exploitability / 100 * RIVER.pot
    assert mean_payoff(game, (strategy, Caller())) >= solution.ev[0] - half - slack
    assert -mean_payoff(game, (Caller(), strategy)) >= solution.ev[1] - half - slack


@pytest.mark.slow
@pytest.mark.parametrize(("other", "least"), [("caller", 5.0), ("maniac", 5.0), ("itself", None)])
def test_on_a_real_river_it_beats_players_who_do_not_know_it(other: str, least: float | None) -> None:
    """Duplicate deals: over both seats it wins nothing from itself, and more than chance from the others."""
    sizes = {name: value for name, value in make_spot().settings.items() if name != "button"}
    asked = spot(**sizes, sizes="50%,100%,a / 60%,a")
    player = SolvedPlayer(SpotStrategy(solved(asked, 160)))
    game = game_of_spot(asked)
    opponent = {"caller": Caller, "maniac": Maniac, "itself": lambda: player}[other]
    match = Match(
        game=game,
        scoring=spot_scorings(game)[0],
        names=("solution", other),
        makers=(lambda: player, opponent),
        seed=1,
        duplicate=True,
    )
    *_, last = play(match, MatchGoal(1500), Workers(1))
    found = intervals(last.fair)[0]
    assert (found.low > least) if least is not None else (found.low <= 0 <= found.high)


def test_with_other_suits_dealt_it_plays_the_same() -> None:
    """Diamonds and hearts may change names, in hands and on the board, and both can still make flushes."""
    strategy, game = SpotStrategy(solved(TWINS, 6)), game_of_spot(TWINS)
    number = RELABELINGS.index((0, 2, 1, 3))
    suits, image = RELABELINGS[number], combos().image[number]
    seen = 0
    for record in run(game, [SolvedPlayer(strategy)] * 2, seed=1, deals=25):
        played = make("spot", record.settings)
        table = other = played.start()
        for action in record.actions:
            if table.turn >= 0:
                hand = record.hands[table.turn]
                views = View(played, table, table.turn, hand), View(played, other, table.turn, int(image[hand]))
                assert strategy.probabilities(views[0]) == pytest.approx(strategy.probabilities(views[1]), abs=1e-3)
                assert strategy.thought(views[0]) == ""
                seen += len(table.board) > 3 and hand != image[hand] and len(strategy.probabilities(views[0])) > 1
            dealt = table.turn == CHANCE
            table = table.after(action)
            other = other.after(action & ~3 | suits[action & 3] if dealt else action)
    assert seen > 10


def test_any_opponent_may_bet_anything_and_what_it_does_is_legal() -> None:
    for asked in (RIVER, TWO_SIZES, MONOTONE, QUIET):
        player = SolvedPlayer(SpotStrategy(solved(asked, 20)))
        for record in run(game_of_spot(asked), [player, RandomPlayer()], seed=2, deals=40):
            assert np.isfinite(record.payoffs).all()


def test_luck_can_be_taken_out_and_deals_be_played_in_duplicate() -> None:
    player = SolvedPlayer(SpotStrategy(solved(RIVER)))
    game = game_of_spot(RIVER)
    match = Match(
        game=game,
        scoring=spot_scorings(game)[0],
        names=("a", "b"),
        makers=(lambda: player, Caller),
        seed=1,
        duplicate=True,
        luck=Luck.FULL,
    )
    *_, last = play(match, MatchGoal(50), Workers(1))
    assert last.hands == 100
    assert last.fair.means.sum() == pytest.approx(0, abs=1e-9)


# ---- bets that the tree has not ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "expected"),
    [(0.5, {1: 1.0}), (0.75, {1: 3 / 7, 2: 4 / 7}), (0.2, {1: 1.0}), (5.0, {2: 1.0}), (1.0, {2: 1.0})],
)
def test_a_bet_between_two_sizes_is_read_by_the_pseudo_harmonic_mapping(x: float, expected: dict[int, float]) -> None:
    """f(x) = (B - x)(1 + A) / ((B - A)(1 + x)): with A = 1/2, B = 1 and x = 3/4 it is 3/7."""
    assert nearest({1: 0.5, 2: 1.0}, x) == pytest.approx(expected)


def test_facing_a_bet_between_two_it_mixes_what_it_does_against_both() -> None:
    strategy, game = SpotStrategy(solved(TWO_SIZES)), game_of_spot(TWO_SIZES)

    def facing(chips: int, hand: int) -> Mapping[int, float]:
        return strategy.probabilities(View(game, after(game, chips + 1), 1, hand))

    mixed = 0
    for hand in game.ranges[1].indices.tolist():
        small, large, between = facing(50, hand), facing(100, hand), facing(75, hand)
        for action in (FOLD, CALL):
            expected = 3 / 7 * small.get(action, 0) + 4 / 7 * large.get(action, 0)
            assert between.get(action, 0) == pytest.approx(expected, abs=1e-9)
            mixed += abs(small.get(action, 0) - large.get(action, 0)) > 0.05
    assert mixed
    thought = strategy.thought(View(game, after(game, 76), 1, hand))
    assert "75 as 50" in thought
    assert "75 as 100" in thought


def test_on_the_lines_of_its_tree_it_reads_nothing_into_them() -> None:
    strategy, game = SpotStrategy(solved(TWO_SIZES)), game_of_spot(TWO_SIZES)
    assert strategy.thought(View(game, after(game, 51), 1, int(game.ranges[1].indices[0]))) == ""


def test_where_the_tree_has_no_bets_it_says_so_and_calls_by_the_price() -> None:
    strategy, game = SpotStrategy(solved(QUIET, 1)), game_of_spot(QUIET)
    table = after(game, 31)
    views = [View(game, table, 1, hand) for hand in game.ranges[1].indices.tolist()]
    assert all("cannot follow" in strategy.thought(view) for view in views)
    chosen: dict[str, Any] = {game.hand_text(view.hand or 0): strategy.probabilities(view) for view in views}
    assert chosen["TsTc"] == {CALL: 1.0}  # a set: half of all hands are beaten
    assert chosen["7s7c"] == {FOLD: 1.0} or chosen["QhJh"] == {CALL: 1.0}


# ---- where it plays ---------------------------------------------------------------------------------


def test_elsewhere_it_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "river.tahur"
    solved(RIVER).save(path)
    with pytest.raises(PlayerError, match=r"solved spot .*the table plays nlhe"):
        make_player(f"strategy:{path}", make("nlhe"), readers=(read,))
    with pytest.raises(PlayerError, match="pot 31; the table has pot 33"):
        make_player(f"strategy:{path}", make("spot", settings_of_spot(RIVER) | {"pot": 33}), readers=(read,))
    with pytest.raises(PlayerError, match="other ranges"):
        make_player(f"strategy:{path}", make("spot", settings_of_spot(RIVER) | {"ip": "TsTc"}), readers=(read,))
    assert make_player(f"strategy:{path}", game_of_spot(RIVER), readers=(read,))


def test_without_a_reader_the_file_is_named_for_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "river.tahur"
    solved(RIVER).save(path)
    with pytest.raises(StrategyError, match="a postflop solution, not a strategy file; `tahur postflop show` reads it"):
        make_player(f"strategy:{path}")
