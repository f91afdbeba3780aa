"""The library: files come in, are renamed, deleted and restored; what is not a solved spot stays out."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from small_spots import flop, turn

import hostile_files
from tahur.core.errors import SettingError, StrategyError, TahurError, UnknownName
from tahur.solvers.postflop.estimate import estimate
from tahur.study import library as library_module
from tahur.study import resident
from tahur.study.library import Library, check_start
from tahur.study.resident import Residents
from tahur.study.shelf import SHELF, share_done


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "study")


def imported(library: Library, title: str = "My turn") -> str:
    received = library.unfinished("ab12")
    turn().save(received)
    return library.add(received, title)


def test_an_imported_file_is_listed_with_its_spot_and_accuracy(library: Library) -> None:
    assert imported(library) == "my-turn"
    assert imported(library) == "my-turn-2"
    assert not list(library.folder.glob(".upload-*"))
    spots = library.spots()
    assert {spot.name for spot in spots} == {"my-turn", "my-turn-2"}
    assert {spot.title for spot in spots} == {"My turn"}
    assert spots[0].facts is not None
    assert spots[0].facts.spot == turn().spot
    assert spots[0].facts.exploitability == turn().exploitability


def test_the_list_reads_no_solution(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    imported(library)
    monkeypatch.setattr("tahur.solvers.postflop.file._read_solution", None)
    assert [spot.problem for spot in library.spots()] == [""]


def test_a_renamed_spot_keeps_its_address(library: Library) -> None:
    name = imported(library)
    library.rename(name, "Überbet <b>")
    assert [(spot.name, spot.title) for spot in Library(library.folder).spots()] == [(name, "Überbet <b>")]


def test_a_deleted_spot_can_be_restored_until_the_library_is_opened_again(library: Library) -> None:
    name = imported(library)
    library.delete(name)
    assert library.spots() == ()
    assert imported(library) == f"{name}-2"  # its name stays reserved
    library.restore(name)
    assert library.saved(name) is not None
    library.delete(name)
    Library(library.folder)
    with pytest.raises(UnknownName, match="no deleted spot"):
        library.restore(name)


@pytest.mark.parametrize(
    "name",
    ["", "..", "../names", "a/b", "/etc/passwd", "a.tahur", "A", "a b", "a\0b", "a--b", "-a", "a" * 61, "é", "a\n"],
)
def test_no_name_leads_out_of_the_folder(library: Library, name: str) -> None:
    outside = library.folder.parent / "outside.tahur"
    turn().save(outside)
    for change in (library.path, library.saved, library.delete, library.restore):
        with pytest.raises(UnknownName):
            change(name)
    with pytest.raises(UnknownName):
        library.rename(name, "x")
    assert outside.is_file()


@pytest.mark.parametrize("title", ["../../x", "...", "日本", "a" * 300, "CON.tahur", " "])
def test_any_title_makes_a_name_inside_the_folder(library: Library, title: str) -> None:
    name = imported(library, title)
    assert library.path(name).parent == library.folder
    assert library.saved(name) is not None


def test_hostile_files_are_refused_in_a_sentence_and_leave_nothing(library: Library, tmp_path: Path) -> None:
    files = tmp_path / "hostile"
    files.mkdir()
    hostile_files.write_all(files)
    turn().save(files / "cut.tahur")
    whole = (files / "cut.tahur").read_bytes()
    (files / "cut.tahur").write_bytes(whole[: len(whole) // 2])
    tried = 0
    for path in sorted(files.iterdir()):
        with pytest.raises(SettingError, match="not imported") as refused:
            library.add(path, "spot")
        assert str(files) not in str(refused.value)
        tried += 1
    assert tried > 20
    assert library.spots() == ()


def test_a_file_is_refused_by_its_first_bytes() -> None:
    check_start(b"PK\x03\x04 and so on")
    for start in (b"", b"PK", b"#!/bin/sh", b"\x89PNG"):
        with pytest.raises(SettingError, match="not a file of"):
            check_start(start)


def test_a_damaged_file_in_the_folder_is_listed_with_its_problem(library: Library) -> None:
    (library.folder / "broken.tahur").write_bytes(b"PK\x03\x04 nothing")
    (library.folder / "names.json").write_text("[[[")
    imported(library)
    problems = {spot.name: spot.problem for spot in library.spots()}
    assert problems["my-turn"] == ""
    assert problems["broken"].startswith("it is")
    assert str(library.folder) not in problems["broken"]


def test_a_full_library_says_so(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    imported(library)
    monkeypatch.setattr(library_module, "MOST_SPOTS", 1)
    with pytest.raises(SettingError, match="delete some first"):
        imported(library)


# ---- solutions in memory -------------------------------------------------------------------------


def test_the_least_recently_used_solution_is_dropped(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        imported(library, f"turn {number}")
    loads: list[Path] = []
    monkeypatch.setattr(resident, "load", lambda path: loads.append(path) or turn())
    size = estimate(turn().spot).bytes
    residents = Residents(2 * size)
    spots = [library.saved(f"turn-{number}") for number in range(3)]
    for at in (0, 1, 0, 2, 0, 1):
        spot = spots[at]
        assert spot is not None
        residents.solution(spot)
    assert [path.stem[-1] for path in loads] == ["0", "1", "2", "1"]


def test_a_solution_that_is_too_large_is_refused_before_it_is_loaded(library: Library) -> None:
    saved = library.saved(imported(library))
    assert saved is not None
    with pytest.raises(SettingError, match="MB of memory and Study may use"):
        Residents(1000).solution(saved)


def test_a_file_that_is_cut_after_it_was_listed_is_an_error_in_a_sentence(library: Library) -> None:
    saved = library.saved(imported(library))
    assert saved is not None
    saved.path.write_bytes(saved.path.read_bytes()[:200])
    with pytest.raises(StrategyError):
        Residents(10**9).solution(saved)


# ---- the shelf -----------------------------------------------------------------------------------


def test_every_spot_of_the_shelf_is_valid_and_small() -> None:
    assert len(SHELF) >= 4
    assert len({spot.name for spot in SHELF}) == len(SHELF)
    for shelf in SHELF:
        assert estimate(shelf.spot).bytes < 500e6, shelf.name
        assert shelf.seconds < 60, shelf.name
        assert shelf.spot.unit == "bb"


def test_progress_grows_to_one_as_exploitability_falls_to_the_target() -> None:
    shares = [share_done(80, now, 0.2) for now in (80, 40, 5, 0.5, 0.21, 0.2, 0.1)]
    assert shares[0] == 0
    assert shares[-2:] == [1, 1]
    assert all(one <= other for one, other in pairwise(shares))


def test_a_flop_is_saved_and_read_as_the_same_spot(library: Library) -> None:
    received = library.unfinished("flop")
    flop().save(received)
    saved = library.saved(library.add(received, "flop"))
    assert saved is not None
    assert saved.facts is not None
    assert saved.facts.spot.unit == "bb"
    with pytest.raises(TahurError):
        library.rename("nowhere", "x")
