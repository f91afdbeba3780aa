"""Trains the no-limit blueprints that ship with the project, and writes them into the package with their checksums.

    python tools/blueprints.py train WORK      trains every depth in the folder WORK; may be stopped and started again
    python tools/blueprints.py ship WORK       shortens the results and writes them and checksums.json into the package

All depths use the same card buckets and one seed, so a run gives the same strategies again, whatever the number of
threads. Training takes about 50 minutes on two cores.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from pathlib import Path

import numpy as np

from tahur.cards.buckets import BucketCentres, BucketNumbers, BucketProgress, Buckets, make_with_centres
from tahur.solvers.nolimit.abstraction import PRESETS
from tahur.solvers.nolimit.blueprint import read_blueprint, read_memory, write_blueprint
from tahur.solvers.nolimit.blueprint_solver import BOARDS, BlueprintSolver, preflop_values
from tahur.solvers.solver import SolverState

SEED = 23
SIZES = BucketNumbers(500, 500, 300)
ACTIONS = PRESETS["standard"]
TRAINED = {100: 1_000_000, 40: 300_000, 200: 300_000, 20: 200_000, 10: 200_000, 60: 100_000, 150: 100_000}  # boards
WHOLE = 100  # the depth that ships with all streets; the others end after the flop
PACKAGE = Path(__file__).parent.parent / "src" / "tahur" / "solvers" / "nolimit" / "blueprints"
VALUE_BOARDS = 50_000  # for the EVs of actions before the flop
SAVE_ROUNDS = 50


def made_buckets() -> tuple[BucketCentres, Buckets]:
    """The card buckets of all depths."""
    for step in make_with_centres(SIZES, np.random.default_rng(SEED)):
        if not isinstance(step, BucketProgress):
            return step
    raise AssertionError("buckets come last")


def train(work: Path, threads: int) -> None:
    """Train each depth until it has its number of boards."""
    work.mkdir(parents=True, exist_ok=True)
    centres, buckets = made_buckets()
    for depth, boards in TRAINED.items():
        path = work / f"{depth}bb.tahur"
        solver = BlueprintSolver(depth, ACTIONS, centres, buckets, seed=SEED, threads=threads)
        if path.exists():
            arrays = read_memory(path, solver.state().arrays)
            solver.resume(SolverState(read_blueprint(path).training.rounds, arrays))
        began, first = time.monotonic(), solver.boards
        while solver.boards < boards:
            solver.iterate(min(SAVE_ROUNDS, (boards - solver.boards) // BOARDS))
            write_blueprint(path, solver.blueprint(), solver.state().arrays)
            pace = (solver.boards - first) / (time.monotonic() - began)
            print(f"{depth} bb: {solver.boards:,} of {boards:,} boards, {pace:,.0f} a second", flush=True)


def ship(work: Path) -> None:
    """Write the shortened blueprints and their checksums."""
    PACKAGE.mkdir(exist_ok=True)
    _, buckets = made_buckets()
    checksums = {}
    for depth in sorted(TRAINED):
        blueprint = read_blueprint(work / f"{depth}bb.tahur")
        blueprint = blueprint.with_values(preflop_values(blueprint, buckets, boards=VALUE_BOARDS, seed=SEED))
        path = PACKAGE / f"{depth}bb.tahur"
        write_blueprint(path, blueprint if depth == WHOLE else blueprint.shortened(2))
        checksums[path.name] = hashlib.sha256(path.read_bytes()).hexdigest()
        print(f"{path.name}: {path.stat().st_size:,} bytes, {blueprint.training.boards:,} boards")
    (PACKAGE / "checksums.json").write_text(json.dumps(checksums, indent=2) + "\n")


def main() -> None:
    if len(sys.argv) != 3 or sys.argv[1] not in ("train", "ship"):
        sys.exit(__doc__)
    if sys.argv[1] == "train":
        train(Path(sys.argv[2]), threads=2)
    else:
        ship(Path(sys.argv[2]))


if __name__ == "__main__":
    main()
