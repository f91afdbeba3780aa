"""Hold'em: the table and its stakes, no-limit and limit, two to nine seats."""

from typing import Final

from tahur.games.entry import GameEntry
from tahur.games.holdem.habits import HABITS
from tahur.games.holdem.limit import PRESETS, limit
from tahur.games.holdem.rules import no_limit
from tahur.games.holdem.scorings import limit_scorings, no_limit_scorings
from tahur.games.holdem.spot import make_spot, spot_scorings

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
