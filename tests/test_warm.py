"""The groups of kernels: together they compile every module of kernels."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tahur
from tahur.warm import GROUPS

SOURCE = Path(tahur.__file__).parent
PROGRAM = """
import sys
from tahur.warm import GROUPS, warm_up
parts = list(warm_up(GROUPS))
assert len(parts) >= len(GROUPS)
print("\\n".join(name for name in sys.modules if name.startswith("tahur.")))
"""


def test_a_group_has_its_own_name() -> None:
    assert all(name == group.name and group.seconds > 0 for name, group in GROUPS.items())


@pytest.mark.slow
def test_every_module_of_kernels_is_loaded_by_some_group() -> None:
    files = [*SOURCE.rglob("kernels.py"), *SOURCE.rglob("kernels/*.py")]
    modules = {".".join(("tahur", *path.relative_to(SOURCE).with_suffix("").parts)) for path in files}
    loaded = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout.split()
    assert {name.removesuffix(".__init__") for name in modules} <= set(loaded)
