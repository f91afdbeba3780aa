"""`tahur cards preflop`: preflop charts of solved strategies, and exact push-or-fold equilibria."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tahur.cli.commands import command_group
from tahur.cli.nolimit.multiway import MultiwayQuestion, is_multiway, ranges, show_multiway
from tahur.cli.nolimit.multiway_solve import solve_preflop
from tahur.cli.nolimit.solve import DEPTH, depth_of
from tahur.cli.output import Json, console, note, print_json, warm

if TYPE_CHECKING:
    from tahur.cli.limit.show import OutputForm
    from tahur.cli.nolimit.show import ChartPage
    from tahur.solvers.nolimit.blueprint import Blueprint
    from tahur.solvers.nolimit.push_fold import PushFoldEquilibrium

HEADS_UP, SIX_MAX = "hu", "6max"
FORMATS: Final = (HEADS_UP, SIX_MAX)
SMALL, BIG, BOTH = "sb", "bb", "both"
SEAT_NAMES: Final = {SMALL: "small blind", BIG: "big blind"}

preflop = command_group("Preflop charts and ranges of solved strategies, and exact push-or-fold equilibria.")
preflop.command("ranges")(ranges)
preflop.command("solve")(solve_preflop)

Svg = Annotated[bool, typer.Option("--svg", help="Print the picture as SVG.")]
RangeOf = Annotated[
    str | None,
    typer.Option("--range", metavar="ACTION", help="Print only the hands that take this action, as a range."),
]


@preflop.command("chart")
def chart(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A file of `tahur solve nlhe`; by default a shipped one.")
    ] = None,
    table: Annotated[
        str | None, typer.Option("--format", help="The table: hu (two seats, the default) or 6max (six seats).")
    ] = None,
    depth: Annotated[
        str | None, typer.Option(metavar="BB", help=f"Stacks of the shipped strategy; {DEPTH} by default.")
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--vs",
            metavar="BET",
            help="Facing limp, open, 3bet, 4bet or all-in; with 6max the actions before: btn-open,sb-3bet.",
        ),
    ] = None,
    position: Annotated[
        str | None,
        typer.Option(help="With 6max, whose decision: utg, hj, co, btn, sb or bb. By default the next to act."),
    ] = None,
    at: Annotated[
        str | None, typer.Option("--at", metavar="LINE", help="The actions so far, separated by commas: raise,raise.")
    ] = None,
    action: RangeOf = None,
    svg: Svg = False,
    as_json: Json = False,
) -> None:
    """What each starting hand does at a decision before the flop, as a 13x13 chart.

    --range prints the hands that take an action as text that `tahur postflop solve --oop` and all other range options
    read, weighted with the probability of the seat's earlier actions.

    tahur cards preflop chart --depth 40bb      tahur cards preflop chart --vs open --svg > call.svg
    tahur cards preflop chart nlhe.tahur --at raise,raise --range call

    tahur cards preflop chart --format 6max --position btn

    tahur cards preflop chart --format 6max --vs btn-open,sb-3bet --range call
    """
    from tahur.cli.limit.show import OutputForm

    form = OutputForm.of(svg=svg, html=False, as_json=as_json)
    if _format(file, table) == SIX_MAX:
        if at is not None:
            raise typer.BadParameter("--at is for two seats; name the actions before with --vs: btn-open,sb-3bet")
        question = MultiwayQuestion(file=file, table=SIX_MAX, depth=depth, position=position, line=against or "")
        show_multiway(question, action, form)
        return
    if position is not None:
        raise typer.BadParameter("--position is for --format 6max; for two seats use --vs or --at")
    if against is not None and at is not None:
        raise typer.BadParameter("--vs and --at both choose the decision; give one of them")
    _show_heads_up(_strategy(file, depth), against, at, action, form)


def _format(file: Path | None, table: str | None) -> str:
    """The table whose chart is asked for; that of the file, if one is given."""
    if table not in (None, *FORMATS):
        raise typer.BadParameter(f"--format {table}: there are charts for {', '.join(FORMATS)}")
    if file is None:
        return table or HEADS_UP
    held = SIX_MAX if is_multiway(file) else HEADS_UP
    if table not in (None, held):
        raise typer.BadParameter(f"--format {table}: {file} has its own table; leave --format out")
    return held


def _show_heads_up(
    strategy: tuple[Blueprint, str], against: str | None, at: str | None, action: str | None, form: OutputForm
) -> None:
    """Print a chart of a blueprint, or the hands that take an action as a range."""
    from tahur.cli.limit.show import OutputForm
    from tahur.cli.nolimit.show import chart_page, print_chart
    from tahur.solvers.nolimit.chart import line_facing

    blueprint, command = strategy
    line = line_facing(blueprint.tree, against) if against is not None else _joined(at or "")
    if action is not None:
        _print_range(chart_page(blueprint, line)[0], action, as_json=form is OutputForm.JSON)
    else:
        print_chart(blueprint, line, form, command)


def _strategy(file: Path | None, depth: str | None) -> tuple[Blueprint, str]:
    """The blueprint of a file or, without one, the nearest that is shipped; and the command that shows its charts."""
    from tahur.solvers.nolimit.blueprint import read_blueprint
    from tahur.solvers.nolimit.shipped import shipped

    if file is None:
        wanted = depth_of(depth or DEPTH)
        blueprint = read_blueprint(shipped(wanted))
        if blueprint.depth != wanted:
            note(f"there is no chart for {wanted:g} bb; this is the nearest, {blueprint.depth:g} bb")
        return blueprint, f"tahur cards preflop chart --depth {blueprint.depth:g}bb"
    blueprint = read_blueprint(file)
    if depth is not None and depth_of(depth) != blueprint.depth:
        raise typer.BadParameter(f"--depth {depth}: {file} is for {blueprint.depth:g} bb; leave --depth out")
    return blueprint, f"tahur cards preflop chart {file}"


def _joined(line: str) -> str:
    """A line without spaces and empty words."""
    return ",".join(word for word in re.split(r"[,\s]+", line.strip()) if word)


def _print_range(page: ChartPage, action: str, *, as_json: bool) -> None:
    text = page.range_text(action)
    if as_json:
        print_json({"title": page.title, "action": action, "range": text})
    else:
        console().print(text, markup=False)


@preflop.command("push-fold")
def push_fold(
    depth: Annotated[str, typer.Option(metavar="BB", help="Stacks of both seats before the blinds.")] = "10bb",
    seat: Annotated[str, typer.Option(help="The chart to print: sb, bb or both.")] = BOTH,
    action: RangeOf = None,
    svg: Svg = False,
    as_json: Json = False,
) -> None:
    """The exact equilibrium for two seats if the small blind goes all-in or folds, and the big blind calls or folds.

    Solved now, over the 169 starting hands with exact equities and card removal, until best responses win less than a
    millionth of a big blind. Values are in big blinds.

    tahur cards preflop push-fold --depth 8bb      tahur cards preflop push-fold --range call
    tahur cards preflop push-fold --depth 12bb --seat sb --svg > push.svg
    """
    from tahur.solvers.nolimit.push_fold import solve_push_fold

    if seat not in (*SEAT_NAMES, BOTH):
        raise typer.BadParameter(f"--seat {seat}: give {', '.join(SEAT_NAMES)} or {BOTH}")
    warm("card")
    found = solve_push_fold(depth_of(depth))
    pages = _pages(found)
    if action is not None:
        wanted = [page for name, page in pages.items() if action in page.names and seat in (name, BOTH)]
        if len(wanted) != 1:
            raise typer.BadParameter(f"--range {action}: give all-in, call, or fold with --seat")
        _print_range(wanted[0], action, as_json=as_json)
    elif as_json:
        print_json(_push_fold_json(found, pages))
    elif svg:
        if seat == BOTH:
            raise typer.BadParameter("--svg prints one chart: add --seat sb or --seat bb")
        pages[seat].print_svg()
    else:
        for name, page in pages.items():
            if seat in (name, BOTH):
                page.print()
        out = console()
        out.print(f"the small blind wins {found.value:+.4f} bb a hand; folding costs it 0.5, the big blind 1")
        out.print(f"[dim]exploitability {found.exploitability:.1e} bb after {found.iterations:,} iterations[/]")


def _pages(found: PushFoldEquilibrium) -> dict[str, ChartPage]:
    """The charts of both seats."""
    from tahur.cli.nolimit.show import ChartPage

    small, big = found.charts()
    return {
        SMALL: ChartPage(f"small blind, {found.depth:g} bb, all-in or fold", ("fold", "all-in"), small),
        BIG: ChartPage(f"big blind, {found.depth:g} bb, facing all-in", ("fold", "call"), big),
    }


def _push_fold_json(found: PushFoldEquilibrium, pages: dict[str, ChartPage]) -> dict[str, Any]:
    charts = [
        {"seat": SEAT_NAMES[name], "frequencies": page.frequencies(), "hands": page.hands()}
        for name, page in pages.items()
    ]
    return {
        "depth": found.depth,
        "value": found.value,
        "exploitability": found.exploitability,
        "iterations": found.iterations,
        "unit": "big blinds",
        "charts": charts,
    }
