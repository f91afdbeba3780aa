"""Hold'em: the table and its stakes, no-limit and limit, two to nine seats."""

from typing import Final

from tahur.games.entry import GameEntry
from tahur.games.holdem.habits import HABITS
from tahur.games.holdem.limit import PRESETS, limit
from tahur.games.holdem.rules import no_limit
from tahur.games.holdem.scorings import limit_scorings, no_limit_scorings
from tahur.games.holdem.spot import make_spot, spot_scorings

ENTRIES: Final[tuple[GameEntry, ...]] = (
    GameEntry("nlhe", "no-limit hold'em, 2 to 9 seats, antes and blinds", no_limit, no_limit_scorings, HABITS),
    GameEntry("limit", "limit hold'em, 2 to 9 seats, bets and caps as you like", limit, limit_scorings, HABITS),
    *(GameEntry(preset.name, preset.summary, preset, limit_scorings, HABITS) for preset in PRESETS),
    GameEntry(
        "spot", "no-limit hold'em from a board on, hands dealt from two ranges", make_spot, spot_scorings, HABITS
    ),
)
