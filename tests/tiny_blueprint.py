"""A blueprint that is trained for a moment on one card bucket after the flop, for tests of what reads blueprints."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tahur.cards.buckets import BINS, BucketCentres, Buckets
from tahur.cards.cards import COMBOS
from tahur.cards.flops import start_classes
from tahur.solvers.nolimit.abstraction import PRESETS
from tahur.solvers.nolimit.blueprint import Blueprint, write_blueprint
from tahur.solvers.nolimit.blueprint_solver import SHARES, BlueprintSolver


def tiny_blueprint(depth: float = 20, actions: str = "small", *, rounds: int = 2, boards: int = SHARES) -> Blueprint:
    """The average strategy of a few rounds."""
    flop, turn = (np.zeros((count, COMBOS), np.uint16) for count in (1755, 16432))
    limits, centre = np.zeros(0, np.float32), np.ones((BINS, 1), np.float32)
    buckets = Buckets(start_classes().member.astype(np.uint16), flop, turn, limits)
    centres = BucketCentres(centre, centre, limits)
    solver = BlueprintSolver(depth, PRESETS[actions], centres, buckets, seed=1, boards=boards)
    solver.iterate(rounds)
    return solver.blueprint()


def write_tiny_blueprint(path: Path, depth: float = 20, actions: str = "small") -> Path:
    write_blueprint(path, tiny_blueprint(depth, actions))
    return path
