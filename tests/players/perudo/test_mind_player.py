"""A mind at the table: what it chooses, what it says it thought, and that it plays by the rules."""

from __future__ import annotations

import re

import numpy as np
import pytest
from minds_talk import view_of
from watched_minds import Twice

from tahur.arena.match import run
from tahur.core.player import View
from tahur.games.perudo.bids import CALZA, DUDO, FIRST_BID, bid
from tahur.games.perudo.game import perudo
from tahur.games.registry import game_of
from tahur.players.perudo.memory import Memory, OpponentMemory
from tahur.players.perudo.personalities import CALCULATOR, SHARK, SIX, TURTLE, Personality
from tahur.players.perudo.player import DRAWS, PerudoMind
from tahur.players.perudo.situation import situation_of

LINE = re.compile(
    r"\[\w+\]"
    r"( \| Bid: \d+x[1-6] by \w+ \| Dudo utility: -?\d+\.\d \(p=[01]\.\d\d\)"
    r"( \| Calza utility: -?\d+\.\d \(p=[01]\.\d\d\))?)?"
    r"( \| Best bid: \d+x[1-6] utility: -?\d+\.\d \(p=[01]\.\d\d, [\w' ]+\))?"
    r" \| Chose: (DUDO|CALZA|BID)"
)


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


@pytest.mark.parametrize("rules", ["faroleo", "asmodee", "classic"])
def test_six_minds_play_a_match_by_the_rules_and_think_aloud(rules: str) -> None:
    minds = [Twice(PerudoMind(each)) for each in SIX]
    names = tuple(each.name for each in SIX)
    records = list(run(perudo(seats=6, rules=rules), minds, seed=2, names=names))
    thoughts = [(each, record) for record in records for each in record.thoughts]
    assert len(thoughts) == sum(len(record.actions) for record in records)
    for each, record in thoughts:
        assert LINE.fullmatch(each.text), each.text
        assert each.text.startswith(f"[{names[each.seat]}]")
        said = record.actions[each.at]
        assert each.text.endswith({DUDO: "DUDO", CALZA: "CALZA"}.get(said, "BID"))
    last = game_of(records[-1]).next(records[-1])
    assert last is None


def test_the_thought_is_the_seed_s_line() -> None:
    view = view_of([2, 2, 3, 4, 6], (4, 5), names=("me", "Ana"))
    thought = PerudoMind(CALCULATOR).act(view, rng()).thought
    assert thought.startswith("[Calculator] | Bid: 4x5 by Ana | Dudo utility: ")
    assert "(p=0.95)" in thought


def test_what_is_certain_is_never_doubted_and_what_is_absurd_always_is() -> None:
    for mind in SIX:
        sure = view_of([5, 5, 5, 1, 6], (3, 5))
        assert PerudoMind(mind).act(sure, rng()).action != DUDO
        absurd = view_of([2, 2, 3, 3, 4], (9, 5))
        assert PerudoMind(mind).act(absurd, rng()).action == DUDO


def test_where_no_bid_is_left_it_calls() -> None:
    for mind in SIX:
        full = view_of([1], (2, 1), cups=[1, 1], rules="classic")
        assert PerudoMind(mind).act(full, rng()).action == DUDO


def test_calza_is_called_when_it_is_likely_and_there_is_room() -> None:
    view = view_of([5, 5, 5, 2], (4, 5), cups=[4, 2])
    assert PerudoMind(SHARK).act(view, rng()).action == CALZA
    full = view_of([5, 5, 5, 2, 2], (4, 5), cups=[5, 2])
    assert PerudoMind(TURTLE).act(full, rng()).action != CALZA


def test_a_known_bluffer_is_doubted_where_an_honest_seat_is_not() -> None:
    view = view_of([2, 2, 3, 4, 6], (3, 5), names=("me", "Ana"), cups=[5, 5])
    honest = OpponentMemory(bids=30, finals=20, bluffs=0, faces=[0, 5, 5, 5, 5, 5, 5])
    bluffer = OpponentMemory(bids=30, finals=20, bluffs=20, faces=[0, 0, 30, 0, 0, 0, 0])
    worth = [
        PerudoMind(SHARK, Memory({"Ana": known})).options(view, situation_of(view), rng())[0].utility
        for known in (honest, bluffer)
    ]
    assert worth[1] - worth[0] == pytest.approx((21 / 22 - 1 / 22) * 0.3 * 10 + 0.8 * 0.12 * 0.8 * 10)


def test_the_standing_bid_is_measured_against_what_came_before_it() -> None:
    mind = PerudoMind(SHARK)
    view = view_of([2, 2, 3, 4, 6], (1, 2), (1, 3), (2, 5), names=("me", "Ana"), cups=[5, 5])
    mind.begin(view, rng())
    mind.act(view, rng())
    assert mind.memory.of("Ana").bids == 1  # the first; the standing bid is on trial


def test_a_calculator_takes_no_chances_where_no_gate_is_thrown() -> None:
    view = view_of([2, 2, 3, 4, 6], (2, 5))
    assert len({PerudoMind(CALCULATOR).act(view, np.random.default_rng(seed)).action for seed in range(25)}) == 1
    chaotic, open_view = Personality("chaotic", unpredictability=1.0, bluff=1.0), view_of([2, 3, 4, 5, 6], (1, 3))
    assert len({PerudoMind(chaotic).act(open_view, np.random.default_rng(seed)).action for seed in range(25)}) > 1


def test_every_decision_takes_as_much_randomness() -> None:
    for view in (view_of([2, 2, 3, 4, 6], (2, 5)), view_of([2, 2, 3, 4, 6])):
        one, two = rng(), rng()
        PerudoMind(SHARK).act(view, one)
        two.random(DRAWS)
        assert one.bit_generator.state == two.bit_generator.state


def test_after_an_ace_bid_nobody_is_driven_to_dudo() -> None:
    """The lowest raise is weighed after aces too: over many rounds each mind raises aces again and again."""
    raised = dict.fromkeys((each.name for each in SIX), 0)
    stream = np.random.default_rng(5)
    for mind in SIX:
        player = PerudoMind(mind)
        for _ in range(40):
            game = perudo(seats=6, rules="classic")
            table = game.start().after(bid(2, 1))
            view = View(game, table, table.turn, game.deal(stream)[table.turn])
            raised[mind.name] += player.act(view, stream).action >= FIRST_BID
    assert min(raised.values()) > 20, raised


def test_no_dudo_comes_without_a_raise_that_was_weighed_while_one_is_legal() -> None:
    names = tuple(each.name for each in SIX)
    for record in run(perudo(seats=6), [PerudoMind(each) for each in SIX], seed=9, names=names):
        tables = list(record.replay(game_of(record)))
        for thought in record.thoughts:
            table = tables[thought.at]
            can_raise = any(action >= FIRST_BID for action in table.actions())
            assert ("Best bid" in thought.text) == can_raise


def test_a_mind_that_nobody_listens_to_plays_the_same_and_says_nothing() -> None:
    for mind in SIX:
        view = view_of([2, 2, 3, 4, 6], (2, 5), names=("me", "Ana"))
        silent = PerudoMind(mind)
        silent.aloud = False
        assert silent.act(view, rng()).action == PerudoMind(mind).act(view, rng()).action
        assert silent.act(view, rng()).thought == ""
