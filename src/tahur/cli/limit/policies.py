"""The policies for Flop Hold'em that `tahur eval` can measure, by name.

uniform              every legal action with equal probability
fhp.tahur            a strategy file
net:FOLDER           trained nets: the explicit average of all saved ones
caller, random, ...  a player with known action probabilities
kind:REST            a kind of `KINDS`; a new kind is one line there
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tahur.core.errors import PlayerError, StrategyError

if TYPE_CHECKING:
    from tahur.games.holdem.rules import Holdem
    from tahur.solvers.limit.evaluate import FlopPolicy

MEASURED: Final = "the measured game is"


def policy_named(name: str, game: Holdem) -> FlopPolicy:
    """The policy of that name for that game."""
    from tahur.solvers.limit.player_policy import UniformPolicy

    kind, colon, rest = name.partition(":")
    if colon and kind in KINDS:
        return KINDS[kind](rest, game)
    if name == "uniform":
        return UniformPolicy(game)
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
    from tahur.core.strategy import Strategy
    from tahur.players.registry import make_player
    from tahur.solvers.limit.player_policy import PlayerPolicy

    player = make_player(name, game)
    if not isinstance(player, Strategy):
        raise PlayerError(f"{name} does not give probabilities of its actions, so it cannot be measured exactly")
    policy = PlayerPolicy(player, game)
    policy.check_suits()
    return policy


def _nets(folder: str, game: Holdem) -> FlopPolicy:
    from tahur.core.net_file import read_nets
    from tahur.solvers.deep.flop_nets import FlopAverage

    nets = read_nets(Path(folder))
    if reason := nets.misfit(game, now=MEASURED):
        raise StrategyError(f"{folder}: {reason}")
    return FlopAverage(nets, game)


KINDS: Final[dict[str, Callable[[str, Holdem], FlopPolicy]]] = {
    "strategy": _strategy,
    "net": _nets,
}
