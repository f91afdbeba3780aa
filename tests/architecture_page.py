"""The tables of docs/architecture.md that follow from source_rules.py.

`python tests/architecture_page.py` writes them into the page, between the comments that mark them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from source_rules import ENTRY_POINTS, INNER_PACKAGES, KERNELS, MAY_IMPORT, PERMISSIONS

PAGE = Path(__file__).parent.parent / "docs" / "architecture.md"
WORDS = {ENTRY_POINTS: "the entry points", KERNELS: "files named `kernels.py`, or in a folder named `kernels`"}


def imports_table() -> str:
    """Which package may import which."""
    rows = [(f"`{name}`", _packages(others)) for name, others in MAY_IMPORT.items() if not name.startswith("__")]
    return _table(("package", "may import"), rows)


def permissions_table() -> str:
    """Which modules may do what."""
    return _table(("operation", "allowed in"), [(entry.to, _modules(entry.only)) for entry in PERMISSIONS])


def updated(page: str) -> str:
    """The page with both tables written anew."""
    for name, table in (("imports", imports_table()), ("permissions", permissions_table())):
        begin, end = f"<!-- {name}: python tests/architecture_page.py -->", f"<!-- end of {name} -->"
        pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
        if not pattern.search(page):
            raise ValueError(f"{PAGE.name} has no place for the table of {name}: {begin} ... {end}")
        page = pattern.sub(lambda _, text=f"{begin}\n\n{table}\n{end}": text, page)
    return page


def _packages(names: frozenset[str]) -> str:
    if names >= INNER_PACKAGES:
        return ", ".join(
            ["all packages above but the entry points", *_quoted(sorted(names - INNER_PACKAGES - {"room", "study"}))]
        )
    return ", ".join(_quoted(sorted(names))) or "none"


def _modules(patterns: tuple[str, ...]) -> str:
    for known, words in WORDS.items():
        if patterns[: len(known)] == known:
            return ", ".join([words, *_quoted(patterns[len(known) :])])
    return ", ".join(_quoted(patterns)) or "nowhere"


def _quoted(patterns: Iterable[str]) -> list[str]:
    return [f"`{pattern.removesuffix('/*')}`" for pattern in patterns]


def _table(heading: tuple[str, str], rows: Iterable[tuple[str, str]]) -> str:
    lines = [heading, ("---", "---"), *rows]
    return "".join(f"| {left} | {right} |\n" for left, right in lines)


if __name__ == "__main__":
    PAGE.write_text(updated(PAGE.read_text("utf-8")), "utf-8")
