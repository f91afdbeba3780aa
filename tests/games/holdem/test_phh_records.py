"""Records become PHH texts and the same records again."""

from __future__ import annotations

import datetime
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from holdem_play import hands_of, play
from hypothesis import given
from hypothesis import strategies as st
from phh_hands import (
    CHECKED_DOWN,
    DATA,
    SEATS,
    hand,
    heads_up,
    random_record,
)

from tahur.core.errors import RecordError, SettingError
from tahur.core.record import Record
from tahur.games.holdem.history import History, ReplayVerdict, history_of, record_of
from tahur.games.holdem.limit import PRESETS
from tahur.games.holdem.phh import (
    Phh,
    read_phh,
    write_phh,
)
from tahur.games.holdem.replay import replay
from tahur.games.holdem.rules import Holdem, no_limit
from tahur.games.holdem.transcribe import phh_of
from tahur.games.registry import GAMES

# PokerKit writes and keeps this field of the format, but warns of it.
pytestmark = pytest.mark.filterwarnings("ignore:The field 'time_zone_abbreviation'")


@pytest.mark.parametrize("dealt_in", SEATS)
def test_a_record_becomes_a_phh_and_the_same_record_again(dealt_in: int) -> None:
    for number in range(40):
        record = random_record(Random(f"{dealt_in} {number}"), dealt_in, limit=number % 3 == 0)
        history = history_of(record)
        assert history.verdict() is ReplayVerdict.MATCHED
        phh = phh_of(history)
        assert read_phh(write_phh(phh)) == phh
        again = replay(read_phh(write_phh(phh)))
        assert again.verdict() is ReplayVerdict.MATCHED
        assert record_of(again) == _without_absent_names(record, history)


def _without_absent_names(record: Record, history: History) -> Record:
    names = tuple(name if history.game.stakes.stacks[seat] else "" for seat, name in enumerate(record.names))
    return Record(
        game=record.game,
        settings=record.settings,
        hands=record.hands,
        actions=record.actions,
        payoffs=record.payoffs,
        names=names,
    )


@pytest.mark.parametrize("name", ["hulh", "acpc"])
def test_a_named_game_keeps_its_name_in_a_phh(name: str) -> None:
    game = GAMES[name].make(stack=40, button=1)
    assert isinstance(game, Holdem)
    hands = hands_of("AsKs", "7d2c")
    table = play(game, "r4 c QsJs2h c r2 f")
    record = Record(
        game=name,
        settings=game.settings,
        hands=hands,
        actions=table.history,
        payoffs=game.payoffs(table, hands),
        names=("A", "B"),
    )
    phh = phh_of(history_of(record))
    assert phh.fields["_game"] == name
    assert record_of(replay(read_phh(write_phh(phh)))) == record


def test_a_name_that_contradicts_the_file_is_refused() -> None:
    for name, settings in (("hulh", {}), ("nlhe", {"ante": 5}), ("kuhn", {}), ("nlhe", {"stacks": [1, 1, 1]}), (3, {})):
        phh = hand()
        changed = Phh(
            variant=phh.variant,
            antes=phh.antes,
            blinds=phh.blinds,
            bets=phh.bets,
            stacks=phh.stacks,
            steps=phh.steps,
            fields={"_game": name, "_settings": settings},
        )
        with pytest.raises((RecordError, SettingError)):
            replay(changed)


