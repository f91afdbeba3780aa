"""The fast mode, for Flop Hold'em: every hand of a few flops at once, and nets that go on from the last ones.

A traversal by samples learns one number from one deal. Here all 1,176 hands of a flop meet all others at every
decision, so that each sampled flop says without noise what its hands regret. Before the flop there are few enough
hands for a table. The nets are not fitted from nothing to all that was ever seen: the target is what the net said
before, discounted, plus what is regretted now, and the net learns the difference in a few steps. What a net says is
regret for each time the other comes to the decision, so that rare decisions are told as loud as common ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS
from tahur.cards.rankings import class_of_combos
from tahur.core.net_file import KeptNet, NetSet
from tahur.core.towers import SLOTS, Towers
from tahur.games.encoders.encoder import BET_WIDTH
from tahur.games.encoders.holdem import FLOP_HANDS, flop_classes
from tahur.solvers.deep.config import Config
from tahur.solvers.deep.flop_nets import FlopNet, flop_rows, table_policy
from tahur.solvers.deep.flops import (
    CLASSES,
    FLOPS,
    FLOPS_LEFT,
    Flop,
    Preflop,
    Swept,
    by_class,
    flop_tree,
    policy_by_slots,
    swept,
)
from tahur.solvers.deep.game import training_game
from tahur.solvers.deep.net import Learner, masked_slope, rate, tensor, threads
from tahur.solvers.deep.trainer import BEGINNING, DEALING, FITTING, Clock, Round

Numbers = NDArray[Any]
LEAST_REACH = 1e-4  # below this, how often the other comes somewhere is taken to be this


class FastTrainer:
    """A run in fast mode; the same face as the paper's."""

    def __init__(self, config: Config, clock: Clock = lambda: 0.0) -> None:
        self.config = config
        self.game = training_game(config.make_game())
        self.where = flop_tree(self.game.tree)
        self.preflop = Preflop(self.where)
        self.iteration = 0
        self.kept: list[KeptNet] = []
        self._clock = clock
        inputs = self.game.encoder.card_width, BET_WIDTH
        seed = config.training.seed
        self.learners = [Learner(inputs, config.network.hidden_dim, (seed, BEGINNING, role)) for role in (0, 1)]
        self.tables = [np.zeros((len(mine), CLASSES, SLOTS), np.float32) for mine in self.preflop.decisions]
        self.reach = [np.full(len(rows), 1.0, np.float32) for rows in self.where.rows]  # of the other, at each decision

    @property
    def uniform(self) -> bool:
        return self.config.training.fallback == "uniform"

    def advance(self) -> Round:
        """One iteration."""
        self.iteration += 1
        began = self._clock()
        with threads(self.config.training.threads):
            policies = [table_policy(self.preflop, self.tables[role], role, uniform=self.uniform) for role in (0, 1)]
            seen = self._look((policies[0], policies[1]))
            half = self._clock()
            losses = [self._fit(role, seen) for role in (0, 1)]
        self._remember((policies[0], policies[1]), seen)
        self._keep()
        samples = len(seen["rows"])
        return Round(
            self.iteration,
            (losses[0], losses[1]),
            (samples * len(self.where.rows[0]), samples * len(self.where.rows[1])),
            (0.0, 0.0),
            self.config.fast.flops_per_iter * FLOP_HANDS,
            (half - began, self._clock() - half),
        )

    def net_set(self) -> NetSet:
        game = self.game.game
        return NetSet(game.name, game.settings, self.iteration, self.uniform, tuple(self.kept))

    def is_sound(self) -> bool:
        """Whether every number is one."""
        learners = all(np.isfinite(array).all() for each in self.learners for array in each.arrays().values())
        return learners and all(np.isfinite(table).all() for table in self.tables)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that a checkpoint must hold besides the nets that are kept."""
        found = {f"net.{role}.{name}": part for role in (0, 1) for name, part in self.learners[role].arrays().items()}
        found |= {f"table.{role}": self.tables[role] for role in (0, 1)}
        return found | {f"reach.{role}": self.reach[role] for role in (0, 1)}

    def restore(self, iteration: int, kept: list[KeptNet], arrays: dict[str, NDArray[Any]]) -> None:
        """Go on from a checkpoint."""
        self.iteration, self.kept = iteration, kept
        for role in (0, 1):
            start = f"net.{role}."
            self.learners[role].restore({n.removeprefix(start): a for n, a in arrays.items() if n.startswith(start)})
            self.tables[role], self.reach[role] = arrays[f"table.{role}"], arrays[f"reach.{role}"]

    @property
    def pace(self) -> float:
        """How much this iteration weighs against all before it: linear averaging, no further back than the horizon."""
        return 2 / (min(self.iteration, self.config.fast.horizon) + 1)

    def _look(self, policies: tuple[Numbers, Numbers]) -> dict[str, Any]:
        """All hands of this iteration's flops: their rows, what the nets said, what is regretted now."""
        reach = self.preflop.reaches(policies)
        towers: list[Towers] = [learner.freeze() for learner in self.learners]
        nets = [FlopNet(self.where, role, towers[role], uniform=self.uniform) for role in (0, 1)]
        rows: list[Numbers] = []
        said: tuple[list[Numbers], list[Numbers]] = ([], [])
        results: tuple[list[Swept], list[Swept]] = ([], [])
        values = np.zeros((2, len(self.where.roots), COMBOS))
        for cards in self._flops():
            flop = Flop(cards)
            rows.append(flop_rows(self.game, flop))
            answers = [net.regrets(rows[-1]) for net in nets]
            chosen = self._chosen(nets, answers)
            first, second = (each[:, flop.hands].astype(np.float32) for each in reach)
            for role, result in enumerate(swept(self.where, flop, chosen, (first, second))):
                said[role].append(answers[role])
                results[role].append(result)
                values[role][:, flop.hands] += result.values
        values *= FLOPS / FLOPS_LEFT / len(rows)
        return {"rows": np.concatenate(rows), "said": said, "swept": results, "values": values}

    def _chosen(self, nets: list[FlopNet], answers: list[Numbers]) -> tuple[Numbers, Numbers]:
        """What the nets play; before anything was learnt, any legal action."""
        first = self.iteration == 1
        one, other = (
            policy_by_slots(said * (0 if first else 1), net.legal, uniform=self.uniform or first)
            for net, said in zip(nets, answers, strict=True)
        )
        return one, other

    def _flops(self) -> list[Numbers]:
        """Flops spread over all classes, each as likely as it comes."""
        flops, counts = flop_classes()
        count = self.config.fast.flops_per_iter
        rng = np.random.default_rng((self.config.training.seed, self.iteration, DEALING))
        points = (np.arange(count) + rng.random()) / count * FLOPS
        return [flops[place] for place in np.searchsorted(np.cumsum(counts), points, side="right")]

    def _fit(self, role: int, seen: dict[str, Any]) -> float:
        """Teach a net what it said before, discounted, with what is regretted now."""
        target, weight = self._targets(role, seen)
        sgd, learner = self.config.sgd, self.learners[role]
        rng = np.random.default_rng((self.config.training.seed, self.iteration, FITTING, role))
        bets, weights, losses = tensor(self.where.rows[role]), tensor(weight[None, :]), []
        now = rate(self.iteration, self.config.training.iterations + 1, sgd.learning_rate, sgd.final_rate)
        for _ in range(sgd.steps):
            batch = rng.integers(len(target), size=min(sgd.batch_size, len(target)))
            answers, hands, lines = learner.answers(tensor(seen["rows"][batch]), bets)
            loss, slope = masked_slope(answers, tensor(target[batch]), weights)
            learner.learn(slope, hands, lines)
            learner.step(now, sgd.clip)
            losses.append(loss)
        return float(np.mean(losses[-max(1, sgd.steps // 10) :]))

    def _targets(self, role: int, seen: dict[str, Any]) -> tuple[Numbers, Numbers]:
        """(hands, 3 x decisions), and how much each of its columns weighs in the loss."""
        results: list[Swept] = seen["swept"][role]
        now = np.mean([result.against.mean(axis=1) for result in results], axis=0) / self._most_reach
        before, pace = self.reach[role], self.pace if self.iteration > 1 else 1.0
        after = np.maximum((1 - pace) * before + pace * now, LEAST_REACH).astype(np.float32)
        unit = (self._most_reach * self.game.tree.scale * after)[:, None]
        found = [
            self._discounted(said, (before / after)[:, None]) + pace * result.regrets / unit
            for said, result in zip(seen["said"][role], results, strict=True)
        ]
        self.reach[role] = after
        legal = self.where.legal[role][:, :, 0].T
        weight = (legal * np.sqrt(after / after.max())[:, None]).astype(np.float32)
        rows = np.concatenate([each.transpose(2, 1, 0).reshape(FLOP_HANDS, -1) for each in found])
        return rows.astype(np.float32), weight.reshape(-1) / weight.mean() / weight.size

    def _discounted(self, said: Numbers, rescaled: Numbers) -> Numbers:
        """What is left of what was said: less of what was not regretted."""
        if self.iteration == 1:
            return np.zeros_like(said)
        kept = (1 - self.pace) * rescaled * said
        return np.where(kept < 0, self.config.fast.negative * kept, kept)

    @property
    def _most_reach(self) -> float:
        """How many hands the other can have."""
        return 1081.0

    def _remember(self, policies: tuple[Numbers, Numbers], seen: dict[str, Any]) -> None:
        """The table before the flop learns likewise."""
        regrets, _ = self.preflop.regrets(policies, (seen["values"][0], seen["values"][1]))
        classes, pace = class_of_combos(), self.pace if self.iteration > 1 else 1.0
        first = np.unique(classes, return_index=True)[1]
        for role in (0, 1):
            now = by_class(regrets[role])[:, :, first].transpose(1, 2, 0) / (1225 * self.game.tree.scale)
            before = (1 - pace) * self.tables[role]
            before = np.where(before < 0, self.config.fast.negative * before, before)
            self.tables[role] = (before + pace * now).astype(np.float32)

    def _keep(self) -> None:
        training = self.config.training
        due = (self.iteration - training.keep_from) % training.keep_every == 0
        if self.iteration >= training.keep_from and (due or self.iteration == training.iterations):
            towers = self.learners[0].freeze(), self.learners[1].freeze()
            tables = self.tables[0].copy(), self.tables[1].copy()
            self.kept.append(KeptNet(self.iteration, float(self.iteration), towers, tables))
