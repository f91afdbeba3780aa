"""`tahur info games`, `docs`, `doctor` and `compile`: the games, the documentation, and this installation."""

from __future__ import annotations

import json
import platform
import secrets
import shutil
import subprocess
import sys
import time
import webbrowser
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import typer

from tahur import __version__
from tahur.cli.output import Json, console, note, print_json, warm
from tahur.core.errors import SettingError
from tahur.core.limits import available_memory


def games(
    name: Annotated[str | None, typer.Argument(help="A game, to show it in detail.")] = None,
    as_json: Json = False,
) -> None:
    """List the games with their settings and defaults; for one game, also what the settings mean.

    tahur info games      tahur info games perudo
    """
    from tahur.games.perudo.game import Perudo
    from tahur.games.registry import GAMES, make

    shown = None if name is None else make(name)  # an unknown name is an error that suggests the nearest one
    chosen = [entry for entry in GAMES.values() if name in (None, entry.name)]
    if as_json:
        print_json(
            {"games": [{"name": e.name, "summary": e.summary, "settings": dict(e.make().settings)} for e in chosen]}
        )
        return
    out = console()
    for entry in chosen:
        out.print(f"[bold]{entry.name:<11}[/]{entry.summary}")
        settings = "  ".join(f"{key}={json.dumps(value)}" for key, value in entry.make().settings.items())
        out.print(f"[dim]{'':11}{settings or 'no settings'}[/]")
    if isinstance(shown, Perudo):
        from tahur.games.perudo.card import rule_card
        from tahur.games.perudo.rules import PRESETS

        for rules in PRESETS.values():
            out.print("\n" + rule_card(rules))
    elif name is None:
        out.print("\nNext: [bold]tahur play nlhe[/], or [bold]tahur info games perudo[/] for its rules in words")


PACKAGE = Path(__file__).parents[1]
BUNDLED = PACKAGE / "site"  # in a wheel
BUILT = PACKAGE.parents[1] / "site"  # in a clone, by `make docs`


def docs(
    port: Annotated[int, typer.Option(help="The port to listen on; 0 takes any free one.", min=0, max=65535)] = 0,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the browser.")] = True,
) -> None:
    """Open the documentation in the browser. It is served from this machine and needs no network.

    tahur info docs      tahur info docs --port 8000 --no-open
    """
    with ThreadingHTTPServer(("127.0.0.1", port), partial(_Quiet, directory=str(site_folder()))) as server:
        address = f"http://localhost:{server.server_port}/"
        typer.echo(f"The documentation is at {address}  (Ctrl-C ends it)")
        if open_browser:
            webbrowser.open(address)
        server.serve_forever()


def site_folder() -> Path:
    """The built documentation."""
    for folder in (BUNDLED, BUILT):
        if (folder / "index.html").is_file():
            return folder
    raise SettingError(
        "the documentation is not built in this installation; in a clone, run: make docs (its sources are in docs/)"
    )


class _Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line for each request."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


HANDS = 200
LEAST_DISK = 0.5  # GiB
LEAST_MEMORY = 0.5  # GiB


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    name: str
    ok: bool
    text: str


def doctor(as_json: Json = False) -> None:
    """Check this installation: versions, compiled kernels, random numbers, hand ranking, disk and memory."""
    findings = []
    out = console()
    for finding in _findings():
        findings.append(finding)
        if not as_json:
            mark = "[green]ok [/]" if finding.ok else "[bold red]BAD[/]"
            out.print(f"{mark} {finding.name:<12} {finding.text}")
    all_ok = all(finding.ok for finding in findings)
    if as_json:
        print_json({"ok": all_ok, "checks": [{"name": f.name, "ok": f.ok, "text": f.text} for f in findings]})
    else:
        out.print("no problems found" if all_ok else "[bold red]problems found: see the lines marked BAD[/]")
    raise typer.Exit(0 if all_ok else 1)


def _findings() -> Iterator[Finding]:
    yield _versions()
    yield _kernels()
    yield _randomness()
    yield _hands()
    yield _disk()
    yield _memory()


def _versions() -> Finding:
    from importlib.metadata import version

    parts = [f"{name} {version(name)}" for name in ("numpy", "numba", "llvmlite", "typer", "rich")]
    system = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    return Finding("versions", sys.version_info >= (3, 11), ", ".join([f"tahur {__version__}", *parts, system]))