def test_flop_holdem_cannot_be_told_in_phh() -> None:
    assert {preset.name for preset in PRESETS if len(preset.caps) == 2} == {"fhp", "fhp-3-4"}
    game = GAMES["fhp"].make(stack=40)
    assert isinstance(game, Holdem)
    table = play(game, "r4 f")
    record = Record(
        game="fhp", settings=game.settings, hands=hands_of("AsKs", "7d2c"), actions=table.history, payoffs=(2, -2)
    )
    with pytest.raises(RecordError, match="fhp has 2 rounds of betting; hold'em in a PHH has four"):
        phh_of(history_of(record))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"game": "kuhn", "settings": {}, "hands": (0, 1), "actions": (0, 0), "payoffs": (1, -1)}, "a record of kuhn"),
        ({"hands": (5, 1326)}, "2 numbers up to 1325 were expected"),
        ({"hands": (5,)}, "2 numbers up to 1325 were expected"),
        ({"payoffs": (1,)}, "a number for each of 2 seats"),
        ({"payoffs": ("x", 1)}, "a number for each of 2 seats"),
        ({"payoffs": (float("nan"), 1)}, "a number for each of 2 seats"),
        ({"actions": ()}, "the record stops after 0 actions, before the hand is over"),
    ],
)
def test_a_record_that_cannot_be_is_told_why(changes: dict[str, Any], message: str) -> None:
    game = no_limit(stacks=[20, 20])
    fields = {"game": "nlhe", "settings": game.settings, "hands": (5, 20), "actions": (0,), "payoffs": (-1, 1)}
    assert history_of(Record(**fields)).verdict() is ReplayVerdict.MATCHED  # type: ignore[arg-type]
    with pytest.raises(RecordError, match=message):
        history_of(Record(**{**fields, **changes}))  # type: ignore[arg-type]


def test_a_record_with_other_payoffs_is_a_mismatch() -> None:
    record = random_record(Random(3), 4)
    won = max(range(len(record.payoffs)), key=record.payoffs.__getitem__)
    payoffs = tuple(payoff + (seat == won) for seat, payoff in enumerate(record.payoffs))
    wrong = Record(
        game=record.game, settings=record.settings, hands=record.hands, actions=record.actions, payoffs=payoffs
    )
    assert history_of(wrong).verdict() is ReplayVerdict.MISMATCHED


def test_a_record_keeps_who_mucked_and_needs_the_hands_that_won() -> None:
    better = heads_up("d dh p1 QhQd", "d dh p2 7h5c", *CHECKED_DOWN, "p1 sm", "p2 sm -")
    files = [replay(read_phh((DATA / "good" / f"{name}.phh").read_text("utf-8"))) for name in ("fractional", "mucked")]
    for history in (*files, better):
        again = history_of(Record.from_json(record_of(history).to_json()))
        assert (again.payoffs, again.mucked, again.hands) == (history.payoffs, history.mucked, history.hands)
    with pytest.raises(RecordError, match="the hand of seat 2, which won, is unknown; a record needs it"):
        record_of(heads_up("d dh p1 QhQd", *CHECKED_DOWN, "p1 sm"))


@given(st.lists(st.text(max_size=12), min_size=3, max_size=3))
def test_any_name_survives_a_phh(names: list[str]) -> None:
    phh = hand()
    named = Phh(
        variant=phh.variant,
        antes=phh.antes,
        blinds=phh.blinds,
        bets=phh.bets,
        stacks=phh.stacks,
        steps=phh.steps,
        fields={"players": names},
    )
    sound = [name.encode("utf-8", "replace").decode() for name in names]
    assert read_phh(write_phh(named)).fields["players"] == sound


def test_every_kind_of_toml_value_survives() -> None:
    fields = {
        "author": 'O\'Hara "Bob" \\ \x7f',
        "time": datetime.time(1, 2, 3),
        "_when": datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=datetime.UTC),
        "_date": datetime.date(2024, 1, 2),
        "time_limit": Decimal("Infinity"),
        "_share": Decimal("0.10"),
        "_table": {"a b": [1, True], "c": {"d": ""}},
    }
    phh = hand()
    kept = Phh(
        variant=phh.variant,
        antes=phh.antes,
        blinds=phh.blinds,
        bets=phh.bets,
        stacks=phh.stacks,
        steps=phh.steps,
        fields=fields,
    )
    assert read_phh(write_phh(kept)) == kept
