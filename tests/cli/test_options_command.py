"""`tahur persona options` as a person or a program sees it; and the certificate against a plain reckoning."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from tahur.cards.evaluator import evaluate
from tahur.cli.personas.cost import FlipCost, FlipSubject, costs
from tahur.cli.personas.options import options
from tahur.core.errors import SolverError, TahurError
from tahur.players.bounded.mood import CALM, mood_from_text
from tahur.players.bounded.profiles import PROFILES
from tahur.solvers.postflop.line import BoardNode, moved, node_at, start, strategy_at, walk
from tahur.solvers.postflop.results import move_evs
from tahur.solvers.postflop.solve import PostflopSolution, PostflopSolver
from tahur.solvers.postflop.spot import spot
from tahur.solvers.postflop.tree import NodeKind
from tahur.solvers.solver import run as run_solver

SPOT = ("--hand", "AhKh", "--board", "Qs7h2h", "--pot", "300", "--to-call", "100", "--stack", "2000")
TILTED = ("--profile", "tight_aggressive", "--mood", "tilted:extreme", "--seed", "1")


def run(*arguments: str) -> str:
    result = CliRunner().invoke(options, list(arguments))
    if isinstance(result.exception, TahurError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def told(*arguments: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(run(*arguments, "--json"))
    return answer


def test_the_menu_in_json_has_the_shape_it_is_promised_in() -> None:
    answer = told(*SPOT, *TILTED, "--equity", "0.45")
    assert {"layers", "menu", "blocked", "impaired"} <= set(answer)
    assert answer["impaired"] is True
    assert [option["number"] for option in answer["menu"]] == [1, 2, 3, 4]
    assert {"number", "action", "raise_to", "ev", "chip_ev", "style", "text"} <= set(answer["menu"][0])
    assert (answer["menu"][0]["action"], answer["menu"][0]["raise_to"]) == ("call", None)
    assert answer["menu"][-1]["action"] == "raise"
    assert answer["layers"][0]["layer"] == "generate"
    assert answer["layers"][-1]["menu"] == answer["menu"]


def test_what_is_blocked_is_told_with_the_reason() -> None:
    answer = told(*SPOT, "--equity", "80%")
    assert [each["action"] for each in answer["blocked"]] == ["fold"]
    assert "80.0%" in answer["blocked"][0]["reason"]


def test_the_equity_is_computed_against_the_villain_if_it_is_not_stated() -> None:
    answer = told(*SPOT, "--villain", "QQ+,AKs")
    assert answer["stderr"] == 0
    assert 0.2 < answer["equity"] < 0.5
    several = told(*SPOT, "--villain", "QQ+,AKs", "--seats", "3")
    assert several["stderr"] > 0
    assert told(*SPOT)["equity"] > answer["equity"]


def test_the_same_seed_gives_the_same_menu() -> None:
    assert told(*SPOT, *TILTED, "--equity", "0.45") == told(*SPOT, *TILTED, "--equity", "0.45")


def test_people_read_every_layer_and_the_roll() -> None:
    text = run(*SPOT, *TILTED, "--equity", "0.45")
    for words in ("generate", "mood shift", "framing", "blocking", "roll", "the mood applies"):
        assert words in text


@pytest.mark.parametrize(
    "arguments",
    [
        ("--hand", "AhKh"),
        (*SPOT, "--equity", "2"),
        (*SPOT, "--equity", "high"),
        (*SPOT, "--equity", "0.5", "--villain", "22+"),
        (*SPOT[:-1], "0", "--equity", "0.5"),
        (*SPOT, "--equity", "0.5", "--mood", "angry"),
        (*SPOT, "--equity", "0.5", "--position", "dealer"),
        (*SPOT, "--villain", "2x"),
        (*SPOT, "--villain", "AhKh"),
        ("certify", "--severity", "awful"),
        ("certify", "nowhere.tahur"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(arguments: tuple[str, ...]) -> None:
    with pytest.raises(TahurError):
        run(*arguments)


# ---- the certificate -------------------------------------------------------------------------------------------------


def river() -> PostflopSolution:
    asked = spot(board="Ks7h2d9c4s", oop="77,98s,A5s", ip="KQs,66,A5s", pot=100, stack=150, sizes="50%,a / a")
    solver = PostflopSolver(asked)
    for _ in run_solver(solver, iterations=400, target=0.05, every=50):
        pass
    return solver.solution()


def certified(solution: PostflopSolution, *choosers: FlipSubject) -> list[FlipCost]:
    *_, found = costs(solution, choosers, big_blind=10)
    assert isinstance(found, list)
    return found


def coins_value(solution: PostflopSolution, seat: int, spreads: dict[Any, Any]) -> float:
    """What a seat wins by those shares of moves, the solution in the other seat: hand by hand, end by end."""
    engine, board = solution.engine, solution.spot.board
    root = start(engine)

    def worth(place: BoardNode, hand: int, other: int, chance: float) -> float:
        node = node_at(engine, place)
        if node.kind is NodeKind.FOLD:
            return chance * (0.0 if node.seat == seat else solution.spot.pot + 2 * node.bet) - chance * node.bet
        if node.kind is NodeKind.SHOWDOWN:
            mine, theirs = (evaluate((*_cards(each), *board)) for each in (hand, other))
            share = 0.5 * (1 + (mine > theirs) - (mine < theirs))
            return chance * (share * (solution.spot.pot + 2 * node.bet) - node.bet)
        shares = strategy_at(engine, place)[:, other] if node.seat != seat else spreads[place.line, hand]
        parts = [(at, float(often)) for at, often in enumerate(shares) if often > 0]
        return sum(worth(moved(engine, place, at), hand, other, chance * often) for at, often in parts)

    total = won = 0.0
    for hand in np.flatnonzero(root.reach[seat]).tolist():
        for other in np.flatnonzero(root.reach[1 - seat]).tolist():
            if not set(_cards(hand)) & set(_cards(other)):
                total += 1
                won += worth(root, hand, other, 1.0)
    return won / total


def _cards(hand: int) -> tuple[int, int]:
    from tahur.cards.cards import cards_of

    high, low = cards_of(hand)
    return int(high), int(low)


def best_value(solution: PostflopSolution, seat: int) -> float:
    """What the seat's best response wins."""
    from tahur.solvers.postflop.engine import BEST

    return float(solution.engine.root_value(seat, BEST)) + solution.spot.pot / 2


