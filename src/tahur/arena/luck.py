"""Removes luck from results: the same mean with less variance, so fewer hands are needed to tell two players apart.

A control variate in the manner of AIVAT (Burch, Schmid, Moravčík, Morrill and Bowling 2018). Whenever something is
drawn at random with known probabilities, a card or an action of a seat whose strategy is known, the game gives the
value of every seat's position before the draw (the mean over the draw) and after it. The difference is luck; it
averages to zero whatever the value function and whoever plays, so the result minus the luck has the same mean as the
result. Whether a piece of luck is computed may depend on what was known before the draw, never on what was drawn.

For seats whose strategy is unknown (None) only the luck of the cards is removed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Flag, auto
from typing import Any, Final

from tahur.arena.range_luck import remove_range_luck
from tahur.core.errors import SettingError
from tahur.core.game import CHANCE, OVER, Action, Game
from tahur.core.player import View
from tahur.core.record import Record
from tahur.core.scoring import Appraised, RangeAppraised
from tahur.core.strategy import Strategy

MOST_CHOICES: Final = 12  # actions evaluated at one decision; with more, neighbours are grouped
_ROUNDING: Final = 1e-6

Worth = tuple[float, ...]


class Luck(Flag):
    """The kinds of luck that can be removed from a result."""

    NONE = 0
    RUN_OUT = auto()  # the cards dealt after all decisions
    BOARD = auto()  # the cards dealt before that
    DEAL = auto()  # the hands
    CHOICES = auto()  # which action of a known mixed strategy was drawn
    RANGES = auto()  # which of all hands that a known strategy could have were held; see range_luck.py
    ALL_IN = RUN_OUT
    CHANCE = RUN_OUT | BOARD | DEAL
    FULL = CHANCE | CHOICES
    STRATEGY = FULL | RANGES


def remove_luck(
    game: Appraised[Any], record: Record, strategies: Sequence[Strategy | None] = (), *, luck: Luck = Luck.FULL
) -> Worth:
    """The payoffs of a deal minus its luck. `strategies`: each seat's strategy, None if unknown."""
    if strategies and len(strategies) != game.seats:
        raise SettingError(f"{game.name}: {len(strategies)} strategies for {game.seats} seats; pass None if unknown")
    if Luck.RANGES in luck:
        ranged: Any = game
        return remove_range_luck(ranged, record, strategies)
    left = list(record.payoffs)
    for piece in _pieces(_Deal(game, record), strategies, luck):
        for seat, lucky in enumerate(piece):
            left[seat] -= lucky
    return tuple(left)


def misfit(game: Game[Any], luck: Luck) -> str | None:
    """Why such luck cannot be removed from results of a game, as a sentence; None if it can."""
    if Luck.RANGES in luck:
        reason = game.ranges_misfit() if isinstance(game, RangeAppraised) else "it cannot evaluate ranges of hands"
        return reason and f"{game.name}: luck cannot be removed with strategies: {reason}; use another kind of --luck"
    if luck and not isinstance(game, Appraised):
        return f"{game.name} cannot evaluate positions, so luck cannot be removed"
    return None


# ---- the deal, and its value at each step -------------------------------------------------------------------------


class _Deal:
    """A record's tables; the value of each is computed once."""

    __slots__ = ("_worths", "game", "record", "tables")

    def __init__(self, game: Appraised[Any], record: Record) -> None:
        self.game = game
        self.record = record
        self.tables = tuple(record.replay(game))
        self._worths: dict[int, Worth | None] = {}

    def worth(self, at: int) -> Worth | None:
        """What the position before action `at` is worth to each seat; the payoffs at the end."""
        if at == len(self.record.actions):
            return self.record.payoffs
        if at not in self._worths:
            self._worths[at] = self.worth_of(self.tables[at])
        return self._worths[at]

    def worth_of(self, table: Any) -> Worth | None:
        return self.game.worth(table, self.record.hands)

    def view(self, at: int) -> View:
        """The view of the seat to act before action number `at`, as the referee gave it."""
        table, record = self.tables[at], self.record
        talk = tuple(line for line in record.talk if line.at < at) if record.talk else ()
        return View(
            game=self.game, table=table, seat=table.turn, hand=record.hands[table.turn], names=record.names, talk=talk
        )


