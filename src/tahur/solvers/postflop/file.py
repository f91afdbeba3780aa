"""Solved spots as archives (`core/archive.py`): the average strategies of both seats in a compact form.

The header holds the results and how they were computed. `spot.toml` is the spot. `strategy/0`, `strategy/1`, ... are
the streets from the spot's first: for each stored board and each decision the probabilities of its moves, one byte
each: 255 times the square root of p, rounded, so that rare moves are represented well. On reading they are scaled to
add up to 1; a probability is wrong by less than 0.01. Seat 0 comes before seat 1 on each board, hands by their combo
number. The figures in the header are from before rounding. `locked/0`, ... hold, for streets with locks, the locked
strategies as float32 in layout order, which are exact. Version 1 has no such entries, and its locks are flat. If the
header has `merge_rivers`, the last street has groups of hands, by the number of their two classes of cards
(merging.py). Boards are written one by one, so that no second copy of the numbers is made.

`state/regrets`, `state/sums`, ... are the solver's own arrays, exactly, and the header has `half`: such a file can be
resumed bit for bit. They make it about ten times larger, so they are only stored on request, and readers of the
strategy skip them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS
from tahur.core.archive import SPOT, Archive, Content, archive_bytes, kind_of, once_per_file, reading, write_archive
from tahur.core.arrays import Bytes
from tahur.core.errors import StrategyError
from tahur.solvers.postflop.engine import Engine
from tahur.solvers.postflop.layout import SpotLayout, lay_out
from tahur.solvers.postflop.lock import Lock, parse_lock
from tahur.solvers.postflop.spot import Spot, parse_spot
from tahur.solvers.postflop.tables import Packed
from tahur.solvers.schedule import SCHEDULES, Schedule, schedule_named

if TYPE_CHECKING:
    from tahur.solvers.postflop.solve import PostflopSolution, PostflopSolver

_SPOT: Final = "spot.toml"
_STATE: Final = "state/"  # the start of the names of the solver's arrays
LEVELS: Final = 255
_SQUARES: Final = (np.arange(LEVELS + 1) / LEVELS) ** 2


def most_bytes(layout: SpotLayout) -> int:
    """An upper bound for the size of a file of the spot; compression leaves about two thirds of it."""
    return layout.cells


def save(path: Path, solution: PostflopSolution, *, resumable: bool = False) -> None:
    """Write the file atomically. An existing postflop solution is replaced; any other file is left untouched.

    resumable: also store the state of the solver, for `load_solver`.
    """
    if not resumable:
        write_archive(path, SPOT, _header(solution), _entries(solution))
        return
    header = _header(solution) | {"half": isinstance(solution.engine.data, Packed)}
    state = ((_STATE + name, array) for name, array in solution.engine.data._asdict().items())
    write_archive(path, SPOT, header, chain(_entries(solution), state))


def content(solution: PostflopSolution) -> bytes:
    """The bytes that `save` would write."""
    return archive_bytes(SPOT, _header(solution), _entries(solution))


def load(path: Path) -> PostflopSolution:
    """Read a solution from a file; every defect raises an error of one sentence."""
    with reading(path, SPOT) as file:
        return _read_solution(file)


def load_solver(path: Path, *, threads: int = 1, memory: int | None = None) -> PostflopSolver:
    """The solver that wrote a resumable file, as it was then; `memory`: the most bytes it may take."""
    from tahur.solvers.postflop.solve import PostflopSolver

    if state_bits(path) is None:
        raise StrategyError(f"{path} has the strategy but not the state of its solver; solve the spot with --resumable")
    with reading(path, SPOT) as file:
        spot, header = parse_spot(file.block(_SPOT).decode()), file.header
        layout = _read_locks(file, _layout(spot, header, _locks(file)))
        schedule, half = schedule_named(header["schedule"]), bool(header["half"])
    solver = PostflopSolver(spot, schedule=schedule, threads=threads, memory=memory, half=half, layout=layout)
    state = solver.state()
    with reading(path, SPOT) as file:
        for name in solver.engine.data._fields:
            file.array(_STATE + name, into=state.arrays[name])  # the solver's own: there is no second copy
        state.arrays["unfinished"][0] = header["unfinished"]
        solver.resume(replace(state, iteration=int(header["iterations"])))
    return solver


def state_bits(path: Path) -> int | None:
    """The precision of the solver's state in a postflop solution, 32 or 16 bits; None if the file has none."""
    with reading(path, SPOT) as file:
        return (16 if file.header["half"] else 32) if file.names(_STATE) else None


