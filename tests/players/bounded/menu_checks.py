"""Situations of every kind, from real tables and out of thin air, and all that must hold of a menu in any of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tahur.core.chance import RandomDealer
from tahur.core.player import Decision, View
from tahur.core.referee import play
from tahur.games.holdem.limit import limit
from tahur.games.holdem.rules import Holdem, no_limit
from tahur.games.holdem.table import CALL, FOLD
from tahur.players.bounded.menu import Written, write_menu
from tahur.players.bounded.modes import Flags
from tahur.players.bounded.mood import Mood, MoodState
from tahur.players.bounded.options import Label, Option, OptionKind
from tahur.players.bounded.profiles import PROFILES, OptionProfile
from tahur.players.bounded.situation import EquityEstimate, Position, Situation, situation_of, stated

Rng = np.random.Generator
STATES = tuple(MoodState)
INTENSITIES = (0.0, 0.2, 0.5, 0.9)  # one of each severity
FLAGS = tuple(Flags(False, nudged, shuffled, gated) for nudged in (0, 1) for shuffled in (0, 1) for gated in (0, 1))
EQUITIES = (0.0, 0.031, 0.0499, 0.05, 0.2499, 0.25, 0.4, 0.45, 0.65, 0.75, 0.9, 1.0)  # where the rules change


def action_of(option: Option) -> int:
    """The action of the rules of hold'em."""
    if option.raise_to is not None:
        return option.raise_to + 1
    return FOLD if option.act is OptionKind.FOLD else CALL


def random_setting(rng: Rng) -> tuple[OptionProfile, Mood, Flags]:
    profiles = tuple(PROFILES.values())
    mood = Mood(STATES[int(rng.random() * 5)], INTENSITIES[int(rng.random() * 4)])
    return profiles[int(rng.random() * 5)], mood, FLAGS[int(rng.random() * 8)]


def random_equity(rng: Rng) -> EquityEstimate:
    chosen = EQUITIES[int(rng.random() * len(EQUITIES))] if rng.random() < 0.3 else float(rng.random())
    return EquityEstimate(chosen)


