"""A trained net, evaluated in NumPy: estimates the regret of each action from the cards and the betting.

Two towers that meet at the top: one reads the cards, one reads the betting, each with two hidden layers, and the output
for an action is the inner product of theirs. So the cards of a deal are evaluated once for all decisions of a street,
and the betting of a tree once for all deals. There are always three actions: fold, check or call, bet or raise; the
caller masks the illegal ones.
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
    """Matrix product. rows: (n, in), weight: (out, in) -> (n, out)."""
    product: Float32s = rows @ weight.T
    return product


@dataclass(frozen=True, slots=True, eq=False)
class Towers:
    """The weights of one net, named as in its file; a layer's weight is (out, in).

    `times` multiplies matrices; a trainer may pass one that is faster than NumPy's.
    """

    parts: Mapping[str, Float32s]
    times: Callable[[Float32s, Float32s], Float32s] = times

    def __post_init__(self) -> None:
        missing = [name for name in PARTS if name not in self.parts]
        if missing:
            raise StrategyError(f"a net without {', '.join(missing)}")
        if self.parts["bets.2.bias"].shape[0] != SLOTS * (self.width + 1):
            raise StrategyError(
                f"a net whose towers do not fit together: {self.parts['bets.2.bias'].shape[0]} over {self.width}"
            )

    @property
    def width(self) -> int:
        return int(self.parts["cards.2.bias"].shape[0])

    @property
    def inputs(self) -> tuple[int, int]:
        """The number of input features for the cards and for the betting."""
        return int(self.parts["cards.0.weight"].shape[1]), int(self.parts["bets.0.weight"].shape[1])

    def cards(self, rows: Float32s) -> Float32s:
        """The cards' tower: (n, card features) -> (n, width)."""
        return self._tower("cards", rows)

    def bets(self, rows: Float32s) -> tuple[Float32s, Float32s]:
        """The betting's tower: (n, features) -> factors for the cards' output (n, 3, width) and offsets (n, 3)."""
        top = self._tower("bets", rows).reshape(len(rows), SLOTS, self.width + 1)
        return np.ascontiguousarray(top[:, :, :-1]), np.ascontiguousarray(top[:, :, -1])

    def hidden(self, rows: Float32s) -> Float32s:
        """The cards' last hidden layer, (n, width), to use with `bets_for_hidden`."""
        return self._hidden("cards", rows)

    def bets_for_hidden(self, rows: Float32s) -> tuple[Float32s, Float32s]:
        """Like `bets`, but the factors multiply the output of `hidden` instead of that of `cards`.

        The last layer of the cards' tower is linear, so its weights can be multiplied into the factors in advance.
        """
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
    """The net's outputs (n, 3) for n decisions, from the outputs of the two towers, row by row."""
    factors, added = bets
    product: Float32s = np.matmul(factors, cards[:, :, None])[:, :, 0]
    product += added
    return product


def policy_of(regrets: NDArray[Any], legal: Flags, *, uniform: bool = False) -> NDArray[Any]:
    """Regret matching over the last axis; where no legal regret is positive, the highest one's action, or uniform."""
    positive = np.maximum(regrets, 0)
    positive *= legal
    total = positive.sum(axis=-1, keepdims=True)
    known = total > 0
    if not known.all():
        spare = fallback(regrets, legal, uniform=uniform)
        positive = np.where(known, positive, spare)
        total = np.where(known, total, spare.sum(axis=-1, keepdims=True))
    positive /= total
    return np.asarray(positive)


def fallback(regrets: NDArray[Any], legal: Flags, *, uniform: bool) -> NDArray[Any]:
    """The policy where no regret is positive: the legal action with the highest advantage, or any legal one alike."""
    allowed = np.broadcast_to(legal, regrets.shape)
    if uniform:
        return allowed.astype(regrets.dtype)
    best = np.where(allowed, regrets, -np.inf).argmax(axis=-1)
    return np.asarray(np.arange(SLOTS) == best[..., None], regrets.dtype)
