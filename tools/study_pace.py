"""Times of Study's node views on spots of its shelf: `python tools/study_pace.py` prints the table of docs/study.md.

A view includes walking the line, the traversal for EVs, writing JSON and compressing it.
"""

from __future__ import annotations

import gzip
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np

from tahur.room.codec import text_of
from tahur.solvers.postflop.file import load
from tahur.solvers.postflop.line import has_choice, node_at
from tahur.solvers.postflop.solve import PostflopSolution, solve
from tahur.solvers.postflop.tree import NodeKind
from tahur.study.node import node_view
from tahur.study.shelf import SHELF
from tahur.study.trail import Trail, after_card, after_move, free_cards, root_trail, steps_of, trail_of

SPOTS = ("turn-k-high", "flop-short", "flop-3-bet")
VIEWS = 200


def main() -> None:
    print("| spot | file | load | first decision: frequencies, with EVs | nodes p50 | p95 | largest payload |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    with TemporaryDirectory() as folder:
        for name in SPOTS:
            shelf = next(spot for spot in SHELF if spot.name == name)
            path = Path(folder) / "spot.tahur"
            solve(shelf.spot, target=shelf.target, threads=2).save(path)
            print(_row(shelf.title, path), flush=True)


def _row(title: str, path: Path) -> str:
    began = time.perf_counter()
    solution = load(path)
    loading = time.perf_counter() - began
    _timed(solution, [], evs=True)  # the first view compiles what is missing
    root = [_timed(solution, [], evs=evs)[0] for evs in (False, True)]
    random = Random(1)
    timed = [_timed(solution, list(steps_of(_random_decision(solution, random))), evs=True) for _ in range(VIEWS)]
    p50, p95 = np.percentile([seconds for seconds, _ in timed], [50, 95])
    most = max(size for _, size in timed)
    return (
        f"| {title} | {path.stat().st_size / 1e6:.1f} MB | {loading:.2f} s | {1000 * root[0]:.0f} ms, "
        f"{1000 * root[1]:.0f} ms | {1000 * p50:.0f} ms | {1000 * p95:.0f} ms | {most / 1000:.0f} kB |"
    )


def _timed(solution: PostflopSolution, steps: list[str], *, evs: bool) -> tuple[float, int]:
    """Seconds and bytes of a view."""
    began = time.perf_counter()
    view = node_view(solution, "spot", trail_of(solution.engine, steps), evs=evs)
    packed = gzip.compress(text_of(view).encode(), 5)
    return time.perf_counter() - began, len(packed)


def _random_decision(solution: PostflopSolution, random: Random) -> Trail:
    """A decision somewhere in the tree, any street being likely."""
    trail = last = root_trail(solution.engine)
    for _ in range(random.randrange(12)):
        node = node_at(solution.engine, trail[-1])
        if has_choice(node):
            trail = after_card(solution.engine, trail, random.choice(free_cards(trail)))
        elif node.kind is NodeKind.DECISION:
            last = trail
            trail = after_move(solution.engine, trail, random.randrange(len(node.moves)))
    return trail if node_at(solution.engine, trail[-1]).kind is NodeKind.DECISION else last


if __name__ == "__main__":
    main()
