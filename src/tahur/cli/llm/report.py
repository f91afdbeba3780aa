"""Summarize a log of language models' decisions: answers, faults, response times, costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from tahur.players.bounded.fallbacks import MODEL


def report_of(entries: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """All decisions together, then those of each model and persona."""
    players = sorted({(entry["model"], entry["persona"]) for entry in entries})
    each = [
        {"model": model, "persona": persona}
        | _summed([entry for entry in entries if (entry["model"], entry["persona"]) == (model, persona)])
        for model, persona in players
    ]
    return {"all": _summed(entries), "players": each}


def _summed(entries: Sequence[dict[str, Any]]) -> dict[str, Any]:
    answered = [entry for entry in entries if entry["by"] == MODEL]
    seconds = sorted(entry["seconds"] for entry in entries)
    return {
        "decisions": len(entries),
        "answered": len(answered),
        "retried": sum(entry["tries"] > 1 for entry in entries),
        "fallbacks": len(entries) - len(answered),
        "faults": dict(Counter(fault for entry in entries for fault in entry["faults"]).most_common()),
        "seconds": {"median": _at(seconds, 0.5), "p95": _at(seconds, 0.95), "most": seconds[-1]},
        "tokens": {"read": _sum(entries, "tokens_read"), "written": _sum(entries, "tokens_written")},
        "money": round(sum(entry["money"] for entry in entries), 6),
        "chosen": dict(Counter(_action(entry) for entry in entries).most_common()),
        "first": sum(entry["option"] == 1 for entry in answered) / len(answered) if answered else None,
    }


def _action(entry: dict[str, Any]) -> str:
    return str(next((option["action"] for option in entry["menu"] if option["number"] == entry["option"]), "?"))


def _at(ordered: Sequence[float], part: float) -> float:
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def _sum(entries: Iterable[dict[str, Any]], key: str) -> int:
    return sum(entry[key] for entry in entries)
