"""Kuhn, Leduc and liar's dice: the contract, and every history against OpenSpiel's games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
import pytest

from games.contract import check_game
from tahur.core.errors import IllegalAction, SettingError
from tahur.core.game import CHANCE, OVER, Action, Hand
from tahur.games import kuhn, leduc, liars_dice
from tahur.games.kuhn import BET, PASS, Kuhn
from tahur.games.leduc import CALL, FOLD, RAISE, Leduc
from tahur.games.liars_dice import LiarsDice

ENTRIES = {module.ENTRY.name: module.ENTRY for module in (kuhn, leduc, liars_dice)}
Deals = Sequence[tuple[tuple[Hand, ...], float]]
GAMES = [Kuhn(), Kuhn(3), Kuhn(10), Leduc(), LiarsDice(), LiarsDice(2, 3), LiarsDice(5, 6), LiarsDice(1, 2)]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_the_contract_holds(game: Any) -> None:
    check_game(game, entry=ENTRIES[game.name])


@pytest.mark.parametrize(
    ("make", "settings"),
    [
        (Kuhn, {"seats": 1}),
        (Kuhn, {"seats": 11}),
        (Kuhn, {"seats": "2"}),
        (LiarsDice, {"dice": 0}),
        (LiarsDice, {"faces": 1}),
        (LiarsDice, {"faces": 6.0}),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused_with_what_would(make: Any, settings: dict[str, Any]) -> None:
    with pytest.raises(SettingError, match=r"valid: \d+ to \d+"):
        make(**settings)


# ---- Kuhn ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "payoffs", "shown"),
    [
        ((PASS, PASS), (-1, 1), (0, 1)),
        ((BET, PASS), (1, -1), ()),
        ((BET, BET), (-2, 2), (0, 1)),
        ((PASS, BET, PASS), (-1, 1), ()),
        ((PASS, BET, BET), (-2, 2), (0, 1)),
    ],
)
def test_the_five_ways_a_kuhn_hand_can_go(actions: Sequence[Action], payoffs: Any, shown: Any) -> None:
    game, table = Kuhn(), played(Kuhn(), actions)
    assert table.turn == OVER
    assert game.payoffs(table, (1, 2)) == payoffs
    assert game.revealed(table) == shown


def test_kuhn_calls_a_pass_by_what_it_means() -> None:
    game = Kuhn()
    table = game.start()
    assert [game.label(table, action) for action in table.actions()] == ["check", "bet"]
    assert [game.label(table.after(BET), action) for action in (PASS, BET)] == ["fold", "call"]
    assert [game.hand_text(hand) for hand in game.hands(0)] == ["J", "Q", "K"]


def test_with_three_seats_the_best_card_among_those_who_paid_wins() -> None:
    game, table = Kuhn(3), played(Kuhn(3), (PASS, BET, PASS, BET))
    assert game.payoffs(table, (0, 1, 3)) == (-2, 3, -1)
    assert game.revealed(table) == (0, 1)


# ---- Leduc ---------------------------------------------------------------------------------------


def test_a_pair_with_the_board_beats_a_king() -> None:
    table = played(Leduc(), (CALL, CALL, 0, CALL, CALL))
    assert Leduc().payoffs(table, (1, 5)) == (1, -1)


def test_equal_ranks_split() -> None:
    table = played(Leduc(), (CALL, RAISE, CALL, 0, CALL, CALL))
    assert Leduc().payoffs(table, (4, 5)) == (0, 0)


def test_raises_are_two_chips_before_the_board_and_four_after_it() -> None:
    game = Leduc()
    before = played(game, (RAISE,))
    after = played(game, (RAISE, RAISE, CALL, 3, RAISE))
    assert [before.paid, after.paid] == [(3, 1), (9, 5)]
    assert game.label(before, RAISE) == "raise to 5"
    assert game.label(after, RAISE) == "raise to 13"
    assert game.payoffs(after.after(FOLD), (0, 1)) == (5, -5)


def test_nobody_folds_to_nothing_and_nobody_raises_three_times() -> None:
    with pytest.raises(IllegalAction, match="legal: check, raise to 3"):
        Leduc().start().after(FOLD)
    with pytest.raises(IllegalAction, match="legal: fold, call"):
        played(Leduc(), (RAISE, RAISE, RAISE))


def test_a_folded_hand_is_never_shown() -> None:
    assert Leduc().revealed(played(Leduc(), (RAISE, FOLD))) == ()
    assert Leduc().revealed(played(Leduc(), (CALL, CALL, 0, CALL, CALL))) == (0, 1)


def test_the_board_card_is_nobodys_hand() -> None:
    table = played(Leduc(), (CALL, CALL))
    assert Leduc().outcomes(table, (0, 3)) == (1, 2, 4, 5)
    assert Leduc().outcomes(table, ()) == (0, 1, 2, 3, 4, 5)


# ---- liar's dice ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rolls", "bid", "met"),
    [
        (((3,), (3,)), (2, 3), True),
        (((3,), (6,)), (2, 3), True),  # the highest face is wild
        (((6,), (6,)), (2, 1), True),
        (((3,), (6,)), (2, 6), False),  # but nothing is wild for it
        (((1,), (2,)), (1, 3), False),
    ],
)
def test_a_bid_is_met_by_its_face_and_by_the_highest(rolls: Any, bid: tuple[int, int], met: bool) -> None:
    game = LiarsDice()
    hands = tuple(hand_of(game, roll) for roll in rolls)
    quantity, face = bid
    table = played(game, ((quantity - 1) * 6 + face - 1, game.liar))
    assert game.payoffs(table, hands) == ((1, -1) if met else (-1, 1))


def test_a_bid_only_rises_and_liar_needs_one() -> None:
    game = LiarsDice()
    assert game.liar not in game.start().actions()
    assert list(game.start().after(7).actions()) == [8, 9, 10, 11, 12]
    assert game.label(game.start(), 7) == "2 x 2"


@pytest.mark.parametrize("game", [LiarsDice(2, 3), LiarsDice(3, 4), LiarsDice(1, 6)], ids=repr)
def test_rolls_are_as_likely_as_the_dice_make_them(game: LiarsDice) -> None:
    ordered = Counter(tuple(sorted(roll)) for roll in product(range(1, game.faces + 1), repeat=game.dice))
    exact = np.array([ordered[game.roll(hand)] for hand in game.hands(0)]) / ordered.total()
    np.testing.assert_allclose(game.prior(0), exact, rtol=0, atol=1e-15)
    deals = 20_000
    rng = np.random.default_rng(7)
    dealt = Counter((seat, hand) for _ in range(deals) for seat, hand in enumerate(game.deal(rng)))
    for seat, hand in product(range(2), game.hands(0)):
        error = np.sqrt(exact[hand] * (1 - exact[hand]) / deals)
        assert abs(dealt[seat, hand] / deals - exact[hand]) < 5 * error, game.hand_text(hand)


@pytest.mark.parametrize("game", [Kuhn(), Kuhn(3), Leduc()], ids=repr)
def test_every_possible_deal_of_cards_is_equally_likely(game: Any) -> None:
    rng = np.random.default_rng(8)
    deals = 20_000
    dealt = Counter(game.deal(rng) for _ in range(deals))
    possible = [hands for hands in product(*map(game.hands, range(game.seats))) if game.possible(hands)]
    assert set(dealt) == set(possible)
    share = 1 / len(possible)
    assert all(abs(count / deals - share) < 5 * np.sqrt(share / deals) for count in dealt.values())


# ---- OpenSpiel -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Peer:
    """The same game twice, and how large OpenSpiel says its own is. Every history is one state."""

    spiel: str
    game: Any
    states: int
    information_sets: int
    terminals: int

    def load(self) -> Any:
        return pytest.importorskip("pyspiel", reason="the peer is OpenSpiel").load_game(self.spiel)

    def hands(self, dealt: Sequence[Action]) -> tuple[Hand, ...]:
        """Ours for the chance moves that OpenSpiel's deal consists of: cards are alike, dice are one move each."""
        if not isinstance(self.game, LiarsDice):
            return tuple(dealt)
        size = self.game.dice
        rolls = [dealt[seat * size : (seat + 1) * size] for seat in range(2)]
        return tuple(hand_of(self.game, tuple(sorted(face + 1 for face in roll))) for roll in rolls)

    @property
    def deal_length(self) -> int:
        dice: int = getattr(self.game, "dice", 1)
        return dice * int(self.game.seats)