def has_merged_rivers(path: Path) -> bool:
    """Whether hands are merged on the rivers of a postflop solution."""
    with reading(path, SPOT) as file:
        return bool(file.header.get("merge_rivers", False))


@once_per_file(2)
def load_once(path: Path) -> PostflopSolution:
    """As `load`, cached until the file changes. Callers must not modify or continue the solution."""
    return load(path)


@dataclass(frozen=True, slots=True)
class SolutionFacts:
    """What the beginning of a solution file says, without its strategies."""

    spot: Spot
    iterations: int
    exploitability: float  # % of the pot
    merged_rivers: bool


def load_facts(path: Path) -> SolutionFacts:
    """The spot and the quality of a solution file, which is not read any further."""
    with reading(path, SPOT) as file:
        header, exploitability = file.header, float(file.header["exploitability_pct"])
        if not isfinite(exploitability):
            raise StrategyError("its exploitability is not finite")
        return SolutionFacts(
            spot=parse_spot(file.block(_SPOT).decode()),
            iterations=int(header["iterations"]),
            exploitability=exploitability,
            merged_rivers=bool(header.get("merge_rivers", False)),
        )


def load_spot(path: Path) -> Spot:
    """The spot of a solution file; the solution itself is not read."""
    with reading(path, SPOT) as file:
        return parse_spot(file.block(_SPOT).decode())


def is_postflop_file(path: Path) -> bool:
    """Whether the file is a postflop solution of any version, valid or not."""
    return kind_of(path) == SPOT.name


def _header(solution: PostflopSolution) -> dict[str, Any]:
    """How the solution was computed and its results, as the header of the archive."""
    return {
        "schedule": solution.engine.schedule.name,
        "iterations": solution.iterations,
        "unfinished": solution.unfinished,
        "exploitability_pct": solution.exploitability,
        "ev": list(solution.ev),
        "equity": list(solution.equity),
        "boards": [len(hands.boards) for hands in solution.engine.layout.hands],
        "locks": [str(lock) for lock in solution.locks],
        **({"merge_rivers": True} if solution.engine.layout.merged is not None else {}),
    }


def _entries(solution: PostflopSolution) -> Iterator[tuple[str, Content]]:
    """The archive's entries: the spot, then for each street its locks, if any, and its strategies."""
    layout = solution.engine.layout
    yield _SPOT, solution.spot.text().encode()
    for street, boards in enumerate(layout.boards):
        if boards.locked.size:
            yield _locked_entry(street), boards.locked.astype("<f4").tobytes()
        yield _street(street), (_pack(solution.engine, block).tobytes() for block in _blocks(layout, street))


def _read_solution(file: Archive) -> PostflopSolution:
    """The solution in an archive, read street by street."""
    from tahur.solvers.postflop.solve import PostflopSolution

    header = file.header
    spot = parse_spot(file.block(_SPOT).decode())
    layout = _read_locks(file, _layout(spot, header, _locks(file)))
    engine = Engine(layout, _schedule(header["schedule"]))
    for street in range(len(layout.street_nodes)):
        with file.stream(_street(street)) as stream:
            for block in _blocks(layout, street):
                _unpack(stream, engine, block)
            if stream.read(1):
                raise StrategyError(f"{_street(street)} is longer than the spot requires")
    engine.apply_locks()
    ev, equity = header["ev"], header["equity"]
    return PostflopSolution(
        spot=spot,
        engine=engine,
        iterations=int(header["iterations"]),
        exploitability=float(header["exploitability_pct"]),
        ev=(ev[0], ev[1]),
        equity=(equity[0], equity[1]),
        unfinished=bool(header.get("unfinished", False)),
    )


