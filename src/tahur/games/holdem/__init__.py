"""Hold'em: the table and its stakes, no-limit and limit, two to nine seats."""

from typing import Final

from tahur.games.entry import Entry
from tahur.games.holdem.limit import PRESETS, limit
from tahur.games.holdem.rules import no_limit

ENTRIES: Final[tuple[Entry, ...]] = (
    Entry("nlhe", "no-limit hold'em, 2 to 9 seats, antes and blinds", no_limit),
    Entry("limit", "limit hold'em, 2 to 9 seats, bets and caps as you like", limit),
    *(Entry(preset.name, preset.summary, preset) for preset in PRESETS),
)
