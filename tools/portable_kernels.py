"""Compile kernels for the wheel, into build/kernels: for any x86-64 processor with AVX2, by this Python and Numba.

    python tools/portable_kernels.py                     the groups that ordinary commands and the card room need
    python tools/portable_kernels.py card postflop       only these

The build hook (page/hook.py) puts them into a wheel; `core/kernels.py` decides whether they can be used. `make wheel`
runs this before it builds one.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

from tahur.core.cache import kernel_digest, mark_warm
from tahur.core.kernels import PORTABLE

BUILT: Final = Path(__file__).parents[1] / "build" / "kernels"
GROUPS: Final = ("postflop", "perudo", "card", "solver", "batch")  # the slowest first
WARM_UP: Final = "import sys; from tahur.warm import warm_up; list(warm_up(sys.argv[1:]))"


def main() -> int:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("groups", nargs="*", default=GROUPS)
    groups = parser.parse_args().groups
    folder = BUILT / kernel_digest()
    shutil.rmtree(BUILT, ignore_errors=True)  # of other sources
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(partial(compile_group, folder), groups))
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{folder}: {', '.join(groups)}; {size / 2**20:.1f} MiB")
    return 0


def compile_group(folder: Path, group: str) -> None:
    """Compile one group in a process of its own: Numba reads its settings when it is imported."""
    settings = {"NUMBA_CACHE_DIR": str(folder), "NUMBA_CPU_NAME": PORTABLE, "NUMBA_CPU_FEATURES": ""}
    subprocess.run([sys.executable, "-c", WARM_UP, group], check=True, env=os.environ | settings)
    mark_warm(group, folder)


if __name__ == "__main__":
    sys.exit(main())
