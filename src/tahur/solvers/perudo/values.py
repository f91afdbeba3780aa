"""The chance to win a match between two seats, from the dice of both and who opens, between bounds that hold.

A round is played for what follows it: the seat that lost a die, or called calza rightly, opens the next. Rounds are
solved for the chances to win from there, from the fewest dice up; with calza the way may lead back up, and everything
is gone through again until nothing moves. Then the strategies are held fast and judged: what a seat's strategies
guarantee it, whatever the other does, is the limit of winning within one round, within two, and so on, each step a best
response of the other seat. Such a chance is a lower bound at every step, so both bounds hold however well or badly the
rounds were solved. Rounds that are too large are played within limits (see `bounded`), whose guarantees are as good.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Final

from tahur.core.errors import SettingError
from tahur.games.perudo.game import Perudo
from tahur.games.perudo.round import first_round
from tahur.games.perudo.rules import Calza, PerudoRules
from tahur.games.perudo.solved import RoundStrategy, signature
from tahur.solvers.perudo.bounded import MOST, Pair, pair_of
from tahur.solvers.perudo.solver import RoundSolver
from tahur.solvers.perudo.stakes import Stakes

State = tuple[int, int]  # the opener's dice, the other's
CLOSE: Final = 1e-7  # between two steps of a bound that is where it will be
PASSES: Final = 12  # through all rounds, where calza leads back up


@dataclass(frozen=True, slots=True)
class MatchValue:
    """The opener's chance to win the match; `exact` if its round, and those after it, were solved whole."""

    mine: int
    yours: int
    lower: float
    upper: float
    exact: bool


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a state on the way: a guess, and what each seat's strategies guarantee it."""

    guess: dict[State, float] = field(default_factory=dict)
    opener: dict[State, float] = field(default_factory=dict)
    other: dict[State, float] = field(default_factory=dict)


def match_values(
    rules: PerudoRules, *, iterations: int = 300, most: int = MOST, solved: Sequence[RoundStrategy] = ()
) -> Iterator[tuple[float, list[MatchValue]]]:
    """How far it is, from 0 to 1, and what is known by then; the last one is complete.

    Rounds that are `solved` are judged as they are. That is for matches without calza, whose rounds are all played for
    one thing, a die; with calza it matters what else is at stake.
    """
    _check(rules)
    states = sorted(((a, b) for a in range(1, rules.dice + 1) for b in range(1, rules.dice + 1)), key=sum)
    kept = {strategy.name: strategy for strategy in solved}
    if kept and rules.calza is Calza.ALWAYS:
        raise SettingError("perudo: solved rounds tell the chances of a match without calza; with it they are others")
    if strange := kept.keys() - {signature(_game(rules, state).round) for state in states}:
        raise SettingError(f"perudo: this match does not come to the round {min(strange)}")
    if rules.calza is Calza.ALWAYS:
        yield from _cyclic(rules, states, iterations, most)
        return
    known, exact = Known(), dict[State, bool]()
    for done, state in enumerate(states, start=1):
        game, stakes = _game(rules, state), match_stakes(rules, state, known.guess)
        if (strategy := kept.get(signature(game.round))) is not None:
            pair = _as_kept(game, strategy)
        else:
            pair = pair_of(game, most=most, stakes=stakes)
            pair.advance(iterations)
        _judge(rules, state, pair, known)
        exact[state] = pair.exact
        yield done / len(states), _told(known, exact)


def _cyclic(
    rules: PerudoRules, states: list[State], iterations: int, most: int
) -> Iterator[tuple[float, list[MatchValue]]]:
    """Everything again and again, each time with the chances of the last; regrets and averages are kept."""
    known = Known()
    known.guess.update(even_chances(rules.dice))
    pairs = {state: pair_of(_game(rules, state), most=most) for state in states}
    exact = dict.fromkeys(states, all(pair.exact for pair in pairs.values()))  # any state can follow any other
    for turn in range(PASSES):
        for place, state in enumerate(states):
            pairs[state].set_stakes(match_stakes(rules, state, known.guess))
            pairs[state].advance(max(1, iterations // PASSES))
            lower, upper = pairs[state].bounds()
            known.guess[state] = (lower + upper) / 2
            yield (turn + (place + 1) / len(states)) / (PASSES + 1), _told(known, exact)
    moved = 1.0
    while moved > CLOSE:
        before = {**known.opener}, {**known.other}
        for state in states:
            _judge(rules, state, pairs[state], known)
        moved = max(abs(now[state] - old.get(state, 0.0)) for now, old in zip((known.opener, known.other), before,
                    strict=True) for state in states)  # fmt: skip
        yield PASSES / (PASSES + 1), _told(known, exact)
    yield 1.0, _told(known, exact)


def _as_kept(game: Perudo, strategy: RoundStrategy) -> Pair:
    """A solved round, as if it had just been solved."""
    solver = RoundSolver(game)
    solver.buffers.averages[:] = strategy.weights
    return Pair(solver, solver)


def _judge(rules: PerudoRules, state: State, pair: Pair, known: Known) -> None:
    """One more round of what the strategies of either seat guarantee it, from what was known of the states after it."""
    pair.set_stakes(match_stakes(rules, state, known.opener, known.other))
    lower = pair.bounds()[0]
    pair.set_stakes(match_stakes(rules, state, known.opener, known.other, opener=False))
    upper = pair.bounds()[1]
    known.opener[state] = min(1.0, max(0.0, lower))
    known.other[state] = min(1.0, max(0.0, 1 - upper))
    known.guess.setdefault(state, (known.opener[state] + 1 - known.other[state]) / 2)


def even_chances(dice: int) -> dict[State, float]:
    """The chance to win from every state if each round were lost by either seat as likely: a guess to begin with."""
    return {
        (mine, yours): sum(comb(mine + yours - 1, won) for won in range(yours, mine + yours)) / 2 ** (mine + yours - 1)
        for mine in range(1, dice + 1)
        for yours in range(1, dice + 1)
    }


def match_stakes(
    rules: PerudoRules,
    state: State,
    as_opener: Mapping[State, float],
    as_other: Mapping[State, float] | None = None,
    *,
    opener: bool = True,
) -> Stakes:
    """What the opener is paid: a seat's chances from the states that follow, as that seat knows them.

    `as_opener` and `as_other` are the chances of the seat in question when it opens and when it does not; without the
    second, one is what the other leaves. If the seat in question is the other one, the opener is paid what it leaves.
    """
    mine, yours = state if opener else state[::-1]

    def chance(me: int, you: int, *, opens: bool) -> float:
        if me == 0 or you == 0:
            return float(you == 0)
        if opens:
            return as_opener.get((me, you), 0.0)
        return 1 - as_opener.get((you, me), 0.0) if as_other is None else as_other.get((you, me), 0.0)

    lose = chance(mine - 1, yours, opens=mine > 1)
    win = chance(mine, yours - 1, opens=False)
    right = chance(min(mine + 1, rules.dice), yours, opens=True)
    theirs = chance(mine, min(yours + 1, rules.dice), opens=False)
    if opener:
        return Stakes(((lose, win), (win, lose)), ((right, lose), (theirs, win)))
    lost, won = 1 - lose, 1 - win  # to the opener, who is the one we are not
    return Stakes(((won, lost), (lost, won)), ((1 - theirs, won), (1 - right, lost)))


def _game(rules: PerudoRules, state: State) -> Perudo:
    return Perudo(first_round(rules, state, 0, ()))


def _told(known: Known, exact: Mapping[State, bool]) -> list[MatchValue]:
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
