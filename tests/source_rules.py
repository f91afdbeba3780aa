"""The rules for the source: which package may import which, and which modules may do what.

A module is known by its *place* inside the package, such as `cards/cards.py`. A rule is a pure function of a
module's text and its place, and returns its complaints; no complaint is good. What a module imports and
mentions is read once, by source_reading.py. No code of the package is ever run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase as fnmatch
from graphlib import CycleError, TopologicalSorter

from source_reading import PACKAGE, Import, Use, parse, read

Rule = Callable[[str, str], list[str]]


LONGEST_MODULE = 450  # lines
LONGEST_FUNCTION = 60  # lines

# ---- packages ------------------------------------------------------------------------------------

SOLVERS = frozenset(
    {
        "solvers",
        "solvers/street",
        "solvers/postflop",
        "solvers/limit",
        "solvers/perudo",
        "solvers/deep",
        "solvers/nolimit",
    }
)
INNER_PACKAGES = SOLVERS | {"core", "cards", "show", "games", "players", "arena", "envs", "warm", "review"}
MAY_IMPORT: Mapping[str, frozenset[str]] = {
    "core": frozenset(),
    "cards": frozenset({"core"}),
    "show": frozenset({"core", "cards"}),
    "games": frozenset({"core", "cards"}),
    "solvers": frozenset({"core"}),
    "solvers/street": frozenset({"core", "cards", "games", "solvers"}),
    "solvers/postflop": frozenset({"core", "cards", "games", "solvers"}),
    "solvers/limit": frozenset({"core", "cards", "games", "solvers"}),
    "solvers/perudo": frozenset({"core", "games", "solvers"}),
    "solvers/deep": frozenset({"core", "cards", "games", "solvers", "solvers/limit"}),
    "solvers/nolimit": frozenset({"core", "cards", "games", "solvers", "solvers/limit", "solvers/postflop"}),
    "players": frozenset({"core", "cards", "games"}),
    "arena": frozenset({"core"}),
    "envs": frozenset({"core", "cards", "games"}),
    "warm": SOLVERS | {"core", "cards", "games"},
    "review": frozenset({"core", "cards", "games", "solvers/nolimit", "solvers/postflop"}),
    "room": INNER_PACKAGES,
    "study": frozenset({"core", "cards", "solvers", "solvers/postflop"}),
    "cli": INNER_PACKAGES | {"room", "study"},
    "web": INNER_PACKAGES | {"room", "study"},
    "__init__": frozenset(),
    "__main__": frozenset({"cli"}),
}


# An object may show itself: inside these methods, and nowhere else, any package may import `show`.
SHOW_THEMSELVES = frozenset({"_repr_html_", "__rich__"})


def package_of(parts: Iterable[str]) -> str:
    """The innermost package of `MAY_IMPORT` that contains a module; if there is none, the first part of its path."""
    parts = tuple(parts)
    ways = ("/".join(parts[:depth]) for depth in range(len(parts), 0, -1))
    return next((way for way in ways if way in MAY_IMPORT), parts[0])


def _inside(name: str) -> tuple[str, ...] | None:
    """The steps of a dotted name below the package, or None outside of it."""
    first, *rest = name.split(".")
    return tuple(rest) if first == PACKAGE else None


# ---- permissions --------------------------------------------------------------------------------------

ENTRY_POINTS = ("cli/*", "web/*", "__main__.py")
KERNELS = ("*/kernels.py", "*/kernels/*")


@dataclass(frozen=True, slots=True)
class Permission:
    """An operation that only some modules may use, recognised by names; `.mkdir` is a method of anything."""

    to: str
    names: tuple[str, ...]
    only: tuple[str, ...]  # patterns of places

    def complaints(self, source: str, place: str) -> list[str]:
        if _among(place, self.only):
            return []
        reading = read(source, place)
        imported = {(found.line, found.name) for found in reading.imports if self._covers(found.name)}
        used = {(use.line, use.name) for use in reading.uses if self._covers(use.name, called=bool(use.call))}
        who = f"only {', '.join(self.only)}" if self.only else "nobody"
        return [f"{place}:{line}: {name}: {who} may {self.to}" for line, name in sorted(imported | used)]

    def _covers(self, name: str, *, called: bool = False) -> bool:
        if called and any(name.endswith(ours) for ours in self.names if ours.startswith(".")):
            return True
        return name[0] != "." and any(name == ours or name.startswith(ours + ".") for ours in self.names)


def _among(place: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch(place, pattern) for pattern in patterns)


def _names(table: str) -> tuple[str, ...]:
    """`os: stat walk` is os.stat and os.walk, `: mkdir` the method .mkdir, `time` is time."""
    lines = [line.strip().rpartition(":") for line in table.strip().splitlines()]
    return tuple(owner + "." * len(colon) + name for owner, colon, names in lines for name in names.split())


GAME_NAMES = frozenset(
    ["acpc", "fhp", "fhp-3-4", "hulh", "kuhn", "leduc", "liars-dice", "limit", "nlhe", "perudo", "spot"]
)
KNOW_THEIR_GAME = (  # places that may name the game they are about
    "games/*",
    "room/adapter.py",
    "room/holdem.py",
    "room/perudo.py",
    "cli/perudo/*",
    "cli/limit/*",
    "cli/nolimit/*",
    "cli/solve/train.py",
    "solvers/limit/*",
)

PERMISSIONS = (
    Permission(
        "print, prompt, write to stdout or stderr, read the arguments",
        _names("""
            print input breakpoint argparse click typer tqdm
            sys: stdout stderr stdin __stdout__ __stderr__ __stdin__ argv exit
            rich: print print_json inspect get_console console.Console live progress prompt status
            pprint: pprint pp
            traceback: print_exc print_exception print_last print_stack print_tb
            logging: basicConfig StreamHandler
        """),
        only=ENTRY_POINTS,
    ),
    Permission(
        "read the clock, sleep",
        _names("""
            time timeit sched asyncio.sleep threading.Timer uuid.uuid1
            datetime: datetime.now datetime.utcnow datetime.today date.today
        """),
        only=ENTRY_POINTS,
    ),
    Permission(
        "wait with a timeout",
        _names("asyncio: wait_for timeout timeout_at wait"),
        only=(*ENTRY_POINTS, "room/log.py", "room/task.py"),
    ),
    Permission(
        "read the environment",
        _names("""
            getpass locale shutil.get_terminal_size
            os: environ environb getenv getenvb putenv unsetenv get_terminal_size path.expandvars
        """),
        only=ENTRY_POINTS,
    ),
    Permission(
        "access the disk",
        _names("""
            open io.open io.FileIO codecs.open gzip.open bz2.open lzma.open
            tempfile sqlite3 sqlalchemy mmap glob fileinput zipfile tarfile importlib.resources importlib.metadata
            os: open fdopen write truncate replace rename renames remove unlink link symlink chmod utime
            os: mkdir makedirs rmdir removedirs listdir scandir walk stat access getcwd chdir
            os.path: exists isfile isdir getsize getmtime expanduser realpath
            pathlib.Path: home cwd
            shutil: copy copy2 copyfile copytree move rmtree disk_usage which
            numpy: save savez savez_compressed savetxt load loadtxt genfromtxt fromfile memmap lib.format
            : open read_text read_bytes write_text write_bytes tofile touch unlink rename chmod
            : mkdir rmdir iterdir glob rglob exists is_file is_dir stat expanduser symlink_to hardlink_to
        """),
        only=(
            *ENTRY_POINTS,
            "core/archive.py",
            "core/cache.py",
            "core/lock.py",
            "core/limits.py",
            "core/net_file.py",
            "arena/folder.py",
            "room/store.py",
            "room/backup.py",
            "study/library.py",
        ),
    ),
    Permission(
        "use the network",
        _names("""
            socket socketserver ssl http urllib.request urllib.error urllib3 requests httpx aiohttp websockets
            ftplib smtplib imaplib poplib xmlrpc webbrowser openai anthropic fastapi starlette uvicorn flask
            asyncio: open_connection start_server open_unix_connection start_unix_server
        """),
        only=(*ENTRY_POINTS, "players/bounded/model.py"),
    ),
    Permission("use the module random", ("random",), only=ENTRY_POINTS),
    Permission(
        "use the operating system's secure randomness",
        _names("secrets os.urandom os.getrandom uuid.uuid4"),
        only=(*ENTRY_POINTS, "room/*"),
    ),
    Permission("import Numba, or core/kernels.py", ("numba", "llvmlite", "tahur.core.kernels"), only=KERNELS),
    Permission(
        "call the kernels of the batch engine",
        ("tahur.games.holdem.kernels",),
        only=("games/holdem/batch.py", "games/holdem/buckets.py", "games/holdem/kernels/*"),
    ),
    Permission("import PyTorch", ("torch",), only=("solvers/deep/*",)),
    Permission(
        "pickle",
        _names("pickle dill cloudpickle joblib.dump joblib.load joblib.Memory shelve marshal torch.load torch.save"),
        only=(),
    ),
    Permission(
        "start other processes",
        _names("""
            joblib distributed dask multiprocessing concurrent.futures.ProcessPoolExecutor subprocess
            os: fork forkpty system popen spawnv spawnl execv execl posix_spawn kill
        """),
        only=(*ENTRY_POINTS, "arena/work.py"),
    ),
    Permission(
        "import by a computed name", ("importlib.import_module",), only=("players/registry.py", "cli/commands.py")
    ),
    Permission("call eval, exec or __import__", _names("__import__ eval exec"), only=()),
)

# ---- rules about one module ----------------------------------------------------------------------


def imports_between_packages(source: str, place: str) -> list[str]:
    """Imports of a package that the module's own package may not import, anywhere in the module."""
    home = package_of(place.removesuffix(".py").split("/"))
    if home not in MAY_IMPORT:
        return [f"{place}: no rule says what {home} may import; add it to MAY_IMPORT"]
    ours = [(found, _inside(found.name)) for found in read(source, place).imports]
    packages = [
        (found.line, package_of(parts))
        for found, parts in ours
        if parts and parts != ("__version__",) and not (found.inside in SHOW_THEMSELVES and package_of(parts) == "show")
    ]
    allowed = MAY_IMPORT[home] | {home}
    return [f"{place}:{line}: {home} may not import {package}" for line, package in packages if package not in allowed]