PEERS = [
    Peer("kuhn_poker", Kuhn(), 58, 12, 30),
    Peer("kuhn_poker(players=3)", Kuhn(3), 617, 48, 312),
    Peer("kuhn_poker(players=4)", Kuhn(4), 7_886, 160, 3_960),
    Peer("leduc_poker", Leduc(), 9_457, 936, 5_520),
    Peer("liars_dice(dice_sides=3)", LiarsDice(1, 3), 1_147, 192, 567),
    Peer("liars_dice(numdice=2,dice_sides=2)", LiarsDice(2, 2), 8_191, 768, 4_080),
    Peer("liars_dice", LiarsDice(), 294_883, 24_576, 147_420),
]
SLOW_PEERS = [
    Peer("liars_dice(numdice=2,dice_sides=3)", LiarsDice(2, 3), 663_511, 24_576, 331_695),
]
EVERY_PEER = [*PEERS, *(pytest.param(peer, marks=pytest.mark.slow) for peer in SLOW_PEERS)]


@dataclass(slots=True)
class Walk:
    """Both games side by side through every history; they must agree at each of them."""

    peer: Peer
    states: int = 0
    terminals: int = 0
    ours_of: dict[Any, Any] = field(default_factory=dict)
    theirs_of: dict[Any, Any] = field(default_factory=dict)
    chance: dict[tuple[Hand, ...], float] = field(default_factory=dict)

    def deal(self, state: Any, dealt: tuple[Action, ...] = (), probability: float = 1.0) -> None:
        if len(dealt) == self.peer.deal_length:
            hands = self.peer.hands(dealt)
            self.chance[hands] = self.chance.get(hands, 0) + probability
            return self.visit(state, self.peer.game.start(), hands)
        self.states += 1
        for move, chance in state.chance_outcomes():
            self.deal(state.child(move), (*dealt, move), probability * chance)
        return None

    def visit(self, state: Any, table: Any, hands: tuple[Hand, ...]) -> None:
        self.states += 1
        if state.is_terminal():
            self.terminals += 1
            agree_at_the_end(self.peer.game, state, table, hands)
            return
        self.agree(state, table, hands)
        for action in state.legal_actions():
            self.visit(state.child(action), table.after(action), hands)

    def agree(self, state: Any, table: Any, hands: tuple[Hand, ...]) -> None:
        agree_on_the_way(self.peer.game, state, table, hands)
        if table.turn == CHANCE:
            return
        theirs = (table.turn, state.information_state_string(table.turn))
        ours = (table.turn, hands[table.turn], table.history)
        assert self.ours_of.setdefault(theirs, ours) == ours, "they cannot tell apart what we can"
        assert self.theirs_of.setdefault(ours, theirs) == theirs, "we cannot tell apart what they can"


