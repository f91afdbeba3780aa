"""One spot on many flops: what each seat wins and does first on each. Each flop is a piece of work of its own.

`solve_flop` is a function of the spot, the target and the flop alone, so it does not matter who runs it, when or how
often; report.py puts the findings together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from tahur.cards.cards import parse_cards
from tahur.solvers.postflop.estimate import Estimate, estimate
from tahur.solvers.postflop.flops import Flop, pairing, suit_pattern
from tahur.solvers.postflop.line import met, strategy_at, walk
from tahur.solvers.postflop.solve import PostflopSolution, PostflopSolver
from tahur.solvers.postflop.spot import Spot
from tahur.solvers.postflop.tree import Deed, Move, build

DEFAULT_TARGET: Final = 0.5  # % of the pot
MOST: Final = 1_000  # iterations
Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class FlopStudy:
    """A spot whose board is to be each of the flops, and how far each is solved, in % of the pot."""

    spot: Spot
    flops: tuple[Flop, ...]
    target: float = DEFAULT_TARGET

    @property
    def first_moves(self) -> tuple[Move, ...]:
        """What the seat out of position can do first; the same on every flop."""
        return build(self._somewhere).moves

    @property
    def moves_after_check(self) -> tuple[Move, ...]:
        root = build(self._somewhere)
        return root.children[[move.deed for move in root.moves].index(Deed.CHECK)].moves

    @property
    def _somewhere(self) -> Spot:
        return on(self.spot, self.flops[0])

    def identity(self) -> dict[str, Any]:
        """All that decides the results, for the folder that keeps them."""
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
    """What came out on one flop, out of position first. Frequencies are in the order of the study's moves."""

    flop: Flop
    exploitability: float  # % of the pot
    iterations: int
    ev: Pair  # in chips, or in big blinds if the spot was given so
    equity: Pair
    first: tuple[float, ...]
    after_check: tuple[float, ...]

    def told(self) -> dict[str, Any]:
        return {
            "flop": str(self.flop), "count": self.flop.count, "deals": self.flop.deals,
            "exploitability_pct": self.exploitability, "iterations": self.iterations,
            "ev": list(self.ev), "equity": list(self.equity),
            "first": list(self.first), "after_check": list(self.after_check),
        }  # fmt: skip

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> FlopResult:
        flop = Flop(tuple(parse_cards(told["flop"])), told["count"], told["deals"])
        ev, equity = told["ev"], told["equity"]
        return cls(
            flop, told["exploitability_pct"], told["iterations"], (ev[0], ev[1]), (equity[0], equity[1]),
            tuple(told["first"]), tuple(told["after_check"]),
        )  # fmt: skip


def on(spot: Spot, flop: Flop) -> Spot:
    """The spot with that flop on the table."""
    return replace(spot, board=flop.cards)


def solve_flop(spot: Spot, target: float, flop: Flop, *, keep: bool = False) -> tuple[FlopResult, bytes]:
    """One flop solved: what came out, and the solution as a file's content if it is to be kept."""
    from tahur.solvers.postflop.file import content

    solver = PostflopSolver(on(spot, flop))
    for _ in solver.run(target, most=MOST):
        pass
    solution = solver.solution()
    return finding(flop, solution), content(solution) if keep else b""


def finding(flop: Flop, solution: PostflopSolution) -> FlopResult:
    """What a solution says of its flop."""
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
    place = walk(solution.engine, Deed.CHECK.value)
    weights = met(place.reach[1], place.reach[0])
    often = strategy_at(solution.engine, place) @ weights / weights.sum()
    return tuple(float(each) for each in often)


def estimates(study: FlopStudy) -> list[tuple[Estimate, int]]:
    """How big one flop of each kind of suits and pairs is, and how many there are of it."""
    kinds: dict[tuple[str, str], list[Flop]] = {}
    for flop in study.flops:
        kinds.setdefault((suit_pattern(flop.cards), pairing(flop.cards)), []).append(flop)
    return [(estimate(on(study.spot, some[0])), len(some)) for some in kinds.values()]
