"""Raises by a mix of the fourteen actions in no-limit, and by the only size in limit."""

from __future__ import annotations

from collections.abc import Mapping

from tahur.core.game import Action
from tahur.games.holdem.fourteen import ALL_IN, MIN_RAISE, action_of, legal_mask, situation_of
from tahur.games.holdem.stakes import NoLimit
from tahur.games.holdem.table import HoldemTable


def raises_of(table: HoldemTable, mix: Mapping[int, float]) -> dict[Action, float]:
    """The probability of each raise, given the wanted probabilities of the fourteen actions; empty if none is legal.

    The probability of masked actions is shared among the others in proportion. If the whole mix is masked, the result
    is the smallest legal raise above the lowest action of the mix: a pot too small for a half-pot bet has a larger one.
    """
    raises = table.raises
    if not raises:
        return {}
    if not isinstance(table.stakes.structure, NoLimit):
        return {raises[0] + 1: 1.0}
    situation = situation_of(table)
    mask = legal_mask(situation)
    legal = {index: chance for index, chance in mix.items() if mask[index]}
    if not legal:
        least = max(MIN_RAISE, min(mix))
        legal = {next(index for index in range(least, ALL_IN + 1) if mask[index]): 1.0}
    total = sum(legal.values())
    return {action_of(situation, index): chance / total for index, chance in legal.items()}
