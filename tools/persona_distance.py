"""How different the personas are: each at the same table, with the same deals, in every seat; and each against itself.

    python tools/persona_distance.py --hands 10000 --workers 2          all twelve, and two seeds for each

A persona's point is its VPIP, PFR and aggression frequency. Printed: the points, whether they come in the order of the
parameters, the least distance between two personas and the largest of one to itself under another seed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise
from math import dist

from tahur.arena.profile import Counts, played
from tahur.arena.work import Workers
from tahur.games.holdem.habits import AGGRESSION_FREQUENCY, HABITS, PFR, VPIP
from tahur.games.registry import game_of, make
from tahur.players.registry import make_player

FIELD = ("notary", "clockmaker", "ferryman", "barber", "pirate")  # who sits in the other five seats
MEASURED = (VPIP, PFR, AGGRESSION_FREQUENCY)
SEEDS = (1, 2)

Point = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Sitting:
    """One persona for so many hands, the cards of a seed, and who chooses for it."""

    name: str
    seed: int
    hands: int
    chooser: str = "softmax"


def point_of(sitting: Sitting) -> Point:
    """What the persona does at the table, in every seat as often."""
    game = make("nlhe", {"seats": 6, "carry": False})
    counts = Counts.none(HABITS)
    hero = f"persona:{sitting.name}@{sitting.chooser}"
    line_up = partial(_line_up, [hero, *(f"persona:{name}" for name in FIELD)])
    for record, seat in played(game, line_up, hands=sitting.hands, seed=sitting.seed):
        counts += Counts.of(HABITS.tallies(game_of(record), record)[[seat]])
    places = [HABITS.each.index(habit) for habit in MEASURED]
    return tuple(float(counts.sums[place, 1] / max(1, counts.sums[place, 2])) for place in places)


def _line_up(names: Sequence[str]) -> list[object]:
    return [make_player(name) for name in names]


@dataclass(frozen=True, slots=True)
class Result:
    """The points of every persona, by its seeds."""

    points: dict[str, list[Point]]

    @property
    def means(self) -> dict[str, Point]:
        return {
            name: tuple(sum(each) / len(each) for each in zip(*points, strict=True))
            for name, points in self.points.items()
        }

    @property
    def apart(self) -> tuple[float, str, str]:
        """The least distance between two personas under the same seed, and which."""
        return min(
            (dist(one, other), first, second)
            for first, second in combinations(self.points, 2)
            for one, other in zip(self.points[first], self.points[second], strict=True)
        )

    @property
    def within(self) -> tuple[float, str]:
        """The largest distance of a persona to itself under another seed, and whose."""
        return max(
            (dist(one, other), name) for name, points in self.points.items() for one, other in combinations(points, 2)
        )


def measure(names: Sequence[str], hands: int, seeds: Sequence[int] = SEEDS, workers: int = 1) -> Result:
    """Every persona under every seed."""
    sittings = [Sitting(name, seed, hands) for seed in seeds for name in names]
    points: dict[str, list[Point]] = {name: [] for name in names}
    for sitting, point in zip(sittings, Workers(workers).run(point_of, sittings), strict=True):
        points[sitting.name].append(point)
        sys.stderr.write(f"{sitting.name} seed {sitting.seed}: {'  '.join(f'{each:.3f}' for each in point)}\n")
    return Result(points)


def misplaced(order: Sequence[float], found: Sequence[float]) -> int:
    """How many neighbours, sorted by a parameter, do not come in its order."""
    pairs = sorted(zip(order, found, strict=True))
    return sum(before[1] >= after[1] for before, after in pairwise(pairs))


def main() -> None:
    from tahur.players.bounded.personas import house, persona_named

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="personas; all twelve if none is named")
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    names = asked.names or [each.name.lower() for each in house()]
    began = time.monotonic()
    result = measure(names, asked.hands, asked.seeds, asked.workers)
    print(f"{asked.hands:,} hands each, seeds {asked.seeds}, {time.monotonic() - began:.0f} s")
    print("persona       loose  aggr   VPIP   PFR    agg.freq")
    for name, point in result.means.items():
        persona = persona_named(name)
        figures = "  ".join(f"{each:5.1%}" for each in point)
        print(f"{name:<12} {persona.looseness:6.2f} {persona.aggression:5.2f}  {figures}")
    loose, bold = ([getattr(persona_named(name), trait) for name in names] for trait in ("looseness", "aggression"))
    vpip, pfr, frequency = zip(*result.means.values(), strict=True)
    raised = [raises / played for played, raises in zip(vpip, pfr, strict=True)]
    print(f"neighbours out of order: VPIP by looseness {misplaced(loose, vpip)},")
    print(f"  aggression frequency {misplaced(bold, frequency)} and PFR / VPIP {misplaced(bold, raised)} by aggression")
    apart, within = result.apart, result.within if len(asked.seeds) > 1 else (0.0, "")
    print(f"least apart {apart[0]:.4f} ({apart[1]}, {apart[2]}); most within {within[0]:.4f} ({within[1]})")
    if within[0]:
        print(f"ratio {apart[0] / within[0]:.2f}")
    if asked.json:
        print(json.dumps(result.points))


if __name__ == "__main__":
    main()
