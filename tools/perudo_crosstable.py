"""A crosstable of Perudo players, played in chunks that are stored, so that it can be interrupted and resumed.

A chunk is a block of one pair's match in duplicate: heads-up, or three of each alternating around a table of six. Each
is a line of JSON in a folder, a file for each pair, so that any number of workers, in any number of sessions, end with
the same table. What a pair plays depends on its two players alone: after a change of one only its files are replayed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from tahur.arena.match import BLOCK, DealBlock, Match, play_block
from tahur.arena.stats import interval
from tahur.arena.work import Workers
from tahur.cli.perudo.values import solve_missing_rounds
from tahur.games.perudo.game import perudo, scorings
from tahur.players.registry import make_player

MINDS = ("shark", "turtle", "chaos", "calculator", "bluffer", "trapper")
ALL = (*MINDS, "odds", "equilibrium", "timeout", "random")

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Block number `number` of a pair's match."""

    pair: Pair
    copies: int
    number: int


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=int, default=20_000, help="minimum games of each player in each crosstable")
    parser.add_argument("--minutes", type=float, default=None, help="time limit of each crosstable; it can be resumed")
    parser.add_argument("--workers", type=int, default=1, help="processes for the crosstables")
    parser.add_argument("--folder", type=Path, default=Path("perudo-crosstable"), help="folder of the stored chunks")
    parser.add_argument("--players", default=",".join(ALL), help="players in the crosstables")
    parser.add_argument("--again", default="", help="players whose chunks are deleted first, because they have changed")
    parser.add_argument("--only", default="", help="play only pairs with one of these players")


def crosstable(options: argparse.Namespace, *, copies: int) -> Iterator[str]:
    """Play what is missing, then yield how often the player of the row beats the player of the column, in percent."""
    players = [name for name in options.players.split(",") if name]
    pairs = list(combinations(sorted(players, key=_place), 2))
    options.folder.mkdir(parents=True, exist_ok=True)
    for pair in pairs:
        if set(pair) & set(options.again.split(",")):
            _file(options.folder, pair, copies).unlink(missing_ok=True)
    solve_missing_rounds(perudo(seats=2 * copies), players)
    _play_missing(options, pairs, copies)
    yield from _lines(players, {pair: _kept(options.folder, pair, copies) for pair in pairs}, copies)


def chunks_of(games: int, players: int, copies: int) -> int:
    """The number of blocks each pair plays so that every player plays this many games."""
    return ceil(games / ((players - 1) * BLOCK * 2 * copies))


def _play_missing(options: argparse.Namespace, pairs: Sequence[Pair], copies: int) -> None:
    """Block after block of all pairs, so that all have played about equally many whenever it stops."""
    blocks = chunks_of(options.games, 1 + max(sum(name in pair for pair in pairs) for name in pairs[0]), copies)
    done = {pair: len(_kept(options.folder, pair, copies)) for pair in pairs}
    asked = [pair for pair in pairs if not options.only or set(pair) & set(options.only.split(","))]
    missing = [Chunk(pair, copies, number) for number in range(blocks) for pair in asked if number >= done[pair]]
    began, spent = time.monotonic(), 0.0
    with closing(Workers(options.workers).run(played, missing)) as results:
        for count, (chunk, line) in enumerate(zip(missing, results, strict=False), start=1):
            with _file(options.folder, chunk.pair, copies).open("a", encoding="utf-8") as kept:
                kept.write(json.dumps(line) + "\n")
            spent += line["seconds"]
            left = spent / count * (len(missing) - count) / 60
            sys.stderr.write(
                f"\r{2 * copies} seats: {count:,} of {len(missing):,} chunks, {left:.0f} CPU minutes left   "
            )
            if options.minutes is not None and time.monotonic() - began > 60 * options.minutes:
                break
    sys.stderr.write("\n")


def played(chunk: Chunk) -> dict[str, Any]:
    """Play a chunk and return its stored line: the first player's share of each deal's games."""
    began = time.process_time()
    results = play_block(match_of(chunk.pair, chunk.copies), DealBlock(chunk.number * BLOCK, BLOCK)).results
    won = (results[:, 0::2].sum(axis=1) * 2 * chunk.copies).round().astype(int)  # of the games of each deal
    return {"number": chunk.number, "won": won.tolist(), "seconds": round(time.process_time() - began, 2)}


def match_of(pair: Sequence[str], copies: int) -> Match:
    game = perudo(seats=2 * copies)
    names = [f"{name} {number}" for number in range(copies) for name in pair]
    makers = [partial(make_player, name) for _ in range(copies) for name in pair]
    return Match(game, scorings(game)[0], tuple(names), tuple(makers), seed=1, duplicate=True)


def _place(name: str) -> int:
    return ALL.index(name) if name in ALL else len(ALL)


def _file(folder: Path, pair: Pair, copies: int) -> Path:
    return folder / f"{2 * copies}-{'-'.join(pair)}.jsonl".replace(":", "_").replace("/", "_")


def _kept(folder: Path, pair: Pair, copies: int) -> list[dict[str, Any]]:
    """The lines of a pair, in order and without a gap; a truncated line is removed."""
    file = _file(folder, pair, copies)
    whole = file.read_text("utf-8").split("\n")[:-1] if file.exists() else []
    lines = [json.loads(line) for line in whole]
    kept = [line for number, line in enumerate(lines) if line["number"] == number]
    if file.exists():
        file.write_text("".join(json.dumps(line) + "\n" for line in kept), "utf-8")
    return kept


def _lines(players: Sequence[str], kept: dict[Pair, list[dict[str, Any]]], copies: int) -> Iterator[str]:
    per_deal = 2 * copies
    won = {pair: np.concatenate([line["won"] for line in lines] or [[]]) / per_deal for pair, lines in kept.items()}
    yield f"| % won ± 95 % | {' | '.join(players)} | all |"
    yield "|---" * (len(players) + 2) + "|"
    for one in players:
        rows = {other: _against(one, other, won) for other in players if other != one}
        cells = [_cell(rows[other]) if other != one else "" for other in players]
        yield f"| **{one}** | {' | '.join(cells)} | {_overall(list(rows.values()))} |"
    games = [per_deal * len(rows) for rows in won.values()]
    yield ""
    yield f"{min(games):,} to {max(games):,} games for each two, in duplicate; {2 * copies} seats."


def _against(one: str, other: str, won: dict[Pair, Any]) -> Any:
    """The share of each deal's games that `one` wins."""
    return won[one, other] if (one, other) in won else 1 - won[other, one]


def _cell(rows: Any) -> str:
    if len(rows) < 2:
        return ""
    found = interval(100 * rows)
    return f"{found.mean:.1f} ± {found.half_width:.1f}"


def _overall(rows: list[Any]) -> str:
    """The result against all others, each with equal weight."""
    found = [interval(100 * each) for each in rows if len(each) > 1]
    if not found:
        return ""
    half = sum(each.half_width**2 for each in found) ** 0.5 / len(found)
    return f"{sum(each.mean for each in found) / len(found):.1f} ± {half:.1f}"
