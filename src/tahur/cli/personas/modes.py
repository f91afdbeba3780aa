"""`--mode`: the game mode of the personas at a hold'em table. It becomes part of their names, and so of records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from tahur.cli.settings import POKER, SPOT

Mode = Annotated[
    str | None,
    typer.Option(
        "--mode",
        metavar="NAME",
        help="Game mode of the personas: study, lean, loose_table, shuffled. For one of them: persona:duelist+study.",
    ),
]
KINDS = ("persona", "llm")


def in_mode(players: Sequence[str], mode: str | None, game: str) -> list[str]:
    """The same players, with every persona in this mode unless its name has another."""
    from tahur.core.errors import SettingError
    from tahur.players.bounded.modes import mode_named

    if mode is None:
        return list(players)
    name = mode_named(mode).name
    found = [_in_mode(player, name) for player in players]
    if game.partition(":")[0] not in (*POKER, SPOT) or found == list(players):
        raise SettingError(f"--mode {mode} is for hold'em personas such as persona:duelist; no player here is one")
    return found


def _in_mode(player: str, mode: str) -> str:
    from tahur.players.bounded.personas import MARK, SUFFIX, is_persona

    kind, colon, rest = player.partition(":")
    said = bool(colon) and kind in KINDS
    kind, rest = (kind, rest) if said else (KINDS[0], player)
    called, at, chooser = rest.partition("@")
    of_file = said and called.lower().endswith(SUFFIX)
    return f"{kind}:{called}{MARK}{mode}{at}{chooser}" if is_persona(called) or of_file else player
