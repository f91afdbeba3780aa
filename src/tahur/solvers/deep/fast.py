"""The fast mode, for Flop Hold'em: every hand of many flops at once, and nets that continue from the last ones.

A sampled traversal learns one number from one deal. Here all hands of a flop meet all others at every decision, so each
sampled flop gives, without noise, the regrets of its hands when both seats play their nets. These regrets are stored in
a memory (`flop_memory.py`), by hand and decision, and the nets are fitted to it: not from scratch in each iteration,
but some steps further. Preflop there are few enough hands for a table of regrets. Players alternate: the second plays
against the first one's updated net.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tahur.cards.rankings import class_of_combos
from tahur.core.arrays import Array
from tahur.core.net_file import KeptNet
from tahur.core.towers import SLOTS, policy_of
from tahur.games.betting import NOT_LEGAL
from tahur.games.encoders.encoder import BET_WIDTH
from tahur.games.encoders.holdem import FLOP_HANDS
from tahur.solvers.deep.config import Config
from tahur.solvers.deep.flop_memory import EXPONENT, SAMPLE, FlopMemory, Nets, Sweeper
from tahur.solvers.deep.flop_outputs import FlopHands, KernelNet
from tahur.solvers.deep.flops import FLOPS, flop_tree
from tahur.solvers.deep.net import Learner, masked_slope, rate, tensor, threads, torch
from tahur.solvers.deep.trainer import BEGINNING, DEALING, FITTING, Measuring, NetTrainer, TrainedIteration, with_prefix
from tahur.solvers.limit.deck import FULL
from tahur.solvers.limit.engine import UPDATE, PreflopWalk, Walker, layout_of
from tahur.solvers.solver import Clock

NOTHING = np.zeros(3)  # discount everything stored in a book: only current regrets remain


class FastTrainer(NetTrainer):
    """A run in fast mode."""

    def __init__(self, config: Config, clock: Clock = lambda: 0.0, measuring: Measuring | None = None) -> None:
        """Make the hands of all flops, and for each role a net to train and an empty memory."""
        super().__init__(config, clock, measuring)
        game: Any = self.game.game
        layout = layout_of(game, FULL, config.fast.flops)
        self.hands = FlopHands(layout, flop_tree(self.game), self.game.encoder)
        inputs = self.game.encoder.card_width, BET_WIDTH
        seed = config.training.seed
        self.learners = [Learner(inputs, config.network.hidden_dim, (seed, BEGINNING, role)) for role in (0, 1)]
        self.memories = [FlopMemory(self.hands, role, config.fast.negative) for role in (0, 1)]
        self.table = np.zeros(layout.start_shape)  # preflop regrets: (decisions, classes, 3)

    def _iterate(self) -> TrainedIteration:
        """Each role sums the regrets of a part of the flops, then fits its net."""
        losses, spent, count = [0.0, 0.0], np.zeros(2), self._workers
        with threads(1), ThreadPoolExecutor(count, initializer=torch().set_num_threads, initargs=(1,)) as pool:
            for role in (0, 1):
                began = self._clock()
                self._look(role, pool)
                half = self._clock()
                losses[role] = self._fit(role, pool)
                spent += half - began, self._clock() - half
        self._keep()
        flops = self._flops(self.iteration)
        hands = int(np.diff(self.hands.starts)[flops].sum())
        first, second = (hands * outputs.count for outputs in self.hands.outputs)
        walked = 2 * len(flops) * FLOP_HANDS
        fill = min(1.0, self.iteration / self._parts)
        times = float(spent[0]), float(spent[1])
        return TrainedIteration(
            iteration=self.iteration,
            losses=(losses[0], losses[1]),
            samples=(first, second),
            fill=(fill, fill),
            traversals=walked,
            seconds=times,
        )

    def is_finite(self) -> bool:
        learners = all(np.isfinite(array).all() for learner in self.learners for array in learner.arrays().values())
        return learners and bool(np.isfinite(self.table).all())

    def arrays(self) -> dict[str, Array]:
        arrays = {f"net.{role}.{name}": part for role in (0, 1) for name, part in self.learners[role].arrays().items()}
        arrays |= {f"memory.{role}.{name}": a for role in (0, 1) for name, a in self.memories[role].arrays().items()}
        return arrays | {"table": self.table}

    def _restore(self, arrays: Mapping[str, Array]) -> None:
        for role in (0, 1):
            self.learners[role].restore(with_prefix(arrays, f"net.{role}."))
            self.memories[role].restore(with_prefix(arrays, f"memory.{role}."))
        self.table = arrays["table"].copy()

    # ---- traversal -------------------------------------------------------------------------------

    def _look(self, role: int, pool: ThreadPoolExecutor) -> None:
        """All hands of this iteration's flops: the role's regrets are added to its memory and its table."""
        layout, played = self.hands.layout, self.played()
        start, flops = PreflopWalk(layout, role, played), self._flops(self.iteration)
        visit = (self.iteration - 1) // self._parts

        def take(flop: int, regrets: Array, chosen: Array) -> None:
            self.memories[role].add(flop, regrets, visit)
            self.memories[1 - role].add_reach(flop, chosen, visit)

        flop_values = self._sweeper.sweep(pool, self._nets(), role, start.before(), flops, take)
        share = layout.deck.flops.weight[flops].sum() / FLOPS
        self._update_preflop_table(role, start, played, self._walker.of_hands(flop_values / share))

    def _update_preflop_table(self, role: int, start: PreflopWalk, played: Array, flop_values: Array) -> None:
        """Add this iteration's preflop regrets of a role, computed from the values of the flops, to its discounted
        table."""
        regrets = played.copy()  # `back` replaces the strategy by the regrets
        start.back(UPDATE, regrets, flop_values, NOTHING)
        past_weight = (self.iteration - 1) ** EXPONENT
        discounted = np.where(self.table > 0, past_weight / (past_weight + 1), self.config.fast.negative) * self.table
        own_rows = self._roles == role
        self.table[own_rows] = discounted[own_rows] + regrets[own_rows]

    def played(self) -> Array:
        """(decisions, classes, 3) the preflop strategy."""
        return np.asarray(policy_of(self.table, self._legal[:, None, :], uniform=self.uniform or self.iteration == 1))

    def _nets(self) -> Nets:
        first, second = (
            KernelNet(self.hands.outputs[role], self.learners[role].freeze(), uniform=self.uniform) for role in (0, 1)
        )
        return first, second

    def _flops(self, iteration: int) -> Array:
        """An iteration's flops: each pass through all of them is shuffled, with every part spread over all textures."""
        run, part = divmod(iteration - 1, self._parts)
        rng = np.random.default_rng((self.config.training.seed, run, DEALING))
        groups = -(-self.hands.flops // self._parts)
        parts = np.argsort(rng.random((groups, self._parts)), axis=1).reshape(-1)[: self.hands.flops]
        return np.flatnonzero(parts == part)

    # ---- fitting ---------------------------------------------------------------------------------

    def _fit(self, role: int, pool: ThreadPoolExecutor) -> float:
        """Some optimiser steps towards the memory, each from two halves of a batch; returns the loss of the last
        steps."""
        sgd, memory = self.config.sgd, self.memories[role]
        rng = np.random.default_rng((self.config.training.seed, self.iteration, FITTING, role))
        upto = self._dealt
        memory.rescale(_draw_hands(rng, upto, (SAMPLE,)), first=self.iteration == 1)
        batches = _draw_hands(rng, upto, (sgd.steps, 2, -(-sgd.batch_size // 2)))
        first = self.learners[role]
        halves, unreached = (first, first.twin()), self.config.fast.unreached
        rows, bets, losses = tensor(self.hands.rows), tensor(self.hands.outputs[role].bets), []
        now = rate(self.iteration, self.config.training.iterations + 1, sgd.learning_rate, sgd.final_rate)

        def half_step(step: int, half: int) -> float:
            batch = tensor(batches[step, half])
            answers, hands, lines = halves[half].answers(rows[batch].float(), bets)
            loss, slope = masked_slope(answers, memory.targets(batch), memory.weights(batch, unreached))
            halves[half].learn(slope, hands, lines)
            return loss

        for step in range(sgd.steps):
            losses.append(sum(pool.map(half_step, (step, step), (0, 1))) / 2)
            first.join(halves[1])
            first.step(now, sgd.clip)
        return float(np.mean(losses[-max(1, sgd.steps // 10) :]))

    @property
    def _dealt(self) -> Array:
        """(hands,) cumulative number of deals that hands represent; at first only on flops that have been visited."""
        if self.iteration >= self._parts:
            return self._all_dealt
        parts = [self._flops(iteration) for iteration in range(1, self.iteration + 1)]
        seen = np.isin(np.arange(self.hands.flops), np.concatenate(parts))
        return np.cumsum(self.hands.deals * np.repeat(seen, np.diff(self.hands.starts)))

    @cached_property
    def _all_dealt(self) -> Array:
        return np.cumsum(self.hands.deals)

    # ---- constants ------------------------------------------------------------------------------

    @property
    def _workers(self) -> int:
        return int(self.config.training.threads or torch().get_num_threads())

    @cached_property
    def _sweeper(self) -> Sweeper:
        return Sweeper(self.hands, self._workers, lambda rows: tensor(rows).float().numpy())

    @cached_property
    def _walker(self) -> Walker:
        return Walker(self.hands.layout)

    @property
    def _parts(self) -> int:
        """The number of iterations that visit every flop once."""
        return max(1, round(self.hands.flops / self.config.fast.flops_per_iter))

    @cached_property
    def _roles(self) -> Array:
        """(decisions,) the acting role before the flop: the small blind sits in seat 0."""
        flop = self.hands.layout.flop
        return np.asarray(flop.betting.seat[: flop.first])

    @cached_property
    def _legal(self) -> Array:
        flop = self.hands.layout.flop
        return np.asarray(flop.betting.children[: flop.first] != NOT_LEGAL)

    def _keep(self) -> None:
        training = self.config.training
        due = (self.iteration - training.keep_from) % training.keep_every == 0
        if self.iteration >= training.keep_from and (due or self.iteration == training.iterations):
            towers = self.learners[0].freeze(), self.learners[1].freeze()
            first, second = (self._kept_table(role) for role in (0, 1))
            self.kept.append(KeptNet(self.iteration, float(self.iteration), towers, (first, second)))

    def _kept_table(self, role: int) -> NDArray[np.float32]:
        """(decisions of the role, 169, 3), classes numbered as in `tahur.cards`."""
        deck = self.hands.layout.deck
        table = np.empty((int((self._roles == role).sum()), deck.classes, SLOTS), np.float32)
        table[:, class_of_combos()[deck.firsts]] = self.table[self._roles == role]
        return table


def _draw_hands(rng: np.random.Generator, upto: Array, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Hands drawn by the number of deals they represent."""
    return np.asarray(np.searchsorted(upto, rng.random(shape) * upto[-1], side="right"), np.int64)
