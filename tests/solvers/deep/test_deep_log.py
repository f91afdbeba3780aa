"""What a training run tells: a summary, a table for the terminal, events for TensorBoard."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from tahur.core.errors import MissingExtra
from tahur.show.tables import training_table
from tahur.solvers.deep.run import LogLine, TensorBoardWriter, summary

LINE = LogLine(
    iteration=10,
    iterations=40,
    losses=(0.5, 0.3),
    samples=(1200, 800),
    fill=(0.25, 1.0),
    traversals_per_second=12_345.0,
    seconds=(1.5, 2.25),
    nets=10,
    checkpoint=False,
    unit="antes",
)
MEASURED = replace(LINE, iteration=8, exploitability=0.318, band=(0.25, 0.42))


def test_a_summary_has_the_first_loss_and_the_last_and_says_where_they_tend() -> None:
    later = replace(LINE, iteration=30, losses=(0.2, 0.1))
    told = summary([LINE, MEASURED, later])
    assert (told["iteration"], told["first_loss"], told["trend"]) == (30, pytest.approx(0.4), "falling")
    assert told["last_loss"] == pytest.approx(0.15)
    assert told["exploitability"] == 0.318
    assert summary([later, LINE])["trend"] == "rising"
    assert summary([LINE, replace(LINE, losses=(0.51, 0.3))])["trend"] == "level"
    assert summary([])["trend"] == "nothing done"


def test_a_measurement_is_told_with_the_band_of_healthy_runs() -> None:
    assert MEASURED.verdict == "exploitability: expected 0.25-0.42, you are at 0.318 antes: as it should be"
    assert "worse than healthy runs" in replace(MEASURED, exploitability=0.43).verdict
    assert replace(MEASURED, band=None).verdict == "exploitability 0.318 antes"
    assert LINE.verdict == ""


def test_the_dashboard_says_how_far_how_fast_and_how_good() -> None:
    console = Console(width=100, record=True, file=sys.stderr, no_color=True)
    console.print(training_table(LINE.to_json(), [MEASURED.to_json()]))
    rows = [row.rstrip() for row in console.export_text().splitlines()]
    assert rows == [
        "iteration   10 of 40  " + "█" * 6 + "░" * 18,
        "loss        0.5 and 0.3",
        "samples     1,200 and 800",
        "memory      25% and 100%",
        "time        1.50 s traversing (12,345/s), 2.25 s fitting",
        "nets saved  10",
        "at 8        exploitability 0.318 antes  (healthy: 0.25-0.42)",
    ]


def test_without_tensorboard_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    with pytest.raises(MissingExtra, match="pip install tensorboard"):
        TensorBoardWriter("nowhere")


@pytest.mark.slow  # TensorBoard is not quick to import
def test_tensorboard_reads_what_was_logged(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard", reason="TensorBoard reads its own files")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    board = TensorBoardWriter(str(tmp_path))
    for line in (MEASURED, LINE):
        board.add(line)
    board.close()
    events = EventAccumulator(str(tmp_path))
    events.Reload()
    found = {
        name: [(event.step, pytest.approx(event.value)) for event in events.Scalars(name)]
        for name in events.Tags()["scalars"]
    }
    assert found == {
        "loss/0": [(8, 0.5), (10, 0.5)],
        "loss/1": [(8, 0.3), (10, 0.3)],
        "memory/0": [(8, 0.25), (10, 0.25)],
        "memory/1": [(8, 1.0), (10, 1.0)],
        "traversals_per_second": [(8, 12_345.0), (10, 12_345.0)],
        "exploitability (antes)": [(8, 0.318)],
    }
