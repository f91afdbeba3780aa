"""`tahur show`: a solved strategy as a person reads it, decision by decision."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.output import Json, console, print_json
from tahur.cli.perudo_rounds import show_round

if TYPE_CHECKING:
    from tahur.core.solution import Facts
    from tahur.core.spots import Spot, Study
    from tahur.show.actions import Picture

MOST_ON_A_PAGE = 300  # spots
HARDLY = 0.005  # a hand that comes somewhere less often than this is left out of the matrix


def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What tahur solve wrote, such as leduc.tahur.")],
    at: Annotated[
        str, typer.Option("--at", metavar="LINE", help="What was played, with commas: check,bet. Beginnings will do.")
    ] = "",
    svg: Annotated[bool, typer.Option("--svg", help="Print the table as an SVG picture.")] = False,
    html: Annotated[bool, typer.Option("--html", help="Print a page with this decision and those below it.")] = False,
    as_json: Json = False,
) -> None:
    """A strategy file as a table: at one decision, what each hand does and how often it comes there.

    tahur show leduc.tahur      tahur show leduc.tahur --at check,raise      tahur show kuhn.tahur --html > kuhn.html
    tahur show fhp.tahur --at raise,call,Ks8s3d,check
    """
    from tahur.core.block_file import kind_of
    from tahur.core.spots import Study
    from tahur.core.strategy_file import read_solution
    from tahur.games.perudo.solved import is_round_file
    from tahur.games.registry import make

    if svg + html + as_json > 1:
        raise typer.BadParameter("one of --json, --svg and --html at a time")
    if kind_of(file) is not None:
        _show_flop(file, at, svg=svg, html=html, as_json=as_json)
        return
    if is_round_file(file):
        if svg or html:
            raise typer.BadParameter("a solved round of perudo is shown as text or as --json")
        show_round(file, at, as_json=as_json)
        return
    solution = read_solution(file)
    game: Any = make(solution.facts.game, solution.facts.settings)
    study = Study(solution, game)
    node = study.line(at)
    if html:
        sys.stdout.write(_page(study, node))
        return
    spot = study.spot(node)
    if as_json:
        print_json(_json(spot, solution.facts))
    elif svg:
        from tahur.show.strategy import spot_svg

        sys.stdout.write(spot_svg(spot, solution.facts))
    else:
        _print(file, spot, solution.facts)


def _print(file: Path, spot: Spot, facts: Facts) -> None:
    from tahur.show.strategy import figures_of, onward_table, spot_table, title_of

    out = console()
    out.print(f"[dim]{figures_of(facts)}[/]")
    out.print(f"[bold]{title_of(spot)}[/]")
    out.print(spot_table(spot))
    out.print(
        "[dim]percent; a hand comes here so often when the others let it, the last row counts all hands as they come[/]"
    )
    if spot.onward:
        out.print()
        out.print(onward_table(spot.onward))
        line = next((",".join(each.line) for each in spot.onward if each.turn >= 0), None)
        if line is not None:
            out.print(f"Next: [bold]tahur show {file} --at '{line}'[/]")


def _show_flop(file: Path, at: str, *, svg: bool, html: bool, as_json: bool) -> None:
    """Flop Hold'em: the 169 hands as a matrix."""
    from tahur.games.holdem.flop_study import FlopStudy
    from tahur.games.holdem.flop_table import read_flop_table
    from tahur.show.actions import matrix_svg, matrix_text
    from tahur.show.strategy import figures_of, onward_table, page_html, spot_table, title_of

    table = read_flop_table(file)
    spot, facts = FlopStudy(table, table.game).spot(at), table.facts
    if as_json:
        print_json(_json(spot, facts))
    elif html:
        sys.stdout.write(page_html([spot], facts))
    elif svg:
        sys.stdout.write(matrix_svg(_picture(spot)))
    else:
        out = console()
        out.print(f"[dim]{figures_of(facts)}[/]")
        out.print(f"[bold]{title_of(spot)}[/], {100 * spot.frequency:.3g} % of all deals")
        out.print(matrix_text(_picture(spot)))
        out.print(spot_table(replace(spot, rows=())))
        if spot.onward:
            out.print(onward_table(spot.onward))
        out.print(f"[dim]Flops: --at 'raise,call,Ks8s3d'. Every figure: tahur show {file} --json[/]")


def _picture(spot: Spot) -> Picture:
    """The 13x13 matrix; a hand's weight is how often its owner comes here, nothing if that is hardly ever."""
    import numpy as np

    from tahur.cards.rankings import class_names
    from tahur.show.actions import Picture, actions_of
    from tahur.show.strategy import title_of

    place = {name: number for number, name in enumerate(class_names())}
    weights, shares = np.zeros(len(place)), np.zeros((len(spot.actions), len(place)))
    for row in spot.rows:
        weights[place[row.text]] = row.reach if row.reach >= HARDLY else 0.0
        shares[:, place[row.text]] = row.chances
    names = [label.split()[0] for label in spot.actions]
    return Picture(title_of(spot), actions_of(names), weights, shares)


def _page(study: Study, node: int) -> str:
    from tahur.show.strategy import page_html

    below = study.below(node)
    near = [each for each in below if len(study.solution.history(each)) == len(study.solution.history(node)) + 1]
    listed = below if len(below) <= MOST_ON_A_PAGE else near
    spots = [study.spot(each) for each in (node, *listed)]
    return page_html(spots, study.solution.facts, left_out=len(below) - len(listed))


def _json(spot: Spot, facts: Facts) -> dict[str, Any]:
    keys = ("game", "settings", "schedule", "iterations", "exploitability", "nashconv", "value", "unit")
    return {
        **{key: getattr(facts, key) for key in keys},
        "line": list(spot.line),
        "seat": spot.seat,
        "frequency": spot.frequency,
        "actions": list(spot.actions),
        "average": dict(zip(spot.actions, spot.average, strict=True)),
        "hands": [
            {
                "hand": row.text,
                "reach": row.reach,
                "share": row.share,
                "probabilities": dict(zip(spot.actions, row.chances, strict=True)),
            }
            for row in spot.rows
        ],
        "onward": [
            {"line": list(each.line), "frequency": each.frequency, "seat": each.turn if each.turn >= 0 else None}
            for each in spot.onward
        ],
    }