def unseeded_randomness(source: str, place: str) -> list[str]:
    """NumPy randomness that nobody handed in: its global functions, and generators that seed themselves."""
    if _among(place, ENTRY_POINTS):
        return []
    return [
        f"{place}:{use.line}: {use.name}: {fault}; randomness is the rng handed in"
        for use in read(source, place).uses
        if (fault := _fault_of_randomness(use))
    ]


def imports_of_kernels(source: str, place: str) -> list[str]:
    """Imports that Numba freezes into machine code although the cache's digest does not cover them.

    `core/arrays.py` has names for annotations alone, which Numba does not read.
    """
    if not _among(place, KERNELS) or place == "core/kernels.py":
        return []
    ours = [(found, _inside(found.name)) for found in read(source, place).imports]
    loose = [found for found, parts in ours if parts and not {"kernels", "tables", "arrays"} & set(parts)]
    return [f"{place}:{found.line}: {found.name}: kernels import kernels and tables only" for found in loose]


def allowed_pickles(source: str, place: str) -> list[str]:
    """`allow_pickle=` with anything but a plain False."""
    return [
        f"{place}:{node.value.lineno}: allow_pickle: files here are never pickles"
        for node in ast.walk(parse(source))
        if isinstance(node, ast.keyword) and node.arg == "allow_pickle"
        if not (isinstance(node.value, ast.Constant) and node.value.value is False)
    ]


