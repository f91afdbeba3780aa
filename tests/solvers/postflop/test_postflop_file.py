"""Solved spots as files: what is read is what was written but for a stated rounding, and nothing else is read."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from test_postflop_results import EVEN, MONOTONE, RAKED, RIVER, TURN, solved

from tahur.core.errors import SolverError, StrategyError
from tahur.core.solution import read_solution
from tahur.solvers.postflop import file
from tahur.solvers.postflop.lock import parse_lock
from tahur.solvers.postflop.results import result
from tahur.solvers.postflop.solve import PostflopSolution, PostflopSolver
from tahur.solvers.postflop.spot import Spot

ROUNDING = 0.01  # of a probability


@pytest.mark.parametrize(
    "asked", [RIVER, RAKED, TURN, EVEN, MONOTONE], ids=["river", "rake", "turn", "flop", "monotone"]
)
@pytest.mark.parametrize("symmetry", [True, False])
def test_what_is_read_is_what_was_written_within_the_rounding(asked: Spot, symmetry: bool, tmp_path: Path) -> None:
    solution = solved(asked, 10, symmetry)
    solution.save(tmp_path / "spot.tahur")
    read = PostflopSolution.load(tmp_path / "spot.tahur")
    assert read.spot == asked
    assert (read.iterations, read.exploitability) == (solution.iterations, solution.exploitability)
    assert (read.ev, read.equity) == (solution.ev, solution.equity)
    assert read.engine.schedule == solution.engine.schedule
    layout = solution.engine.layout
    for street, (nodes_of_street, hands) in enumerate(zip(layout.street_nodes, layout.hands, strict=True)):
        for board in range(0, len(hands.boards), 7):
            for node in np.flatnonzero(nodes_of_street.tree.kind < 2):
                one, two = (each.engine.strategy(street, board, int(node)) for each in (solution, read))
                assert two == pytest.approx(one, abs=ROUNDING)


@pytest.mark.parametrize("half", [False, True], ids=["32 bits", "16 bits"])
@pytest.mark.parametrize(
    "locks", [(), ("flat: check: bet15=40%",), ("check: bet15=40%",)], ids=["free", "flat", "shift"]
)
def test_a_resumed_file_continues_bit_for_bit(half: bool, locks: list[str], tmp_path: Path) -> None:
    parsed, base = [parse_lock(text) for text in locks], solved(TURN, 10)
    whole, first = (PostflopSolver(TURN, locks=parsed, half=half, base=base) for _ in range(2))
    whole.iterate(13)
    first.iterate(6)
    first.solution().save(tmp_path / "spot.tahur", resumable=True)
    assert file.state_bits(tmp_path / "spot.tahur") == (16 if half else 32)
    second = file.load_solver(tmp_path / "spot.tahur", threads=2)
    assert (second.iteration, second.layout.locks) == (6, tuple(parsed))
    second.iterate(7)
    expected = whole.state().arrays
    assert {name: array.tobytes() for name, array in second.state().arrays.items()} == {
        name: array.tobytes() for name, array in expected.items()
    }
    assert second.solution().exploitability == whole.solution().exploitability


def test_a_file_without_the_state_is_not_resumed_and_one_with_it_is_read_as_any(tmp_path: Path) -> None:
    solution = solved(TURN, 10)
    solution.save(tmp_path / "small")
    solution.save(tmp_path / "large", resumable=True)
    with pytest.raises(StrategyError, match="not the state of its solver; solve the spot with --resumable"):
        file.load_solver(tmp_path / "small")
    one, two = (PostflopSolution.load(tmp_path / name) for name in ("small", "large"))
    assert np.array_equal(one.strategy, two.strategy)


def test_a_damaged_state_is_refused_and_too_little_memory_is_not_called_damage(tmp_path: Path) -> None:
    whole, damaged = tmp_path / "whole", tmp_path / "damaged"
    solved(TURN, 3).save(whole, resumable=True)
    with pytest.raises(SolverError, match=r"the spot needs .* MB are allowed"):
        file.load_solver(whole, memory=1000)
    sums = solved(TURN, 3).engine.data.sums
    for name, array in (
        ("state/sums.npy", sums[1:]),
        ("state/sums.npy", np.append(sums, sums[:1])),
        ("state/sums.npy", sums.view(np.int32)),
        ("state/regrets.npy", np.zeros((2, 2), np.float32)),
    ):
        with zipfile.ZipFile(whole) as read, zipfile.ZipFile(damaged, "w") as written:
            for entry in read.namelist():
                content = io.BytesIO()
                np.save(content, array)
                written.writestr(entry, content.getvalue() if entry == name else read.read(entry))
        with pytest.raises(StrategyError, match="damaged is corrupted"):
            file.load_solver(damaged)


def test_rounding_costs_less_than_a_twentieth_of_a_percent_of_the_pot(tmp_path: Path) -> None:
    solution = solved(TURN, 100)
    solution.save(tmp_path / "spot.tahur")
    read = PostflopSolution.load(tmp_path / "spot.tahur")
    assert read.engine.exploitability() == pytest.approx(
        solution.exploitability, abs=0.05
    )  # ranges of five hands; wide ones lose far less
    one, two = (result(each, "check") for each in (solution, read))
    assert two.decider.range_ev == pytest.approx(one.decider.range_ev, abs=0.05)


def test_rare_moves_stay_as_rare_as_they_are(tmp_path: Path) -> None:
    solution = solved(TURN, 100)
    solution.save(tmp_path / "spot.tahur")
    one, two = (each.engine.strategy(0, 0, 0) for each in (solution, PostflopSolution.load(tmp_path / "spot.tahur")))
    rare = (one > 1e-4) & (one < 0.01)
    assert rare.any()
    assert two[rare] == pytest.approx(one[rare], rel=0.5)


def test_equal_solutions_are_equal_bytes_and_no_bigger_than_said(tmp_path: Path) -> None:
    for name in ("one", "two"):
        solved(TURN).save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert (tmp_path / "one").stat().st_size < file.most_bytes(solved(TURN).engine.layout)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]


def test_a_solution_replaces_a_solution_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("dear all")
    with pytest.raises(StrategyError, match="letter exists and is not a postflop solution; it was not overwritten"):
        solved(RIVER).save(tmp_path / "letter")
    assert (tmp_path / "letter").read_text() == "dear all"
    solved(RIVER).save(tmp_path / "spot")
    solved(RAKED).save(tmp_path / "spot")
    assert PostflopSolution.load(tmp_path / "spot").spot == RAKED


def test_a_file_that_cannot_be_written_whole_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(file, "_pack", full)
    with pytest.raises(StrategyError, match="cannot be written: No space left"):
        solved(RIVER).save(tmp_path / "spot")
    assert not list(tmp_path.iterdir())
    with pytest.raises(StrategyError, match="cannot be written: No such file"):
        solved(RIVER).save(tmp_path / "nowhere" / "spot")


def header(version: int) -> bytes:
    return json.dumps({"tahur file": "postflop solution", "version": version}).encode()


def changed(path: Path, **entries: bytes | None) -> Path:
    """A copy with other contents of some entries; None leaves one out."""
    after = path.with_name("changed")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(after, "w") as new:
        for name in old.namelist():
            content = entries.get(name.partition("/")[0].partition(".")[0], old.read(name))
            if content is not None:
                new.writestr(name, content)
    return after


@pytest.mark.parametrize(
    ("entries", "what"),
    [
        ({"strategy": b""}, "changed is corrupted: it is truncated"),
        ({"strategy": bytes(100_000)}, "changed is corrupted: strategy/0 is longer than the spot requires"),
        ({"strategy": None}, "changed is corrupted: .*strategy/0"),
        ({"spot": b"board = 3"}, "changed is corrupted: the spot lacks 'oop'"),
        ({"header": b"{}"}, "changed is not a postflop solution; `tahur postflop solve -o FILE` writes them"),
        ({"header": header(4)}, "changed is a postflop solution of version 4; this tahur reads versions 1 to 3"),
        ({"header": b"]"}, "changed is corrupted: "),
        ({"header": header(3)}, "changed is corrupted: 'boards'"),
        ({"header": None}, "changed is not a postflop solution; `tahur postflop solve -o FILE` writes them"),
    ],
)
def test_a_corrupted_file_is_refused_in_a_sentence(entries: dict[str, bytes | None], what: str, tmp_path: Path) -> None:
    solved(RIVER).save(tmp_path / "spot")
    with pytest.raises(StrategyError, match=what):
        PostflopSolution.load(changed(tmp_path / "spot", **entries))


def test_files_of_small_games_and_of_spots_are_not_taken_for_each_other(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "kuhn", "w") as small:
        small.writestr("strategy.json", '{"tahur strategy": 1}')
    with pytest.raises(StrategyError, match="kuhn is a strategy file, not a postflop solution; `tahur show` reads it"):
        PostflopSolution.load(tmp_path / "kuhn")
    solved(RIVER).save(tmp_path / "spot")
    with pytest.raises(StrategyError, match="spot is a postflop solution, not a strategy file; `tahur postflop show`"):
        read_solution(tmp_path / "spot")
    (tmp_path / "text").write_text("no zip")
    with pytest.raises(StrategyError, match="text is not a postflop solution"):
        PostflopSolution.load(tmp_path / "text")
    with pytest.raises(StrategyError, match="none cannot be read: No such file"):
        PostflopSolution.load(tmp_path / "none")
