"""The lock files belong to pyproject.toml, and everything in them has a hash."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def check(root: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "tools/lock.py"), "--check"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_locks_are_current() -> None:
    assert check(ROOT).returncode == 0


@pytest.mark.parametrize(
    ("changed", "stale"),
    [
        ('"rich>=13.7"', ["play", "dev"]),
        ('"hypothesis>=6.100"', ["dev"]),
    ],
)
def test_a_changed_dependency_makes_them_stale(tmp_path: Path, changed: str, stale: list[str]) -> None:
    for name in ("tools", "requirements"):
        shutil.copytree(ROOT / name, tmp_path / name)
    text = (ROOT / "pyproject.toml").read_text()
    assert changed in text
    (tmp_path / "pyproject.toml").write_text(text.replace(changed, changed.replace(">=", ">=9")))
    run = check(tmp_path)
    assert run.returncode == 1
    assert re.findall(r"(\w+)\.lock is stale", run.stderr) == stale


@pytest.mark.parametrize("name", ["play", "dev"])
def test_everything_is_pinned_with_a_hash_and_names_no_address(name: str) -> None:
    text = (ROOT / f"requirements/{name}.lock").read_text()
    entries = re.split(r"\n(?=[a-z0-9])", text)
    assert len(entries) > 20
    assert all("==" in entry and "--hash=sha256:" in entry for entry in entries[1:])
    assert "://" not in text
