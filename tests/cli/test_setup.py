"""Right after installing: advice that works, players in the current folder, the first compilation."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from command import surroundings

ROOT = Path(__file__).parents[2]
COMMAND = Path(sys.executable).with_name("tahur")  # the console script, whose path has no current folder
BOT = """
from tahur.players.simple import Caller

class Bot(Caller):
    pass
"""


def python(code: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=surroundings(), timeout=120)


def test_nothing_advises_to_install_tahur_from_an_index() -> None:
    files = [*ROOT.glob("src/tahur/**/*.py"), *ROOT.glob("docs/*.md"), *ROOT.glob("page/src/**/*.ts*")]
    wrong = re.compile(r"install( --?[\w-]+)* '?tahur(?![\w-])")
    advice = [
        f"{path.name}: {match[0]}"
        for path in [*files, ROOT / "README.md"]
        for match in wrong.finditer(path.read_text())
    ]
    assert not advice


def test_training_without_torch_says_so_before_compiling_and_leaves_no_folder(tmp_path: Path) -> None:
    without = "import sys; sys.modules['torch'] = None\nfrom tahur.cli.main import main; main()"
    run = python(without, "train", "leduc", "-o", "nets", folder=tmp_path)
    assert run.returncode == 2
    assert "training needs PyTorch" in run.stderr
    assert "pip install -e '.[train]'" in run.stderr
    assert run.stderr.count("\n") == 1  # nothing was compiled
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_player_in_the_current_folder_is_found_by_the_command(tmp_path: Path, workers: str) -> None:
    (tmp_path / "mine.py").write_text(BOT)
    command = [COMMAND, "match", "kuhn", "mine:Bot", "random", "--hands", "60", "--workers", workers]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=surroundings(), timeout=120)
    assert run.returncode == 0, run.stderr
    assert "mine:Bot" in run.stdout


def test_a_module_in_the_current_folder_hides_none_of_python(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise RuntimeError('hidden')")
    run = subprocess.run(
        [COMMAND, "hand", "AsKsQsJsTs"], cwd=tmp_path, capture_output=True, text=True, env=surroundings()
    )
    assert run.returncode == 0, run.stderr


def test_from_python_the_first_compilation_is_announced_once_through_logging(tmp_path: Path) -> None:
    code = f"""
import os
os.environ["NUMBA_CACHE_DIR"] = {str(tmp_path / "cache")!r}
import numpy as np
from tahur.solvers.deep.kernels import add_ones, bend
rows, bias = np.zeros((1, 2), np.float32), np.zeros(2, np.float32)
bend(rows, bias, rows)
add_ones(rows, bias, rows, np.zeros((1, 1), np.int64), 1)
"""
    first, again = (python(code, folder=tmp_path) for _ in range(2))
    assert (first.returncode, again.returncode) == (0, 0), first.stderr
    assert re.fullmatch(r"compiling kernels \(bend, \.\.\.\): once after installing, up to a minute\n", first.stderr)
    assert again.stderr == ""  # from the cache


def test_a_command_loads_machine_code_without_what_only_compiling_needs(tmp_path: Path) -> None:
    equity = python("import sys; from tahur.cli.main import main; main()", "equity", "AsAh", "KdKc", folder=tmp_path)
    assert equity.returncode == 0, equity.stderr  # the kernels are compiled
    code = """
import sys
from tahur.cards.equity import equity
print(equity("AsAh", "KdKc").boards, "numba" in sys.modules, "numba.np.linalg" in sys.modules)
"""
    assert python(code, folder=tmp_path).stdout.split() == ["1712304", "True", "False"]


def test_a_kernel_that_was_loaded_can_be_called_by_one_that_is_compiled(tmp_path: Path) -> None:
    code = f"""
import os, sys
os.environ["NUMBA_CACHE_DIR"] = {str(tmp_path / "cache")!r}
import numpy as np
from tahur.cards.kernels import flush_suit, ranks_of_hands
from tahur.cards.tables import load
suits = [flush_suit(8 << 32 + 4 * suit) for suit in range(4)]
if sys.argv[1] == "later":
    ranks = np.zeros(2, np.uint16)
    bad = ranks_of_hands(np.array([[51, 47, 43, 39, 35], [0, 1, 2, 3, 4]], np.uint8), load(), ranks)
    print(suits, sum(flush_suit.stats.cache_hits.values()), bad, ranks)
"""
    assert python(code, "first", folder=tmp_path).returncode == 0
    later = python(code, "later", folder=tmp_path)
    assert later.stdout == "[0, 1, 2, 3] 1 -1 [7462 7297]\n", later.stderr  # a royal flush, the lowest four of a kind


def test_the_current_folder_is_not_on_the_path_of_a_process_that_imports_tahur(tmp_path: Path) -> None:
    run = python("import sys, tahur.cli.main; print(sys.path[-1])", folder=tmp_path)
    assert os.path.realpath(run.stdout.strip()) != os.path.realpath(tmp_path)
