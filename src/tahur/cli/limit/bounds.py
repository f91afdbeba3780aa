"""Lower bounds on what a limit policy loses, and match results, each labelled with its kind, for `tahur eval`."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import typer

from tahur.cli.output import console, note, print_json, warm
from tahur.cli.players import make_player

if TYPE_CHECKING:
    from tahur.cli.limit.policies import Subject
    from tahur.games.betting import Betting
    from tahur.solvers.limit.bounds import LimitPolicy
    from tahur.solvers.limit.sampled_bounds import SampledBound

SAY: Final = 10.0  # seconds between lines
EXPLAINED: Final = {
    "river": "checks and calls to the river, then a best response",
    "turn": "checks and calls to the turn, then a best response",
    "flop": "checks and calls before the flop, then a best response",
    "local": "on every street, the best action if everyone checks and calls from there on",
    "clairvoyant": "sees all cards: the maximum of each deal, not a real strategy",
}


@dataclass(frozen=True, slots=True)
class BoundEstimate:
    """One measured figure, in thousandths of a big blind per game; `mean` is None if no board was finished."""

    name: str
    kind: str
    mean: float | None
    interval: tuple[float, float] | None  # None: the sample is too small
    sample: int
    of: str  # the unit of the sample: boards or deals
    seconds: float


class TimeIsUp(Exception):
    """The time limit of a figure was reached in the middle of a board."""


@dataclass(frozen=True, slots=True, eq=False)
class TimedPolicy:
    """A policy that raises an error after its time limit, so that `--seconds` holds within a board."""

    policy: LimitPolicy
    until: float  # on the monotonic clock

    def chances(self, decision: int, board: tuple[int, ...]) -> Any:
        if time.monotonic() > self.until:
            raise TimeIsUp
        return self.policy.chances(decision, board)


@dataclass(frozen=True, slots=True)
class BoundRequest:
    """What to measure: the bounds (None: all), the opponents, and the limits of each figure."""

    bounds: str | None
    against: str
    deals: int
    seconds: float
    seed: int


def measure_bounds(subject: Subject, request: BoundRequest, *, as_json: bool) -> None:
    """Compute and print each figure; Ctrl-C stops after the ones that are complete."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small: more threads only add overhead
    bounds = _bounds(request.bounds, subject.betting)
    opponents = [name.strip() for name in request.against.split(",") if name.strip() not in ("", "none")]
    for name in opponents:
        make_player(name, subject.game)
    warm("limit bucket")
    figures: list[BoundEstimate] = []
    try:
        for figure in _figures(subject, bounds, opponents, request):
            figures.append(figure)
            if not as_json:
                _print(figure, first=len(figures) == 1, subject=subject)
    except KeyboardInterrupt:
        note("stopped; the figures above are complete")
        raise typer.Exit(130) from None
    finally:
        if as_json:
            print_json(_json(subject, figures))


def _bounds(text: str | None, betting: Betting) -> Sequence[str]:
    """The bounds to compute, from `--bounds`; all of the game by default."""
    from tahur.solvers.limit.sampled_bounds import bound_names

    known = bound_names(betting)
    if text is None:
        return known
    wanted = [name.strip() for name in text.split(",") if name.strip() not in ("", "none")]
    for name in wanted:
        if name not in known:
            raise typer.BadParameter(f"--bounds {name}: bounds of {betting.game.name} are {', '.join(known)}")
    return wanted


def _figures(
    subject: Subject, bounds: Sequence[str], opponents: Sequence[str], request: BoundRequest
) -> Iterator[BoundEstimate]:
    """Sample each bound, then each match against an opponent."""
    import numpy as np

    from tahur.solvers.limit.sampled_bounds import CLAIRVOYANT, ESTIMATE, LOWER, sample_bound, sample_match

    for name in bounds:
        kind = CLAIRVOYANT if name == "clairvoyant" else LOWER
        timed = TimedPolicy(subject.policy, time.monotonic() + request.seconds)
        steps = sample_bound(name, subject.betting, timed, request.deals, np.random.default_rng(request.seed))
        yield _measure(name, kind, steps)
    for name in opponents:
        known = _as_policy(name, subject)
        if known is None:
            yield _play_match(name, subject, request)
        else:
            timed = TimedPolicy(subject.policy, time.monotonic() + request.seconds)
            rng = np.random.default_rng(request.seed)
            yield _measure(f"v {name}", ESTIMATE, sample_match(subject.betting, (timed, known), request.deals, rng))


