"""Parsing untrusted files: limits on size, depth and number of values, and a `ValueError` for every fault.

Files are shared: hand histories, strategies, nets, personas. A parser can use up the memory or the stack of the process
on hostile input, so each text is checked before it is parsed. Callers turn the `ValueError` into one line with the
file's name.
"""

from __future__ import annotations

import json
import os
import re
import stat
import tomllib
from pathlib import Path
from typing import Any, Final

MEGABYTE: Final = 1 << 20
MOST_TEXT: Final = 256 * MEGABYTE  # bytes of a text file that is read line by line, such as hand histories
MOST_PARSED: Final = 32 * MEGABYTE  # bytes of a text that is parsed as a whole
MOST_CONTAINERS: Final = 500_000  # lists and objects in one JSON text
MOST_VALUES: Final = 4_000_000
MOST_SETTINGS: Final = MEGABYTE  # bytes of a TOML or YAML text
MOST_DEPTH: Final = 60  # of TOML and YAML, whose parsers would overflow the stack or take minutes
_BRACKETS: Final = re.compile(r"[\[\]{}]")


class TooLarge(ValueError):
    """A text that exceeds one of the limits."""


def read_file(path: Path, most: int = MOST_PARSED) -> bytes:
    """The content of a regular file of at most `most` bytes; pipes and devices could be endless."""
    known = path.stat()
    if not stat.S_ISREG(known.st_mode):
        raise TooLarge("it is not a regular file")
    if known.st_size > most:
        raise TooLarge(f"it has {known.st_size:,} bytes; at most {most:,} are read")
    return path.read_bytes()


def parse_json(text: str | bytes, most: int = MOST_PARSED) -> Any:
    """The value of a JSON text; raises `ValueError` for any fault."""
    _check_size(text, most)
    marks = ("[", "{", ",") if isinstance(text, str) else (b"[", b"{", b",")
    lists, objects, commas = (text.count(mark) for mark in marks)  # type: ignore[arg-type]
    if lists + objects > MOST_CONTAINERS or commas > MOST_VALUES:
        raise TooLarge(f"it has {lists + objects:,} lists and objects and {commas:,} values: too many")
    try:
        return json.loads(text)
    except RecursionError:
        raise TooLarge("it is nested too deeply") from None


def parse_toml(text: str, *, parse_float: Any = float, most: int = MOST_SETTINGS) -> dict[str, Any]:
    """The table of a TOML text; raises `ValueError` for any fault."""
    _check_size(text, most)
    _check_depth(text)
    if any(line.partition("=")[0].count(".") > MOST_DEPTH for line in text.splitlines()):
        raise TooLarge(f"a key has more than {MOST_DEPTH} parts")
    return tomllib.loads(text, parse_float=parse_float)


def parse_yaml(text: str, most: int = MOST_SETTINGS) -> Any:
    """The value of a YAML text without aliases; raises `ValueError` for any fault."""
    import yaml

    _check_size(text, most)
    _check_depth(text)
    try:
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text)):
            raise TooLarge("it has aliases (*name), which are not supported here")
        return yaml.safe_load(text)
    except RecursionError:
        raise TooLarge("it is nested too deeply") from None
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from None


def _check_depth(text: str) -> None:
    """Count nesting by brackets alone, including those in strings and comments: settings have only a few."""
    depth = 0
    for mark in _BRACKETS.findall(text):
        depth += 1 if mark in "[{" else -1
        if depth > MOST_DEPTH:
            raise TooLarge(f"it is nested more than {MOST_DEPTH} deep")


def _check_size(text: str | bytes, most: int) -> None:
    if len(text) > most:
        raise TooLarge(f"it has {len(text):,} characters; at most {most:,} are read")


def available_memory() -> int | None:
    """Free memory of this machine in bytes; None if the system does not report it."""
    try:
        with Path("/proc/meminfo").open() as file:
            lines = dict(line.split(":", 1) for line in file)
        free = int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return _free_pages()
    allowed = _left_in_group()
    return free if allowed is None else min(free, allowed)


def _left_in_group() -> int | None:
    """Bytes that the control group of a service or container still allows; None if it has no limit."""
    try:
        group = Path("/sys/fs/cgroup") / Path("/proc/self/cgroup").read_text().rpartition("::/")[2].strip()
        most, used = (int((group / f"memory.{name}").read_text()) for name in ("max", "current"))
        return max(0, most - used)
    except (OSError, ValueError):
        return None


def _free_pages() -> int | None:
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return None
