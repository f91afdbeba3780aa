"""An environment's picture, `render_mode="ansi"`: the table, what happened on it, and what one seat knows besides."""

from __future__ import annotations

from tahur.core.player import View
from tahur.core.record import decisions
from tahur.envs.kind import EnvGame
from tahur.envs.menu import legal_names


def agent_of(seat: int) -> str:
    """`seat_0`: what PettingZoo calls a seat."""
    return f"seat_{seat}"


def screen(kind: EnvGame, view: View) -> str:
    """A few lines for a person, as the seat of the view sees it."""
    table = view.table
    moves = decisions(view.game, table.history)
    said = [f"{agent_of(before.turn)} {view.game.label(before, action)}" for before, action in moves]
    lines = [kind.scene(table), "; ".join(said) or "nothing yet"]
    if view.hand is not None:
        lines.append(f"{agent_of(view.seat)} holds {view.game.hand_text(view.hand)}")
    if table.turn == view.seat:
        lines.append(f"{agent_of(view.seat)} may choose {legal_names(kind.menu, kind.menu.mask(table))}")
    return "\n".join(lines)
