"""Actions and amounts in words."""

from __future__ import annotations

from typing import Final

from tahur.core.game import Action
from tahur.games.holdem.table import CALL, FOLD, HoldemTable

STREET_NAMES: Final = ("preflop", "flop", "turn", "river")


def action_text(table: HoldemTable, action: Action) -> str:
    """`fold`, `check`, `call 200`, `bet 300`, `raise to 900`, with `, all-in` where it is."""
    if action == FOLD:
        return "fold"
    if action == CALL:
        return f"call {table.to_call}" if table.to_call else "check"
    all_in = ", all-in" if action - 1 == table.raises[-1] else ""
    return f"{'raise to' if table.bet else 'bet'} {action - 1}{all_in}"


def blinds_text(chips: float, big_blind: int) -> str:
    """Chips in big blinds: `2.35 bb`; never -0.00."""
    return f"{round(chips / big_blind, 2) + 0.0:.2f} bb"
