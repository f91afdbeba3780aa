"""Files that nobody should be hurt by: too deep, too long, too large when unpacked, not what they say they are."""

from __future__ import annotations

import json
import struct
import zipfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

DEEP = "[" * 200_000
STRATEGY = json.dumps({"tahur file": "strategy file", "version": 2})
FORMER = json.dumps({"tahur strategy": 1})


def texts() -> Iterator[tuple[str, bytes]]:
    """Name and content."""
    rng = np.random.default_rng(1)
    yield "deep.json", DEEP.encode()
    yield "objects.json", b'{"a":' * 100_000
    yield "lists.json", b"[" + b"[]," * 600_000 + b"[]]"
    yield "digits.json", b"1" * 1_000_000
    yield "nan.json", b'{"schema": NaN}'
    yield "empty.json", b""
    yield "zeros.json", bytes(1_000_000)
    yield "binary.json", rng.bytes(100_000)
    yield "utf16.json", "{}".encode("utf-16")
    yield "deep.jsonl", DEEP.encode() + b"\n"
    yield "session.jsonl", b'{"session": ' + DEEP.encode() + b"\n"
    yield "zeros.jsonl", bytes(100_000)
    yield "laughs.yaml", _laughs().encode()
    yield "deep.yaml", b"[" * 20_000
    yield "binary.yaml", rng.bytes(10_000)
    yield "deep.toml", b"a = " + b"[" * 20_000
    yield "dotted.toml", b".".join([b"a"] * 50_000) + b" = 1\n"
    yield "long.toml", b'a = "' + b"x" * 3_000_000 + b'"\n'
    yield "binary.toml", rng.bytes(10_000)
    yield "antes.phh", b"variant = 'NT'\nantes = [" + b"0," * 300_000 + b"0]\n"
    yield "stacks.phh", b"variant = 'NT'\nstarting_stacks = [" + b"9" * 100_000 + b"]\n"
    yield "binary.phh", rng.bytes(10_000)
    yield "number.txt", b"PokerStars Hand #" + b"1" * 2_000_000
    yield "colours.toml", b'name = "\\u001b[31m[bold]red[/bold][link=x]"\nlike = "nobody"\n'


def _laughs() -> str:
    """Nine lists of nine names of the one before: a thousand million values if written out."""
    lines = ["a: &a [x,x,x,x,x,x,x,x,x]"]
    letters = "abcdefghij"
    lines += [f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]" for a, b in pairwise(letters)]
    return "\n".join([*lines, "game_type: leduc", ""])


def npy(shape: str, kind: str = "<f8") -> bytes:
    """The header of an array without its numbers."""
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


def archives() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """Name and entries of zip files."""
    yield "bomb.tahur", [("header.json", STRATEGY.encode()), ("chances.npy", bytes(120_000_000))]
    yield "former_bomb.tahur", [("strategy.json", FORMER.encode()), ("chances.npy", bytes(120_000_000))]
    yield "header.tahur", [("strategy.json", b" " * 120_000_000)]
    yield "postflop.tahur", [("postflop.json", b" " * 120_000_000)]
    yield "block.tahur", [("header.json", b'{"tahur file": "' + b"x" * 120_000_000 + b'"}')]
    yield "shape.tahur", [("header.json", STRATEGY.encode()), ("turns.npy", npy("(10000000000,)"))]
    yield "object.tahur", [("header.json", STRATEGY.encode()), ("turns.npy", npy("(1,)", "|O") + b"cos\nsystem\n")]
    yield "former.tahur", [("strategy.json", FORMER.encode()), ("turns.npy", npy("(10000000000,)"))]
    yield "deep.tahur", [(name, DEEP.encode()) for name in ("strategy.json", "postflop.json", "header.json")]
    yield "many.tahur", [(f"entry-{number}", b"") for number in range(31_000)]


def write_all(folder: Path) -> None:
    for name, content in texts():
        (folder / name).write_bytes(content)
    for name, entries in archives():
        with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
            for entry, content in entries:
                file.writestr(entry, content)
    (folder / "plain.tahur").write_bytes(bytes(100_000))
    _nets(folder / "deep_nets", header=DEEP)
    checkpoint = {"tahur nets": 1, "game": "hulh", "settings": {}, "iteration": 1, "uniform": False, "nets": [[1, 1.0]]}
    _nets(folder / "deep_tensors", header=json.dumps(checkpoint))
    (folder / "deep_tensors/nets/000001.safetensors").write_bytes(struct.pack("<Q", 9_000_000) + b"[" * 9_000_000)


def _nets(folder: Path, *, header: str) -> None:
    (folder / "nets").mkdir(parents=True)
    (folder / "checkpoint.json").write_text(header)
