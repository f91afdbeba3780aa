"""A strategy of the street game as tables for people and files.

A strategy is an array (14, 9, 4): the tables at which a seat acts, in the order of `decisions`; the buckets; the
actions of the table in its own order, padded with zeros. All tables are separate, by the size of a bet and by the seat
that faces it. The single table that averages them, as in the original description of this solver, is `average_view`; it
is lossy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Float64s
from tahur.core.errors import SettingError, StrategyError
from tahur.games.holdem.buckets import Bucket
from tahur.games.holdem.textures import Texture
from tahur.solvers.street.game import BETS, POT, RAISE, RAISE_TIMES, StreetGame, StreetTable, decisions, word
from tahur.solvers.street.matrices import Matrices

Measure = Callable[[Float64s], float]  # the exploitability of a strategy, in pots
TableRows = dict[str, dict[str, float] | None]  # bucket, action: probability; None if the bucket cannot occur

SCHEMA: Final = 2  # 1: rows of buckets that cannot occur were written as uniform instead of null
READABLE: Final = (1, SCHEMA)
TABLES: Final = tuple(decisions(StreetGame(Texture.LOW_DRY)))  # the same for every texture, but for the equities
SHAPE: Final = (len(TABLES), len(Bucket), 4)
SEATS: Final = ("oop", "ip")  # out of position, in position


class DecisionKind(StrEnum):
    """The kind of decision at a table."""

    FIRST = "first"
    VERSUS_CHECK = "versus_check"
    FACING_BET = "facing_bet"
    FACING_RAISE = "facing_raise"


KINDS: Final = tuple(DecisionKind)


@dataclass(frozen=True, slots=True)
class StrategyView:
    """A view of one strategy. `lossy`: several tables were merged into one, so that it is not the solved strategy."""

    name: str
    strategy: Float64s
    lossy: bool


def kind_of(table: StreetTable) -> DecisionKind:
    if table.bet is not None:
        return DecisionKind.FACING_RAISE if RAISE in table.history else DecisionKind.FACING_BET
    return DecisionKind.VERSUS_CHECK if table.history else DecisionKind.FIRST


def by_kind(kind: DecisionKind) -> list[int]:
    """The indices of the tables of that kind: one first, one versus a check, six and six facing a bet or a raise."""
    return [at for at, table in enumerate(TABLES) if kind_of(table) == kind]


def name_of(table: StreetTable) -> str:
    """`first`, `versus_check`, `ip_facing_bet_m`, `oop_facing_raise_of_bet_s`."""
    kind = kind_of(table)
    if table.bet is None:
        return kind.value
    bet = word(table, table.bet)
    return f"{SEATS[table.turn]}_facing_{f'raise_of_{bet}' if kind == DecisionKind.FACING_RAISE else bet}"


def empty() -> Float64s:
    """Zeros to be filled."""
    return np.zeros(SHAPE)


def uniform() -> Float64s:
    """Every action equally likely."""
    strategy = empty()
    for at, table in enumerate(TABLES):
        strategy[at, :, : len(table.actions())] = 1 / len(table.actions())
    return strategy


def check_strategy(strategy: Float64s) -> None:
    """Reject an array of another shape, or rows that are not probabilities of the table's own actions."""
    if strategy.shape != SHAPE:
        raise SettingError(f"a street strategy of shape {strategy.shape}; it must be {SHAPE}: tables, buckets, actions")
    for at, table in enumerate(TABLES):
        rows, own = strategy[at], len(table.actions())
        if not (np.all(rows >= 0) and np.all(rows[:, own:] == 0) and np.allclose(rows.sum(axis=1), 1, atol=1e-9)):
            raise SettingError(
                f"{name_of(table)}: {rows.tolist()}; each row needs {own} probabilities that add up to 1"
            )


def average_view(strategy: Float64s) -> StrategyView:
    """One table for facing a bet, the plain mean over sizes and seats. Lossy: it ignores the price of a call."""
    merged = strategy.copy()
    indices = by_kind(DecisionKind.FACING_BET)
    merged[indices] = strategy[indices].mean(axis=0)
    return StrategyView("averaged_facing_bet", merged, lossy=True)


def views(strategy: Float64s) -> tuple[StrategyView, ...]:
    """The views in an export: the strategy itself, and the averaged view of it."""
    return StrategyView("solved", strategy, lossy=False), average_view(strategy)


def occurring(game: StreetGame) -> NDArray[np.bool_]:
    """(tables, buckets) whether the seat to act can hold that bucket on this texture."""
    held = [game.prior(seat) > 0 for seat in range(game.seats)]
    return np.array([held[table.turn] for table in TABLES])


def betting_frequency(game: StreetGame, strategy: Float64s) -> tuple[float, float]:
    """How often seat 0 bets first, and how often seat 1 bets after a check."""
    checks = game.joint() * strategy[by_kind(DecisionKind.FIRST)[0], :, 0][:, None]
    back = checks * strategy[by_kind(DecisionKind.VERSUS_CHECK)[0], :, 0][None, :]
    return float(1 - checks.sum()), float(1 - back.sum() / checks.sum()) if checks.any() else 0.0


def tables_of(game: StreetGame, strategy: Float64s) -> dict[str, TableRows]:
    """Table, bucket, action: probability; all fourteen tables. A bucket that cannot occur is None."""
    held = occurring(game)
    return {name_of(table): _table(strategy[at], table, held[at]) for at, table in enumerate(TABLES)}


