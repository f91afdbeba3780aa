"""Strategy files: what is written is read, what is not one is refused in a sentence, nothing is half written."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from solved_games import SETTINGS, solution, solver_of
from tahur.core.archive import HEADER
from tahur.core.errors import StrategyError
from tahur.core.solution import Solution, is_strategy_file, read_memory, read_solution, write_solution

ARRAYS = ("turns", "ends", "actions", "chances")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "kuhn.tahur"
    write_solution(path, solution("kuhn"), solver_of("kuhn", 100).state().arrays)
    return path


def same(first: Solution, second: Solution) -> bool:
    arrays = all(np.array_equal(getattr(first, name), getattr(second, name)) for name in ARRAYS)
    return arrays and first.facts == second.facts and all(map(np.array_equal, first.hands, second.hands))


@pytest.mark.parametrize("name", SETTINGS)
def test_what_is_written_is_read_to_the_last_bit(name: str, tmp_path: Path) -> None:
    path, memory = tmp_path / "x.tahur", solver_of(name, 30, "pcfr+").state().arrays
    write_solution(path, solution(name), memory)
    assert same(read_solution(path), solution(name))
    back = read_memory(path)
    assert list(back) == ["regrets", "averages", "forecasts"]
    for each in back:
        assert back[each].dtype == np.float64
        np.testing.assert_array_equal(back[each], memory[each])


def test_hands_and_actions_of_any_size_are_kept(tmp_path: Path) -> None:
    kuhn = solution("kuhn")
    large = replace(kuhn, hands=(kuhn.hands[0] + 2**40, kuhn.hands[1] - 2**40), actions=kuhn.actions * 2**40)
    write_solution(tmp_path / "large.tahur", large)
    assert same(read_solution(tmp_path / "large.tahur"), large)


def test_equal_contents_are_equal_bytes(file: Path, tmp_path: Path) -> None:
    write_solution(tmp_path / "again.tahur", solution("kuhn"), solver_of("kuhn", 100).state().arrays)
    assert (tmp_path / "again.tahur").read_bytes() == file.read_bytes()


def test_numpy_and_any_unzip_read_it_too(file: Path) -> None:
    with np.load(file, allow_pickle=False) as arrays:
        np.testing.assert_array_equal(arrays["chances"], solution("kuhn").chances)
    with ZipFile(file) as unzipped:
        header = json.loads(unzipped.read(HEADER))
    assert (header["game"], header["schedule"], header["iterations"]) == ("kuhn", "dcfr", 100)


def test_a_file_that_changed_is_read_anew(file: Path) -> None:
    before = read_solution(file)
    assert read_solution(file) is before
    write_solution(file, solution("leduc"))
    assert read_solution(file).facts.game == "leduc"


def test_memory_may_be_left_out(file: Path) -> None:
    write_solution(file, solution("kuhn"))
    assert read_memory(file) == {}


# ---- refusals ------------------------------------------------------------------------------------


def _repacked(change: Callable[[dict[str, bytes]], None]) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        with ZipFile(path) as file:
            members = {name: file.read(name) for name in file.namelist()}
        change(members)
        with ZipFile(path, "w") as file:
            for name, content in members.items():
                file.writestr(name, content)

    return spoil


def _header(**changes: object) -> Callable[[Path], None]:
    def change(members: dict[str, bytes]) -> None:
        members[HEADER] = json.dumps({**json.loads(members[HEADER]), **changes}).encode()

    return _repacked(change)


def _pickled(members: dict[str, bytes]) -> None:
    members["chances.npy"] = _npy(np.array([{}], dtype=object))


def _npy(array: np.ndarray) -> bytes:  # type: ignore[type-arg]
    from io import BytesIO

    content = BytesIO()
    np.save(content, array, allow_pickle=True)
    return content.getvalue()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda path: path.write_text("no zip at all"), "is not a strategy file"),
        (lambda path: path.write_bytes(b""), "is not a strategy file"),
        (lambda path: path.write_bytes(path.read_bytes()[:-40]), "is corrupted: it is truncated or damaged"),
        (_repacked(lambda members: members.pop(HEADER)), "is not a strategy file"),
        (_header(version=3), "a strategy file of version 3; this tahur reads versions 1 to 2"),
        (_header(version="x"), "a strategy file of version 'x'; this tahur reads versions 1 to 2"),
        (_header(**{"tahur file": "cake"}), "is a cake, not a strategy file, which this tahur does not know"),
        (_header(exploitability=float("nan")), "is corrupted: the header has exploitability = nan"),
        (_header(iterations="many"), "is corrupted: the header has iterations = 'many'; expected int"),
        (_header(mood="good"), "is corrupted: the header has"),
        (_repacked(lambda members: members.update({HEADER: b"{"})), "is corrupted"),
        (_repacked(lambda members: members.pop("ends.npy")), "is corrupted: .*ends.npy"),
        (_repacked(lambda members: members.update({"ends.npy": b"x" * 90})), "is corrupted"),
        (_repacked(lambda members: members.update({"chances.npy": _npy(np.zeros(24))})), "is corrupted: .*add up to 1"),
        (_repacked(lambda members: members.update({"chances.npy": _npy(np.zeros((2, 12)))})), "2 dimensions"),
        (_repacked(_pickled), "is corrupted: chances.npy claims"),
        (lambda path: path.unlink(), "cannot be read: No such file"),
        (lambda path: (path.unlink(), path.mkdir()), "cannot be read: Is a directory"),
    ],
)
def test_what_is_no_sound_strategy_file_is_refused_in_a_sentence(
    spoil: Callable[[Path], object], said: str, file: Path
) -> None:
    spoil(file)
    with pytest.raises(StrategyError, match=said) as refused:
        read_solution(file)
    assert str(refused.value).startswith(str(file))


def test_a_flipped_byte_is_found_wherever_it_matters(file: Path, tmp_path: Path) -> None:
    """What is read in spite of it is right: some bytes of a zip mean nothing."""
    content, memory = file.read_bytes(), read_memory(file)
    refused = 0
    for place in range(0, len(content), 7):
        flipped = tmp_path / f"{place}.tahur"
        flipped.write_bytes(content[:place] + bytes([content[place] ^ 0x55]) + content[place + 1 :])
        try:
            assert same(read_solution(flipped), solution("kuhn"))
            read = read_memory(flipped)
            assert set(read) < set(memory) or all(np.array_equal(read[name], memory[name]) for name in memory)
        except StrategyError:
            refused += 1
    assert refused > 0.6 * len(content) / 7


def test_somebody_elses_file_is_left_alone(tmp_path: Path) -> None:
    diary = tmp_path / "diary.txt"
    diary.write_text("dear diary")
    with pytest.raises(StrategyError, match="not a strategy file; it was not overwritten"):
        write_solution(diary, solution("kuhn"))
    assert diary.read_text() == "dear diary"


def test_a_write_that_fails_leaves_the_old_file_and_no_rubbish(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = file.read_bytes()
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(StrategyError, match="cannot be written: No space left"):
        write_solution(file, solution("leduc"))
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


def test_strategy_files_are_known_from_others(file: Path, tmp_path: Path) -> None:
    assert is_strategy_file(file)
    assert not is_strategy_file(tmp_path)
    assert not is_strategy_file(tmp_path / "none")
    assert not is_strategy_file(Path(__file__))
