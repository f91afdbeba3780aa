"""A solved round as a value: action probabilities for every history of two seats; a `Strategy`.

Solvers write it; players and `show` read it. Rounds are identified by their legal actions and payoffs, not by the
numbering of seats or the names of rules: a round with the seats swapped, or under other rules that are equivalent, is
the same round and has the same `signature`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tahur.core.archive import ROUND, kind_of, once_per_file, reading, write_archive
from tahur.core.errors import StrategyError
from tahur.core.game import Action, Game, Seat
from tahur.core.player import View
from tahur.core.solution import Facts
from tahur.games.perudo.bids import CALZA
from tahur.games.perudo.game import Perudo, perudo
from tahur.games.perudo.ladder import BidLimit, Ladder, ladder_of
from tahur.games.perudo.recall import Graph, Recall, known_graph
from tahur.games.perudo.round import Round
from tahur.games.perudo.table import hands_of

MEMORY: Final = "memory/"


@lru_cache(maxsize=64)
def known_ladder(round_: Round, limit: BidLimit | None = None) -> Ladder:
    """`ladder_of`, cached."""
    return ladder_of(round_, limit)


@lru_cache(maxsize=1024)
def signature(round_: Round) -> str:
    """`2v1-8d0c7a1b`: the dice, the opener's first, and a digest of all legal actions and payoffs."""
    ladder = known_ladder(round_)
    dice = [round_.cups[seat] for seat in round_.order]
    digest = hashlib.sha256()
    for part in (ladder.calls, ladder.first, ladder.children, ladder.needed, *ladder.matches):
        digest.update(part.astype(np.int64).tobytes())
    full = [round_.cups[seat] == round_.rules.dice for seat in round_.order]
    digest.update(bytes(full if int(ladder.calls.max()) > CALZA else ()))
    return f"{dice[0]}v{dice[1]}-{digest.hexdigest()[:8]}"


@dataclass(frozen=True, eq=False)
class RoundStrategy:
    """Weights in the ladder's layout: the probabilities of a hand are proportional to its column of a block.

    Where all weights are 0, the decision was never reached and every action is equally likely. With a `limit`, only the
    part of the limited seat is for play: the other part was solved against a restricted opponent. With a `recall`, the
    layout is that of the imperfect-recall graph.
    """

    facts: Facts
    weights: NDArray[Any]
    limit: BidLimit | None = None
    recall: Recall | None = None

    @cached_property
    def game(self) -> Perudo:
        return perudo(**self.facts.settings)

    @cached_property
    def ladder(self) -> Ladder | Graph:
        """The layout: where each decision's block is."""
        round_ = self.game.round
        ladder = known_ladder(round_, self.limit) if self.recall is None else known_graph(round_, self.recall)
        if len(self.weights) != ladder.size:
            raise StrategyError(f"{len(self.weights):,} numbers; the round has {ladder.size:,}")
        return ladder

    def misfit(self, game: Game[Any]) -> str | None:
        """Why it cannot be played in that game; None if it can."""
        if not isinstance(game, Perudo) or len(game.round.order) != 2:
            return f"this strategy is for a round of Perudo between two seats, {self.name}"
        if signature(game.round) != signature(self.game.round):
            return f"this strategy was solved for the round {self.name}; the table plays {signature(game.round)}"
        return None

    @property
    def name(self) -> str:
        return signature(self.game.round)

    def block(self, history: Sequence[Action]) -> tuple[tuple[Action, ...], NDArray[np.float64]]:
        """The actions after these bids, and their probabilities: one row per action, one column per hand."""
        rung, offset = self.ladder.find(history)
        menu, rows = self.ladder.menu(rung), self.ladder.rows(rung)
        hands = self.ladder.hands[len(history) % 2]
        if rows == 0:
            return menu, np.ones((1, hands))
        weights = self.weights[offset : offset + rows * hands].reshape(rows, hands).astype(np.float64)
        total = weights.sum(axis=0)
        return menu, np.where(total > 0, weights / np.where(total > 0, total, 1), 1 / rows)

    def probabilities(self, view: View) -> Mapping[Action, float]:
        """The probability of each action for the hand of the view."""
        if reason := self.misfit(view.game):
            raise StrategyError(reason)
        round_: Round = view.game.round  # type: ignore[attr-defined]
        self._check_seat(round_.order.index(view.seat))
        if view.hand is None:
            raise StrategyError("perudo: a spectator has no dice to play")
        menu, block = self.block(view.table.history)
        column = block[:, view.hand - hands_of(round_.cups[view.seat]).start]
        return dict(zip(menu, column.tolist(), strict=True))

    def _check_seat(self, seat: Seat) -> None:
        if self.limit is not None and self.limit.seat != seat:
            who = ("opens", "answers")[self.limit.seat]
            raise StrategyError(f"perudo: this strategy for {self.name} is only for the seat that {who}")


def write_round(path: Path, strategy: RoundStrategy, memory: Mapping[str, NDArray[Any]] | None = None) -> None:
    """Write a solved round, with the solver's state if it is to be resumed."""
    limit, recall = (None if part is None else asdict(part) for part in (strategy.limit, strategy.recall))
    header = {**strategy.facts.to_json(), "limit": limit, "recall": recall}
    arrays = {"weights": strategy.weights, **{MEMORY + name: array for name, array in (memory or {}).items()}}
    write_archive(path, ROUND, header, arrays.items())


@once_per_file(64)
def read_round(path: Path) -> RoundStrategy:
    """A solved round; cached while the file does not change."""
    with reading(path, ROUND) as archive:
        limit, recall = archive.header.pop("limit", None), archive.header.pop("recall", None)
        return RoundStrategy(
            facts=Facts.from_json(archive.header),
            weights=archive.array("weights"),
            limit=None if limit is None else BidLimit(**limit),
            recall=None if recall is None else Recall(**recall),
        )


def read_round_memory(path: Path) -> dict[str, NDArray[Any]]:
    """The solver's state by name; empty if the file has none."""
    with reading(path, ROUND) as archive:
        return archive.arrays(MEMORY)


def is_round_file(path: Path) -> bool:
    return kind_of(path) == ROUND.name
