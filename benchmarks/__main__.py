"""`python -m benchmarks`: measure in new processes, then print one table. Progress goes to stderr.

Exits with code 1 if an answer was wrong, 2 if no row matches `--only`; missed targets are in the table.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from benchmarks import (
    arena,
    batch,
    cards,
    deep,
    equities,
    games,
    limit,
    nolimit,
    options,
    personas,
    perudo,
    perudo_rounds,
    postflop,
    report,
    room,
    solvers,
    startup,
    street,
)
from benchmarks.machine import this_machine
from benchmarks.measure import PROCESSES, Benchmark, Row, combined

MODULES: tuple[Any, ...] = (
    cards,
    equities,
    games,
    batch,
    arena,
    perudo,
    options,
    personas,
    solvers,
    street,
    postflop,
    limit,
    nolimit,
    perudo_rounds,
    deep,
    room,
    startup,
)
GROUPS: Mapping[str, tuple[Benchmark, ...]] = {
    module.__name__.rpartition(".")[2]: tuple(module.BENCHMARKS) for module in MODULES
}


def main() -> int:
    options = _options()
    words = " ".join(options.only).lower().split()
    chosen = {name: [row for row in rows if _matches(row, words)] for name, rows in GROUPS.items()}
    if options.process:
        return _process(options.process, chosen[options.process])
    if not any(chosen.values()):
        _note(f"no benchmark has {' and '.join(words)} in its work or peer; omit --only to run all")
        return 2
    rows: list[Row] = []
    failed: list[str] = []
    for name in (name for name, group in chosen.items() if group):
        try:
            rows += _measured(name, options)
        except subprocess.CalledProcessError:  # its traceback is on stderr; the other groups are not lost
            failed.append(name)
    if options.json:
        print(report.as_json(rows, this_machine()))
    elif options.markdown:
        print(report.as_markdown(rows, this_machine(), options.processes), end="")
    else:
        print(report.as_text(rows))
    _note(report.summary(rows))
    if failed:
        _note(f"not measured, since they failed: {', '.join(failed)}")
    return int(bool(failed) or any(row.wrong for row in rows))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure tahur against its peers.")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="only rows with all of these words")
    parser.add_argument(
        "--processes", type=int, default=PROCESSES, metavar="N", help=f"new processes for each row; {PROCESSES}"
    )
    parser.add_argument("--process", choices=GROUPS, help=argparse.SUPPRESS)  # measure here, one JSON row a line
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object")
    form.add_argument("--markdown", action="store_true", help="print the page that docs/benchmarks.md holds")
    return parser.parse_args()


def _matches(benchmark: Benchmark, words: Sequence[str]) -> bool:
    text = f"{benchmark.work} {benchmark.peer}".lower()
    return all(word in text for word in words)


def _measured(group: str, options: argparse.Namespace) -> list[Row]:
    """The rows of a group, each combined from several new processes."""
    command = [sys.executable, "-m", "benchmarks", "--process", group]
    command += ["--only", *options.only] if options.only else []
    processes = max(1, options.processes)
    results = []
    for number in range(1, processes + 1):
        _note(f"{group}: process {number} of {processes}")
        child = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE)
        results.append([Row.from_json(json.loads(line)) for line in child.stdout.splitlines()])
    return [combined(rows) for rows in zip(*results, strict=True)]


def _process(group: str, benchmarks: Sequence[Benchmark]) -> int:
    """Measure here; prints one row a line."""
    if group != "startup":  # which starts processes of its own
        _warm()
    for number, benchmark in enumerate(benchmarks, 1):
        peer = f" ({benchmark.peer})" if benchmark.peer else ""
        _note(f"  {number}/{len(benchmarks)} {benchmark.work}{peer}")
        print(json.dumps(asdict(benchmark.measure())), flush=True)
    return 0


def _warm() -> None:
    from tahur.warm import warm_up

    _note("loading or compiling the kernels: up to two minutes after a change")
    for _ in warm_up(("card", "batch", "solver", "postflop")):
        pass


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
