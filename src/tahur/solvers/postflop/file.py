"""Solved spots as files: the average strategies of both seats, small enough to keep, without pickles.

The file is a zip. `postflop.json` is the header: the format's version, what was found and how. `spot.toml` is the spot.
`strategy/0`, `strategy/1`, ... are the streets from the spot's first: for each stored board and each decision the
probabilities of its moves, a byte each: 255 times the root of p, rounded, so that rare moves stay what they are; scaled
to add up to 1 when read, a probability is wrong by less than 0.01. Seat 0 comes before seat 1 on each board, hands by
the number of their combo. The figures in the header are those before rounding. `locked/0`, ... are, for streets
with locks, what each locked hand was told, as float32 in the order of the layout: it is exact when read. Version 1 had
no such entries, and its locks are flat. Regrets are not kept: a file is for reading, not for going on. Boards are
written one after the other, so no second copy of the numbers is made.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS
from tahur.core.arrays import Bytes
from tahur.core.errors import StrategyError
from tahur.core.zips import Foreign, entry, has_entry, opened, read_json, stamp, written
from tahur.solvers.postflop.engine import Engine, SpotLayout, lay_out
from tahur.solvers.postflop.lock import Lock, parse_lock
from tahur.solvers.postflop.spot import Spot, parse_spot
from tahur.solvers.schedule import SCHEDULES, Schedule

if TYPE_CHECKING:
    from tahur.solvers.postflop.solve import PostflopSolution

VERSION: Final = 2
READ: Final = (1, 2)  # versions
HEADER: Final = "postflop.json"
SPOT: Final = "spot.toml"
LEVELS: Final = 255
_SQUARES: Final = (np.arange(LEVELS + 1) / LEVELS) ** 2
_VERSION_KEY: Final = "tahur postflop"


def most_bytes(layout: SpotLayout) -> int:
    """What a file of the spot takes at most; compressing leaves about two thirds of it."""
    return layout.cells


def save(path: Path, solution: PostflopSolution) -> None:
    """Write the file, whole or not at all; another solution of that name is replaced, anything else is left alone."""
    if path.exists() and not is_postflop_file(path):
        raise StrategyError(f"{path} is there and is no postflop solution; it is left alone: name another file")
    with written(path) as file:
        _write(file, solution)


def content(solution: PostflopSolution) -> bytes:
    """What `save` would write, for somebody else to write."""
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED, compresslevel=1) as file:
        _write(file, solution)
    return buffer.getvalue()


def load(path: Path) -> PostflopSolution:
    """The solution in a file; whatever is wrong with it is one sentence."""
    return opened(path, _read, "no postflop solution; `tahur postflop solve -o FILE` writes them")


def load_once(path: Path) -> PostflopSolution:
    """As `load`; the same file again costs nothing while it does not change. Not to be solved on or changed."""
    return _loaded(path, stamp(path))


@lru_cache(maxsize=2)
def _loaded(path: Path, _stamp: tuple[int, ...]) -> PostflopSolution:
    return load(path)


def load_spot(path: Path) -> Spot:
    """The spot alone, without what was found for it."""

    def read(file: ZipFile) -> Spot:
        _header(file)
        return parse_spot(file.read(SPOT).decode())

    return opened(path, read, "no postflop solution; `tahur postflop solve -o FILE` writes them")


def is_postflop_file(path: Path) -> bool:
    """Whether it is one of ours, of whatever version, sound or not."""
    return has_entry(path, HEADER)


def _write(file: ZipFile, solution: PostflopSolution) -> None:
    layout = solution.engine.layout
    header = {
        _VERSION_KEY: VERSION,
        "schedule": solution.engine.schedule.name,
        "iterations": solution.iterations,
        "unfinished": solution.unfinished,
        "exploitability_pct": solution.exploitability,
        "ev": list(solution.ev),
        "equity": list(solution.equity),
        "boards": [len(hands.boards) for hands in layout.hands],
        "locks": [str(lock) for lock in solution.locks],
    }
    file.writestr(entry(HEADER), json.dumps(header, indent=2) + "\n")
    file.writestr(entry(SPOT), solution.spot.text())
    for street, boards in enumerate(layout.boards):
        if boards.locked.size:
            file.writestr(entry(_locked(street)), boards.locked.astype("<f4").tobytes())
        with file.open(entry(_street(street)), "w", force_zip64=True) as stream:
            for block in _blocks(layout, street):
                stream.write(_packed(solution.engine, block).tobytes())


def _read(file: ZipFile) -> PostflopSolution:
    from tahur.solvers.postflop.solve import PostflopSolution

    header = _header(file)
    spot = parse_spot(file.read(SPOT).decode())
    layout = _with_locked(file, _layout(spot, header["boards"], _locks(header)))
    engine = Engine(layout, _schedule(header["schedule"]))
    for street in range(len(layout.street_nodes)):
        with file.open(_street(street)) as stream:
            for block in _blocks(layout, street):
                _unpack(stream, engine, block)
            if stream.read(1):
                raise StrategyError(f"{_street(street)} is too long")
    engine.obey_locks()
    ev, equity = header["ev"], header["equity"]
    found = float(header["exploitability_pct"])
    return PostflopSolution(
        spot=spot,
        engine=engine,
        iterations=int(header["iterations"]),
        exploitability=found,
        ev=(ev[0], ev[1]),
        equity=(equity[0], equity[1]),
        unfinished=bool(header.get("unfinished", False)),
    )


def _header(file: ZipFile) -> dict[str, Any]:
    names = file.namelist()
    if HEADER not in names:
        other = "`tahur show` reads it" if "strategy.json" in names else "`tahur postflop solve -o FILE` writes them"
        raise Foreign(f"no postflop solution; {other}")
    header = read_json(file, HEADER)
    version = header.get(_VERSION_KEY) if isinstance(header, dict) else None
    if version not in READ:
        raise Foreign(f"a postflop solution of version {version!r}; this tahur reads versions {READ[0]} to {READ[-1]}")
    return dict(header)


def _schedule(name: str) -> Schedule:
    """Only the name of one that is not among ours: nothing is solved any more."""
    return SCHEDULES.get(name) or Schedule(name)


def _locks(header: dict[str, Any]) -> list[Lock]:
    locks = [parse_lock(text) for text in header.get("locks", ())]
    return locks if header[_VERSION_KEY] > 1 else [replace(lock, flat=True) for lock in locks]


class _Unread:
    """What a lock tells, until it is read."""

    def strategy(self, cards: Sequence[int]) -> NDArray[Any]:
        return np.zeros((1, COMBOS), np.float32)


def _with_locked(file: ZipFile, layout: SpotLayout) -> SpotLayout:
    """The layout with what the locks told each hand."""
    boards = list(layout.boards)
    for street, each in enumerate(boards):
        if _locked(street) in file.namelist():
            locked = np.frombuffer(file.read(_locked(street)), "<f4").astype(np.float32)
            if locked.shape != each.locked.shape:
                raise StrategyError(f"{_locked(street)} has {len(locked)} numbers where {len(each.locked)} belong")
            boards[street] = each._replace(locked=locked)
    return replace(layout, boards=tuple(boards))


def _layout(spot: Spot, boards: list[int], locks: list[Lock]) -> SpotLayout:
    """With suits told apart or not, whichever the file was made with."""
    for symmetry in (True, False):
        layout = lay_out(
            spot, symmetry=symmetry, locks=locks, told=[None if each.flat else _Unread() for each in locks]
        )
        if [len(hands.boards) for hands in layout.hands] == boards:
            return layout
    raise StrategyError(f"it has {boards} boards, which the spot has not")


class _Block:
    """Everything that a seat does on one stored board: where it is in the sums, and how it is ordered."""

    def __init__(self, layout: SpotLayout, street: int, board: int, seat: int) -> None:
        boards, tree = layout.boards[street], layout.street_nodes[street].tree
        self.hands, self.size = int(boards.hands[seat, board]), int(boards.size[seat, board])
        self.rows = int(tree.data_rows[seat])
        self.start = int(boards.data[seat, board])
        self.order = np.argsort(layout.hands[street].combos[seat][board])
        self.first = tree.data[tree.kind == seat]  # of each decision's rows
        self.moves = tree.moves[tree.kind == seat]

    def sums(self, engine: Engine) -> NDArray[Any]:
        """(rows, size) as the engine has them; in half precision they are only shares of each decision's."""
        return engine.data.sums[self.start : self.start + self.rows * self.size].reshape(self.rows, self.size)