def agree_at_the_end(game: Any, state: Any, table: Any, hands: tuple[Hand, ...]) -> None:
    assert table.turn == OVER, f"{state}: over there, not here: {table}"
    assert tuple(state.returns()) == game.payoffs(table, hands), f"{state} {table}"


def agree_on_the_way(game: Any, state: Any, table: Any, hands: tuple[Hand, ...]) -> None:
    assert table.turn == (CHANCE if state.is_chance_node() else state.current_player()), f"{state} {table}"
    if table.turn != CHANCE:
        assert list(table.actions()) == state.legal_actions(), f"{state} {table}"
        return
    ours = game.outcomes(table, hands)
    assert [(move, pytest.approx(1 / len(ours))) for move in ours] == state.chance_outcomes(), f"{state} {table}"


@pytest.mark.parametrize("peer", EVERY_PEER, ids=lambda peer: peer.spiel)
def test_openspiel_agrees_at_every_history(peer: Peer) -> None:
    walk = Walk(peer)
    walk.deal(peer.load().new_initial_state())
    assert (walk.states, walk.terminals) == (peer.states, peer.terminals)
    assert len(walk.theirs_of) == len(walk.ours_of) == peer.information_sets
    assert walk.chance == pytest.approx(dict(deals_of(peer.game)), abs=1e-14)


