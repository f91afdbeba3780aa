"""The units of hold'em results: big blinds per hundred hands in no-limit, thousandths of one per game in limit."""

from __future__ import annotations

from tahur.core.scoring import Scoring
from tahur.games.holdem.rules import Holdem


def no_limit_scorings(game: Holdem) -> tuple[Scoring, ...]:
    return _per_hundred(game), _per_game(game), Scoring("chips/hand")


def limit_scorings(game: Holdem) -> tuple[Scoring, ...]:
    return _per_game(game), _per_hundred(game), Scoring("chips/hand")


def _per_hundred(game: Holdem) -> Scoring:
    return Scoring("bb/100", 100 / game.stakes.blinds[1])


def _per_game(game: Holdem) -> Scoring:
    return Scoring("mbb/g", 1000 / game.stakes.blinds[1])
