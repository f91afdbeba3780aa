"""`tahur postflop street`: solve one street of betting over nine buckets of hands, show and compare the solution."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.commands import command_group
from tahur.cli.output import Json, console, print_json, warm, watch
from tahur.cli.postflop.street_truth import Averaged, Source, read_solved, truth

if TYPE_CHECKING:
    from tahur.show.street import Rows
    from tahur.solvers.street.baseline import Difference
    from tahur.solvers.street.matrices import Matrices
    from tahur.solvers.street.solve import CurvePoint, SolvedTexture

street = command_group("Solve one street of betting on a flop exactly: hands in nine buckets, flops in five textures.")

street.command("truth")(truth)

Sampled = Annotated[bool, typer.Option("--sampled", help="Equities from random deals instead of exact ones.")]
Independent = Annotated[
    bool, typer.Option("--independent", help="Deal the two hands independently, without card removal.")
]
OrdinalFallback = Annotated[
    bool,
    typer.Option(
        "--ordinal-fallback",
        help="Give pairs of buckets that never met equities of 0.75 and 0.25; by default they are not dealt.",
    ),
]
Iterations = Annotated[int, typer.Option(help="Iterations of CFR+ for each texture.", min=1)]
Seed = Annotated[int, typer.Option(help="Seed for --sampled.", min=0)]
LEAST_MOVE = 0.01  # smallest change of a frequency that is printed


@street.command("solve")
def solve_(
    sampled: Sampled = False,
    independent: Independent = False,
    ordinal_fallback: OrdinalFallback = False,
    iterations: Iterations = 10_000,
    seed: Seed = 1,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write everything to a JSON file.")] = None,
    as_json: Json = False,
) -> None:
    """Solve all five textures and report the exploitability of each view of the result, in pots.

    tahur postflop street solve      tahur postflop street solve --sampled --seed 7 -o strategies.json
    """
    solved = list(
        _solve_textures(iterations, seed, sampled=sampled, independent=independent, ordinal_fallback=ordinal_fallback)
    )
    if output is not None:
        _write(output, solved, seed if sampled else None)
    if as_json:
        print_json({"textures": {result.texture.value: _to_json(result) for result in solved}} | _file(output))
        return
    out = console()
    out.print(_table(solved))
    unseen = [f"{result.texture}: {len(result.matrices.unseen)}" for result in solved if result.matrices.unseen]
    if unseen:
        out.print(f"[dim]pairs of buckets that never met, and are not dealt: {', '.join(unseen)}[/]")
    out.print("[dim]exploitability is (BR1+BR2)/2 in pots; the averaged view has one table for facing any bet[/]")
    out.print("[dim]oop: the first seat, betting first; ip: the second seat, after a check[/]")
    shown = f" --from {output}" if output else ""
    out.print(f"{f'written to {output}. ' if output else ''}Next: [bold]tahur postflop street show wet{shown}[/]")


@street.command("show")
def show(
    texture: Annotated[str, typer.Argument(help="monotone, paired, wet, high_dry or low_dry.")],
    table: Annotated[str | None, typer.Option(help="One table only, such as first or ip_facing_bet_m.")] = None,
    iterations: Iterations = 10_000,
    source: Source = None,
    averaged: Averaged = False,
    svg: Annotated[bool, typer.Option("--svg", help="Print the picture as SVG.")] = False,
    as_json: Json = False,
) -> None:
    """Show what each bucket does on each of the fourteen tables of a texture.

    tahur postflop street show wet      tahur postflop street show low_dry --table first --svg > first.svg
    tahur postflop street solve -o strategies.json && tahur postflop street show wet --from strategies.json --averaged

    A bucket that cannot occur on the texture has no strategy: it is shown as -- and is null in JSON.
    """
    from tahur.show.street import rows_svg, rows_table

    solved = next(_solve_textures(iterations, 1, only=texture, source=source, averaged=averaged))
    pictures = list(_pictures(solved, table))
    if as_json:
        print_json(_show_json(solved, pictures, averaged=averaged))
    elif svg:
        print(rows_svg(pictures))
    else:
        out = console()
        for rows in pictures:
            out.print(rows_table(rows))
            out.print()
        view = "averaged view, lossy" if averaged else "solved"
        worth = f"value to the first seat {solved.measure.value:+.5f} pots"
        out.print(f"[dim]{texture}, {view}: {worth}, exploitability {solved.measure.exploitability:.1e} pots[/]")


def _show_json(solved: SolvedTexture, pictures: list[Rows], *, averaged: bool) -> dict[str, Any]:
    """The solved strategies of a texture for `--json`."""
    tables = {
        rows.title: {
            hand: None if shares is None else dict(zip(rows.actions, shares, strict=True))
            for hand, shares in rows.hands.items()
        }
        for rows in pictures
    }
    head = {"texture": solved.texture.value, "view": "averaged_facing_bet" if averaged else "solved"}
    return head | {"exploitability": solved.measure.exploitability, "tables": tables}


@street.command("classify")
def classify(
    hand: Annotated[str, typer.Argument(help="Two cards: TdTh.")],
    flop: Annotated[str, typer.Argument(help="Three cards: Tc7d2s.")],
    as_json: Json = False,
) -> None:
    """The texture of a flop and the bucket of a hand on it, with reasons.

    tahur postflop street classify TdTh Tc7d2s
    """
    from tahur.cards.cards import parse_cards
    from tahur.games.holdem.buckets import classify as classified
    from tahur.games.holdem.textures import read_flop

    cards, board = parse_cards(hand), parse_cards(flop)
    bucket, reading = classified(cards, board), read_flop(board)
    if as_json:
        payload = {"texture": reading.texture.value, "texture_reason": reading.reason}
        print_json(payload | {"bucket": bucket.bucket.label, "reason": bucket.reason})
        return
    out = console()
    out.print(f"[bold]{reading.texture.value}[/]  {reading.reason}")
    out.print(f"[bold]{bucket.bucket.label}[/]  {bucket.reason}")


@street.command("compare")
def compare(
    iterations: Iterations = 10_000,
    source: Source = None,
    averaged: Averaged = False,
    every: Annotated[bool, typer.Option("--all", help="Every row, not only those above 15 %.")] = False,
    as_json: Json = False,
) -> None:
    """Compare the solution with hand-tuned play: where they differ, and the exploitability of both.

    tahur postflop street compare      tahur postflop street compare --from strategies.json --all --json

    A row reads "check 35 % -> 99 %": hand-tuned play checks 35 % of the time, the solution 99 %.
    """
    from tahur.solvers.street.baseline import baseline
    from tahur.solvers.street.baseline import compare as compared
    from tahur.solvers.street.solve import exploitability

    payload: dict[str, Any] = {}
    out = console()
    for solved in _solve_textures(iterations, 1, source=source, averaged=averaged):
        tuned = baseline(solved.texture)
        rows = sorted(compared(solved.game, tuned, solved.strategy), key=lambda row: -row.distance)
        chosen = [row for row in rows if every or row.flagged]
        cost = exploitability(solved.game, tuned)
        payload[solved.texture.value] = {
            "solved": solved.measure.exploitability,
            "hand_tuned": cost,
            "rows": len(rows),
            "differences": [_difference_json(row) for row in chosen],
        }
        if not as_json:
            flagged = f"{len(chosen)} of {len(rows)} rows {'shown' if every else 'differ by more than 15 %'}"
            costs = f"exploitability: solved {solved.measure.exploitability:.1e} pots, hand-tuned {cost:.3f}"
            out.print(f"[bold]{solved.texture.value}[/]  {flagged}; {costs}")
            for row in chosen[: None if every else 5]:
                out.print(f"  {row.distance:4.0%}  {row.table:<26} {row.bucket.label:<9}  {_moves(row)}")
    if as_json:
        print_json(payload)
    else:
        out.print("[dim]hand-tuned -> solved; the first number is the share of the time in which they differ[/]")


def _difference_json(row: Difference) -> dict[str, Any]:
    head = {"table": row.table, "bucket": row.bucket.label, "distance": row.distance}
    return head | {"hand_tuned": row.one, "solved": row.other}


def _moves(row: Difference) -> str:
    """The actions whose frequency moves by a percent or more."""
    pairs = [(action, share, row.other[action]) for action, share in row.one.items()]
    return ", ".join(f"{action} {a:.0%} -> {b:.0%}" for action, a, b in pairs if abs(a - b) >= LEAST_MOVE)


@street.command("buckets")
def buckets(as_json: Json = False) -> None:
    """The exact frequency of each bucket on each texture, beside the figures of the original description."""
    from rich.table import Table

    from tahur.solvers.street.matrices import frequencies

    rows = list(frequencies())
    if as_json:
        print_json({"buckets": [{"texture": row.texture.value, "bucket": row.bucket.label, "exact": row.probability,
                                 "reported": row.reported, "reason": row.reason} for row in rows]})  # fmt: skip
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for title in ("texture", "bucket", "exact", "reported", "why they differ"):
        table.add_column(title, justify="right" if title in ("exact", "reported") else "left")
    for row in rows:
        reported = "" if row.reported is None else f"{row.reported:.1%}"
        table.add_row(row.texture.value, row.bucket.label, f"{row.probability:.2%}", reported, row.reason)
    console().print(table)


def _solve_textures(
    iterations: int,
    seed: int,
    *,
    only: str | None = None,
    source: Path | None = None,
    averaged: bool = False,
    **options: bool,
) -> Iterator[SolvedTexture]:
    """Yield the solved textures, from a file or solved now with a progress bar."""
    from tahur.core.errors import UnknownName
    from tahur.games.holdem.textures import Texture
    from tahur.solvers.street.solve import averaged_view, solve

    if only is not None and only not in [*Texture]:
        raise UnknownName(f"no texture '{only}'; textures: {', '.join(Texture)}")
    stored = read_solved(source, only) if source is not None else {}
    warm("solver")
    for number, texture in enumerate(Texture):
        if only not in (None, texture.value) or (source is not None and texture not in stored):
            continue
        if source is None:
            steps = solve(_matrices(texture, seed + number, **options), iterations=iterations)
            solved = watch(_fractions(steps, iterations), texture.value)
        else:
            solved = stored[texture]
        yield averaged_view(solved) if averaged else solved


def _fractions(
    steps: Generator[CurvePoint, None, SolvedTexture], iterations: int
) -> Generator[float, None, SolvedTexture]:
    """Yield the solver's progress, 0 to 1; return its result."""
    while True:
        try:
            yield next(steps).iteration / iterations
        except StopIteration as stop:
            result: SolvedTexture = stop.value
            return result


