"""Trainable nets: the towers of `core/towers.py` in PyTorch, their gradients, Adam, and the fitting to samples.

PyTorch is imported when a net is first created: reading configs, playing and evaluating work without it. The gradients
are written by hand: nets this small would spend most of their time in the bookkeeping of automatic differentiation,
which the tests compare them with. All parameters are one vector, and so is all the state of Adam.

A sample is one hand at one decision, with three regrets of which only legal ones count. With few decisions the net is
evaluated at all of them for every card row at once, which is one matrix product, and outputs that are not needed have
weight 0. With thousands of decisions only the needed outputs are computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from math import sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Bytes, Float32s
from tahur.core.errors import missing_extra
from tahur.core.towers import PARTS, SLOTS, Towers
from tahur.solvers.deep.game import TrainingGame
from tahur.solvers.deep.traversal import Samples

MEAN, SQUARE = 0.9, 0.999  # Adam's decay rates


def torch() -> Any:
    """PyTorch, or an error that says how to install it."""
    try:
        import torch as library
    except ImportError:
        raise missing_extra("training needs PyTorch (playing and measuring do not)", "train") from None
    return library


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Use this many PyTorch threads inside, without automatic gradients; 0 leaves the threads unchanged."""
    library = torch()
    before = library.get_num_threads()
    library.set_num_threads(count or before)
    try:
        with library.no_grad():
            yield
    finally:
        library.set_num_threads(before)


def tensor(array: NDArray[Any]) -> Any:
    return torch().from_numpy(np.ascontiguousarray(array))


def quick_times(rows: NDArray[Any], weight: NDArray[Any]) -> NDArray[Any]:
    """`core.towers.times` by PyTorch."""
    product: NDArray[Any] = torch().mm(tensor(rows), tensor(weight).t()).numpy()
    return product


def rate(step: int, steps: int, first: float, last: float) -> float:
    """The learning rate of a step, falling linearly from `first` to `last` times it."""
    return first * (1 - (1 - last) * step / max(steps - 1, 1))