def modules_without_docstring(source: str, place: str) -> list[str]:
    """A module that does not say what it is."""
    return [] if ast.get_docstring(parse(source)) else [f"{place}: has no docstring"]


_ALIAS_OF_ARRAY = re.compile(r"^[A-Z]\w* = NDArray\[.*\]$", re.MULTILINE)


def array_aliases(source: str, place: str) -> list[str]:
    """A name for arrays of some dtype outside `core/arrays.py`, where each dtype has one."""
    if place == "core/arrays.py":
        return []
    return [f"{place}: {match[0]}; core/arrays.py has a name" for match in _ALIAS_OF_ARRAY.finditer(source)]


def compared_games(source: str, place: str) -> list[str]:
    """Comparisons with the name of a game: its adapter, its screen or its class knows what differs."""
    if _among(place, KNOW_THEIR_GAME):
        return []
    return [
        f"{place}:{node.lineno}: compares with the game '{name}'; ask its adapter, its screen or its class"
        for node in ast.walk(parse(source))
        if isinstance(node, ast.Compare | ast.MatchValue)
        for name in sorted(_words_compared(node) & GAME_NAMES)
    ]


def _words_compared(node: ast.Compare | ast.MatchValue) -> set[str]:
    """The strings that a comparison names, directly or in a tuple, list or set."""
    sides = [node.value] if isinstance(node, ast.MatchValue) else [node.left, *node.comparators]
    named = [side for side in sides if isinstance(side, ast.Constant | ast.Tuple | ast.List | ast.Set)]
    constants = [part for side in named for part in ast.walk(side) if isinstance(part, ast.Constant)]
    return {part.value for part in constants if isinstance(part.value, str)}


