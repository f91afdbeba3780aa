"""Solve three spots, save them and read them back: the table of files in docs/postflop.md."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tahur.solvers.postflop.solve import PostflopSolution, solve
from tahur.solvers.postflop.spot import spot

RANGES = {
    "oop": "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
    "ip": "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
}
SPOTS = {
    "R1, river": ({"board": "Td9d6hQc2s", "stack": 900, "sizes": "50%,100%,a / 60%,a"}, 0.1),
    "T1, turn": ({"board": "Td9d6hQc", "stack": 900, "sizes": "50%,a / 60%,a"}, 0.3),
    "F0, flop": ({"board": "Td9d6h", "stack": 400, "sizes": "50% / a"}, 1.0),
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, (said, target) in SPOTS.items():
            path = Path(folder) / "spot.tahur"
            solution = solve(spot(**RANGES, **said, pot=200), target=target)
            solution.save(path)
            read = PostflopSolution.load(path).engine.exploitability()
            size = path.stat().st_size / 1e6
            sys.stdout.write(f"| {name} | {size:.3f} MB | {solution.exploitability:.4f} % | {read:.4f} % |\n")


if __name__ == "__main__":
    main()
