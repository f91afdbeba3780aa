"""One spot on many flops: what is found on each, and the means over them."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tahur.cards.cards import parse_cards
from tahur.core.errors import UnknownName
from tahur.solvers.postflop.aggregate import FlopResult, FlopStudy, Report, estimates, solve_flop, with_flop
from tahur.solvers.postflop.flops import Flop, choose_flops
from tahur.solvers.postflop.results import result
from tahur.solvers.postflop.solve import solve
from tahur.solvers.postflop.spot import parse_spot, spot

SPOT = spot(board="2c2d2h", oop="AA:0.5,87s", ip="QQ,65s", pot=20, stack=40, sizes="-", flop="50% / -")
LISTED = "QsJs9s,7d7c2h"


def study() -> FlopStudy:
    return FlopStudy(SPOT, choose_flops(LISTED, SPOT.ranges), 1.0)


def found(flop: str, deals: float, ev: float, equity: float, check: float, ip_check: float) -> FlopResult:
    return FlopResult(
        flop=Flop(tuple(parse_cards(flop)), 12, deals),
        exploitability=0.3,
        iterations=50,
        ev=(ev, 20 - ev),
        equity=(equity, 1 - equity),
        first=(check, 1 - check),
        after_check=(ip_check, 1 - ip_check),
    )


FINDINGS = (
    found("Td9d6h", 30.0, 8.0, 0.5, check=1.0, ip_check=0.5),
    found("AsKd2c", 10.0, 12.0, 0.7, check=0.2, ip_check=0.0),
    found("Ts8s6h", 60.0, 10.0, 0.4, check=0.0, ip_check=1.0),
)


def report(*findings: FlopResult) -> Report:
    moves = {"first_moves": ["check", "bet10"], "moves_after_check": ["check", "bet10"]}
    return Report({"spot": [], "pot": 20, "target_pct": 0.5, "flops": [{}] * 4, **moves}, findings)


def test_a_mean_weighs_each_flop_by_its_deals() -> None:
    mean = report(*FINDINGS).overall()
    assert mean.ev == pytest.approx((0.3 * 8 + 0.1 * 12 + 0.6 * 10, 0.3 * 12 + 0.1 * 8 + 0.6 * 10))
    assert mean.equity[0] == pytest.approx(0.3 * 0.5 + 0.1 * 0.7 + 0.6 * 0.4)
    assert mean.first == pytest.approx((0.3 + 0.02, 0.68))
    assert (mean.flops, mean.share) == (3, 1.0)


def test_what_is_done_after_a_check_is_a_mean_over_the_checks() -> None:
    """30 checks on the first flop, 2 on the second, none on the third, where all would be checked."""
    assert report(*FINDINGS).overall().after_check[0] == pytest.approx(15 / 32)
    assert report(FINDINGS[2]).overall().after_check == (1.0, 0.0)


def test_the_equity_that_is_realized_is_that_of_the_mean() -> None:
    mean = report(*FINDINGS).overall()
    assert mean.realized[0] == pytest.approx(mean.ev[0] / (mean.equity[0] * 20))


def test_groups_share_all_deals_and_have_their_best_flop_first() -> None:
    groups = list(report(*FINDINGS).groups("texture"))
    assert [(mean.name, mean.share) for mean, _ in groups] == [
        ("wet", pytest.approx(0.6)),
        ("high_dry", pytest.approx(0.1)),
        ("low_dry", pytest.approx(0.3)),
    ]
    (suited, members), *_ = report(*FINDINGS).groups("suit")
    assert (suited.name, [str(each.flop) for each in members]) == ("two-tone", ["Ts8s6h", "Td9d6h"])
    with pytest.raises(UnknownName, match="valid: texture, suit, high-card, pairing"):
        list(report(*FINDINGS).groups("colour"))


def test_csv_has_a_line_for_each_flop_and_a_column_for_each_move() -> None:
    rows = list(csv.DictReader(io.StringIO(report(*FINDINGS).csv())))
    assert [row["flop"] for row in rows] == ["Td9d6h", "AsKd2c", "Ts8s6h"]
    assert [float(row["share"]) for row in rows] == pytest.approx([0.3, 0.1, 0.6])
    assert float(rows[1]["oop_bet10"]) == pytest.approx(0.8)
    assert float(rows[1]["ip_check"]) == 0.0


def test_machines_are_told_of_what_is_not_finished() -> None:
    told = report(*FINDINGS).to_json("pairing")
    assert (told["flops"], told["done"], told["by"]) == (4, 3, "pairing")
    assert [group["name"] for group in told["groups"]] == ["unpaired"]
    nothing = report().to_json()
    assert (nothing["overall"], nothing["groups"], nothing["rows"]) == (None, [], [])
    json.dumps([told, nothing], allow_nan=False)


def test_a_finding_is_what_the_solution_says() -> None:
    flop = study().flops[0]
    finding, content = solve_flop(SPOT, 1.0, flop)
    solution = solve(with_flop(SPOT, flop), target=1.0)
    assert (finding.ev, finding.equity, finding.first) == (solution.ev, solution.equity, solution.frequencies)
    assert finding.exploitability == solution.exploitability <= 1.0
    assert finding.after_check == pytest.approx(result(solution, "check").frequencies)
    assert content == b""
    assert FlopResult.from_json(json.loads(json.dumps(finding.to_json()))) == finding


def test_what_can_be_done_does_not_depend_on_the_flop() -> None:
    assert [str(move) for move in study().first_moves] == ["check", "bet10"]
    assert [str(move) for move in study().moves_after_check] == ["check", "bet10"]


def test_a_study_is_known_by_its_spot_without_a_board_its_target_and_its_flops() -> None:
    told = study().identity()
    assert parse_spot("\n".join(['board = "2c2d2h"', *told["spot"]])) == SPOT
    assert told["target_pct"] == 1.0
    assert [each["flop"] for each in told["flops"]] == ["QsJs9s", "7d7c2h"]
    json.dumps(told, allow_nan=False)


def test_one_flop_of_each_kind_of_suits_and_pairs_says_how_big_all_are() -> None:
    many = FlopStudy(SPOT, choose_flops("all", SPOT.ranges))
    sizes = estimates(many)
    assert sum(count for _, count in sizes) == len(many.flops)
    assert len(sizes) == 6
    assert max(size.bytes for size, _ in sizes) < 2.5 * min(size.bytes for size, _ in sizes if size.bytes > 0) * 4
