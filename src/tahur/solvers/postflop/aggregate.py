"""One spot solved on many flops: each seat's EV and first action on each, and a `Report` of means over flops.

`solve_flop` depends only on the spot, the target and the flop, so flops can be solved in any order, in any process,
more than once; a report combines the results. A mean weights each flop by its deals (flops.py): the probability of the
flop given both ranges. So a mean EV is what a seat wins per deal of these flops, and a mean frequency how often it
takes an action. The actions of the seat in position after a check are averaged over the deals in which there was a
check. A report may cover an unfinished study.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import Any, Final

import numpy as np

from tahur.cards.cards import parse_cards
from tahur.core.chips import CHIPS
from tahur.core.errors import UnknownName
from tahur.solvers.postflop.estimate import EVERY, SpotEstimate, estimate
from tahur.solvers.postflop.flops import GROUPINGS, Flop, group_of, pairing, suit_pattern
from tahur.solvers.postflop.line import meeting_weights, strategy_at, walk
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
        """The result that `to_json` wrote."""
        flop = Flop(tuple(parse_cards(data["flop"])), data["count"], data["deals"])
        ev, equity = data["ev"], data["equity"]
        return cls(
            flop=flop,
            exploitability=data["exploitability_pct"],
            iterations=data["iterations"],
            ev=(ev[0], ev[1]),
            equity=(equity[0], equity[1]),
            first=tuple(data["first"]),
            after_check=tuple(data["after_check"]),
        )


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
    """The frequency of each move of the seat in position after a check."""
    state = walk(solution.engine, Deed.CHECK.value)
    weights = meeting_weights(state.reach[1], state.reach[0])
    frequencies = strategy_at(solution.engine, state) @ weights / weights.sum()
    return tuple(float(frequency) for frequency in frequencies)


def estimates(study: FlopStudy) -> list[tuple[SpotEstimate, int]]:
    """The size of one flop of each suit and pair pattern, and the number of flops with that pattern."""
    kinds: dict[tuple[str, str], list[Flop]] = {}
    for flop in study.flops:
        kinds.setdefault((suit_pattern(flop.cards), pairing(flop.cards)), []).append(flop)
    return [(estimate(with_flop(study.spot, members[0])), len(members)) for members in kinds.values()]


@dataclass(frozen=True, slots=True)
class FlopMean:
    """The mean over several flops, or one; `share` is their share of all deals."""

    name: str
    flops: int
    share: float
    ev: Pair
    equity: Pair
    realized: Pair  # EQR: EV / (equity x pot)
    first: tuple[float, ...]
    after_check: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """The output of `FlopStudy.identity`, with the results so far."""

    identity: Mapping[str, Any]
    results: tuple[FlopResult, ...]

    @property
    def unit(self) -> str:
        """Of EVs."""
        return str(self.identity.get("unit", CHIPS))

    @property
    def planned(self) -> int:
        """The number of flops in the finished study."""
        return len(self.identity["flops"])

    @property
    def moves(self) -> tuple[Sequence[str], Sequence[str]]:
        """The first actions, and the actions after a check."""
        return self.identity["first_moves"], self.identity["moves_after_check"]

    def overall(self) -> FlopMean:
        return self._mean("all", self.results)

    def of(self, finding: FlopResult) -> FlopMean:
        """One flop."""
        return self._mean(str(finding.flop), [finding])

    def groups(self, by: str) -> Iterator[tuple[FlopMean, list[FlopResult]]]:
        """Each non-empty group, in the order of groups, with its results, best EV first."""
        check_grouping(by)
        for name in GROUPINGS[by][1]:
            members = [finding for finding in self.results if group_of(finding.flop.cards, by) == name]
            if members:
                yield (
                    self._mean(name, members),
                    sorted(members, key=lambda finding: (-finding.ev[0], str(finding.flop))),
                )

    def to_json(self, by: str = "texture") -> dict[str, Any]:
        """The whole report as JSON."""
        return {
            "spot": self.identity["spot"],
            "unit": self.unit,
            "target_pct": self.identity["target_pct"],
            "flops": self.planned,
            "done": len(self.results),
            "overall": self._mean_json(self.overall()) if self.results else None,
            "by": by,
            "groups": [self._mean_json(mean) for mean, _ in self.groups(by)],
            "rows": [self._result_json(finding) for finding in self.results],
        }

    def csv(self) -> str:
        """A header and one line per flop."""
        lines = [self._csv_header(), *(self._csv_row(finding) for finding in self.results)]
        return "".join(",".join(line) + "\n" for line in lines)

    def _mean(self, name: str, results: Sequence[FlopResult]) -> FlopMean:
        """The mean of some flops, each weighted by the number of its deals."""
        deals = np.array([result.flop.deals for result in results])
        checks = deals * np.array([result.first[0] for result in results])  # check is the first of the first moves
        ev, equity = (
            _weighted_mean([result.ev for result in results], deals),
            _weighted_mean([result.equity for result in results], deals),
        )
        pot = self.identity["pot"]
        realized = [won / (share * pot) if share else nan for won, share in zip(ev, equity, strict=True)]
        return FlopMean(
            name=name,
            flops=len(results),
            share=float(deals.sum() / sum(finding.flop.deals for finding in self.results)),
            ev=(ev[0], ev[1]),
            equity=(equity[0], equity[1]),
            realized=(realized[0], realized[1]),
            first=_weighted_mean([result.first for result in results], deals),
            after_check=_weighted_mean([result.after_check for result in results], checks if checks.sum() else deals),
        )

    def _result_json(self, finding: FlopResult) -> dict[str, Any]:
        """The result on one flop as JSON."""
        flop = finding.flop
        about = {"count": flop.count, "deals": flop.deals, "exploitability_pct": finding.exploitability}
        return self._mean_json(self.of(finding)) | about

    def _mean_json(self, mean: FlopMean) -> dict[str, Any]:
        """A mean as JSON, with frequencies by the names of the moves."""
        first, after_check = self.moves
        return {
            "name": mean.name,
            "flops": mean.flops,
            "share": mean.share,
            "ev": _seats(mean.ev),
            "equity": _seats(mean.equity),
            "eqr": _seats(mean.realized),
            "first": dict(zip(first, mean.first, strict=True)),
            "after_check": dict(zip(after_check, mean.after_check, strict=True)),
        }

    def _csv_header(self) -> list[str]:
        """The names of the columns."""
        first, after_check = self.moves
        return [
            "flop", "texture", "suit", "pairing", "count", "deals", "share", "exploitability_pct", "iterations",
            "ev_oop", "ev_ip", "equity_oop", "equity_ip", "eqr_oop", "eqr_ip",
            *(f"oop_{move}" for move in first), *(f"ip_{move}" for move in after_check),
        ]  # fmt: skip

    def _csv_row(self, finding: FlopResult) -> list[str]:
        """The cells of one flop; NaN is an empty cell."""
        mean, flop = self.of(finding), finding.flop
        kinds = group_of(flop.cards, "texture"), suit_pattern(flop.cards), pairing(flop.cards)
        about = flop.count, flop.deals, mean.share, finding.exploitability, finding.iterations
        numbers = *about, *mean.ev, *mean.equity, *mean.realized, *mean.first, *mean.after_check
        return [str(flop), *kinds, *("" if isnan(number) else repr(number) for number in numbers)]


def check_grouping(by: str) -> None:
    """Reject unknown groupings."""
    if by not in GROUPINGS:
        raise UnknownName(f"cannot group flops by '{by}'; valid: {', '.join(GROUPINGS)}")


def _seats(pair: Pair) -> dict[str, float | None]:
    """A value per seat; NaN becomes null, since JSON has no NaN."""
    return {name: None if isnan(number) else number for name, number in zip(("oop", "ip"), pair, strict=True)}


def _weighted_mean(rows: Sequence[Sequence[float]], weights: Any) -> tuple[float, ...]:
    """The weighted mean of several rows, column by column."""
    return tuple(float(mean) for mean in weights @ np.array(rows) / weights.sum())