class Learner:
    """A trainable net. `parts` are views into one vector, `slopes` into that of the gradients."""

    def __init__(self, inputs: tuple[int, int], width: int, seed: tuple[int, ...]) -> None:
        """A new net; the same seed gives the same parameters."""
        shapes = _shapes(inputs, width)
        size = sum(int(np.prod(shape)) for shape in shapes.values())
        library = torch()
        self.width = width
        self.steps = 0
        self._all, self._gradient, self._mean, self._square = (library.zeros(size) for _ in range(4))
        self.parts, self.slopes = _views(self._all, shapes), _views(self._gradient, shapes)
        state = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
        generator = library.Generator().manual_seed(int(state >> np.uint64(1)))
        for name, part in self.parts.items():
            into = shapes[name.rpartition(".")[0] + ".weight"][1]
            part.uniform_(-1 / sqrt(into), 1 / sqrt(into), generator=generator)

    def twin(self) -> Learner:
        """The same net with separate gradients: two can learn from two halves of a batch at once."""
        other = copy(self)
        other._gradient = torch().zeros_like(self._gradient)
        other.slopes = _views(other._gradient, {name: tuple(part.shape) for name, part in self.parts.items()})
        return other

    def join(self, twin: Learner) -> None:
        """Take the mean of both gradients."""
        self._gradient.add_(twin._gradient).mul_(0.5)

    def freeze(self) -> Towers:
        """The current net as a value."""
        return Towers({name: part.numpy().copy() for name, part in self.parts.items()}, quick_times)

    def up(self, tower: str, rows: Any) -> list[Any]:
        """A forward pass of a tower: the input rows, two hidden layers, and the output."""
        library, layers = torch(), [rows]
        for layer in range(3):
            weight, bias = self.parts[f"{tower}.{layer}.weight"], self.parts[f"{tower}.{layer}.bias"]
            top = library.addmm(bias, layers[-1], weight.t())
            layers.append(top.relu_() if layer < 2 else top)
        return layers

    def down(self, tower: str, layers: list[Any], slope: Any) -> None:
        """A backward pass of a tower, from the gradient of its output."""
        library = torch()
        for layer in (2, 1, 0):
            library.mm(slope.t(), layers[layer], out=self.slopes[f"{tower}.{layer}.weight"])
            library.sum(slope, 0, out=self.slopes[f"{tower}.{layer}.bias"])
            if layer:
                slope = library.mm(slope, self.parts[f"{tower}.{layer}.weight"])
                slope.mul_(layers[layer] > 0)

    def answers(self, cards: Any, bets: Any) -> tuple[Any, list[Any], list[Any]]:
        """(n, 3 x decisions): the outputs for every hand at every decision; and the forward passes of both towers."""
        hands, lines = self.up("cards", cards), self.up("bets", bets)
        top = lines[-1].view(-1, self.width + 1)
        return torch().addmm(top[:, -1], hands[-1], top[:, :-1].t()), hands, lines

    def learn(self, slope: Any, hands: list[Any], lines: list[Any]) -> None:
        """The gradients of all parameters, from those of the outputs."""
        library = torch()
        top = lines[-1].view(-1, self.width + 1)
        above = library.empty_like(top)
        above[:, :-1] = library.mm(slope.t(), hands[-1])
        above[:, -1] = slope.sum(0)
        self.down("cards", hands, library.mm(slope, top[:, :-1]))
        self.down("bets", lines, above.view(-1, SLOTS * (self.width + 1)))

    def step(self, learning_rate: float, clip: float) -> None:
        """One step of Adam (Kingma and Ba, 2015) down the gradient, clipped to the norm `clip`."""
        length = float(self._gradient.norm())
        if length > clip:
            self._gradient.mul_(clip / length)
        self.steps += 1
        self._mean.mul_(MEAN).add_(self._gradient, alpha=1 - MEAN)
        self._square.mul_(SQUARE).addcmul_(self._gradient, self._gradient, value=1 - SQUARE)
        wide = (self._square / (1 - SQUARE**self.steps)).sqrt_().add_(1e-8)
        self._all.addcdiv_(self._mean, wide, value=-learning_rate / (1 - MEAN**self.steps))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All parameters and optimiser state."""
        steps = np.array([self.steps], np.int64)
        kept = {"all": self._all, "mean": self._mean, "square": self._square}
        return {"steps": steps, **{name: part.numpy().copy() for name, part in kept.items()}}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        self.steps = int(arrays["steps"][0])
        for part, name in ((self._all, "all"), (self._mean, "mean"), (self._square, "square")):
            part.copy_(tensor(arrays[name]))


def masked_slope(answers: Any, target: Any, weight: Any) -> tuple[float, Any]:
    """The weighted mean of squared errors over the rows, and its gradient.

    Slots of weight 0 are not fitted: the value of an illegal action is undefined.
    """
    error = answers - target
    slope = error * weight
    loss = float((slope * error).sum()) / len(answers)
    return loss, slope.mul_(2 / len(answers))


def _shapes(inputs: tuple[int, int], width: int) -> dict[str, tuple[int, ...]]:
    """The shape of each parameter of both towers."""
    sizes = {"cards": (inputs[0], width, width, width), "bets": (inputs[1], width, width, SLOTS * (width + 1))}
    shapes: dict[str, tuple[int, ...]] = {}
    for name in PARTS:
        tower, layer, part = name.split(".")
        into, out = sizes[tower][int(layer)], sizes[tower][int(layer) + 1]
        shapes[name] = (out, into) if part == "weight" else (out,)
    return shapes


def _views(vector: Any, shapes: dict[str, tuple[int, ...]]) -> dict[str, Any]:
    """Views of one vector as the parameters, in order."""
    views, start = {}, 0
    for name, shape in shapes.items():
        size = int(np.prod(shape))
        views[name] = vector[start : start + size].view(shape)
        start += size
    return views


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
        indices = self.place[batch.decisions]
        fit = self._all if self.dense else self._step_on_batch
        return fit(cards, indices, target, weight.astype(np.float32))

    def _all(self, cards: Any, indices: NDArray[np.int64], target: Float32s, weight: Float32s) -> float:
        answers, hands, lines = self.learner.answers(cards, self.bets)
        columns = tensor(indices[:, None] * SLOTS + np.arange(SLOTS))
        loss, slope = masked_slope(answers.gather(1, columns), tensor(target), tensor(weight))
        self.learner.learn(torch().zeros_like(answers).scatter_(1, columns, slope), hands, lines)
        return loss

    def _step_on_batch(self, cards: Any, indices: NDArray[np.int64], target: Float32s, weight: Float32s) -> float:
        """As `_all`, but evaluates the betting tower only for the decisions of the batch."""
        library, learner = torch(), self.learner
        distinct, at = np.unique(indices, return_inverse=True)
        where = tensor(at)
        hands, lines = learner.up("cards", cards), learner.up("bets", self.bets.index_select(0, tensor(distinct)))
        top = lines[-1].view(len(distinct), SLOTS, learner.width + 1)
        chosen = top.index_select(0, where)
        answers = library.bmm(chosen[:, :, :-1], hands[-1].unsqueeze(2)).squeeze(2) + chosen[:, :, -1]
        loss, slope = masked_slope(answers, tensor(target), tensor(weight))
        above = library.zeros_like(top)
        ones = library.ones(len(indices), 1)
        above.index_add_(0, where, slope.unsqueeze(2) * library.cat([hands[-1], ones], 1).unsqueeze(1))
        learner.down("cards", hands, library.bmm(slope.unsqueeze(1), chosen[:, :, :-1]).squeeze(1))
        learner.down("bets", lines, above.view(len(distinct), -1))
        return loss


class PooledFitter:
    """For games with so few hands that samples of the same hand at the same decision can be merged first.

    The gradient is the same as that over the whole memory, which is then one small batch.
    """

    def __init__(self, game: TrainingGame, role: int, learner: Learner, memory: Samples) -> None:
        """Merge the samples of the same hand at the same decision into one target, the mean weighted by iteration."""
        mine = game.betting.decisions_of(role)
        self.learner, self.bets = learner, tensor(game.betting_rows[mine])
        codes, rows = _distinct_card_rows(game, memory, role)
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
    indices = np.full(game.betting.decisions, -1)
    indices[mine] = np.arange(len(mine))
    return indices


def _distinct_card_rows(game: TrainingGame, memory: Samples, role: int) -> tuple[NDArray[np.int64], Float32s]:
    """The index of each sample's card row, and all distinct rows."""
    betting, hands = game.betting, game.hands or 0
    streets = betting.street[memory.decisions]
    codes, rows = np.zeros(len(memory), np.int64), []
    for street in range(betting.streets):
        ours = street * hands + game.hand_numbers(memory.deals, role, street)
        codes = np.where(streets == street, ours, codes)
        rows.append(game.numbered_rows(street))
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