def _schedule(name: str) -> Schedule:
    """The schedule by name; an unknown name is kept as a label, since nothing is solved any more."""
    return SCHEDULES.get(name) or Schedule(name)


def _locks(file: Archive) -> list[Lock]:
    locks = [parse_lock(text) for text in file.header.get("locks", ())]
    return locks if file.version > 1 else [replace(lock, flat=True) for lock in locks]


class _UnreadLock:
    """A placeholder for a lock's strategy, until it is read from the file."""

    def strategy(self, cards: Sequence[int]) -> NDArray[Any]:
        return np.zeros((1, COMBOS), np.float32)


def _read_locks(file: Archive, layout: SpotLayout) -> SpotLayout:
    """The layout with the locked strategies read from the file."""
    boards = list(layout.boards)
    for street, board in enumerate(boards):
        if _locked_entry(street) in file.names():
            locked = np.frombuffer(file.block(_locked_entry(street), 4 * board.locked.size), "<f4").astype(np.float32)
            boards[street] = board._replace(locked=locked)
    return replace(layout, boards=tuple(boards))


def _layout(spot: Spot, header: Mapping[str, Any], locks: list[Lock]) -> SpotLayout:
    """The layout of a spot, with or without suit isomorphism: whichever gives the file's number of boards on each
    street."""
    boards = header["boards"]
    for symmetry in (True, False):
        layout = lay_out(
            spot,
            symmetry=symmetry,
            locks=locks,
            hand_locks=[None if lock.flat else _UnreadLock() for lock in locks],
            merge_rivers=bool(header.get("merge_rivers", False)),
        )
        if [len(hands.boards) for hands in layout.hands] == boards:
            return layout
    raise StrategyError(f"it has {boards} boards per street, which does not match its spot")


class _Block:
    """One seat's strategies on one stored board: the offset in the sums, and the order of hands."""

    def __init__(self, layout: SpotLayout, street: int, board: int, seat: int) -> None:
        tree, rows = layout.street_nodes[street].tree, layout.stored_rows(street, seat, board)
        names = layout.hands[street].combos[seat][board]
        if layout.merged is not None and street == len(layout.boards) - 1:
            names = layout.merged.groups.keys(seat, board)
        self.hands, self.size, self.start = len(names), rows.size, rows.start
        self.rows = int(tree.data_rows[seat])
        self.order = np.argsort(names)
        self.first = tree.data[tree.kind == seat]  # the first row of each decision
        self.moves = tree.moves[tree.kind == seat]

    def sums(self, engine: Engine) -> NDArray[Any]:
        """(rows, size) as the engine stores them; in half precision, only proportions within each decision are
        meaningful."""
        return engine.data.sums[self.start : self.start + self.rows * self.size].reshape(self.rows, self.size)


def _blocks(layout: SpotLayout, street: int) -> Iterator[_Block]:
    for board in range(len(layout.hands[street].boards)):
        for seat in (0, 1):
            block = _Block(layout, street, board, seat)
            if block.rows:
                yield block


def _pack(engine: Engine, block: _Block) -> Bytes:
    """(rows, hands) probabilities as bytes; a decision whose sums are all zero is uniform."""
    sums = np.maximum(block.sums(engine)[:, : block.hands][:, block.order], 0).astype(np.float64)
    total = np.repeat(np.add.reduceat(sums, block.first, axis=0), block.moves, axis=0)
    even = np.repeat(1 / block.moves, block.moves)[:, None]
    chances = np.where(total > 0, sums / np.where(total > 0, total, 1), even)
    packed: Bytes = np.rint(np.sqrt(chances) * LEVELS).astype(np.uint8)
    return packed


def _unpack(stream: IO[bytes], engine: Engine, block: _Block) -> None:
    """Read a block of probabilities into the engine's sums."""
    count = block.rows * block.hands
    content = stream.read(count)
    if len(content) != count:
        raise StrategyError("it is truncated")
    sums = block.sums(engine)
    sums[:, block.order] = _SQUARES[np.frombuffer(content, np.uint8)].reshape(block.rows, block.hands)


def _street(street: int) -> str:
    return f"strategy/{street}"


def _locked_entry(street: int) -> str:
    return f"locked/{street}"
