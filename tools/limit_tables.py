"""Print the table of docs/limit.md that compares bounds with exact values: python tools/limit_tables.py [fhp.tahur
...].

Flop Hold'em is small enough for exact best responses, so it shows how tight each bound is, and that the maximum deal by
deal is not exploitability. Kuhn poker at its equilibrium shows the same without sampling.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any, Final

import numpy as np

from tahur.cli.limit.policies import policy_named
from tahur.core.game import CHANCE, OVER
from tahur.core.player import View
from tahur.core.strategy import Strategy
from tahur.games.betting import betting_of
from tahur.games.kuhn import Kuhn
from tahur.games.registry import make
from tahur.solvers.cfr import CfrSolver, solution_of
from tahur.solvers.limit.engine import layout_of
from tahur.solvers.limit.evaluate import measure_policy
from tahur.solvers.limit.player_policy import AnyFlopPolicy
from tahur.solvers.limit.sampled_bounds import sample_bound
from tahur.solvers.schedule import PDCFR_PLUS
from tahur.solvers.unroll import unroll

GAME: Final = "fhp"
BOARDS: Final = {"flop": 200, "local": 60, "clairvoyant": 200}
POLICIES: Final = ("uniform", "caller", "maniac")
SEED: Final = 1


def main(files: Sequence[str]) -> None:
    print(f"Kuhn at its equilibrium: exploitability 0, per-deal maximum {kuhn():.4f} antes a deal\n")
    print("| policy at fhp, mbb/g | exploitability, exact | best response on the flop | local | clairvoyant |")
    print("|---|--:|--:|--:|--:|")
    game: Any = make(GAME)
    betting, layout = betting_of(game), layout_of(game)
    scale = 1000 / game.stakes.blinds[1]
    for name in (*POLICIES, *files):
        policy = policy_named(name, game)
        exact = _end(measure_policy(layout, policy)).nashconv / 2 * scale
        cells = [f"{exact:.4g}"]
        for bound, boards in BOARDS.items():
            *_, rung = sample_bound(bound, betting, AnyFlopPolicy(policy, betting), boards, np.random.default_rng(SEED))
            cells.append(f"{rung.mean:.4g} ± {1.96 * rung.error:.2g}")
        print(f"| `{name}` | {' | '.join(cells)} |", flush=True)


def kuhn() -> float:
    """The maximum deal by deal against Kuhn's equilibrium, mean over deals and seats."""
    game = Kuhn()
    solver = CfrSolver(unroll(game), PDCFR_PLUS)
    solver.iterate(2_000)
    solution = solution_of(solver, solver.measure(), "antes")
    deals = list(permutations(range(3), 2))
    values = [_best(game, solution, game.start(), hands, seat) for hands in deals for seat in (0, 1)]
    return sum(values) / len(values)


def _best(game: Kuhn, strategy: Strategy, table: Any, hands: tuple[int, int], seat: int) -> float:
    """What a seat wins if it sees both hands."""
    if table.turn == OVER:
        return game.payoffs(table, hands)[seat]
    assert table.turn != CHANCE
    below = {action: _best(game, strategy, table.after(action), hands, seat) for action in table.actions()}
    if table.turn == seat:
        return max(below.values())
    chances: Mapping[int, float] = strategy.probabilities(View(game, table, table.turn, hands[table.turn]))
    return sum(chances.get(action, 0.0) * value for action, value in below.items())


def _end(steps: Any) -> Any:
    """The return value of a generator."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value


if __name__ == "__main__":
    main(sys.argv[1:])
