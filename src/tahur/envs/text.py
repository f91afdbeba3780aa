"""`render_mode="ansi"`: the table, the actions so far, and one seat's hand and choices, as text."""

from __future__ import annotations

from tahur.core.player import View
from tahur.core.record import decisions
from tahur.envs.kind import EnvGame
from tahur.envs.menu import legal_names


def agent_of(seat: int) -> str:
    """PettingZoo's name of a seat: `seat_0`."""
    return f"seat_{seat}"


def screen(kind: EnvGame, view: View) -> str:
    """A few lines of text, as the seat of the view sees the table."""
    table = view.table
    moves = decisions(view.game, table.history)
    actions = [f"{agent_of(before.turn)} {view.game.label(before, action)}" for before, action in moves]
    lines = [kind.scene(table), "; ".join(actions) or "nothing yet"]
    if view.hand is not None:
        lines.append(f"{agent_of(view.seat)} holds {view.game.hand_text(view.hand)}")
    if table.turn == view.seat:
        lines.append(f"{agent_of(view.seat)} may choose {legal_names(kind.menu, kind.menu.mask(table))}")
    return "\n".join(lines)
