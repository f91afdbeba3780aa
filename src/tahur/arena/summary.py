"""The summary of a match or a tournament as a JSON object: in the game's unit, with intervals."""

from __future__ import annotations

import sys
from itertools import combinations
from math import isfinite
from typing import Any, Final

import numpy as np

from tahur import __version__
from tahur.arena.luck import Luck
from tahur.arena.match import BLOCK, Match
from tahur.arena.planner import tell_apart
from tahur.arena.ratings import Rating, groups, rate
from tahur.arena.series import MatchStanding
from tahur.arena.stats import Interval, bands, gap, intervals, trusted_from
from tahur.arena.tournament import Crosstable, OneTable, Tournament

LUCKS: Final = {
    "none": Luck.NONE,
    "all-in": Luck.ALL_IN,
    "chance": Luck.CHANCE,
    "full": Luck.FULL,
    "strategy": Luck.STRATEGY,
}


def identity(match: Match) -> dict[str, Any]:
    """What is played, and the versions: everything that determines the results."""
    return {
        "game": match.game.name,
        "settings": dict(match.game.settings),
        "players": list(match.names),
        "seed": match.seed,
        "duplicate": match.duplicate,
        "luck": next(name for name, luck in LUCKS.items() if luck == match.luck),
        "result_of": match.scoring.of,
        "block": BLOCK,
        "versions": {
            "tahur": __version__,
            "numpy": np.__version__,
            "python": ".".join(map(str, sys.version_info[:3])),
        },
    }


def summary(standing: MatchStanding) -> dict[str, Any]:
    """The result of each player and the difference of each pair."""
    match, moments, scale = standing.match, standing.fair, standing.match.scoring.scale
    places = bands(moments)
    players = [
        {"name": name, **interval_json(result.scaled(scale)), "places": [places[at].best, places[at].worst]}
        for at, (name, result) in enumerate(zip(match.names, intervals(moments), strict=True))
    ]
    return identity(match) | {
        "unit": match.scoring.unit,
        "par": match.scoring.par * scale,
        "deals": standing.deals,
        "hands": standing.hands,
        "results": players,
        "gaps": [_gap(standing, a, b) for a, b in combinations(range(len(players)), 2)],
        "trusted_from": trusted_from(moments) if standing.deals else None,
        "times_fewer_hands": _reduction(standing),
    }


def tournament_summary(tournament: Tournament) -> dict[str, Any]:
    """Places, ratings and the crosstable: what the player of each row wins from the player of each column.

    With all players at one table it is how much more the row's player wins than the column's.
    """
    match, names, crosstable = tournament.any_match, tournament.names, tournament.crosstable()
    scale, totals = match.scoring.scale, crosstable.totals()
    places = bands(totals)
    rated = {rating.name: rating for rating in ratings_of(crosstable)}
    players = [
        {
            "name": name,
            **interval_json(result.scaled(scale)),
            "places": [places[at].best, places[at].worst],
            "elo": _elo(rated[name]) if name in rated else None,
        }
        for at, (name, result) in enumerate(zip(names, intervals(totals), strict=True))
    ]
    cells = [[crosstable.cell(a, b) if a != b else None for b in range(len(names))] for a in range(len(names))]
    return identity(match) | {
        "players": list(names),
        "unit": match.scoring.unit,
        "par": match.scoring.par * scale,
        "hands": tournament.hands,
        "results": players,
        "one_table": isinstance(crosstable, OneTable),
        "crosstable": [[None if cell is None else interval_json(cell.scaled(scale)) for cell in row] for row in cells],
    }


def ratings_of(crosstable: Crosstable) -> tuple[Rating, ...]:
    """The ratings; empty until all players are connected by games."""
    pairings = crosstable.pairings()
    return rate(pairings) if len(groups(pairings)) == 1 else ()


def _elo(rating: Rating) -> list[float]:
    """Rounded to a tenth: the last digits of a matrix inverse differ between machines, and files must not."""
    return [round(elo, 1) for elo in (rating.rating, rating.low, rating.high)]


def _gap(standing: MatchStanding, a: int, b: int) -> dict[str, Any]:
    """How much more a won than b, and how many hands are needed to establish a difference."""
    match, scale = standing.match, standing.match.scoring.scale
    plan = tell_apart(standing.fair, a, b)
    hands = None if plan is None else [deals * match.hands_per_deal for deals in (plan.deals, plan.fewest, plan.most)]
    return {
        "players": [match.names[a], match.names[b]],
        **interval_json(gap(standing.fair, a, b).scaled(scale)),
        "hands_to_tell_apart": hands,
    }


def interval_json(interval: Interval) -> dict[str, float | None]:
    """The interval as JSON values; infinite ones become None."""
    values = {"result": interval.mean, "low": interval.low, "high": interval.high, "se": interval.se}
    return {name: value if isfinite(value) else None for name, value in values.items()}


def _reduction(standing: MatchStanding) -> float | None:
    """How many times more hands the match would have needed without removing luck."""
    if not standing.match.luck or standing.deals < 2:
        return None
    before, after = (float(np.trace(moments.covariance)) for moments in (standing.raw, standing.fair))
    return before / after if after > 0 else None
