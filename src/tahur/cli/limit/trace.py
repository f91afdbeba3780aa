"""`tahur show --trace`: chosen hands over several limit strategies, and the curves of a training log."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tahur.core.errors import StrategyError
from tahur.core.limits import MOST_TEXT, parse_json, read_file

if TYPE_CHECKING:
    from tahur.cli.limit.policies import Subject
    from tahur.games.holdem.limit_study import LimitStudy
    from tahur.show.trace import Log, LogPoint, Trace, Track

LOG: Final = ".jsonl"  # the suffix of log files
# Hands that are close decisions; with aces there is nothing to see.
SPOTS: Final = "first-in J4s, first-in 85o, first-in 54s, facing-raise QTs, facing-raise T4s, facing-raise 94o"
STAGES: Final = 8  # of one folder of nets
LINES: Final = {"first-in": "", "facing-raise": "raise", "facing-limp": "call", "facing-3bet": "raise,raise"}
_SPOT: Final = re.compile(r"\s*(\S+)\s+([^\s,;]+)\s*(?:[,;]|$)")


@dataclass(frozen=True, slots=True)
class TracedHand:
    """A hand after a line, with its label."""

    name: str
    line: str
    hand: str


def spots_of(text: str) -> list[TracedHand]:
    """`first-in AA, raise,raise 72o`: pairs of a line (or its name) and a hand."""
    found, place = list[TracedHand](), 0
    while text[place:].strip():
        match = _SPOT.match(text, place)
        if match is None:
            raise StrategyError(
                f"no spots in '{text[place:].strip()}'; write pairs of a line and a hand, such as "
                f"'first-in AA, raise,raise 72o'; named lines: {', '.join(LINES)}"
            )
        line, hand = match.groups()
        found.append(TracedHand(f"{line} {hand}", LINES.get(line.lower(), line), hand))
        place = match.end()
    if not found:
        raise StrategyError("no spots; write some, such as 'first-in AA, facing-raise K9s'")
    return found


def stages_of(names: Sequence[str]) -> list[str]:
    """The given names; for a single folder of nets, its average at several iterations."""
    from tahur.cli.limit.policies import is_nets
    from tahur.core.net_file import folder_of, read_header

    only = names[0].removeprefix("net:") if len(names) == 1 else ""
    if not is_nets(only) or "@" in only:
        return list(names)
    kept = [iteration for iteration, _ in read_header(folder_of(Path(only)))["nets"]]
    steps = min(STAGES, len(kept))
    chosen = sorted({kept[(step + 1) * len(kept) // steps - 1] for step in range(steps)})
    return [f"net:{only}@{iteration}" for iteration in chosen]


def trace_of(subjects: Sequence[Subject], spots: Sequence[TracedHand]) -> Trace:
    """Load the policies; they must be for the same game."""
    from tahur.games.holdem.limit_study import LimitStudy
    from tahur.show.trace import Trace

    game = subjects[0].game.name
    if other := next((each for each in subjects if each.game.name != game), None):
        raise StrategyError(f"{other.name} is for {other.game.name}, {subjects[0].name} for {game}; trace one game")
    studies = [LimitStudy(each.policy, each.betting) for each in subjects]
    known = [each.iterations for each in subjects if each.iterations is not None]
    growing = len(known) == len(subjects) and all(a < b for a, b in pairwise(known))
    names = tuple(each.name.removeprefix("strategy:") for each in subjects)
    return Trace(game, names, tuple(known) if growing else None, tuple(_track(each, studies) for each in spots))


def _track(asked: TracedHand, studies: Sequence[LimitStudy]) -> Track:
    from tahur.cli.limit.show import short_actions
    from tahur.show.trace import Track

    found = [study.hand(asked.line, asked.hand) for study in studies]
    return Track(asked.name, short_actions(list(found[0])), tuple(tuple(each.values()) for each in found))


def read_log(path: Path) -> Log:
    """JSON lines with `iteration`, and `loss` or `losses`, and `exploitability` where it was measured."""
    from tahur.show.trace import Log

    try:
        text = read_file(path, MOST_TEXT).decode("utf-8")
    except (OSError, ValueError) as error:
        raise StrategyError(f"{path} cannot be read: {error}") from None
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    points, unit = list[Any](), "mbb/g"
    for number, line in lines:
        try:
            entry = parse_json(line)
            points.append(_point(entry))
            unit = str(entry.get("unit") or unit)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            if number == lines[-1][0] and points:
                break  # still being written
            raise StrategyError(f"line {number} of {path} is not a line of a training log: {error!r}") from None
    if not points:
        raise StrategyError(f"{path} has no lines yet")
    return Log(str(path), unit, tuple(points))


def _point(entry: Any) -> LogPoint:
    from tahur.show.trace import LogPoint

    given = entry.get("losses", entry.get("loss"))
    losses = [] if given is None else given if isinstance(given, list) else [given]
    measured = entry.get("exploitability")
    exploitability = None if measured is None else float(measured)
    finite = tuple(float(loss) for loss in losses if loss is not None and isfinite(loss))
    return LogPoint(int(entry["iteration"]), finite, exploitability)
