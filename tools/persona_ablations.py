"""The effect on choices of naming the hand, of the order of options, and of moods.

    python tools/persona_ablations.py mood                    the formula, some seconds
    python tools/persona_ablations.py hand order --llm        the local model ('tahur llm install'), some minutes

Each ablation gives the same decisions to the same chooser twice, with and without the feature, and reports how often a
different act is chosen, what that costs in big blinds by the menu's own chip EVs, and how often the first option is
taken. The first line is the control: the same decision repeated, with another draw. The intervals are 95 %.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from tahur.arena.match import run
from tahur.core.player import Decision, View
from tahur.core.record import Seen
from tahur.games.registry import make
from tahur.players.bounded.asking import Asking, ModelChooser
from tahur.players.bounded.caps import Budget, Caps
from tahur.players.bounded.choosers import ByEv, Chooser, Page, Softmax
from tahur.players.bounded.menu import write_menu
from tahur.players.bounded.mood import CALM, Mood, mood_from_text
from tahur.players.bounded.options import Menu, Option
from tahur.players.bounded.personas import persona_named
from tahur.players.bounded.prompt import LEAN
from tahur.players.bounded.situation import situation_of
from tahur.players.simple import RandomPlayer

PERSONA = "ferryman"
TILT = "tilted:extreme"


class Onlooker:
    """Plays at random and records the views it saw."""

    learns = False

    def __init__(self, views: list[View]) -> None:
        self._player, self._views = RandomPlayer(), views

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Nothing to prepare."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        self._views.append(view)
        return self._player.act(view, rng)

    def learn(self, seen: Seen) -> None:
        """Nothing to remember."""


def views(count: int) -> list[View]:
    """This many turns of random hands of three, seed 1."""
    seen: list[View] = []
    game = make("nlhe", {"seats": 3, "carry": False})
    for _ in run(game, [Onlooker(seen) for _ in range(3)], seed=1):
        if len(seen) >= count:
            return seen[:count]
    return seen


def page_of(view: View, *, mood: Mood = CALM, seed: int) -> Page:
    """The page of a decision; with a mood, always affected by it."""
    persona, situation = persona_named(PERSONA), situation_of(view)
    for again in range(100):
        written = write_menu(situation, persona.profile, mood, rng=np.random.default_rng([seed, again]))
        if written.impaired or mood is CALM:
            break
    return Page(persona=persona, mood=mood, situation=situation, menu=written.menu, view=view)


@dataclass(frozen=True, slots=True)
class Compared:
    """One decision with and without: the chosen options, the position of the one with, and the value of a big blind."""

    given: Option
    taken: Option
    place: int
    big_blind: int

    @property
    def differs(self) -> bool:
        return (self.given.act, self.given.raise_to) != (self.taken.act, self.taken.raise_to)

    @property
    def cost(self) -> float:
        return (self.given.chip_ev - self.taken.chip_ev) / self.big_blind


Ask = Callable[[Page, int], int]


def compare(pages: Sequence[tuple[Page, Page]], ask: Ask, other: Ask) -> list[Compared]:
    found = []
    for number, (page, changed) in enumerate(pages):
        if len(page.menu.options) > 1 and len(changed.menu.options) > 1:
            first, second = ask(page, number), other(changed, number)
            chosen = page.menu.options[first - 1], changed.menu.options[second - 1]
            found.append(Compared(*chosen, first, page.situation.big_blind))
        if number % 20 == 19:
            sys.stderr.write(f"{number + 1} of {len(pages)}\n")
    return found


def told(name: str, found: Sequence[Compared]) -> str:
    count = len(found)
    rate = sum(each.differs for each in found) / count
    costs = np.array([each.cost for each in found])
    first = sum(each.place == 1 for each in found) / count
    off = 1.96 * sqrt(rate * (1 - rate) / count)
    wide = 1.96 * costs.std(ddof=1) / sqrt(count)
    return (
        f"{name}: {count} decisions, another act in {rate:.1%} ± {off:.1%}; "
        f"chip EV {-costs.mean():+.3f} ± {wide:.3f} bb a decision; the first option is taken in {first:.0%}"
    )


def chooser_ask(chooser: Chooser, stream: int = 7) -> Ask:
    """The same draw for the same decision; a different stream gives a different draw."""
    return lambda page, number: chooser.choose(page, np.random.default_rng([stream, number])).number


def model_ask(*, names_hand: bool = True) -> Ask:
    from tahur.cli.llm.local import local_endpoint
    from tahur.players.bounded.model import Endpoint, Model

    asking = Asking(time.monotonic, deadline=300.0, style=replace(LEAN, names_hand=names_hand))
    return chooser_ask(ModelChooser(Model(Endpoint(*local_endpoint())), Budget(Caps(None, None, None)), asking))


def turned(page: Page) -> Page:
    """The options in reverse order."""
    return replace(page, menu=Menu(page.menu.options[::-1], page.menu.blocked))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ablations", nargs="*", choices=["hand", "order", "mood", []], help="hand, order, mood")
    parser.add_argument("--decisions", type=int, default=100)
    parser.add_argument("--llm", action="store_true", help="the local model instead of the formula")
    asked = parser.parse_args()
    wanted = asked.ablations or ["mood"]
    plain = [page_of(view, seed=number) for number, view in enumerate(views(asked.decisions))]
    ask = model_ask() if asked.llm else chooser_ask(Softmax())
    again = ask if asked.llm else chooser_ask(Softmax(), 8)
    same = [(page, page) for page in plain]
    print(told("put again", compare(same, ask, again)), flush=True)
    if "hand" in wanted:
        if not asked.llm:
            parser.error("hand is an ablation of the prompt: it needs --llm")
        print(
            told("hand not named", compare(same, ask, model_ask(names_hand=False))),
            flush=True,
        )
    if "order" in wanted:
        print(told("order turned around", compare([(page, turned(page)) for page in plain], ask, again)), flush=True)
    if "mood" in wanted:
        tilted = [page_of(page.view, mood=mood_from_text(TILT), seed=number) for number, page in enumerate(plain)]
        print(told(TILT, compare(list(zip(plain, tilted, strict=True)), ask, again)), flush=True)
    best = chooser_ask(ByEv())
    print(told("beside the best by EV", compare(same, best, ask)), flush=True)


if __name__ == "__main__":
    main()
