"""Exact one-step lookahead: the expected change in dice of each legal action if it is called at once.

Dudo and calza are calls themselves. A bid is assumed to be doubted by the next seat: whether it would be is a question
about that seat, not about dice. `chances` assumes that unknown dice are fair, as a table of odds does; the mind that
plays by odds also uses the bids of others, or it would doubt too many true bids.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Float64s
from tahur.core.game import Action, Game
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.games.perudo.bids import DUDO, FACES, FIRST_BID, action_text, chance_of, count_of, face_of
from tahur.games.perudo.game import Perudo
from tahur.games.perudo.table import PerudoTable, hands_of, matching_of, prior
from tahur.players.perudo.odds import at_least, exactly
from tahur.players.perudo.situation import matches_of

Estimate = Callable[[View, Action], tuple[float, float]]  # the probabilities that a bid is met, and met exactly


@dataclass(frozen=True, slots=True)
class Prospect:
    """A legal action. `true` and `exact` are the probabilities that the relevant bid is met and met exactly.

    The relevant bid is the standing one for dudo and calza, else the one that is made. `dice` is the expected change in
    the player's own dice.
    """

    action: Action
    true: float
    exact: float
    dice: float


def prospects(view: View) -> list[Prospect]:
    """Every legal action, in the order of the rules."""
    return [prospect(view, action) for action in view.table.actions()]


def prospect(view: View, action: Action, estimate: Estimate | None = None) -> Prospect:
    """The value of one legal action; with fair dice unless another `estimate` is given."""
    table: PerudoTable = view.table
    estimated = estimate or chances
    if action >= FIRST_BID:
        true, exact = estimated(view, action)
        return Prospect(action, true, exact, bid_change(true))
    assert table.standing is not None
    true, exact = estimated(view, table.standing)
    if action == DUDO:
        return Prospect(action, true, exact, dudo_change(true))
    full = table.cups[view.seat] == table.round.rules.dice
    return Prospect(action, true, exact, calza_change(exact, full=full))


def bid_change(true: float) -> float:
    """A doubted bid loses a die if it is false."""
    return true - 1


def dudo_change(true: float) -> float:
    """A dudo loses a die if the bid is true."""
    return -true


def calza_change(exact: float, *, full: bool) -> float:
    """A calza wins a die if the bid is exactly right and the cup has room for it, and loses one if it is wrong."""
    return (0.0 if full else exact) - (1 - exact)


def chances(view: View, bid: Action) -> tuple[float, float]:
    """The probabilities that a bid is met, and met exactly, given the own dice and fair dice elsewhere."""
    assert view.hand is not None
    table: PerudoTable = view.table
    count, face, wild = count_of(bid), face_of(bid), table.wild
    unknown = table.round.total - table.cups[view.seat]
    needed = count - matches_of(view.hand, wild)[face]
    chance = chance_of(face, wild=wild)
    return at_least(needed, unknown, chance), exactly(needed, unknown, chance)


def best(view: View, estimate: Estimate | None = None) -> Prospect:
    """The action with the best expectation, the first one in the order of the rules if several are equal.

    On a face the lowest bid is the likeliest, so no other is examined.
    """
    table: PerudoTable = view.table
    calls = [action for action in table.actions()[:2] if action < FIRST_BID]  # dudo and calza come first
    lows = [low for face in FACES if (low := table.lowest(face)) is not None]
    lows.sort(key=table.actions().index)
    return max((prospect(view, action, estimate) for action in (*calls, *lows)), key=_dice)


def best_heard(view: View) -> Prospect:
    """The same, but with the information in the bids of others."""
    return best(view, heard_chances)


class OddsMind:
    """Plays the action with the best expectation given the bids it hears; remembers nothing after the round."""

    learns = False

    def plays(self, game: Game[Any]) -> bool:
        return isinstance(game, Perudo)

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Does nothing."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        chosen = best_heard(view)
        return Decision(chosen.action, thought(chosen))

    def learn(self, seen: Seen) -> None:
        """Does nothing."""

    def probabilities(self, view: View) -> Mapping[Action, float]:
        return {best_heard(view).action: 1.0}


def thought(chosen: Prospect) -> str:
    """`[Odds] 3 fives: true 0.62, exact 0.21, -0.38 dice`."""
    choice = action_text(chosen.action)
    return f"[Odds] {choice}: true {chosen.true:.2f}, exact {chosen.exact:.2f}, {chosen.dice:+.2f} dice"


def _dice(prospect: Prospect) -> float:
    return prospect.dice


def heard_chances(view: View, bid: Action) -> tuple[float, float]:
    """The probabilities that a bid is met, and met exactly, given the own dice and the others' bids.

    The likelihood of a bid given its bidder's hand is taken to be the probability that the bid is true given that
    hand: of two hands, the one that makes the bid twice as likely true becomes twice as likely. Each bid of the
    round reweights the hands of its bidder this way; everything after that is exact, without sampling or
    parameters. Bluffers are believed too much.
    """
    assert view.hand is not None
    table: PerudoTable = view.table
    face, wild, total = face_of(bid), table.wild, table.round.total
    needed = count_of(bid) - matches_of(view.hand, wild)[face]
    counts = np.ones(1)
    for turn, seat in enumerate(table.round.order):
        if seat != view.seat:
            bids = table.history[turn :: len(table.round.order)]
            counts = np.convolve(counts, matches_heard(table.cups[seat], bids, total, face, wild))
    exact = float(counts[needed]) if 0 <= needed < len(counts) else 0.0
    return float(counts[max(needed, 0) :].sum()), exact


@lru_cache(maxsize=2**14)
def matches_heard(dice: int, bids: tuple[Action, ...], total: int, face: int, wild: bool) -> Float64s:
    """The probabilities that 0, 1, ... dice of a seat that made these bids count for a face."""
    matches = _matches(dice, face, wild)
    counts: Float64s = np.bincount(matches, hands_heard(dice, bids, total, wild), dice + 1).astype(np.float64)
    return counts


@lru_cache(maxsize=2**12)
def hands_heard(dice: int, bids: tuple[Action, ...], total: int, wild: bool) -> Float64s:
    """The probability of each hand of a cup whose owner made these bids, with `total` dice in play."""
    weights = prior(dice)
    for bid in bids:
        weights = weights * _supports(dice, bid, total, wild)
    if not weights.any():  # no hand is compatible with all bids: keep the prior
        return prior(dice)
    heard: Float64s = weights / weights.sum()
    return heard


@lru_cache(maxsize=2**12)
def _supports(dice: int, bid: Action, total: int, wild: bool) -> Float64s:
    """The probability that a bid is true from its bidder's view, for each hand of the bidder."""
    face, unknown = face_of(bid), total - dice
    chance = chance_of(face, wild=wild)
    by_matches = np.array([at_least(count_of(bid) - held, unknown, chance) for held in range(dice + 1)])
    supports: Float64s = by_matches[_matches(dice, face, wild)]
    return supports


@lru_cache(maxsize=256)
def _matches(dice: int, face: int, wild: bool) -> NDArray[np.int64]:
    hands = hands_of(dice)
    return np.array(list(matching_of(face, wild=wild)[hands.start : hands.stop]), np.int64)
