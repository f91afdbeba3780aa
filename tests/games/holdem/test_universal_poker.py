"""Heads-up limit games against OpenSpiel's `universal_poker`: the same random deals, the same moves, the same chips.

OpenSpiel's player 0 is the big blind and player 1 the button. With five or more players it ends the interpreter, so it
is only asked about two.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is what we are held against")

import pyspiel

from tahur.cards.cards import cards_of
from tahur.core.game import CHANCE, OVER
from tahur.games.betting import FOLDED, betting_of
from tahur.games.holdem.limit import PRESETS, LimitPreset
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.stakes import Limit
from tahur.games.holdem.table import CALL, FOLD, HoldemTable

FOLDS, CALLS, RAISES = 0, 1, 2  # OpenSpiel's
TREES = [
    pytest.param(preset, id=preset.name, marks=[pytest.mark.slow] if preset.name == "acpc" else [])
    for preset in PRESETS
]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_a_limit_game_goes_as_in_openspiel(preset: LimitPreset) -> None:
    game = preset(button=1)
    peer = _universal_poker(game)
    for number in range(1000):
        _compare_deal(game, peer, Random(number))


@pytest.mark.parametrize("preset", TREES)
def test_the_whole_betting_tree_is_openspiels(preset: LimitPreset) -> None:
    """Every line of betting, with the same cards each time: what may be done, and what the ends pay."""
    game = preset(button=1)
    betting = betting_of(game)
    state = _universal_poker(game).new_initial_state()
    for card in range(4):
        state.apply_action(card)
    waiting, seen = [(0, state)], 0
    while waiting:
        node, state = waiting.pop()
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[-1])
        seen += 1
        if node >= betting.decisions:
            stake = betting.stake[node]
            won = state.returns()[0]
            assert won == stake if betting.kind[node] == FOLDED else abs(won) in (0, stake)
            continue
        assert state.current_player() == betting.seat[node]
        assert state.legal_actions() == [slot for slot in (FOLDS, CALLS, RAISES) if betting.legal[node, slot]]
        waiting += [(int(betting.children[node, slot]), state.child(slot)) for slot in state.legal_actions()]
    assert seen == len(betting.kind)


def test_a_limit_bet_stops_at_the_stack_though_openspiel_bets_chips_that_are_not_there() -> None:
    """Ruling: bets are capped at the stacks. In OpenSpiel's limit games, 6 and 8 chips are bet from stacks of 5."""
    game = PRESETS[0](stack=5, button=1)
    state = _universal_poker(game).new_initial_state()
    for card in range(4):
        state.apply_action(card)
    table = game.start().after(4 + 1).after(5 + 1)
    assert not table.raises
    for _ in range(2):
        state.apply_action(RAISES)
    assert RAISES in state.legal_actions()


def _universal_poker(game: Holdem) -> Any:
    structure = game.stakes.structure
    assert isinstance(structure, Limit)
    rounds = structure.rounds
    settings = {
        "betting": "limit",
        "numPlayers": 2,
        "numRounds": rounds,
        "blind": "2 1",
        "firstPlayer": " ".join(["2", "1", "1", "1"][:rounds]),
        "numSuits": 4,
        "numRanks": 13,
        "numHoleCards": 2,
        "numBoardCards": " ".join(["0", "3", "1", "1"][:rounds]),
        "raiseSize": " ".join(["2", "2", "4", "4"][:rounds]),
        "maxRaises": " ".join(map(str, structure.caps)),
        "stack": " ".join(map(str, game.stakes.stacks)),
    }
    return pyspiel.load_game("universal_poker", settings)


def _compare_deal(game: Holdem, peer: Any, random: Random) -> None:
    deck = random.sample(range(52), 9)
    hole, board = deck[:4], deck[4:]
    hands = tuple(_combo(*sorted(pair)) for pair in (hole[:2], hole[2:]))
    state = peer.new_initial_state()
    for card in hole:
        state.apply_action(card)
    table = game.start()
    while table.turn != OVER:
        if table.turn == CHANCE:
            assert state.is_chance_node()
            action = theirs = board[len(table.board)]
        else:
            assert state.current_player() == table.turn
            assert state.legal_actions() == _in_their_words(table)
            theirs = random.choice(state.legal_actions())
            action = table.raises[0] + 1 if theirs == RAISES else theirs
        state.apply_action(theirs)
        table = table.after(action)
    assert state.is_terminal()
    assert state.returns() == list(game.payoffs(table, hands))


def _combo(low: int, high: int) -> int:
    combo = high * (high - 1) // 2 + low
    assert cards_of(combo) == (high, low)
    return combo


def _in_their_words(table: HoldemTable) -> list[int]:
    actions = table.actions()
    return [FOLDS] * (FOLD in actions) + [CALLS] * (CALL in actions) + [RAISES] * bool(table.raises)
