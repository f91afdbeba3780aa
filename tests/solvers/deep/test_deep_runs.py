"""Runs of Single Deep CFR: they go on bit for bit, refuse what is not theirs, and log what they do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_runs import small, trained

from tahur.core.errors import SettingError, SolverError
from tahur.core.net_file import read_header, read_log, read_nets
from tahur.core.towers import Towers
from tahur.games.registry import make
from tahur.solvers.deep.average import TreeAverage
from tahur.solvers.deep.config import MemoryConfig
from tahur.solvers.deep.net import Learner
from tahur.solvers.deep.run import Training


def _tiny(**training: Any) -> Any:
    config = small("kuhn", iterations=6, traversals_per_iter=200, **training)
    return replace(
        config,
        sgd=replace(config.sgd, steps=15),
        checkpoint=replace(config.checkpoint, interval=2),
        memory=MemoryConfig(500),
    )


def _contents(folder: Path) -> dict[str, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "log.jsonl"]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_kuhn_is_learnt_in_a_few_iterations() -> None:
    config = small("kuhn", iterations=14, traversals_per_iter=2000)
    from tahur.solvers.deep.trainer import PaperTrainer

    trainer = PaperTrainer(replace(config, sgd=replace(config.sgd, steps=80)))
    whole = TreeAverage(make("kuhn"))
    assert whole.measure().nashconv > 0.9  # of playing anything
    for _ in range(14):
        trainer.iterate(1)
    for net in trainer.kept:
        whole.add(net)
    assert whole.measure().nashconv < 0.1


def test_a_run_that_goes_on_ends_with_the_same_bits(tmp_path: Path) -> None:
    config = _tiny()
    trained(config, tmp_path / "whole")
    trained(replace(config, training=replace(config.training, iterations=4)), tmp_path / "parts")
    trained(config, tmp_path / "parts", resume=True)
    one, other = _contents(tmp_path / "whole"), _contents(tmp_path / "parts")
    assert one == other
    assert [line["iteration"] for line in read_log(tmp_path / "parts")] == [1, 2, 3, 4, 5, 6]


KILLED = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_deep_runs import _tiny
from tahur.solvers.deep.run import Training
for line in Training(_tiny(), Path(sys.argv[1])).run():
    print(line.iteration, flush=True)
    if line.iteration == 5:
        sys.stdin.read()
"""


@pytest.mark.slow  # another process imports PyTorch
def test_a_run_that_is_killed_goes_on_to_the_same_bits(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path / "killed"), str(Path(__file__).parent)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stdin=pipe, text=True) as process:
        assert process.stdout is not None
        for told in process.stdout:
            if told.strip() == "5":  # iteration 5 is done and not in any checkpoint
                break
        os.kill(process.pid, signal.SIGKILL)
    assert read_header(tmp_path / "killed")["iteration"] == 4
    trained(_tiny(), tmp_path / "killed", resume=True)
    trained(_tiny(), tmp_path / "whole")
    assert _contents(tmp_path / "killed") == _contents(tmp_path / "whole")


def test_a_folder_in_use_is_not_overwritten_and_another_config_is_refused(tmp_path: Path) -> None:
    config = _tiny()
    trained(replace(config, training=replace(config.training, iterations=2)), tmp_path)
    with pytest.raises(SettingError, match="has a checkpoint already"):
        Training(config, tmp_path)
    with pytest.raises(SettingError, match=r"sgd\.steps was 15, not 16"):
        Training(replace(config, sgd=replace(config.sgd, steps=16)), tmp_path, resume=True)


def test_numbers_that_are_none_stop_the_run_and_name_the_last_good_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    training = Training(_tiny(), tmp_path)
    steps = training.run()
    for _ in range(3):
        next(steps)
    broken: Callable[..., Any] = lambda self: Towers(  # noqa: E731
        {name: np.full_like(part.numpy(), np.nan) for name, part in self.parts.items()}
    )
    monkeypatch.setattr(Learner, "freeze", broken)
    with pytest.raises(SolverError, match="the last good checkpoint is that of iteration 2"):
        next(steps)
    assert read_nets(tmp_path).iteration == 2


def test_the_log_tells_every_iteration_and_how_good_it_is(tmp_path: Path) -> None:
    config = replace(_tiny(log_interval=3), bands=((3, 0.001, 0.002),))
    _, lines = trained(config, tmp_path)
    assert [line.exploitability is not None for line in lines] == [False, False, True, False, False, True]
    assert "expected 0.001-0.002, you are at" in lines[2].verdict
    assert "worse" in lines[2].verdict
    assert read_log(tmp_path)[5]["samples"] == list(lines[5].samples)
    assert lines[5].fill == (1.0, 1.0)


def test_a_pool_of_deals_is_the_same_in_every_iteration() -> None:
    from tahur.solvers.deep.trainer import PaperTrainer

    config = _tiny()
    trainer = PaperTrainer(replace(config, deals=replace(config.deals, count=2)))
    for _ in range(3):
        trainer.iterate(1)
    assert len(np.unique(trainer.memories[0].samples.deals, axis=0)) <= 2


def test_time_is_only_what_the_clock_says() -> None:
    """The clock is handed in; nobody's nets depend on it."""
    from tahur.solvers.deep.trainer import PaperTrainer

    one, other = PaperTrainer(_tiny(), time.perf_counter), PaperTrainer(_tiny())
    one.iterate(1)
    other.iterate(1)
    assert one.last.losses == other.last.losses
