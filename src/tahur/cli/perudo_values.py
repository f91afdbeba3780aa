"""`tahur perudo values` and `tahur perudo prepare`: what positions of a match are worth, and rounds solved ahead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tahur.cli.output import Json, console, note, print_json, watch
from tahur.cli.perudo_rounds import warm_rounds
from tahur.cli.settings import Rules

if TYPE_CHECKING:
    from collections.abc import Generator

    from tahur.core.game import Game
    from tahur.games.perudo.game import Perudo
    from tahur.games.perudo.rules import PerudoRules
    from tahur.solvers.perudo.stakes import Stakes
    from tahur.solvers.perudo.values import MatchValue

EQUILIBRIUM: Final = "equilibrium"
ON_NEED: Final = 12_000_000  # numbers up to which a round is solved when it is first needed: seconds
WELL: Final = 2e-3  # NashConv, in dice of lead, at which those are good enough
ROUNDS: Final = 400  # iterations at most
GUESSES: Final = 48  # iterations, and
GUESSED: Final = 400_000  # numbers in a round, for guesses of what positions of a match are worth
NUMBERS_A_GIB: Final = 2**30 // 8

Dice = Annotated[int, typer.Option(help="Each seat starts with so many.", min=1, max=5)]
Calza = Annotated[bool | None, typer.Option("--calza/--no-calza", help="Whether it may be called; else by the rules.")]
Iterations = Annotated[int, typer.Option(help="For each round.", min=1)]


def values(
    dice: Dice = 2,
    rules: Rules = None,
    calza: Calza = None,
    palifico: Annotated[bool, typer.Option("--palifico/--no-palifico", help="Without, no round is one.")] = True,
    iterations: Iterations = 300,
    memory: Annotated[float, typer.Option(help="GiB a round may take to be solved whole; else within limits.")] = 0.2,
    as_json: Json = False,
) -> None:
    """The chance to win a match of two seats for the one who opens, from every number of dice, between bounds.

    Both bounds hold. Rounds with at most three dice are solved whole, more with more --memory: 2v2 takes 4 GiB.

    tahur perudo values --dice 2 --no-calza      tahur perudo values --rules classic --dice 3 --json
    """
    chosen = _rules(rules, dice, calza, palifico=palifico)
    warm_rounds()
    found = watch(_steps(chosen, iterations, int(memory * NUMBERS_A_GIB)), "rounds of Perudo")
    if as_json:
        rows = [
            {"mine": each.mine, "yours": each.yours, "lower": each.lower, "upper": each.upper, "exact": each.exact}
            for each in found
        ]
        print_json({"rules": chosen.name, "dice": dice, "calza": _two_may_call(chosen), "opener_wins": rows})
        return
    from tahur.show.rounds import values_table

    out = console()
    out.print(values_table({(each.mine, each.yours): (each.lower, each.upper) for each in found}))
    out.print("[dim]percent of matches won by the seat that opens; rows: its dice, columns: the other's[/]")
    out.print("[dim]two numbers are bounds: the true one is between them[/]")


def prepare(
    rules: Rules = None,
    dice: Dice = 5,
    calza: Calza = None,
    iterations: Iterations = 100,
    large: Annotated[bool, typer.Option("--large", help="Also those that must be solved within limits.")] = False,
    add: Annotated[Path | None, typer.Option("--add", metavar="FILE", help="Keep this solved round as well.")] = None,
    as_json: Json = False,
) -> None:
    """Solve the rounds that a match of two seats can come to, and keep them for the player called equilibrium.

    Rounds kept before are not solved again. --add keeps one that `tahur solve` wrote, such as 2v2.

    tahur perudo prepare      tahur perudo prepare --rules classic --large
    """
    if add is not None:
        _add(add)
    chosen = _rules(rules, dice, calza, palifico=True)
    warm_rounds()
    done = [name for name, fresh in _prepared(_rounds(chosen), iterations, large=large) if fresh]
    if as_json:
        print_json({"solved": done, "folder": str(_folder())})
    else:
        console().print(f"{len(done)} rounds solved now; kept in {_folder()}")


def _add(file: Path) -> None:
    """Keep a solved round, without what its solver remembers."""
    from tahur.games.perudo.solved import read_round, write_round
    from tahur.players.perudo.equilibrium import kept_name, limited_file, whole_file

    strategy = read_round(file)
    name, limit = kept_name(strategy.game.round), strategy.limit
    kept = whole_file(_folder(), name) if limit is None else limited_file(_folder(), name, limit.seat)
    write_round(kept, strategy)


def ready_rounds(game: Game[Any], players: Sequence[str]) -> None:
    """Solve the small rounds that a match can come to, if somebody in it plays solved rounds and they are not there."""
    if game.name != "perudo" or EQUILIBRIUM not in players:
        return
    from tahur.games.perudo.game import Perudo

    assert isinstance(game, Perudo)
    small = [each for each in _rounds(game.round.rules) if _is_small(each)]
    if not all(map(_kept, small)):
        warm_rounds()
        note(f"solving {len(small)} rounds of Perudo for {EQUILIBRIUM}, once ...")
        for name, fresh in _prepared(small, ROUNDS, large=False):
            if fresh:
                note(f"  {name}")


def _prepared(rounds: Sequence[Perudo], iterations: int, *, large: bool) -> Iterator[tuple[str, bool]]:
    """Solve what is not kept yet, for what a die is worth in the match; each name, and whether it was solved now."""
    from tahur.games.perudo.solved import write_round
    from tahur.players.perudo.equilibrium import kept_name, limited_file, whole_file
    from tahur.solvers.perudo.bounded import pair_of
    from tahur.solvers.perudo.solver import RoundSolver, run

    stakes = _match_stakes(rounds[0].round.rules) if any(not _kept(game) for game in rounds) else {}
    for game in rounds:
        name, cups = kept_name(game.round), (game.round.cups[0], game.round.cups[1])
        if _kept(game):
            yield name, False
        elif _is_small(game):
            solver = RoundSolver(game, stakes=stakes[cups])
            measure = [each.measure for each in run(solver, iterations=ROUNDS, target=WELL, every=50)][-1]
            assert measure is not None
            write_round(whole_file(_folder(), name), solver.strategy(measure))
            yield name, True
        elif large:
            pair = pair_of(game, stakes=stakes[cups])
            pair.advance(iterations)
            for seat, limited in enumerate((pair.opener, pair.other)):
                write_round(limited_file(_folder(), name, seat), limited.strategy(limited.measure()))
            yield name, True


def _match_stakes(rules: PerudoRules) -> dict[tuple[int, int], Stakes]:
    """What each round of a match is played for, by guesses that are good enough: calza weighs more than a die."""
    from tahur.solvers.perudo.values import match_stakes, match_values

    guesses: dict[tuple[int, int], float] = {}
    for _, known in match_values(rules, iterations=GUESSES, most=GUESSED):
        guesses = {(each.mine, each.yours): (each.lower + each.upper) / 2 for each in known}
    return {state: match_stakes(rules, state, guesses) for state in guesses}


def _rounds(rules: PerudoRules) -> list[Perudo]:
    """Every round between two seats that a match by these rules can come to."""
    from dataclasses import replace

    from tahur.games.perudo.game import Perudo
    from tahur.games.perudo.round import first_round

    found = []
    states = sorted(((a, b) for a in range(1, rules.dice + 1) for b in range(1, rules.dice + 1)), key=sum)
    for state in states:
        plain = first_round(rules, state, 0, ())
        found.append(Perudo(plain))
        once = rules.palifico is not None and rules.palifico.once and rules.palifico.two_left
        if once and state[0] == 1:
            found.append(Perudo(replace(plain, palifico=True)))
    return found


def _is_small(game: Perudo) -> bool:
    from tahur.games.perudo.solved import known_ladder

    return known_ladder(game.round).size <= ON_NEED


def _kept(game: Perudo) -> bool:
    from tahur.players.perudo.equilibrium import kept_name, limited_file, whole_file

    name = kept_name(game.round)
    return whole_file(_folder(), name).exists() or limited_file(_folder(), name, 1).exists()


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


def _steps(rules: PerudoRules, iterations: int, most: int) -> Generator[float, None, list[MatchValue]]:
    from tahur.solvers.perudo.values import match_values

    found: list[MatchValue] = []
    for done, known in match_values(rules, iterations=iterations, most=most):
        found = known
        yield done
    return found
