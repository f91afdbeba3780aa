"""Luck taken off results: the same mean, less noise, so fewer hands tell two players apart.

In the manner of AIVAT (Burch, Schmid, Moravčík, Morrill and Bowling 2018). Each time something is drawn at random with
known chances, a card or an action of a seat whose strategy is known, the game says what every seat's position was worth
before, on average over the draw, and what it is worth after. The difference is luck; it is nothing on average whatever
the yardstick and whoever plays, so the result less the luck has the mean of the result itself. Whether a piece of luck
is reckoned may depend on what was known before the draw, never on what was drawn.

Hands of seats whose strategy is not known (None) are as good as any: only the cards are reckoned for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Flag, auto
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from tahur.core.errors import SettingError
from tahur.core.game import CHANCE, OVER, Action
from tahur.core.player import View
from tahur.core.record import Record
from tahur.core.strategy import Strategy
from tahur.core.worth import Appraised

MOST_CHOICES: Final = 12  # actions whose worth is asked for at one decision; above, neighbours stand together
_ROUNDING: Final = 1e-6

Worth = tuple[float, ...]


class Luck(Flag):
    """What is taken off a result."""

    NONE = 0
    RUN_OUT = auto()  # the cards that came when all decisions were made
    BOARD = auto()  # the cards that came before
    DEAL = auto()  # the hands
    CHOICES = auto()  # which of the actions that a known strategy mixes was drawn
    ALL_IN = RUN_OUT
    CHANCE = RUN_OUT | BOARD | DEAL
    FULL = CHANCE | CHOICES


def adjusted(
    game: Appraised[Any], record: Record, strategies: Sequence[Strategy | None] = (), *, luck: Luck = Luck.FULL
) -> Worth:
    """The payoffs of a deal less its luck. `strategies`: what each seat drew its actions from, None if not known."""
    if strategies and len(strategies) != game.seats:
        raise SettingError(f"{game.name}: {len(strategies)} strategies for {game.seats} seats; None where not known")
    left = list(record.payoffs)
    for piece in _pieces(_Deal(game, record), strategies, luck):
        for seat, lucky in enumerate(piece):
            left[seat] -= lucky
    return tuple(left)


def reduction(raw: ArrayLike, less_luck: ArrayLike) -> float:
    """How many times fewer deals give the same precision: the ratio of the variances.

    One row for each deal; hands of one deal that hang together (its seatings) stand in the row's columns and count as
    their mean, as an interval clustered by deal counts them.
    """
    before, after = _spread(raw), _spread(less_luck)
    if after == 0:
        return 1.0 if before == 0 else float("inf")
    return before / after


# ---- the deal, and what it was worth at each step -----------------------------------------------------------------


class _Deal:
    """A record's tables; what each is worth is asked for once."""

    __slots__ = ("_worths", "game", "record", "tables")

    def __init__(self, game: Appraised[Any], record: Record) -> None:
        self.game = game
        self.record = record
        self.tables = tuple(record.replay(game))
        self._worths: dict[int, Worth | None] = {}

    def worth(self, at: int) -> Worth | None:
        if at == len(self.record.actions):
            return self.record.payoffs
        if at not in self._worths:
            self._worths[at] = self.worth_of(self.tables[at])
        return self._worths[at]

    def worth_of(self, table: Any) -> Worth | None:
        return self.game.worth(table, self.record.hands)

    def view(self, at: int) -> View:
        """What the seat to act saw before action number `at`, as the referee showed it."""
        table, record = self.tables[at], self.record
        talk = tuple(said for said in record.talk if said.at < at) if record.talk else ()
        return View(
            game=self.game, table=table, seat=table.turn, hand=record.hands[table.turn], names=record.names, talk=talk
        )


