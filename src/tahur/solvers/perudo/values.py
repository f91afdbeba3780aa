"""The probability of winning a two-player match, from both dice counts and who opens, with guaranteed bounds.

The stakes of a round are the states that follow it: the seat that lost a die, or made a correct calza, opens the next.
Rounds are solved for the winning probabilities from there, from the fewest dice up; with calza a state can return to
one with more dice, and everything is iterated until nothing changes. Small rounds are solved exactly by linear programs
(see `exact`). Then the strategies are fixed and evaluated: what a seat's strategies guarantee against any opponent is
the limit of winning within one round, within two, and so on, each step a best response of the other seat. Each such
probability is a lower bound, so both bounds hold however accurately the rounds were solved. Rounds that are too large
are solved with limited bids or imperfect recall (see `bounded`), whose guarantees are equally valid.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tahur.core.errors import SettingError
from tahur.games.perudo.game import Perudo
from tahur.games.perudo.ladder import ladder_of
from tahur.games.perudo.round import first_round
from tahur.games.perudo.rules import Calza, PerudoRules
from tahur.games.perudo.solved import RoundStrategy, signature
from tahur.solvers.perudo.bounded import MOST, Plan, SolverPair, TwoWays, pair_of, ways_with
from tahur.solvers.perudo.exact.polish import QUICK, polish_strategy
from tahur.solvers.perudo.solver import RoundSolver
from tahur.solvers.perudo.stakes import State, even_chances, match_stakes

CLOSE: Final = 1e-7  # change between two steps at which a bound counts as converged
PASSES: Final = 12  # passes through all rounds, where calza leads back up
BLOCK: Final = 50_000_000  # numbers between two checks whether to stop: usually a fraction of a second


@dataclass(frozen=True, slots=True)
class MatchValue:
    """The opener's probability of winning the match; `exact` if its round, and those after it, were solved in full."""

    mine: int
    yours: int
    lower: float
    upper: float
    exact: bool


