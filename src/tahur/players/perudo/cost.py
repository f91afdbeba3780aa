"""The cost of a personality: plays rounds against a solved strategy and adds up the cost of mistakes, by kind.

A round is played as in the arena, with a fresh player every fifty rounds, and every decision is graded. The costs have
a far smaller variance than the dice won and lost, so a thousand rounds are enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Final

from tahur.core.chance import RandomDealer, Streams
from tahur.core.game import Seat
from tahur.core.player import Player
from tahur.core.referee import play_out
from tahur.games.perudo.grading import Grader, MistakeKind
from tahur.games.perudo.solved import RoundStrategy
from tahur.players.solved import SolvedPlayer

LIFE: Final = 50  # rounds until the player is replaced by a fresh one

Maker = Callable[[], Player]


@dataclass(frozen=True, slots=True)
class GradedRound:
    """One round of the graded player, in dice of lead."""

    result: float
    costs: dict[MistakeKind, float]  # by kind, for the mistakes it made


@dataclass(frozen=True, slots=True)
class MeanCost:
    """A mean over rounds and its standard error."""

    mean: float
    error: float

    @classmethod
    def of(cls, numbers: list[float]) -> MeanCost:
        """The mean of one or more numbers; the unknown error of a single one is reported as 0."""
        count = len(numbers)
        mean = sum(numbers) / count
        spread = sum((number - mean) ** 2 for number in numbers)
        return cls(mean, sqrt(spread / (count - 1) / count) if count > 1 else 0.0)


@dataclass(frozen=True, slots=True)
class MindCost:
    """What a player loses per round in one seat; `mistakes` is the number of mistakes of each kind per round."""

    rounds: int
    total: MeanCost
    kinds: dict[MistakeKind, MeanCost]
    mistakes: dict[MistakeKind, float]
    result: MeanCost  # dice it won
    best: float  # what a best response wins


def play_rounds(make: Maker, grader: Grader, *, rounds: int, seed: int = 1) -> Iterator[GradedRound]:
    """Rounds with the player in the grader's seat against the strategy; the dice depend on the seed alone."""
    strategy, seat = grader.strategy, grader.seat
    game, streams = strategy.game, Streams(seed, strategy.game.seats)
    dealer, chair = RandomDealer(streams.chance), game.round.order[seat]
    player: Player = make()
    for number in range(rounds):
        if number and number % LIFE == 0:
            player = make()
        streams.turn_to(number)
        names = tuple("player" if place == chair else "solved" for place in range(game.seats))
        players = [player if place == chair else SolvedPlayer(strategy) for place in range(game.seats)]
        record = play_out(game, dealer, players, streams.seats, names)
        costs: dict[MistakeKind, float] = {}
        for grade in grader.grades(record.actions, record.hands[chair]):
            if grade.kind is not None:
                costs[grade.kind] = costs.get(grade.kind, 0.0) + grade.cost
        others = sum(record.payoffs) - record.payoffs[chair]
        yield GradedRound(record.payoffs[chair] - others, costs)


def cost_of(rounds: list[GradedRound], best: float) -> MindCost:
    """The totals of rounds that were all played in the same seat."""
    kinds = {kind: MeanCost.of([graded.costs.get(kind, 0.0) for graded in rounds]) for kind in MistakeKind}
    mistakes = {kind: sum(kind in graded.costs for graded in rounds) / len(rounds) for kind in MistakeKind}
    total = MeanCost.of([sum(played.costs.values()) for played in rounds])
    return MindCost(
        rounds=len(rounds),
        total=total,
        kinds=kinds,
        mistakes=mistakes,
        result=MeanCost.of([played.result for played in rounds]),
        best=best,
    )


def grader_of(strategy: RoundStrategy, seat: Seat) -> tuple[Grader, float]:
    """The grader of a seat, and what a best response wins there; traverses the whole round once."""
    grader = Grader(strategy, seat)
    return grader, grader.best_value()
