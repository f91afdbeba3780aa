"""The games by name: settings there and back, what is refused, the deal after this one, labels, whole matches."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from holdem_play import hands_of, play

from tahur.arena.match import run
from tahur.core.chance import RandomDealer, dealer_of
from tahur.core.errors import SettingError
from tahur.core.game import CHANCE
from tahur.core.record import Record
from tahur.core.referee import play_out
from tahur.games.holdem import ENTRIES as EVERY
from tahur.games.holdem.limit import limit
from tahur.games.holdem.rules import NO_HAND, Holdem, no_limit
from tahur.games.holdem.stakes import Limit
from tahur.players.simple import RandomPlayer

ENTRIES = tuple(entry for entry in EVERY if entry.name != "spot")  # which begins in mid-hand; test_spot_game.py
MAKE = {entry.name: entry.make for entry in ENTRIES}


def made(name: str, **settings: Any) -> Holdem:
    game = MAKE[name](**settings)
    assert isinstance(game, Holdem)
    return game


@pytest.mark.parametrize("name", MAKE)
@pytest.mark.parametrize("settings", [{}, {"stacks": [30, 7], "button": 1}, {"stack": 12, "carry": True}])
def test_settings_make_the_very_game_again(name: str, settings: dict[str, Any]) -> None:
    game = made(name, **settings)
    assert game.name == name
    assert made(name, **json.loads(json.dumps(dict(game.settings)))) == game
    assert hash(made(name, **game.settings)) == hash(game)


def test_settings_of_the_free_games_make_them_again() -> None:
    for game in (
        no_limit(stacks=[5, 0, 9], blinds=[3, 7], ante=2, button=2, carry=False),
        limit(seats=3, stack=11, bets=[5, 6], caps=[1, 0], showdown_board=4, blinds=(0, 1)),
        made("fhp", showdown_board=5),
    ):
        assert made(game.name, **game.settings) == game


def test_the_names_are_those_of_the_list() -> None:
    assert list(MAKE) == ["nlhe", "limit", "hulh", "acpc", "fhp", "fhp-3-4"]
    assert all(entry.summary for entry in ENTRIES)


def test_by_default_six_seats_have_a_hundred_big_blinds() -> None:
    game = made("nlhe")
    assert (game.stakes.stacks, game.stakes.blinds, game.stakes.ante) == ((200,) * 6, (1, 2), 0)


@pytest.mark.parametrize(
    ("name", "caps", "board"),
    [
        ("hulh", (3, 3, 4, 4), 5),
        ("acpc", (3, 4, 4, 4), 5),
        ("fhp", (3, 3), 3),
        ("fhp-3-4", (3, 4), 3),
    ],
)
def test_a_preset_is_what_it_says(name: str, caps: tuple[int, ...], board: int) -> None:
    game = made(name)
    assert game.seats == 2
    assert (game.stakes.blinds, game.stakes.structure) == ((1, 2), Limit(2, 4, caps))
    assert (game.stakes.showdown_board, game.carry) == (board, False)


@pytest.mark.parametrize(
    ("name", "settings", "complaint"),
    [
        ("nlhe", {"stacks": [100]}, "1 seats"),
        ("nlhe", {"seats": 10}, "10 seats"),
        ("nlhe", {"stacks": [100, 0]}, "at least two seats need chips"),
        ("nlhe", {"stacks": [100, -1, 5]}, "none may be negative"),
        ("nlhe", {"stacks": [100, 10.5]}, "list of whole numbers"),
        ("nlhe", {"stacks": "100"}, "list of whole numbers"),
        ("nlhe", {"stacks": 100}, "list of whole numbers"),
        ("nlhe", {"stacks": [100, True]}, "list of whole numbers"),
        ("nlhe", {"stacks": [9, 9], "seats": 2}, "either stacks"),
        ("nlhe", {"blinds": [2, 1]}, r"blinds \[2, 1\]"),
        ("nlhe", {"blinds": [0, 0]}, "blinds"),
        ("nlhe", {"blinds": [1, 2, 4]}, "two whole numbers"),
        ("nlhe", {"ante": -1}, "ante -1"),
        ("nlhe", {"ante": 0.5}, "ante 0.5"),
        ("nlhe", {"button": 6}, "button 6"),
        ("nlhe", {"stacks": [5, 0, 5], "button": 1}, r"seats with chips are \[0, 2\]"),
        ("nlhe", {"carry": 1}, "true or false"),
        ("limit", {"caps": []}, "caps"),
        ("limit", {"caps": [1, 2, 3, 4, 5]}, "caps"),
        ("limit", {"caps": [-1]}, "caps"),
        ("limit", {"bets": [0, 4]}, "bets"),
        ("limit", {"showdown_board": 4}, "showdown_board 4"),
        ("limit", {"showdown_board": 6}, "showdown_board 6"),
        ("fhp", {"showdown_board": 2}, "showdown_board 2"),
        ("hulh", {"caps": [4, 4, 4, 4]}, r"hulh has caps \[3, 3, 4, 4\], not"),
        ("hulh", {"stacks": [9, 9, 9]}, "it has two seats"),
        ("hulh", {"colour": "red"}, "hulh has no setting 'colour'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(name: str, settings: dict[str, Any], complaint: str) -> None:
    with pytest.raises(SettingError, match=complaint):
        made(name, **settings)


def test_a_preset_takes_its_own_settled_values_as_tuples_too() -> None:
    assert made("hulh", caps=(3, 3, 4, 4), blinds=(1, 2), ante=0) == made("hulh")


def test_flop_holdem_is_decided_by_five_cards_or_by_seven_if_asked() -> None:
    """On the flop kings lead; two more board cards would pair the ace."""
    hands = hands_of("AsQd", "KhJd")
    for game, first in ((made("fhp"), -2), (made("fhp", showdown_board=5), 2)):
        table = play(game, "c c Kc7d2h c c" + (" AcTs" if first > 0 else ""))
        assert game.payoffs(table, hands) == (first, -first)
        assert game.revealed(table) == (0, 1)
        assert play(game, "c c Kc7d2h c c").turn == (CHANCE if first > 0 else -2)


def test_actions_are_called_what_players_call_them() -> None:
    game = no_limit(stacks=[1000, 940, 80], blinds=[25, 50])
    table = game.start()
    assert [game.label(table, action) for action in table.actions()[:3]] == ["fold", "call 50", "raise to 100"]
    raised = play(game, "r240")
    assert game.label(raised, 940 + 1) == "raise to 940 all-in"
    assert game.label(play(game, "r240 c"), 1) == "call 30 all-in"
    flop = play(game, "c c c")
    assert game.label(flop, 51) == "deal As"
    flop = play(game, "c c c 2c3c4c")
    assert [game.label(flop, action) for action in (1, 121, 891)] == ["check", "bet 120", "bet 890 all-in"]


def test_hands_are_written_as_players_say_them() -> None:
    game = no_limit()
    assert [game.hand_text(hand) for hand in (*hands_of("KdAs"), NO_HAND)] == ["AsKd", ""]


def test_the_next_deal_has_the_stacks_of_this_one_and_the_button_moves_past_empty_seats() -> None:
    game = no_limit(stacks=[10, 10, 10, 10], button=0)
    after = game.next(_record(game, (20, -10, -10, 0)))
    assert after == no_limit(stacks=[30, 0, 0, 10], button=3)
    assert after is not None
    again = after.next(_record(after, (10, 0, 0, -5)))
    assert again == no_limit(stacks=[40, 0, 0, 5], button=0)


def test_the_match_is_over_when_one_seat_has_all_the_chips() -> None:
    game = no_limit(stacks=[10, 10, 0])
    assert game.next(_record(game, (10, -10, 0))) is None
    assert game.next(_record(game, (-10, 10, 0))) is None


def test_a_preset_starts_every_deal_with_the_same_stacks() -> None:
    game = made("hulh", stack=20)
    assert game.next(_record(game, (20, -20))) == made("hulh", stack=20, button=1)


@pytest.mark.parametrize("name", MAKE)
def test_a_record_replays_and_deals_again(name: str) -> None:
    game = made(name)
    players = [RandomPlayer() for _ in range(game.seats)]

    def rngs() -> list[np.random.Generator]:
        return [np.random.default_rng(seat) for seat in range(game.seats)]

    record = play_out(game, RandomDealer(np.random.default_rng(9)), players, rngs())
    assert Record.from_json(record.to_json()) == record
    assert play_out(game, dealer_of(record, game), players, rngs()) == record
    *_, last = record.replay(game)
    assert game.payoffs(last, record.hands) == record.payoffs


def test_a_match_goes_on_until_one_seat_has_all_the_chips() -> None:
    records = list(run(no_limit(stacks=[20, 30, 25, 25]), [RandomPlayer()] * 4, seed=3, deals=2000))
    last = made("nlhe", **records[-1].settings)
    assert last.next(records[-1]) is None
    for record in records:
        game = made("nlhe", **record.settings)
        assert sum(game.stakes.stacks) == 100
        assert all(
            (hand == NO_HAND) == (stack == 0) for hand, stack in zip(record.hands, game.stakes.stacks, strict=True)
        )


def test_every_hand_is_equally_likely_before_anything_is_known() -> None:
    game = made("hulh")
    assert len(game.hands(0)) == len(game.prior(0)) == 1326
    assert game.prior(1).sum() == pytest.approx(1)


def _record(game: Holdem, payoffs: tuple[float, ...]) -> Record:
    return Record(game=game.name, settings=game.settings, hands=(), actions=(), payoffs=payoffs)
