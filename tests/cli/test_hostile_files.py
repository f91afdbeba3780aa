"""Every command that reads files, on files from strangers: one line, quickly, in little memory, and no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from command import measured, surroundings, tahur
from hostile_files import archives, texts, write_all
from mutated_files import mutations, samples
from tahur.core.errors import StrategyError
from tahur.core.net_file import read_arrays, write_arrays

MOST_MEMORY = 300  # MB, imports included
MOST_GROWTH = 100  # MB beyond a process that has imported every command, of which a child counts some 90 less
TEXTS = [name for name, _ in texts()]


def named(*ends: str) -> list[str]:
    return [name for name in TEXTS if name.endswith(ends)]


def commands() -> Iterator[tuple[str, ...]]:
    for name in named(".json"):
        yield "street", "show", "wet", "--from", name
        yield "room", "fair", name
    for name in [*named(".json", ".jsonl"), *named(".phh", ".txt")]:
        yield "hand-history", "show", name
    for name in named(".jsonl"):
        yield "profile", "--records", name
        yield "show", name
        yield "llm", "report", name
        yield "perudo", "memory", name
    for name in named(".yaml"):
        yield "train", name, "-o", "never"
    for name in named(".toml"):
        yield "postflop", "solve", "--estimate", "--spot", name
        yield "match", "nlhe", f"persona:{name}", "random", "--hands", "2", "--workers", "1"
        yield "match", "perudo", f"persona:{name}", "random", "--hands", "2", "--workers", "1"
    for folder in ("deep_nets", "deep_tensors"):
        yield "match", "hulh", f"net:{folder}", "caller", "--hands", "2", "--workers", "1"
        yield "show", folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("hostile")
    write_all(made)
    return made


def test_no_text_gives_a_traceback(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    failed = {}
    for command in commands():
        run = tahur(*command)
        if "Traceback" in run.stderr or run.returncode not in (0, 1, 2) or "\x1b[31m" in run.stdout + run.stderr:
            failed[command] = run.returncode, run.stderr[-300:] or run.stdout[-300:]
    assert not failed


@pytest.mark.slow(minutes=15)
def test_five_hundred_damaged_files_give_a_line_in_two_seconds_and_no_traceback(tmp_path: Path) -> None:
    check_damaged(tmp_path, each=48)  # of eleven formats: 528 files


def test_damaged_files_give_a_line_and_no_traceback(tmp_path: Path) -> None:
    check_damaged(tmp_path, each=3)


def check_damaged(folder: Path, each: int) -> None:
    rng, failed, files = np.random.default_rng(1), {}, 0
    for sample in samples(folder):
        for command in sample.commands:
            assert (run := tahur(*command)).returncode == 0, run.stderr  # before it is damaged
        whole = sample.path.read_bytes()
        for number, content in enumerate(mutations(whole, rng, each)):
            sample.path.write_bytes(content)
            files += 1
            for command in sample.commands:
                if fault := _fault(command):
                    failed[sample.path.name, number, command] = fault
        sample.path.write_bytes(whole)
    assert not failed
    assert files == 11 * each


def _fault(command: tuple[str, ...]) -> str | None:
    """What is wrong with how a command answered a damaged file. A file that is still valid is read."""
    run, used = measured(*command)
    if "Traceback" in run.stderr or run.returncode not in (0, 1, 2):
        return f"exit code {run.returncode}: {run.stderr[-400:]}"
    if run.returncode == 2 and len(run.stderr.strip().splitlines()) > 2:
        return f"more than one line: {run.stderr}"
    if used.seconds > 2 or used.megabytes > MOST_GROWTH:
        return f"{used}: {run.stdout[-200:]}{run.stderr[-200:]}"
    return None


REPORTING = """
import atexit, resource, sys
from pathlib import Path
def report():
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    print("peak", peak.split()[1], file=sys.stderr)
atexit.register(report)
from tahur.cli.main import main; main()
"""


@pytest.mark.parametrize("command", [("show",), ("postflop", "show")])
def test_archives_are_refused_in_little_memory(folder: Path, command: tuple[str, ...]) -> None:
    failed = {}
    for name in [*(name for name, _ in archives()), "plain.tahur"]:
        words = [sys.executable, "-c", REPORTING, *command, name]
        run = subprocess.run(words, cwd=folder, capture_output=True, text=True, env=surroundings(), timeout=60)
        *said, peak = run.stderr.strip().splitlines()
        megabytes = int(peak.removeprefix("peak ")) / 1024
        if len(said) != 1 or run.returncode != 2 or megabytes > MOST_MEMORY:
            failed[name] = run.returncode, f"{megabytes:.0f} MB", run.stderr[-300:]
    assert not failed


def test_a_pipe_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "pipe.jsonl")
    run = tahur("hand-history", "show", str(folder / "pipe.jsonl"))
    assert run.returncode in (1, 2)
    assert "not a regular file" in run.stderr + run.stdout
    (folder / "pipe.jsonl").unlink()


def test_nets_with_non_finite_weights_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "nets.safetensors"
    write_arrays(path, {"good": np.ones(3, np.float32), "bad": np.array([1.0, np.nan], np.float32)})
    with pytest.raises(StrategyError, match=r"bad has non-finite values \(NaN or infinity\)"):
        read_arrays(path)
