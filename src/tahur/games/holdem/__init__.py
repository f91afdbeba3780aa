"""Hold'em: the table and its stakes, no-limit and limit, two to nine seats."""

from typing import Final

from tahur.core.scoring import Scoring
from tahur.games.entry import GameEntry
from tahur.games.holdem.habits import HABITS
from tahur.games.holdem.limit import PRESETS, limit
from tahur.games.holdem.rules import Holdem, no_limit
from tahur.games.holdem.spot import make_spot, spot_scorings


def no_limit_scorings(game: Holdem) -> tuple[Scoring, ...]:
    """The units of results: big blinds per hundred hands first, in limit thousandths of one per game."""
    return _scoring_per_hundred(game), _per_game(game), Scoring("chips/hand")


def limit_scorings(game: Holdem) -> tuple[Scoring, ...]:
    return _per_game(game), _scoring_per_hundred(game), Scoring("chips/hand")


def _scoring_per_hundred(game: Holdem) -> Scoring:
    return Scoring("bb/100", 100 / game.stakes.blinds[1])


def _per_game(game: Holdem) -> Scoring:
    return Scoring("mbb/g", 1000 / game.stakes.blinds[1])


ENTRIES: Final[tuple[GameEntry, ...]] = (
    GameEntry(
        name="nlhe",
        summary="no-limit hold'em, 2 to 9 seats, antes and blinds",
        make=no_limit,
        scorings=no_limit_scorings,
        habits=HABITS,
    ),
    GameEntry(
        name="limit",
        summary="limit hold'em, 2 to 9 seats, bets and caps as you like",
        make=limit,
        scorings=limit_scorings,
        habits=HABITS,
    ),
    *(
        GameEntry(name=preset.name, summary=preset.summary, make=preset, scorings=limit_scorings, habits=HABITS)
        for preset in PRESETS
    ),
    GameEntry(
        name="spot",
        summary="no-limit hold'em from a board on, hands dealt from two ranges",
        make=make_spot,
        scorings=spot_scorings,
        habits=HABITS,
    ),
)
