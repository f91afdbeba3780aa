"""A folder of trained nets: written by `tahur train`, played by `net:FOLDER`, read by evaluation.

    checkpoint.json                  game, iteration, nets with their weights, name of the state; replaced atomically
    nets/000100.safetensors          both seats' nets after iteration 100, never changed once the checkpoint lists it
    state-000100.safetensors         the trainer's state, from which a run resumes bit for bit
    log.jsonl                        one line per iteration

The average strategy is the set of nets: net t counts in proportion to its weight and to the probability that its own
seat reaches a spot with it. The checkpoint is written last, so the folder always holds a complete one, even after a
crash.

Arrays are in the safetensors format, which machine-learning tools read and which cannot hold code: eight bytes give the
length of a JSON header, which lists each array's type, shape and byte range; the bytes follow. Names keep their order,
so equal contents give equal bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite, prod
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.archive import NETS, check_header, header_text, refusals
from tahur.core.cache import write_whole
from tahur.core.errors import StrategyError
from tahur.core.game import Game, Settings
from tahur.core.limits import parse_json, read_file
from tahur.core.lock import PathLock, lock
from tahur.core.strategy import PLAYED
from tahur.core.towers import PARTS, Towers

HEADER: Final = "checkpoint.json"
LOG: Final = "log.jsonl"
_FREE: Final = ("button",)  # settings that may differ at the table: nets see who has the button
_FIELDS: Final[dict[str, type]] = {"game": str, "settings": dict, "iteration": int, "uniform": bool, "nets": list}
_JSON_NAMES: Final = {str: "string", dict: "object", int: "integer", bool: "boolean", list: "array"}
TABLE: Final = "table"
MOST_NET: Final = 4 << 30  # maximal bytes of one file of nets or of a trainer's state

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class KeptNet:
    """The nets of both roles after an iteration; `tables` are tabular regrets stored with them, if the mode has any."""

    iteration: int
    weight: float
    towers: tuple[Towers, Towers]
    tables: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None


@dataclass(frozen=True, eq=False)
class NetSet:
    """All nets of a run, for one game: the average strategy."""

    game: str
    settings: Settings
    iteration: int
    uniform: bool  # what is played if no regret is positive: a uniform legal action, or the one with the highest regret
    kept: tuple[KeptNet, ...]

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """The probability of drawing each net; they add up to 1."""
        weights = np.array([net.weight for net in self.kept])
        return np.asarray(weights / weights.sum())

    def until(self, iteration: int) -> NetSet:
        """The nets up to an iteration: the average strategy at that time."""
        kept = tuple(net for net in self.kept if net.iteration <= iteration)
        if not kept:
            raise StrategyError(
                f"no net was stored up to iteration {iteration:,}; the first is of iteration {self.kept[0].iteration:,}"
            )
        return replace(self, iteration=kept[-1].iteration, kept=kept)

    def misfit(self, game: Game[Any], *, now: str = PLAYED) -> str | None:
        """Why these nets cannot play that game; None if they can."""
        if game.name != self.game:
            return f"these nets were trained for {self.game}; {now} {game.name}"
        ours, theirs = (json.loads(json.dumps(dict(settings))) for settings in (self.settings, game.settings))
        differ = [key for key in {**ours, **theirs} if key not in _FREE and ours.get(key) != theirs.get(key)]
        if not differ:
            return None
        trained, played = (
            ", ".join(f"{key}={json.dumps(settings.get(key))}" for key in differ) for settings in (ours, theirs)
        )
        return f"these nets were trained for {self.game} with {trained}; the table has {played}"


def read_nets(path: Path) -> NetSet:
    """The nets of a folder, or of its checkpoint file."""
    folder = folder_of(path)
    header = read_header(folder)
    if not header["nets"]:
        raise StrategyError(f"{folder} has no net yet: training has only just begun")
    kept = tuple(read_net(folder, *entry) for entry in header["nets"])
    return NetSet(
        game=header["game"],
        settings=header["settings"],
        iteration=header["iteration"],
        uniform=header["uniform"],
        kept=kept,
    )


def folder_of(path: Path) -> Path:
    return path.parent if path.name == HEADER else path


def read_header(folder: Path) -> dict[str, Any]:
    """The checkpoint of a folder."""
    path = folder / HEADER
    if not path.exists():
        raise StrategyError(f"{path} cannot be read: No such file or directory; '{NETS.writer}' writes it")
    with refusals(path):
        _, header = check_header(parse_json(read_file(path)), NETS)
        for name, kind in _FIELDS.items():
            if type(header.get(name)) is not kind:
                raise ValueError(f"'{name}' is not a JSON {_JSON_NAMES[kind]}")
        for entry in header["nets"]:
            if not _is_net(entry):
                raise ValueError(f"{entry!r} is not an iteration and a weight")
    return header


def _is_net(entry: Any) -> bool:
    if not (isinstance(entry, list) and len(entry) == 2 and type(entry[0]) is int and type(entry[1]) in (int, float)):
        return False
    return entry[0] >= 0 and isfinite(entry[1]) and entry[1] > 0


def lock_folder(folder: Path) -> PathLock:
    """Create the folder if needed, and keep other processes from training into it."""
    folder.mkdir(parents=True, exist_ok=True)
    return lock(folder)


def has_checkpoint(folder: Path) -> bool:
    return (folder / HEADER).exists()


def read_net(folder: Path, iteration: int, weight: float) -> KeptNet:
    arrays = read_arrays(folder / net_name(iteration))
    try:
        first, second = (Towers({name: arrays[f"{role}.{name}"] for name in PARTS}) for role in (0, 1))
    except KeyError as error:
        raise StrategyError(f"{folder / net_name(iteration)} has no {error}") from None
    tables = (arrays[f"0.{TABLE}"], arrays[f"1.{TABLE}"]) if f"0.{TABLE}" in arrays else None
    return KeptNet(iteration, weight, (first, second), tables)


def write_net(folder: Path, net: KeptNet) -> None:
    arrays = {f"{role}.{name}": net.towers[role].parts[name] for role in (0, 1) for name in PARTS}
    if net.tables is not None:
        arrays |= {f"{role}.{TABLE}": net.tables[role] for role in (0, 1)}
    (folder / "nets").mkdir(parents=True, exist_ok=True)
    write_arrays(folder / net_name(net.iteration), arrays)


def write_checkpoint(folder: Path, header: Mapping[str, Any], state: Arrays) -> None:
    """Write the state, then the checkpoint that refers to it, then delete older states."""
    folder.mkdir(parents=True, exist_ok=True)
    name = state_name(header["iteration"])
    write_arrays(folder / name, state)
    write_whole(folder / HEADER, header_text(NETS, {**header, "state": name}).encode())
    for old in folder.glob("state-*.safetensors*"):
        if old.name != name:
            old.unlink(missing_ok=True)


def read_state(folder: Path) -> dict[str, NDArray[Any]]:
    return read_arrays(folder / read_header(folder)["state"])


def write_arrays(path: Path, arrays: Arrays) -> None:
    try:
        write_whole(path, packed(arrays))
    except OSError as error:
        raise StrategyError(f"{path} cannot be written: {error.strerror or error}") from None


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    with refusals(path):
        arrays = unpacked(read_file(path, MOST_NET))
        for name, array in arrays.items():
            if array.dtype.kind == "f" and not np.isfinite(array).all():
                raise ValueError(f"{name} has non-finite values (NaN or infinity)")
        return arrays


def add_to_log(folder: Path, line: Mapping[str, Any]) -> None:
    """Append one iteration's line."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOG).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def read_log(folder: Path) -> list[dict[str, Any]]:
    """The lines of a log, without a last line that was cut off by a crash."""
    path = folder / LOG
    if not path.exists():
        return []
    entries = []
    for line in path.read_text("utf-8").splitlines():
        try:
            entries.append(parse_json(line))
        except ValueError:
            continue
    return entries


