"""How different the personas are, at tables of six of them, with the same deals, in every seat; and each from itself.

    python tools/persona_distance.py --hands 10000 --workers 2      so many hands of each of the twelve, under two seeds
    python tools/persona_distance.py --keep FILE                    the same; stopped, it goes on where it was
    python tools/persona_distance.py --expected --hands 400         quicker, see below

Twelve line-ups, each six of the twelve, chosen so that everybody sits with everybody; each line-up plays the same
deals, moved on by a seat six times. A persona's point is its VPIP, PFR and aggression frequency. Printed: the points,
whether they come in the order of the parameters, the least distance between two personas under one seed, and the
largest of one to itself under another. `--expected` plays that many hands once and puts every decision of theirs to
all twelve, adding up chances instead of counting draws: the same order with far less luck in it, and no moods.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise
from math import dist
from pathlib import Path

import numpy as np

from tahur.arena.match import run
from tahur.arena.work import Workers
from tahur.core.player import View
from tahur.core.record import decisions
from tahur.games.holdem.habits import AGGRESSION_FREQUENCY, HABITS, PFR, VPIP
from tahur.games.registry import game_of, make
from tahur.players.bounded.choosers import chances_of
from tahur.players.bounded.menu import write_menu
from tahur.players.bounded.options import OptionKind
from tahur.players.bounded.personas import Persona, house, persona_named
from tahur.players.bounded.situation import Situation, situation_of
from tahur.players.registry import make_player

SEATS = 6
STEPS = (0, 1, 3, 4, 7, 9)  # who sits with whom, counted around the twelve: every two meet, about as often
MEASURED = (VPIP, PFR, AGGRESSION_FREQUENCY)
SEEDS = (1, 2)

Point = tuple[float, ...]
Sums = dict[str, np.ndarray]  # by name: (measured, 2) hits and chances


@dataclass(frozen=True, slots=True)
class Sitting:
    """One line-up for so many hands in each seating, with the cards of a seed."""

    names: tuple[str, ...]
    seed: int
    hands: int
    chooser: str = "softmax"


def play(sitting: Sitting) -> Sums:
    """What everybody did, in every seat as often."""
    game = make("nlhe", {"seats": SEATS, "carry": False})
    places = [HABITS.entries.index(habit) for habit in MEASURED]
    sums = {name: np.zeros((len(MEASURED), 2), np.int64) for name in sitting.names}
    for moved in range(SEATS):
        seated = sitting.names[moved:] + sitting.names[:moved]
        players = [make_player(f"persona:{name}@{sitting.chooser}") for name in seated]
        for record in run(game, players, seed=1_000 * sitting.seed + moved, deals=sitting.hands):
            tallies = HABITS.tallies(game_of(record), record)
            for seat, name in enumerate(seated):
                sums[name] += tallies[seat][places]
    return sums


def kept(sitting: Sitting, file: Path | None) -> Sums | None:
    """What an earlier run found, with the same personas."""
    if file is None or not file.exists():
        return None
    found = (json.loads(line) for line in file.read_text().splitlines())
    sums = next((each["sums"] for each in found if each["sitting"] == _identity(sitting)), None)
    return None if sums is None else {name: np.array(each, np.int64) for name, each in sums.items()}


def keep(sitting: Sitting, sums: Sums, file: Path) -> None:
    told = {"sitting": _identity(sitting), "sums": {name: each.tolist() for name, each in sums.items()}}
    with file.open("a") as lines:
        lines.write(json.dumps(told) + "\n")


def _identity(sitting: Sitting) -> str:
    """The sitting, and what its personas were like."""
    who = [(name, persona_named(name).looseness, persona_named(name).aggression) for name in sitting.names]
    return f"{sitting} {who}"


def line_ups(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Tables of six in which everybody sits as often."""
    return [tuple(names[(start + step) % len(names)] for step in STEPS) for start in range(len(names))]


