"""Run as a program: imports what commands import, then forks a command for each line of its input; see command.py.

It has one thread when it forks, so nothing can be held by a thread that the fork does not have.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import resource
import runpy
import signal
import sys
import threading
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

IMPORTED = """
    numba rich.table rich.progress rich.live rich.rule rich._emoji_codes
    tahur.arena.series tahur.arena.summary tahur.arena.tournament tahur.cards.equity tahur.warm
    tahur.cli.play.session tahur.cli.players tahur.games.registry tahur.players.personas tahur.players.registry
    tahur.show.matrix tahur.solvers.cfr tahur.solvers.postflop.engine tahur.solvers.street.solve
"""


def main() -> None:
    from tahur.cli.main import COMMANDS

    for command in COMMANDS:
        command.load()
    for module in IMPORTED.split():
        import_module(module)
    import_module("tahur.cards.equity").equity("AsAh", "KdKc", board="Ks7h2d")  # Numba imports more at its first kernel
    assert len(os.listdir("/proc/self/task")) == 1, "a thread that no fork would have"
    gc.freeze()
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if not child:
            become(asked)
        sys.stdout.write(f"{outcome_of(child, asked['limit'])}\n")
        sys.stdout.flush()


def outcome_of(child: int, limit: int) -> str:
    """The exit code, the CPU seconds, and the megabytes by which its memory grew over this process's."""
    signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.alarm(limit)
    _, status, used = os.wait4(child, 0)
    signal.alarm(0)
    grown = used.ru_maxrss / 1024 - resident()
    return f"{os.waitstatus_to_exitcode(status)} {used.ru_utime + used.ru_stime:.3f} {grown:.1f}"


def resident() -> float:
    """The megabytes that this process has now; a child begins with as many."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def become(asked: dict[str, Any]) -> NoReturn:
    """From here on this process is the command.

    It ends at once, since taking all those modules down takes half a second; with workers, as Python ends it.
    """
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(asked["surroundings"])
    os.chdir(asked["folder"])
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        flags = os.O_RDONLY if name == "stdin" else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.dup2(os.open(asked[name], flags), number)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.argv = ["tahur", *asked["arguments"]]
    code = run()
    if threading.active_count() > 1:
        sys.exit(code)
    atexit._run_exitfuncs()
    sys.stdout.flush()
    os._exit(code)


def run() -> int:
    """The code that Python would end with."""
    try:
        runpy.run_module("tahur", run_name="__main__", alter_sys=True)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


if __name__ == "__main__":
    main()
