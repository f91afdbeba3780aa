"""Rounds remembered in part: which histories are taken for one, what may be said there, and what is left out."""

from __future__ import annotations

import numpy as np
import pytest

from tahur.core.errors import StrategyError
from tahur.games.perudo.bids import CALZA, DUDO, FIRST_BID, bid
from tahur.games.perudo.game import perudo
from tahur.games.perudo.recall import UNHEARD, Recall, kept_bids, known_graph

ROUND = perudo(cups=(2, 2), rules="classic").round


def test_histories_that_end_alike_are_one_if_the_same_seat_is_to_speak() -> None:
    graph = known_graph(ROUND, Recall(2))
    long, short = [bid(1, 2), bid(1, 3), bid(1, 5), bid(2, 4)], [bid(1, 5), bid(2, 4)]
    assert graph.find(long) == graph.find(short)
    assert graph.find(long) != graph.find(long[1:])  # the other seat speaks
    assert graph.find(long) != graph.find([bid(1, 6), bid(2, 4)])
    assert known_graph(ROUND, Recall(3)).find(long) != known_graph(ROUND, Recall(3)).find(short)


@pytest.mark.parametrize("rules", ["classic", "faroleo", "asmodee"])
def test_what_may_be_said_is_what_the_rules_say_without_rare_bids(rules: str) -> None:
    game, stream = perudo(cups=(3, 2), rules=rules), np.random.default_rng(2)
    graph = known_graph(game.round, Recall(2))
    kept = {graph.bids[rank] for rank in graph.kept}
    assert kept < set(graph.bids)
    for _ in range(60):
        table = game.start()
        while table.actions() and (not table.history or table.history[-1] in kept):
            wanted = tuple(each for each in table.actions() if each < FIRST_BID or each in kept)
            assert graph.menu(graph.find(table.history)[0]) == wanted
            raises = [each for each in table.actions() if each >= FIRST_BID]
            if not raises:
                break
            table = table.after(raises[int(stream.random() ** 3 * len(raises))])


def test_a_rare_bid_is_doubted_and_an_unknown_one_refused() -> None:
    graph = known_graph(ROUND, Recall(2))
    node, _ = graph.find([bid(2, 6), bid(4, 1)])
    assert node == UNHEARD
    assert graph.menu(node) == (DUDO,)
    with pytest.raises(StrategyError, match="5 sixes"):
        graph.find([bid(5, 6)])


def test_bids_on_aces_are_as_rare_as_they_are_and_not_as_high_as_they_stand() -> None:
    """Five aces of ten dice are true once in 65 times and stand above ten sixes; eight sixes once in 300 times."""
    bids = known_graph(perudo(cups=(5, 5)).round, Recall(1)).bids
    kept = {bids[rank] for rank in kept_bids(perudo(cups=(5, 5)).round, 0.01)}
    assert {bid(7, 6), bid(5, 1)} <= kept
    assert not {bid(8, 2), bid(8, 6), bid(6, 1)} & kept


def test_what_follows_stands_behind_and_blocks_do_not_overlap() -> None:
    graph = known_graph(perudo(cups=(2, 1)).round, Recall(2))
    for node in range(len(graph.nodes)):
        assert (graph.children[graph.first[node] : graph.first[node + 1]] > node).all()
    hands = np.array([graph.hands[node[0]] for node in graph.nodes])
    ends = graph.offsets + (graph.calls + np.diff(graph.first)) * hands
    assert (ends[:-1] == graph.offsets[1:]).all()
    assert ends[-1] == graph.size
    assert CALZA in graph.menu(graph.find([bid(1, 3)])[0])
