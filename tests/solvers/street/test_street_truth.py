"""The bucket strategy on real flops: equities counted twice, and what it loses measured by another solver."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from tahur.cards.cards import parse_cards
from tahur.cards.equity.ask import winner_counts
from tahur.cards.equity.tables import combos
from tahur.cards.ranges import Range
from tahur.games.holdem.buckets import classify
from tahur.games.holdem.textures import Texture, texture_of
from tahur.solvers.postflop.engine import VALUE, Engine
from tahur.solvers.postflop.layout import lay_out
from tahur.solvers.postflop.spot import spot
from tahur.solvers.postflop.tree import Deed, Node, NodeKind
from tahur.solvers.response import measure
from tahur.solvers.street.counts import RUNOUTS
from tahur.solvers.street.game import BETS, CALL, FOLD, RAISE
from tahur.solvers.street.matrices import exact
from tahur.solvers.street.solve import SolvedTexture, solve
from tahur.solvers.street.truth import UNIT, FlopStreet, Truth, expand_strategy, flop_street, sample_flops, truth
from tahur.solvers.street.views import TABLES, uniform
from tahur.solvers.unroll import unroll

FLOP = parse_cards("Kd9h4c")
HELD = "AA,KQs,99,AKo:1,T9s,76s,QJs,A4s,55,J8s"


def small_street() -> FlopStreet:
    """Some hands only, so that other solvers are quick too."""
    lying = sum(1 << card for card in FLOP)
    held = [int(each) for each in Range.parse(HELD).indices if not int(combos().mask[each]) & lying]
    return flop_street(FLOP, held)


def last(steps: Any) -> Any:
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value


@cache
def buckets() -> SolvedTexture:
    return last(solve(exact(Texture.LOW_DRY), iterations=1000))


@cache
def told() -> Truth:
    return last(truth(small_street(), buckets().strategy, buckets().measure.value, target=0.0005))


def test_leads_are_the_run_outs_that_are_won_less_those_that_are_lost() -> None:
    street = small_street()
    rng = np.random.default_rng(1)
    tried = 0
    for one, other in rng.integers(len(street.held), size=(60, 2)).tolist():
        if street.possible((one, other)):
            counts = dict(winner_counts((street.held[one], street.held[other]), street.flop))
            assert sum(counts.values()) == RUNOUTS
            assert street.lead[one, other] == counts.get(1, 0) - counts.get(2, 0)
            tried += 1
        else:
            assert street.lead[one, other] == 0
    assert tried > 30


def test_all_hands_that_a_flop_leaves_are_dealt() -> None:
    assert len(flop_street(FLOP).held) == 1176


def test_a_lifted_hand_does_what_its_bucket_does() -> None:
    street, strategy = small_street(), buckets().strategy
    tree = unroll(street)
    flat = expand_strategy(tree, street, strategy)
    for at, table in enumerate(TABLES):
        rows = tree.part(flat, tree.find(table.history).node)
        for number, combo in enumerate(street.held):
            bucket = classify(combos().cards[combo].tolist(), FLOP).bucket
            assert rows[:, number] == pytest.approx(strategy[at, bucket, : len(rows)])


def test_the_bucket_strategy_loses_more_to_who_knows_it_than_to_the_exact_solution() -> None:
    found = told()
    assert found.exactness <= 0.0005
    assert found.exploitability >= found.loss > found.exactness
    assert min(found.losses) > -2 * found.exactness


def test_an_equilibrium_loses_nothing_and_playing_at_random_a_lot() -> None:
    lost = last(truth(small_street(), uniform(), target=0.005))
    assert lost.exploitability > 0.3
    assert lost.loss > told().loss


def test_the_exploitability_of_the_buckets_is_what_the_postflop_solver_measures() -> None:
    """The same betting on the same hands as a spot whose turn and river are checked; pot 1,000, so chips are whole."""
    street, strategy = small_street(), buckets().strategy
    held = np.zeros(1326)
    held[list(street.held)] = 1
    text = Range.from_vector(held).text()
    asked = spot(board="Kd9h4c", oop=text, ip=text, pot=1000, stack=4000, flop="33%,66%,100% / 3.5x", turn="", river="",
                 raise_cap=2)  # fmt: skip
    engine = Engine(lay_out(asked))
    nodes_of_street = engine.layout.street_nodes[0]
    _fill(engine, nodes_of_street.nodes, nodes_of_street.nodes[0], (), strategy)
    tree = unroll(street)
    mine = measure(tree, expand_strategy(tree, street, strategy))
    assert engine.root_value(0, VALUE) / 1000 == pytest.approx(mine.value / UNIT, abs=1e-5)
    assert engine.exploitability() / 100 == pytest.approx(mine.exploitability / UNIT, abs=1e-5)
    assert told().exploitability == pytest.approx(mine.exploitability / UNIT)


def _fill(engine: Engine, nodes: tuple[Node, ...], node: Node, history: tuple[int, ...], strategy: Any) -> None:
    """Put the lifted strategy where the engine keeps its sums."""
    if node.kind is not NodeKind.DECISION or node.street:
        return
    boards, number = engine.layout.boards[0], next(at for at, each in enumerate(nodes) if each is node)
    size, held = int(boards.size[node.seat, 0]), engine.layout.hands[0].combos[node.seat][0]
    start = int(boards.data[node.seat, 0]) + int(engine.layout.street_nodes[0].tree.data[number]) * size
    rows = engine.data.sums[start : start + len(node.moves) * size].reshape(len(node.moves), size)
    table = next(at for at, each in enumerate(TABLES) if each.history == history)
    kinds = [int(classify(combos().cards[each].tolist(), FLOP).bucket) for each in held]
    rows[:, : len(held)] = strategy[table, kinds, : len(node.moves)].T
    for at, (move, child) in enumerate(zip(node.moves, node.children, strict=True)):
        action = {Deed.FOLD: FOLD, Deed.CHECK: CALL, Deed.CALL: CALL, Deed.RAISE: RAISE}.get(move.deed)
        _fill(engine, nodes, child, (*history, [*BETS][at - 1] if action is None else action), strategy)


def test_sampled_flops_are_of_each_texture_and_differ_by_more_than_suits() -> None:
    flops = sample_flops(4, np.random.default_rng(1))
    assert [texture_of(flop) for flop in flops] == [texture for texture in Texture for _ in range(4)]
    assert len({*flops}) == 20
    assert flops == sample_flops(4, np.random.default_rng(1))
    ranks = [tuple(sorted(card // 4 for card in flop)) for flop in flops[:4]]
    assert len({*ranks}) == 4  # of one suit each: same ranks would be the same flop
