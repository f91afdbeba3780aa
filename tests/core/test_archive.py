"""Archives: every kind of file refuses every other in a sentence, and files of the first versions are still read.

`tests/data/archives` has one file of each kind as tahur 0.1.0 wrote it; they are never written again.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any
from zipfile import ZIP_LZMA, ZipFile

import numpy as np
import pytest

from solved_games import solution, solver_of
from tahur.core.archive import (
    BUCKETS,
    FLOPS,
    FLOPS_MEMORY,
    KINDS,
    ROUND,
    SPOT,
    STRATEGY,
    Archive,
    FileKind,
    archive_bytes,
    kind_of,
    reading,
    write_archive,
)
from tahur.core.errors import StrategyError
from tahur.core.net_file import read_nets, read_state
from tahur.core.solution import read_memory, read_solution
from tahur.games.holdem import bucket_table
from tahur.games.holdem.flop_table import read_flop_table
from tahur.games.perudo.solved import read_round, read_round_memory
from tahur.games.registry import make
from tahur.players.registry import make_player
from tahur.solvers.postflop.solve import PostflopSolution

FORMER = Path(__file__).parent.parent / "data" / "archives"
NAMES = {
    "kuhn.tahur": STRATEGY,
    "river.tahur": SPOT,
    "1v1.tahur": ROUND,
    "flop_holdem.tahur": FLOPS,
    "fhp_memory.tahur": FLOPS_MEMORY,
    "hulh.tahur": BUCKETS,
}
READERS: dict[str, Callable[[Path], Any]] = {
    "kuhn.tahur": read_solution,
    "river.tahur": PostflopSolution.load,
    "1v1.tahur": read_round,
    "flop_holdem.tahur": read_flop_table,
    "fhp_memory.tahur": lambda path: Archive(path, FLOPS_MEMORY),
    "hulh.tahur": bucket_table.read_bucket_table,
}


def test_there_is_a_former_file_of_every_kind_a_user_has() -> None:
    in_folders = {"checkpoint of nets", "table of hand ranks"}
    first_version = {"no-limit blueprint", "preflop strategy", "table of preflop ranges"}
    assert {NAMES[name].name for name in NAMES} | in_folders | first_version == set(KINDS)


@pytest.mark.parametrize("name", NAMES)
def test_a_former_file_is_known_by_its_kind_and_replaced_by_a_new_one(name: str, tmp_path: Path) -> None:
    assert kind_of(FORMER / name) == NAMES[name].name
    former = Archive(FORMER / name, NAMES[name])
    assert former.version < NAMES[name].version
    shutil.copy(FORMER / name, tmp_path)
    write_archive(tmp_path / name, NAMES[name], former.header, [])
    now = Archive(tmp_path / name, NAMES[name])
    assert (now.version, now.header) == (NAMES[name].version, former.header)


def test_a_former_strategy_and_its_solvers_state_are_what_they_were() -> None:
    back, known = read_solution(FORMER / "kuhn.tahur"), solution("kuhn")
    facts = asdict(known.facts)
    for name in ("exploitability", "nashconv", "value"):  # sums are added in another order now
        facts[name] = pytest.approx(facts[name], rel=1e-9)
    assert asdict(back.facts) == facts
    np.testing.assert_allclose(back.chances, known.chances, rtol=1e-9)
    for name, array in solver_of("kuhn", 100).state().arrays.items():
        np.testing.assert_allclose(read_memory(FORMER / "kuhn.tahur")[name], array, rtol=1e-9)


def test_a_former_spot_round_and_nets_are_read_and_play() -> None:
    spot = PostflopSolution.load(FORMER / "river.tahur")
    assert spot.ev[1] == pytest.approx(87.26, abs=0.01)
    assert spot.frequencies == pytest.approx((0.745, 0.255), abs=0.001)
    assert read_round(FORMER / "1v1.tahur").name.startswith("1v1-")
    assert set(read_round_memory(FORMER / "1v1.tahur")) == {"regrets", "averages", "forecasts"}
    assert [net.iteration for net in read_nets(FORMER / "kuhn_nets").kept] == [1, 2]
    assert read_state(FORMER / "kuhn_nets")
    for name, game in (("strategy:1v1.tahur", make("perudo", {"cups": [1, 1]})), ("net:kuhn_nets", make("kuhn"))):
        kind, _, file = name.partition(":")
        player: Any = make_player(f"{kind}:{FORMER / file}", game)
        assert player.plays(game)


def test_former_tables_of_limit_games_are_read() -> None:
    flops = read_flop_table(FORMER / "flop_holdem.tahur")
    assert flops.classes((0, 1, 2)).sum(axis=3) == pytest.approx(1, abs=1e-6)
    assert flops.start().sum(axis=2) == pytest.approx(1, abs=1e-6)
    table = bucket_table.read_bucket_table(FORMER / "hulh.tahur")
    assert table.training.buckets == (169, 1, 1, 8)
    assert table.average.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("other", NAMES)
def test_every_kind_refuses_every_other_and_names_the_command_that_reads_it(name: str, other: str) -> None:
    if name == other:
        READERS[name](FORMER / name)
        return
    theirs, ours = NAMES[name], NAMES[other]
    with pytest.raises(StrategyError) as refused:
        READERS[other](FORMER / name)
    expected = f"{FORMER / name} is a {theirs.name}, not a {ours.name}; `{theirs.reader}` reads it"
    assert str(refused.value) == expected


def test_a_checkpoint_of_nets_is_not_an_archive_and_no_archive_is_a_checkpoint(tmp_path: Path) -> None:
    assert kind_of(FORMER / "kuhn_nets" / "checkpoint.json") is None
    with pytest.raises(StrategyError, match=r"checkpoint.json is not a strategy file; `tahur solve` writes them"):
        read_solution(FORMER / "kuhn_nets" / "checkpoint.json")
    (tmp_path / "checkpoint.json").write_text('{"tahur file": "strategy file", "version": 2}')
    with pytest.raises(StrategyError, match="is a strategy file, not a checkpoint of nets; `tahur show` reads it"):
        read_nets(tmp_path)


def test_entries_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "x.tahur"
    array = np.arange(10_000)[::3]
    entries = [("array", array), ("bytes", b"abc"), ("view", memoryview(b"def")), ("pieces", iter([b"g", b"h"]))]
    write_archive(path, STRATEGY, {"a": [1, None]}, entries)
    with reading(path, STRATEGY) as archive:
        assert archive.header == {"a": [1, None]}
        np.testing.assert_array_equal(archive.array("array"), array)
        assert [archive.block(name) for name in ("bytes", "view", "pieces")] == [b"abc", b"def", b"gh"]
        assert archive.names("b") == ("ytes",)
    again = [("array", array), ("bytes", b"abc"), ("view", b"def"), ("pieces", b"gh")]
    assert archive_bytes(STRATEGY, {"a": [1, None]}, again) == path.read_bytes()


def test_an_archive_that_stays_open_is_not_disturbed_by_its_replacement(tmp_path: Path) -> None:
    path = tmp_path / "x.tahur"
    write_archive(path, FLOPS, {}, [("a", b"old")])
    archive = Archive(path, FLOPS)
    write_archive(path, FLOPS, {}, [("a", b"new")])
    assert archive.block("a", 3) == b"old"
    assert Archive(path, FLOPS).block("a", 3) == b"new"


def test_a_file_that_cannot_be_written_whole_is_not_there(tmp_path: Path) -> None:
    def broken() -> Any:
        yield b"begun"
        raise OSError(28, "No space left on device")

    with pytest.raises(StrategyError, match="x cannot be written: No space left"):
        write_archive(tmp_path / "x", STRATEGY, {}, [("a", broken())])
    assert not list(tmp_path.iterdir())


def test_other_compressions_and_later_kinds_are_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "x.tahur"
    with ZipFile(path, "w", ZIP_LZMA) as file:
        file.writestr("header.json", '{"tahur file": "strategy file", "version": 2}')
    with pytest.raises(StrategyError, match=r"x.tahur is corrupted: an unknown compression"):
        Archive(path, STRATEGY)
    later = FileKind(name="cake", version=1, writer="bake", reader="eat")
    path.unlink()
    write_archive(path, later, {}, [])
    with pytest.raises(StrategyError, match="is a cake, not a strategy file, which this tahur does not know"):
        Archive(path, STRATEGY)
