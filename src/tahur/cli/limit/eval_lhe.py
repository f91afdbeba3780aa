"""`tahur eval-lhe`: lower bounds on what a limit policy loses, and match results, each labelled with its kind."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tahur.cli.output import Json, console, note, print_json, warm

if TYPE_CHECKING:
    from tahur.games.betting import Betting
    from tahur.solvers.limit.bounds import LimitPolicy
    from tahur.solvers.limit.sampled_bounds import SampledBound

SAY: Final = 10.0  # seconds between lines
FEWEST: Final = 2  # the default number of boards or deals of a figure
_UNTIL: Final = re.compile(r"@(\d+)$")
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


def eval_lhe(
    model: Annotated[
        str,
        typer.Option(
            "-m", "--model", metavar="POLICY", help="A file written by `tahur solve hulh` or fhp, or a folder of nets."
        ),
    ],
    deals: Annotated[
        int, typer.Option("--eval-deals", help="Maximum number of boards of a bound, or deals of a match.", min=FEWEST)
    ] = 10_000,
    seconds: Annotated[
        float, typer.Option(help="Time limit for each figure; an unfinished board does not count.", min=0.1)
    ] = 30.0,
    bounds: Annotated[
        str | None,
        typer.Option(help="Bounds to compute: river, turn, local, clairvoyant; all by default, 'none' for none."),
    ] = None,
    against: Annotated[str, typer.Option(help="Opponents of duplicate matches; 'none' for none.")] = "caller,odds",
    seed: Annotated[int, typer.Option(help="Seed of boards and deals.", min=0)] = 1,
    as_json: Json = False,
) -> None:
    """Lower bounds on what a policy for limit hold'em loses, and what it wins from others, in mbb/g.

    A lower bound is what a real strategy wins from it; exploitability, (BR1 + BR2) / 2, is at least that. If both
    policies are known, all hands are summed on random boards; otherwise deals are played in duplicate. Intervals are
    Student's t over boards; with fewer than 10 boards there is no interval.

    tahur eval-lhe -m hulh.tahur      tahur eval-lhe -m hulh_nets --against caller,strategy:hulh.tahur --json
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small: more threads only add overhead

    subject = subject_named(model)
    asked = _asked(bounds, subject.betting)
    others = [name.strip() for name in against.split(",") if name.strip() not in ("", "none")]
    for name in others:
        _check_opponent(name, subject)
    warm("limit bucket")
    figures: list[BoundEstimate] = []
    try:
        for figure in _figures(subject, asked, others, deals, seconds, seed):
            figures.append(figure)
            if not as_json:
                _print(figure, first=len(figures) == 1, subject=subject)
    except KeyboardInterrupt:
        note("stopped; the figures above are complete")
        raise typer.Exit(130) from None
    finally:
        if as_json:
            print_json(_json(subject, figures))


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """The policy to measure."""

    name: str  # as a player
    betting: Betting
    policy: LimitPolicy
    about: str = ""  # how it was made, in one line
    iterations: int | None = None

    @property
    def game(self) -> Any:
        return self.betting.game


def subject_named(text: str) -> Subject:
    """Load a policy from `FILE` or `KIND:FILE`."""
    from tahur.core.archive import BUCKETS, FLOPS, kind_of
    from tahur.core.errors import StrategyError
    from tahur.games.holdem import bucket_table, flop_table

    kind, colon, rest = text.partition(":")
    if colon and kind in KINDS:
        return KINDS[kind](rest)
    if is_nets(text):
        return _nets(text)
    path = Path(rest if colon and kind == "strategy" else text)
    if not path.exists():
        raise StrategyError(f"no file {path}; {_what_exists(path)}")
    found = kind_of(path)
    if found == BUCKETS.name:
        table = bucket_table.read_bucket_table(path)
        made = table.training
        about = f"{made.game} on {' + '.join(map(str, made.buckets))} card buckets, {made.rounds:,} rounds"
        return Subject(
            name=f"strategy:{path}", betting=table.betting, policy=table, about=about, iterations=made.rounds
        )
    if found == FLOPS.name:
        from tahur.show.strategy import figures_of
        from tahur.solvers.limit.player_policy import AnyFlopPolicy

        flops = flop_table.read_flop_table(path)
        policy, facts = AnyFlopPolicy(flops, flops.betting), flops.facts
        return Subject(
            name=f"strategy:{path}",
            betting=flops.betting,
            policy=policy,
            about=figures_of(facts),
            iterations=facts.iterations,
        )
    raise StrategyError(f"{path} is not a limit strategy; `tahur solve hulh` and `tahur solve fhp` write such files")


def _what_exists(path: Path) -> str:
    """A hint for a path that does not exist: what exists nearby."""
    if is_nets(str(path.parent)):
        return f"{path.parent} is a folder of nets: use -m {path.parent}"
    files = sorted(path.parent.glob("*.tahur"))
    if files:
        return f"there is {', '.join(map(str, files[:3]))}"
    return "`tahur solve hulh` writes one, `tahur train hulh-quick` writes a folder of nets"


def is_nets(text: str) -> bool:
    """Whether the text names a folder written by `tahur train`, its checkpoint, or either with @ITERATION."""
    from tahur.core.net_file import HEADER

    path = Path(_UNTIL.sub("", text))
    return (path / HEADER).is_file() or (path.name == HEADER and path.is_file())


