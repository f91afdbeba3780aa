"""Train a preset of a small game from several seeds, and print the measurements: the table and bands of the docs.

python tools/deep_seeds.py kuhn 1 2 3 4 5
python tools/deep_seeds.py leduc 1 2 3 4 5
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from tahur.solvers.deep.config import preset
from tahur.solvers.deep.run import Training

ROOM = 1.5  # factor by which a healthy run may be outside the measurements


def measured(name: str, seed: int) -> tuple[dict[int, float], float]:
    """Exploitability by iteration, and the CPU seconds of the run."""
    config = preset(name)
    config = replace(config, training=replace(config.training, seed=seed))
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        lines = list(Training(config, Path(folder) / "nets").run())
    found = {line.iteration: line.exploitability for line in lines if line.exploitability is not None}
    return found, time.process_time() - began


def main(name: str, *seeds: str) -> None:
    runs = {}
    for seed in map(int, seeds):
        runs[seed], seconds = measured(name, seed)
        told = "  ".join(f"{at}: {value:.4f}" for at, value in runs[seed].items())
        print(f"{name} seed {seed}: {told}  ({seconds:.0f} CPU-s)", flush=True)
    for at in next(iter(runs.values())):
        values = [run[at] for run in runs.values()]
        print(f"  - [{at}, {min(values) / ROOM:.4f}, {max(values) * ROOM:.4f}]")


if __name__ == "__main__":
    main(*sys.argv[1:])
