"""Files that were valid once: one real file of each format that tahur reads, damaged in many ways.

`hostile_files.py` has files that were made to hurt a parser; these are wrong in places that a reader only
reaches late.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from command import tahur

DATA = Path(__file__).parent / "data"
NUMBERS = (b"-1", b"0", b"1e999", b"NaN", b"-0.0", b"99999999999999999999", b"2147483648", b'"x"', b"null", b"[]")


@dataclass(frozen=True, slots=True)
class Sample:
    """A valid file, which is damaged where it lies, and the commands that read it."""

    path: Path
    commands: tuple[tuple[str, ...], ...]


def samples(folder: Path) -> Iterator[Sample]:
    """One file of each format, made by the commands that users make them with."""
    yield from _solved(folder)
    yield from _played(folder)
    yield from _nets(folder / "nets_of_kuhn")
    spot = _written(folder / "spot.toml", SPOT)
    yield Sample(spot, (("postflop", "solve", "--estimate", "--spot", str(spot)),))
    persona = _written(folder / "persona.toml", PERSONA)
    yield Sample(persona, (("match", "nlhe", f"persona:{persona}", "random", "--hands", "2", "--workers", "1"),))


def _solved(folder: Path) -> Iterator[Sample]:
    kuhn, river, dice, street = (
        str(folder / name) for name in ("kuhn.tahur", "river.tahur", "1v1.tahur", "street.json")
    )
    _run("solve", "kuhn", "--iterations", "20", "-o", kuhn)
    yield Sample(Path(kuhn), (("show", kuhn), ("match", "kuhn", f"strategy:{kuhn}", "random", "--hands", "4")))
    spot = ["--board", "Td9d6hQc2s", "--oop", "QQ+,AKs", "--ip", "JJ+,AQs", "--pot", "200", "--stack", "900"]
    _run("postflop", "solve", *spot, "--sizes", "50%/60%", "-o", river)
    yield Sample(Path(river), (("postflop", "show", river), ("postflop", "lock", river, "check: check=50%")))
    _run("solve", "perudo", "--dice", "1v1", "-o", dice)
    yield Sample(Path(dice), (("show", dice),))
    _run("street", "solve", "--iterations", "3", "-o", street)
    yield Sample(Path(street), (("street", "show", "wet", "--from", street),))


def _played(folder: Path) -> Iterator[Sample]:
    for pattern in ("good/*.phh", "pokerstars/*.txt"):
        smallest = min((DATA / "phh").glob(pattern), key=lambda path: (path.stat().st_size, path.name))
        hand = shutil.copy(smallest, folder)
        yield Sample(Path(hand), (("hand-history", "replay", hand),))
    _run("match", "nlhe", "caller", "random", "--hands", "6", "--workers", "1", "-o", str(folder / "match"))
    records = next((folder / "match").rglob("*.jsonl"))
    yield Sample(records, (("hand-history", "replay", str(records)), ("profile", "--records", str(records))))


def _nets(folder: Path) -> Iterator[Sample]:
    config = _written(folder.with_suffix(".yaml"), CONFIG)
    _run("train", str(config), "-o", str(folder))
    commands = (("match", "kuhn", f"net:{folder}", "random", "--hands", "2", "--workers", "1"),)
    for path in (folder / "checkpoint.json", min(folder.glob("nets/*.safetensors"))):
        yield Sample(path, commands)


def mutations(content: bytes, rng: np.random.Generator, count: int) -> Iterator[bytes]:
    """Damaged copies: cut off, bits flipped, parts removed, doubled, moved, and numbers replaced."""
    ways: tuple[Callable[[bytes, np.random.Generator], bytes], ...] = (_cut, _flip, _remove, _double, _noise, _renumber)
    for number in range(count):
        yield ways[number % len(ways)](content, rng)


def _cut(content: bytes, rng: np.random.Generator) -> bytes:
    return content[: rng.integers(len(content))]


def _flip(content: bytes, rng: np.random.Generator) -> bytes:
    changed = bytearray(content)
    for place in rng.integers(len(content), size=rng.integers(1, 9)):
        changed[place] ^= 1 << rng.integers(8)
    return bytes(changed)


def _remove(content: bytes, rng: np.random.Generator) -> bytes:
    start, end = sorted(rng.integers(len(content), size=2))
    return content[:start] + content[end:]


def _double(content: bytes, rng: np.random.Generator) -> bytes:
    start, end = sorted(rng.integers(len(content), size=2))
    return content[:end] + content[start:]


def _noise(content: bytes, rng: np.random.Generator) -> bytes:
    place = int(rng.integers(len(content)))
    return content[:place] + rng.bytes(int(rng.integers(1, 64))) + content[place:]


def _renumber(content: bytes, rng: np.random.Generator) -> bytes:
    """One number of the text, or of the header of an archive, becomes another."""
    digits = [place for place, byte in enumerate(content) if 48 <= byte <= 57]
    if not digits:
        return _flip(content, rng)
    place = digits[int(rng.integers(len(digits)))]
    return content[:place] + NUMBERS[int(rng.integers(len(NUMBERS)))] + content[place + 1 :]


def _run(*command: str) -> None:
    run = tahur(*command)
    assert run.returncode == 0, run.stderr


def _written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


SPOT = """
board = "Td9d6hQc"
oop = "66+,AJs+"
ip = "22+,ATs+"
pot = 200
stack = 900
sizes = "50%,a / 60%,a"
"""
PERSONA = """
name = "Tester"
about = "Plays as told."
voice = "plain"
looseness = 0.3
aggression = 0.5
resilience = 0.5
confidence = 0.5
composure = 0.5
energy = 0.5
chatter = 0.1
[lines]
fold = ["No."]
check = ["Check."]
call = ["Yes."]
raise = ["More."]
all-in = ["All."]
hot = ["Bah."]
cold = ["Hm."]
"""
CONFIG = """
game_type: kuhn
training: {iterations: 2, traversals_per_iter: 50, log_interval: 1, threads: 1}
network: {hidden_dim: 8}
sgd: {steps: 5, batch_size: 64, learning_rate: 0.01}
memory: {advantage_cap: 10000}
checkpoint: {interval: 1}
"""
