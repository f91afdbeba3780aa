"""The crosstable of docs/perudo.md: chunks are kept, played once, and add up to a hundred per cent."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))
import perudo_crosstable
from perudo_crosstable import Chunk, add_options, chunks_of, crosstable, played


def asked(folder: Path, *more: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_options(parser)
    return parser.parse_args(["--players", "timeout,random", "--folder", str(folder), "--games", "60", *more])


@pytest.fixture(autouse=True)
def _short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perudo_crosstable, "BLOCK", 10)


def test_everybody_plays_as_many_games_as_were_asked_for() -> None:
    assert chunks_of(60, 2, 1) == 3  # of 20 games
    assert chunks_of(61, 2, 1) == 4
    assert chunks_of(60, 10, 3) == 1  # 9 opponents, 60 games a chunk


def test_a_table_that_was_cut_short_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = list(crosstable(asked(tmp_path / "whole"), copies=1))
    (file,) = (tmp_path / "whole").iterdir()
    lines = file.read_text().splitlines(keepends=True)
    assert len(lines) == 3
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / file.name).write_text(lines[0] + lines[1][:20])
    chunks: list[Chunk] = []
    monkeypatch.setattr(perudo_crosstable, "played", lambda chunk: chunks.append(chunk) or played(chunk))  # type: ignore[func-returns-value]
    assert list(crosstable(asked(tmp_path / "cut"), copies=1)) == whole
    assert [chunk.number for chunk in chunks] == [1, 2]
    assert list(crosstable(asked(tmp_path / "cut"), copies=1)) == whole
    assert len(chunks) == 2  # nothing is played twice
    list(crosstable(asked(tmp_path / "cut", "--again", "random"), copies=1))
    assert len(chunks) == 5


def test_two_players_share_a_hundred_per_cent(tmp_path: Path) -> None:
    table = list(crosstable(asked(tmp_path), copies=1))
    (first, second) = (line.split("|")[1:-1] for line in table[2:4])
    won, lost = float(first[2].split("±")[0]), float(second[1].split("±")[0])
    assert won + lost == pytest.approx(100)
    assert won > 90  # anybody beats chance
    assert table[-1].startswith("60 to 60 games")
