"""A round restricted to some actions of each hand, in sequence form (Koller, Megiddo and von Stengel 1994).

A *sequence* is a hand and all actions of its seat so far, and a plan gives each the probability that the seat plays it,
if the other lets it; sequence 0 is empty. At a decision the probabilities of the continuations add up to that of the
sequence before it. The payoff of a round is then a sum over pairs of sequences, one of each seat. All hands of a seat
begin with the same sequence 0, so their payoffs there are summed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from tahur.core.arrays import Flags, Float64s, Int64s
from tahur.games.perudo.ladder import Ladder
from tahur.games.perudo.table import prior
from tahur.solvers.linear import MatrixEntries
from tahur.solvers.perudo.stakes import RoundStakes

ABSENT: Final = -1  # the sequence of a hand that does not get here
SHARE: Final = 0.05  # probability from which a hand's actions are allowed where none is allowed yet


class HandDecision(NamedTuple):
    """A decision of one hand: the index of its first row, the number of rows, and the sequences around it."""

    first: int
    rows: int
    before: int
    after: list[int]


@dataclass(slots=True)
class Sequences:
    """One seat's sequences, in the order of the walk; `indices` are those of their last actions on the ladder."""

    indices: list[int] = field(default_factory=lambda: [0])
    hands: list[int] = field(default_factory=lambda: [0])
    decisions: list[HandDecision] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.indices)

    def decide(self, before: int, hand: int, rows: Int64s, chosen: Int64s) -> list[int]:
        """Enter a decision with the indices of all its rows and the chosen rows; returns the sequences after it."""
        after = list(range(len(self), len(self) + len(chosen)))
        self.indices += rows[chosen].tolist()
        self.hands += [hand] * len(chosen)
        self.decisions.append(HandDecision(int(rows[0]), len(rows), before, after))
        return after

    def rules(self) -> tuple[MatrixEntries, Float64s]:
        """The constraints of every plan: a row for sequence 0, which is certain, and one for each decision; and their
        values."""
        entries = [(0, 0, 1.0)]
        for row, decision in enumerate(self.decisions, start=1):
            entries += [(row, decision.before, -1.0), *((row, after, 1.0) for after in decision.after)]
        rows, columns, values = (np.array(column) for column in zip(*entries, strict=True))
        return MatrixEntries(rows, columns, values.astype(float)), np.eye(1, len(self.decisions) + 1)[0]


@dataclass(frozen=True, slots=True)
class RestrictedRound:
    """The restricted round: sequences of the opener and of the other, and the opener's payoff for each pair."""

    sequences: tuple[Sequences, Sequences]
    pays: MatrixEntries

    def pays_to(self, seat: int) -> MatrixEntries:
        """The payoff of each pair to a seat: a row for each of the other's sequences, a column for each of its own."""
        return self.pays.transposed() if seat == 0 else self.pays.shifted(times=-1.0)


def restricted_round(
    ladder: Ladder, dice: tuple[int, int], stakes: RoundStakes, allowed: Flags, usual: Float64s
) -> RestrictedRound:
    """The round with the allowed actions. A hand without an allowed action somewhere is allowed its usual ones there.

    `allowed` and `usual` are in the ladder's layout; newly allowed actions are marked in `allowed`.
    """
    maker = _Maker(
        ladder=ladder,
        priors=(prior(dice[0]), prior(dice[1])),
        pays=stakes.table(0, float),
        allowed=allowed,
        usual=usual,
    )
    start = tuple(np.zeros(hands, np.int64) for hands in ladder.hands)  # all hands begin with sequence 0
    maker.walk(depth=0, rung=0, block=0, at=start)
    rows, columns, values = (np.concatenate(part) for part in zip(*maker.paid, strict=True))
    return RestrictedRound(maker.sequences, MatrixEntries.summed(rows, columns, values))


@dataclass(slots=True)
class _Maker:
    """Walks the ladder depth first and collects the sequences and the payoffs of a restricted round."""

    ladder: Ladder
    priors: tuple[Float64s, Float64s]
    pays: Float64s  # [caller][call][met, not met], flat: `RoundStakes.table`
    allowed: Flags
    usual: Float64s
    sequences: tuple[Sequences, Sequences] = field(default_factory=lambda: (Sequences(), Sequences()))
    paid: list[tuple[Int64s, Int64s, Float64s]] = field(default_factory=list)  # the seats' sequences, the payoff

    def walk(self, depth: int, rung: int, block: int, at: tuple[Int64s, ...]) -> None:
        """Everything from a decision on; `block` is the index of its first action on the ladder.

        `at`: for each seat, the sequence of each of its hands, `ABSENT` for hands that do not get here.
        """
        ladder, seat = self.ladder, depth % 2
        calls = int(ladder.calls[rung])
        for action, sequences in enumerate(self._decide(seat, ladder.rows(rung), block, at[seat])):
            if (sequences == ABSENT).all():
                continue
            now = (sequences, at[1]) if seat == 0 else (at[0], sequences)
            if action < calls:
                self._pay(seat, action, rung % ladder.states, now)
                continue
            raised = ladder.raises(rung)[action - calls]
            state = int(ladder.children[raised])
            child = (depth + 1) * ladder.states + state
            if ladder.rows(child):
                self.walk(depth + 1, child, block + int(ladder.shifts[raised]), now)
            else:
                self._pay(1 - seat, 0, state, now)

    def _decide(self, seat: int, rows: int, block: int, before: Int64s) -> Int64s:
        """The sequences that each action (row) leads each hand (column) to."""
        hands = len(before)
        after = np.full((rows, hands), ABSENT)
        for hand in np.flatnonzero(before != ABSENT).tolist():
            indices = block + np.arange(rows) * hands + hand
            if not self.allowed[indices].any():
                usual = self.usual[indices]
                self.allowed[indices] = usual >= SHARE * usual.sum()
            actions = np.flatnonzero(self.allowed[indices])
            after[actions, hand] = self.sequences[seat].decide(int(before[hand]), hand, indices, actions)
        return after

    def _pay(self, caller: int, call: int, state: int, at: tuple[Int64s, ...]) -> None:
        """A call ends the round: add its payoff, times the probability of the deal, for each pair of hands here.

        `call` is 0 for dudo and 1 for calza, `state` that of the bid that is called; `at` as in `walk`.
        """
        mine, yours = (np.flatnonzero(sequences != ABSENT) for sequences in at)
        matches = self.ladder.matches
        dice = matches[0][state][mine][:, None] + matches[1][state][yours]
        needed = self.ladder.needed[state]
        met = dice >= needed if call == 0 else dice == needed
        if_met, if_not = self.pays[4 * caller + 2 * call : 4 * caller + 2 * call + 2]
        chances = np.outer(self.priors[0][mine], self.priors[1][yours])
        pairs = np.broadcast_arrays(at[0][mine][:, None], at[1][yours])
        self.paid.append((pairs[0].ravel(), pairs[1].ravel(), (np.where(met, if_met, if_not) * chances).ravel()))
