"""A mind at the table: evaluates dudo, calza and bids in the current situation, plays the best, and can explain it.

It remembers every opponent as long as it lives. In the arena that is one block of matches, so that results do not
depend on which process played which block; `tahur play` replays a resumed session's rounds to its minds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from tahur.core.game import Game
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.games.perudo.bids import CALZA, DUDO, count_of, face_of
from tahur.games.perudo.game import Perudo
from tahur.players.perudo.memory import Memory, name_of, speakers_of
from tahur.players.perudo.personalities import Personality, boring
from tahur.players.perudo.situation import PerudoSituation, situation_of
from tahur.players.perudo.tactics import candidates, is_boring
from tahur.players.perudo.utility import MindOption, Tactic, best_bid, calza_utility, dudo_utility, opponent_term

DRAWS: Final = 32  # random numbers that a decision takes from its stream, more than it can use
CALLS: Final = {DUDO: "Dudo", CALZA: "Calza"}
CALL_LINE: Final = " | %s utility: %.1f (p=%.2f)"
BID_LINE: Final = " | Best bid: %dx%d utility: %.1f (p=%.2f, %s)"
CHOSE: Final = {DUDO: " | Chose: DUDO", CALZA: " | Chose: CALZA"}
TACTICS: Final = {tactic: tactic.value for tactic in Tactic}


class PerudoMind:
    """A player with a personality: `PerudoMind(Personality("Nervous", dudo=0.5))`."""

    def __init__(self, personality: Personality, memory: Memory | None = None) -> None:
        self.personality = personality
        self.memory = Memory() if memory is None else memory
        self.aloud = True  # False: thoughts are not recorded, so they are not written

    def plays(self, game: Game[Any]) -> bool:
        return isinstance(game, Perudo)

    def why_not(self, game: Game[Any]) -> str:
        """Why it cannot play that game, as a sentence."""
        return f"is a mind for Perudo and does not play {game.name}; those for hold'em: tahur persona list"

    def begin(self, view: View, rng: np.random.Generator) -> None:
        self.memory.round_start()

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        """Choose the option with the highest score, by this mind's personality."""
        situation = situation_of(view)
        self._record_bids(view)
        options = self.options(view, situation, rng)
        best = options[0]  # in case of ties: dudo, calza, then the bid
        for option in options:
            if option[1] > best[1]:
                best = option
        words = thought(self.personality, view, situation, options, best) if self.aloud else ""
        return Decision(best.action, words)

    def learn(self, seen: Seen) -> None:
        self.memory.learn(seen)

    def options(self, view: View, situation: PerudoSituation, rng: np.random.Generator) -> list[MindOption]:
        """What it chooses between: dudo, calza, and the best of the candidate bids."""
        mind = boring(self.personality) if is_boring(situation) else self.personality
        draw = rng.random(DRAWS).tolist().pop
        options: list[MindOption] = []
        if situation.standing is not None:
            failure, known = situation.failure, self._memory_of_bidder(mind, view, situation)
            options.append(MindOption(DUDO, dudo_utility(mind, situation, failure, known, draw()), failure))
            if situation.may_calza:
                exact = situation.exact
                options.append(MindOption(CALZA, calza_utility(mind, situation, exact, draw()), exact))
        best = best_bid(mind, situation, candidates(mind, situation, draw), draw)
        if best is not None:
            options.append(best)
        return options

    def _memory_of_bidder(self, mind: Personality, view: View, situation: PerudoSituation) -> float:
        """What its memory says against the bidder of the standing bid."""
        assert situation.bidder is not None
        opponent = self.memory.of(name_of(view.names, situation.bidder))
        return opponent_term(mind, opponent, situation.face, opening=len(view.table.history) == 1)

    def _record_bids(self, view: View) -> None:
        """Record this round's bids except the standing one, which is judged by the bids before it."""
        table = view.table
        round_ = table.round
        speakers = speakers_of(view.names, round_.order, view.seat)
        self.memory.hear(speakers, table.history[:-1], wild=not round_.palifico)


def thought(
    mind: Personality, view: View, situation: PerudoSituation, options: Sequence[MindOption], chosen: MindOption
) -> str:
    """The evaluation in one line: `[Shark] | Bid: 5x6 by Ana | Dudo utility: 1.8 (p=0.49) | ... | Chose: BID`."""
    line = f"[{mind.name}]"
    bidder = situation.bidder
    if bidder is not None:
        line += f" | Bid: {situation.count}x{situation.face} by {view.names[bidder] if view.names else bidder}"
    for action, utility, probability, tactic in options:
        if tactic is None:
            line += CALL_LINE % (CALLS[action], utility, probability)
        else:
            line += BID_LINE % (count_of(action), face_of(action), utility, probability, TACTICS[tactic])
    return line + CHOSE.get(chosen.action, " | Chose: BID")
