"""The chance to win a match between two seats, from the dice of both and who opens, between bounds that hold.

A round is played for what follows it: the seat that lost a die, or called calza rightly, opens the next. Rounds are
solved for the chances to win from there, from the fewest dice up; with calza the way may lead back up, and everything
is gone through again until nothing moves. Small rounds are solved to the end by linear programmes (see `exact`). Then
the strategies are held fast and judged: what a seat's strategies guarantee it, whatever the other does, is the limit of
winning within one round, within two, and so on, each step a best response of the other seat. Such a chance is a lower
bound at every step, so both bounds hold however well or badly the rounds were solved. Rounds that are too large are
played within limits or by seats that forget (see `bounded`), whose guarantees are as good.
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
from tahur.solvers.perudo.exact.polish import QUICK, polished
from tahur.solvers.perudo.solver import RoundSolver
from tahur.solvers.perudo.stakes import State, even_chances, match_stakes

CLOSE: Final = 1e-7  # between two steps of a bound that is where it will be
PASSES: Final = 12  # through all rounds, where calza leads back up
BLOCK: Final = 50_000_000  # numbers between two looks at whether it is enough: part of a second, mostly


@dataclass(frozen=True, slots=True)
class MatchValue:
    """The opener's chance to win the match; `exact` if its round, and those after it, were solved whole."""

    mine: int
    yours: int
    lower: float
    upper: float
    exact: bool


