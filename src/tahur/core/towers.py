"""A trained net, in NumPy: what the seat to act would regret not having done, from its cards and from the betting.

Two towers that meet at the top: one reads the cards, one reads the betting, each two hidden layers wide, and the
answer for an action is the product of what they say. So the cards of a deal are read once for all the decisions of a
street, and the betting of a tree once for all deals. Three actions always: fold, check or call, bet or raise; those
that are not legal are left out by whoever asks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Flags, Float32s
from tahur.core.errors import StrategyError

FOLD, CALL, RAISE = range(3)
SLOTS: Final = 3
LAYERS: Final = ("cards.0", "cards.1", "cards.2", "bets.0", "bets.1", "bets.2")
PARTS: Final = tuple(f"{layer}.{part}" for layer in LAYERS for part in ("weight", "bias"))


def times(rows: Float32s, weight: Float32s) -> Float32s:
    """rows: (n, in), weight: (out, in) -> (n, out)."""
    product: Float32s = rows @ weight.T
    return product


@dataclass(frozen=True, slots=True, eq=False)
class Towers:
    """The weights of one net, named as in its file; a layer's weight is (out, in).

    `times` multiplies matrices; a trainer may give one that is quicker than NumPy's.
    """

    parts: Mapping[str, Float32s]
    times: Callable[[Float32s, Float32s], Float32s] = times

    def __post_init__(self) -> None:
        missing = [name for name in PARTS if name not in self.parts]
        if missing:
            raise StrategyError(f"a net without {', '.join(missing)}")
        if self.parts["bets.2.bias"].shape[0] != SLOTS * (self.width + 1):
            raise StrategyError(
                f"a net whose towers do not meet: {self.parts['bets.2.bias'].shape[0]} over {self.width}"
            )

    @property
    def width(self) -> int:
        return int(self.parts["cards.2.bias"].shape[0])

    @property
    def inputs(self) -> tuple[int, int]:
        """How many numbers tell the cards and how many the betting."""
        return int(self.parts["cards.0.weight"].shape[1]), int(self.parts["bets.0.weight"].shape[1])

    def cards(self, rows: Float32s) -> Float32s:
        """(n, width), from (n, card features)."""
        return self._tower("cards", rows)

    def bets(self, rows: Float32s) -> tuple[Float32s, Float32s]:
        """(n, 3, width) and (n, 3), from (n, betting features): what the cards are multiplied with, and added to."""
        top = self._tower("bets", rows).reshape(len(rows), SLOTS, self.width + 1)
        return np.ascontiguousarray(top[:, :, :-1]), np.ascontiguousarray(top[:, :, -1])

    def hidden(self, rows: Float32s) -> Float32s:
        """(n, width): the last hidden layer of the cards, for `folded`."""
        return self._hidden("cards", rows)

    def folded(self, rows: Float32s) -> tuple[Float32s, Float32s]:
        """As `bets`, but to be multiplied with `hidden`: the cards' last layer is a sum too, and done in advance."""
        factors, added = self.bets(rows)
        weight, bias = self.parts["cards.2.weight"], self.parts["cards.2.bias"]
        return np.ascontiguousarray(factors @ weight), np.ascontiguousarray(added + factors @ bias)

    def _hidden(self, name: str, rows: Float32s) -> Float32s:
        for layer in (f"{name}.0", f"{name}.1"):
            rows = self.times(rows, self.parts[f"{layer}.weight"])
            rows += self.parts[f"{layer}.bias"]
            np.maximum(rows, 0, out=rows)
        return rows

    def _tower(self, name: str, rows: Float32s) -> Float32s:
        rows = self._hidden(name, rows)
        rows = self.times(rows, self.parts[f"{name}.2.weight"])
        rows += self.parts[f"{name}.2.bias"]
        return rows


def advantages(cards: Float32s, bets: tuple[Float32s, Float32s]) -> Float32s:
    """(n, 3), row by row: the two towers' answers for the same n decisions."""
    factors, added = bets
    product: Float32s = np.matmul(factors, cards[:, :, None])[:, :, 0]
    product += added
    return product


def policy_of(regrets: NDArray[Any], legal: Flags, *, uniform: bool = False) -> NDArray[Any]:
    """Regret matching over the last axis; where no legal action is regretted, the least bad one, or all alike."""
    positive = np.maximum(regrets, 0)
    positive *= legal
    total = positive.sum(axis=-1, keepdims=True)
    some = total > 0
    if not some.all():
        spare = fallback(regrets, legal, uniform=uniform)
        positive = np.where(some, positive, spare)
        total = np.where(some, total, spare.sum(axis=-1, keepdims=True))
    positive /= total
    return np.asarray(positive)


def fallback(regrets: NDArray[Any], legal: Flags, *, uniform: bool) -> NDArray[Any]:
    """What is played where nothing is regretted: the legal action with the highest advantage, or any legal one."""
    allowed = np.broadcast_to(legal, regrets.shape)
    if uniform:
        return allowed.astype(regrets.dtype)
    best = np.where(allowed, regrets, -np.inf).argmax(axis=-1)
    return np.asarray(np.arange(SLOTS) == best[..., None], regrets.dtype)
