"""Estimates of the bounds in bounds.py over sampled boards, with confidence intervals and what each one bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np

from tahur.cards.cards import COMBOS
from tahur.cards.equity.tables import combos
from tahur.core.errors import SolverError
from tahur.core.quantiles import student_reach
from tahur.games.betting import Betting
from tahur.solvers.limit.bounds import (
    CARDS,
    BestResponse,
    Board,
    Clairvoyant,
    FixedPolicy,
    LimitPolicy,
    LocalBestResponse,
    deals,
    hands_without,
)

LEVEL: Final = 0.95
FEWEST_BOARDS: Final = 10  # minimum for an interval; with fewer, the spread is too uncertain
DEALS_ON_A_BOARD: Final = 50  # of the clairvoyant
LOWER, CLAIRVOYANT, ESTIMATE = "lower bound", "clairvoyant upper bound", "estimate"
STREETS: Final = ("preflop", "flop", "turn", "river")


@dataclass(frozen=True, slots=True)
class SampledBound:
    """An estimate in thousandths of a big blind per game: the mean of both seats' winnings over sampled boards."""

    name: str
    kind: str
    boards: int
    mean: float
    error: float  # standard error

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % confidence interval by Student's t; None with too few boards."""
        if self.boards < FEWEST_BOARDS:
            return None
        reach = self.error * student_reach(LEVEL, self.boards - 1)
        return self.mean - reach, self.mean + reach


def bound_names(betting: Betting) -> tuple[str, ...]:
    """The bounds available for a game: best responses on the last street and, if one card separates them, the one
    before."""
    last = betting.streets - 1
    names = [STREETS[last]]
    if last > 0 and CARDS[last] - CARDS[last - 1] == 1:
        names.append(STREETS[last - 1])
    return (*names, "local", "clairvoyant")


def sample_bound(
    name: str, betting: Betting, policy: LimitPolicy, boards: int, rng: np.random.Generator
) -> Iterator[SampledBound]:
    """The bound of that name, with one estimate after every board."""
    kind = CLAIRVOYANT if name == "clairvoyant" else LOWER
    return _running_mean(name, kind, betting, _exploiter(name, betting, policy, rng), boards, rng)


def sample_match(
    betting: Betting, policies: tuple[LimitPolicy, LimitPolicy], boards: int, rng: np.random.Generator
) -> Iterator[SampledBound]:
    """What the first policy wins from the second, each in both seats."""
    own, other = policies

    def won(board: Board) -> float:
        hands = hands_without(board)
        seats = (FixedPolicy(betting, other, seat, own=own).value(0, board, hands, hands).sum() for seat in (0, 1))
        return _mean(float(chips) / deals(board) for chips in seats)

    return _running_mean("match", ESTIMATE, betting, won, boards, rng)


def _running_mean(
    name: str,
    kind: str,
    betting: Betting,
    won_on: Callable[[Board], float],
    boards: int,
    rng: np.random.Generator,
) -> Iterator[SampledBound]:
    """The mean of `won_on` (chips on a board) over sampled boards and its standard error, yielded after every board.

    Welford's algorithm: `squares` is the sum of squared deviations from the mean.
    """
    unit = 1000.0 / betting.game.stakes.blinds[-1]
    mean = squares = 0.0
    for count in range(1, boards + 1):
        board = tuple(rng.choice(52, betting.game.stakes.showdown_board, replace=False).tolist())
        won = unit * won_on(board)
        step = won - mean
        mean += step / count
        squares += step * (won - mean)
        yield SampledBound(
            name=name,
            kind=kind,
            boards=count,
            mean=mean,
            error=sqrt(squares / (count - 1) / count) if count > 1 else float("inf"),
        )


def _exploiter(name: str, betting: Betting, policy: LimitPolicy, rng: np.random.Generator) -> Callable[[Board], float]:
    """A function that computes what the bound's strategy wins on a board, averaged over both seats, in chips."""
    if name not in bound_names(betting):
        raise SolverError(f"no bound '{name}' for {betting.game.name}; valid: {', '.join(bound_names(betting))}")
    if name == "local":
        return lambda board: _mean(_local_best_response_value(betting, policy, seat, board, rng) for seat in (0, 1))
    if name == "clairvoyant":
        return lambda board: _mean(_clairvoyant_value(betting, policy, seat, board, rng) for seat in (0, 1))
    street = STREETS.index(name)
    return lambda board: _mean(
        _best_response_value(betting, policy, seat, street, board[: CARDS[street]]) for seat in (0, 1)
    )


def _mean(of_seats: Iterator[float]) -> float:
    return sum(of_seats) / 2


def _best_response_value(betting: Betting, policy: LimitPolicy, seat: int, street: int, board: Board) -> float:
    """What a seat that plays a best response from `street` on, and calls before, wins per deal on a board, in chips."""
    hands = hands_without(board)
    value = BestResponse(betting, policy, seat, street=street).value(0, board, hands)
    return float((hands * value).sum()) / deals(board)


def _local_best_response_value(
    betting: Betting, policy: LimitPolicy, seat: int, board: Board, rng: np.random.Generator
) -> float:
    """What a local best response wins per deal on a board, in chips."""
    hands = hands_without(board)
    value = LocalBestResponse(betting, policy, seat, rng=rng).value(0, board, hands, hands)
    return float(value.sum()) / deals(board)


def _clairvoyant_value(
    betting: Betting, policy: LimitPolicy, seat: int, board: Board, rng: np.random.Generator
) -> float:
    """What a seat that sees the opponent's cards wins per deal on a board, in chips, over random deals."""
    pairs = rng.integers(COMBOS, size=(60 * DEALS_ON_A_BOARD, 2))
    apart = combos().mask[pairs[:, 0]] & combos().mask[pairs[:, 1]] == 0
    pairs = pairs[apart & (hands_without(board)[pairs] > 0).all(axis=1)][:DEALS_ON_A_BOARD]
    return float(Clairvoyant(betting, policy, seat).values(0, board, pairs[:, 0], pairs[:, 1]).mean())
