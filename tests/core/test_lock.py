"""One process at a time writes to a folder or a file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from command import surroundings, tahur
from tahur.core.lock import InUse, lock

HOLDER = "import sys; from pathlib import Path; from tahur.core.lock import lock; \
held = lock(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"


def holder(path: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", HOLDER, str(path)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=surroundings())
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


@pytest.mark.parametrize("name", ["folder", "file.tahur"])
def test_another_process_is_refused_with_the_pid_until_the_first_is_gone(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name == "folder":
        path.mkdir()
    first = holder(path)
    with pytest.raises(InUse, match=f"is in use by process {first.pid}"):
        lock(path)
    first.kill()
    first.wait()
    lock(path).release()


def test_the_same_process_may_take_it_again_and_leaves_no_file(tmp_path: Path) -> None:
    first, second = lock(tmp_path), lock(tmp_path)
    assert first is second
    first.release()
    assert not list(tmp_path.iterdir())


def test_a_forked_process_does_not_remove_it(tmp_path: Path) -> None:
    held = lock(tmp_path)
    child = os.fork()
    if not child:
        held.release()
        os._exit(0)
    os.waitpid(child, 0)
    assert len(list(tmp_path.iterdir())) == 1
    held.release()


COMMANDS = (
    ("kuhn.tahur", ("solve", "kuhn", "--iterations", "10", "-o")),
    ("match", ("match", "kuhn", "caller", "random", "--hands", "10", "--workers", "1", "-o")),
    ("nets", ("train", "kuhn", "--iterations", "1", "-o")),
)


@pytest.mark.parametrize(("name", "command"), COMMANDS)
def test_two_commands_do_not_write_to_one_place(tmp_path: Path, name: str, command: tuple[str, ...]) -> None:
    path = tmp_path / name
    assert tahur(*command, str(path)).returncode == 0
    first = holder(path)
    run = tahur(*command, str(path), "--resume")
    first.kill()
    first.wait()
    assert run.returncode == 2
    assert f"{path} is in use by process {first.pid}" in " ".join(run.stderr.split())
    assert tahur(*command, str(path), "--resume").returncode == 0
    assert not list(tmp_path.glob("**/*.lock"))
