"""What an environment has to know of its game: how an episode starts and goes on, what is seen, what is paid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tahur.core.game import Game, Seat
from tahur.core.player import View
from tahur.core.record import Record
from tahur.envs.menu import ActionMenu

Rng = np.random.Generator


class ObservationLayout(Protocol):
    """What the numbers of an observation are; each game names its own parts."""

    @property
    def seats(self) -> int: ...

    @property
    def size(self) -> int: ...


class EnvGame(Protocol):
    """One environment's game, with its settings."""

    @property
    def name(self) -> str: ...

    @property
    def menu(self) -> ActionMenu: ...

    @property
    def layout(self) -> ObservationLayout: ...

    @property
    def most(self) -> float:
        """No number of an observation is greater, and none is less than 0."""
        ...

    def opening(self, rng: Rng) -> Game[Any]:
        """The first deal of an episode."""
        ...

    def after(self, game: Any, record: Record) -> Game[Any] | None:
        """The deal that follows in the same episode; None: the episode is over."""
        ...

    def playing(self, game: Any) -> Sequence[Seat]:
        """The seats that take part in a deal."""
        ...

    def rewards(self, game: Any, payoffs: Sequence[float]) -> Sequence[float]:
        """What a deal that paid this is worth to each seat."""
        ...

    def observe(self, view: View) -> NDArray[np.float32]: ...

    def scene(self, table: Any) -> str:
        """The table in a line, for a person."""
        ...