def points(
    hands: int, seed: int, *, workers: int = 1, chooser: str = "softmax", file: Path | None = None
) -> dict[str, Point]:
    """The point of each persona of the house from about so many hands each."""
    names = [each.name.lower() for each in house()]
    each = -(-hands // (SEATS * len(STEPS)))
    sittings = [Sitting(line_up, seed, each, chooser) for line_up in line_ups(names)]
    total: Sums = {name: np.zeros((len(MEASURED), 2), np.int64) for name in names}
    for number, (sitting, sums) in enumerate(_played(sittings, workers, file), start=1):
        for name, counted in sums.items():
            total[name] += counted
        if file is not None and kept(sitting, file) is None:
            keep(sitting, sums, file)
        sys.stderr.write(f"seed {seed}: {number} of {len(sittings)} line-ups\n")
    return {name: tuple((sums[:, 0] / np.maximum(1, sums[:, 1])).tolist()) for name, sums in total.items()}


def _played(sittings: Sequence[Sitting], workers: int, file: Path | None) -> Iterator[tuple[Sitting, Sums]]:
    """What is known already, then what is played now."""
    known = [(sitting, kept(sitting, file)) for sitting in sittings]
    yield from ((sitting, sums) for sitting, sums in known if sums is not None)
    missing = [sitting for sitting, sums in known if sums is None]
    yield from zip(missing, Workers(workers).run(play, missing), strict=True)


Situations = tuple[list[Situation], list[Situation]]  # first turns before the flop that cost something; turns after it


def situations(hands: int, seed: int) -> Situations:
    """The decisions of so many hands between six of the twelve."""
    first: list[Situation] = []
    later: list[Situation] = []
    players = [make_player(f"persona:{each.name}") for each in house()[1::2]]
    for record in run(make("nlhe", {"seats": SEATS, "carry": False}), players, seed=seed, deals=hands):
        game, seen = game_of(record), set[int]()
        for table, _ in decisions(game, record.actions):
            if table.board or (table.turn not in seen and table.to_call):
                situation = situation_of(View(game, table, table.turn, record.hands[table.turn]))
                (later if table.board else first).append(situation)
            seen.add(table.turn)
    return first, later


def expected(persona: Persona, put: Situations) -> Point:
    """How often it pays and raises on its first turn before the flop, and bets later when it does not check."""
    before, after = ([_by_act(persona, each, seed) for seed, each in enumerate(some)] for some in put)
    bets = [each[OptionKind.RAISE] + each[OptionKind.ALL_IN] for each in before]
    later = [each[OptionKind.RAISE] + each[OptionKind.ALL_IN] for each in after]
    paid = sum(1 - each[OptionKind.FOLD] for each in before)
    return paid / len(before), sum(bets) / len(before), sum(later) / sum(1 - each[OptionKind.CHECK] for each in after)


def _by_act(persona: Persona, situation: Situation, seed: int) -> Counter[OptionKind]:
    """The chance of each act; the seed decides whether a bluff is on the menu, for all personas alike."""
    options = write_menu(situation, persona.profile, rng=np.random.default_rng(seed)).menu.options
    chances: Counter[OptionKind] = Counter()
    for option, chance in zip(options, chances_of(options, persona), strict=True):
        chances[option.act] += chance  # type: ignore[assignment]
    return chances


def expected_points(hands: int, seed: int) -> dict[str, Point]:
    put = situations(hands, seed)
    sys.stderr.write(f"seed {seed}: {len(put[0])} and {len(put[1])} situations\n")
    return {each.name.lower(): expected(each, put) for each in house()}


@dataclass(frozen=True, slots=True)
class Result:
    """The points of every persona, under one seed after another."""

    seeds: tuple[Mapping[str, Point], ...]

    @property
    def means(self) -> dict[str, Point]:
        return {name: tuple(np.mean([each[name] for each in self.seeds], axis=0).tolist()) for name in self.seeds[0]}

    @property
    def apart(self) -> tuple[float, str, str]:
        """The least distance between two personas under the same seed, and which."""
        found = (
            (dist(each[one], each[other]), one, other) for each in self.seeds for one, other in combinations(each, 2)
        )
        return min(found)

    @property
    def within(self) -> tuple[float, str]:
        """The largest distance of a persona to itself under another seed, and whose."""
        pairs = combinations(self.seeds, 2)
        return max(((dist(one[name], other[name]), name) for one, other in pairs for name in one), default=(0.0, ""))

    def out_of_order(self) -> Iterator[str]:
        """What does not come in the order of the parameters.

        VPIP goes by looseness and aggression frequency by aggression; PFR goes by both, so it is held to them where
        one persona has more of both than another.
        """
        means = self.means
        for place, trait in ((0, "looseness"), (2, "aggression")):
            ordered = sorted(means, key=lambda name: getattr(persona_named(name), trait))
            for less, more in pairwise(ordered):
                if means[less][place] >= means[more][place]:
                    yield f"{MEASURED[place].name}: {less} not below {more}"
        for less, more in ((one, other) for one in means for other in means if _has_more(other, one)):
            if means[less][1] >= means[more][1]:
                yield f"PFR: {less} not below {more}"


def _has_more(one: str, other: str) -> bool:
    """Whether one has more of both parameters."""
    more, less = persona_named(one), persona_named(other)
    return more.looseness > less.looseness and more.aggression > less.aggression


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=10_000, help="of each persona, under each seed")
    parser.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--chooser", default="softmax")
    parser.add_argument("--keep", type=Path, help="a file for what each line-up did, to go on from")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--expected", action="store_true", help="chances in the same situations instead of play")
    asked = parser.parse_args()
    began = time.monotonic()
    played = partial(points, workers=asked.workers, chooser=asked.chooser, file=asked.keep)
    measured = expected_points if asked.expected else played
    result = Result(tuple(measured(asked.hands, seed) for seed in asked.seeds))
    each = "" if asked.expected else " each"
    print(f"{asked.hands:,} hands{each}, seeds {asked.seeds}, {time.monotonic() - began:.0f} s")
    print("persona       loose  aggr   VPIP   PFR   agg.freq")
    for name, point in result.means.items():
        persona = persona_named(name)
        figures = "  ".join(f"{each:5.1%}" for each in point)
        print(f"{name:<12} {persona.looseness:6.2f} {persona.aggression:5.2f}  {figures}")
    print("out of order: " + ("; ".join(result.out_of_order()) or "nothing"))
    apart, within = result.apart, result.within
    print(f"least apart {apart[0]:.4f} ({apart[1]}, {apart[2]}); most within {within[0]:.4f} ({within[1]})")
    if within[0]:
        print(f"ratio {apart[0] / within[0]:.2f}")
    if asked.json:
        print(json.dumps(result.seeds))


if __name__ == "__main__":
    main()
