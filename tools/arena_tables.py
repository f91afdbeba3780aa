"""Measure the tables of docs/arena.md again: `python tools/arena_tables.py [--hands N]`, some minutes on two cores.

The same versions give the same tables, to the last digit.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from tahur.arena.match import Match
from tahur.arena.series import MatchGoal, play
from tahur.arena.summary import LUCKS, summary, tournament_summary
from tahur.arena.tournament import Tournament, round_robin
from tahur.arena.work import Workers
from tahur.games.registry import GAMES, make
from tahur.players.registry import make_player
from tahur.show.standings import signed, unsigned

BASELINES = ("caller", "folder", "random", "maniac", "odds")
SPOTS = (
    ("nlhe", "odds", "caller"),
    ("nlhe", "odds", "maniac"),
    ("nlhe", "random", "maniac"),
    ("hulh", "odds", "random"),
    ("leduc", "random", "caller"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=10_000, help="in each match")
    hands = parser.parse_args().hands
    workers = Workers(os.cpu_count() or 1)
    for line in (*crosstable(hands, workers), "", *reductions(hands, workers)):
        print(line, flush=True)


def crosstable(hands: int, workers: Workers) -> Iterator[str]:
    """The baselines against each other, two at a table, in duplicate."""
    two = match_of("nlhe", BASELINES[:2], duplicate=True, luck="chance")
    makers = [partial(make_player, name) for name in BASELINES]
    contest = Tournament(BASELINES, round_robin(two, BASELINES, makers), hands // 2, {})
    for _ in contest.play(workers):
        sys.stderr.write(f"\r{contest.hands:,} of {contest.hands_in_all:,} hands")
    sys.stderr.write("\n")
    told = tournament_summary(contest)
    yield f"| bb/100 ± 95 % | {' | '.join(BASELINES)} | all | Elo |"
    yield "|---" * (len(BASELINES) + 3) + "|"
    for name, row, total in zip(BASELINES, told["crosstable"], told["results"], strict=True):
        cells = ["" if cell is None else _cell(cell) for cell in row]
        elo, low, high = total["elo"]
        yield f"| **{name}** | {' | '.join(cells)} | {_cell(total)} | {elo:.0f} ± {(high - low) / 2:.0f} |"


def reductions(hands: int, workers: Workers) -> Iterator[str]:
    """How many times fewer hands are needed for the same interval, with each kind of luck removed."""
    yield "| match | ± of the plain result | duplicate | all-in | chance | full | full, in duplicate |"
    yield "|---" * 7 + "|"
    for game, *players in SPOTS:
        variances = {
            (luck, duplicate): variance(match_of(game, players, luck=luck, duplicate=duplicate), hands, workers)
            for luck, duplicate in _ways()
        }
        plain, unit = variances["none", False]
        ratios = [f"{plain / variances[way][0]:.2f}x" for way in _ways()[1:]]
        half = 1.96 * (plain / hands) ** 0.5
        yield f"| {game}: {' v '.join(players)} | ± {unsigned(half)} {unit} | {' | '.join(ratios)} |"
        sys.stderr.write(f"{game} {players}\n")


def _ways() -> tuple[tuple[str, bool], ...]:
    return ("none", False), ("none", True), ("all-in", False), ("chance", False), ("full", False), ("full", True)


def variance(match: Match, hands: int, workers: Workers) -> tuple[float, str]:
    """The variance of one hand's result, consistent with the interval of the whole match, with its unit."""
    *_, standing = play(match, MatchGoal(hands // match.hands_per_deal), workers)
    told = summary(standing)
    return told["results"][0]["se"] ** 2 * standing.hands, told["unit"]


def match_of(game: str, players: Sequence[str], *, duplicate: bool, luck: str) -> Match:
    table = make(game, {"seats": 2} if game == "nlhe" else {})
    makers = tuple(partial(make_player, name) for name in players)
    scoring = GAMES[game].scorings(table)[0]
    return Match(table, scoring, tuple(players), makers, seed=1, duplicate=duplicate, luck=LUCKS[luck])


def _cell(told: dict[str, Any]) -> str:
    return f"{signed(told['result'])} ± {unsigned(told['high'] - told['result'])}"


if __name__ == "__main__":
    main()
