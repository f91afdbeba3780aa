"""Hands for the tests of hand histories: small ones that are spelled out, and random ones that were played."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from holdem_play import anything, random_hands_and_board, random_limit, random_stakes

from tahur.core.game import CHANCE, OVER, Hand
from tahur.core.record import Record
from tahur.games.holdem.history import History, ReplayVerdict
from tahur.games.holdem.phh import (
    Phh,
    read_phh,
)
from tahur.games.holdem.replay import replay
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.stakes import Stakes
from tahur.games.holdem.table import HoldemTable

DATA = Path(__file__).parents[2] / "data" / "phh"
GOOD = sorted((DATA / "good").iterdir())
SEATS = range(2, 10)
NAMES = ("Ana", "Bo", "Cy", "Di", "Ed", "Flo", "Gil", "Hal", "Ida")
SOUND = (ReplayVerdict.MATCHED, ReplayVerdict.ODD_CHIPS)

CHECKED_DOWN = (
    "p2 cc",
    "p1 cc",
    "d db QsJd4h",
    "p1 cc",
    "p2 cc",
    "d db 4c",
    "p1 cc",
    "p2 cc",
    "d db 2d",
    "p1 cc",
    "p2 cc",
)


def hand(**changes: Any) -> Phh:
    """Three players with 200 chips, blinds 1 and 2, everybody folds to p2; other fields as given."""
    fields: dict[str, Any] = {
        "variant": "NT",
        "antes": [0, 0, 0],
        "blinds_or_straddles": [1, 2, 0],
        "min_bet": 2,
        "starting_stacks": [200, 200, 200],
        "actions": ["p3 f", "p1 f"],
        **changes,
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in fields.items() if value is not None]
    return read_phh("\n".join(lines))


def played(*actions: str, **changes: Any) -> History:
    return replay(hand(actions=list(actions), **changes))


def heads_up(*actions: str, **changes: Any) -> History:
    fields = {"antes": [0, 0], "blinds_or_straddles": [1, 2], "starting_stacks": [200, 200], **changes}
    return played(*actions, **fields)


def random_record(random: Random, dealt_in: int, *, limit: bool = False) -> Record:
    stakes = random_stakes(random, dealt_in)
    while _opens_elsewhere_in_pokerkit(stakes):
        stakes = random_stakes(random, dealt_in)
    if limit:
        stakes = Stakes(
            stacks=stakes.stacks,
            blinds=stakes.blinds,
            ante=stakes.ante,
            button=stakes.button,
            structure=random_limit(random),
        )
    game = Holdem("limit" if limit else "nlhe", stakes)
    hands, _ = random_hands_and_board(random, stakes)
    last = last_table(game, random, hands)
    return Record(
        game=game.name,
        settings=game.settings,
        hands=hands,
        actions=last.history,
        payoffs=game.payoffs(last, hands),
        names=NAMES[: game.seats],
    )


def last_table(game: Holdem, random: Random, hands: tuple[Hand, ...]) -> HoldemTable:
    table = game.start()
    while table.turn != OVER:
        cards = table.turn == CHANCE
        table = table.after(random.choice(game.outcomes(table, hands)) if cards else anything(table, random))
    return table


def _opens_elsewhere_in_pokerkit(stakes: Stakes) -> bool:
    """No small blind, and the big one all-in on its ante: a ruling of ours, see test_pokerkit.py."""
    return not stakes.blinds[0] and stakes.stacks[stakes.blind_seats[1]] <= stakes.ante


def required(phh: Phh) -> tuple[Any, ...]:
    """What a PHH must say: all but the stacks at the end."""
    return phh.variant, phh.antes, phh.blinds, phh.bets, phh.stacks, phh.steps
