"""A preflop chart as a 13x13 matrix in text, SVG or JSON; `tahur show` of a no-limit blueprint."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from tahur.cli.output import console, print_json

if TYPE_CHECKING:
    from tahur.cli.limit.show import OutputForm
    from tahur.show.actions import Picture
    from tahur.solvers.nolimit.blueprint import Blueprint
    from tahur.solvers.nolimit.chart import PreflopChart

SEATS: Final = ("button", "big blind")


@dataclass(frozen=True, slots=True, eq=False)
class ChartPage:
    """A chart with what is printed around it."""

    title: str
    names: tuple[str, ...]  # of the actions
    chart: PreflopChart

    def picture(self) -> Picture:
        from tahur.show.actions import Picture, actions_of

        return Picture(self.title, actions_of(self.names), self.chart.weights, self.chart.shares)

    def frequencies(self) -> dict[str, float]:
        """How often each action is taken, over all hands that come here."""
        return dict(zip(self.names, self.chart.frequencies, strict=True))

    def range_text(self, action: str) -> str:
        """The hands that take an action, as text that every range option reads."""
        from tahur.core.errors import UnknownName

        if action not in self.names:
            raise UnknownName(f"no action '{action}' here; valid: {', '.join(self.names)}")
        held = self.chart.range_of(self.names.index(action))
        if not len(held):
            raise UnknownName(f"no hand takes the action '{action}' here")
        return held.text()

    def hands(self) -> dict[str, Any]:
        """What each class of hands does, for JSON; with the values of the actions if they are known."""
        from tahur.cards.rankings import class_names

        hands: dict[str, Any] = {}
        for place, name in enumerate(class_names()):
            shares = self.chart.shares[:, place].tolist()
            hands[name] = {"reach": float(self.chart.weights[place])}
            hands[name]["probabilities"] = dict(zip(self.names, shares, strict=True))
            if self.chart.values is not None:
                hands[name]["values"] = dict(zip(self.names, self.chart.values[:, place].tolist(), strict=True))
        return hands

    def print(self) -> None:
        """Print the matrix, the frequencies and, if they are known, the values of each action but folding."""
        from tahur.show.actions import matrix_text, values_text

        picture, out = self.picture(), console()
        out.print(f"[bold]{self.title}[/]")
        out.print(matrix_text(picture))
        shares = zip(picture.actions, self.chart.frequencies, strict=True)
        out.print(", ".join(f"{action.letter} {action.name} {share:.1%}" for action, share in shares))
        for name, values in zip(self.names, [] if self.chart.values is None else self.chart.values, strict=False):
            if name != "fold":
                out.print(f"[bold]{name}[/], big blinds compared with folding")
                out.print(values_text(self.chart.weights, values), end="")

    def print_svg(self) -> None:
        from tahur.show.actions import matrix_svg

        sys.stdout.write(matrix_svg(self.picture()))


def show_blueprint(file: Path, at: str, form: OutputForm) -> None:
    """Print what every starting hand does after the actions of `at`: raise, all-in, call, fold."""
    from tahur.solvers.nolimit.blueprint import read_blueprint

    print_chart(read_blueprint(file), at, form, f"tahur show {file}")


def print_chart(blueprint: Blueprint, at: str, form: OutputForm, command: str) -> None:
    """Print the chart of a blueprint after the actions of `at`; command: what shows others, without its --at."""
    from tahur.cli.limit.show import OutputForm

    if form is OutputForm.HTML:
        raise typer.BadParameter("a blueprint is shown as text, --svg or --json")
    page, seat = chart_page(blueprint, at)
    if form is OutputForm.JSON:
        print_json(_as_json(blueprint, at, seat, page))
    elif form is OutputForm.SVG:
        page.print_svg()
    else:
        page.print()
        onward = [f"{at},{name}".lstrip(",") for name in page.names if name != "fold"]
        boards = f"Trained on {blueprint.training.boards:,} boards"
        console().print(f"[dim]{boards}. Next: {command} --at {onward[-1]}[/]")


def chart_page(blueprint: Blueprint, at: str) -> tuple[ChartPage, str]:
    """The chart of a blueprint after the actions of `at`, and the name of the seat to act."""
    from tahur.solvers.nolimit.chart import action_names, node_of, preflop_chart

    node = node_of(blueprint.tree, at)
    seat = SEATS[int(blueprint.tree.arrays.seat[node])]
    title = f"{seat}, {blueprint.depth:g} bb, {f'after {at}' if at else 'first to act'}"
    return ChartPage(title, action_names(blueprint.tree, node), preflop_chart(blueprint, node)), seat


def _as_json(blueprint: Blueprint, at: str, seat: str, page: ChartPage) -> dict[str, Any]:
    training = blueprint.training
    return {
        "depth": blueprint.depth,
        "rounds": training.rounds,
        "boards": training.boards,
        "seed": training.seed,
        "at": at,
        "seat": seat,
        "frequencies": page.frequencies(),
        "hands": page.hands(),
    }
