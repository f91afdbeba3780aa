"""Policies for limit hold'em by name, as `tahur eval` and `tahur show` take them.

For exact figures of Flop Hold'em, `policy_named`:

uniform              every legal action with equal probability
fhp.tahur            a strategy file
FOLDER, net:FOLDER   trained nets: the explicit average of all saved ones
caller, random, ...  a player with known action probabilities
kind:REST            a kind of `FLOP_KINDS`; a new kind is one line there

For any limit game, `subject_named` reads a strategy file, a folder of nets, or `KIND:REST` with a kind of `KINDS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tahur.core.errors import PlayerError, StrategyError

if TYPE_CHECKING:
    from tahur.games.betting import Betting
    from tahur.games.holdem.rules import Holdem
    from tahur.solvers.limit.bounds import LimitPolicy
    from tahur.solvers.limit.evaluate import FlopPolicy

MEASURED: Final = "the measured game is"

_UNTIL: Final = re.compile(r"@(\d+)$")


def policy_named(name: str, game: Holdem) -> FlopPolicy:
    """The policy of that name for that game."""
    from tahur.solvers.limit.player_policy import UniformPolicy

    kind, colon, rest = name.partition(":")
    if colon and kind in FLOP_KINDS:
        return FLOP_KINDS[kind](rest, game)
    if name == "uniform":
        return UniformPolicy(game)
    if is_nets(name):
        return _flop_nets(name, game)
    if name.endswith(".tahur") or Path(name).is_file():
        return _strategy(name, game)
    return _player(name, game)


def _strategy(file: str, game: Holdem) -> FlopPolicy:
    from tahur.games.holdem.flop_table import read_flop_table

    table = read_flop_table(Path(file))
    if reason := table.misfit(game, now=MEASURED):
        raise StrategyError(f"{file}: {reason}")
    return table


def _player(name: str, game: Holdem) -> FlopPolicy:
    """A player as a policy: its probabilities at every decision."""

    from tahur.core.strategy import Strategy
    from tahur.players.registry import make_player
    from tahur.solvers.limit.player_policy import PlayerPolicy

    player = make_player(name, game)
    if not isinstance(player, Strategy):
        raise PlayerError(f"{name} does not give probabilities of its actions, so it cannot be measured exactly")
    policy = PlayerPolicy(player, game)
    policy.check_suits()
    return policy


def _flop_nets(folder: str, game: Holdem) -> FlopPolicy:
    from tahur.core.net_file import read_nets
    from tahur.solvers.deep.flop_nets import FlopAverage

    nets = read_nets(Path(folder))
    if reason := nets.misfit(game, now=MEASURED):
        raise StrategyError(f"{folder}: {reason}")
    return FlopAverage(nets, game)


FLOP_KINDS: Final[dict[str, Callable[[str, Holdem], FlopPolicy]]] = {
    "strategy": _strategy,
    "net": _flop_nets,
}


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
    from tahur.games.holdem import bucket_table, flop_table

    kind, colon, rest = text.partition(":")
    if colon and kind in KINDS:
        return KINDS[kind](rest)
    if is_nets(text):
        return _nets(text)
    path = Path(rest if colon and kind == "strategy" else text)
    if not path.exists():
        raise StrategyError(f"no file {path}; {_what_exists(path)}")
    file_kind = kind_of(path)
    if file_kind == BUCKETS.name:
        table = bucket_table.read_bucket_table(path)
        training = table.training
        about = f"{training.game} on {' + '.join(map(str, training.buckets))} card buckets, {training.rounds:,} rounds"
        return Subject(
            name=f"strategy:{path}", betting=table.betting, policy=table, about=about, iterations=training.rounds
        )
    if file_kind == FLOPS.name:
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
        return f"{path.parent} is a folder of nets: give {path.parent}"
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
    from tahur.core.net_file import read_nets
    from tahur.games.holdem.limit import PRESETS
    from tahur.games.registry import make
    from tahur.solvers.deep.average import LimitAverage

    folder, until = _UNTIL.sub("", text), _UNTIL.search(text)
    nets = read_nets(Path(folder))
    if until:
        nets = nets.until(int(until[1]))
    if nets.game not in ("limit", *(preset.name for preset in PRESETS)):
        raise StrategyError(f"{folder} has nets for {nets.game}; tahur eval measures limit hold'em")
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
