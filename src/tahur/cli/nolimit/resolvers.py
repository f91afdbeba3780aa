"""Strategies for whole ranges at heads-up no-limit hold'em by name, as `tahur eval nlhe` takes them.

strategy:FILE, or FILE   a blueprint of `tahur solve nlhe`
solver, solver:fast      the seat that solves turn and river at the table

A new kind is one line in `RESOLVERS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tahur.core.errors import StrategyError, UnknownName

if TYPE_CHECKING:
    from tahur.core.resolver import Resolver
    from tahur.games.holdem.rules import Holdem


DEPTH: Final = 100.0  # big blinds at which the solver is measured unless asked otherwise


@dataclass(frozen=True, slots=True, eq=False)
class NamedResolver:
    """A strategy and the game to measure it at."""

    name: str  # as a player
    resolver: Resolver
    game: Holdem
    about: str  # how it was made, in one line


def resolver_named(name: str, depth: float | None = None) -> NamedResolver:
    """The strategy of that name at stacks of `depth` big blinds; None: the depth that it was made for."""
    kind, colon, rest = name.partition(":")
    if not colon and (Path(name).is_file() or name.endswith(".tahur")):
        kind, rest = "strategy", name
    if kind not in RESOLVERS:
        raise UnknownName(
            f"no strategy '{name}'; give strategy:FILE with a file of `tahur solve nlhe`, solver or solver:fast"
        )
    return RESOLVERS[kind](rest, depth)


def _blueprint(file: str, depth: float | None) -> NamedResolver:
    from tahur.solvers.nolimit.playing import read
    from tahur.solvers.nolimit.tree import heads_up

    path = Path(file)
    if not path.exists():
        raise StrategyError(f"no file {path}; `tahur solve nlhe -o {path}` writes one")
    strategy = read(path)
    if strategy is None:
        raise StrategyError(f"{path} is not a no-limit strategy; `tahur solve nlhe` writes such files")
    blueprint = strategy.blueprint
    about = f"{blueprint.depth:g} bb, actions '{blueprint.tree.abstraction.name}', {blueprint.training.boards:,} boards"
    return NamedResolver(f"strategy:{path}", strategy, heads_up(depth or blueprint.depth), about)


def _solver(budget: str, depth: float | None) -> NamedResolver:
    from tahur.solvers.nolimit.resolving import resolver_named as solver_named
    from tahur.solvers.nolimit.tree import heads_up

    name = f"solver:{budget}" if budget else "solver"
    about = f"blueprint on preflop and flop, then {solver_named(budget).budget.seconds:g} s a decision"
    return NamedResolver(name, solver_named(budget), heads_up(depth or DEPTH), about)


RESOLVERS: Final[dict[str, Callable[[str, float | None], NamedResolver]]] = {"strategy": _blueprint, "solver": _solver}