def long_modules_and_functions(source: str, place: str) -> list[str]:
    """A module or a function too long to be read in one go."""
    lines = len(source.splitlines())
    too_long = [f"{place}: has {lines} lines"] if lines > LONGEST_MODULE else []
    for node in ast.walk(parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > LONGEST_FUNCTION:
                too_long.append(f"{place}:{node.lineno}: {node.name} has {lines} lines")
    return too_long


_OF_ONE_MACHINE = re.compile(
    r"""(?<![\w.~-])/(?:work|root|home|Users|tmp|mnt)/   # a folder of somebody's computer
    |   [A-Z]:\\Users\\
    |   \b(?:[\w-]+\.)*(?:pypi|pythonhosted|anaconda|artifactory|devpi|npmjs)\.[a-z]+\b
    |   --(?:extra-)?index-[u]rl | PIP_(?:EXTRA_)?INDEX_[U]RL""",
    re.VERBOSE,
)


def mentions_of_one_machine(text: str, place: str) -> list[str]:
    """Words, in any kind of file, with a meaning on one machine only: its folders, where it gets packages."""
    lines = enumerate(text.splitlines(), start=1)
    found = ((number, _OF_ONE_MACHINE.search(line)) for number, line in lines)
    return [f"{place}:{number}: speaks of {match[0]}" for number, match in found if match]


RULES: Mapping[str, Rule] = {
    "imports between packages": imports_between_packages,
    **{permission.to: permission.complaints for permission in PERMISSIONS},
    "unseeded randomness": unseeded_randomness,
    "imports of kernels": imports_of_kernels,
    "allowed pickles": allowed_pickles,
    "modules without a docstring": modules_without_docstring,
    "long modules and functions": long_modules_and_functions,
    "array aliases": array_aliases,
    "compared games": compared_games,
}

_TYPES = frozenset({"Generator", "BitGenerator"})
_MAKERS = frozenset({"default_rng", "SeedSequence", "PCG64", "PCG64DXSM", "Philox", "SFC64", "MT19937"})


def _fault_of_randomness(use: Use) -> str | None:
    """What is wrong with a mention of something in `numpy.random`, if anything is."""
    module, _, name = use.name.rpartition(".")
    if module != "numpy.random" or name in _TYPES:
        return None
    if name not in _MAKERS:
        return "draws from one generator that everybody shares"
    if use.call is None:  # a type in an annotation, or a default_factory
        return "will be called without a seed" if name == "default_rng" else None
    if not _seeded(use.call):
        return "seeds itself"
    return None if use.late else "is made when the module is imported"


def _seeded(call: ast.Call) -> bool:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return any(not (isinstance(value, ast.Constant) and value.value is None) for value in given)


# ---- rules about the whole package ---------------------------------------------------------------


def import_cycles(tree: Mapping[str, str]) -> list[str]:
    """A circle of module-level imports, if there is one; those for the type checker alone count."""
    graph = {place: set(_needs(tree, place, typing=True)) for place in tree}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [" <- ".join(error.args[1])]
    return []


def heavy_starts(tree: Mapping[str, str], start: str, libraries: Iterable[str]) -> list[str]:
    """The ways in which importing `start` imports one of the libraries, directly or through other modules."""
    ways: list[tuple[str, ...]] = [(place,) for place in _with_parents([start], tree)]
    seen = {way[0] for way in ways}
    heavy = []
    for way in ways:  # grows while we walk it
        imported = {found.name.split(".")[0] for found in _at_import(tree, way[-1], typing=False)}
        heavy += [" -> ".join((*way, library)) for library in libraries if library in imported]
        for place in _with_parents(_needs(tree, way[-1], typing=False), tree):
            if place not in seen:
                seen.add(place)
                ways.append((*way, place))
    return heavy


def _needs(tree: Mapping[str, str], place: str, *, typing: bool) -> list[str]:
    """The places of the package's own modules that a module imports when it is itself imported."""
    steps = (_inside(found.name) for found in _at_import(tree, place, typing=typing))
    return [target for parts in steps if parts is not None for target in _places_of(parts, tree)[:1]]


def _at_import(tree: Mapping[str, str], place: str, *, typing: bool) -> list[Import]:
    imports = read(tree[place], place).imports
    return [found for found in imports if not found.late and (typing or not found.typing)]


def _places_of(parts: tuple[str, ...], tree: Mapping[str, str]) -> list[str]:
    """The modules on the way to `cards.cards.Card`, the innermost first: the one that has it."""
    ways = [parts[:depth] for depth in range(len(parts), -1, -1)]
    places = ["/".join(way) + end for way in ways for end in (".py", "/__init__.py")]
    return [place.lstrip("/") for place in places if place.lstrip("/") in tree]


def _with_parents(places: Iterable[str], tree: Mapping[str, str]) -> Iterator[str]:
    """Importing `a/b/c.py` runs `__init__.py`, `a/__init__.py` and `a/b/__init__.py` first."""
    for place in places:
        folders = place.split("/")[:-1]
        parents = ("/".join((*folders[:depth], "__init__.py")) for depth in range(len(folders) + 1))
        yield from (parent for parent in parents if parent in tree)
        yield place
