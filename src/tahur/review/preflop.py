"""Judging a decision before the flop by the blueprint: its mix, and the sampled EV of each of its actions."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from tahur.core.game import Hand
from tahur.games.holdem.table import HoldemTable
from tahur.review.values import JudgedAction, JudgedDecision
from tahur.review.words import action_text, blinds_text
from tahur.solvers.nolimit.playing import BlueprintStrategy
from tahur.solvers.postflop.grading import BLUNDER, PLAYED, MoveQuality

LEAST_ERROR: Final = 0.02  # big blinds: of an EV that was sampled on 50,000 boards


def judge_preflop(
    decision: JudgedDecision, table: HoldemTable, hand: Hand, strategy: BlueprintStrategy
) -> JudgedDecision:
    """The decision with the blueprint's values; unchanged but for the reason if it has none there."""
    resolved = strategy.resolve(table)
    if resolved.values is None:
        return replace(decision, why=resolved.note or "the blueprint has no values there")
    evs, mix = resolved.values[:, hand], resolved.mix[:, hand]
    if not np.isfinite(evs).all():
        return replace(decision, why="the blueprint never comes there with this hand")
    read = strategy.read_as(table, decision.action)
    assert read is not None
    choice, best = resolved.actions.index(read), int(evs.argmax())
    error = _error(evs, mix, table.stakes.blinds[1])
    cost = float(evs[best] - evs[choice])
    lost = 0.0 if mix[choice] >= PLAYED or cost <= error else cost
    names = [action_text(table, action) for action in resolved.actions]
    return replace(
        decision,
        actions=tuple(JudgedAction(*row) for row in zip(names, mix.tolist(), evs.tolist(), strict=True)),
        best=names[best],
        lost=lost,
        error=error,
        quality=quality_of(choice == best, lost, decision.pot),
        why=_why(names, (choice, best), (evs.tolist(), mix.tolist()), table.stakes.blinds[1]),
        how=f"blueprint for {strategy.blueprint.depth:g} bb{f', {resolved.note}' if resolved.note else ''}",
    )


def _error(evs: np.ndarray[tuple[int], np.dtype[np.float64]], mix: np.ndarray[tuple[int], np.dtype[np.float64]],
           big_blind: int) -> float:  # fmt: skip
    """How far apart the EVs of actions are that the strategy mixes, which in an equilibrium are equal."""
    played = evs[mix >= PLAYED]
    return max(LEAST_ERROR * big_blind, float(evs.max() - played.min()) if len(played) else 0.0)


def quality_of(is_best: bool, lost: float, pot: float) -> MoveQuality:
    """The quality of an action: the best one, too close to it, a mistake or a blunder."""
    if is_best:
        return MoveQuality.BEST
    if not lost:
        return MoveQuality.CLOSE
    return MoveQuality.BLUNDER if lost >= BLUNDER / 100 * pot else MoveQuality.MISTAKE


def _why(names: list[str], places: tuple[int, int], values: tuple[list[float], list[float]], big_blind: int) -> str:
    """One sentence: what the two actions are worth, and what the strategy does."""
    (choice, best), (evs, mix) = places, values
    most = max(range(len(mix)), key=mix.__getitem__)
    worths = [_worth(names[place], evs[place], big_blind) for place in dict.fromkeys((best, choice))]
    return f"{', '.join(worths)}; the blueprint takes '{names[most]}' {mix[most]:.0%} of the time"


def _worth(name: str, ev: float, big_blind: int) -> str:
    return "folding is worth 0" if name == "fold" else f"'{name}' is worth {blinds_text(ev, big_blind)}"
