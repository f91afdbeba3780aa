"""Strategies of the street game: the linear program, the baseline, views, comparison and export."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

from solvers.street.linear_program import Solution, solve
from solvers.street.original_rule import OriginalRule
from solvers.street.plain_response import best_response, exploitability, value
from tahur.core.errors import SettingError, StrategyError
from tahur.games.holdem.buckets import Bucket
from tahur.games.holdem.textures import Texture
from tahur.solvers.street.baseline import baseline, compare
from tahur.solvers.street.game import StreetGame
from tahur.solvers.street.matrices import exact
from tahur.solvers.street.views import (
    TABLES,
    DecisionKind,
    average_view,
    betting_frequency,
    by_kind,
    check_strategy,
    export,
    name_of,
    occurring,
    read_export,
    uniform,
    views,
)

# To seat 0, in pots: the linear program on the exact counts. A solver must come to the same values.
VALUES = {
    Texture.MONOTONE: -0.017236236220,
    Texture.PAIRED: -0.027954078291,
    Texture.WET: -0.026201682547,
    Texture.HIGH_DRY: -0.023625643863,
    Texture.LOW_DRY: -0.031035697030,
}


@cache
def solved(texture: Texture) -> Solution:
    return solve(StreetGame(texture))


@pytest.mark.parametrize("texture", Texture)
def test_the_linear_program_has_the_recorded_value_and_nobody_can_exploit_it(texture: Texture) -> None:
    game, solution = StreetGame(texture), solved(texture)
    check_strategy(solution.strategy)
    assert solution.value == pytest.approx(VALUES[texture], abs=1e-9)
    assert value(game, solution.strategy) == pytest.approx(solution.value, abs=1e-9)
    assert exploitability(game, solution.strategy) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("texture", Texture)
def test_a_right_solution_bets_and_does_so_more_often_in_position(texture: Texture) -> None:
    """The ruling has about 21-38 % and 44-59 %; a solution that only checks is an artefact of wrong regrets."""
    first, second = betting_frequency(StreetGame(texture), solved(texture).strategy)
    assert 0.18 < first < 0.42
    assert 0.42 < second < 0.61
    assert first < second


@pytest.mark.parametrize("texture", Texture)
def test_position_is_worth_something(texture: Texture) -> None:
    assert VALUES[texture] < 0


@pytest.mark.parametrize("texture", Texture)
def test_seats_exploit_the_uniform_strategy_and_the_baseline(texture: Texture) -> None:
    game = StreetGame(texture)
    by_chance, by_hand = exploitability(game, uniform()), exploitability(game, baseline(texture))
    assert 0.15 < by_hand < by_chance < 0.6
    for seat, sign in ((0, 1), (1, -1)):
        assert best_response(game, baseline(texture), seat) >= sign * VALUES[texture]


@pytest.mark.parametrize("texture", Texture)
def test_the_averaged_view_is_lossy(texture: Texture) -> None:
    view = average_view(solved(texture).strategy)
    check_strategy(view.strategy)
    places = by_kind(DecisionKind.FACING_BET)
    assert view.lossy
    for place in places:
        assert view.strategy[place] == pytest.approx(sum(solved(texture).strategy[at] for at in places) / 6)
    others = [at for at in range(len(TABLES)) if at not in places]
    assert (view.strategy[others] == solved(texture).strategy[others]).all()
    assert exploitability(StreetGame(texture), view.strategy) > 0.03


@pytest.mark.slow
@pytest.mark.parametrize("texture", Texture)
def test_the_rule_of_the_original_description_stalls_and_checks(texture: Texture) -> None:
    """The numbers of docs/street.md; a right rule is at 1e-3 by then, and bets half the time when checked to."""
    game, rule = StreetGame(texture), OriginalRule(StreetGame(texture))
    rule.run(400)
    first, second = betting_frequency(game, rule.average())
    assert 0.08 < exploitability(game, rule.average()) < 0.17
    assert first < 0.24
    assert second < 0.12


# ---- the baseline --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "texture", "bucket", "percent"),
    [
        (DecisionKind.FIRST, Texture.HIGH_DRY, Bucket.GOOD, (35, 25, 40, 0)),
        (DecisionKind.FIRST, Texture.MONOTONE, Bucket.DRAW, (45, 25, 30, 0)),
        (DecisionKind.FIRST, Texture.LOW_DRY, Bucket.AIR, (60, 10, 0, 30)),
        (DecisionKind.VERSUS_CHECK, Texture.HIGH_DRY, Bucket.STRONG, (15, 0, 60, 25)),
        (DecisionKind.FACING_BET, Texture.WET, Bucket.STRONG, (0, 75, 25, 0)),
        (DecisionKind.FACING_BET, Texture.HIGH_DRY, Bucket.WEAK_MADE, (55, 45, 0, 0)),
        (DecisionKind.FACING_BET, Texture.LOW_DRY, Bucket.MEDIUM, (40, 60, 0, 0)),
    ],
)
def test_the_baseline_has_the_seven_known_rows(
    kind: DecisionKind, texture: Texture, bucket: Bucket, percent: tuple[int, ...]
) -> None:
    for place in by_kind(kind):
        assert baseline(texture)[place, bucket] == pytest.approx(np.array(percent) / 100)


@pytest.mark.parametrize("texture", Texture)
def test_the_baseline_is_a_strategy_for_every_cell(texture: Texture) -> None:
    check_strategy(baseline(texture))


# ---- comparison ----------------------------------------------------------------------------------


def test_the_distance_is_half_the_sum_of_the_differences() -> None:
    other = uniform()
    other[0, Bucket.AIR] = [1, 0, 0, 0]
    other[5, Bucket.DRAW] = [0.2, 0.4, 0.4, 0]
    rows = [row for row in compare(StreetGame(Texture.WET), uniform(), other) if row.distance > 1e-12]
    assert [(row.table, row.bucket) for row in rows] == [("first", Bucket.AIR), ("oop_facing_bet_s", Bucket.DRAW)]
    assert rows[0].distance == pytest.approx(0.75)
    assert rows[1].distance == pytest.approx(2 / 15)
    assert [row.flagged for row in rows] == [True, False]


def test_every_cell_that_can_occur_is_compared() -> None:
    rows = {texture: [*compare(StreetGame(texture), uniform(), baseline(texture))] for texture in Texture}
    assert {texture: len(each) for texture, each in rows.items() if len(each) < 126} == {Texture.WET: 112}
    assert Bucket.PREMIUM not in {row.bucket for row in rows[Texture.WET]}  # no set is premium on a wet flop


def test_a_comparison_has_the_frequencies_of_both_sides() -> None:
    other = uniform()
    other[0, Bucket.AIR] = [1, 0, 0, 0]
    row = next(row for row in compare(StreetGame(Texture.WET), uniform(), other) if row.distance > 0)
    assert row.one == {"check": 0.25, "bet_s": 0.25, "bet_m": 0.25, "bet_l": 0.25}
    assert row.other == {"check": 1.0, "bet_s": 0.0, "bet_m": 0.0, "bet_l": 0.0}


# ---- views and export ----------------------------------------------------------------------------


def test_the_tables_are_all_apart() -> None:
    names = [name_of(table) for table in TABLES]
    assert len(set(names)) == 14
    assert [len(by_kind(kind)) for kind in DecisionKind] == [1, 1, 6, 6]
    assert {"first", "versus_check", "ip_facing_bet_s", "oop_facing_bet_l", "oop_facing_raise_of_bet_m"} <= {*names}


def test_an_export_is_json_with_everything_in_it() -> None:
    strategies = {texture: (exact(texture), solved(texture).strategy) for texture in Texture}
    games = {texture: StreetGame(texture) for texture in Texture}
    text = json.dumps(
        export(strategies, lambda game: lambda strategy: exploitability(game, strategy), games, seed=7),
        allow_nan=False,
    )
    found = json.loads(text)
    assert (found["schema"], found["seed"], found["unit"]) == (2, 7, "pot")
    assert found["rules"]["raise_beyond_call"] == {"bet_s": 0.825, "bet_m": 1.65, "bet_l": 2.5}
    wet, dry = found["textures"]["wet"], found["textures"]["high_dry"]
    assert wet["matrices"]["equity"][0] == [None] * 9
    assert dry["matrices"]["unseen"] == [["premium", "premium"]]
    assert wet["averaged_facing_bet"]["lossy"] is True
    assert set(wet["exploitability"]) == {view.name for view in views(uniform())}
    assert len(wet["tables"]) == 14
    assert list(wet["tables"]["first"]["air"]) == ["check", "bet_s", "bet_m", "bet_l"]
    assert list(wet["tables"]["ip_facing_bet_s"]["air"]) == ["fold", "call", "raise"]
    assert list(wet["tables"]["ip_facing_raise_of_bet_l"]["air"]) == ["fold", "call"]
    for table in wet["tables"].values():
        assert table["premium"] is None  # cannot occur
        assert all(sum(row.values()) == pytest.approx(1) for row in table.values() if row is not None)


def exported() -> dict[str, Any]:
    games = {texture: StreetGame(texture) for texture in Texture}
    strategies = {texture: (exact(texture), solved(texture).strategy) for texture in Texture}
    payload = export(strategies, lambda game: lambda strategy: 0.0, games)
    return json.loads(json.dumps(payload))  # type: ignore[no-any-return]


def test_an_export_is_read_back_as_it_was() -> None:
    for texture, (matrices, strategy) in read_export(exported()).items():
        held = occurring(StreetGame(texture))
        assert np.array_equal(strategy[held], solved(texture).strategy[held])
        for name in ("marginal", "joint", "equity"):
            assert np.array_equal(getattr(matrices, name), getattr(exact(texture), name), equal_nan=True)


def test_an_export_of_the_first_schema_is_read() -> None:
    payload = exported()
    payload["schema"] = 1
    for table in payload["textures"]["wet"]["tables"].values():
        table["premium"] = {action: 1 / len(table["air"]) for action in table["air"]}
    assert list(read_export(payload)) == list(Texture)


def damaged(*path: str, value: object) -> dict[str, Any]:
    payload = exported()
    place = payload
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return payload


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("schema",), 99, "schema 99"),
        (("textures", "damp"), {}, "damp"),
        (("textures", "wet", "tables"), {}, "first"),
        (("textures", "wet", "tables", "first", "air"), {"check": 1.0}, "bet_s"),
        (("textures", "wet", "tables", "first", "air", "check"), 5.0, "add up to 1"),
        (("textures", "wet", "tables", "first", "air", "check"), float("nan"), "add up to 1"),
        (("textures", "wet", "matrices", "joint"), [[1.0]], "shapes"),
        (("textures", "wet", "matrices", "equity", ), [[2.0] * 9] * 9, "equity outside"),
    ],
)  # fmt: skip
def test_a_damaged_export_is_refused_with_the_reason(path: tuple[str, ...], value: object, said: str) -> None:
    with pytest.raises(StrategyError, match=said):
        read_export(damaged(*path, value=value))


def test_what_is_no_strategy_is_refused() -> None:
    with pytest.raises(SettingError, match="shape"):
        check_strategy(np.zeros((14, 9)))
    wrong = uniform()
    wrong[13, 0] = [0.5, 0.4, 0.1, 0]
    with pytest.raises(SettingError, match="ip_facing_raise_of_bet_l"):
        check_strategy(wrong)
