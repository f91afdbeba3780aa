"""Print the tables of docs/perudo.md, "Solved rounds": values of rounds, and bounds for larger ones."""

from __future__ import annotations

import argparse
import sys
import time

from tahur.games.perudo.game import Perudo, perudo
from tahur.games.perudo.recall import Recall
from tahur.solvers.perudo.bounded import MOST, pair_of
from tahur.solvers.perudo.exact.polish import run_to_the_end
from tahur.solvers.perudo.recall.solver import RecallSolver
from tahur.solvers.perudo.solver import RoundSolver, memory_needed
from tahur.solvers.response import Measure
from tahur.solvers.solver import run

SOLVED = ((1, 1), (2, 1), (1, 2))
DICE = range(1, 6)
MANY = 1_000  # iterations after which linear programs do the rest
LARGER = ((2, 2), (3, 1), (1, 3), (3, 2), (2, 3), (3, 3), (4, 4), (5, 5))


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--iterations", type=int, default=300)
    asked.add_argument("--only", choices=("solved", "palifico", "larger", "recalled"), action="append")
    asked.add_argument("--least", type=float, default=1e-3, help="gain below which subtrees are skipped, in dice")
    asked.add_argument("--target", type=float, default=1e-4, help="the NashConv of palifico rounds")
    asked.add_argument("--dice", action="append", metavar="AvB", help="of the larger rounds, only these")
    asked.add_argument(
        "--bids", type=int, default=None, help="bids that seats remember; the default depends on the round"
    )
    options = asked.parse_args()
    parts = options.only or ["solved", "palifico", "larger", "recalled"]
    larger = [each for each in LARGER if not options.dice or f"{each[0]}v{each[1]}" in options.dice]
    if "solved" in parts:
        for calza in (False, True):
            rows = [(perudo(rules="classic", cups=cups, calza=calza), options.iterations) for cups in SOLVED]
            print_rounds(f"wild aces, calza {'on' if calza else 'off'}", rows)
    if "palifico" in parts:
        for calza in (False, True):
            print_palifico(calza=calza, target=options.target)
    if "larger" in parts:
        print_larger([perudo(rules="classic", cups=cups) for cups in larger], options.iterations)
    if "recalled" in parts:
        recall = None if options.bids is None else Recall(options.bids)
        solvers = [RecallSolver(perudo(rules="classic", cups=cups), recall) for cups in larger]
        print_recalled(solvers, options.iterations, options.least)


def print_rounds(title: str, rows: list[tuple[Perudo, int]]) -> None:
    print(f"\n| {title} | value to the opener | between | NashConv | memory, MiB | CPU s |\n|---|---|---|---|---|---|")
    for game, iterations in rows:
        began = time.process_time()
        solver = RoundSolver(game)
        solver.iterate(iterations)
        found = solver.measure()
        lower, upper = -found.responses[1], found.responses[0]
        print(
            f"| {game.round.cups[0]}v{game.round.cups[1]} | {found.value:+.4f} | {lower:+.5f} to {upper:+.5f} "
            f"| {found.nashconv:.1g} | {memory_needed(game) / 2**20:,.0f} | {time.process_time() - began:.0f} |"
        )
        sys.stdout.flush()


def print_palifico(*, calza: bool, target: float) -> None:
    """Rounds of every size: a row for each number of the opener's dice."""
    print(f"\n| palifico, calza {'on' if calza else 'off'} |" + "".join(f" v {yours} |" for yours in DICE))
    print("|---" * (len(DICE) + 1) + "|")
    began, most, worst = time.process_time(), 0, 0.0
    for mine in DICE:
        values = []
        for yours in DICE:
            solver = RoundSolver(perudo(cups=(mine, yours), palifico_round=True, calza=calza))
            found = solved(solver, target)
            values.append(found.value)
            most, worst = max(most, solver.iteration), max(worst, found.nashconv)
        print(f"| {mine} |" + "".join(f" {value:+.4f} |" for value in values))
        sys.stdout.flush()
    print(f"\nNashConv at most {worst:.2g}, {most:,} iterations at most, {time.process_time() - began:.0f} CPU s")


def solved(solver: RoundSolver, target: float) -> Measure:
    for _ in run(solver, iterations=MANY, target=target / 2, every=50):
        pass
    for _ in run_to_the_end(solver, iterations=MANY + 1, target=target / 2):
        pass
    return solver.better_of(solver.measure())


def print_larger(rows: list[Perudo], iterations: int) -> None:
    print("\n| round | the opener's guarantee | what the other leaves | NashConv | limits: bids, raises | CPU s |")
    print("|---|---|---|---|---|---|")
    for game in rows:
        began = time.process_time()
        pair = pair_of(game, most=MOST)
        pair.iterate(iterations)
        lower, upper = pair.bounds()
        limits = " and ".join(
            f"{limit.bids}, {limit.reach or 'all'}" for each in pair.solvers if (limit := each.limit) is not None
        )
        print(
            f"| {game.round.cups[0]}v{game.round.cups[1]} | {lower:+.4f} | {upper:+.4f} | {upper - lower:.3f} "
            f"| {limits or 'none'} | {time.process_time() - began:.0f} |"
        )
        sys.stdout.flush()


def print_recalled(solvers: list[RecallSolver], iterations: int, least: float) -> None:
    print("\n| round | value | bids remembered | NashConv between | numbers | CPU s | to judge, CPU s |")
    print("|---|---|---|---|---|---|---|")
    for solver in solvers:
        game, began = solver.game, time.process_time()
        solver.iterate(iterations)
        solved = time.process_time()
        found = solver.measure(least)
        low, high = found.nashconv
        judged = time.process_time()
        print(
            f"| {game.round.cups[0]}v{game.round.cups[1]} | {found.value:+.4f} | {solver.recall.bids} "
            f"| {low:.3f} and {high:.3f} | {solver.graph.size:,} | {solved - began:.0f} | {judged - solved:.0f} |"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
