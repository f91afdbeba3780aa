"""`tahur perudo values` and `tahur perudo prepare`: values of match positions, and rounds solved in advance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tahur.cli.output import Json, console, note, print_json, warm, watch
from tahur.cli.perudo.rounds import FINE, usual_threads
from tahur.cli.settings import Rules
from tahur.cli.solve.running import CtrlC

if TYPE_CHECKING:
    from collections.abc import Generator

    from tahur.core.game import Game
    from tahur.games.perudo.game import Perudo
    from tahur.games.perudo.rules import PerudoRules
    from tahur.games.perudo.solved import RoundStrategy
    from tahur.solvers.perudo.solver import RoundSolver
    from tahur.solvers.perudo.stakes import RoundStakes
    from tahur.solvers.response import Measure
    from tahur.solvers.solver import Progress

EQUILIBRIUM: Final = "equilibrium"
ON_NEED: Final = 12_000_000  # size up to which a round is solved when it is first needed (it takes seconds)
WELL: Final = 2e-3  # NashConv to reach for those, in the unit of the payoffs
ROUNDS: Final = 400  # iterations at most
FORGETTING: Final = 100  # iterations of each round that is too large to solve exactly
NUMBERS_A_GIB: Final = 2**30 // 8

Dice = Annotated[int, typer.Option(help="Dice of each seat at the start.", min=1, max=5)]
Calza = Annotated[
    bool | None, typer.Option("--calza/--no-calza", help="Whether calza may be called; by default as the rules say.")
]
Iterations = Annotated[int, typer.Option(help="Iterations of each round.", min=1)]


def values(
    dice: Dice = 2,
    rules: Rules = None,
    calza: Calza = None,
    palifico: Annotated[bool, typer.Option("--palifico/--no-palifico", help="Whether palifico rounds occur.")] = True,
    iterations: Iterations = 300,
    memory: Annotated[
        float, typer.Option(help="GiB that a round may use to be solved exactly; larger rounds are bounded.")
    ] = 0.2,
    round_: Annotated[
        list[Path] | None, typer.Option("--round", metavar="FILE", help="Use this solved round; can be repeated.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Bounds on the opener's chance to win a match for two, from every number of dice.

    Both bounds are valid, also after Ctrl-C, which ends the solving. Rounds with at most three dice are solved exactly,
    larger ones with more --memory: 2v2 takes 4 GiB, 8 with calza. In a match without calza, --round reuses rounds that
    `tahur solve` wrote.

    tahur perudo values --dice 2 --no-calza      tahur perudo values --rules classic --dice 3 --json

    tahur perudo values --dice 2 --rules classic --round perudo-2v1.tahur --round perudo-2v2.tahur
    """
    from tahur.games.perudo.solved import read_round
    from tahur.solvers.perudo.values import match_values

    chosen = _rules(rules, dice, calza, palifico=palifico)
    solved = [read_round(file) for file in round_ or ()]
    warm("perudo")
    most = int(memory * NUMBERS_A_GIB)
    with CtrlC("stopped: computing bounds from the rounds so far ...") as ctrl_c:
        steps = match_values(
            chosen, iterations=iterations, most=most, solved=solved, enough=lambda: ctrl_c.stop_requested
        )
        values = watch(steps, "rounds of Perudo; Ctrl-C stops")
    if as_json:
        rows = [
            {"mine": value.mine, "yours": value.yours, "lower": value.lower, "upper": value.upper, "exact": value.exact}
            for value in values
        ]
        print_json({"rules": chosen.name, "dice": dice, "calza": _two_may_call(chosen), "opener_wins": rows})
        return
    from tahur.show.perudo import values_table

    out = console()
    out.print(values_table({(value.mine, value.yours): (value.lower, value.upper) for value in values}))
    out.print("[dim]percent of matches won by the seat that opens; rows: its dice, columns: the other's[/]")
    out.print("[dim]two numbers are a lower and an upper bound[/]")


