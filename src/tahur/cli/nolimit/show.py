"""`tahur show` of a no-limit blueprint: the preflop chart of a decision as a 13x13 matrix."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from tahur.cli.output import console, print_json

if TYPE_CHECKING:
    from tahur.cli.limit.show import OutputForm
    from tahur.show.actions import Picture
    from tahur.solvers.nolimit.blueprint import Blueprint

SEATS: Final = ("button", "big blind")


def show_blueprint(file: Path, at: str, form: OutputForm) -> None:
    """Print what every starting hand does after the actions of `at`: raise, all-in, call, fold."""
    from tahur.cli.limit.show import OutputForm
    from tahur.show.actions import matrix_svg, matrix_text
    from tahur.solvers.nolimit.blueprint import read_blueprint
    from tahur.solvers.nolimit.chart import action_names, node_of, preflop_chart

    if form is OutputForm.HTML:
        raise typer.BadParameter("a blueprint is shown as text, --svg or --json")
    blueprint = read_blueprint(file)
    node = node_of(blueprint.tree, at)
    chart = preflop_chart(blueprint, node)
    names = action_names(blueprint.tree, node)
    seat = SEATS[int(blueprint.tree.arrays.seat[node])]
    title = f"{seat}, {blueprint.depth:g} bb, {f'after {at}' if at else 'first to act'}"
    if form is OutputForm.JSON:
        print_json(_as_json(blueprint, at, seat, names, chart))
    elif form is OutputForm.SVG:
        sys.stdout.write(matrix_svg(_picture(title, names, chart)))
    else:
        picture, out = _picture(title, names, chart), console()
        out.print(f"[bold]{title}[/]")
        out.print(matrix_text(picture))
        shares = zip(picture.actions, chart.frequencies, strict=True)
        out.print(", ".join(f"{action.letter} {action.name} {share:.1%}" for action, share in shares))
        onward = [f"{at},{name}".lstrip(",") for name in names if name != "fold"]
        out.print(f"[dim]Trained on {blueprint.training.boards:,} boards. Next: tahur show {file} --at {onward[-1]}[/]")


def _picture(title: str, names: tuple[str, ...], chart: Any) -> Picture:
    from tahur.show.actions import Picture, actions_of

    return Picture(title, actions_of(names), chart.weights, chart.shares)


def _as_json(blueprint: Blueprint, at: str, seat: str, names: tuple[str, ...], chart: Any) -> dict[str, Any]:
    from tahur.cards.rankings import class_names

    training = blueprint.training
    hands = {
        name: {"reach": weight, "probabilities": dict(zip(names, mix, strict=True))}
        for name, weight, mix in zip(class_names(), chart.weights.tolist(), chart.shares.T.tolist(), strict=True)
    }
    return {
        "depth": blueprint.depth,
        "rounds": training.rounds,
        "boards": training.boards,
        "seed": training.seed,
        "at": at,
        "seat": seat,
        "frequencies": dict(zip(names, chart.frequencies, strict=True)),
        "hands": hands,
    }
