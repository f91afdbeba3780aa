"""The certificate on flops of Flop Hold'em against a plain reckoning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from limit_fakes import FakePolicy, betting
from tahur.cards.cards import parse_cards
from tahur.cards.evaluator import evaluate
from tahur.cards.flops import canonical_flop
from tahur.cli.personas import certify as flop_cost
from tahur.cli.personas.certify import FlopStrategy, FlopWalk
from tahur.cli.personas.cost import FlipSubject, FlipTally, Spread
from tahur.games.betting import DECISION, NOT_LEGAL, Betting
from tahur.players.bounded.mood import mood_from_text
from tahur.players.bounded.profiles import PROFILES

CARDS = canonical_flop(tuple(int(card) for card in parse_cards("Qs7h2h")))[0]


@dataclass(frozen=True)
class Fake:
    """A table that nobody solved."""

    betting: Betting

    def preflop(self) -> Any:
        return self._rows(0, ())

    def flop(self, cards: tuple[int, ...]) -> Any:
        return self._rows(1, cards)

    def _rows(self, street: int, cards: tuple[int, ...]) -> Any:
        policy = FakePolicy(self.betting)
        return np.array([policy.chances(decision, cards) for decision in self.betting.of_street(street)])


def walk_of(seat: int) -> tuple[FlopWalk, FlipTally]:
    table: FlopStrategy = Fake(betting("fhp"))
    tally = FlipTally()
    chooser = FlipSubject(PROFILES["loose_aggressive"], mood_from_text("tilted:extreme"))
    return FlopWalk(table=table, cards=CARDS, seat=seat, choosers=[chooser], tallies=[tally]), tally


@pytest.mark.parametrize("seat", [0, 1])
def test_what_coins_lose_on_a_flop_is_what_the_best_play_wins_more(seat: int, monkeypatch: pytest.MonkeyPatch) -> None:
    walk, tally = walk_of(seat)
    rows: dict[int, list[Spread]] = {}
    plain = FlopWalk._spreads

    def kept(self: FlopWalk, node: int, *asked: Any) -> Any:
        found = plain(self, node, *asked)
        rows[node] = found[0]
        return found

    monkeypatch.setattr(flop_cost.FlopWalk, "_spreads", kept)
    root = walk.betting.first[1]
    own, other = walk._reach(root, seat), walk._reach(root, 1 - seat)
    best = walk.visit(root, other, [own])

    def coins(node: int, mine: Any, theirs: Any) -> float:
        if walk.betting.kind[node] != DECISION:
            return float(mine @ walk._terminal_value(node, theirs))
        legal = [slot for slot in range(3) if walk.betting.children[node, slot] != NOT_LEGAL]
        worth = 0.0
        for at, slot in enumerate(legal):
            child = int(walk.betting.children[node, slot])
            if walk.betting.seat[node] == seat:
                worth += coins(child, mine * np.array([each.shares[at] for each in rows[node]]), theirs)
            else:
                worth += coins(child, mine, theirs * walk.chances[node, :, slot])
        return worth

    assert tally.coins == pytest.approx((float(own @ best) - coins(root, own, other)) / walk.total, rel=1e-9)
    assert tally.coins > 0
    assert tally.worst.chips > 0


def test_ends_pay_what_the_rules_pay() -> None:
    walk, _ = walk_of(0)
    rng = np.random.default_rng(1)
    ends = range(walk.betting.decisions, len(walk.betting.kind))
    for node in rng.choice(ends, 12):
        mine, theirs = (int(hand) for hand in rng.choice(len(walk.hands), 2))
        one = np.zeros(len(walk.hands))
        one[theirs] = 1.0
        ranks = [evaluate((*_cards(int(walk.hands[hand])), *CARDS)) for hand in (mine, theirs)]
        lead = 1 if walk.betting.kind[node] == 1 else (ranks[0] > ranks[1]) - (ranks[0] < ranks[1])
        expected = lead * walk.betting.stake[node] * walk.free[mine, theirs]
        assert walk._terminal_value(int(node), one)[mine] == expected


def test_a_situation_of_the_flop_says_what_the_betting_does() -> None:
    walk, _ = walk_of(0)
    root = walk.betting.first[1]
    here = walk._situation(root)
    assert (here.cost, here.street_bet, here.bet, list(here.raises), here.street_raises) == (0, 0, 0, [2], 0)
    bet = int(walk.betting.children[root, 2])
    facing = walk._situation(bet)
    assert (facing.bet, facing.cost, list(facing.raises), facing.street_raises) == (2, 2, [4], 1)


def _cards(hand: int) -> tuple[int, int]:
    from tahur.cards.cards import cards_of

    high, low = cards_of(hand)
    return int(high), int(low)
