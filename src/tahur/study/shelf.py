"""The shelf: spots that come with tahur. They are small, and solved when they are first opened."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import log
from typing import Final

from tahur.solvers.postflop.estimate import estimate, seconds_to
from tahur.solvers.postflop.spot import Spot, spot

# Ranges of 100 big blinds, 6-max; rounded from common charts, so that trees stay small.
_BUTTON_OPENS: Final = (
    "22+,A2s+,K5s+,Q8s+,J8s+,T8s+,97s+,87s,76s,65s,54s,A5o+,KTo+,QTo+,JTo"
)  # fmt: skip
_BIG_BLIND_CALLS: Final = (
    "22-99,A2s-A8s,K6s-KTs,Q8s-QTs,J8s-JTs,T8s+,97s+,86s+,75s+,65s,54s,A7o-AJo,KTo-KJo,QTo+,JTo"
)  # fmt: skip
_BIG_BLIND_3BETS: Final = "TT+,AJs+,KQs,A5s-A3s,K9s:0.5,T9s:0.5,87s:0.5,AQo+,KJo:0.5"
_BUTTON_CALLS_3BET: Final = "22-TT,ATs-AQs,KTs+,QTs+,JTs,T9s,98s,87s,AQo,AJo:0.5,KQo"


@dataclass(frozen=True, slots=True)
class ShelfSpot:
    """A spot of the shelf: its name in addresses, its title, who plays, and how well it is solved."""

    name: str
    title: str
    about: str
    terms: tuple[tuple[str, str], ...]  # the arguments of `spot`
    target: float  # % of the pot

    @property
    def spot(self) -> Spot:
        return _parsed(self)

    @property
    def seconds(self) -> float:
        """The approximate time of solving it with one thread."""
        return _seconds(self)


@cache
def _parsed(shelf_spot: ShelfSpot) -> Spot:
    return spot(**dict(shelf_spot.terms))


def _on_shelf(name: str, title: str, about: str, *, target: float = 0.2, **terms: str) -> ShelfSpot:
    return ShelfSpot(name=name, title=title, about=about, terms=tuple(terms.items()), target=target)


@cache
def _seconds(shelf_spot: ShelfSpot) -> float:
    return seconds_to(shelf_spot.target, estimate(shelf_spot.spot))


SHELF: Final = (
    _on_shelf(
        "river-q-high", "River after two checks", "big blind against button, single-raised pot", target=0.1,
        board="Qs8d3c5h2s", oop=_BIG_BLIND_CALLS, ip=_BUTTON_OPENS, pot="5.5bb", stack="97.5bb",
        sizes="33%,75%,150% / 60%",
    ),
    _on_shelf(
        "river-flush", "River that completes a flush", "big blind against button, one bet called on each street",
        target=0.1, board="Ah9h4c6dJh", oop="66-99,A2s-ATs,KhQh,KhTh,QhTh,Th8h,8h7h,7h6h,JTs,J9s,T9s,98s,A7o-AJo",
        ip="99+,A2s+,KhQh,KhTh,QhTh,8h7h,7h6h,KQs,KTs,QTs,JTs,AJo+,KQo,KJo:0.5", pot="32bb", stack="84bb",
        sizes="33%,75%,a / a",
    ),
    _on_shelf(
        "turn-k-high", "Turn after a continuation bet", "big blind against button, small bet called on the flop",
        board="Ks7h2dTc", oop=_BIG_BLIND_CALLS, ip=_BUTTON_OPENS, pot="9bb", stack="95bb", sizes="75%,150% / 60%",
    ),
    _on_shelf(
        "turn-3-bet", "Turn in a 3-bet pot", "big blind 3-bets, button calls; flop checked through",
        board="Jd8s4cAh", oop=_BIG_BLIND_3BETS, ip=_BUTTON_CALLS_3BET, pot="20bb", stack="90bb", sizes="33%,75%,a / a",
    ),
    _on_shelf(
        "flop-3-bet", "Flop in a 3-bet pot", "big blind 3-bets, button calls", target=0.3,
        board="Qd7s3c", oop=_BIG_BLIND_3BETS, ip=_BUTTON_CALLS_3BET, pot="20bb", stack="90bb",
        flop="33% / a", turn="66% / a", river="75%,a / a",
    ),
    _on_shelf(
        "flop-short", "Flop with 15 big blinds", "heads-up: small blind raises to 2, big blind calls", target=0.3,
        board="Kd8d4d", oop="22-66,A2s-A5s,K2s-K9s,Q5s-QTs,J7s-JTs,T7s+,97s+,86s+,76s,65s,A2o-A4o,K5o-K9o,Q8o-QTo,J8o+",
        ip="22+,A2s+,K2s+,Q4s+,J6s+,T7s+,97s+,86s+,76s,A2o+,K6o+,Q8o+,J9o+", pot="4bb", stack="13bb",
        flop="33% / a", turn="50%,a / a", river="a / a",
    ),
)  # fmt: skip


def shelf_spot(name: str) -> ShelfSpot | None:
    """The spot of the shelf with this name; None if there is none."""
    return next((candidate for candidate in SHELF if candidate.name == name), None)


def share_done(first: float, now: float, target: float) -> float:
    """How much of a solve is done, 0 to 1: exploitability falls by about the same factor in the same time."""
    if now <= target:
        return 1.0
    return 0.0 if first <= now else min(1.0, log(first / now) / log(first / target))
