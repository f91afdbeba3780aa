"""`tahur postflop street truth`: measure what the bucket strategy loses on real flops, with every hand distinct."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.output import Json, console, note, print_json, warm

if TYPE_CHECKING:
    from tahur.games.holdem.textures import Texture
    from tahur.solvers.street.solve import SolvedTexture
    from tahur.solvers.street.truth import Truth

Source = Annotated[
    Path | None,
    typer.Option("--from", help="Read a file of `street solve -o` instead of solving again.", metavar="FILE"),
]
Averaged = Annotated[bool, typer.Option("--averaged", help="Use the averaged view: one table for facing any bet.")]


def read_solved(path: Path, only: str | None = None) -> dict[Texture, SolvedTexture]:
    """The textures in the file, or the requested one, with values and exploitabilities."""
    from tahur.core.errors import StrategyError
    from tahur.core.limits import parse_json, read_file
    from tahur.solvers.street.solve import evaluate_strategy
    from tahur.solvers.street.views import read_export

    try:
        payload = parse_json(read_file(path))
        stored = read_export(payload)
    except (OSError, ValueError) as error:
        raise StrategyError(f"{path} is not a file of `tahur postflop street solve -o`: {error}") from error
    if only is not None and only not in stored:
        raise StrategyError(f"{path} has no texture '{only}'; it has {', '.join(stored)}")
    chosen = [texture for texture in stored if only in (None, texture.value)]
    return {texture: evaluate_strategy(*stored[texture]) for texture in chosen}


FEWEST, MOST = 1, 100  # flops of a texture


def truth(
    flops: Annotated[
        str, typer.Option(help="Number of random flops of each texture; or the flops themselves: Kd9h4c,8s8d2c.")
    ] = "3",
    iterations: Annotated[
        int, typer.Option(help="Iterations of CFR+ for the bucket strategy of each texture.", min=1)
    ] = 10_000,
    seed: Annotated[int, typer.Option(help="Seed of the random flops.", min=0)] = 1,
    source: Source = None,
    averaged: Averaged = False,
    as_json: Json = False,
) -> None:
    """Measure the bucket strategy on real flops, with every hand distinct: what it loses in percent of the pot.

    tahur postflop street truth      tahur postflop street truth --flops Kd9h4c,8s8d2c

    The betting is the street's; turn and river are run out. Each flop is solved exactly, which takes about ten seconds.
    """
    chosen = _flops(flops, seed)
    stored = read_solved(source) if source is not None else None
    warm("solver")

    warm()
    truths: list[Truth] = []
    stopped = False
    try:
        strategies = BucketStrategies(stored, iterations, averaged)
        for truth in _truths(chosen, strategies):
            truths.append(truth)
    except KeyboardInterrupt:
        stopped = True
    if as_json:
        print_json({"flops": [_to_json(truth) for truth in truths], "textures": _by_texture(truths)})
    else:
        _print(truths)
    if stopped:
        note(f"stopped after {len(truths)} of {len(chosen)} flops")
        raise typer.Exit(130)


def _flops(asked: str, seed: int) -> list[tuple[int, ...]]:
    """The flops to compare on: a list of cards, or that many sampled ones."""
    import numpy as np

    from tahur.cards.cards import parse_cards
    from tahur.games.holdem.textures import check_flop
    from tahur.solvers.street.truth import sample_flops

    if asked.strip().isdecimal():
        if not FEWEST <= int(asked) <= MOST:
            raise typer.BadParameter(f"--flops {asked}: give {FEWEST} to {MOST} of each texture")
        return sample_flops(int(asked), np.random.default_rng(seed))
    flops: list[tuple[int, ...]] = [tuple(parse_cards(text)) for text in asked.split(",") if text.strip()]
    if not flops:
        raise typer.BadParameter("--flops is empty; write a number, or flops such as Kd9h4c,8s8d2c")
    for flop in flops:
        check_flop(flop)
    return flops


@dataclass(frozen=True, slots=True)
class BucketStrategies:
    """The bucket strategy of each texture: read from a file, or solved when it is first needed."""

    stored: dict[Texture, SolvedTexture] | None
    iterations: int
    averaged: bool
    known: dict[Texture, SolvedTexture] = field(default_factory=dict)

    def of(self, texture: Texture) -> SolvedTexture:
        from tahur.solvers.street.solve import averaged_view

        if texture not in self.known:
            solved = self._base(texture)
            self.known[texture] = averaged_view(solved) if self.averaged else solved
        return self.known[texture]

    def _base(self, texture: Texture) -> SolvedTexture:
        """The strategy on nine buckets for flops of this texture: stored, or solved now."""
        from tahur.core.errors import StrategyError
        from tahur.solvers.street.matrices import exact
        from tahur.solvers.street.solve import solve

        if self.stored is None:
            solved: SolvedTexture = _last(solve(exact(texture), iterations=self.iterations))
            return solved
        if texture not in self.stored:
            raise StrategyError(f"--from has no texture '{texture.value}'; it has {', '.join(self.stored)}")
        return self.stored[texture]


def _truths(flops: list[tuple[int, ...]], strategies: BucketStrategies) -> Iterator[Truth]:
    """Measure one flop after the other."""
    from tahur.cards.cards import cards_text
    from tahur.games.holdem.textures import texture_of
    from tahur.solvers.street.truth import flop_street
    from tahur.solvers.street.truth import truth as measured

    for at, flop in enumerate(flops, start=1):
        solved = strategies.of(texture_of(flop))
        note(f"flop {at} of {len(flops)}: {cards_text(flop)}, {solved.texture.value}")
        yield _last(measured(flop_street(flop), solved.strategy, solved.measure.value))


def _last(steps: Any) -> Any:
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value


def _to_json(truth: Truth) -> dict[str, Any]:
    """The comparison on one flop for `--json`."""
    from tahur.cards.cards import cards_text

    return {
        "flop": cards_text(truth.flop),
        "texture": truth.texture.value,
        "value": truth.value,
        "value_by_buckets": truth.believed,
        "loss": truth.loss,
        "loss_oop": truth.losses[0],
        "loss_ip": truth.losses[1],
        "exploitability": truth.exploitability,
        "exact_solution_exploitability": truth.exactness,
    }


def _by_texture(truths: list[Truth]) -> dict[str, dict[str, float]]:
    """The mean figures of the flops of each texture."""
    from tahur.games.holdem.textures import Texture

    means: dict[str, dict[str, float]] = {}
    for texture in Texture:
        members = [truth for truth in truths if truth.texture is texture]
        if members:
            means[texture.value] = {
                "flops": len(members),
                "loss": sum(truth.loss for truth in members) / len(members),
                "exploitability": sum(truth.exploitability for truth in members) / len(members),
            }
    return means


def _print(truths: list[Truth]) -> None:
    """Print the comparison on every flop as a table."""
    from rich.table import Table

    from tahur.cards.cards import cards_text

    out = console()
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    titles = ("texture", "flop", "value", "believed", "oop loses", "ip loses", "mean", "to best")
    for title in titles:
        table.add_column(title, justify="left" if title in titles[:2] else "right", no_wrap=True)
    for truth in truths:
        numbers = (truth.value, truth.believed, *truth.losses, truth.loss, truth.exploitability)
        table.add_row(truth.texture.value, cards_text(truth.flop), *(f"{number:.2%}" for number in numbers))
    out.print(table)
    for name, mean in _by_texture(truths).items():
        count = f"{mean['flops']} flop{'s' if mean['flops'] > 1 else ''}"
        lost = f"{mean['loss']:.2%} of the pot to the exact solution, {mean['exploitability']:.2%} to best responses"
        out.print(f"[bold]{name}[/], {count}: loses {lost}")
    out.print("[dim]value: to the seat out of position, in pots; believed: its value in the bucket game[/]")
    out.print("[dim]oop, ip: what that seat's buckets lose to the exact solution; to best: to best responses[/]")
