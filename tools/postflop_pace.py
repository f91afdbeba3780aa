"""Print predicted and actual CPU times of spots: `python tools/postflop_pace.py`, a few minutes."""

from __future__ import annotations

import sys
import time
from typing import Any, Final

from tahur.solvers.postflop.estimate import EVERY, iterations_to, machine_speed, seconds_to
from tahur.solvers.postflop.solve import PostflopSolver
from tahur.solvers.postflop.spot import spot
from tahur.solvers.solver import run

OOP: Final = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP: Final = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
SOME: Final = {"oop": OOP, "ip": IP, "pot": 200}
ALL: Final = {"oop": "any", "ip": "any", "pot": 200}
RIVER: Final = {"board": "Td9d6hQc2s", "stack": 900, "sizes": "50%,100%,a / 60%,a"}
TURN: Final = {"board": "Td9d6hQc", "stack": 900, "sizes": "50%,a / 60%,a"}
MIXED: Final = {"sizes": "60%,e,a / 2.5x", "donk_river": "50%", "add_all_in": 1.5, "force_all_in": 0.15, "merge": 0.1}
SPOTS: Final[dict[str, dict[str, Any]]] = {
    "R1": SOME | RIVER,
    "R2": ALL | RIVER,
    "T0": SOME | TURN | MIXED,
    "T1": SOME | TURN,
    "T2": ALL | TURN,
    "F0": SOME | {"board": "Td9d6h", "stack": 400, "sizes": "50% / a"},
    "F1": SOME | {"board": "Td9d6h", "stack": 900, "sizes": "50% / 60%"},
}


def main() -> None:
    targets = [float(text) for text in sys.argv[1:]] or [0.5]
    print("| spot | target | iterations, estimated | needed | seconds, predicted | actual |\n|---|--:|--:|--:|--:|--:|")
    for name, said in SPOTS.items():
        for target in targets:
            print(_line(name, said, target), flush=True)


def _line(name: str, said: dict[str, Any], target: float) -> str:
    asked = spot(**said)
    speed = machine_speed(time.process_time)
    began = time.process_time()
    solver = PostflopSolver(asked)
    for _ in run(solver, iterations=5_000, target=target, every=EVERY):
        pass
    solver.solution()
    taken = time.process_time() - began
    predicted = seconds_to(target, solver.estimate(), speed=speed)
    guess, needed = iterations_to(target, solver.estimate()), solver.iteration
    return f"| {name} | {target} % | {guess} | {needed} | {predicted:.2f} | {taken:.2f} |"


if __name__ == "__main__":
    main()
