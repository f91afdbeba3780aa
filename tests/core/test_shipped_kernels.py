"""Kernels that come with a wheel: used where they fit, and refused if they are stale or for another processor."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tahur
from tahur.core.kernels import PORTABLE

PACKAGE = Path(tahur.__file__).parent
HERE = """
import sys
from pathlib import Path
import tahur.core.cache as cache
cache._homes = lambda: (Path.cwd() / "home",)  # not the folder of this environment's kernels
"""
CALL = """
from tahur.cards.kernels import flush_suit
assert flush_suit(8 << 36) == 1
print(sum(flush_suit.stats.cache_hits.values()), sum(flush_suit.stats.cache_misses.values()))
"""
OLD_PROCESSOR = """
from llvmlite import binding
features = binding.get_host_cpu_features()
features.update({name: False for name in features if name.startswith("avx")})
binding.get_host_cpu_features = lambda: features
"""
LOADED, COMPILED = "1 0\n", "0 1\n"


def python(installed: Path, code: str, **settings: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(installed)} | settings
    command = [sys.executable, "-c", HERE + code]
    run = subprocess.run(command, cwd=installed, env=environment, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A copy of the package with one shipped kernel, and without a kernel in its cache folder."""
    for name in ("core", "cards"):
        shutil.copytree(PACKAGE / name, tmp_path / "tahur" / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PACKAGE / "__init__.py", tmp_path / "tahur")
    folder = shipped(tmp_path)
    built = {"NUMBA_CACHE_DIR": str(folder), "NUMBA_CPU_NAME": PORTABLE, "NUMBA_CPU_FEATURES": ""}
    assert python(tmp_path, CALL, **built) == COMPILED
    return tmp_path


def shipped(installed: Path) -> Path:
    return installed / "tahur" / "compiled" / python(installed, "print(cache.kernel_digest())").strip()


@pytest.mark.skipif(platform.machine() != "x86_64", reason="shipped kernels are for x86-64")
def test_a_shipped_kernel_is_loaded_and_one_that_is_missing_is_compiled(installed: Path) -> None:
    assert python(installed, CALL) == LOADED
    shutil.rmtree(shipped(installed) / "tahur.cards.kernels")
    assert python(installed, CALL) == COMPILED
    assert python(installed, CALL) == LOADED  # from the cache folder


def test_kernels_of_other_sources_are_not_used(installed: Path) -> None:
    tables = installed / "tahur" / "cards" / "tables.py"  # another file than the kernel's
    tables.write_text(tables.read_text("utf-8") + "# changed\n", "utf-8")
    assert python(installed, CALL) == COMPILED


def test_kernels_of_other_sources_are_not_used_under_the_name_of_the_current_ones(installed: Path) -> None:
    folder, kernels = shipped(installed), installed / "tahur" / "cards" / "kernels.py"
    kernels.write_text(kernels.read_text("utf-8") + "# changed\n", "utf-8")
    folder.rename(shipped(installed))
    assert python(installed, CALL) == COMPILED


def test_a_processor_without_avx2_compiles_its_own(installed: Path) -> None:
    assert python(installed, OLD_PROCESSOR + CALL) == COMPILED


def test_numba_told_to_compile_for_a_processor_does_so(installed: Path) -> None:
    assert python(installed, CALL, NUMBA_CPU_NAME="generic") == COMPILED
