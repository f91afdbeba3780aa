"""A match in a folder: whole blocks or none, never two matches in one, and cut back after a crash."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tahur.arena.folder import BLOCKS, RECORDS, SUMMARY, RunFolder
from tahur.core.errors import ResultsError
from tahur.core.record import Record

IDENTITY = {"game": "kuhn", "seed": 1}


def record(number: int) -> Record:
    return Record(game="kuhn", settings={}, hands=(number, 0), actions=(0, 0), payoffs=(1.0, -1.0))


def filled(path: Path) -> RunFolder:
    folder = RunFolder(path, IDENTITY, resume=False)
    for number in range(3):
        folder.add({"results": [[number, -number]]}, [record(number), record(number + 10)])
    return folder


def again(path: Path) -> RunFolder:
    return RunFolder(path, IDENTITY, resume=True)


def records(path: Path) -> list[int]:
    return [json.loads(line)["hands"][0] for line in (path / RECORDS).read_text().splitlines()]


def test_what_was_added_is_there_when_it_is_opened_again(tmp_path: Path) -> None:
    filled(tmp_path / "match")
    assert [block["results"] for block in again(tmp_path / "match").blocks] == [[[n, -n]] for n in range(3)]
    assert records(tmp_path / "match") == [0, 10, 1, 11, 2, 12]


def test_a_line_that_was_cut_off_is_dropped_with_its_records(tmp_path: Path) -> None:
    filled(tmp_path)
    text = (tmp_path / BLOCKS).read_bytes()
    (tmp_path / BLOCKS).write_bytes(text[:-5])
    assert len(again(tmp_path).blocks) == 2
    assert records(tmp_path) == [0, 10, 1, 11]
    assert (tmp_path / BLOCKS).read_bytes() == b"".join(text.splitlines(keepends=True)[:2])


def test_records_whose_block_was_never_written_are_dropped(tmp_path: Path) -> None:
    filled(tmp_path)
    with (tmp_path / RECORDS).open("ab") as file:
        file.write(b'{"half a rec')
    again(tmp_path).add({"results": [[7, -7]]}, [record(7)])
    assert records(tmp_path) == [0, 10, 1, 11, 2, 12, 7]


def test_a_stop_at_any_byte_leaves_whole_blocks(tmp_path: Path) -> None:
    filled(tmp_path)
    text = (tmp_path / BLOCKS).read_bytes()
    for length in range(len(text), -1, -7):
        (tmp_path / BLOCKS).write_bytes(text[:length])
        whole = text[:length].count(b"\n")
        assert len(again(tmp_path).blocks) == whole
        assert records(tmp_path) == [0, 10, 1, 11, 2, 12][: 2 * whole]


def test_a_match_is_not_written_over(tmp_path: Path) -> None:
    filled(tmp_path)
    with pytest.raises(ResultsError, match="--resume"):
        RunFolder(tmp_path, IDENTITY, resume=False)


@pytest.mark.parametrize("other", [{"game": "kuhn", "seed": 2}, {"game": "kuhn"}, {**IDENTITY, "luck": "full"}])
def test_another_match_is_refused_and_says_what_differs(tmp_path: Path, other: dict[str, Any]) -> None:
    filled(tmp_path)
    with pytest.raises(ResultsError, match=r"seed|luck"):
        RunFolder(tmp_path, other, resume=True)


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(ResultsError, match="holds no match"):
        RunFolder(tmp_path, IDENTITY, resume=True)


def test_a_corrupted_line_is_shown(tmp_path: Path) -> None:
    filled(tmp_path)
    text = (tmp_path / BLOCKS).read_bytes()
    (tmp_path / BLOCKS).write_bytes(b"gibberish\n" + text)
    with pytest.raises(ResultsError, match="gibberish"):
        again(tmp_path)


def test_the_summary_is_written_when_a_match_is_finished(tmp_path: Path) -> None:
    folder = filled(tmp_path)
    assert not (tmp_path / SUMMARY).exists()
    folder.finish({"hands": 6})
    assert json.loads((tmp_path / SUMMARY).read_bytes()) == {"hands": 6}
