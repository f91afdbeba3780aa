"""Preflop charts for tables of more than two seats, and the list of named ranges."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.nolimit.solve import DEPTH, depth_of
from tahur.cli.output import Json, console, note, print_json

if TYPE_CHECKING:
    from tahur.cli.limit.show import OutputForm
    from tahur.cli.nolimit.show import ChartPage
    from tahur.solvers.nolimit.multiway.strategy import MultiwayStrategy

_COMMAND = "tahur cards preflop"


@dataclass(frozen=True, slots=True)
class MultiwayQuestion:
    """Which chart is asked for."""

    file: Path | None
    table: str  # 6max
    depth: str | None
    position: str | None
    line: str  # the actions before


def is_multiway(file: Path) -> bool:
    """Whether a file is a preflop strategy of `tahur preflop solve`."""
    from tahur.core.archive import PREFLOP, kind_of

    return kind_of(file) == PREFLOP.name


def show_multiway(question: MultiwayQuestion, action: str | None, form: OutputForm) -> None:
    """Print a chart, or the hands that take an action as a range."""
    from tahur.cli.limit.show import OutputForm
    from tahur.solvers.nolimit.multiway.lines import node_at, parse_line, position_of

    strategy, command = _strategy(question)
    tree, line = strategy.tree, parse_line(question.line)
    position = None if question.position is None else position_of(question.position, tree.seats)
    node = node_at(tree, line, position)
    page = _page(strategy, node)
    if action is not None:
        text = page.range_text(action)
        if form is OutputForm.JSON:
            print_json({"title": page.title, "action": action, "range": text})
        else:
            console().print(text, markup=False)
    elif form is OutputForm.JSON:
        print_json(_as_json(strategy, node, page))
    elif form is OutputForm.SVG:
        page.print_svg()
    else:
        page.print()
        _print_notes(strategy, node, command)


def _strategy(question: MultiwayQuestion) -> tuple[MultiwayStrategy, str]:
    """The strategy of a file or, without one, the nearest that is shipped; and the command that shows its charts."""
    from tahur.solvers.nolimit.multiway.situations import shipped_strategy
    from tahur.solvers.nolimit.multiway.strategy import read_strategy

    if question.file is not None:
        strategy = read_strategy(question.file)
        if question.depth is not None and depth_of(question.depth) != strategy.depth:
            raise typer.BadParameter(f"--depth {question.depth}: {question.file} is for {strategy.depth:g} bb")
        return strategy, f"{_COMMAND} chart {question.file}"
    wanted = depth_of(question.depth or DEPTH)
    strategy = shipped_strategy(question.table, wanted)
    if strategy.depth != wanted:
        note(f"there is no chart for {wanted:g} bb; this is the nearest, {strategy.depth:g} bb")
    return strategy, f"{_COMMAND} chart --format {question.table} --depth {strategy.depth:g}bb"


def _page(strategy: MultiwayStrategy, node: int) -> ChartPage:
    from tahur.cli.nolimit.show import ChartPage
    from tahur.solvers.nolimit.multiway.lines import words_to
    from tahur.solvers.nolimit.multiway.tree import action_names, position_names

    tree = strategy.tree
    position = position_names(tree.seats)[tree.tables[node].turn]
    before = ", ".join(step.text for step in words_to(tree, node))
    title = f"{position.upper()}, {tree.seats} seats, {tree.depth:g} bb, {f'after {before}' if before else 'first in'}"
    return ChartPage(title, action_names(tree, node), strategy.chart(node))


def _print_notes(strategy: MultiwayStrategy, node: int, command: str) -> None:
    """What the chart is worth, and the next useful command."""
    from tahur.solvers.nolimit.multiway.lines import words_to
    from tahur.solvers.nolimit.multiway.tree import position_names

    out, tree = console(), strategy.tree
    if strategy.is_rare(node):
        out.print(f"[yellow]rarely reached[/]: {strategy.arrivals[node]:,.0f} times in training; the chart is noisy")
    table = tree.tables[node]
    sizes = f"raise to {_raise_to(strategy, node)} bb, " if table.raises else ""
    out.print(f"[dim]{sizes}{_rake_text(strategy)}[/]", highlight=False)
    line = ",".join(step.text for step in words_to(tree, node))
    following = f"{position_names(tree.seats)[table.turn]}-{'raise' if table.raises else 'call'}"
    onward = ",".join(filter(None, (line, following)))
    out.print(f"[dim]Trained on {strategy.training.deals:,} deals. Next: {command} --vs {onward}[/]", highlight=False)


def _rake_text(strategy: MultiwayStrategy) -> str:
    rake = strategy.rake
    cap = "" if rake.cap == inf else f", at most {rake.cap:g} bb"
    return f"rake {rake.share:.2g} of a pot with a flop{cap}" if rake.share else "no rake"


def _raise_to(strategy: MultiwayStrategy, node: int) -> str:
    from tahur.solvers.nolimit.multiway.actions import CHIPS

    return f"{(strategy.tree.menu(node)[-1] - 1) / CHIPS:g}"


def _as_json(strategy: MultiwayStrategy, node: int, page: ChartPage) -> dict[str, Any]:
    from tahur.solvers.nolimit.multiway.lines import words_to
    from tahur.solvers.nolimit.multiway.strategy import rake_json
    from tahur.solvers.nolimit.multiway.tree import position_names

    tree = strategy.tree
    return {
        "seats": tree.seats,
        "depth": tree.depth,
        "rake": rake_json(strategy.rake),
        "deals": strategy.training.deals,
        "seed": strategy.training.seed,
        "line": ",".join(step.text for step in words_to(tree, node)),
        "position": position_names(tree.seats)[tree.tables[node].turn],
        "arrivals": round(float(strategy.arrivals[node])),
        "rarely_reached": strategy.is_rare(node),
        "frequencies": page.frequencies(),
        "hands": page.hands(),
    }


def ranges(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Print this range, such as btn-open or hu:bb-call-v-btn.")
    ] = None,
    table: Annotated[str, typer.Option("--format", help="The table: hu or 6max.")] = "6max",
    depth: Annotated[str, typer.Option(metavar="BB", help="Stacks.")] = DEPTH,
    as_json: Json = False,
) -> None:
    """List the names of preflop ranges, which can be written wherever a range can, or print one.

    tahur cards preflop ranges --format hu --depth 40bb      tahur cards preflop ranges sb-3bet-v-btn

    tahur postflop solve --ip btn-open --oop bb-call-v-btn --board Ks7h2d --pot 5.5bb --stack 97.5bb
    """
    from tahur.cards.named_ranges import named_ranges, named_weights
    from tahur.cards.ranges import Range

    if name is not None:
        held = Range.from_vector(named_weights(name))
        if as_json:
            print_json({"name": name, "share": held.combos / len(held.vector), "range": held.text()})
        else:
            console().print(held)
            console().print(f"{held.text()}\n[dim]{held.combos / len(held.vector):.1%} of all hands[/]")
        return
    wanted = depth_of(depth)
    entries = [entry for entry in named_ranges() if (entry.name.table, entry.name.depth) == (table, wanted)]
    if not entries:
        known = sorted({(entry.name.table, entry.name.depth) for entry in named_ranges()})
        valid = ", ".join(f"--format {held} --depth {stacks}bb" for held, stacks in known)
        raise typer.BadParameter(f"no ranges for {table} at {wanted:g} bb; valid: {valid}")
    if as_json:
        print_json(
            [
                {"name": entry.name.text, "share": _share(entry.weights), "rarely_reached": entry.is_rare}
                for entry in entries
            ]
        )
        return
    out = console()
    for entry in entries:
        mark = "  [yellow]rarely reached[/]" if entry.is_rare else ""
        out.print(f"{entry.name.text:36} {_share(entry.weights):6.1%}{mark}", highlight=False)
    out.print("[dim]The share of all hands. Next: tahur postflop solve --ip btn-open --oop bb-call-v-btn ...[/]")


def _share(weights: Any) -> float:
    """The share of all hands in a range of 169 classes."""
    from tahur.solvers.nolimit.multiway.strategy import share_of_combos

    return share_of_combos(weights)