def test_what_coins_lose_is_what_the_best_response_wins_more(monkeypatch: pytest.MonkeyPatch) -> None:
    from tahur.cli.personas import cost

    solution = river()
    spreads: dict[Any, Any] = {}
    plain, spread = cost._Walk._measure_node, cost.spread

    def kept(self: Any, place: Any, node: Any, owns: Any) -> Any:
        def watched(*asked: Any) -> Any:
            found = spread(*asked)
            spreads.setdefault((self.seat, place.line), []).append(found.shares)
            return found

        monkeypatch.setattr(cost, "spread", watched)
        return plain(self, place, node, owns)

    monkeypatch.setattr(cost._Walk, "_measure_node", kept)
    loose = PROFILES["loose_aggressive"]
    (found,) = certified(solution, FlipSubject(loose, mood_from_text("tilted:extreme")))
    lost = []
    for seat in (0, 1):
        hands = np.flatnonzero(start(solution.engine).reach[seat]).tolist()
        mine = {
            (line, hand): shares
            for (who, line), rows in spreads.items()
            if who == seat
            for hand, shares in zip(hands, rows, strict=True)
        }
        lost.append(best_value(solution, seat) - coins_value(solution, seat, mine))
    assert found.coins == pytest.approx(sum(lost) / 2, abs=1e-3)
    assert found.coins > 0


def test_the_dearest_option_is_named_with_its_cost() -> None:
    solution = river()
    for cost in certified(solution, *(FlipSubject(profile, CALM) for profile in PROFILES.values())):
        worst = cost.worst
        place = walk(solution.engine, "" if worst.line == "first" else worst.line)
        values = move_evs(solution.engine, place, best=True)[:, worst.hand]
        act, _, chips = worst.option.partition(" ")
        moves = node_at(solution.engine, place).moves
        near = [abs(np.log(move.to / int(chips))) if move.to else np.inf for move in moves] if chips else []
        at = int(np.argmin(near)) if chips else [move.deed.value for move in moves].index(act)
        assert worst.chips == pytest.approx(float(values.max() - values[at]), abs=1e-4)
        assert worst.chips > 0


def test_only_rivers_are_certified() -> None:
    turn: Any = SimpleNamespace(spot=spot(board="Ks7h2d9c", oop="AA", ip="KK", pot=100, stack=50, sizes="a / a"))
    with pytest.raises(SolverError, match="rivers"):
        certified(turn, FlipSubject(PROFILES["default"], CALM))


def test_big_blinds_are_the_same_as_so_many_chips() -> None:
    fixed = ("--hand", "AhKh", "--board", "Qs7h2h", "--equity", "0.7", "--json")
    chips = json.loads(run(*fixed, "--pot", "55", "--to-call", "20", "--stack", "975"))
    blinds = json.loads(run(*fixed, "--pot", "5.5bb", "--to-call", "2bb", "--stack", "97.5bb"))
    assert blinds == chips
    assert (chips["unit"], chips["big_blind"]) == ("chips", 10)
    shown = run(*fixed[:-1], "--pot", "5.5bb", "--to-call", "2bb", "--stack", "97.5bb")
    assert "pot 5.5bb, to call 2bb, stack 97.5bb" in shown
    assert "EV, bb" in shown
