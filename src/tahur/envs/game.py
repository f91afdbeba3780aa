"""`EnvGame`: what an environment needs to know of its game: episodes, observations, rewards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Int8s
from tahur.core.errors import MissingExtra as MissingExtra
from tahur.core.errors import SettingError, missing_extra
from tahur.core.game import Action, Game, Seat
from tahur.core.player import View
from tahur.core.record import Record, decisions

MOST_LISTED: Final = 14


class ActionMenu(Protocol):
    """Indices 0 to `size - 1` for the actions of a game."""

    @property
    def size(self) -> int: ...

    @property
    def net(self) -> str:
        """The name of the safety net, as a value of the setting `illegal`."""
        ...

    def mask(self, table: Any) -> Int8s:
        """The legal indices of the seat to act; a new array each time."""
        ...

    def action(self, table: Any, index: int) -> Action:
        """The game's action for a legal index."""
        ...

    def caught(self, table: Any) -> int:
        """The legal index that the safety net plays instead of an illegal one."""
        ...

    def name(self, index: int) -> str: ...


def legal_names(menu: ActionMenu, mask: Int8s) -> str:
    """The legal indices in words: `0 (fold), 1 (check/call)`."""
    legal = np.flatnonzero(mask).tolist()
    more = f" and {len(legal) - MOST_LISTED} more" if len(legal) > MOST_LISTED else ""
    return ", ".join(f"{index} ({menu.name(index)})" for index in legal[:MOST_LISTED]) + more


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


def agent_of(seat: int) -> str:
    """PettingZoo's name of a seat: `seat_0`."""
    return f"seat_{seat}"


def screen(kind: EnvGame, view: View) -> str:
    """A few lines of text, as the seat of the view sees the table."""
    table = view.table
    moves = decisions(view.game, table.history)
    actions = [f"{agent_of(before.turn)} {view.game.label(before, action)}" for before, action in moves]
    lines = [kind.scene(table), "; ".join(actions) or "nothing yet"]
    if view.hand is not None:
        lines.append(f"{agent_of(view.seat)} holds {view.game.hand_text(view.hand)}")
    if table.turn == view.seat:
        lines.append(f"{agent_of(view.seat)} may choose {legal_names(kind.menu, kind.menu.mask(table))}")
    return "\n".join(lines)


# ---- spaces --------------------------------------------------------------------------------------
# The Gymnasium spaces of an environment's game, and the error if Gymnasium is not installed.


def without(missing: ModuleNotFoundError) -> MissingExtra:
    """The error to raise instead of Python's own."""
    library = str(missing.name).split(".")[0]
    return missing_extra(f"tahur's environments need {library}", "rl")


try:
    from gymnasium.spaces import Box, Dict, Discrete
except ModuleNotFoundError as missing:
    raise without(missing) from None

RENDER_MODES = ("ansi",)


def observation_space(kind: EnvGame) -> Dict:
    """The observation, numbers from 0 up, and the mask."""
    return Dict(
        {
            "observation": Box(0, kind.most, (kind.layout.size,), np.float32),
            "action_mask": Box(0, 1, (kind.menu.size,), np.int8),
        }
    )


def action_space(kind: EnvGame) -> Discrete:
    """The indices of the menu."""
    return Discrete(kind.menu.size)


def check_mode(render_mode: str | None) -> str | None:
    """The render mode, if it is supported."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise SettingError(f"render_mode {render_mode!r}; valid: None or {' or '.join(map(repr, RENDER_MODES))}")
    return render_mode