def _measure(name: str, kind: str, steps: Iterator[SampledBound]) -> BoundEstimate:
    """Compute the figure until the boards or the time limit are used up."""
    began = noted = time.monotonic()
    last: SampledBound | None = None
    try:
        for last in steps:
            now = time.monotonic()
            if now - noted > SAY:
                noted = now
                note(f"{name}: {last.boards:,} boards, {last.mean:.1f} mbb/g")
    except TimeIsUp:
        pass
    return BoundEstimate(
        name=name,
        kind=kind,
        mean=None if last is None else last.mean,
        interval=None if last is None else last.interval,
        sample=0 if last is None else last.boards,
        of="boards",
        seconds=time.monotonic() - began,
    )


def _as_policy(name: str, subject: Subject) -> LimitPolicy | None:
    """The opponent as a policy, if evaluating it for all hands is cheap; otherwise None."""
    from tahur.solvers.limit.bounds import LimitPolicy
    from tahur.solvers.limit.player_policy import PlayerPolicy

    player: Any = make_player(name, subject.game)
    if getattr(player, "blind", False):
        return PlayerPolicy(player, subject.game)
    solution = getattr(player, "solution", None)
    return solution if isinstance(solution, LimitPolicy) else None


def _play_match(name: str, subject: Subject, request: BoundRequest) -> BoundEstimate:
    """Play duplicate deals at the table, for an opponent that cannot be evaluated for all hands."""
    from functools import partial

    from tahur.arena.match import Match
    from tahur.arena.series import MatchGoal, play
    from tahur.arena.stats import intervals
    from tahur.games.registry import GAMES

    game = subject.game
    scoring = next(candidate for candidate in GAMES[game.name].scorings(game) if candidate.unit == "mbb/g")
    names = (subject.name, name)
    match = Match(
        game=game,
        scoring=scoring,
        names=names,
        makers=tuple(partial(make_player, who, game) for who in names),
        seed=request.seed,
        duplicate=True,
    )
    began = noted = time.monotonic()
    for standing in play(match, MatchGoal(request.deals)):
        now = time.monotonic()
        if now - noted > SAY:
            noted = now
            note(f"v {name}: {standing.deals:,} deals in both seats")
        if now - began > request.seconds and standing.deals:
            break
    won = intervals(standing.fair)[0]
    scale = scoring.scale
    return BoundEstimate(
        name=f"v {name}",
        kind="estimate",
        mean=won.mean * scale,
        interval=(won.low * scale, won.high * scale),
        sample=won.count,
        of="deals",
        seconds=time.monotonic() - began,
    )


def _print(figure: BoundEstimate, *, first: bool, subject: Subject) -> None:
    """Print the line of one bound; before the first one, a heading."""
    out = console()
    if first:
        out.print(f"[bold]{subject.name}[/] at {subject.game.name}, mbb/g with 95 % intervals")
    color = "yellow" if figure.kind.startswith("clairvoyant") else "green" if figure.kind == "lower bound" else "cyan"
    mean = "--" if figure.mean is None else f"{figure.mean:.1f}"
    out.print(
        f"{figure.name:<14}{mean:>9}  {_interval(figure):<20} [{color}]{figure.kind}[/]"
        f"  [dim]{figure.sample:,} {figure.of}; {EXPLAINED.get(figure.name, 'what the policy wins')}[/]"
    )


def _interval(figure: BoundEstimate) -> str:
    if figure.interval is None:
        return f"too few {figure.of}"
    low, high = figure.interval
    return f"{low:>8.1f} to {high:<8.1f}"


def _json(subject: Subject, figures: Sequence[BoundEstimate]) -> dict[str, Any]:
    """All bounds of a policy for `--json`."""
    return {
        "policy": subject.name,
        "game": subject.game.name,
        "unit": "mbb/g",
        "figures": [
            {
                "name": figure.name,
                "kind": figure.kind,
                "mean": figure.mean,
                "low": None if figure.interval is None else figure.interval[0],
                "high": None if figure.interval is None else figure.interval[1],
                "sample": figure.sample,
                "of": figure.of,
                "seconds": figure.seconds,
            }
            for figure in figures
        ],
    }
