"""How long a mind takes tells nothing of what it holds."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from desk import Desk, Stacked, settings
from scipy.stats import ks_2samp

from tahur.cards.cards import parse_cards
from tahur.room import facts
from tahur.room.clocks import LEAST, MOST, delay

STRONG, WEAK = "AsAh", "7d2c"


def _deck(hand: str, rng: np.random.Generator) -> tuple[int, ...]:
    """Seat 1 is dealt this hand, the rest is shuffled."""
    held = [int(card) for card in parse_cards(hand)]
    rest = [int(card) for card in rng.permutation(52) if card not in held]
    return (*rest[:2], *held, *rest[2:])


def _delays(hand: str, hands: int, seed: int, secret: str) -> list[float]:
    """How long the mind in seat 1 took for each of its actions, by the times in the log."""
    rng = np.random.default_rng(seed)
    chosen = settings("nlhe", 2, pace="usual", seconds=0, secret=secret, stack=10_000)
    desk = Desk(chosen, [None, "caller"], Stacked([_deck(hand, rng) for _ in range(hands + 1)]))
    while desk.state.hand <= hands:
        question = desk.minds.question(desk.state)
        if question is not None and desk.keeper.thinking is not None and desk.keeper.thinking.answer is None:
            desk.keeper.bot_answered(question.hand, question.at, desk.minds.act(question))
        due = desk.keeper.due()
        if due is None:
            desk.act(1)
        else:
            desk.now = max(desk.now, due)
            desk.write(desk.keeper.tick(desk.now))
    return [
        entry.time - before.time
        for before, entry in pairwise(desk.log)
        if isinstance(entry.fact, facts.Acted) and entry.fact.by == "mind"
    ]


def test_a_mind_takes_as_long_with_aces_as_with_rags() -> None:
    strong, weak = _delays(STRONG, 60, 1, "a"), _delays(WEAK, 60, 2, "b")
    assert min(len(strong), len(weak)) > 200
    assert ks_2samp(strong, weak).pvalue > 0.01
    assert min(strong + weak) > 0.6


def test_delays_with_aces_and_with_rags_are_alike_and_with_the_same_secret_the_same() -> None:
    """The room asks for a delay before the mind has thought, by public numbers alone: so it can be drawn here."""
    one = [delay("one", hand, at, "usual") for hand in range(1, 400) for at in (0, 1)]
    two = [delay("two", hand, at, "usual") for hand in range(1, 400) for at in (0, 1)]
    assert ks_2samp(one, two).pvalue > 0.01
    assert one != two
    assert min(one + two) >= LEAST
    assert max(one + two) <= MOST
    assert np.std(one) > 0.3
    first = _first_turn(STRONG)
    assert first == _first_turn(WEAK) > LEAST


def _first_turn(hand: str) -> float:
    """When the mind of seat 1 will act first, with that hand."""
    desk = Desk(settings("nlhe", 2, pace="usual"), [None, "odds"], Stacked([_deck(hand, np.random.default_rng(3))]))
    for _ in range(2000):
        if desk.state.ask is not None:
            break
        desk.write(desk.keeper.tick(desk.now))
    if desk.keeper.thinking is None:
        desk.act(1)
    assert desk.keeper.thinking is not None
    return desk.keeper.thinking.ready - desk.now