def prepare(
    rules: Rules = None,
    dice: Dice = 5,
    calza: Calza = None,
    iterations: Annotated[
        int, typer.Option(help="Iterations of each round that is too large to solve exactly.", min=1)
    ] = FORGETTING,
    add: Annotated[Path | None, typer.Option("--add", metavar="FILE", help="Also store this solved round.")] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Solve the rounds again that are too large to solve exactly.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Solve the rounds that a match for two can reach, and store them for the player 'equilibrium'.

    Small rounds are solved exactly, the others with imperfect recall (seats remember the last few bids). Stored rounds
    are not solved again without --again. --add stores one that `tahur solve` wrote, such as 2v2.

    tahur perudo prepare      tahur perudo prepare --again --iterations 500
    """
    if add is not None:
        _add(add)
    chosen = _rules(rules, dice, calza, palifico=True)
    warm("perudo")
    done = watch(_solve_missing(_rounds(chosen), iterations, again=again), "rounds of Perudo")
    known = _stored_rounds(_rounds(chosen))
    if as_json:
        print_json({"solved": done, "rounds": known, "folder": str(_folder())})
        return
    from tahur.show.perudo import known_table

    out = console()
    out.print(known_table(known))
    out.print("[dim]in matches won; NashConv, what two perfect opponents win together, is an upper bound[/]")
    out.print(f"{len(done)} rounds solved now; stored in {_folder()}")


def _stored_rounds(rounds: Sequence[Perudo]) -> list[dict[str, Any]]:
    """Each stored round, with its kind and its NashConv."""
    rows = []
    for game in rounds:
        if (kept := _load_round(game)) is not None:
            facts, recall, (first, second) = kept.facts, kept.recall, game.round.order
            dice = f"{game.round.cups[first]}v{game.round.cups[second]}"
            row = {"dice": dice, "palifico": game.round.palifico, "remembers": None if recall is None else recall.bids}
            rows.append(row | {"value": facts.value, "nashconv": facts.nashconv, "unit": facts.unit})
    return rows


def _add(file: Path) -> None:
    """Store a solved round, without the solver's memory."""
    from tahur.games.perudo.solved import read_round, write_round
    from tahur.players.perudo.equilibrium import kept_name, recalled_file, whole_file

    strategy = read_round(file)
    name = kept_name(strategy.game.round)
    kept = whole_file(_folder(), name) if strategy.recall is None else recalled_file(_folder(), name)
    write_round(kept, strategy)


def solve_missing_rounds(game: Game[Any], players: Sequence[str]) -> None:
    """Solve the missing rounds of a match, if one of its players uses solved rounds."""
    from tahur.games.perudo.game import Perudo

    if not isinstance(game, Perudo) or EQUILIBRIUM not in players:
        return
    needed = [state for state in _rounds(game.round.rules) if _can_follow(state, game)]
    if missing := sum(_load_round(state) is None for state in needed):
        warm("perudo")
        note(
            f"solving {missing} rounds of Perudo for {EQUILIBRIUM}, once; Ctrl-C stops and keeps the finished ones ..."
        )
        watch(_solve_missing(needed, FORGETTING), "rounds of Perudo")


def _can_follow(later: Perudo, game: Perudo) -> bool:
    """Whether a match can still reach a round from this state: without calza, dice are never won back."""
    if _two_may_call(game.round.rules):
        return True
    most = sorted(game.round.cups)[-2:]
    return all(dice <= held for dice, held in zip(sorted(later.round.cups), most, strict=True))


def _solve_missing(
    rounds: Sequence[Perudo], iterations: int, *, again: bool = False
) -> Generator[float, None, list[str]]:
    """Solve the missing rounds, fewest dice first, with the match values after them as payoffs.

    Yields the progress, 0 to 1, and returns the names of the rounds that were solved.
    """
    from tahur.players.perudo.equilibrium import kept_name
    from tahur.solvers.perudo.stakes import even_chances, match_stakes

    rules = rounds[0].round.rules
    guesses, done, solved = even_chances(rules.dice), 0.0, list[str]()
    efforts = [_effort(game, iterations) for game in rounds]
    for game, effort in zip(rounds, efforts, strict=True):
        first, second = game.round.order
        cups = game.round.cups[first], game.round.cups[second]
        stakes = match_stakes(rules, cups, guesses)
        kept = _load_round(game)
        if kept is None or (again and kept.recall is not None):
            for part in _solve_round(game, stakes, iterations):
                yield (done + effort * part) / sum(efforts)
            solved.append(kept_name(game.round))
            kept = _load_round(game)
        guesses[cups] = _chance(kept, stakes) if kept is not None else guesses[cups]
        done += effort
    return solved


def _solve_round(game: Perudo, stakes: RoundStakes, iterations: int) -> Iterator[float]:
    """Solve and store one round; yields the progress, 0 to 1."""
    from tahur.games.perudo.solved import write_round
    from tahur.players.perudo.equilibrium import kept_name, recalled_file, whole_file
    from tahur.solvers.perudo.recall.solver import RecallSolver
    from tahur.solvers.perudo.solver import RoundSolver
    from tahur.solvers.solver import NEVER, run

    name = kept_name(game.round)
    if _is_small(game):
        whole = RoundSolver(game, stakes=stakes)
        for progress in _steps(whole):
            yield progress.iteration / ROUNDS
        write_round(whole_file(_folder(), name), whole.strategy(whole.measure()))
        return
    solver = RecallSolver(game, stakes=stakes, threads=usual_threads())
    for step in run(solver, iterations=iterations, every=NEVER, step=1):
        yield step.iteration / iterations
    write_round(recalled_file(_folder(), name), solver.strategy(solver.measure()))


def _steps(solver: RoundSolver) -> Iterator[Progress[Measure]]:
    """Solve a small round: exactly if that takes a second or two, otherwise to the target."""
    from tahur.solvers.perudo.exact.polish import QUICK, run_to_the_end
    from tahur.solvers.solver import run

    if solver.ladder.size <= QUICK:
        return run_to_the_end(solver, iterations=ROUNDS, target=FINE / 2, every=50, step=10)
    return run(solver, iterations=ROUNDS, target=WELL / 2, every=50, step=10)


def _effort(game: Perudo, iterations: int) -> float:
    """A rough estimate of the work of a round: the number of pairs of hands."""
    from tahur.games.perudo.solved import known_ladder

    if _is_small(game):
        return 8.0 * ROUNDS * known_ladder(game.round).size
    from tahur.games.perudo.recall import known_graph
    from tahur.solvers.perudo.recall.solver import LANES, usual_recall

    graph = known_graph(game.round, usual_recall(game.round))
    first, second = (max(LANES, hands) for hands in graph.hands)  # smaller ones take as long
    return float(iterations) * len(graph.children) * first * second


def _chance(kept: RoundStrategy, stakes: RoundStakes) -> float:
    """The opener's chance to win the match, from the value of a stored round."""
    from tahur.solvers.perudo.solver import MATCH_UNIT

    if kept.facts.unit == MATCH_UNIT:
        return kept.facts.value
    (lost, won), _ = stakes.dudo
    return lost + (won - lost) * (kept.facts.value + 1) / 2  # a round solved for dice of lead


def _rounds(rules: PerudoRules) -> list[Perudo]:
    """Every round between two seats that a match with these rules can reach."""
    from dataclasses import replace

    from tahur.games.perudo.game import Perudo
    from tahur.games.perudo.round import first_round

    rounds = []
    states = sorted(((a, b) for a in range(1, rules.dice + 1) for b in range(1, rules.dice + 1)), key=sum)
    for state in states:
        plain = first_round(rules, state, 0, ())
        rounds.append(Perudo(plain))
        once = rules.palifico is not None and rules.palifico.once and rules.palifico.two_left
        if once and state[0] == 1:
            rounds.append(Perudo(replace(plain, palifico=True)))
    return rounds


def _is_small(game: Perudo) -> bool:
    from tahur.games.perudo.solved import known_ladder

    return known_ladder(game.round).size <= ON_NEED


def _load_round(game: Perudo) -> RoundStrategy | None:
    from tahur.players.perudo.equilibrium import kept_name, kept_round

    return kept_round(_folder(), kept_name(game.round))


def _folder() -> Path:
    from tahur.core.cache import kept_folder
    from tahur.players.perudo.equilibrium import FOLDER

    return kept_folder(FOLDER)


def _rules(name: str | None, dice: int, calza: bool | None, *, palifico: bool) -> PerudoRules:
    from dataclasses import replace

    from tahur.games.perudo.rules import FAROLEO, preset, with_calza, with_palifico

    rules = replace(preset(name or FAROLEO.name), dice=dice)
    rules = rules if calza is None else with_calza(rules, calza)
    return rules if palifico else with_palifico(rules, False)


def _two_may_call(rules: PerudoRules) -> bool:
    from tahur.games.perudo.rules import Calza

    return rules.calza is Calza.ALWAYS