def _kernels() -> Finding:
    """Check that the card kernels can be compiled and loaded, and how long that takes."""
    from tahur.core.cache import cache_folder
    from tahur.warm import warm_up

    compiled = warm()
    began = time.monotonic()
    for _ in warm_up(("card",)):
        pass
    loaded = time.monotonic() - began
    size = sum(path.stat().st_size for path in cache_folder().rglob("*") if path.is_file())
    state = f"loaded from disk in {loaded:.1f} s" if compiled is None else f"compiled just now in {compiled:.1f} s"
    return Finding("kernels", True, f"{state}; {size / 2**20:.1f} MiB in {cache_folder()}")


def _randomness() -> Finding:
    """Check the secure random source: two equal draws, or an uneven share of ones, mean that it is broken."""
    draw = secrets.token_bytes(65_536)
    ones = sum(byte.bit_count() for byte in draw) / (8 * len(draw))
    sound = draw != secrets.token_bytes(len(draw)) and abs(ones - 0.5) < 0.005  # seven standard errors
    return Finding("randomness", sound, f"operating system's secure source, {ones:.2%} ones in {len(draw):,} bytes")


def _hands() -> Finding:
    """Compare the fast evaluators with the definition on random hands: same order, same ties."""
    from tahur.cards.evaluator import evaluate, evaluate_many
    from tahur.cards.plain import describe

    deck = secrets.SystemRandom()
    hands = [deck.sample(range(52), 7) for _ in range(HANDS)]
    quick, batch, slow = [evaluate(hand) for hand in hands], evaluate_many(hands), [describe(hand) for hand in hands]
    order = sorted(range(HANDS), key=lambda at: slow[at])
    alike = all((slow[a] == slow[b]) == (quick[a] == quick[b]) and quick[a] <= quick[b] for a, b in pairwise(order))
    sound = alike and quick == batch.tolist()
    return Finding("self-check", sound, f"{HANDS} random hands ranked {'as' if sound else 'NOT as'} the rules say")


def _disk() -> Finding:
    free = shutil.disk_usage(Path.cwd()).free / 2**30
    return Finding("disk", free >= LEAST_DISK, f"{free:.1f} GiB free here (at least {LEAST_DISK} needed)")


def _memory() -> Finding:
    bytes_free = available_memory()
    if bytes_free is None:
        return Finding("memory", True, "this system does not report free memory")
    free = bytes_free / 2**30
    return Finding("memory", free >= LEAST_MEMORY, f"{free:.1f} GiB available (at least {LEAST_MEMORY} needed)")


USUAL_GROUPS = ("postflop", "card", "solver")  # the slowest first: they are compiled side by side


def compile_kernels(
    groups: Annotated[
        list[str] | None, typer.Argument(metavar="[GROUP]...", help="Groups of kernels; postflop, card and solver.")
    ] = None,
    jobs: Annotated[int, typer.Option(help="Groups compiled at the same time.", min=1, max=16)] = 2,
) -> None:
    """Compile kernels now, so that no later command has to wait for it; `make play` does this after installing.

    tahur info compile      tahur info compile perudo limit
    """
    from tahur.core.cache import is_warm
    from tahur.warm import GROUPS

    wanted = tuple(groups or USUAL_GROUPS)
    if unknown := [name for name in wanted if name not in GROUPS]:
        raise SettingError(f"no kernels are called '{unknown[0]}'; valid: {', '.join(GROUPS)}")
    missing = [name for name in wanted if not is_warm(name)]
    if len(missing) == 1:
        warm(missing[0])
    elif missing:
        note(f"compiling the kernels ({', '.join(missing)}): once after installing, up to a minute ...")
        began = time.monotonic()
        with ThreadPoolExecutor(jobs) as pool:
            failed = [name for name, code in zip(missing, pool.map(_compile_in_process, missing), strict=True) if code]
        if failed:
            raise SettingError(
                f"the kernels {', '.join(failed)} could not be compiled; see: tahur info compile {failed[0]}"
            )
        note(f"compiled in {time.monotonic() - began:.0f} s; from now on they are loaded from disk")
    console().print(f"compiled: {', '.join(wanted)}")


def _compile_in_process(group: str) -> int:
    """Compile a group in a process of its own; returns its exit code."""
    command = [sys.executable, "-m", "tahur", "info", "compile", group]
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