def _matrices(
    texture: Any, seed: int, *, sampled: bool = False, independent: bool = False, ordinal_fallback: bool = False
) -> Matrices:
    """The matrices of a texture: counted exactly, or sampled."""

    import numpy as np

    from tahur.solvers.street import matrices as made

    if sampled:
        from tahur.solvers.street.matrices import sampled as drawn

        matrices = drawn(texture, np.random.default_rng(seed), marginals=independent)
    else:
        matrices = made.exact(texture)
        matrices = made.independent(matrices) if independent else matrices
    return made.with_ordinal_fallback(matrices) if ordinal_fallback else matrices


def _to_json(solved: SolvedTexture) -> dict[str, Any]:
    """How well a texture was solved, and how often each seat bets."""
    first, second = solved.betting
    return {
        "exploitability": solved.measure.exploitability,
        "nashconv": solved.measure.nashconv,
        "iterations": solved.curve[-1].iteration,
        "value": solved.measure.value,
        "averaged_view_cost": solved.averaged_view_cost,
        "bets_first": first,
        "bets_when_checked_to": second,
        "curve": [[point.iteration, point.exploitability] for point in solved.curve],
    }


def _file(output: Path | None) -> dict[str, str]:
    return {} if output is None else {"file": str(output)}


def _table(solved: list[SolvedTexture]) -> Any:
    """A table with a row for each solved texture."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for title in ("texture", "exploitability", "value", "averaged view", "oop bets", "ip bets"):
        table.add_column(title, justify="left" if title == "texture" else "right", no_wrap=True)
    for texture in solved:
        first, second = texture.betting
        value, lossy = f"{texture.measure.value:+.6f}", f"{texture.averaged_view_cost:.3f}"
        table.add_row(
            texture.texture, f"{texture.measure.exploitability:.1e}", value, lossy, f"{first:.0%}", f"{second:.0%}"
        )
    return table


def _write(output: Path, solved: list[SolvedTexture], seed: int | None) -> None:
    """Write the strategies of all textures to one file."""
    from functools import partial

    from tahur.core.cache import write_whole
    from tahur.solvers.street.solve import exploitability
    from tahur.solvers.street.views import export

    solutions = {result.texture: (result.matrices, result.strategy) for result in solved}
    games = {result.texture: result.game for result in solved}
    payload = export(solutions, lambda game: partial(exploitability, game), games, seed=seed)
    write_whole(output, json.dumps(payload, indent=1).encode() + b"\n")


def _pictures(solved: SolvedTexture, only: str | None) -> Iterator[Rows]:
    """The tables of a texture, or only one."""
    from tahur.core.errors import UnknownName
    from tahur.games.holdem.buckets import Bucket
    from tahur.show.street import Rows
    from tahur.solvers.street.game import word
    from tahur.solvers.street.views import TABLES, name_of, occurring

    possible = occurring(solved.game)
    names = [name_of(table) for table in TABLES]
    if only is not None and only not in names:
        raise UnknownName(f"no table '{only}'; tables: {', '.join(names)}")
    for at, table in enumerate(TABLES):
        if only in (None, names[at]):
            actions = [word(table, action) for action in table.actions()]
            shares = solved.strategy[at, :, : len(actions)]
            hands = {b.label: shares[b].tolist() if possible[at, b] else None for b in Bucket}
            held = {b.label: float(solved.matrices.marginal[b]) for b in Bucket}
            yield Rows(names[at], actions, hands, held)
