"""Strategy files of Flop Hold'em: what was written is read, suits aside, at any table and in either seat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tahur.cards.cards import cards_of, combo_of, parse_cards
from tahur.cards.flops import (
    RELABELINGS,
    canonical,
    canonical_flop,
    canonical_flops,
    hand_classes,
    relabel,
    start_classes,
)
from tahur.core.archive import BUCKETS, Archive, write_archive
from tahur.core.errors import StrategyError
from tahur.core.player import View
from tahur.core.solution import Facts, read_solution
from tahur.games.betting import betting_of
from tahur.games.holdem import flop_table
from tahur.games.holdem.flop_table import FlopEntries, FlopTable, read_flop_table, write_flop_table
from tahur.games.holdem.limit_study import LimitStudy
from tahur.games.registry import make
from tahur.players.registry import make_player
from tahur.solvers.limit.player_policy import AnyFlopPolicy

GAME: Any = make("fhp", {})
BETTING = betting_of(GAME)
FACTS = Facts(
    game="fhp",
    settings=dict(GAME.settings),
    schedule="dcfr+",
    planned=0,
    iterations=7,
    exploitability=1.5,
    nashconv=3.0,
    value=54.0,
    unit="mbb/g",
)
FLOPS = [tuple(map(int, parse_cards(text))) for text in ("2c3c4c", "2c3c4d", "2c2d2h", "2c7dAh")]


class Source:
    """Random chances, the same each time they are asked for."""

    def start(self) -> np.ndarray:
        legal = BETTING.legal[:8, None, :]
        weights = np.random.default_rng(1).random((8, 169, 3)) * legal
        return (weights / weights.sum(axis=2, keepdims=True)).astype(np.float32)

    def classes(self, cards: Any) -> np.ndarray:
        legal = BETTING.legal[8:16][None, :, None, :]
        shape = (7, 8, len(hand_classes(cards).firsts), 3)
        weights = np.random.default_rng(sum(cards)).random(shape) ** 4 * legal
        return (weights / weights.sum(axis=3, keepdims=True)).astype(np.float32)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlopTable:
    """A file with four flops only: what is asked of others is corrupted."""
    monkeypatch.setattr(flop_table, "canonical_flops", lambda: tuple(FLOPS))
    write_flop_table(tmp_path / "few.tahur", FACTS, BETTING, Source())
    return read_flop_table(tmp_path / "few.tahur")


def test_flops_and_hands_are_counted_as_known() -> None:
    flops = canonical_flops()
    assert len(flops) == 1755
    assert len(start_classes().firsts) == 169
    assert sum(len(hand_classes(cards).firsts) for cards in flops) == 1_286_792


def test_the_least_flop_is_the_canonical_one_and_hands_keep_their_places() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        cards = rng.choice(52, 5, replace=False).tolist()
        flop, renamed = canonical_flop(cards[2:])
        assert flop == canonical((), cards[2:])[1]
        hand = cards_of(int(renamed[combo_of(cards[:2])]))
        assert canonical(hand, flop) == canonical(cards[:2], cards[2:])


def test_bytes_are_within_half_a_level_and_add_up() -> None:
    entries, chances = FlopEntries(BETTING), Source().classes(FLOPS[0])
    found = entries.unpacked(entries.packed(chances))
    assert np.abs(found - chances).max() < 1.01 / 255
    assert found.sum(axis=3) == pytest.approx(1, abs=1e-6)
    pure = np.rint(chances[..., :1] * 0) + np.eye(3)[[1]]
    assert (entries.unpacked(entries.packed(pure)) == pure).all()


def test_all_suits_and_both_seats_get_the_same_answer(table: FlopTable) -> None:
    """AcKd on 2c3c4d after a limp and a check, under all 24 names, and with the button on either seat."""
    hand, flop = parse_cards("AcKd"), parse_cards("2c3c4d")
    classes = hand_classes(FLOPS[1])
    known = Source().classes(FLOPS[1])[0, 0, classes.member[combo_of(hand)]]
    for button in (0, 1):
        game: Any = make("fhp", {"button": button, "stacks": [300, 40]})
        for suits in RELABELINGS:
            at = game.start().after(1).after(1)
            for card in relabel(flop, suits):
                at = at.after(card)
            view = View(game, at, at.turn, combo_of(relabel(hand, suits)))
            assert at.turn != button
            found = table.probabilities(view)
            assert list(found) == list(at.actions())
            assert list(found.values()) == pytest.approx(known[1:].tolist(), abs=1 / 250)


def test_it_sits_at_a_table_and_plays_the_start_exactly(table: FlopTable) -> None:
    player: Any = make_player(f"strategy:{table.file.path}", GAME)
    start = Source().start()
    for hand in (0, 700, 1325):
        chances = player.probabilities(View(GAME, GAME.start(), 0, hand))
        assert list(chances.values()) == pytest.approx(start[0, start_classes().member[hand]].tolist(), abs=1e-6)
    decision = player.act(View(GAME, GAME.start(), 0, 5), np.random.default_rng(0))
    assert decision.action in GAME.start().actions()


@pytest.mark.parametrize(
    ("name", "settings", "why"),
    [
        ("fhp-3-4", {}, "solved for fhp"),
        ("fhp", {"stack": 10}, "14 chips or more"),
        ("fhp", {"showdown_board": 5}, "3 board cards"),
        ("leduc", {}, "solved for fhp"),
    ],
)
def test_it_refuses_games_it_was_not_solved_for(
    table: FlopTable, name: str, settings: dict[str, Any], why: str
) -> None:
    assert why in str(table.misfit(make(name, settings)))


def test_a_study_shows_every_decision_of_a_line(table: FlopTable) -> None:
    study = LimitStudy(AnyFlopPolicy(table, BETTING), BETTING)
    first = study.spot()
    assert (first.seat, first.frequency, len(first.rows)) == (0, pytest.approx(1.0), 169)
    assert sum(first.average) == pytest.approx(1)
    later = study.spot("call,check,4d3c2c,check")
    assert later.line == ("call 1", "check", "4d3c2c", "check")
    assert sum(row.share for row in later.rows) == pytest.approx(1)
    # Of all deals with this flop: both players' choices before it and the check on it, each flop being one of 22,100.
    before = [study.spot("call").frequency, study.spot("call").average[0]]
    assert later.frequency < before[0] * before[1] / 22_100 * 1.2
    with pytest.raises(StrategyError, match="the flop comes after"):
        study.spot("call,check")
    with pytest.raises(StrategyError, match="not possible at the start; possible: fold, call 1, raise to 4"):
        study.spot("check")


def test_a_file_that_is_cut_or_not_ours_is_refused(table: FlopTable, tmp_path: Path) -> None:
    whole = table.file.path.read_bytes()
    cut = tmp_path / "cut.tahur"
    cut.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StrategyError):
        read_flop_table(cut)
    other = tmp_path / "other.tahur"
    write_archive(other, BUCKETS, {}, [("a", b"1")])
    with pytest.raises(StrategyError, match="a limit strategy on card buckets, not a Flop Hold'em strategy"):
        read_flop_table(other)
    with pytest.raises(StrategyError, match="it was not overwritten"):
        write_archive(cut, BUCKETS, {}, [])
    with pytest.raises(StrategyError, match="corrupted: a has 1 bytes, not 2"):
        Archive(other, BUCKETS).block("a", 2)
    with pytest.raises(StrategyError, match="is a Flop Hold'em strategy, not a strategy file"):
        read_solution(table.file.path)
