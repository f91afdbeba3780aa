"""The Gymnasium spaces of an environment's game, and the error if Gymnasium is not installed."""

from __future__ import annotations

import numpy as np

from tahur.core.errors import MissingExtra as MissingExtra
from tahur.core.errors import SettingError, missing_extra
from tahur.envs.game import EnvGame


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


def checked_mode(render_mode: str | None) -> str | None:
    """The render mode, if it is supported."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise SettingError(f"render_mode {render_mode!r}; valid: None or {' or '.join(map(repr, RENDER_MODES))}")
    return render_mode
