"""A player that follows a solved strategy: `strategy:FILE`, where the file was written by `tahur solve`.

Other kinds of files are read by functions that the caller passes in, since players and solvers do not import each
other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tahur.core.archive import BUCKETS, FLOPS, ROUND, kind_of
from tahur.core.errors import PlayerError
from tahur.core.game import Action, Game
from tahur.core.net_file import KeptNet, NetSet, read_nets
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.core.resolver import Resolver
from tahur.core.solution import read_solution
from tahur.core.strategy import Explained, Fitted, draw
from tahur.core.towers import advantages, policy_of
from tahur.games.encoders.registry import PreflopLines, encoder_of, start_of
from tahur.games.perudo.solved import read_round

Reader = Callable[[Path], Fitted | None]  # None: not a file of this reader's kind


@dataclass(frozen=True, slots=True, eq=False)
class SolvedPlayer:
    """Draws its actions from the strategy for the seat it sits in; remembers nothing."""

    solution: Fitted

    def plays(self, game: Game[Any]) -> bool:
        return self.solution.misfit(game) is None

    def why_not(self, game: Game[Any]) -> str | None:
        """Why it cannot play that game, as a sentence; None if it can."""
        return self.solution.misfit(game)

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Does nothing."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        thought = self.solution.thought(view) if isinstance(self.solution, Explained) else ""
        return Decision(draw(self.probabilities(view), rng), thought)

    def learn(self, seen: Seen) -> None:
        """Does nothing."""

    def probabilities(self, view: View) -> Mapping[Action, float]:
        return self.solution.probabilities(view)

    def resolver_for(self, game: Game[Any]) -> Resolver | None:
        return self.solution if isinstance(self.solution, Resolver) else None


def solved_from_file(file: str, readers: Sequence[Reader] = ()) -> SolvedPlayer:
    """The player of the strategy in a file: read by one of the readers, else as a file of `tahur solve`."""
    if not file:
        raise PlayerError("strategy: no file; write one, such as strategy:leduc.tahur from 'tahur solve leduc'")
    for reader in readers:
        strategy = reader(Path(file))
        if strategy is not None:
            return SolvedPlayer(strategy)
    return SolvedPlayer(_read_strategy(Path(file)))


def _read_strategy(path: Path) -> Fitted:
    """The strategy in a file; the readers of tables for limit hold'em load Numba, so they are imported when needed."""
    kind = kind_of(path)
    if kind == ROUND.name:
        return read_round(path)
    if kind == BUCKETS.name:
        from tahur.games.holdem.bucket_table import read_bucket_table

        return read_bucket_table(path)
    if kind == FLOPS.name:
        from tahur.games.holdem.flop_table import read_flop_table

        return read_flop_table(path)
    return read_solution(path)


# ---- trained nets --------------------------------------------------------------------------------
# Players that use trained nets: `net:FOLDER`, where the folder was written by `tahur train`. NumPy only. The strategy
# of a run is the set of its nets. One net is drawn for each hand, by its weight, and plays all of it: on average that
# is the average strategy. The player's action probabilities are therefore not known spot by spot, and it has no
# `probabilities`; evaluation computes the explicit average (`solvers/deep/average.py`).


class NetPlayer:
    """Draws a net for each hand and uses it for the whole hand; remembers nothing between hands."""

    learns = False

    def __init__(self, nets: NetSet) -> None:
        self.nets = nets
        self._net = nets.kept[-1]

    def plays(self, game: Game[Any]) -> bool:
        return self.nets.misfit(game) is None

    def why_not(self, game: Game[Any]) -> str | None:
        """Why it cannot play that game, as a sentence; None if it can."""
        return self.nets.misfit(game)

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Draw the net of this hand."""
        row = int(np.searchsorted(np.cumsum(self.nets.weights), rng.random(), side="right"))
        self._net = self.nets.kept[min(row, len(self.nets.kept) - 1)]

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        chances = self.chances(self._net, view)
        return Decision(draw(chances, rng), f"the net of iteration {self._net.iteration}")

    def learn(self, seen: Seen) -> None:
        """Does nothing."""

    def chances(self, net: KeptNet, view: View) -> dict[Action, float]:
        """The action probabilities of one of the nets."""
        slots = self._encoder(view.game).slots(view.table)
        legal = np.array([action is not None for action in slots])
        regrets = self._regrets(net, view).astype(float)
        policy = policy_of(regrets[None], legal, uniform=self.nets.uniform)[0]
        return {action: float(chance) for action, chance in zip(slots, policy, strict=True) if action is not None}

    def _regrets(self, net: KeptNet, view: View) -> NDArray[Any]:
        """The net's regrets of the three slots at the view."""
        encoder = self._encoder(view.game)
        role = encoder.role(view.game, view.seat)
        if net.tables is not None and encoder.street(view.table) == 0:
            return np.asarray(net.tables[role][self._start.row(view.table, role), self._start.hand_class(view.hand)])
        cards = encoder.cards(view.table, np.array([view.hand]))
        towers = net.towers[role]
        return np.asarray(advantages(towers.cards(cards), towers.bets(encoder.betting(view.table)[None]))[0])

    def _encoder(self, game: Game[Any]) -> Any:
        return encoder_of(game)

    @cached_property
    def _start(self) -> PreflopLines:
        return start_of(self.nets.game, self.nets.settings)


def net_from_folder(folder: str) -> NetPlayer:
    """The player of the nets in a folder."""
    if not folder:
        raise PlayerError("net: no folder; write one, such as net:fhp_nets from 'tahur train'")
    return NetPlayer(read_nets(Path(folder)))