def random_game(rng: Rng) -> Holdem:
    """Two to nine seats, deep or with a chip, no-limit or limit, blinds and antes of any size."""
    seats, big = int(rng.integers(2, 10)), int(rng.integers(1, 40))
    stacks = [max(1, int(big * 300 ** rng.random())) for _ in range(seats)]
    made: dict[str, Any] = {"stacks": stacks, "blinds": (big // 2, big), "ante": int(rng.integers(0, 3))}
    if rng.random() < 0.25:
        return limit(**made, bets=(big, 2 * big), carry=False)
    return no_limit(**made, carry=False)


def from_tables(rng: Rng, count: int) -> Iterator[tuple[Situation, View]]:
    """The decisions of hands played by throwing dice, so many of them; each is played on by one of its moves."""
    done = 0
    while done < count:
        referee = play(game := random_game(rng), RandomDealer(rng))
        try:
            ask = next(referee)
            while done < count:
                yield situation_of(ask.view, estimate=random_equity(rng)), ask.view
                done += 1
                moves = ask.view.table.actions()
                small = min(len(moves), 3 + int(rng.random() ** 3 * len(moves)))
                ask = referee.send(Decision(moves[int(rng.random() * small)]))
        except StopIteration:
            assert game.seats


def from_thin_air(rng: Rng, count: int) -> Iterator[Situation]:
    """Numbers that no table need ever show."""
    positions = tuple(Position)
    for _ in range(count):
        cards = rng.choice(52, 7, replace=False).tolist()
        board = cards[2 : 2 + (0, 3, 4, 5)[int(rng.random() * 4)]]
        to_call, committed = (int(1000**draw) - 1 for draw in rng.random(2))
        yield stated(
            hole=cards[:2],
            board=board,
            pot=to_call + committed + int(2000 ** rng.random()),
            to_call=to_call,
            stack=int(3000 ** rng.random()),
            estimate=random_equity(rng),
            big_blind=1 + int(rng.random() * 20),
            committed=committed,
            seats=2 + int(rng.random() * 8),
            position=positions[int(rng.random() * 5)],
            street_raises=int(rng.random() * 5),
            limit_bet=1 + int(rng.random() * 40) if rng.random() < 0.2 else None,
        )


def complaints(situation: Situation, profile: OptionProfile, mood: Mood, written: Written) -> list[str]:
    """What is wrong with a menu; nothing, one hopes."""
    options = written.menu.options
    acts = [option.act for option in options]
    blocked = must_not_be_offered(situation, profile)
    found = [*_wrong_count(situation, written, blocked)]
    if OptionKind.FOLD in acts and not situation.cost:
        found.append("a fold where checking is free")
    if blocked & set(acts):
        found.append(f"blocked, and offered: {blocked & set(acts)}")
    if options and all(_stack_in(option, situation) for option in options) and situation.equity < 0.25:
        found.append("nothing but the whole stack with a hopeless hand")
    if all(option.aggressive and option.label is Label.NEGATIVE for option in options):
        found.append("nothing but bluffs")
    for option in options:
        found += _wrong_option(option, situation)
    if len({action_of(option) for option in options}) != len(options):
        found.append("the same move twice")
    return found


def must_not_be_offered(situation: Situation, profile: OptionProfile) -> set[OptionKind]:
    """The rules of blocking, said again."""
    equity, cost, stack = situation.equity, situation.cost, situation.stack
    if not cost:
        return {OptionKind.FOLD, OptionKind.CALL}
    if equity < 0.05:
        return {OptionKind.CALL}
    dear = equity > profile.fold_equity_multiplier * cost / (situation.pot + cost) + 1e-9
    monster = equity >= (0.75 if situation.opponents == 1 else 0.90)
    committed = situation.committed > stack and equity >= 0.25
    hopeless_shove = cost == stack and equity < 0.25
    return {OptionKind.FOLD} if (dear or monster or committed) and not hopeless_shove else set()


def _wrong_count(situation: Situation, written: Written, blocked: set[OptionKind]) -> Iterator[str]:
    options = written.menu.options
    if not 1 <= len(options) <= (5 if written.impaired else 4):
        yield f"{len(options)} options"
    if len(options) == 1:
        passive = {OptionKind.FOLD, OptionKind.CALL} if situation.cost else {OptionKind.CHECK}
        if situation.raises or len(passive - blocked) > 1:
            yield "one option, though there are more"


def _wrong_option(option: Option, situation: Situation) -> Iterator[str]:
    if option.aggressive and option.raise_to not in situation.raises:
        yield f"an illegal size: {option}"
    if option.act in (OptionKind.CALL, OptionKind.FOLD) and not situation.cost:
        yield f"{option.act} where nothing is owed"
    if option.act is OptionKind.CHECK and situation.cost:
        yield "a check where a bet is to be called"
    if option.act is OptionKind.CALL and option.label is Label.POSITIVE and option.chip_ev < 0:
        yield f"a +EV call that loses chips: {option}"
    if option.act is OptionKind.CALL and option.chip_ev < 0 and option.label > Label.MARGINAL:
        yield f"a flattered call: {option}"
    if option.aggressive and option.label is Label.NEGATIVE and "bluff" not in option.text.lower():
        yield f"a bluff that is not called one: {option}"
    if (option.act is OptionKind.ALL_IN) != (option.raise_to == situation.whole):
        yield f"all-in that is not, or is not said: {option}"
    if not option.text.strip():
        yield "an option without words"


def _stack_in(option: Option, situation: Situation) -> bool:
    if option.raise_to is not None:
        return option.raise_to >= situation.whole
    return option.act is OptionKind.CALL and situation.cost >= situation.stack


def rate(situation: Situation, rng: Rng) -> tuple[Written, Mood, list[str]]:
    """Write one menu in that situation, by whoever in whatever mood, and what is wrong with it."""
    profile, mood, flags = random_setting(rng)
    written = write_menu(situation, profile, mood, flags, rng=rng)
    return written, mood, complaints(situation, profile, mood, written)