@pytest.mark.parametrize("peer", EVERY_PEER, ids=lambda peer: peer.spiel)
def test_players_who_choose_at_random_win_what_openspiel_says(peer: Peer) -> None:
    spiel = peer.load()
    scores = pytest.importorskip("open_spiel.python.algorithms.expected_game_score")
    uniform = pytest.importorskip("open_spiel.python.policy").UniformRandomPolicy(spiel)
    theirs = scores.policy_value(spiel.new_initial_state(), [uniform] * spiel.num_players())
    ours = value_of(peer.game, peer.game.start(), list(deals_of(peer.game)))
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "peer",
    [
        Peer("kuhn_poker(players=10)", Kuhn(10), 0, 0, 0),
        Peer("liars_dice(numdice=2)", LiarsDice(2, 6), 0, 0, 0),
        Peer("liars_dice(numdice=5)", LiarsDice(5, 6), 0, 0, 0),
    ],
    ids=lambda peer: peer.spiel,
)
def test_openspiel_agrees_on_random_hands_of_larger_games(peer: Peer) -> None:
    spiel, rng = peer.load(), np.random.default_rng(9)
    for _ in range(300):
        state, table, dealt = spiel.new_initial_state(), peer.game.start(), []
        while state.is_chance_node():
            dealt.append(int(rng.choice(state.legal_actions())))
            state.apply_action(dealt[-1])
        hands = peer.hands(dealt)
        while not state.is_terminal():
            agree_on_the_way(peer.game, state, table, hands)
            action = int(rng.choice(state.legal_actions()[:8] + state.legal_actions()[-1:]))
            state.apply_action(action)
            table = table.after(action)
        agree_at_the_end(peer.game, state, table, hands)


# ---- by hand -------------------------------------------------------------------------------------


def played(game: Any, actions: Sequence[Action]) -> Any:
    table = game.start()
    for action in actions:
        table = table.after(action)
    return table


def hand_of(game: LiarsDice, roll: tuple[int, ...]) -> Hand:
    return next(hand for hand in game.hands(0) if game.roll(hand) == roll)


def deals_of(game: Any) -> Iterator[tuple[tuple[Hand, ...], float]]:
    """Every deal with its probability: the priors, without what cannot be dealt together."""
    hands = [each for each in product(*map(game.hands, range(game.seats))) if game.possible(each)]
    priors = [game.prior(seat) for seat in range(game.seats)]
    weights = [float(np.prod([prior[hand] for prior, hand in zip(priors, each, strict=True)])) for each in hands]
    yield from zip(hands, (weight / sum(weights) for weight in weights), strict=True)


def value_of(game: Any, table: Any, deals: Deals) -> Any:
    """What each seat wins from here on if every choice is made at random; the deals have weights."""
    if table.turn == OVER:
        return sum(weight * np.array(game.payoffs(table, hands), dtype=float) for hands, weight in deals)
    if table.turn == CHANCE:
        return sum(
            value_of(game, table.after(move), _left(game, table, deals, move)) for move in game.outcomes(table, ())
        )
    actions = table.actions()
    return sum(value_of(game, table.after(action), deals) for action in actions) / len(actions)


def _left(game: Any, table: Any, deals: Deals, move: Action) -> Deals:
    """The deals with which chance can play the move, each as much less likely as it has other moves."""
    outcomes = [(hands, weight, game.outcomes(table, hands)) for hands, weight in deals]
    return [(hands, weight / len(moves)) for hands, weight, moves in outcomes if move in moves]
