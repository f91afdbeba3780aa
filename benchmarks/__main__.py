"""`python -m benchmarks`: measure, then print one table. Progress goes to stderr.

Exits with code 1 if an answer was wrong, 2 if no row matches `--only`; missed targets are in the table.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

from benchmarks import (
    arena,
    batch,
    cards,
    deep,
    equities,
    games,
    limit,
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
from benchmarks.measure import Benchmark, Row

BENCHMARKS: tuple[Benchmark, ...] = (
    *cards.BENCHMARKS,
    *equities.BENCHMARKS,
    *games.BENCHMARKS,
    *batch.BENCHMARKS,
    *arena.BENCHMARKS,
    *perudo.BENCHMARKS,
    *options.BENCHMARKS,
    *personas.BENCHMARKS,
    *solvers.BENCHMARKS,
    *street.BENCHMARKS,
    *postflop.BENCHMARKS,
    *limit.BENCHMARKS,
    *perudo_rounds.BENCHMARKS,
    *deep.BENCHMARKS,
    *room.BENCHMARKS,
    *startup.BENCHMARKS,
)


def main() -> int:
    options = _options()
    words = " ".join(options.only).lower().split()
    chosen = [benchmark for benchmark in BENCHMARKS if _matches(benchmark, words)]
    if not chosen:
        _note(f"no benchmark has {' and '.join(words)} in its work or peer; omit --only to run all")
        return 2
    rows = list(_measured(chosen))
    if options.json:
        print(report.as_json(rows, this_machine()))
    elif options.markdown:
        print(report.as_markdown(rows, this_machine()), end="")
    else:
        print(report.as_text(rows))
    _note(report.summary(rows))
    return int(any(row.wrong for row in rows))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure tahur against its peers.")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="only rows with all of these words")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object")
    form.add_argument("--markdown", action="store_true", help="print the page that docs/benchmarks.md holds")
    return parser.parse_args()


def _matches(benchmark: Benchmark, words: Sequence[str]) -> bool:
    text = f"{benchmark.work} {benchmark.peer}".lower()
    return all(word in text for word in words)


def _measured(benchmarks: Sequence[Benchmark]) -> Iterator[Row]:
    _warm()
    for place, benchmark in enumerate(benchmarks, 1):
        peer = f" ({benchmark.peer})" if benchmark.peer else ""
        _note(f"{place}/{len(benchmarks)} {benchmark.work}{peer}")
        yield benchmark.measure()


def _warm() -> None:
    from tahur.warm import warm_up

    _note("loading or compiling the kernels: up to two minutes after a change")
    for _ in warm_up(("card", "batch", "solver", "postflop")):
        pass


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