def _pieces(deal: _Deal, strategies: Sequence[Strategy | None], luck: Luck) -> Iterator[Worth]:
    """Each piece of luck that is asked for."""
    if Luck.DEAL in luck:
        yield deal.game.luck_of_deal(deal.record.hands)
    for first, last in _chance_runs(deal.tables):
        if (Luck.RUN_OUT if deal.tables[last].turn == OVER else Luck.BOARD) in luck:
            before = deal.worth(first)
            if before is not None:
                yield _minus(_said(deal.worth(last)), before)
    if Luck.CHOICES in luck and strategies:
        for at, table in enumerate(deal.tables[:-1]):
            if table.turn >= 0 and (strategy := strategies[table.turn]) is not None:
                yield from _choice(deal, at, strategy.probabilities(deal.view(at)))


def _chance_runs(tables: Sequence[Any]) -> Iterator[tuple[int, int]]:
    """Where chance begins to move, and where it has moved: what it was worth in between cancels out."""
    first = None
    for at, table in enumerate(tables):
        if table.turn == CHANCE:
            first = at if first is None else first
        elif first is not None:
            yield first, at
            first = None


# ---- choices ------------------------------------------------------------------------------------------------------


def _choice(deal: _Deal, at: int, chances: Mapping[Action, float]) -> Iterator[Worth]:
    """The luck of action number `at`: nothing where there was no choice, or the game does not say what one is worth."""
    _check(deal, at, chances)
    if len(chances) == 1:
        return
    table, played = deal.tables[at], deal.record.actions[at]
    few, drawn = _few(chances, played)
    worths = {action: deal.worth(at + 1) if action == played else deal.worth_of(table.after(action)) for action in few}
    mean = [0.0] * deal.game.seats
    for action, chance in few.items():
        worth = worths[action]
        if worth is None:
            return
        for seat, value in enumerate(worth):
            mean[seat] += chance * value
    yield _minus(_said(worths[drawn]), mean)


def _few(chances: Mapping[Action, float], played: Action) -> tuple[dict[Action, float], Action]:
    """A dozen actions at most to reckon with, their chances, and which of them the one played counts as.

    Hundreds of raises make groups of neighbours with about the same chance; the likeliest of a group stands for all.
    That is as fair: what an action counts as is settled before one is drawn.
    """
    if len(chances) <= MOST_CHOICES:
        return {action: chance for action, chance in chances.items() if chance}, played
    groups: dict[int, list[Action]] = {}
    below = 0.0
    for action in sorted(chances):
        groups.setdefault(int((below + chances[action] / 2) * MOST_CHOICES), []).append(action)
        below += chances[action]
    stand = {max(group, key=chances.__getitem__): group for group in groups.values()}
    few = {action: sum(map(chances.__getitem__, group)) for action, group in stand.items()}
    return few, next(action for action, group in stand.items() if played in group)


def _check(deal: _Deal, at: int, chances: Mapping[Action, float]) -> None:
    """A strategy that was not the one that played would turn results into something else, and nobody would see it."""
    game, table, played = deal.game, deal.tables[at], deal.record.actions[at]
    if chances.get(played, 0.0) <= 0.0:
        label = game.label(table, played)
        raise SettingError(f"{game.name}: seat {table.turn} played '{label}', which its strategy never does here")
    if abs(sum(chances.values()) - 1) > _ROUNDING:
        total = sum(chances.values())
        raise SettingError(f"{game.name}: the chances of seat {table.turn} add up to {total:.6f}; they add up to 1")


def _said(worth: Worth | None) -> Worth:
    """A game that says what a table is worth before chance moves says it after every move of it."""
    assert worth is not None
    return worth


def _minus(one: Sequence[float], other: Sequence[float]) -> Worth:
    return tuple([first - second for first, second in zip(one, other, strict=True)])


def _spread(results: ArrayLike) -> float:
    """The variance of the deals' means."""
    rows = np.asarray(results, np.float64)
    return float(np.var(rows if rows.ndim == 1 else rows.mean(axis=tuple(range(1, rows.ndim))), ddof=1))
