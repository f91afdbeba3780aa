"""Counts the decisions of language models that were fallbacks: no usable answer, so the best option was played."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tahur.core.record import Record

MODEL: Final = "model"  # the chooser of a decision
FALLBACK: Final = "fallback"
MANY: Final = 0.5  # a larger share is reported prominently
_CHOSE: Final = re.compile(rf"\| chose \d+ by ({MODEL}|{FALLBACK})\b")


@dataclass(frozen=True, slots=True)
class Fallbacks:
    """The decisions requested from a model, how many of them were fallbacks, and why."""

    decisions: int = 0
    fallbacks: int = 0
    faults: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of_log(cls, entries: Iterable[Mapping[str, Any]]) -> Fallbacks:
        """Counts from a log of models."""
        kept = list(entries)
        missed = [entry for entry in kept if entry["by"] != MODEL]
        faults = Counter(fault for entry in missed for fault in set(entry["faults"]))
        return cls(len(kept), len(missed), tuple(faults.most_common()))

    @classmethod
    def of_record(cls, record: Record) -> Fallbacks:
        """Counts from one hand, by its players' thoughts."""
        by = [match[1] for thought in record.thoughts if (match := _CHOSE.search(thought.text))]
        return cls(len(by), by.count(FALLBACK))

    def __add__(self, other: Fallbacks) -> Fallbacks:
        faults = Counter(dict(self.faults)) + Counter(dict(other.faults))
        return Fallbacks(
            self.decisions + other.decisions, self.fallbacks + other.fallbacks, tuple(faults.most_common())
        )

    @property
    def share(self) -> float:
        return self.fallbacks / self.decisions if self.decisions else 0.0

    @property
    def many(self) -> bool:
        return self.share > MANY

    @property
    def every(self) -> bool:
        """Whether no model decided anything."""
        return 0 < self.decisions == self.fallbacks

    @property
    def text(self) -> str:
        """`12 of 40 decisions of the language model (30 %) were fallbacks: 12 x no connection`."""
        why = ", ".join(f"{times:,} x {fault}" for fault, times in self.faults[:3])
        counts = f"{self.fallbacks:,} of {self.decisions:,} decisions of the language model ({100 * self.share:.0f} %)"
        return f"{counts} were fallbacks" + (f": {why}" if why else "")

    def as_json(self) -> dict[str, Any]:
        return {
            "decisions": self.decisions,
            "fallbacks": self.fallbacks,
            "share": round(self.share, 4),
            "faults": dict(self.faults),
        }
