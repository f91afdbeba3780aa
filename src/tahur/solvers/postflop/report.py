"""What an aggregate says: means over flops, and every flop, for tables, JSON and CSV.

A mean weighs each flop by its deals (flops.py): how likely the flop is, both ranges being known. So a mean EV is what a
seat wins per deal of these flops, and a mean frequency how often it does something. What the seat in position does
after a check is a mean over the deals in which there was a check. A report may be of a study that is not finished.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any

import numpy as np

from tahur.core.chips import CHIPS
from tahur.core.errors import UnknownName
from tahur.solvers.postflop.aggregate import FlopResult, Pair
from tahur.solvers.postflop.flops import GROUPINGS, group_of, pairing, suit_pattern


@dataclass(frozen=True, slots=True)
class FlopMean:
    """Of some flops, or of one; `share` is how much of all deals they are."""

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
    """What `Study.identity` says, with the findings so far."""

    identity: Mapping[str, Any]
    findings: tuple[FlopResult, ...]

    @property
    def unit(self) -> str:
        """Of EVs."""
        return str(self.identity.get("unit", CHIPS))

    @property
    def asked(self) -> int:
        """How many flops there will be."""
        return len(self.identity["flops"])

    @property
    def moves(self) -> tuple[Sequence[str], Sequence[str]]:
        """What can be done first, and after a check."""
        return self.identity["first_moves"], self.identity["moves_after_check"]

    def overall(self) -> FlopMean:
        return self._mean("all", self.findings)

    def of(self, finding: FlopResult) -> FlopMean:
        """One flop."""
        return self._mean(str(finding.flop), [finding])

    def groups(self, by: str) -> Iterator[tuple[FlopMean, list[FlopResult]]]:
        """Each group that has any findings, in the groups' order, with what is in it, best EV first."""
        check_grouping(by)
        for name in GROUPINGS[by][1]:
            members = [each for each in self.findings if group_of(each.flop.cards, by) == name]
            if members:
                yield self._mean(name, members), sorted(members, key=lambda each: (-each.ev[0], str(each.flop)))

    def told(self, by: str = "texture") -> dict[str, Any]:
        """Everything, for machines."""
        return {
            "spot": self.identity["spot"],
            "unit": self.unit,
            "target_pct": self.identity["target_pct"],
            "flops": self.asked,
            "done": len(self.findings),
            "overall": self._told(self.overall()) if self.findings else None,
            "by": by,
            "groups": [self._told(mean) for mean, _ in self.groups(by)],
            "rows": [self._row(each) for each in self.findings],
        }

    def csv(self) -> str:
        """A head and a line for each flop."""
        lines = [self._head(), *(self._line(each) for each in self.findings)]
        return "".join(",".join(line) + "\n" for line in lines)

    def _mean(self, name: str, some: Sequence[FlopResult]) -> FlopMean:
        deals = np.array([each.flop.deals for each in some])
        checks = deals * np.array([each.first[0] for each in some])  # to check is the first of the first moves
        ev, equity = _averaged([each.ev for each in some], deals), _averaged([each.equity for each in some], deals)
        pot = self.identity["pot"]
        realized = [won / (share * pot) if share else nan for won, share in zip(ev, equity, strict=True)]
        return FlopMean(
            name=name,
            flops=len(some),
            share=float(deals.sum() / sum(each.flop.deals for each in self.findings)),
            ev=(ev[0], ev[1]),
            equity=(equity[0], equity[1]),
            realized=(realized[0], realized[1]),
            first=_averaged([each.first for each in some], deals),
            after_check=_averaged([each.after_check for each in some], checks if checks.sum() else deals),
        )

    def _row(self, finding: FlopResult) -> dict[str, Any]:
        flop = finding.flop
        about = {"count": flop.count, "deals": flop.deals, "exploitability_pct": finding.exploitability}
        return self._told(self.of(finding)) | about

    def _told(self, mean: FlopMean) -> dict[str, Any]:
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

    def _head(self) -> list[str]:
        first, after_check = self.moves
        return [
            "flop", "texture", "suit", "pairing", "count", "deals", "share", "exploitability_pct", "iterations",
            "ev_oop", "ev_ip", "equity_oop", "equity_ip", "eqr_oop", "eqr_ip",
            *(f"oop_{move}" for move in first), *(f"ip_{move}" for move in after_check),
        ]  # fmt: skip

    def _line(self, finding: FlopResult) -> list[str]:
        mean, flop = self.of(finding), finding.flop
        kinds = group_of(flop.cards, "texture"), suit_pattern(flop.cards), pairing(flop.cards)
        about = flop.count, flop.deals, mean.share, finding.exploitability, finding.iterations
        numbers = *about, *mean.ev, *mean.equity, *mean.realized, *mean.first, *mean.after_check
        return [str(flop), *kinds, *("" if isnan(number) else repr(number) for number in numbers)]


def check_grouping(by: str) -> None:
    """Refuse what flops cannot be grouped by."""
    if by not in GROUPINGS:
        raise UnknownName(f"flops are not grouped by '{by}'; one of: {', '.join(GROUPINGS)}")


def _seats(pair: Pair) -> dict[str, float | None]:
    """JSON knows no NaN."""
    return {name: None if isnan(number) else number for name, number in zip(("oop", "ip"), pair, strict=True)}


def _averaged(rows: Sequence[Sequence[float]], weights: Any) -> tuple[float, ...]:
    return tuple(float(each) for each in weights @ np.array(rows) / weights.sum())
