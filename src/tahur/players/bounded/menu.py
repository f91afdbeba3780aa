"""How a menu is written: the layers in order, and the menu after each of them.

    generate - re-raised pots - range gate - postflop raise limit - promotion - truncation - nudges
    - mood shift - framing - blocking, always after every mood - order

A random roll decides first whether the mood affects this decision; in a lucid moment its two layers are skipped.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from tahur.players.bounded.generate import generate
from tahur.players.bounded.layers import (
    Layer,
    apply_blocking,
    gate_range,
    limit_raises,
    promote,
    shuffle,
    temper_reraised,
    truncate,
)
from tahur.players.bounded.modes import Flags
from tahur.players.bounded.mood import CALM, Mood, Severity, roll_impairment
from tahur.players.bounded.options import Menu
from tahur.players.bounded.profiles import OptionProfile
from tahur.players.bounded.shift import frame, nudge, shift
from tahur.players.bounded.situation import Situation

Layers = tuple[tuple[str, Layer], ...]
USUAL_FLAGS = Flags()


@dataclass(frozen=True, slots=True)
class Written:
    """A finished menu, the menu after each layer, and whether the mood affected it: it does if the roll is low."""

    menu: Menu
    layers: tuple[tuple[str, Menu], ...]
    impaired: bool
    roll: float


def write_menu(
    situation: Situation,
    profile: OptionProfile,
    mood: Mood = CALM,
    flags: Flags = USUAL_FLAGS,
    *,
    rng: np.random.Generator,
) -> Written:
    """The menu of the seat to act."""
    roll, impaired = roll_impairment(mood, rng)
    menu, trace = Menu(), []
    for name, layer in layers_for(profile, mood if impaired else CALM, flags):
        menu = layer(menu, situation, rng)
        trace.append((name, menu))
    return Written(menu, tuple(trace), impaired, roll)


@lru_cache(maxsize=256)
def layers_for(profile: OptionProfile, mood: Mood, flags: Flags) -> Layers:
    """The layers by name, in order, bound to the profile and the mood."""
    layers: list[tuple[str, Layer]] = [
        ("generate", partial(generate, profile=profile)),
        ("re-raised pots", temper_reraised),
    ]
    if flags.range_gate:
        layers.append(("range gate", partial(gate_range, profile=profile)))
    layers.append(("postflop raise limit", partial(limit_raises, profile=profile)))
    layers.append(("promotion", partial(promote, profile=profile)))
    layers.append(("truncation", partial(truncate, profile=profile)))
    if flags.composed_nudges:
        layers.append(("nudges", partial(nudge, profile=profile)))
    if mood.severity is not Severity.NONE:
        voiced = flags.composed_nudges
        layers.append(("mood shift", partial(shift, profile=profile, mood=mood, voiced=voiced)))
        layers.append(("framing", partial(frame, mood=mood)))
    layers.append(("blocking", partial(apply_blocking, profile=profile)))
    if flags.shuffle_options:
        layers.append(("order", shuffle))
    return tuple(layers)
