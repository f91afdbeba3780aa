"""`tahur info doctor`: check the installation."""

from __future__ import annotations

import platform
import secrets
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import typer

from tahur import __version__
from tahur.cli.memory import available_memory
from tahur.cli.output import Json, console, print_json, warm

HANDS = 200
LEAST_DISK = 0.5  # GiB
LEAST_MEMORY = 0.5  # GiB


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    name: str
    ok: bool
    text: str


def doctor(as_json: Json = False) -> None:
    """Check this installation: versions, compiled kernels, random numbers, hand ranking, disk and memory."""
    findings = []
    out = console()
    for finding in _findings():
        findings.append(finding)
        if not as_json:
            mark = "[green]ok [/]" if finding.ok else "[bold red]BAD[/]"
            out.print(f"{mark} {finding.name:<12} {finding.text}")
    sound = all(finding.ok for finding in findings)
    if as_json:
        print_json({"ok": sound, "checks": [{"name": f.name, "ok": f.ok, "text": f.text} for f in findings]})
    else:
        out.print("no problems found" if sound else "[bold red]problems found: see the lines marked BAD[/]")
    raise typer.Exit(0 if sound else 1)


def _findings() -> Iterator[Finding]:
    yield _versions()
    yield _kernels()
    yield _randomness()
    yield _hands()
    yield _disk()
    yield _memory()


def _versions() -> Finding:
    from importlib.metadata import version

    parts = [f"{name} {version(name)}" for name in ("numpy", "numba", "llvmlite", "typer", "rich")]
    system = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    return Finding("versions", sys.version_info >= (3, 11), ", ".join([f"tahur {__version__}", *parts, system]))


def _kernels() -> Finding:
    from tahur.cards.warm import warm_up
    from tahur.core.cache import cache_folder

    compiled = warm(warm_up)
    began = time.monotonic()
    for _ in warm_up():
        pass
    loaded = time.monotonic() - began
    size = sum(path.stat().st_size for path in cache_folder().rglob("*") if path.is_file())
    state = f"loaded from disk in {loaded:.1f} s" if compiled is None else f"compiled just now in {compiled:.1f} s"
    return Finding("kernels", True, f"{state}; {size / 2**20:.1f} MiB in {cache_folder()}")


def _randomness() -> Finding:
    """Check the secure random source: two equal draws, or an uneven share of ones, mean that it is broken."""
    draw = secrets.token_bytes(65_536)
    ones = sum(byte.bit_count() for byte in draw) / (8 * len(draw))
    sound = draw != secrets.token_bytes(len(draw)) and abs(ones - 0.5) < 0.005  # seven standard errors
    return Finding("randomness", sound, f"operating system's secure source, {ones:.2%} ones in {len(draw):,} bytes")


def _hands() -> Finding:
    """Compare the fast evaluators with the definition on random hands: same order, same ties."""
    from tahur.cards.evaluator import evaluate, evaluate_many
    from tahur.cards.plain import describe

    deck = secrets.SystemRandom()
    hands = [deck.sample(range(52), 7) for _ in range(HANDS)]
    quick, batch, slow = [evaluate(hand) for hand in hands], evaluate_many(hands), [describe(hand) for hand in hands]
    order = sorted(range(HANDS), key=lambda at: slow[at])
    alike = all((slow[a] == slow[b]) == (quick[a] == quick[b]) and quick[a] <= quick[b] for a, b in pairwise(order))
    sound = alike and quick == batch.tolist()
    return Finding("self-check", sound, f"{HANDS} random hands ranked {'as' if sound else 'NOT as'} the rules say")


def _disk() -> Finding:
    free = shutil.disk_usage(Path.cwd()).free / 2**30
    return Finding("disk", free >= LEAST_DISK, f"{free:.1f} GiB free here (at least {LEAST_DISK} needed)")


def _memory() -> Finding:
    bytes_free = available_memory()
    if bytes_free is None:
        return Finding("memory", True, "this system does not report free memory")
    free = bytes_free / 2**30
    return Finding("memory", free >= LEAST_MEMORY, f"{free:.1f} GiB available (at least {LEAST_MEMORY} needed)")