def _pieces(deal: _Deal, strategies: Sequence[Strategy | None], luck: Luck) -> Iterator[Worth]:
    """Each piece of luck of the requested kinds."""
    if Luck.DEAL in luck:
        yield deal.game.luck_of_deal(deal.record.hands)
    for first, last in _chance_runs(deal.tables):
        if (Luck.RUN_OUT if deal.tables[last].turn == OVER else Luck.BOARD) in luck:
            before = deal.worth(first)
            if before is not None:
                yield _minus(_require_worth(deal.worth(last)), before)
    if Luck.CHOICES in luck and strategies:
        for at, table in enumerate(deal.tables[:-1]):
            if table.turn >= 0 and (strategy := strategies[table.turn]) is not None:
                yield from _choice(deal, at, strategy.probabilities(deal.view(at)))


def _chance_runs(tables: Sequence[Any]) -> Iterator[tuple[int, int]]:
    """Each run of chance moves, from its first move to its end: the values in between cancel out."""
    first = None
    for at, table in enumerate(tables):
        if table.turn == CHANCE:
            first = at if first is None else first
        elif first is not None:
            yield first, at
            first = None


# ---- choices ------------------------------------------------------------------------------------------------------


def _choice(deal: _Deal, at: int, chances: Mapping[Action, float]) -> Iterator[Worth]:
    """The luck of action number `at`; empty if there was no choice, or if the game gives no value."""
    _check(deal, at, chances)
    if len(chances) == 1:
        return
    table, played = deal.tables[at], deal.record.actions[at]
    few, drawn = _representatives(chances, played)
    worths = {action: deal.worth(at + 1) if action == played else deal.worth_of(table.after(action)) for action in few}
    mean = [0.0] * deal.game.seats
    for action, chance in few.items():
        worth = worths[action]
        if worth is None:
            return
        for seat, value in enumerate(worth):
            mean[seat] += chance * value
    yield _minus(_require_worth(worths[drawn]), mean)


def _representatives(chances: Mapping[Action, float], played: Action) -> tuple[dict[Action, float], Action]:
    """At most a dozen actions to evaluate, their probabilities, and the one that represents the action played.

    Hundreds of raises are divided into groups of neighbouring sizes, each group with about the same total probability;
    the likeliest action of a group represents it. This is unbiased because the grouping does not depend on the draw.
    """
    if len(chances) <= MOST_CHOICES:
        return {action: chance for action, chance in chances.items() if chance}, played
    groups: dict[int, list[Action]] = {}
    cumulative = 0.0
    for action in sorted(chances):
        groups.setdefault(int((cumulative + chances[action] / 2) * MOST_CHOICES), []).append(action)
        cumulative += chances[action]
    group_of = {max(group, key=chances.__getitem__): group for group in groups.values()}
    few = {action: sum(map(chances.__getitem__, group)) for action, group in group_of.items()}
    return few, next(action for action, group in group_of.items() if played in group)


def _check(deal: _Deal, at: int, chances: Mapping[Action, float]) -> None:
    """Check that the strategy is the one that played; another one would bias the results unnoticed."""
    game, table, played = deal.game, deal.tables[at], deal.record.actions[at]
    if chances.get(played, 0.0) <= 0.0:
        label = game.label(table, played)
        raise SettingError(f"{game.name}: seat {table.turn} played '{label}', which its strategy never does here")
    if abs(sum(chances.values()) - 1) > _ROUNDING:
        total = sum(chances.values())
        raise SettingError(f"{game.name}: the probabilities of seat {table.turn} add up to {total:.6f} instead of 1")


def _require_worth(worth: Worth | None) -> Worth:
    """The value, which a game that gives it before a chance move must also give after it."""
    assert worth is not None
    return worth


def _minus(one: Sequence[float], other: Sequence[float]) -> Worth:
    return tuple([first - second for first, second in zip(one, other, strict=True)])
