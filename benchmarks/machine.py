"""The machine and software versions that the figures were measured on."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

LIBRARIES = ("numpy", "numba", "llvmlite")
PEERS = ("phevaluator", "eval7", "treys", "poker-equity", "pokerfast")


@dataclass(frozen=True, slots=True)
class Machine:
    """One line of text each."""

    cpu: str
    vectors: str
    system: str
    libraries: str
    peers: str
    commit: str
    date: str
    load: str


def this_machine() -> Machine:
    return Machine(
        cpu=f"{_cpu_model()}, {os.cpu_count()} cores",
        vectors=_vectors(),
        system=f"Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        libraries=_versions(LIBRARIES),
        peers=_versions(PEERS),
        commit=_commit(),
        date=f"{datetime.now(UTC):%Y-%m-%d}",
        load=_load(),
    )


def _vectors() -> str:
    """The widest vector registers of the processor that the compiler knows of."""
    from llvmlite.binding import get_host_cpu_features

    features = get_host_cpu_features()
    widths = (("avx512f", "512 bits (AVX-512)"), ("avx2", "256 bits (AVX2)"), ("sse2", "128 bits (SSE2)"))
    return next((text for name, text in widths if features.get(name)), "128 bits or less")


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown processor"


def _load() -> str:
    """The load of the machine: other programs increase wall times, and CPU times a little."""
    try:
        return f"{os.getloadavg()[1]:.1f} programs at work on average in the last five minutes, this one among them"
    except (AttributeError, OSError):
        return "unknown"


def _versions(names: tuple[str, ...]) -> str:
    return ", ".join(f"{name} {_version(name)}" for name in names)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def _commit() -> str:
    """The commit, and whether the measured source differs from it."""
    commit = _git("rev-parse", "--short=12", "HEAD")
    if not commit:
        return "unknown"
    return f"{commit}, with changes" if _git("status", "--porcelain", "--", "src", "benchmarks") else commit


def _git(*arguments: str) -> str:
    here = Path(__file__).parent.parent
    try:
        done = subprocess.run(
            ["git", "--no-optional-locks", *arguments], cwd=here, check=True, text=True, capture_output=True
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()
