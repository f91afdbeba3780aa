"""Situations with a stated equity, and the menus that are made of them."""

from __future__ import annotations

import numpy as np

from tahur.cards.cards import parse_cards
from tahur.players.bounded.generate import generate
from tahur.players.bounded.options import Menu, OptionKind
from tahur.players.bounded.profiles import PROFILES
from tahur.players.bounded.situation import EquityEstimate, Situation, stated

DEFAULT = PROFILES["default"]


def spot(
    equity: float,
    *,
    hand: str = "AhKh",
    board: str = "Qs7h2h",
    pot: int = 300,
    to_call: int = 100,
    stack: int = 2000,
    **more: object,
) -> Situation:
    cards = {"hole": parse_cards(hand), "board": parse_cards(board)}
    return stated(**cards, pot=pot, to_call=to_call, stack=stack, estimate=EquityEstimate(equity), **more)  # type: ignore[arg-type]


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def acts(menu: Menu) -> list[OptionKind]:
    return [option.act for option in menu.options]


def made(situation: Situation, profile: str = "default") -> Menu:
    return generate(Menu(), situation, rng(), profile=PROFILES[profile])
