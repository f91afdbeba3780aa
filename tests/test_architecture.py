"""docs/architecture.md, kept true. The rules are in source_rules.py; here they meet the source.

Every rule is also shown snippets that break it and must be caught, and innocent ones that must not be: a rule
that stopped working would be found out here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from architecture_page import updated
from source_names import MOST_POSITIONS, positional_values, repeated_classes
from source_rules import (
    GAME_NAMES,
    LONGEST_FUNCTION,
    LONGEST_MODULE,
    MAY_IMPORT,
    PERMISSIONS,
    RULES,
    Permission,
    heavy_starts,
    import_cycles,
    mentions_of_one_machine,
)

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "tahur"
TREE = {path.relative_to(SOURCE).as_posix(): path.read_text("utf-8") for path in sorted(SOURCE.rglob("*.py"))}
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")

# Where a rule speaks of no other place, its snippets stand in a game: no game may do any of this.
SOMEWHERE = "games/kuhn.py"


# ---- the source as it is -------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
def test_no_module_breaks_the_rule(rule: str) -> None:
    complaints = [line for place, source in TREE.items() for line in RULES[rule](source, place)]
    assert not complaints, "\n".join(complaints)


def test_each_walk_of_the_page_lists_at_most_fourteen_files_that_exist_with_the_names_given_there() -> None:
    walks = PAGE.partition("## Five walks through the code")[2].partition("\n## ")[0].split("\n**")[1:]
    assert len(walks) == 5
    for walk in walks:
        steps = re.findall(r"^\d+\. `([^`]+)`:(.*?)(?=^\d+\. |\n\n|\Z)", walk, re.MULTILINE | re.DOTALL)
        assert len({path for path, _ in steps}) == len(steps) <= 14
        for path, words in steps:
            source = (ROOT / path if path.startswith("page/") else SOURCE / path).read_text("utf-8")
            named = re.match(r" `(?:\w+\.)?(\w+)`", words)
            assert named is None or named[1] in source, f"{path} has no {named[1]}"


def test_every_package_has_an_import_rule() -> None:
    assert _packages_on_disk() <= set(MAY_IMPORT)


def test_modules_import_in_no_circle() -> None:
    assert import_cycles(TREE) == []


@pytest.mark.parametrize(
    ("start", "libraries"),
    [
        ("__init__.py", ("numba", "numpy", "rich", "typer")),
        ("__main__.py", ("numba", "numpy", "rich")),
        ("cli/main.py", ("numba", "numpy", "rich")),
    ],
)
def test_nothing_heavy_is_imported_at_the_start(start: str, libraries: tuple[str, ...]) -> None:
    ways = heavy_starts(TREE, start, libraries)
    assert not ways, "\n".join(ways)


def test_a_class_name_stands_for_one_class() -> None:
    complaints = repeated_classes(TREE)
    assert not complaints, "\n".join(complaints)


def test_values_of_many_fields_are_built_by_keyword() -> None:
    complaints = positional_values(TREE)
    assert not complaints, "\n".join(complaints)


def test_no_file_speaks_of_one_machine() -> None:
    complaints = [line for place, text in _texts() for line in mentions_of_one_machine(text, place)]
    assert not complaints, "\n".join(complaints)


def test_the_page_lists_the_packages_that_exist() -> None:
    listed = dict(re.findall(r"^\| `(\w+)` \| (exists|planned) \|", PAGE, re.MULTILINE))
    packages = {name for name in MAY_IMPORT if "/" not in name and not name.startswith("__")}
    assert listed == {name: "exists" if name in _packages_on_disk() else "planned" for name in packages}


def test_the_tables_of_the_page_are_those_of_the_rules() -> None:
    assert updated(PAGE) == PAGE, "run: python tests/architecture_page.py"


def test_each_walk_of_the_page_lists_files_that_exist_once_each() -> None:
    section = PAGE.partition("## Five walks through the code")[2].partition("\n## ")[0]
    walks = [re.findall(r"^\d+\. `([\w./]+)`", walk, re.MULTILINE) for walk in section.split("\n**")[1:]]
    assert len(walks) == 5
    for walk in walks:
        assert 8 <= len(walk) == len(set(walk)) <= 14
        assert not [path for path in walk if not (ROOT / path).is_file() and not (ROOT / "src/tahur" / path).is_file()]


# ---- planted violations --------------------------------------------------------------------------

CAUGHT: dict[str, list[tuple[str, str]]] = {
    "imports between packages": [
        ("core/game.py", "import tahur.cards"),
        ("core/game.py", "from tahur import cards"),
        ("core/game.py", "from ..cards.cards import Card"),
        ("cards/equity/exact.py", "from ...games import kuhn"),
        ("show/matrix.py", "def draw():\n    from tahur.games import kuhn"),
        (
            "arena/match.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from tahur.players import simple",
        ),
        ("games/kuhn.py", "try:\n    from tahur.solvers import cfr\nexcept ImportError:\n    pass"),
        ("solvers/cfr.py", "from tahur.solvers.street import tree"),
        ("solvers/__init__.py", "from . import deep"),
        ("room/seats.py", "from tahur.cli.main import main"),
        ("cli/main.py", "from tahur.web import pages"),
        ("web/pages.py", "import tahur.cli.main as door"),
        ("pantry/jam.py", ""),
        ("loose.py", ""),
        ("cards/cards.py", "from tahur import loose"),
        ("solvers/cfr.py", "def draw():\n    from tahur.show import matrix"),
        ("solvers/cfr.py", "def _repr_html_(self):\n    from tahur.cli import main"),
        ("solvers/cfr.py", "def _repr_html_(self):\n    def draw():\n        from tahur.show import matrix"),
    ],
    "print, prompt, write to stdout or stderr, read the arguments": [
        (SOMEWHERE, "def deal():\n    print('dealt')"),
        (SOMEWHERE, "say = print"),
        (SOMEWHERE, "def first(print):\n    return print\nprint('second')"),
        (SOMEWHERE, "import builtins\nbuiltins.print('hello')"),
        (SOMEWHERE, "from sys import stderr as log\nlog.write('x')"),
        (SOMEWHERE, "def ask():\n    return input('raise to? ')"),
        ("show/matrix.py", "from rich.console import Console\nConsole().rule()"),
    ],
    "read the clock, sleep": [
        (SOMEWHERE, "from time import perf_counter as stopwatch\nstopwatch()"),
        (SOMEWHERE, "import datetime as dt\ndt.datetime.now(dt.UTC)"),
        (SOMEWHERE, "from datetime import date\nday = date.today()"),
        ("room/seats.py", "def wait():\n    import time\n    time.sleep(1)"),
    ],
    "wait with a timeout": [
        (SOMEWHERE, "import asyncio\nasync def rest(event):\n    await asyncio.wait_for(event.wait(), 1)"),
        ("room/keeper.py", "from asyncio import timeout\ntimeout(3)"),
    ],
    "read the environment": [
        (SOMEWHERE, "import os\nhome = os.environ['HOME']"),
        (SOMEWHERE, "from os import getenv\ngetenv('NO_COLOR')"),
        ("core/cache.py", "import os as system\nsystem.environ.get('X')"),
    ],
    "access the disk": [
        (SOMEWHERE, "def load(path):\n    with open(path) as file:\n        return file.read()"),
        (SOMEWHERE, "from pathlib import Path\ntext = Path('a.txt').read_text()"),
        (SOMEWHERE, "text = open('a.txt').read().strip()"),
        (SOMEWHERE, "def save(self, x):\n    self.folder.parent.mkdir()"),
        (SOMEWHERE, "import numpy as np\nnp.savez_compressed('a.npz', x=1)"),
        (SOMEWHERE, "from tahur.core.cache import FOLDER\nFOLDER.exists()"),
        ("cards/equity/tables.py", "import os\nos.replace('a', 'b')"),
        ("core/errors.py", "import shutil\nshutil.rmtree('a')"),
        ("room/lobby.py", "import sqlalchemy as sql\nsql.create_engine('sqlite:///a.db')"),
    ],
    "use the network": [
        (SOMEWHERE, "import urllib.request\nurllib.request.urlopen('x')"),
        (SOMEWHERE, "from http import client"),
        ("players/bounded/prompt.py", "import httpx"),
        ("room/seats.py", "import asyncio\nasyncio.start_server(print)"),
    ],
    "use the module random": [
        (SOMEWHERE, "import random"),
        (SOMEWHERE, "def deal():\n    from random import shuffle\n    shuffle([])"),
        (SOMEWHERE, "if 1:\n    pass\nelse:\n    import random"),
    ],
    "use the operating system's secure randomness": [
        (SOMEWHERE, "import secrets"),
        ("arena/match.py", "import os\nos.urandom(8)"),
    ],
    "call the kernels of the batch engine": [
        (SOMEWHERE, "from tahur.games.holdem.kernels.steps import step"),
        ("envs/tables.py", "import tahur.games.holdem.kernels.rows"),
    ],
    "import Numba, or core/kernels.py": [
        (SOMEWHERE, "import numba"),
        (SOMEWHERE, "from tahur.core.kernels import kernel"),
        ("cards/equity.py", "from numba import njit"),
        ("cards/my_kernels.py", "def fast():\n    import numba"),
    ],
    "import PyTorch": [
        ("solvers/cfr.py", "import torch.nn as nn"),
        ("players/solved.py", "from torch import nn"),
        ("cli/solve/train.py", "import torch"),
    ],
    "start other processes": [
        ("arena/match.py", "from joblib import Parallel"),
        (SOMEWHERE, "import os\nos.fork()"),
        (SOMEWHERE, "import subprocess"),
    ],
    "pickle": [
        (SOMEWHERE, "import pickle"),
        ("arena/work.py", "from joblib import dump"),
        ("cli/main.py", "from pickle import loads"),
        ("solvers/deep/traversal.py", "import torch\ntorch.load('net.pt')"),
    ],
    "import by a computed name": [
        (SOMEWHERE, "import importlib\nimportlib.import_module('tahur.cli')"),
        ("players/solved.py", "from importlib import import_module\nimport_module('tahur.cli')"),
        ("cli/main.py", "import importlib as i\ni.import_module('tahur.web')"),
    ],
    "call eval, exec or __import__": [
        ("players/registry.py", "def run(name):\n    return __import__(name)"),
        ("cli/main.py", "__import__('tahur.web')"),
        (SOMEWHERE, "def run(text):\n    return eval(text)"),
    ],
    "unseeded randomness": [
        (SOMEWHERE, "import numpy as np\ndef deal():\n    np.random.seed(1)"),
        ("cards/kernels.py", "from numpy import random\ndef draw():\n    return random.randint(0, 52)"),
        (SOMEWHERE, "from numpy.random import default_rng\ndef deal():\n    return default_rng()"),
        (SOMEWHERE, "import numpy as np\ndef deal():\n    return np.random.default_rng(None)"),
        (SOMEWHERE, "import numpy as np\nRNG = np.random.default_rng(1)"),
        (SOMEWHERE, "import numpy as np\ndef deal(rng=np.random.default_rng(1)): ..."),
        (SOMEWHERE, "import numpy as np\ndeal = lambda rng=np.random.default_rng(1): rng"),
        (
            SOMEWHERE,
            "import numpy as np\ndef deal():\n    return field(default_factory=np.random.default_rng)",
        ),
        (SOMEWHERE, "import numpy as np\ndef deal():\n    return np.random.Generator(np.random.PCG64())"),
    ],
    "imports of kernels": [
        ("cards/kernels.py", "from tahur.cards.cards import DECK_SIZE"),
        ("cards/equity/kernels/sweep.py", "from ..ask import BOARDS"),
    ],
    "allowed pickles": [
        ("cards/tables.py", "import numpy as np\nnp.load('a.npy', allow_pickle=True)"),
        ("cli/main.py", "def load(path, trust):\n    return fetch(path, allow_pickle=trust)"),
    ],
    "modules without a docstring": [(SOMEWHERE, "x = 1"), (SOMEWHERE, "# a comment is no docstring\n")],
    "long modules and functions": [
        (SOMEWHERE, "x = 1\n" * (LONGEST_MODULE + 1)),
        (SOMEWHERE, "def deal():\n" + "    x = 1\n" * LONGEST_FUNCTION),
        (SOMEWHERE, "class Kuhn:\n    async def deal(self):\n" + "        x = 1\n" * LONGEST_FUNCTION),
    ],
    "array aliases": [(SOMEWHERE, "import numpy\nFloats = NDArray[np.float64]\n")],
    "compared games": [
        ("room/keeper.py", "absent = away and settings.game == 'perudo'"),
        ("web/api.py", "if game not in ('nlhe', 'limit'): ..."),
        ("players/odds/player.py", "match game:\n    case 'fhp': ..."),
    ],
}

INNOCENT: dict[str, list[tuple[str, str]]] = {
    "imports between packages": [
        (
            "cards/equity.py",
            "import numpy\nfrom tahur.core import errors\nfrom . import cards\nfrom .cards import Card",
        ),
        ("solvers/street/tree.py", "from tahur.solvers import cfr\nfrom tahur.games import leduc"),
        ("cli/main.py", "import tahur\nfrom tahur import __version__\nfrom tahur.room import seats"),
        ("__main__.py", "from tahur.cli.main import main"),
        ("show/matrix.py", "import tahurdle.games"),
        ("solvers/cfr.py", "class Solved:\n    def _repr_html_(self):\n        from tahur.show import matrix"),
        ("cards/ranges.py", "class Range:\n    def __rich__(self):\n        from tahur.show.matrix import matrix_text"),
    ],
    "print, prompt, write to stdout or stderr, read the arguments": [
        ("cli/main.py", "print('hello')"),
        ("show/table.py", "from rich.table import Table\ndef draw(console):\n    'print'"),
        (SOMEWHERE, "def mean(input):\n    return input / 2"),
        (SOMEWHERE, "import sys\nplace = sys.prefix"),
    ],
    "read the clock, sleep": [
        ("web/pages.py", "import time\ntime.time()"),
        (
            "room/seats.py",
            "from datetime import datetime, timedelta\ndef late(now: datetime, time): return time.left(now)",
        ),
    ],
    "wait with a timeout": [
        ("room/task.py", "import asyncio\nasyncio.wait_for"),
        (SOMEWHERE, "def wait(): ...\nwait()"),
    ],
    "read the environment": [
        ("cli/main.py", "import os\nos.environ"),
        (SOMEWHERE, "import os\nos.fspath('a')"),
    ],
    "access the disk": [
        ("core/cache.py", "open('a')"),
        ("core/archive.py", "import numpy\nnumpy.load('a')"),
        (SOMEWHERE, "def first(bets):\n    open = bets[0]\n    return open"),
        (SOMEWHERE, "def first(table):\n    return table.open"),
        (SOMEWHERE, "from dataclasses import replace\nreplace(1)\n'a'.replace('a', 'b')"),
        (SOMEWHERE, "from pathlib import Path\nname = Path('a') / 'b'"),
    ],
    "use the network": [
        ("players/bounded/model.py", "import httpx"),
        ("show/links.py", "from urllib.parse import quote\nquote('a')"),
    ],
    "use the module random": [
        ("cli/play.py", "import random"),
        (SOMEWHERE, "def deal(rng):\n    return rng.random()"),
        (SOMEWHERE, "import numpy as np\nRng = np.random.Generator"),
    ],
    "use the operating system's secure randomness": [
        ("room/deck.py", "import secrets"),
        (SOMEWHERE, "import os, uuid"),
    ],
    "call the kernels of the batch engine": [
        ("games/holdem/batch.py", "from tahur.games.holdem.kernels.steps import step"),
        (SOMEWHERE, "from tahur.games.holdem.batch import Batch"),
    ],
    "import Numba, or core/kernels.py": [
        ("solvers/street/kernels.py", "from numba import njit"),
        ("cards/equity/kernels/sweep.py", "from tahur.core.kernels import kernel"),
    ],
    "import PyTorch": [("solvers/deep/net.py", "import torch")],
    "start other processes": [("arena/work.py", "from joblib import Parallel"), (SOMEWHERE, "import os\nos.getpid()")],
    "pickle": [(SOMEWHERE, "class Card(int):\n    def __reduce__(self): ...")],
    "import by a computed name": [("players/registry.py", "import importlib\nimportlib.import_module('mine')")],
    "call eval, exec or __import__": [(SOMEWHERE, "import re\nfrom importlib.util import find_spec\nre.compile('a')")],
    "unseeded randomness": [
        ("cli/play.py", "import numpy as np\nrng = np.random.default_rng()"),
        (SOMEWHERE, "import numpy as np\ndef deal(rng: np.random.Generator):\n    return rng.integers(3)"),
        (
            SOMEWHERE,
            "from numpy.random import default_rng\ndef a(seed):\n    return default_rng(seed=seed)",
        ),
    ],
    "imports of kernels": [
        ("cards/equity/kernels/sweep.py", "from ..tables import Combos\nfrom tahur.cards.kernels import key"),
        ("core/kernels.py", "from tahur.core.cache import cache_folder"),
        ("cards/flops.py", "from tahur.cards.cards import DECK_SIZE"),
    ],
    "allowed pickles": [("cards/tables.py", "import numpy as np\nnp.load('a.npy', allow_pickle=False)")],
    "modules without a docstring": [(SOMEWHERE, '"""Kuhn poker."""'), ("games/__init__.py", '"""The games."""\nx = 1')],
    "long modules and functions": [
        (SOMEWHERE, "x = 1\n" * LONGEST_MODULE),
        (SOMEWHERE, "@decorated\ndef deal():\n" + "    x = 1\n" * (LONGEST_FUNCTION - 1)),
    ],
    "array aliases": [
        ("core/arrays.py", "Float64s = NDArray[np.float64]\n"),
        (SOMEWHERE, "def deal() -> NDArray[np.int8]: ...\n"),
    ],
    "compared games": [
        ("room/perudo.py", "assert game.name == 'perudo'"),
        ("room/keeper.py", "made = make('perudo')\nif state.phase == 'playing' or kinds['limit'] == 3: ..."),
    ],
}


def test_the_names_of_the_games_are_those_of_the_registry() -> None:
    from tahur.games.registry import GAMES

    assert set(GAMES) == GAME_NAMES


def test_planted_names_are_caught() -> None:
    twice = {"core/game.py": "class Table: ...", "cli/cost.py": "def f():\n    class Table: ..."}
    assert repeated_classes(twice) == ["Table is a class in core/game.py, cli/cost.py"]
    many = ", ".join("x" * (MOST_POSITIONS + 1))
    calls = {"a.py": f"class Spot: ...\nSpot({many})", "b.py": f"import a\na.Spot({many})"}
    assert [line.partition(" ")[0] for line in positional_values(calls)] == ["a.py:2:", "b.py:2:"]
    few = ", ".join("x" * MOST_POSITIONS)
    assert positional_values({"a.py": f"class Spot: ...\nSpot({few}, y=1)\nsql.Spot({many})\nother({many})"}) == []


def _cases(snippets: dict[str, list[tuple[str, str]]]) -> list[object]:
    return [
        pytest.param(rule, place, source, id=f"{rule} {number}")
        for rule, planted in snippets.items()
        for number, (place, source) in enumerate(planted, start=1)
    ]


@pytest.mark.parametrize(("rule", "place", "source"), _cases(CAUGHT))
def test_a_planted_violation_is_caught(rule: str, place: str, source: str) -> None:
    assert RULES[rule](source, place)


@pytest.mark.parametrize(("rule", "place", "source"), _cases(INNOCENT))
def test_an_innocent_module_is_left_alone(rule: str, place: str, source: str) -> None:
    assert RULES[rule](source, place) == []


def test_every_rule_has_its_snippets() -> None:
    assert set(CAUGHT) == set(INNOCENT) == set(RULES)


@pytest.mark.parametrize("permission", PERMISSIONS, ids=lambda permission: permission.to)
def test_every_name_that_a_power_covers_is_caught(permission: Permission) -> None:
    missed = [name for name in permission.names if not permission.complaints(_mention(name), "nowhere/module.py")]
    assert missed == []


def test_a_circle_of_imports_is_caught() -> None:
    two = {"a/x.py": "from tahur.a.y import Y", "a/y.py": "from tahur.a import x"}
    assert import_cycles(two)
    assert import_cycles({"a/x.py": "from . import x"})
    assert import_cycles({**two, "a/y.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from . import x"})
    assert import_cycles({"a/__init__.py": "from .x import X", "a/x.py": "from tahur.a import Y"})


def test_an_import_inside_a_function_closes_no_circle() -> None:
    assert import_cycles({"a/x.py": "from . import y", "a/y.py": "def late():\n    from . import x"}) == []
    assert import_cycles({"a/__init__.py": "from .x import X", "a/x.py": "from tahur.a.y import Y", "a/y.py": ""}) == []


def test_a_heavy_start_is_caught_however_long_the_way() -> None:
    tree = {
        "cli/main.py": "from tahur.a import x",
        "a/x.py": "from tahur.b.y import Y",
        "b/y.py": "import numpy.linalg",
    }
    assert heavy_starts(tree, "cli/main.py", ["numpy"]) == ["cli/main.py -> a/x.py -> b/y.py -> numpy"]
    tree = {
        "cli/main.py": "from tahur.a import x",
        "a/x.py": "",
        "a/__init__.py": "if 1:\n    from rich import box",
    }
    assert heavy_starts(tree, "cli/main.py", ["numpy", "rich"]) == ["cli/main.py -> a/__init__.py -> rich"]
    assert heavy_starts({"cli/__init__.py": "import rich", "cli/main.py": ""}, "cli/main.py", ["rich"])


def test_an_import_that_waits_is_not_heavy() -> None:
    late = "async def run():\n    import numpy\n    from tahur.a import x"
    typed = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import rich"
    tree = {"cli/main.py": f"{late}\n{typed}", "a/x.py": "import numpy"}
    assert heavy_starts(tree, "cli/main.py", ["numpy", "rich"]) == []
    assert heavy_starts({"cli/main.py": f"{typed}\nimport numpy"}, "cli/main.py", ["numpy", "rich"])


@pytest.mark.parametrize("start", ["work", "root", "home", "Users", "tmp"])
def test_a_path_of_one_machine_is_caught(start: str) -> None:
    assert mentions_of_one_machine(f"see `/{start}/ana/notes.txt`", "docs/a.md") == [
        f"docs/a.md:1: speaks of /{start}/"
    ]
    assert mentions_of_one_machine(f"first line\nPATH=/{start}/x", "Makefile")
    assert mentions_of_one_machine(f"see example.org/{start}/page, ~/{start}/x, a/{start}/b", "docs/a.md") == []


@pytest.mark.parametrize("host", ["py" + "pi.org", "files.python" + "hosted.org", "mirror.py" + "pi.internal"])
def test_a_package_registry_is_caught(host: str) -> None:
    assert mentions_of_one_machine(f"curl https://{host}/simple/", "Makefile")
    assert mentions_of_one_machine("pip install --index" + "-url x", "Makefile")


def _packages_on_disk() -> set[str]:
    """The modules of the package, and its folders that hold anything at all besides what Python leaves behind."""
    files = (path.relative_to(SOURCE).parts for path in SOURCE.rglob("*") if path.is_file())
    return {parts[0].removesuffix(".py") for parts in files if parts[-1] != "py.typed" and "__pycache__" not in parts}


def _texts() -> Iterator[tuple[str, str]]:
    """Every file that people read or machines run, with its place below the root."""
    for top in ("src", "tests", "docs", "benchmarks", ".ci", "README.md", "Makefile", "pyproject.toml"):
        for path in sorted([ROOT / top, *(ROOT / top).rglob("*")]):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8", errors="replace")


def _mention(name: str) -> str:
    """A module that does what `name` stands for: `.mkdir` is called, `os.getenv` imported and looked at."""
    if name.startswith("."):
        return f"def act(thing):\n    thing{name}()"
    module, _, last = name.rpartition(".")
    return f"from {module} import {last} as it\nit" if module else f"{last}\nimport {last}"