def _blocks(layout: SpotLayout, street: int) -> Iterator[_Block]:
    for board in range(len(layout.hands[street].boards)):
        for seat in (0, 1):
            block = _Block(layout, street, board, seat)
            if block.rows:
                yield block


def _packed(engine: Engine, block: _Block) -> Bytes:
    """(rows, hands) probabilities as bytes; a decision without any sums is even."""
    sums = np.maximum(block.sums(engine)[:, : block.hands][:, block.order], 0).astype(np.float64)
    total = np.repeat(np.add.reduceat(sums, block.first, axis=0), block.moves, axis=0)
    even = np.repeat(1 / block.moves, block.moves)[:, None]
    chances = np.where(total > 0, sums / np.where(total > 0, total, 1), even)
    packed: Bytes = np.rint(np.sqrt(chances) * LEVELS).astype(np.uint8)
    return packed


def _unpack(stream: IO[bytes], engine: Engine, block: _Block) -> None:
    count = block.rows * block.hands
    content = stream.read(count)
    if len(content) != count:
        raise StrategyError("it ends too early")
    sums = block.sums(engine)
    sums[:, block.order] = _SQUARES[np.frombuffer(content, np.uint8)].reshape(block.rows, block.hands)


def _street(street: int) -> str:
    return f"strategy/{street}"


def _locked(street: int) -> str:
    return f"locked/{street}"
