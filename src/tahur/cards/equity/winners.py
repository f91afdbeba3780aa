"""How often each set of hands wins, with all hands known and the board to come; exact.

`equity` gives shares of a pot; this gives which hands win or split, so that whole chips can be paid out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tahur.cards.equity.kernels.winners import winners
from tahur.cards.equity.tables import combos, runouts
from tahur.cards.tables import load


def winner_counts(
    hands: Sequence[int], board: Sequence[int] = (), dead: int = 0, showdown_board: int = 5
) -> tuple[tuple[int, int], ...]:
    """(set of winners, runouts) for every set that wins some runout; a set has bit i for `hands[i]`, a combo.

    `dead`: other cards that cannot come, as bits of 52. The caller must ensure that no card occurs twice.
    """
    lying = 0
    for card in board:
        lying |= 1 << card
    held = np.array(hands, np.int64)
    counts = winners(held, lying, dead, showdown_board - len(board), load(), combos(), runouts())
    return tuple((int(each), int(counts[each])) for each in np.flatnonzero(counts))