def averaged_table(game: StreetGame, strategy: Float64s) -> TableRows:
    """The lossy table: bucket, action, probability."""
    place = by_kind(DecisionKind.FACING_BET)[0]
    return _table(average_view(strategy).strategy[place], TABLES[place], occurring(game)[place])


def export(
    solved: Mapping[Texture, tuple[Matrices, Float64s]],
    measure: Callable[[StreetGame], Measure],
    games: Mapping[Texture, StreetGame],
    *,
    seed: int | None = None,
) -> dict[str, Any]:
    """The complete export as JSON data. `measure` gives a game's exploitability in pots of any strategy."""
    for _, strategy in solved.values():
        check_strategy(strategy)
    return {
        "schema": SCHEMA,
        "seed": seed,
        "unit": "pot",
        "rules": rules(),
        "buckets": [bucket.label for bucket in Bucket],
        "textures": {
            texture.value: _texture(matrices, games[texture], strategy, measure(games[texture]))
            for texture, (matrices, strategy) in solved.items()
        },
    }


def rules() -> dict[str, Any]:
    """The rules as numbers; a bet and a raise are in pots."""
    bets = {word(TABLES[0], action): size / POT for action, size in BETS.items()}
    return {
        "pot": 1.0,
        "paid": [0.5, 0.5],
        "bets": bets,
        "raise_beyond_call": {name: round(RAISE_TIMES * size, 6) for name, size in bets.items()},
        "raises": 1,
        "seats": list(SEATS),
    }


def read_export(payload: object) -> dict[Texture, tuple[Matrices, Float64s]]:
    """The matrices and the strategy of each texture in an export, checked."""
    schema = payload.get("schema") if isinstance(payload, dict) else None
    if not isinstance(payload, dict) or schema not in READABLE:
        raise StrategyError(f"schema {schema!r} is unknown; `tahur postflop street solve -o` writes {READABLE}")
    try:
        return {
            Texture(name): (_read_matrices(Texture(name), texture["matrices"]), _read_tables(texture["tables"]))
            for name, texture in payload["textures"].items()
        }
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        why = f"{type(error).__name__}: {error}; rewrite it with `tahur postflop street solve -o`"
        raise StrategyError(why) from error


def _read_matrices(texture: Texture, matrices: Mapping[str, Any]) -> Matrices:
    """The matrices in the JSON of an exported view, if they are valid."""
    marginal, joint = (_numbers(matrices[name]) for name in ("marginal", "joint"))
    equity = _numbers([[np.nan if share is None else share for share in row] for row in matrices["equity"]])
    size = len(Bucket)
    if (marginal.shape, joint.shape, equity.shape) != ((size,), (size, size), (size, size)):
        raise ValueError(f"{texture}: matrices of shapes {marginal.shape}, {joint.shape}, {equity.shape}")
    if not (np.isfinite(joint).all() and (joint >= 0).all() and np.isclose(joint.sum(), 1)):
        raise ValueError(f"{texture}: joint probabilities that do not add up to 1")
    if not (np.isnan(equity) | ((equity >= 0) & (equity <= 1))).all():
        raise ValueError(f"{texture}: an equity outside 0 to 1")
    return Matrices(
        texture=texture,
        source=str(matrices["source"]),
        marginal=marginal,
        joint=joint,
        equity=equity,
        met=np.zeros((size, size), np.int64),  # an export has no counts
    )


def _numbers(rows: object) -> NDArray[np.float64]:
    return np.asarray(rows, np.float64)


def _read_tables(tables: Mapping[str, Any]) -> Float64s:
    """(tables, buckets, actions) the strategy in the JSON of an exported view."""
    strategy = uniform()
    for at, table in enumerate(TABLES):
        words = [word(table, action) for action in table.actions()]
        for bucket in Bucket:
            row = tables[name_of(table)][bucket.label]
            if row is not None:
                strategy[at, bucket, : len(words)] = [float(row[name]) for name in words]
    check_strategy(strategy)
    return strategy


def _texture(matrices: Matrices, game: StreetGame, strategy: Float64s, measure: Measure) -> dict[str, Any]:
    """The JSON of one texture: its matrices, strategy and exploitability."""
    return {
        "matrices": {
            "source": matrices.source,
            "marginal": matrices.marginal.tolist(),
            "joint": matrices.joint.tolist(),
            "equity": [[None if np.isnan(share) else share for share in row] for row in matrices.equity.tolist()],
            "unseen": [[Bucket(one).label, Bucket(other).label] for one, other in matrices.unseen],
        },
        "tables": tables_of(game, strategy),
        "averaged_facing_bet": {"lossy": True, "table": averaged_table(game, strategy)},
        "exploitability": {view.name: measure(view.strategy) for view in views(strategy)},
    }


def _table(rows: NDArray[np.float64], table: StreetTable, held: NDArray[np.bool_]) -> TableRows:
    return {bucket.label: frequencies(rows[bucket], table) if held[bucket] else None for bucket in Bucket}


def frequencies(row: NDArray[np.float64], table: StreetTable) -> dict[str, float]:
    """One bucket's probabilities by action name."""
    words = [word(table, action) for action in table.actions()]
    return {name: float(share) for name, share in zip(words, row, strict=False)}