def cut_log(folder: Path, iteration: int) -> None:
    """Remove the lines after an iteration: a resumed run writes them again."""
    lines = [line for line in read_log(folder) if line["iteration"] <= iteration]
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / LOG, "".join(json.dumps(line) + "\n" for line in lines).encode())


def net_name(iteration: int) -> str:
    return f"nets/{iteration:06}.safetensors"


def state_name(iteration: int) -> str:
    return f"state-{iteration:06}.safetensors"


# ---- safetensors ---------------------------------------------------------------------------------

_NOTES: Final = "__metadata__"
_NAMES: Final = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip
_KINDS: Final = {np.dtype(kind): name for name, kind in _NAMES.items()}
_MOST_HEADER: Final = 16 << 20  # bytes; the format allows more


def packed(arrays: Arrays, notes: Mapping[str, str] | None = None) -> bytes:
    """The bytes of a file; `notes` are stored as its metadata."""
    header: dict[str, Any] = {_NOTES: dict(notes)} if notes else {}
    parts, at = [], 0
    for name, array in arrays.items():
        if array.dtype not in _KINDS:
            raise StrategyError(f"{name}: safetensors files cannot hold numbers of type {array.dtype}")
        content = np.ascontiguousarray(array).tobytes()
        header[name] = {
            "dtype": _KINDS[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [at, at + len(content)],
        }
        parts.append(content)
        at += len(content)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # the arrays start at a multiple of eight bytes
    return b"".join([len(text).to_bytes(8, "little"), text, *parts])


def unpacked(content: bytes) -> dict[str, NDArray[Any]]:
    """Every array of a file, by name; raises ValueError, KeyError or TypeError if the file is corrupted."""
    size = int.from_bytes(content[:8], "little")
    if len(content) < 8 or size > min(_MOST_HEADER, len(content) - 8):
        raise ValueError(f"{len(content):,} bytes are less than its header says")
    header, body = parse_json(content[8 : 8 + size]), memoryview(content)[8 + size :]
    if not isinstance(header, dict):
        raise ValueError("its header is not a JSON object")
    return {name: _array(name, entry, body) for name, entry in header.items() if name != _NOTES}


def _array(name: str, entry: Mapping[str, Any], body: memoryview) -> NDArray[Any]:
    kind, shape, (start, end) = np.dtype(_NAMES[entry["dtype"]]), entry["shape"], entry["data_offsets"]
    if not 0 <= start <= end <= len(body) or prod(shape) * kind.itemsize != end - start:
        raise ValueError(f"{name} has {end - start} bytes at {start} for {shape} numbers of type {kind}")
    return np.frombuffer(body[start:end], kind).reshape(shape).copy()
