"""Fitting a net to samples: each is one hand at one decision, with three regrets of which only legal ones count.

With few decisions the net is evaluated at all of them for every card row at once, which is one matrix product, and
outputs that are not needed have weight 0. With thousands of decisions only the needed outputs are computed.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Bytes, Float32s
from tahur.core.towers import SLOTS
from tahur.solvers.deep.game import TrainingGame
from tahur.solvers.deep.memory import Samples
from tahur.solvers.deep.net import Learner, masked_slope, tensor, torch

DENSE: Final = 256  # decisions of a role up to which all outputs are computed


class Fitter:
    """One role's net of one game, fitted to batches that are drawn from its memory."""

    def __init__(self, game: TrainingGame, role: int, learner: Learner, memory: Samples, batch_size: int) -> None:
        self.game, self.role, self.learner, self.memory = game, role, learner, memory
        self.batch_size = min(batch_size, len(memory))
        mine = game.betting.decisions_of(role)
        self.place = _places(game, mine)
        self.bets = tensor(game.betting_rows[mine])
        self.dense = len(mine) <= DENSE
        self.latest = np.float32(memory.iterations.max())

    def step(self, rng: np.random.Generator) -> float:
        """The gradient of one batch; later iterations weigh more. The loss is in squares of the game's typical
        stake."""
        batch = self.memory.at(rng.integers(len(self.memory), size=self.batch_size))
        cards = tensor(card_rows(self.game, batch.deals, batch.decisions, self.role))
        target = batch.regrets / np.float32(self.game.scale)
        weight = loss_weights(self.game.betting.legal, batch.decisions) * (batch.iterations[:, None] / self.latest)
        places = self.place[batch.decisions]
        fit = self._all if self.dense else self._asked
        return fit(cards, places, target, weight.astype(np.float32))

    def _all(self, cards: Any, places: NDArray[np.int64], target: Float32s, weight: Float32s) -> float:
        answers, hands, lines = self.learner.answers(cards, self.bets)
        columns = tensor(places[:, None] * SLOTS + np.arange(SLOTS))
        loss, some = masked_slope(answers.gather(1, columns), tensor(target), tensor(weight))
        self.learner.learn(torch().zeros_like(answers).scatter_(1, columns, some), hands, lines)
        return loss

    def _asked(self, cards: Any, places: NDArray[np.int64], target: Float32s, weight: Float32s) -> float:
        library, learner = torch(), self.learner
        asked, at = np.unique(places, return_inverse=True)
        where = tensor(at)
        hands, lines = learner.up("cards", cards), learner.up("bets", self.bets.index_select(0, tensor(asked)))
        top = lines[-1].view(len(asked), SLOTS, learner.width + 1)
        chosen = top.index_select(0, where)
        answers = library.bmm(chosen[:, :, :-1], hands[-1].unsqueeze(2)).squeeze(2) + chosen[:, :, -1]
        loss, slope = masked_slope(answers, tensor(target), tensor(weight))
        above = library.zeros_like(top)
        ones = library.ones(len(places), 1)
        above.index_add_(0, where, slope.unsqueeze(2) * library.cat([hands[-1], ones], 1).unsqueeze(1))
        learner.down("cards", hands, library.bmm(slope.unsqueeze(1), chosen[:, :, :-1]).squeeze(1))
        learner.down("bets", lines, above.view(len(asked), -1))
        return loss


class PooledFitter:
    """For games with so few hands that samples of the same hand at the same decision can be merged first.

    The gradient is the same as that over the whole memory, which is then one small batch.
    """

    def __init__(self, game: TrainingGame, role: int, learner: Learner, memory: Samples) -> None:
        mine = game.betting.decisions_of(role)
        self.learner, self.bets = learner, tensor(game.betting_rows[mine])
        codes, rows = _coded(game, memory, role)
        cells = codes * len(mine) + _places(game, mine)[memory.decisions]  # a hand at a decision
        count = len(rows) * len(mine)
        weight = np.bincount(cells, memory.iterations, count)
        sums = np.stack([np.bincount(cells, memory.iterations * memory.regrets[:, at], count) for at in range(SLOTS)])
        target = np.where(weight > 0, sums / np.where(weight > 0, weight, 1), 0).T / game.scale
        weights = weight.reshape(len(rows), -1, 1) * loss_weights(game.betting.legal, mine)
        self.rows = tensor(rows)
        self.target = tensor(target.reshape(len(rows), -1).astype(np.float32))
        share = weights / weights.sum() * len(rows)  # so that the mean over rows equals the mean over samples
        self.weight = tensor(share.reshape(len(rows), -1).astype(np.float32))

    def step(self, rng: np.random.Generator) -> float:
        """The gradient of the whole memory; the loss is that of the means, without sampling noise."""
        answers, hands, lines = self.learner.answers(self.rows, self.bets)
        loss, slope = masked_slope(answers, self.target, self.weight)
        self.learner.learn(slope, hands, lines)
        return loss


def fitter_of(
    game: TrainingGame, role: int, learner: Learner, memory: Samples, batch_size: int
) -> Fitter | PooledFitter:
    """The fitter for a net of this game."""
    if game.hands is None:
        return Fitter(game=game, role=role, learner=learner, memory=memory, batch_size=batch_size)
    return PooledFitter(game, role, learner, memory)


def _places(game: TrainingGame, mine: NDArray[np.int64]) -> NDArray[np.int64]:
    """(decisions,) the index of each among those of one role, -1 for the other's."""
    places = np.full(game.betting.decisions, -1)
    places[mine] = np.arange(len(mine))
    return places


def _coded(game: TrainingGame, memory: Samples, role: int) -> tuple[NDArray[np.int64], Float32s]:
    """The index of each sample's card row, and all distinct rows."""
    betting, hands = game.betting, game.hands or 0
    streets = betting.street[memory.decisions]
    codes, rows = np.zeros(len(memory), np.int64), []
    for street in range(betting.streets):
        ours = street * hands + game.codes(memory.deals, role, street)
        codes = np.where(streets == street, ours, codes)
        rows.append(game.code_rows(street))
    return codes, np.concatenate(rows)


def loss_weights(legal: NDArray[np.bool_], decisions: NDArray[Any]) -> Float32s:
    """1 for the slots that are fitted, which are the legal ones; 0 for the others."""
    weights: Float32s = legal[decisions].astype(np.float32)
    return weights


def card_rows(game: TrainingGame, deals: Bytes, decisions: NDArray[np.int32], role: int) -> Float32s:
    """The cards that the role sees at each of these decisions."""
    streets = game.betting.street[decisions]
    rows = np.empty((len(deals), game.encoder.card_width), np.float32)
    for street in range(game.betting.streets):
        here = np.flatnonzero(streets == street)
        if len(here):
            rows[here] = game.rows(deals[here], role, street)
    return rows
