"""Whole matches at random, each kept a second time by the twin; and what a round tells of itself."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from perudo_talk import legal_words, played, say
from perudo_twin import TwinMatch, legal, parse

from tahur.arena.match import run
from tahur.core.chance import dealer_of
from tahur.core.errors import RecordError, SettingError
from tahur.core.game import OVER, Action, Game
from tahur.core.player import View
from tahur.core.record import Record
from tahur.games.perudo.bids import DUDO, Raising
from tahur.games.perudo.game import ENTRY, Perudo, perudo
from tahur.games.perudo.round import Round
from tahur.games.perudo.rules import PRESETS, Calza, Palifico, PerudoRules, rules_from_json, rules_to_json
from tahur.games.perudo.table import EMPTY, PerudoTable, dice_of
from tahur.players.simple import RandomPlayer

some_rules = st.builds(
    PerudoRules,
    name=st.sampled_from([*PRESETS, "house"]),
    dice=st.integers(1, 10),
    raising=st.sampled_from([Raising.ANY_FACE, Raising.FACE_NEVER_FALLS]),
    aces_open=st.booleans(),
    palifico=st.none() | st.builds(Palifico, once=st.booleans(), one_die_changes=st.booleans(), two_left=st.booleans()),
    calza=st.sampled_from(list(Calza)),
)


@st.composite
def some_games(draw: st.DrawFn) -> Perudo:
    rules = draw(some_rules)
    cups = draw(
        st.lists(st.integers(0, rules.dice), min_size=2, max_size=8).filter(lambda dice: sum(map(bool, dice)) > 1)
    )
    opener = draw(st.sampled_from([seat for seat, dice in enumerate(cups) if dice]))
    dropped = draw(st.sets(st.integers(0, len(cups) - 1)))
    palifico = rules.palifico is not None and draw(st.booleans())
    return Perudo(
        Round(rules=rules, cups=tuple(cups), opener=opener, palifico=palifico, dropped=tuple(sorted(dropped)))
    )


# ---- matches at random ---------------------------------------------------------------------------


def lively(table: PerudoTable, rng: np.random.Generator) -> Action:
    """Mostly small raises and calls, so that rounds are long enough and calza is called as often as dudo."""
    actions = table.actions()
    if table.standing is not None and rng.random() < 0.3:
        return actions[int(rng.random() * 2) % len(actions)]
    reach = len(actions) if rng.random() < 0.1 else min(len(actions), 9)
    return actions[int(rng.random() * reach)]


def a_match(preset: str, seats: int, rng: np.random.Generator, seen: Counter[str]) -> int:
    """Play one match beside the twin; returns its rounds."""
    dice = 2 + int(rng.random() * 4)
    now: Perudo | None = perudo(rules=preset, seats=seats, dice=dice, opener=int(rng.random() * seats))
    assert now is not None
    twin = TwinMatch(preset, dice, [dice] * seats, now.round.opener)
    rounds = 0
    while now is not None:
        assert (list(now.round.cups), now.round.opener, now.round.palifico) == (twin.cups, twin.opener, twin.palifico)
        record = a_round(now, rng, check=rounds % 32 == 7)
        words = [now.label(now.start(), action) for action in record.actions]
        assert len(words) <= 6 * sum(twin.cups) + 1
        before = sum(twin.cups)
        assert list(record.payoffs) == twin.finish([dice_of(hand) for hand in record.hands], words)
        assert sum(twin.cups) - before == sum(record.payoffs) in (-1, 0, 1)
        assert all(0 <= held <= dice for held in twin.cups)
        seen.update(events(now, record))
        now = now.next(record)
        rounds += 1
    assert len(twin.in_play) == 1
    return rounds


def a_round(game: Perudo, rng: np.random.Generator, *, check: bool) -> Record:
    hands, table = game.deal(rng), game.start()
    while table.turn != OVER:
        assert game.round.cups[table.turn]
        if check:
            old = None if table.standing is None else parse(game.label(table, table.standing))
            assert legal_words(game, table) == legal(
                game.round.rules.name, game.round.palifico, game.round.cups, table.turn, old
            )
        table = table.after(lively(table, rng))
    return Record(
        game=game.name, settings=game.settings, hands=hands, actions=table.history, payoffs=game.payoffs(table, hands)
    )


def events(game: Perudo, record: Record) -> Iterator[str]:
    """What happened, to see that the matches were worth playing."""
    change = sum(record.payoffs)
    if game.round.palifico:
        yield "palifico with two left" if len(game.round.order) == 2 else "palifico"
    if record.actions[-1] == DUDO:
        yield "dudo"
    else:
        yield {1: "calza won", 0: "calza with a full cup", -1: "calza lost"}[int(change)]
    if any(held == 1 and lost < 0 for held, lost in zip(game.round.cups, record.payoffs, strict=True)):
        yield "a seat went out"


def many_matches(preset: str, rounds: int, seed: int) -> Counter[str]:
    rng, seen, done = np.random.default_rng(seed), Counter[str](), 0
    while done < rounds:
        done += a_match(preset, 2 + int(rng.random() * 7), rng, seen)
    return seen


EVENTS = {
    "faroleo": {"palifico", "palifico with two left", "dudo", "calza won", "calza lost", "calza with a full cup"},
    "asmodee": {"palifico", "dudo", "calza won", "calza lost", "calza with a full cup"},
    "classic": {"palifico", "dudo"},
}


@pytest.mark.parametrize("preset", list(PRESETS))
def test_dice_are_conserved_and_one_seat_wins_in_16_700_random_rounds(preset: str) -> None:
    seen = many_matches(preset, 16_700, seed=4)
    assert set(seen) == EVENTS[preset] | {"a seat went out"}
    assert min(seen.values()) > 50


@pytest.mark.slow
@pytest.mark.parametrize("preset", list(PRESETS))
def test_dice_are_conserved_and_one_seat_wins_in_a_third_of_a_million_random_rounds(preset: str) -> None:
    seen = many_matches(preset, 334_000, seed=5)
    assert set(seen) == EVENTS[preset] | {"a seat went out"}


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("seats", [2, 5, 8])
def test_a_match_in_the_arena_ends_and_each_record_is_played_again_the_same(preset: str, seats: int) -> None:
    game = perudo(rules=preset, seats=seats, dice=3)
    records = list(run(game, [RandomPlayer()] * seats, seed=seats))
    for record in records:
        assert Record.from_json(record.to_json()) == record
        again = ENTRY.make(**json.loads(json.dumps(dict(record.settings))))
        *_, last = record.replay(again)
        assert again.payoffs(last, dealer_of(record, again).deal(again)) == record.payoffs
    final: Game[PerudoTable] = ENTRY.make(**records[-1].settings)
    assert final.next(records[-1]) is None
    assert (
        sum(dice + change > 0 for dice, change in zip(records[-1].settings["cups"], records[-1].payoffs, strict=True))
        == 1
    )


def test_the_same_seed_gives_the_same_match() -> None:
    first, second = (list(run(perudo(seats=3), [RandomPlayer()] * 3, seed=7)) for _ in range(2))
    assert first == second


# ---- what a round tells of itself ----------------------------------------------------------------


@given(some_games())
def test_settings_give_the_same_round_again(game: Perudo) -> None:
    assert ENTRY.make(**json.loads(json.dumps(dict(game.settings)))) == game


@given(some_games())
def test_a_round_prints_as_it_is_written(game: Perudo) -> None:
    assert eval(repr(game)) == game


@given(some_rules)
def test_rules_are_read_back_as_they_were_written(rules: PerudoRules) -> None:
    assert rules_from_json(json.loads(json.dumps(rules_to_json(rules)))) == rules


def test_presets_are_written_by_name_and_changes_beside_it() -> None:
    assert perudo(rules="asmodee").settings["rules"] == "asmodee"
    assert perudo(calza=False, dice=3).settings["rules"] == {"name": "faroleo", "dice": 3, "calza": "off"}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"seats": 3, "cups": [1, 1]}, "3 seats, but 2 cups"),
        ({"dice": 0}, "a cup holds 1 to 10"),
        ({"dice": 11}, "a cup holds 1 to 10"),
        ({"cups": [6, 5]}, "a cup holds 0 to 5 dice"),
        ({"cups": [-1, 5, 5]}, "a cup holds 0 to 5 dice"),
        ({"cups": [5, 0, 0]}, "needs two seats with dice"),
        ({"cups": [5, 0, 5], "opener": 1}, "it has no dice"),
        ({"opener": 2}, "seat 2 opens"),
        ({"opener": -1}, "seat -1 opens"),
        ({"dropped": [2]}, "the seats are 0 to 1"),
        ({"rules": {"wild": True}}, "no rule 'wild'; valid: name, dice, raising"),
        ({"rules": {"calza": "sometimes"}}, "calza: 'sometimes'"),
        ({"rules": {"palifico": {"twice": True}}}, "palifico: .*'twice'"),
        ({"rules": {"raising": "the face is locked"}}, "locked in palifico only"),
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        ENTRY.make(**wrong)


@given(some_games(), st.integers(0, 2**32 - 1))
def test_any_rules_play_a_whole_round(game: Perudo, seed: int) -> None:
    record = a_round(game, np.random.default_rng(seed), check=False)
    assert sum(map(abs, record.payoffs)) <= 1
    following = game.next(record)
    assert following is None or following.round.rules == game.round.rules


def test_cups_are_lifted_only_when_somebody_has_called() -> None:
    game = perudo(cups=[2, 0, 1, 3], opener=2)
    assert game.revealed(say(game, "1 two")) == ()
    assert game.revealed(say(game, "1 two", "dudo")) == (0, 2, 3)
    record = played(game, [[2, 2], [], [3], [4] * 3], "1 two", "dudo")
    assert record.seen_by(game, None, upto=1).hands == (None,) * 4
    assert record.seen_by(game, None).hands == (record.hands[0], None, record.hands[2], record.hands[3])


def test_the_table_tells_the_standing_bid_and_whose_it_is() -> None:
    game = perudo(seats=3, opener=1)
    start, raised, over = say(game), say(game, "1 two", "1 three"), say(game, "1 two", "1 three", "dudo")
    assert (start.standing, start.bidder, start.caller, start.cups) == (None, None, None, (5, 5, 5))
    assert game.label(raised, raised.standing or 0) == "1 three"
    assert (raised.bidder, raised.caller, raised.turn) == (2, None, 0)
    assert (over.standing, over.bidder, over.caller, over.turn) == (raised.standing, 2, 0, OVER)
    assert over.actions() == ()
    assert hash(raised) == hash(say(game, "1 two", "1 three"))
    assert raised == say(game, "1 two", "1 three") != over


def test_a_view_of_the_table_holds_no_dice_of_others() -> None:
    game = perudo()
    view = View(game, say(game, "1 two"), 1, game.deal(np.random.default_rng(3))[1])
    assert "hand=" in repr(view)
    assert view.table == say(perudo(), "1 two")


def test_nobody_is_paid_before_a_call_and_a_record_must_fit_the_round() -> None:
    game = perudo()
    with pytest.raises(RecordError, match="before dudo or calza; it is seat 1's turn"):
        game.payoffs(say(game, "1 two"), (EMPTY, EMPTY))
    with pytest.raises(RecordError, match="between 2 seats"):
        game.next(Record(game="perudo", settings={}, hands=(0, 0, 0), actions=(DUDO,), payoffs=(0, 0, -1)))


def test_between_two_seats_the_difference_of_dice_sums_to_zero() -> None:
    """What the solvers play for: +1 against -1, and 0 for a right calza with a full cup."""
    game = perudo(cups=[2, 5])
    rounds = [
        ("3 twos", "dudo"),
        ("1 two", "dudo"),
        ("2 twos", "calza"),
        ("1 five", "1 six", "calza"),
        ("1 two", "2 twos", "calza"),
    ]
    payoffs = [played(game, [[2, 2], [3, 3, 4, 4, 5]], *words).payoffs for words in rounds]
    assert [first - second for first, second in payoffs] == [-1, 1, 0, -1, 1]
