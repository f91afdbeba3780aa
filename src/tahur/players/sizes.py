"""Raises by a mix of the fourteen actions at no-limit, and by the only size at limit."""

from __future__ import annotations

from collections.abc import Mapping

from tahur.core.game import Action
from tahur.games.holdem.fourteen import ALL_IN, MIN_RAISE, action_of, legal_mask, situation_of
from tahur.games.holdem.stakes import NoLimit
from tahur.games.holdem.table import HoldemTable


def raises_of(table: HoldemTable, mix: Mapping[int, float]) -> dict[Action, float]:
    """The chance of each raise, given the wanted chance of each of the fourteen actions; empty: no raise is legal.

    What is masked shares its chance among the rest in proportion. When all of the mix is masked, the legal raise
    nearest above the least of it is made: a pot too small for a half-pot bet has a larger one.
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
