"""A strategy of the street game as tables that people and files can read.

A strategy is an array (14, 9, 4): the tables on which a seat decides, in the order of `decisions`; the buckets; the
actions of the table in its own order, padded by zeros. Every table stays apart: the sizes of a bet, and the seats that
face it. The one table that averages them, as the first description of this solver did, is `averaged`, and it is lossy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.errors import SettingError
from tahur.games.holdem.buckets import Bucket
from tahur.games.holdem.textures import Texture
from tahur.solvers.street.game import BETS, POT, RAISE, RAISE_TIMES, StreetGame, StreetTable, decisions, word
from tahur.solvers.street.matrices import Matrices

Strategy = NDArray[np.float64]
Measure = Callable[[Strategy], float]  # the exploitability of a strategy, in pots

SCHEMA: Final = 1
TABLES: Final = tuple(decisions(StreetGame(Texture.LOW_DRY)))  # the same for every texture, but for the equities
SHAPE: Final = (len(TABLES), len(Bucket), 4)
SEATS: Final = ("oop", "ip")  # out of position, in position


class Kind(StrEnum):
    """What a seat is asked on a table."""

    FIRST = "first"
    VERSUS_CHECK = "versus_check"
    FACING_BET = "facing_bet"
    FACING_RAISE = "facing_raise"


KINDS: Final = tuple(Kind)


@dataclass(frozen=True, slots=True)
class View:
    """One strategy to be looked at. `lossy`: several tables were made one, so that it is not what was solved."""

    name: str
    strategy: Strategy
    lossy: bool


def kind_of(table: StreetTable) -> Kind:
    if table.bet is not None:
        return Kind.FACING_RAISE if RAISE in table.history else Kind.FACING_BET
    return Kind.VERSUS_CHECK if table.history else Kind.FIRST


def by_kind(kind: Kind) -> list[int]:
    """The places of the tables of that kind: one first, one versus a check, six and six facing a bet or a raise."""
    return [at for at, table in enumerate(TABLES) if kind_of(table) == kind]


def name_of(table: StreetTable) -> str:
    """`first`, `versus_check`, `ip_facing_bet_m`, `oop_facing_raise_of_bet_s`."""
    kind = kind_of(table)
    if table.bet is None:
        return kind.value
    bet = word(table, table.bet)
    return f"{SEATS[table.turn]}_facing_{f'raise_of_{bet}' if kind == Kind.FACING_RAISE else bet}"


def empty() -> Strategy:
    """Zeros to be filled."""
    return np.zeros(SHAPE)


def uniform() -> Strategy:
    """Every action alike."""
    strategy = empty()
    for at, table in enumerate(TABLES):
        strategy[at, :, : len(table.actions())] = 1 / len(table.actions())
    return strategy


def check_strategy(strategy: Strategy) -> None:
    """Refuse an array of another shape, or rows that are not probabilities of the table's own actions."""
    if strategy.shape != SHAPE:
        raise SettingError(f"a street strategy of shape {strategy.shape}; it is {SHAPE}: tables, buckets, actions")
    for at, table in enumerate(TABLES):
        rows, own = strategy[at], len(table.actions())
        if not (np.all(rows >= 0) and np.all(rows[:, own:] == 0) and np.allclose(rows.sum(axis=1), 1, atol=1e-9)):
            raise SettingError(f"{name_of(table)}: {rows.tolist()}; each row is {own} probabilities that add up to 1")


def averaged(strategy: Strategy) -> View:
    """One table for facing a bet, the plain mean over sizes and seats. Lossy: the price of a call is forgotten."""
    blurred = strategy.copy()
    places = by_kind(Kind.FACING_BET)
    blurred[places] = strategy[places].mean(axis=0)
    return View("averaged_facing_bet", blurred, lossy=True)


def views(strategy: Strategy) -> tuple[View, ...]:
    """What an export holds: the strategy as it is, and the averaged view of it."""
    return View("solved", strategy, lossy=False), averaged(strategy)


def betting_frequency(game: StreetGame, strategy: Strategy) -> tuple[float, float]:
    """How often seat 0 bets first, and how often seat 1 bets when checked to."""
    checks = game.joint() * strategy[by_kind(Kind.FIRST)[0], :, 0][:, None]
    back = checks * strategy[by_kind(Kind.VERSUS_CHECK)[0], :, 0][None, :]
    return float(1 - checks.sum()), float(1 - back.sum() / checks.sum()) if checks.any() else 0.0


def tables_of(strategy: Strategy) -> dict[str, dict[str, dict[str, float]]]:
    """Table, bucket, action: probability; all fourteen tables."""
    return {name_of(table): _table(strategy[at], table) for at, table in enumerate(TABLES)}


def averaged_table(strategy: Strategy) -> dict[str, dict[str, float]]:
    """The lossy table: bucket, action, probability."""
    place = by_kind(Kind.FACING_BET)[0]
    return _table(averaged(strategy).strategy[place], TABLES[place])


def export(
    solved: Mapping[Texture, tuple[Matrices, Strategy]],
    measure: Callable[[StreetGame], Measure],
    games: Mapping[Texture, StreetGame],
    *,
    seed: int | None = None,
) -> dict[str, Any]:
    """Everything, as JSON can hold it. `measure` gives a game's exploitability in pots of any strategy."""
    for _, strategy in solved.values():
        check_strategy(strategy)
    return {
        "schema": SCHEMA,
        "seed": seed,
        "unit": "pot",
        "rules": rules(),
        "buckets": [bucket.label for bucket in Bucket],
        "textures": {
            texture.value: _texture(matrices, strategy, measure(games[texture]))
            for texture, (matrices, strategy) in solved.items()
        },
    }


def rules() -> dict[str, Any]:
    """The game in numbers; a bet and a raise are in pots."""
    bets = {word(TABLES[0], action): size / POT for action, size in BETS.items()}
    return {
        "pot": 1.0,
        "paid": [0.5, 0.5],
        "bets": bets,
        "raise_beyond_call": {name: round(RAISE_TIMES * size, 6) for name, size in bets.items()},
        "raises": 1,
        "seats": list(SEATS),
    }


def _texture(matrices: Matrices, strategy: Strategy, measure: Measure) -> dict[str, Any]:
    return {
        "matrices": {
            "source": matrices.source,
            "marginal": matrices.marginal.tolist(),
            "joint": matrices.joint.tolist(),
            "equity": [[None if np.isnan(share) else share for share in row] for row in matrices.equity.tolist()],
            "unseen": [[Bucket(one).label, Bucket(other).label] for one, other in matrices.unseen],
        },
        "tables": tables_of(strategy),
        "averaged_facing_bet": {"lossy": True, "table": averaged_table(strategy)},
        "exploitability": {view.name: measure(view.strategy) for view in views(strategy)},
    }


def _table(rows: NDArray[np.float64], table: StreetTable) -> dict[str, dict[str, float]]:
    words = [word(table, action) for action in table.actions()]
    return {
        bucket.label: {name: float(share) for name, share in zip(words, rows[bucket], strict=False)}
        for bucket in Bucket
    }
