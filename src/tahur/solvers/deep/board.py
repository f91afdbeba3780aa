"""The training log for TensorBoard, if it is installed."""

from __future__ import annotations

from typing import Any

from tahur.core.errors import MissingExtra
from tahur.solvers.deep.run import LogLine


class TensorBoardWriter:
    """Writes each iteration's numbers as TensorBoard scalars."""

    def __init__(self, folder: str) -> None:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            raise MissingExtra("--tensorboard needs TensorBoard: pip install tensorboard") from None
        self._writer: Any = SummaryWriter(folder)

    def add(self, line: LogLine) -> None:
        for role, loss in enumerate(line.losses):
            self._writer.add_scalar(f"loss/{role}", loss, line.iteration)
            self._writer.add_scalar(f"memory/{role}", line.fill[role], line.iteration)
        self._writer.add_scalar("traversals_per_second", line.traversals_per_second, line.iteration)
        if line.exploitability is not None:
            self._writer.add_scalar(f"exploitability ({line.unit})", line.exploitability, line.iteration)

    def close(self) -> None:
        self._writer.close()