def _nets(text: str) -> Subject:
    """The average of the nets of a folder; `FOLDER@20` averages the nets up to iteration 20."""
    from tahur.core.errors import StrategyError
    from tahur.core.net_file import read_nets
    from tahur.games.holdem.limit import PRESETS
    from tahur.games.registry import make
    from tahur.solvers.deep.limit_nets import LimitAverage

    folder, until = _UNTIL.sub("", text), _UNTIL.search(text)
    nets = read_nets(Path(folder))
    if until:
        nets = nets.until(int(until[1]))
    if nets.game not in ("limit", *(preset.name for preset in PRESETS)):
        raise StrategyError(f"{folder} has nets for {nets.game}; eval-lhe measures limit hold'em")
    game: Any = make(nets.game, nets.settings)
    average = LimitAverage(nets, game)
    policy = average if nets.kept[0].tables is None else _with_tables(nets, average.betting)
    about = f"{nets.game}: {len(nets.kept)} nets of {nets.iteration} iterations"
    return Subject(name=f"net:{text}", betting=average.betting, policy=policy, about=about, iterations=nets.iteration)


def _with_tables(nets: Any, betting: Betting) -> LimitPolicy:
    """Nets of the fast mode, which keep a table of regrets for the decisions before the flop."""
    from tahur.solvers.deep.flop_nets import FlopAverage
    from tahur.solvers.limit.player_policy import AnyFlopPolicy

    return AnyFlopPolicy(FlopAverage(nets, betting.game), betting)


# Kinds of policies besides files; a new kind is one line here.
KINDS: Final[dict[str, Callable[[str], Subject]]] = {"net": _nets}


def _asked(text: str | None, betting: Betting) -> Sequence[str]:
    from tahur.solvers.limit.sampled_bounds import bound_names

    known = bound_names(betting)
    if text is None:
        return known
    wanted = [name.strip() for name in text.split(",") if name.strip() not in ("", "none")]
    for name in wanted:
        if name not in known:
            raise typer.BadParameter(f"--bounds {name}: bounds of {betting.game.name} are {', '.join(known)}")
    return wanted


def _check_opponent(name: str, subject: Subject) -> None:
    from tahur.cli.players import make_player

    make_player(name, subject.game)


def _figures(
    subject: Subject, bounds: Sequence[str], others: Sequence[str], deals: int, seconds: float, seed: int
) -> Iterator[BoundEstimate]:
    import numpy as np

    from tahur.solvers.limit.sampled_bounds import CLAIRVOYANT, ESTIMATE, LOWER, sample_bound, sample_match

    for name in bounds:
        kind = CLAIRVOYANT if name == "clairvoyant" else LOWER
        timed = TimedPolicy(subject.policy, time.monotonic() + seconds)
        steps = sample_bound(name, subject.betting, timed, deals, np.random.default_rng(seed))
        yield _measured(name, kind, steps)
    for name in others:
        known = _known(name, subject)
        if known is None:
            yield _played(name, subject, deals, seconds, seed)
        else:
            timed = TimedPolicy(subject.policy, time.monotonic() + seconds)
            steps = sample_match(subject.betting, (timed, known), deals, np.random.default_rng(seed))
            yield _measured(f"v {name}", ESTIMATE, steps)


def _measured(name: str, kind: str, steps: Iterator[SampledBound]) -> BoundEstimate:
    """Compute the figure until the boards or the time limit are used up."""
    began = said = time.monotonic()
    last: SampledBound | None = None
    try:
        for last in steps:
            now = time.monotonic()
            if now - said > SAY:
                said = now
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


def _known(name: str, subject: Subject) -> LimitPolicy | None:
    """The opponent as a policy, if evaluating it for all hands is cheap; otherwise None."""
    from tahur.cli.players import make_player
    from tahur.solvers.limit.bounds import LimitPolicy
    from tahur.solvers.limit.player_policy import PlayerPolicy

    player: Any = make_player(name, subject.game)
    if getattr(player, "blind", False):
        return PlayerPolicy(player, subject.game)
    solution = getattr(player, "solution", None)
    return solution if isinstance(solution, LimitPolicy) else None


def _played(name: str, subject: Subject, deals: int, seconds: float, seed: int) -> BoundEstimate:
    """Play duplicate deals at the table, for an opponent that cannot be evaluated for all hands."""
    from functools import partial

    from tahur.arena.match import Match
    from tahur.arena.series import MatchGoal, play
    from tahur.arena.stats import intervals
    from tahur.cli.players import make_player
    from tahur.games.registry import GAMES

    game = subject.game
    scoring = next(each for each in GAMES[game.name].scorings(game) if each.unit == "mbb/g")
    names = (subject.name, name)
    match = Match(
        game=game,
        scoring=scoring,
        names=names,
        makers=tuple(partial(make_player, who, game) for who in names),
        seed=seed,
        duplicate=True,
    )
    began = said = time.monotonic()
    for standing in play(match, MatchGoal(deals)):
        now = time.monotonic()
        if now - said > SAY:
            said = now
            note(f"v {name}: {standing.deals:,} deals in both seats")
        if now - began > seconds and standing.deals:
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
