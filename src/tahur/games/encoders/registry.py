"""The games that nets can play, and the encoder of each."""

from __future__ import annotations

from typing import Any

from tahur.core.errors import SettingError
from tahur.core.game import Game
from tahur.games.encoders.encoder import Encoder
from tahur.games.kuhn import Kuhn
from tahur.games.leduc import Leduc


def encoder_of(game: Game[Any]) -> Encoder:
    """The encoder of a game; raises `SettingError` for games that nets do not play."""
    from tahur.games.encoders.holdem import HoldemEncoder  # loads Numba, which the small games do not need
    from tahur.games.encoders.small import KuhnEncoder, LeducEncoder
    from tahur.games.holdem.rules import Holdem
    from tahur.games.holdem.stakes import Limit

    if isinstance(game, Kuhn) and game.seats == 2:
        return KuhnEncoder()
    if isinstance(game, Leduc):
        return LeducEncoder()
    if isinstance(game, Holdem) and game.seats == 2 and isinstance(game.stakes.structure, Limit):
        return HoldemEncoder(game.stakes.structure.rounds)
    raise SettingError(f"{game.name}: nets play kuhn, leduc and limit hold'em, each with two seats")
