"""`tahur show`: print a solved strategy, decision by decision."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.nolimit.show import show_blueprint
from tahur.cli.output import Json, console, print_json
from tahur.cli.perudo.rounds import show_round

if TYPE_CHECKING:
    from tahur.core.solution import Facts
    from tahur.core.spots import DecisionTable, SolvedGame

MOST_ON_A_PAGE = 300  # spots
LINE = "raise,call"  # the default line before the flops


_LIMIT = "Limit hold'em: "
Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE",
        help="A file or folder written by tahur solve or train: leduc.tahur, fhp_nets. With --trace, several.",
    ),
]
At = Annotated[
    str | None,
    typer.Option(
        "--at", metavar="LINE", help="The actions so far, separated by commas: check,bet. Prefixes are accepted."
    ),
]
Preflop = Annotated[bool, typer.Option("--preflop", help=f"{_LIMIT}only first in and facing a raise.")]
Flops = Annotated[
    int | None, typer.Option(metavar="N", help=f"{_LIMIT}number of flops of all kinds, 24 by default.", min=1)
]
OneFlop = Annotated[str, typer.Option("--flop", metavar="CARDS", help=f"{_LIMIT}this flop, every hand: Td9d6h.")]
Line = Annotated[str, typer.Option(help=f"{_LIMIT}actions before the flops, such as raise,raise,call.")]
Trace = Annotated[
    bool, typer.Option("--trace", help=f"{_LIMIT}chosen hands over the files; a .jsonl is a training log.")
]
Spots = Annotated[
    str | None, typer.Option(metavar="SPOTS", help="For --trace: 'first-in AA, facing-raise K9s, raise,raise 72o'.")
]
Svg = Annotated[bool, typer.Option("--svg", help="Print it as an SVG picture.")]
Html = Annotated[bool, typer.Option("--html", help="Print it as a self-contained HTML page.")]


def show(
    files: Files,
    at: At = None,
    preflop: Preflop = False,
    flops: Flops = None,
    flop: OneFlop = "",
    line: Line = LINE,
    trace: Trace = False,
    spots: Spots = None,
    svg: Svg = False,
    html: Html = False,
    as_json: Json = False,
) -> None:
    """Show a strategy file: at one decision, what each hand does, and its reach.

    For limit hold'em: both first decisions as 13x13 matrices, and the play on flops of every kind.

    tahur show leduc.tahur --at check,raise      tahur show kuhn.tahur --html > kuhn.html

    tahur show fhp.tahur --preflop      tahur show fhp.tahur --flop Td9d6h --svg > flop.svg

    tahur show fhp.tahur --at raise,call,Ks8s3d,check      tahur show hulh_nets --preflop --flops 24

    tahur show --trace early.tahur late.tahur run/log.jsonl --spots "first-in J4s, facing-raise K9s" --svg > trace.svg

    tahur show --trace hulh_nets --svg > nets.svg      tahur show nlhe.tahur --at raise,raise
    """
    from tahur.cli.limit import show as limit_show
    from tahur.cli.limit.show import LOG

    if svg + html + as_json > 1:
        raise typer.BadParameter("give at most one of --json, --svg and --html")
    form = limit_show.OutputForm.of(svg=svg, html=html, as_json=as_json)
    if trace or spots is not None or all(name.endswith(LOG) for name in files):
        limit_show.show_trace(files, spots, form)
        return
    if len(files) > 1:
        raise typer.BadParameter(f"{len(files)} files given; give one, or several with --trace")
    picked = preflop or flops is not None or bool(flop) or line != LINE
    if picked and at is not None:
        raise typer.BadParameter("--at is for one decision; it excludes --preflop, --flops, --flop and --line")
    if _is_blueprint(files[0]):
        if picked:
            raise typer.BadParameter("a blueprint is shown at one decision: --at raise,raise")
        show_blueprint(Path(files[0]), at or "", form)
    elif limit_show.is_limit(files[0]):
        parts = limit_show.parts_to_show(preflop=preflop, flops=flops, flop=flop, line=line)
        limit_show.show_limit(files[0], at, parts, form)
    elif picked:
        raise typer.BadParameter("--preflop, --flops, --flop and --line are for strategies of limit hold'em")
    else:
        _show(Path(files[0]), at or "", svg=svg, html=html, as_json=as_json)


def _is_blueprint(name: str) -> bool:
    from tahur.core.archive import BLUEPRINT, kind_of

    return kind_of(Path(name)) == BLUEPRINT.name


def _show(file: Path, at: str, *, svg: bool, html: bool, as_json: bool) -> None:
    """Show a strategy of a game that was solved as a whole."""
    from tahur.core.solution import read_solution
    from tahur.core.spots import SolvedGame
    from tahur.games.perudo.solved import is_round_file
    from tahur.games.registry import make

    if is_round_file(file):
        if svg or html:
            raise typer.BadParameter("a solved round of perudo is shown as text or as --json")
        show_round(file, at, as_json=as_json)
        return
    solution = read_solution(file)
    game: Any = make(solution.facts.game, solution.facts.settings)
    study = SolvedGame(solution, game)
    node = study.line(at)
    if html:
        sys.stdout.write(_page(study, node))
        return
    spot = study.spot(node)
    if as_json:
        keys = ("game", "settings", "schedule", "iterations", "exploitability", "nashconv", "value", "unit")
        print_json({**{key: getattr(solution.facts, key) for key in keys}, **spot_json(spot)})
    elif svg:
        from tahur.show.strategy import spot_svg

        sys.stdout.write(spot_svg(spot, solution.facts))
    else:
        _print(file, spot, solution.facts)


def _print(file: Path, spot: DecisionTable, facts: Facts) -> None:
    """Print a decision of a solved game, and how to see the next ones."""
    from tahur.show.strategy import figures_of, onward_table, spot_table, title_of

    out = console()
    out.print(f"[dim]{figures_of(facts)}[/]")
    out.print(f"[bold]{title_of(spot)}[/]")
    out.print(spot_table(spot))
    out.print("[dim]percent; reach: of a hand, by its own actions alone; the last row weights all hands by reach[/]")
    if spot.onward:
        out.print()
        out.print(onward_table(spot.onward))
        line = next((",".join(successor.line) for successor in spot.onward if successor.turn >= 0), None)
        if line is not None:
            out.print(f"Next: [bold]tahur show {file} --at '{line}'[/]")


def _page(study: SolvedGame, node: int) -> str:
    """An HTML page of a decision and those below it; only the next ones if there are too many."""
    from tahur.show.strategy import page_html

    below = study.below(node)
    depth = len(study.solution.history(node))
    next_nodes = [later for later in below if len(study.solution.history(later)) == depth + 1]
    listed = below if len(below) <= MOST_ON_A_PAGE else next_nodes
    spots = [study.spot(shown) for shown in (node, *listed)]
    return page_html(spots, study.solution.facts, left_out=len(below) - len(listed))


def spot_json(spot: DecisionTable) -> dict[str, Any]:
    """A decision for `--json`: its line, and the probabilities of each hand."""
    return {
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
            {
                "line": list(successor.line),
                "frequency": successor.frequency,
                "seat": successor.turn if successor.turn >= 0 else None,
            }
            for successor in spot.onward
        ],
    }
