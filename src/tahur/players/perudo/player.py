"""A mind at the table: takes the situation in, weighs dudo, calza and bids, says the best, and can tell why.

It remembers every opponent for as long as it lives. In the arena that is a block of matches, so that results do not
depend on who played which block; `tahur play` tells a resumed session's rounds to its minds again.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from operator import attrgetter
from typing import Any, Final, NamedTuple

import numpy as np

from tahur.core.game import Action, Game
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.games.perudo.bids import CALZA, DUDO, count_of, face_of
from tahur.games.perudo.game import Perudo
from tahur.players.perudo.memory import Memory, name_of
from tahur.players.perudo.personalities import Personality, boring
from tahur.players.perudo.situation import Situation, situation_of
from tahur.players.perudo.tactics import Draw, candidates, is_boring
from tahur.players.perudo.utility import Tactic, bid_utility, calza_utility, dudo_utility, opponent_term

_utility: Final = attrgetter("utility")
DRAWS: Final = 32  # random numbers that a decision takes from its stream, more than it can need
CALLS: Final = {DUDO: "Dudo", CALZA: "Calza"}


class Option(NamedTuple):
    """Something it could say: what that is worth, and how likely it is right or true."""

    action: Action
    utility: float
    probability: float
    tactic: Tactic | None = None  # of a bid


class Mind:
    """A seat with a personality. `Mind(Personality("Nervous", dudo=0.5))` is a player like any other."""

    def __init__(self, personality: Personality, memory: Memory | None = None) -> None:
        self.personality = personality
        self.memory = Memory() if memory is None else memory
        self._round: object = None
        self._speakers: Sequence[str | None] = ()

    def plays(self, game: Game[Any]) -> bool:
        return isinstance(game, Perudo)

    def why_not(self, game: Game[Any]) -> str:
        """Why it cannot sit there, in a sentence."""
        return f"does not play {game.name}: personas play Perudo; those for hold'em are not there yet"

    def begin(self, view: View, rng: np.random.Generator) -> None:
        self.memory.round_start()

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        situation = situation_of(view)
        self._hear(view)
        options = self.options(view, situation, rng)
        best = max(options, key=_utility)  # the first of several: dudo, calza, then the bid
        return Decision(best.action, thought(self.personality, view, situation, options, best))

    def learn(self, seen: Seen) -> None:
        self.memory.learn(seen)

    def options(self, view: View, situation: Situation, rng: np.random.Generator) -> list[Option]:
        """What it chooses between: dudo, calza, and the best of all bids that come to mind."""
        mind = boring(self.personality) if is_boring(situation) else self.personality
        draw = rng.random(DRAWS).tolist().pop
        found = []
        standing = situation.standing
        if standing is not None:
            failure, known = 1 - situation.success(standing), self._known(mind, view, situation)
            found.append(Option(DUDO, dudo_utility(mind, situation, failure, known, draw()), failure))
            if situation.may_calza:
                exact = situation.exact(standing)
                found.append(Option(CALZA, calza_utility(mind, situation, exact, draw()), exact))
        best = _best_bid(mind, situation, draw)
        return found if best is None else [*found, best]

    def _known(self, mind: Personality, view: View, situation: Situation) -> float:
        """What it knows against the bidder of the standing bid."""
        assert situation.bidder is not None
        opponent = self.memory.of(name_of(view.names, situation.bidder))
        return opponent_term(mind, opponent, situation.face, opening=len(view.table.history) == 1)

    def _hear(self, view: View) -> None:
        """Everything said this round before the standing bid, which is measured against what came before it."""
        table = view.table
        if table.round is not self._round:
            self._round = table.round
            self._speakers = [None if seat == view.seat else name_of(view.names, seat) for seat in table.round.order]
        self.memory.hear(self._speakers, table.history[:-1], wild=table.wild)


def thought(mind: Personality, view: View, situation: Situation, options: Sequence[Option], chosen: Option) -> str:
    """What it weighed, in one line: `[Shark] | Bid: 5x6 by Ana | Dudo utility: 1.8 (p=0.49) | ... | Chose: BID`."""
    line = f"[{mind.name}]"
    bidder = situation.bidder
    if bidder is not None:
        line += f" | Bid: {situation.count}x{situation.face} by {view.names[bidder] if view.names else bidder}"
    for action, utility, probability, tactic in options:
        if tactic is None:
            line += f" | {CALLS[action]} utility: {utility:.1f} (p={probability:.2f})"
        else:
            line += f" | Best bid: {bid_words(action)} utility: {utility:.1f} (p={probability:.2f}, {tactic.value})"
    return f"{line} | Chose: {CALLS.get(chosen.action, 'Bid').upper()}"


def bid_words(bid: Action) -> str:
    """`5x6`: five sixes."""
    return f"{count_of(bid)}x{face_of(bid)}"


def _best_bid(mind: Personality, situation: Situation, draw: Draw) -> Option | None:
    """The first of the best ones; None where no bid is legal."""
    best, most, likely = None, -inf, 0.0
    for each in candidates(mind, situation, draw):
        success = situation.success(each.bid)
        utility = bid_utility(mind, situation, each, success, draw())
        if utility > most:
            best, most, likely = each, utility, success
    return None if best is None else Option(best.bid, most, likely, best.tactic)
