"""Strategies for whole ranges at heads-up no-limit hold'em by name, as `tahur eval nlhe` takes them.

strategy:FILE, or FILE   a blueprint of `tahur solve nlhe`
solver, solver:fast      the seat that solves turn and river at the table
"""

from __future__ import annotations

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


def resolver_named(name: str, depth: float | None = None, *, doubted: float | None = None) -> NamedResolver:
    """The strategy of that name at stacks of `depth` big blinds; None: the depth that it was made for.

    doubted: the share of the opponent's range that a solver doubts; None: its default.
    """
    kind, colon, rest = name.partition(":")
    if not colon and (Path(name).is_file() or name.endswith(".tahur")):
        kind, rest = "strategy", name
    if kind not in ("strategy", "solver"):
        raise UnknownName(
            f"no strategy '{name}'; give strategy:FILE with a file of `tahur solve nlhe`, solver or solver:fast"
        )
    if kind == "solver":
        return _solver(rest, depth, doubted)
    if doubted is not None:
        raise StrategyError(
            f"{name} solves nothing at the table, so it has no doubted share; give solver or solver:fast"
        )
    return _blueprint(rest, depth)


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


def _solver(budget: str, depth: float | None, doubted: float | None) -> NamedResolver:
    from tahur.solvers.nolimit.resolving import resolver_named as solver_named
    from tahur.solvers.nolimit.subgames import DOUBTED
    from tahur.solvers.nolimit.tree import heads_up

    name = f"solver:{budget}" if budget else "solver"
    resolver = solver_named(budget, doubted=DOUBTED if doubted is None else doubted)
    about = f"blueprint on preflop and flop, then {resolver.budget.seconds:g} s a decision, doubt {resolver.doubted:g}"
    return NamedResolver(name, resolver, heads_up(depth or DEPTH), about)
