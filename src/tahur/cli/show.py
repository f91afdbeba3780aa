"""`tahur show`: a solved strategy as a person reads it, decision by decision."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.output import Json, console, print_json

if TYPE_CHECKING:
    from tahur.core.solution import Facts
    from tahur.core.spots import Spot, Study

MOST_ON_A_PAGE = 300  # spots


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
    """
    from tahur.core.spots import Study
    from tahur.core.strategy_file import read_solution
    from tahur.games.registry import make

    if svg + html + as_json > 1:
        raise typer.BadParameter("one of --json, --svg and --html at a time")
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