@dataclass(frozen=True, slots=True)
class StateBounds:
    """What is known of a state on the way: a guess, and what each seat's strategies guarantee it."""

    guess: dict[State, float] = field(default_factory=dict)
    opener: dict[State, float] = field(default_factory=dict)
    other: dict[State, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is done to solve each round, and who says that it is enough."""

    iterations: int
    most: int  # numbers of a round that is solved whole, or within limits
    enough: Callable[[], bool]

    def advance(self, pair: SolverPair | TwoWays, iterations: int) -> Iterator[float]:
        """So many iterations, a block at a time; which part of them is done."""
        block = max(1, BLOCK // sum(solver.ladder.size for solver in pair.solvers))
        for done in range(0, iterations, block):
            if self.enough():
                return
            pair.advance(min(block, iterations - done))
            yield min(1.0, (done + block) / iterations)

    def parts(self, rules: PerudoRules, states: Sequence[State]) -> dict[State, float]:
        """Which part of the whole work is in each round, roughly."""
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
    """How far it is, from 0 to 1; in the end the chances from all states.

    Once it is `enough` nothing is solved any further, and what there is is judged. Rounds that are `solved` are judged
    as they are. That is for matches without calza, whose rounds are all played for one thing, a die; with calza it
    matters what else is at stake.
    """
    _check(rules)
    states = sorted(((a, b) for a in range(1, rules.dice + 1) for b in range(1, rules.dice + 1)), key=sum)
    kept = {strategy.name: strategy for strategy in solved}
    if kept and rules.calza is Calza.ALWAYS:
        raise SettingError("perudo: solved rounds tell the chances of a match without calza; with it they are others")
    if strange := kept.keys() - {signature(_game(rules, state).round) for state in states}:
        raise SettingError(f"perudo: this match does not come to the round {min(strange)}")
    effort = Effort(iterations, most, enough)
    if rules.calza is Calza.ALWAYS:
        return (yield from _around(rules, states, effort))
    return (yield from _down(rules, states, effort, kept))


def _down(
    rules: PerudoRules, states: list[State], effort: Effort, kept: Mapping[str, RoundStrategy]
) -> Generator[float, None, list[MatchValue]]:
    """Each round once, from the fewest dice up: nobody wins dice back."""
    known, exact, done, parts = StateBounds(), dict[State, bool](), 0.0, effort.parts(rules, states)
    for state in states:
        game = _game(rules, state)
        pair: SolverPair | TwoWays
        if (strategy := kept.get(signature(game.round))) is not None:
            pair = _as_kept(game, strategy)
        else:
            pair = ways_with(game, most=effort.most, stakes=match_stakes(rules, state, known.guess))
            for part in effort.advance(pair, effort.iterations):
                yield done + part * parts[state]
        _judge(rules, state, pair, known, None if strategy is not None else _plan(pair))
        exact[state] = pair.exact
        done += parts[state]
    return _told(known, exact)


def _around(rules: PerudoRules, states: list[State], effort: Effort) -> Generator[float, None, list[MatchValue]]:
    """Everything again and again, each time with the chances of the last; regrets and averages are kept."""
    known, done, parts = StateBounds(), 0.0, effort.parts(rules, states)
    known.guess.update(even_chances(rules.dice))
    pairs = {state: pair_of(_game(rules, state), most=effort.most) for state in states}
    for _ in range(PASSES):
        if effort.enough():
            break
        for state, pair in pairs.items():
            pair.set_stakes(match_stakes(rules, state, known.guess))
            for part in effort.advance(pair, max(1, effort.iterations // PASSES)):
                yield (done + part * parts[state]) / PASSES
            known.guess[state] = pair.middle()
            done += parts[state]
    plans = yield from _settled(rules, pairs, known)
    before, moved = dict.fromkeys(states, (0.0, 0.0)), 1.0
    while moved > CLOSE:
        for state, pair in pairs.items():
            _judge(rules, state, pair, known, plans[state])
            yield 1.0
        now = {state: (known.opener[state], known.other[state]) for state in states}
        moved = max(abs(new - old) for state in states for new, old in zip(now[state], before[state], strict=True))
        before = now
    exact = dict.fromkeys(states, all(pair.exact for pair in pairs.values()))  # any state can follow any other
    return _told(known, exact)


def _settled(
    rules: PerudoRules, pairs: Mapping[State, SolverPair], known: StateBounds
) -> Generator[float, None, dict[State, Plan]]:
    """Solve the small rounds to the end, with the others as they are, until no guess moves: how to play them."""
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
    """The strategy that linear programmes make of the average, where that takes no time; None: the average it is."""
    solver = pair.solvers[0]
    if not (pair.exact and solver.iteration and solver.ladder.size <= QUICK):
        return None
    for found in polished(solver, CLOSE):
        solver.refine(found.weights.astype(solver.dtype))
    return None if solver.finer is None else solver.finer.weights


def _as_kept(game: Perudo, strategy: RoundStrategy) -> SolverPair:
    """A solved round, as if it had just been solved."""
    solver = RoundSolver(game)
    solver.buffers.averages[:] = strategy.weights
    return SolverPair(solver, solver)


def _judge(rules: PerudoRules, state: State, pair: SolverPair | TwoWays, known: StateBounds, plan: Plan) -> None:
    """One more round of what the strategies of either seat guarantee it, from what was known of the states after it."""
    pair.set_stakes(match_stakes(rules, state, known.opener, known.other))
    lower = pair.lower(plan)
    pair.set_stakes(match_stakes(rules, state, known.opener, known.other, opener=False))
    upper = pair.upper(plan)
    known.opener[state] = min(1.0, max(0.0, lower))
    known.other[state] = min(1.0, max(0.0, 1 - upper))
    known.guess.setdefault(state, (known.opener[state] + 1 - known.other[state]) / 2)


def _game(rules: PerudoRules, state: State) -> Perudo:
    return Perudo(first_round(rules, state, 0, ()))


def _told(known: StateBounds, exact: Mapping[State, bool]) -> list[MatchValue]:
    return [
        MatchValue(*state, lower, 1 - known.other[state], _all_whole(state, exact))
        for state, lower in sorted(known.opener.items())
    ]


def _all_whole(state: State, exact: Mapping[State, bool]) -> bool:
    """Whether neither this state nor any that can follow it was played within limits: who loses a die opens."""
    mine, yours = state
    if 0 in state:
        return True
    return exact[state] and _all_whole((mine - 1, yours), exact) and _all_whole((yours - 1, mine), exact)


def _check(rules: PerudoRules) -> None:
    if rules.palifico is not None and rules.palifico.once and rules.palifico.two_left:
        raise SettingError(
            "perudo: match values with one palifico for each seat, when two are left, are not worked out"
        )
