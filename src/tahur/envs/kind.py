"""`EnvGame`: what an environment needs to know of its game: episodes, observations, rewards."""

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
    """The layout of an observation; each game names its own parts."""

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
        """The largest possible number in an observation; the smallest is 0."""
        ...

    def opening(self, rng: Rng) -> Game[Any]:
        """The first deal of an episode."""
        ...

    def after(self, game: Any, record: Record) -> Game[Any] | None:
        """The next deal of the same episode, or None if the episode is over."""
        ...

    def playing(self, game: Any) -> Sequence[Seat]:
        """The seats that take part in a deal."""
        ...

    def rewards(self, game: Any, payoffs: Sequence[float]) -> Sequence[float]:
        """The rewards of the seats for the payoffs of a deal."""
        ...

    def observe(self, view: View) -> NDArray[np.float32]: ...

    def scene(self, table: Any) -> str:
        """The table as one line of text."""
        ...