@dataclass(frozen=True, slots=True)
class StateBounds:
    """What is known of a state so far: an estimate, and what each seat's strategies guarantee."""

    guess: dict[State, float] = field(default_factory=dict)
    opener: dict[State, float] = field(default_factory=dict)
    other: dict[State, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Effort:
    """How much work is spent on each round, and when to stop."""

    iterations: int
    most: int  # numbers of a round that is solved in full, or with limits
    enough: Callable[[], bool]

    def iterate(self, pair: SolverPair | TwoWays, iterations: int) -> Iterator[float]:
        """Run the iterations, a block at a time; yields the finished fraction."""
        block = max(1, BLOCK // sum(solver.ladder.size for solver in pair.solvers))
        for done in range(0, iterations, block):
            if self.enough():
                return
            pair.iterate(min(block, iterations - done))
            yield min(1.0, (done + block) / iterations)

    def parts(self, rules: PerudoRules, states: Sequence[State]) -> dict[State, float]:
        """The approximate share of the total work in each round."""
        sizes = {state: min(ladder_of(_game(rules, state).round).size, self.most) for state in states}
        return {state: size / sum(sizes.values()) for state, size in sizes.items()}


def match_values(
    rules: PerudoRules,
    *,
    iterations: int = 300,
    most: int = MOST,
    solved: Sequence[RoundStrategy] = (),
    enough: Callable[[], bool] = lambda: False,
) -> Generator[float, None, list[MatchValue]]:
    """Yields progress from 0 to 1 and returns the winning probabilities from all states.

    As soon as `enough` returns true, solving stops and the strategies so far are evaluated. Rounds in `solved` are
    evaluated as they are. That is valid for matches without calza, whose rounds all have the same stakes, a die; with
    calza the stakes depend on the state.
    """
    _check(rules)
    states = sorted(((a, b) for a in range(1, rules.dice + 1) for b in range(1, rules.dice + 1)), key=sum)
    kept = {strategy.name: strategy for strategy in solved}
    if kept and rules.calza is Calza.ALWAYS:
        raise SettingError("perudo: solved rounds can be used only for a match without calza, which changes the stakes")
    if strange := kept.keys() - {signature(_game(rules, state).round) for state in states}:
        raise SettingError(f"perudo: the round {min(strange)} does not occur in this match")
    effort = Effort(iterations, most, enough)
    if rules.calza is Calza.ALWAYS:
        return (yield from _iterate_all(rules, states, effort))
    return (yield from _from_fewest_dice(rules, states, effort, kept))


def _from_fewest_dice(
    rules: PerudoRules, states: list[State], effort: Effort, kept: Mapping[str, RoundStrategy]
) -> Generator[float, None, list[MatchValue]]:
    """Each round once, from the fewest dice up: dice are never won back."""
    known, exact, done, parts = StateBounds(), dict[State, bool](), 0.0, effort.parts(rules, states)
    for state in states:
        game = _game(rules, state)
        pair: SolverPair | TwoWays
        if (strategy := kept.get(signature(game.round))) is not None:
            pair = _solver_pair(game, strategy)
        else:
            pair = ways_with(game, most=effort.most, stakes=match_stakes(rules, state, known.guess))
            for part in effort.iterate(pair, effort.iterations):
                yield done + part * parts[state]
        _judge(rules, state, pair, known, None if strategy is not None else _plan(pair))
        exact[state] = pair.exact
        done += parts[state]
    return _match_values(known, exact)


def _iterate_all(rules: PerudoRules, states: list[State], effort: Effort) -> Generator[float, None, list[MatchValue]]:
    """All rounds repeatedly, each time with the latest probabilities; regrets and averages are preserved."""
    known, done, parts = StateBounds(), 0.0, effort.parts(rules, states)
    known.guess.update(even_chances(rules.dice))
    pairs = {state: pair_of(_game(rules, state), most=effort.most) for state in states}
    for _ in range(PASSES):
        if effort.enough():
            break
        for state, pair in pairs.items():
            pair.set_stakes(match_stakes(rules, state, known.guess))
            for part in effort.iterate(pair, max(1, effort.iterations // PASSES)):
                yield (done + part * parts[state]) / PASSES
            known.guess[state] = pair.middle()
            done += parts[state]
    plans = yield from _solve_small_rounds(rules, pairs, known)
    before, moved = dict.fromkeys(states, (0.0, 0.0)), 1.0
    while moved > CLOSE:
        for state, pair in pairs.items():
            _judge(rules, state, pair, known, plans[state])
            yield 1.0
        now = {state: (known.opener[state], known.other[state]) for state in states}
        moved = max(abs(new - old) for state in states for new, old in zip(now[state], before[state], strict=True))
        before = now
    exact = dict.fromkeys(states, all(pair.exact for pair in pairs.values()))  # any state can follow any other
    return _match_values(known, exact)


def _solve_small_rounds(
    rules: PerudoRules, pairs: Mapping[State, SolverPair], known: StateBounds
) -> Generator[float, None, dict[State, Plan]]:
    """Solve the small rounds exactly, with the others fixed, until no estimate changes; returns their plans."""
    plans = dict[State, Plan]()
    for _ in range(PASSES):
        moved = 0.0
        for state, pair in pairs.items():
            pair.set_stakes(match_stakes(rules, state, known.guess))
            plans[state] = _plan(pair)
            guess = pair.middle(plans[state])
            moved, known.guess[state] = max(moved, abs(guess - known.guess[state])), guess
            yield 1.0
        if moved <= CLOSE:
            break
    return plans


def _plan(pair: SolverPair | TwoWays) -> Plan:
    """The exact strategy by linear programs, where that is quick; None: use the average."""
    solver = pair.solvers[0]
    if not (pair.exact and solver.iteration and solver.ladder.size <= QUICK):
        return None
    for solution in polish_strategy(solver, CLOSE):
        solver.refine(solution.weights.astype(solver.dtype))
    return None if solver.finer is None else solver.finer.weights


def _solver_pair(game: Perudo, strategy: RoundStrategy) -> SolverPair:
    """A solved round in the form of a solver pair."""
    solver = RoundSolver(game)
    solver.buffers.averages[:] = strategy.weights
    return SolverPair(solver, solver)


def _judge(rules: PerudoRules, state: State, pair: SolverPair | TwoWays, known: StateBounds, plan: Plan) -> None:
    """One more step of the guarantee of each seat's strategies, from what is known of the following states."""
    pair.set_stakes(match_stakes(rules, state, known.opener, known.other))
    lower = pair.lower(plan)
    pair.set_stakes(match_stakes(rules, state, known.opener, known.other, opener=False))
    upper = pair.upper(plan)
    known.opener[state] = min(1.0, max(0.0, lower))
    known.other[state] = min(1.0, max(0.0, 1 - upper))
    known.guess.setdefault(state, (known.opener[state] + 1 - known.other[state]) / 2)


def _game(rules: PerudoRules, state: State) -> Perudo:
    return Perudo(first_round(rules, state, 0, ()))


def _match_values(known: StateBounds, exact: Mapping[State, bool]) -> list[MatchValue]:
    return [
        MatchValue(*state, lower, 1 - known.other[state], _all_whole(state, exact))
        for state, lower in sorted(known.opener.items())
    ]


def _all_whole(state: State, exact: Mapping[State, bool]) -> bool:
    """Whether neither this state nor any that can follow it was solved with limits: the seat that loses a die opens."""
    mine, yours = state
    if 0 in state:
        return True
    return exact[state] and _all_whole((mine - 1, yours), exact) and _all_whole((yours - 1, mine), exact)


def _check(rules: PerudoRules) -> None:
    if rules.palifico is not None and rules.palifico.once and rules.palifico.two_left:
        raise SettingError(
            "perudo: match values are not supported for rules with one palifico per seat when two are left"
        )
