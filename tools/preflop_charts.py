"""Trains the preflop strategies for six seats that ship with the project, and writes them into the package.

    python tools/preflop_charts.py train WORK [DEPTH ...]   trains in the folder WORK; can be stopped and started again
    python tools/preflop_charts.py ship WORK                writes the results, the named ranges and their checksums

All depths use the same card buckets and one seed, so a run gives the same strategies again, bit for bit. Training
takes about 10 minutes of one core for each depth.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tahur.cards.buckets import BucketNumbers, BucketProgress, Buckets, make
from tahur.cards.named_ranges import NamedRange, RangeName, write_named_ranges
from tahur.cards.rankings import class_of_combos
from tahur.solvers.nolimit.multiway.actions import sizes_for
from tahur.solvers.nolimit.multiway.heads_up import named_vectors
from tahur.solvers.nolimit.multiway.names import named_actions
from tahur.solvers.nolimit.multiway.solver import DEALS, MultiwaySolver
from tahur.solvers.nolimit.multiway.strategy import LEAST, read_memory, read_strategy, write_strategy
from tahur.solvers.nolimit.multiway.tree import build_preflop, build_tree
from tahur.solvers.nolimit.shipped import shipped_depths, shipped_strategy
from tahur.solvers.postflop.spot import Rake
from tahur.solvers.solver import SolverState

SEED = 23
SEATS = 6
SIZES = BucketNumbers(200, 200, 100)
RAKE = Rake(share=0.05, cap=0.6)
TRAINED = {100: 3_000_000, 40: 1_200_000, 200: 1_200_000}  # deals
SOURCE = Path(__file__).parent.parent / "src" / "tahur"
PACKAGE = SOURCE / "solvers" / "nolimit" / "multiway" / "strategies"
NAMED = SOURCE / "cards" / "preflop_ranges.tahur"
SAVE_SECONDS = 120.0
DEALS_PER_SECOND = 4_500  # of one core, about


def made_buckets() -> Buckets:
    """The card buckets of all depths."""
    for step in make(SIZES, np.random.default_rng(SEED)):
        if not isinstance(step, BucketProgress):
            return step
    raise AssertionError("buckets come last")


def train(work: Path, depths: list[int]) -> None:
    """Train each depth until it has its number of deals."""
    work.mkdir(parents=True, exist_ok=True)
    buckets = made_buckets()
    for depth in depths:
        tree = build_tree(build_preflop(SEATS, depth, sizes_for(depth)), RAKE, buckets.counts)
        solver = MultiwaySolver(tree, buckets, seed=SEED)
        memory, minutes = solver.estimate().bytes / 1e6, TRAINED[depth] / DEALS_PER_SECOND / 60
        print(f"{depth} bb: {len(tree.arrays.kind):,} nodes, {memory:,.0f} MB, about {minutes:.0f} minutes of one core")
        path = work / f"6max-{depth}bb.tahur"
        if path.exists():
            arrays = read_memory(path, solver.state().arrays)
            solver.resume(SolverState(read_strategy(path).training.rounds, arrays))
        run(solver, path, TRAINED[depth])


def run(solver: MultiwaySolver, path: Path, deals: int) -> None:
    """Train to a number of deals; save every two minutes and at the end."""
    began, first, saved = time.monotonic(), solver.deals, time.monotonic()
    while solver.deals < deals:
        solver.iterate(min(20, (deals - solver.deals) // DEALS))
        if (now := time.monotonic()) - saved > SAVE_SECONDS or solver.deals >= deals:
            write_strategy(path, solver.strategy(), solver.state().arrays)
            pace = (solver.deals - first) / (now - began)
            left = (deals - solver.deals) / pace / 60
            print(f"{path.name}: {solver.deals:,} of {deals:,} deals, {pace:,.0f} a second, {left:.0f} minutes left")
            saved = now


def ship(work: Path) -> None:
    """Write the strategies without the solver's state, and the checksums."""
    PACKAGE.mkdir(exist_ok=True)
    checksums = {}
    for depth in sorted(TRAINED):
        path = PACKAGE / f"6max-{depth}bb.tahur"
        write_strategy(path, strategy := read_strategy(work / path.name))
        checksums[path.name] = hashlib.sha256(path.read_bytes()).hexdigest()
        print(f"{path.name}: {path.stat().st_size:,} bytes, {strategy.training.deals:,} deals")
    write_named_ranges(NAMED, list(ranges()))
    checksums[NAMED.name] = hashlib.sha256(NAMED.read_bytes()).hexdigest()
    print(f"{NAMED.name}: {NAMED.stat().st_size:,} bytes")
    (PACKAGE / "checksums.json").write_text(json.dumps(checksums, indent=2) + "\n")


def ranges() -> Iterator[NamedRange]:
    """The named ranges of the shipped strategies, and of the shipped heads-up blueprints; empty ones are left out."""
    for depth in sorted(TRAINED):
        strategy = read_strategy(PACKAGE / f"6max-{depth}bb.tahur")
        for name, node, action in named_actions(strategy.tree):
            weights = strategy.chart(node).weights * strategy.mix(node)[action]
            if (weights > LEAST).any():
                yield NamedRange(RangeName("6max", depth, name), weights, strategy.is_rare(node))
    first = np.unique(class_of_combos(), return_index=True)[1]  # one combo of each class
    for held in shipped_depths():
        for name, vector in named_vectors(shipped_strategy(held).blueprint):
            if (vector > LEAST).any():
                yield NamedRange(RangeName("hu", round(held), name), vector[first])


def main() -> None:
    if len(sys.argv) < 3 or sys.argv[1] not in ("train", "ship"):
        sys.exit(__doc__)
    if sys.argv[1] == "train":
        train(Path(sys.argv[2]), [int(depth) for depth in sys.argv[3:]] or list(TRAINED))
    else:
        ship(Path(sys.argv[2]))


if __name__ == "__main__":
    main()
