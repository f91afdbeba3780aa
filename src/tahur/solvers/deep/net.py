"""Trainable nets: the towers of `core/towers.py` in PyTorch, their gradients, and Adam.

PyTorch is imported when a net is first created: reading configs, playing and evaluating work without it. The gradients
are written by hand: nets this small would spend most of their time in the bookkeeping of automatic differentiation,
which the tests compare them with. All parameters are one vector, and so is all the state of Adam.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tahur.core.errors import missing_extra
from tahur.core.towers import PARTS, SLOTS, Towers

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

    def thaw(self, towers: Towers) -> None:
        """Load the parameters of a net."""
        for name, part in self.parts.items():
            part.copy_(tensor(towers.parts[name]))

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
    sizes = {"cards": (inputs[0], width, width, width), "bets": (inputs[1], width, width, SLOTS * (width + 1))}
    shapes: dict[str, tuple[int, ...]] = {}
    for name in PARTS:
        tower, layer, part = name.split(".")
        into, out = sizes[tower][int(layer)], sizes[tower][int(layer) + 1]
        shapes[name] = (out, into) if part == "weight" else (out,)
    return shapes


def _views(vector: Any, shapes: dict[str, tuple[int, ...]]) -> dict[str, Any]:
    views, start = {}, 0
    for name, shape in shapes.items():
        size = int(np.prod(shape))
        views[name] = vector[start : start + size].view(shape)
        start += size
    return views
