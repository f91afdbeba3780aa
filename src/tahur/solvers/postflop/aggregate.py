"""One spot solved on many flops: each seat's EV and first action on each. Each flop is an independent task.

`solve_flop` depends only on the spot, the target and the flop, so flops can be solved in any order, in any process,
more than once; report.py combines the results.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from tahur.cards.cards import parse_cards
from tahur.solvers.postflop.estimate import EVERY, SpotEstimate, estimate
from tahur.solvers.postflop.flops import Flop, pairing, suit_pattern
from tahur.solvers.postflop.line import met, strategy_at, walk
from tahur.solvers.postflop.solve import PostflopSolution, PostflopSolver
from tahur.solvers.postflop.spot import Spot
from tahur.solvers.postflop.tree import Deed, Move, build
from tahur.solvers.solver import run

DEFAULT_TARGET: Final = 0.5  # % of the pot
MOST: Final = 1_000  # iterations
Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class FlopStudy:
    """A spot to be solved on each of the flops, and the exploitability to reach on each, in % of the pot."""

    spot: Spot
    flops: tuple[Flop, ...]
    target: float = DEFAULT_TARGET

    @property
    def first_moves(self) -> tuple[Move, ...]:
        """The first actions of the seat out of position; the same on every flop."""
        return build(self._somewhere).moves

    @property
    def moves_after_check(self) -> tuple[Move, ...]:
        root = build(self._somewhere)
        return root.children[[move.deed for move in root.moves].index(Deed.CHECK)].moves

    @property
    def _somewhere(self) -> Spot:
        return with_flop(self.spot, self.flops[0])

    def identity(self) -> dict[str, Any]:
        """Everything that determines the results, for the header of the results folder."""
        lines = self._somewhere.text().splitlines()
        return {
            "spot": [line for line in lines if not line.startswith("board")],
            "pot": self.spot.in_unit(self.spot.pot),
            **({"unit": self.spot.unit} if self.spot.big_blind else {}),
            "target_pct": self.target,
            "first_moves": [str(move) for move in self.first_moves],
            "moves_after_check": [str(move) for move in self.moves_after_check],
            "flops": [{"flop": str(flop), "count": flop.count, "deals": flop.deals} for flop in self.flops],
        }


@dataclass(frozen=True, slots=True)
class FlopResult:
    """The result on one flop, out of position first. Frequencies are in the order of the study's moves."""

    flop: Flop
    exploitability: float  # % of the pot
    iterations: int
    ev: Pair  # in chips, or in big blinds if the spot was given in big blinds
    equity: Pair
    first: tuple[float, ...]
    after_check: tuple[float, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "flop": str(self.flop), "count": self.flop.count, "deals": self.flop.deals,
            "exploitability_pct": self.exploitability, "iterations": self.iterations,
            "ev": list(self.ev), "equity": list(self.equity),
            "first": list(self.first), "after_check": list(self.after_check),
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> FlopResult:
        flop = Flop(tuple(parse_cards(data["flop"])), data["count"], data["deals"])
        ev, equity = data["ev"], data["equity"]
        return cls(
            flop, data["exploitability_pct"], data["iterations"], (ev[0], ev[1]), (equity[0], equity[1]),
            tuple(data["first"]), tuple(data["after_check"]),
        )  # fmt: skip


def with_flop(spot: Spot, flop: Flop) -> Spot:
    """The spot with that flop on the table."""
    return replace(spot, board=flop.cards)


def solve_flop(spot: Spot, target: float, flop: Flop, *, keep: bool = False) -> tuple[FlopResult, bytes]:
    """Solve one flop: the result and, if `keep`, the solution as the content of a file."""
    from tahur.solvers.postflop.file import content

    solver = PostflopSolver(with_flop(spot, flop))
    for _ in run(solver, iterations=MOST, target=target, every=EVERY):
        pass
    solution = solver.solution()
    return result_of(flop, solution), content(solution) if keep else b""


def result_of(flop: Flop, solution: PostflopSolution) -> FlopResult:
    """The figures of a solution on its flop."""
    return FlopResult(
        flop=flop,
        exploitability=solution.exploitability,
        iterations=solution.iterations,
        ev=(solution.spot.in_unit(solution.ev[0]), solution.spot.in_unit(solution.ev[1])),
        equity=solution.equity,
        first=solution.frequencies,
        after_check=_after_check(solution),
    )


def _after_check(solution: PostflopSolution) -> tuple[float, ...]:
    state = walk(solution.engine, Deed.CHECK.value)
    weights = met(state.reach[1], state.reach[0])
    frequencies = strategy_at(solution.engine, state) @ weights / weights.sum()
    return tuple(float(each) for each in frequencies)


def estimates(study: FlopStudy) -> list[tuple[SpotEstimate, int]]:
    """The size of one flop of each suit and pair pattern, and the number of flops with that pattern."""
    kinds: dict[tuple[str, str], list[Flop]] = {}
    for flop in study.flops:
        kinds.setdefault((suit_pattern(flop.cards), pairing(flop.cards)), []).append(flop)
    return [(estimate(with_flop(study.spot, some[0])), len(some)) for some in kinds.values()]
