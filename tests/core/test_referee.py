"""The referee asks the right seat, shows it its own hand, refuses what is illegal and keeps the record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tahur.core.chance import RandomDealer, SettledDealer, dealer_of
from tahur.core.errors import IllegalAction, SettingError
from tahur.core.game import CHANCE, OVER, Game
from tahur.core.player import Decision, View
from tahur.core.record import Record, Seen, Talk, Thought
from tahur.core.referee import Play, check_legal, play, play_out
from tahur.games.kuhn import BET, PASS, Kuhn, KuhnTable
from tahur.games.leduc import CALL, FOLD, RAISE, Leduc
from tahur.games.liars_dice import LiarsDice
from tahur.players.simple import RandomPlayer


def answered(referee: Play, answers: Sequence[Decision]) -> tuple[list[View], Record]:
    """The views of a deal in which these decisions are sent, and its record."""
    views = [next(referee).view]
    for answer in answers[:-1]:
        views.append(referee.send(answer).view)
    with pytest.raises(StopIteration) as stop:
        referee.send(answers[-1])
    return views, stop.value.value


class Listener:
    """Plays one action over and over, and keeps what it is given."""

    def __init__(self, action: int) -> None:
        self.action = action
        self.begun: list[View] = []
        self.asked: list[View] = []
        self.learned: list[Seen] = []

    def begin(self, view: View, rng: np.random.Generator) -> None:
        self.begun.append(view)

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        self.asked.append(view)
        return Decision(self.action)

    def learn(self, seen: Seen) -> None:
        self.learned.append(seen)


def rngs(count: int = 2) -> list[np.random.Generator]:
    return [np.random.default_rng(seat) for seat in range(count)]


# ---- asking --------------------------------------------------------------------------------------


def test_each_seat_is_asked_in_turn_and_shown_its_own_hand() -> None:
    views, record = answered(play(Kuhn(), SettledDealer((2, 0))), [Decision(PASS), Decision(BET), Decision(BET)])
    assert [(view.seat, view.hand, view.table.history) for view in views] == [
        (0, 2, ()),
        (1, 0, (PASS,)),
        (0, 2, (PASS, BET)),
    ]
    assert record == Record(game="kuhn", settings={"seats": 2}, hands=(2, 0), actions=(PASS, BET, BET), payoffs=(2, -2))


def test_chance_moves_between_the_asks_and_is_in_the_record() -> None:
    answers = [Decision(action) for action in (CALL, CALL, RAISE, FOLD)]
    views, record = answered(play(Leduc(), SettledDealer((0, 1), [5])), answers)
    assert record.actions == (CALL, CALL, 5, RAISE, FOLD)
    assert views[2].table.board == 5
    assert record.payoffs == (1, -1)


def test_names_are_in_every_view_and_in_the_record() -> None:
    views, record = answered(play(Kuhn(), SettledDealer((2, 0)), ["Ana", "Blas"]), [Decision(BET), Decision(PASS)])
    assert {view.names for view in views} == {("Ana", "Blas")}
    assert record.names == ("Ana", "Blas")


def test_a_deal_in_which_nobody_has_a_choice_is_recorded_all_the_same() -> None:
    class Settled(KuhnTable):
        turn = OVER

    class Forced(Kuhn):
        def start(self) -> KuhnTable:
            return Settled(self)

    players = [Listener(PASS), Listener(PASS)]
    record = play_out(Forced(), SettledDealer((2, 0)), players, rngs())
    assert (record.actions, record.payoffs) == ((), (1, -1))
    assert [(len(player.asked), len(player.learned)) for player in players] == [(0, 1), (0, 1)]


def test_only_among_players_who_all_forget_is_nobody_told_the_end() -> None:
    class Forgetful(Listener):
        learns = False

    for players, told in [([Forgetful(PASS), Forgetful(PASS)], [0, 0]), ([Forgetful(PASS), Listener(PASS)], [1, 1])]:
        play_out(Kuhn(), SettledDealer((2, 0)), players, rngs())
        assert [len(player.learned) for player in players] == told


# ---- talk and thought ----------------------------------------------------------------------------


def test_talk_is_heard_by_the_next_to_act_and_thoughts_by_nobody() -> None:
    answers = [Decision(PASS, "a trap", "slowly"), Decision(BET, "a bluff", ""), Decision(BET, "", "thank you")]
    views, record = answered(play(Kuhn(), SettledDealer((2, 0))), answers)
    assert [view.talk for view in views] == [(), (Talk(0, 0, "slowly"),), (Talk(0, 0, "slowly"),)]
    assert record.talk == (Talk(0, 0, "slowly"), Talk(2, 0, "thank you"))
    assert record.thoughts == (Thought(0, 0, "a trap"), Thought(1, 1, "a bluff"))
    assert not [view for view in views if "trap" in repr(view) or "bluff" in repr(view)]


def test_talk_is_numbered_by_the_action_it_came_with_chance_counted() -> None:
    answers = [Decision(CALL), Decision(CALL), Decision(CALL, "why not", "check"), Decision(CALL)]
    _, record = answered(play(Leduc(), SettledDealer((0, 2), [5])), answers)
    assert record.talk == (Talk(3, 0, "check"),)
    assert record.thoughts == (Thought(3, 0, "why not"),)


@pytest.mark.parametrize("upto", range(3))
def test_a_seat_sees_in_the_record_what_its_view_showed(upto: int) -> None:
    answers = [Decision(PASS, talk="one"), Decision(BET, talk="two"), Decision(BET, talk="three")]
    views, record = answered(play(Kuhn(), SettledDealer((2, 0))), answers)
    for view in (view for view in views if len(view.table.history) == upto):
        seen = record.seen_by(Kuhn(), view.seat, upto)
        assert (seen.hands[view.seat], seen.actions, seen.talk) == (view.hand, view.table.history, view.talk)


# ---- refusing ------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [FOLD, -1, 3, 10**9])
def test_an_illegal_action_is_refused_and_the_legal_ones_are_named(action: int) -> None:
    referee = play(Leduc(), SettledDealer((0, 1), [5]))
    next(referee)
    with pytest.raises(IllegalAction, match=rf"leduc: seat 0 cannot play action {action}; legal: check, raise to 3"):
        referee.send(Decision(action))


def test_the_referee_refuses_even_what_a_careless_table_would_take() -> None:
    class Careless(KuhnTable):
        def after(self, action: int) -> KuhnTable:
            return Careless(self.game, (*self.history, action))

    class CarelessKuhn(Kuhn):
        def start(self) -> KuhnTable:
            return Careless(self)

    referee = play(CarelessKuhn(), SettledDealer((2, 0)))
    next(referee)
    with pytest.raises(IllegalAction, match="legal: check, bet"):
        referee.send(Decision(7))


def test_of_many_legal_actions_the_first_dozen_and_the_last_are_named() -> None:
    game = LiarsDice(5, 6)
    with pytest.raises(IllegalAction) as caught:
        check_legal(game, game.start(), 60)
    assert str(caught.value) == (
        "liars-dice: seat 0 cannot play action 60; legal: 1 x 1, 1 x 2, 1 x 3, 1 x 4, 1 x 5, 1 x 6, "
        "2 x 1, 2 x 2, 2 x 3, 2 x 4, 2 x 5, 2 x 6 and 48 more up to 10 x 6"
    )


@pytest.mark.parametrize(
    ("table", "words"),
    [(Leduc().start().after(CALL).after(CALL), "chance"), (Kuhn().start().after(BET).after(BET), "over")],
)
def test_nobody_acts_when_it_is_nobodys_turn(table: Any, words: str) -> None:
    game = Leduc() if table.turn == CHANCE else Kuhn()
    with pytest.raises(IllegalAction, match=words):
        check_legal(game, table, 1)


def test_an_action_that_numpy_chose_is_recorded_as_a_plain_integer() -> None:
    chosen: list[Any] = [np.int64(BET), np.int64(PASS)]
    _, record = answered(play(Kuhn(), SettledDealer((2, 0))), [Decision(action) for action in chosen])
    assert Record.from_json(record.to_json()) == record
    assert [type(action) for action in record.actions] == [int, int]


# ---- players -------------------------------------------------------------------------------------


def test_every_player_begins_with_its_own_hand_and_learns_what_it_may_know() -> None:
    players = [Listener(BET), Listener(PASS), Listener(BET)]
    record = play_out(Kuhn(3), SettledDealer((3, 0, 1)), players, rngs(3), ["a", "b", "c"])
    for seat, player in enumerate(players):
        assert player.begun == [
            View(game=Kuhn(3), table=Kuhn(3).start(), seat=seat, hand=record.hands[seat], names=("a", "b", "c"))
        ]
        assert [view.seat for view in player.asked] == [seat]
        assert player.learned == [record.seen_by(Kuhn(3), seat)]
    assert players[0].learned[0].hands == (3, None, 1)


def test_a_player_that_breaks_the_rules_is_refused() -> None:
    with pytest.raises(IllegalAction, match="seat 1"):
        play_out(Kuhn(), SettledDealer((2, 0)), [Listener(PASS), Listener(7)], rngs())


def test_a_player_that_runs_out_of_ideas_does_not_end_the_hand() -> None:
    class Dry(Listener):
        def act(self, view: View, rng: np.random.Generator) -> Decision:
            return next(iter(()))

    with pytest.raises((StopIteration, RuntimeError)):
        play_out(Kuhn(), SettledDealer((2, 0)), [Dry(PASS), Dry(PASS)], rngs())


@pytest.mark.parametrize("count", [1, 3])
def test_there_is_a_player_for_every_seat_or_no_hand(count: int) -> None:
    with pytest.raises(SettingError, match="2 seats"):
        play_out(Kuhn(), SettledDealer((2, 0)), [Listener(PASS)] * count, rngs(count))


# ---- recovery ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [Kuhn(3), Leduc(), LiarsDice(2, 6)], ids=repr)
@pytest.mark.parametrize("seed", range(20))
def test_the_same_dealer_and_the_logged_decisions_bring_a_broken_hand_back(game: Game[Any], seed: int) -> None:
    log: list[Decision] = []
    views, whole = _logged(game, seed, log)
    for crash in range(len(log)):
        referee = play(game, RandomDealer(np.random.default_rng(seed)))
        ask = next(referee)
        for decision in log[:crash]:
            ask = referee.send(decision)
        assert ask.view == views[crash]
        again, record = _finish(referee, log[crash:])
        assert (again, record) == (views[crash + 1 :], whole)


@pytest.mark.parametrize("game", [Kuhn(), Leduc(), LiarsDice(5, 6)], ids=repr)
def test_a_recorded_hand_is_dealt_again_exactly(game: Game[Any]) -> None:
    for seed in range(50):
        log: list[Decision] = []
        _, record = _logged(game, seed, log)
        views, again = answered(play(game, dealer_of(Record.from_json(record.to_json()), game)), log)
        assert again == record
        assert all(view.hand == record.hands[view.seat] for view in views)


def _logged(game: Game[Any], seed: int, log: list[Decision]) -> tuple[list[View], Record]:
    """A random hand with talk and thoughts; its decisions go into the log."""
    referee = play(game, RandomDealer(np.random.default_rng(seed)))
    player, rng = RandomPlayer(), np.random.default_rng((seed, 1))
    views = [next(referee).view]
    while True:
        action = player.act(views[-1], rng).action
        log.append(Decision(action, f"thought {len(log)}", f"talk {len(log)}"))
        try:
            views.append(referee.send(log[-1]).view)
        except StopIteration as stop:
            return views, stop.value


def _finish(referee: Play, decisions: Sequence[Decision]) -> tuple[list[View], Record]:
    views = [referee.send(decision).view for decision in decisions[:-1]]
    with pytest.raises(StopIteration) as stop:
        referee.send(decisions[-1])
    return views, stop.value.value
