"""The estimated size and time of a spot, as `tahur postflop solve` prints them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tahur.cli.output import console, print_json, warm
from tahur.cli.postflop.options import PostflopLimits, duration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tahur.solvers.postflop.estimate import SpotEstimate
    from tahur.solvers.postflop.lock import Lock
    from tahur.solvers.postflop.spot import Spot


def print_estimate(spot: Spot, limits: PostflopLimits, *, as_json: bool, locks: Sequence[Lock]) -> None:
    """Print the estimated memory, time and size of the tree."""
    from tahur.solvers.postflop.estimate import estimate, iterations_to

    size: SpotEstimate = estimate(spot, locks=locks, half=limits.half, merge_rivers=limits.merge_rivers)
    warm("postflop")
    target = limits.percent
    seconds = seconds_about(size, target, limits.threads)
    if as_json:
        nodes = list(size.nodes)
        print_json(
            {"decisions": size.decisions, "nodes": nodes, "memory_mb": size.bytes / 1e6, "hint": size.hint,
             "seconds": seconds, "target_pct": target, "iterations": iterations_to(target, size)}
        )  # fmt: skip
        return
    out = console()
    out.print(f"{size.decisions} decisions without cards, {sum(size.nodes):,} with them")
    out.print(f"{megabytes(size.bytes)}; {size.hint}")
    out.print(
        f"about {duration(seconds)} to {target:g} % of the pot, if that takes {iterations_to(target, size)} iterations"
    )


def seconds_about(size: SpotEstimate, target: float, threads: int, *, measure: bool = True) -> float:
    """The estimated seconds: measured on this machine now, or on a typical one."""
    from tahur.solvers.postflop.estimate import USUAL_SPEED, machine_speed, seconds_to

    speed = machine_speed(time.process_time) if measure else USUAL_SPEED
    return seconds_to(target, size, speed=speed, threads=threads)


def megabytes(count: float) -> str:
    if count >= 1e8:
        return f"{count / 1e6:,.0f} MB"
    return f"{count / 1e6:.1f} MB" if count >= 1e5 else f"{count / 1e3:.0f} kB"
