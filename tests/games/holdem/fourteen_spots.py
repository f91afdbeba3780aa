"""Situations for the tests of the fourteen actions."""

from __future__ import annotations

from tahur.games.holdem.fourteen import (
    NAMES,
    BettingSituation,
    FourteenEntry,
)

SPOTS = 50_000


def open_pot(pot: int, *, stack: int = 10_000, big_blind: int = 100) -> BettingSituation:
    return BettingSituation(pot=pot, bet=0, committed=0, stack=stack, big_blind=big_blind, last_raise=big_blind)


def facing(pot: int, bet: int, *, committed: int = 0, stack: int = 10_000, last_raise: int = 100) -> BettingSituation:
    return BettingSituation(pot=pot, bet=bet, committed=committed, stack=stack, big_blind=100, last_raise=last_raise)


SMALL_BLIND = facing(150, 100, committed=50, stack=9_950)
BIG_BLIND_OPTION = facing(200, 100, committed=100, stack=9_900)
SHORT_ALL_IN_BEHIND = BettingSituation(
    pot=950, bet=350, committed=300, stack=5_000, big_blind=100, last_raise=300, reopened=False
)


def legal(entries: tuple[FourteenEntry, ...]) -> list[str]:
    return [entry.name for entry in entries if entry.legal]


def amounts(entries: tuple[FourteenEntry, ...]) -> dict[str, int]:
    return {entry.name: entry.raise_to for entry in entries if entry.raise_to is not None}


def reason(entries: tuple[FourteenEntry, ...], name: str) -> str | None:
    return entries[NAMES.index(name)].reason
