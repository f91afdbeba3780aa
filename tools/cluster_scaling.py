"""Measure the tables of docs/arena.md on clusters: `python tools/cluster_scaling.py`, some minutes.

Three kinds of work run in this process and on local Dask clusters of 1, 2 and 4 worker processes. The second table is a
model of 100 workers, from what a task costs on the cluster of one: CPU time of the worker, of the scheduler and of the
client, and bytes on the network. The busiest of them limits the rate.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

import cloudpickle
import numpy as np
import psutil
from arena_tables import match_of

from tahur.arena.match import blocks, play_block
from tahur.arena.work import Workers
from tahur.cli.postflop.options import SpotOptions
from tahur.solvers.postflop.aggregate import solve_flop
from tahur.solvers.postflop.flops import choose_flops
from tahur.warm import warm_up

SIZES: Final = (1, 2, 4)
MANY: Final = 100
NETWORK: Final = 125e6  # bytes per second: one gigabit
TASKS: Final = 10_000  # in the model
HERE: Final = ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")


class Work(NamedTuple):
    """A function and its items, each of which is a task."""

    name: str
    task: Callable[[Any], Any]
    items: Sequence[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run: seconds on the clock, CPU seconds, the size of the results, and their digest."""

    seconds: float
    client: float
    scheduler: float
    workers: float
    received: int
    digest: str


def main() -> None:
    list(warm_up(("card", "postflop")))
    runs = dict[str, list[Run]]()
    print(f"| {os.cpu_count()} cores | tasks | in this process | {' | '.join(f'{n} of Dask' for n in SIZES)} |")
    print("|---|--:|" + "--:|" * (1 + len(SIZES)))
    for work in works():
        here = measured(work, Workers(), [])
        runs[work.name] = [on_cluster(work, count) for count in SIZES]
        assert {run.digest for run in runs[work.name]} == {here.digest}, f"{work.name}: other results on a cluster"
        times = [f"{here.seconds:.1f} s", *(_cell(run, here) for run in runs[work.name])]
        print(f"| {work.name} | {len(work.items)} | {' | '.join(times)} |", flush=True)
    print(f"\n| a task | worker | scheduler | client | sent | received | {MANY} workers: tasks/s | busy |", end="")
    print(f" {TASKS:,} tasks with 1 and with {MANY} |\n|---|" + "--:|" * 8)
    for work in works():
        print(modelled(work, runs[work.name][0]), flush=True)


def works() -> Iterator[Work]:
    small = match_of("leduc", ("caller", "random"), duplicate=True, luck="none")
    yield Work("match: leduc, caller v random", partial(play_block, small, keep_records=True), list(blocks(50 * 400)))
    large = match_of("nlhe", ("odds", "caller"), duplicate=True, luck="chance")
    yield Work("match: nlhe, odds v caller, luck removed", partial(play_block, large, keep_records=True),
               list(blocks(50 * 60)))  # fmt: skip
    spot = SpotOptions(
        oop="22+,A2s+,KTs+", ip="22+,ATs+,KQs", pot="60", stack="240", sizes="-",
        flop="50% / -", turn="75% / -", river="75% / -",
    ).parse("2c2d2h")  # fmt: skip
    yield Work("aggregate: flops to 1 % of the pot", partial(solve_flop, spot, 1.0, keep=True),
               choose_flops("6", spot.ranges))  # fmt: skip


def on_cluster(work: Work, count: int) -> Run:
    with cluster(count) as (address, processes):
        list(Workers(cluster=address).run(work.task, work.items[: 2 * count]))  # workers import and load kernels
        return measured(work, Workers(cluster=address), processes)


@contextmanager
def cluster(count: int) -> Iterator[tuple[str, list[psutil.Process]]]:
    """A scheduler with `count` workers: its address, and the processes, the scheduler first."""
    with tempfile.TemporaryDirectory() as folder:

        def dask(*given: str, **more: Any) -> subprocess.Popen[str]:
            return subprocess.Popen([sys.executable, "-m", "dask", *given, *HERE], cwd=folder, text=True, **more)

        started = [dask("scheduler", "--port", "0", stderr=subprocess.PIPE)]
        assert started[0].stderr is not None
        address = next(line.split()[-1] for line in started[0].stderr if "Scheduler at:" in line)
        for _ in range(count):
            started.append(dask("worker", address, "--nthreads", "1", "--no-nanny", stderr=subprocess.DEVNULL))
        try:
            yield address, [psutil.Process(process.pid) for process in started]
        finally:
            for process in reversed(started):
                process.kill()
                process.wait()


def measured(work: Work, workers: Workers, processes: Sequence[psutil.Process]) -> Run:
    began, client, others = time.monotonic(), time.process_time(), list(map(_cpu, processes))
    results = list(workers.run(work.task, work.items))
    seconds, client = time.monotonic() - began, time.process_time() - client
    used = [_cpu(process) - before for process, before in zip(processes, others, strict=True)]
    with np.printoptions(threshold=sys.maxsize, precision=17):
        digest = hashlib.sha256(repr(results).encode()).hexdigest()
    return Run(
        seconds=seconds,
        client=client,
        scheduler=sum(used[:1]),
        workers=sum(used[1:]),
        received=sum(len(pickle.dumps(result)) for result in results),
        digest=digest,
    )


def modelled(work: Work, run: Run) -> str:
    """A row of the second table: the costs of a task, and the rate of 100 workers."""
    tasks = len(work.items)
    worker, scheduler, client = (part / tasks for part in (run.workers, run.scheduler, run.client))
    sent, received = len(cloudpickle.dumps((work.task, work.items[0]))), run.received / tasks
    rate = min(MANY / worker, 1 / scheduler, 1 / client, NETWORK / (sent + received))
    alone = min(1 / worker, 1 / scheduler, 1 / client)
    costs = " | ".join(f"{1e3 * each:,.1f} ms" for each in (worker, scheduler, client))
    size = f"{sent / 1e3:,.1f} kB | {received / 1e3:,.1f} kB"
    times = f"{_duration(TASKS / alone)}, {_duration(TASKS / rate + worker)}"
    return f"| {work.name} | {costs} | {size} | {rate:,.1f} | {rate * worker / MANY:.0%} | {times} |"


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def _cell(run: Run, here: Run) -> str:
    return f"{run.seconds:.1f} s ({here.seconds / run.seconds:.2f}x)"


def _duration(seconds: float) -> str:
    return f"{seconds:,.0f} s" if seconds < 600 else f"{seconds / 60:,.0f} min"


if __name__ == "__main__":
    main()
