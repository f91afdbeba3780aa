"""Hand histories: PHH read, replayed, written, and held against PokerKit; records there and back; PokerStars text."""

from __future__ import annotations

import datetime
import json
import tomllib
import warnings
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest
from holdem_play import anything, hands_of, play, random_hands_and_board, random_limit, random_stakes
from hypothesis import given
from hypothesis import strategies as st

from tahur.cards.cards import parse_cards
from tahur.cards.evaluator import evaluate
from tahur.core.errors import CardError, RecordError, SettingError
from tahur.core.game import CHANCE, OVER, Hand
from tahur.core.record import Record
from tahur.games.holdem.history import History, Verdict, history_of, record_of
from tahur.games.holdem.limit import PRESETS
from tahur.games.holdem.phh import (
    Phh,
    Step,
    Variant,
    Verb,
    _simple_toml,
    amount_text,
    join_hands,
    read_phh,
    split_hands,
    step_text,
    write_phh,
)
from tahur.games.holdem.pokerstars import hand_phrase, pokerstars_text
from tahur.games.holdem.replay import replay
from tahur.games.holdem.rules import NO_HAND, Holdem, no_limit
from tahur.games.holdem.stakes import Limit, Stakes
from tahur.games.holdem.story import Kind, story
from tahur.games.holdem.table import HoldemTable
from tahur.games.holdem.transcribe import phh_of
from tahur.games.registry import GAMES, make

# PokerKit writes and keeps this field of the format, but warns of it.
pytestmark = pytest.mark.filterwarnings("ignore:The field 'time_zone_abbreviation'")

DATA = Path(__file__).parents[2] / "data" / "phh"
GOOD = sorted((DATA / "good").iterdir())
SEATS = range(2, 10)
NAMES = ("Ana", "Bo", "Cy", "Di", "Ed", "Flo", "Gil", "Hal", "Ida")
SOUND = (Verdict.MATCHED, Verdict.ODD_CHIPS)


def hand(**changes: Any) -> Phh:
    """Three players with 200 chips, blinds 1 and 2, everybody folds to p2; other fields as given."""
    fields: dict[str, Any] = {
        "variant": "NT",
        "antes": [0, 0, 0],
        "blinds_or_straddles": [1, 2, 0],
        "min_bet": 2,
        "starting_stacks": [200, 200, 200],
        "actions": ["p3 f", "p1 f"],
        **changes,
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in fields.items() if value is not None]
    return read_phh("\n".join(lines))


def played(*actions: str, **changes: Any) -> History:
    return replay(hand(actions=list(actions), **changes))


def heads_up(*actions: str, **changes: Any) -> History:
    fields = {"antes": [0, 0], "blinds_or_straddles": [1, 2], "starting_stacks": [200, 200], **changes}
    return played(*actions, **fields)


def random_record(random: Random, dealt_in: int, *, limit: bool = False) -> Record:
    stakes = random_stakes(random, dealt_in)
    while _opens_elsewhere_in_pokerkit(stakes):
        stakes = random_stakes(random, dealt_in)
    if limit:
        stakes = Stakes(stakes.stacks, stakes.blinds, stakes.ante, stakes.button, random_limit(random))
    game = Holdem("limit" if limit else "nlhe", stakes)
    hands, _ = random_hands_and_board(random, stakes)
    last = last_table(game, random, hands)
    return Record(game.name, game.settings, hands, last.history, game.payoffs(last, hands), NAMES[: game.seats])


def last_table(game: Holdem, random: Random, hands: tuple[Hand, ...]) -> HoldemTable:
    table = game.start()
    while table.turn != OVER:
        cards = table.turn == CHANCE
        table = table.after(random.choice(game.outcomes(table, hands)) if cards else anything(table, random))
    return table


def _opens_elsewhere_in_pokerkit(stakes: Stakes) -> bool:
    """No small blind, and the big one all-in on its ante: a ruling of ours, see test_pokerkit.py."""
    return not stakes.blinds[0] and stakes.stacks[stakes.blind_seats[1]] <= stakes.ante


# ---- the examples --------------------------------------------------------------------------------


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.name)
def test_the_examples_end_as_they_say(path: Path) -> None:
    for text in split_hands(path.read_text("utf-8")):
        phh = read_phh(text)
        history = replay(phh)
        stated = phh.finishing_stacks is not None or phh.winnings is not None
        assert history.verdict() is (Verdict.MATCHED if stated else Verdict.UNSTATED)
        assert read_phh(write_phh(phh)) == phh


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.name)
def test_pokerkit_reads_what_we_write_of_the_examples_and_ends_as_we_do(path: Path) -> None:
    notation = pytest.importorskip("pokerkit.notation")
    for text in split_hands(path.read_text("utf-8")):
        phh = read_phh(text)
        *_, last = notation.HandHistory.loads(write_phh(phh))
        ours = replay(phh)
        theirs = [stack * phh.scale for stack in last.stacks]
        if path.name == "odd_cent.phh":  # PokerKit splits a cent in halves
            assert theirs == [1975, Decimal("2012.5"), Decimal("2012.5")]
            continue
        assert theirs == [ours.finishing_stacks[seat] for seat in ours.game.stakes.order]


def test_heads_up_p1_posts_the_big_blind_and_p2_has_the_button() -> None:
    history = replay(read_phh((DATA / "good" / "heads_up.phh").read_text("utf-8")))
    assert history.game.stakes.button == 1
    posts = [(event.kind, event.seat, event.chips) for event in story(history)][:2]
    assert posts == [(Kind.SMALL_BLIND, 1, 1), (Kind.BIG_BLIND, 0, 2)]
    assert history.names == ("Nadia", "Omar")
    assert history.finishing_stacks == (234, 146)


def test_amounts_with_decimals_become_whole_chips_and_go_back() -> None:
    phh = read_phh((DATA / "good" / "fractional.phh").read_text("utf-8"))
    assert phh.scale == 100
    assert phh.stacks == (5000, 6135, 4810)
    assert phh.steps[3] == Step(Verb.RAISE, 2, chips=125)
    assert "starting_stacks = [50.00, 61.35, 48.10]" in write_phh(phh)
    assert replay(phh).finishing_stacks == (4960, 0, 0, 4975, 0, 6010)  # at the seats 1, 4 and 6 of the file


def test_what_the_file_tells_besides_is_kept() -> None:
    phh = read_phh((DATA / "good" / "fractional.phh").read_text("utf-8"))
    assert phh.fields["time"] == datetime.time(21, 14, 5)
    assert (phh.fields["table"], phh.fields["hand"], phh.fields["currency"]) == ("Lisbon", 1203, "USD")
    again = read_phh(write_phh(phh))
    assert dict(again.fields) == dict(phh.fields)


def test_comments_are_kept_and_change_nothing() -> None:
    phh = read_phh((DATA / "good" / "side_pots.phh").read_text("utf-8"))
    assert phh.steps[6].comment == "all-in, less than a raise"
    assert phh.steps[13] == Step(Verb.NOTE, comment="nobody can bet any more")
    assert step_text(phh.steps[6]) == "p1 cbr 40 # all-in, less than a raise"
    assert replay(phh).verdict() is Verdict.MATCHED


def test_side_pots_go_to_those_who_paid_for_them() -> None:
    history = replay(read_phh((DATA / "good" / "side_pots.phh").read_text("utf-8")))
    collected = [(event.seat, event.chips, event.pot) for event in story(history) if event.kind is Kind.COLLECT]
    assert collected == [(4, 300, 2), (2, 180, 1), (1, 160, 0)]


# ---- what is read --------------------------------------------------------------------------------


def test_the_least_power_of_ten_leaves_no_fraction() -> None:
    assert hand(starting_stacks=[200.5, 200, 200]).scale == 10
    assert hand(starting_stacks=[200.50, 200.125, 200]).scale == 1000
    assert hand(starting_stacks=[200.0, 200, 1e3]).scale == 1
    assert hand(actions=["p3 cbr 4.25", "p1 f", "p2 f"]).scale == 100
    assert hand(finishing_stacks=[199, 201, 200.5]).scale == 10


def test_amounts_are_told_in_the_units_of_the_file() -> None:
    assert [amount_text(chips, 100) for chips in (1250, 5, 0, -125)] == ["12.50", "0.05", "0.00", "-1.25"]
    assert amount_text(1250, 1) == "1250"


def test_thousands_may_be_parted_by_commas() -> None:
    big = hand(starting_stacks=[5000, 5000, 5000], actions=["p3 cbr 1,250", "p1 f", "p2 f"])
    assert big.steps[0].chips == 1250


def test_forced_bets_may_be_left_out_or_given_once_for_all() -> None:
    assert hand(blinds_or_straddles=[1, 2]).blinds == (1, 2, 0)
    assert hand(antes=3).antes == (3, 3, 3)
    assert hand(antes=[]).antes == (0, 0, 0)


def test_a_dead_small_blind_is_played_without_one() -> None:
    history = played("p3 cc", "p1 f", "p2 cc", "d db 2c3c4d", "p2 cbr 2", "p3 f", blinds_or_straddles=[0, 2, 0])
    assert history.payoffs == (0, 2, -2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"variant": "NS"}, "variant 'NS'; played here are NT"),
        ({"variant": None}, "no field 'variant'"),
        ({"min_bet": None}, "no field 'min_bet'"),
        ({"min_bet": "two"}, "min_bet has two; a number of chips was expected"),
        ({"starting_stacks": [200, True, 200]}, "starting_stacks has True; a number of chips"),
        ({"starting_stacks": [1e20, 1, 1]}, "too large or too fine for chips"),
        ({"starting_stacks": [10**16, 1, 1]}, "too large or too fine for chips"),
        ({"antes": [0, 0, 0, 0]}, "antes has 4 numbers for 3 players"),
        ({"finishing_stacks": [1, 2]}, "finishing_stacks has 2 numbers for 3 players"),
        ({"actions": "p3 f"}, "actions is p3 f; a list of texts"),
        ({"actions": ["p3 fold"]}, "'p3 fold' is no action; they are d dh, d db"),
        ({"actions": ["p4 f"]}, "'p4' is no player; they are p1 to p3"),
        ({"actions": ["x1 f"]}, "'x1' is no player"),
        ({"actions": ["p3 cbr many"]}, "'many' is no number of chips"),
        ({"actions": ["p3 cbr nan"]}, "an action has Decimal.'NaN'.; a number of chips"),
        ({"actions": ["p3 cbr 1e-400"]}, "too large or too fine for chips"),
    ],
)
def test_a_text_that_is_no_hand_is_told_why(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        hand(**changes)


@pytest.mark.parametrize("text", ["", "variant = ", "x = [[", "a = 1\na = 1", "[" * 5000, "variant = inf", "\x00"])
def test_no_text_breaks_the_reader(text: str) -> None:
    with pytest.raises(RecordError):
        read_phh(text)


def test_unknown_stacks_are_refused() -> None:
    with pytest.raises(RecordError, match=r"starting_stacks has Decimal\('Infinity'\); a number of chips"):
        read_phh(write_phh(hand()).replace("[200, 200, 200]", "[200, inf, 200]"))


_VALUES = st.one_of(
    st.integers(-(10**6), 10**6).map(str),
    st.sampled_from(["1.50", "-0.25", "1e3", "inf", "null", "NaN", "Infinity", "true", "'NT'", '"a"', "{a = 1}", "01"]),
    st.text("ab'\"\\[]{}, 0.#=\t", max_size=8),
    st.lists(st.sampled_from(["1", "2.5", "'p1 f'", "''", "'it''s'", "null", "[1]"]), max_size=4).map(
        lambda items: f"[{', '.join(items)}]"
    ),
)


@given(st.lists(st.tuples(st.sampled_from(["a", "b-1", "_c", "d e", "f.g"]), _VALUES), max_size=4))
def test_the_quick_reader_says_what_toml_says_or_nothing(pairs: list[tuple[str, str]]) -> None:
    text = "\n".join(f"{name} = {value}" for name, value in pairs)
    quick = _simple_toml(text)
    if quick is not None:
        assert quick == tomllib.loads(text, parse_float=Decimal)


def test_the_quick_reader_reads_the_usual_shape() -> None:
    texts = [path.read_text("utf-8") for path in GOOD]
    assert sum(_simple_toml(text) is not None for text in texts) >= 3


# ---- several hands in one text -------------------------------------------------------------------


def test_hands_under_headers_are_parted() -> None:
    texts = split_hands((DATA / "good" / "several.phhs").read_text("utf-8"))
    assert [len(read_phh(text).stacks) for text in texts] == [3, 2, 2]


def test_a_text_without_headers_is_one_hand_even_with_a_table_of_its_own() -> None:
    text = write_phh(hand())
    assert split_hands(text) == [text]
    assert split_hands(text + "[_notes]\na = 1\n") == [text + "[_notes]\na = 1\n"]
    assert read_phh(text + "[_notes]\na = 1\n").fields["_notes"] == {"a": 1}


def test_a_bad_hand_does_not_spoil_the_others() -> None:
    first, second, third = split_hands((DATA / "bad" / "one_of_three.phhs").read_text("utf-8"))
    assert replay(read_phh(first)).verdict() is Verdict.MATCHED
    assert replay(read_phh(third)).verdict() is Verdict.MATCHED
    with pytest.raises(RecordError, match="not TOML: Unclosed array"):
        read_phh(second)


def test_hands_that_were_joined_are_parted_again_whatever_the_line_ends() -> None:
    texts = [write_phh(hand()), write_phh(hand(min_bet=2, hand=3))]
    assert [read_phh(text) for text in split_hands(join_hands(texts))] == [read_phh(text) for text in texts]
    in_dos = join_hands(texts).replace("\n", "\r\n")
    assert [read_phh(text) for text in split_hands(in_dos)] == [read_phh(text) for text in texts]


# ---- what is played ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"blinds_or_straddles": [1, 2, 4]}, "p3 has a straddle of 4; here are only two blinds"),
        ({"blinds_or_straddles": [1, 2, -2]}, "p3 has a late post of 2; here are only two blinds"),
        ({"antes": [0, 3, 0]}, "antes 0, 3, 0; here everybody antes the same"),
        ({"antes": [9, 9, 9], "starting_stacks": [200, 8, 200]}, "a stack below the ante"),
        ({"min_bet": 4}, "min_bet 4 with blinds 1, 2; here the least bet is the big blind"),
        ({"starting_stacks": [200, 0, 200]}, "starting_stacks 200, 0, 200; two players or more, each with chips"),
        ({"starting_stacks": [200]}, "starting_stacks has|blinds_or_straddles has 3 numbers|antes has 3 numbers"),
        ({"actions": ["p1 f"]}, "'p1 f': not p1's turn; it is p3's turn"),
        ({"actions": ["p3 cbr 3"]}, "'p3 cbr 3': p3 may fold or call 2 or raise to 4 up to 200"),
        ({"actions": ["p3 cbr 0"]}, "'p3 cbr 0': p3 may"),
        ({"actions": ["p3 cbr -1"]}, "'p3 cbr -1': p3 may"),
        ({"actions": ["p3 cbr 201"]}, "'p3 cbr 201': p3 may"),
        ({"actions": ["p3 f", "p1 f", "p2 cc"]}, "'p2 cc': not p2's turn; the hand is over"),
        ({"actions": ["p3 f", "d db 2c3c4c"]}, "'d db 2c3c4c': no card is due; it is p1's turn"),
        ({"actions": ["p3 cc", "p1 cc", "p2 cc", "d db 2c2c4c"]}, "2c lies on the board already"),
        ({"actions": ["p3 cc", "p1 cc", "p2 cc", "d db 2c3c??"]}, "the cards of the board must be known"),
        ({"actions": ["p3 cc", "p1 cc", "p2 cc", "d db 2c3c4"]}, "'d db 2c3c4': '4' is no card"),
        ({"actions": ["p3 cc", "p1 cc", "p2 cc", "p1 cc"]}, "not p1's turn; a card is due, with 0 on the board"),
        ({"actions": ["d dh p1 AsKsQs", "p3 f", "p1 f"]}, "'d dh p1 AsKsQs': a hand is two cards"),
        ({"actions": ["d dh p1 AsAs", "p3 f", "p1 f"]}, "AsAs: a deck has As once"),
        ({"actions": ["d dh p1 AsKs", "p3 f", "p1 f", "p1 sm AsKd"]}, "not the cards that p1 was dealt"),
        ({"actions": []}, "the text stops before the hand is over; it is p3's turn"),
        ({"actions": ["p3 cc", "p1 cc", "p2 cc"]}, "the text stops dealing: 0 cards on the board, 5 still to come"),
    ],
)
def test_a_hand_that_cannot_have_been_played_is_told_why(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        replay(hand(**changes))


def test_a_fold_for_nothing_is_played_as_it_was_and_kept_in_the_record() -> None:
    """Our tables do not offer it, PokerKit's and real ones do: the hand is replayed by rules that allow it."""
    history = played("p3 cc", "p1 cc", "p2 f", "d db 2c3c4c", "p1 f")
    assert history.finishing_stacks[history.game.stakes.order[2]] == 200 + 4
    record = record_of(history)
    assert record.settings["free_folds"] is True
    assert [*record.replay(make(record.game, record.settings))][-1] == history.table


def test_a_card_in_two_hands_is_refused() -> None:
    with pytest.raises(CardError, match="As is both in the hand of seat 1 and in the hand of seat 3"):
        played("d dh p1 AsKs", "d dh p3 AsQd", "p3 f", "p1 f")


def test_too_many_players_are_refused() -> None:
    ten = hand(antes=[], blinds_or_straddles=[1, 2], starting_stacks=[200] * 10)
    with pytest.raises(SettingError, match="10 seats; hold'em is played with 2 to 9"):
        replay(ten)


CHECKED_DOWN = (
    "p2 cc",
    "p1 cc",
    "d db QsJd4h",
    "p1 cc",
    "p2 cc",
    "d db 4c",
    "p1 cc",
    "p2 cc",
    "d db 2d",
    "p1 cc",
    "p2 cc",
)


def test_a_mucked_hand_wins_nothing_not_even_the_best() -> None:
    dealt = ("d dh p1 QhQd", "d dh p2 7h5c")
    assert heads_up(*dealt, *CHECKED_DOWN, "p1 sm -", "p2 sm").payoffs == (2, -2)
    assert heads_up(*dealt, *CHECKED_DOWN, "p1 sm", "p2 sm -").payoffs == (-2, 2)
    assert heads_up(*dealt, *CHECKED_DOWN).payoffs == (2, -2)  # nobody mucks: the cards speak


def test_cards_kept_face_down_at_the_showdown_are_mucked() -> None:
    for kept in ("????", "As??", "As"):
        assert heads_up(*CHECKED_DOWN, "p1 sm 7h5c", f"p2 sm {kept}").payoffs == (2, -2)


def test_the_last_who_does_not_muck_wins_unseen() -> None:
    history = heads_up(*CHECKED_DOWN, "p1 sm")
    assert history.payoffs == (-2, 2)
    assert history.hands == (NO_HAND, NO_HAND)


def test_a_pot_that_only_one_can_win_is_his_though_he_mucks() -> None:
    raised = ("p3 cbr 20", "p1 cc", "p2 cc", "d db 2c3c4d", "p2 cbr 20", "p3 f")
    history = played(*raised, "p1 sm 7h5c", "p2 sm", "d db 9s", "d db Ts", starting_stacks=[10, 200, 200])
    assert history.payoffs == (20, 0, -20)


@pytest.mark.parametrize(
    ("shows", "message"),
    [
        (("p1 sm AsKs",), "who wins cannot be told: seat 2 neither shows nor mucks"),
        (("p1 sm", "p2 sm"), "who wins cannot be told: all that could win a pot muck their hands"),
    ],
)
def test_a_showdown_that_stays_open_is_an_error(shows: tuple[str, ...], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        heads_up(*CHECKED_DOWN, *shows)


def test_hole_cards_may_come_one_by_one_and_may_be_shown_after_a_win() -> None:
    history = played("d dh p1 As", "d dh p1 Kd", "p3 f", "p1 f", "p2 sm 7h2c")
    assert history.hands == (*hands_of("AsKd", "7h2c"), NO_HAND)


def test_a_check_by_the_last_seat_with_chips_is_passed_over() -> None:
    """The small blind is all-in and the big blind has its option: our table does not ask, PokerKit does."""
    asked = ("p3 f", "p2 cc", "p1 sm AsAc", "p2 sm KsKc", "d db 2c3d4h", "d db 9s", "d db 9c")
    short = [1, 100, 100]
    with_it = played(*asked, starting_stacks=short)
    without = played(*(action for action in asked if action != "p2 cc"), starting_stacks=short)
    assert with_it.payoffs == without.payoffs == (1, -1, 0)


def test_winnings_are_what_was_collected() -> None:
    bet = ("p3 cbr 6", "p1 f", "p2 f")
    assert played(*bet, winnings=[0, 0, 5]).verdict() is Verdict.MATCHED
    assert played(*bet, winnings=[0, 0, 9]).verdict() is Verdict.MATCHED  # with the 4 that nobody called
    assert played(*bet, winnings=[0, 0, 8]).verdict() is Verdict.MISMATCHED
    assert played(*bet, winnings=[0, 5, 0]).verdict() is Verdict.MISMATCHED
    assert played(*bet).verdict() is Verdict.UNSTATED


def test_the_house_may_take_its_share_only_if_that_is_asked_for() -> None:
    raked = played("p3 cc", "p1 f", "p2 cc", "d db 2c3c4d", "p2 cbr 4", "p3 f", winnings=[0, 4.75, 0])
    assert raked.verdict() is Verdict.MISMATCHED
    assert raked.verdict(raked=True) is Verdict.RAKED
    dearer = played("p3 cc", "p1 f", "p2 cc", "d db 2c3c4d", "p2 cbr 4", "p3 f", finishing_stacks=[199, 203, 197])
    assert dearer.verdict(raked=True) is Verdict.MISMATCHED  # a loser lost more than he put in


def test_who_gets_an_odd_chip_is_a_matter_of_custom_and_no_more() -> None:
    """A pot of 5 is split: 3 and 2, or 2 and 3, but not 4 and 1."""
    actions = ["p3 cc", "p1 f", "p2 cc", "d db AsAdKh", "p2 cc", "p3 cc", "d db Kd", "p2 cc", "p3 cc", "d db Qs"]
    actions += ["p2 cc", "p3 cc", "p2 sm 7h2c", "p3 sm 7d2d"]
    ends = {(199, 201, 200): Verdict.MATCHED, (199, 200, 201): Verdict.ODD_CHIPS, (199, 202, 199): Verdict.MISMATCHED}
    for stacks, verdict in ends.items():
        assert played(*actions, finishing_stacks=list(stacks)).verdict() is verdict


def test_seats_are_the_files_if_they_go_around_a_table_of_ours() -> None:
    around = played("p3 f", "p1 f", seats=[5, 9, 2], players=["A", "B", "C"])
    assert around.game.stakes.stacks == (0, 200, 0, 0, 200, 0, 0, 0, 200)
    assert around.game.stakes.order == (4, 8, 1)
    assert around.names == ("", "C", "", "", "A", "", "", "", "B")
    for seats in ([5, 2, 9], [1, 1, 2], [0, 1, 2], [8, 9, 10], ["1", "2", "3"], [1, 2]):
        assert played("p3 f", "p1 f", seats=seats).game.stakes.order == (0, 1, 2)


# ---- records -------------------------------------------------------------------------------------


@pytest.mark.parametrize("dealt_in", SEATS)
def test_a_record_becomes_a_phh_and_the_same_record_again(dealt_in: int) -> None:
    for number in range(40):
        record = random_record(Random(f"{dealt_in} {number}"), dealt_in, limit=number % 3 == 0)
        history = history_of(record)
        assert history.verdict() is Verdict.MATCHED
        phh = phh_of(history)
        assert read_phh(write_phh(phh)) == phh
        again = replay(read_phh(write_phh(phh)))
        assert again.verdict() is Verdict.MATCHED
        assert record_of(again) == _without_absent_names(record, history)


def _without_absent_names(record: Record, history: History) -> Record:
    names = tuple(name if history.game.stakes.stacks[seat] else "" for seat, name in enumerate(record.names))
    return Record(record.game, record.settings, record.hands, record.actions, record.payoffs, names)


@pytest.mark.parametrize("name", ["hulh", "acpc"])
def test_a_named_game_keeps_its_name_in_a_phh(name: str) -> None:
    game = GAMES[name].make(stack=40, button=1)
    assert isinstance(game, Holdem)
    hands = hands_of("AsKs", "7d2c")
    table = play(game, "r4 c QsJs2h c r2 f")
    record = Record(name, game.settings, hands, table.history, game.payoffs(table, hands), ("A", "B"))
    phh = phh_of(history_of(record))
    assert phh.fields["_game"] == name
    assert record_of(replay(read_phh(write_phh(phh)))) == record


def test_a_name_that_contradicts_the_file_is_refused() -> None:
    for name, settings in (("hulh", {}), ("nlhe", {"ante": 5}), ("kuhn", {}), ("nlhe", {"stacks": [1, 1, 1]}), (3, {})):
        phh = hand()
        changed = Phh(
            phh.variant,
            phh.antes,
            phh.blinds,
            phh.bets,
            phh.stacks,
            phh.steps,
            fields={"_game": name, "_settings": settings},
        )
        with pytest.raises((RecordError, SettingError)):
            replay(changed)


def test_flop_holdem_cannot_be_told_in_phh() -> None:
    assert {preset.name for preset in PRESETS if len(preset.caps) == 2} == {"fhp", "fhp-3-4"}
    game = GAMES["fhp"].make(stack=40)
    assert isinstance(game, Holdem)
    table = play(game, "r4 f")
    record = Record("fhp", game.settings, hands_of("AsKs", "7d2c"), table.history, (2, -2))
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
    assert history_of(Record(**fields)).verdict() is Verdict.MATCHED  # type: ignore[arg-type]
    with pytest.raises(RecordError, match=message):
        history_of(Record(**{**fields, **changes}))  # type: ignore[arg-type]


def test_a_record_with_other_payoffs_is_a_mismatch() -> None:
    record = random_record(Random(3), 4)
    won = max(range(len(record.payoffs)), key=record.payoffs.__getitem__)
    payoffs = tuple(payoff + (seat == won) for seat, payoff in enumerate(record.payoffs))
    wrong = Record(record.game, record.settings, record.hands, record.actions, payoffs)
    assert history_of(wrong).verdict() is Verdict.MISMATCHED


def test_a_record_needs_the_hands_of_the_showdown_only() -> None:
    unseen = replay(read_phh((DATA / "good" / "fractional.phh").read_text("utf-8")))
    assert history_of(record_of(unseen)).payoffs == unseen.payoffs
    with pytest.raises(RecordError, match="nobody saw the hand of seat 3; a record needs those of a showdown"):
        record_of(replay(read_phh((DATA / "good" / "mucked.phh").read_text("utf-8"))))
    with pytest.raises(RecordError, match="somebody mucked a hand that would have won"):
        record_of(heads_up("d dh p1 QhQd", "d dh p2 7h5c", *CHECKED_DOWN, "p1 sm", "p2 sm -"))


@given(st.lists(st.text(max_size=12), min_size=3, max_size=3))
def test_any_name_survives_a_phh(names: list[str]) -> None:
    phh = hand()
    named = Phh(phh.variant, phh.antes, phh.blinds, phh.bets, phh.stacks, phh.steps, fields={"players": names})
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
    kept = Phh(phh.variant, phh.antes, phh.blinds, phh.bets, phh.stacks, phh.steps, fields=fields)
    assert read_phh(write_phh(kept)) == kept


# ---- PokerKit ------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [False, True], ids=["no-limit", "limit"])
@pytest.mark.parametrize("dealt_in", SEATS)
def test_what_we_write_pokerkit_plays_to_the_same_stacks(dealt_in: int, limit: bool) -> None:
    notation = pytest.importorskip("pokerkit.notation")
    for number in range(25):
        phh = phh_of(history_of(random_record(Random(f"{dealt_in} {number} {limit}"), dealt_in, limit=limit)))
        text = write_phh(phh)
        *_, last = notation.HandHistory.loads(text)
        assert not last.status, text
        theirs = Phh(*_required(phh), tuple(last.stacks), fields=phh.fields)
        verdict = replay(theirs).verdict()
        assert verdict in SOUND, text
        assert (verdict is Verdict.MATCHED) == (tuple(last.stacks) == phh.finishing_stacks)


def test_who_is_all_in_shows_before_the_rest_of_the_board() -> None:
    """So does a reader that repairs nothing: PokerKit, told one action after another."""
    notation = pytest.importorskip("pokerkit.notation")
    text = write_phh(phh_of(replay(read_phh((DATA / "good" / "side_pots.phh").read_text("utf-8")))))
    theirs = notation.HandHistory.loads(text)
    assert theirs.actions[-6:] == ["p1 sm AhAd", "p2 sm KhKd", "p3 sm QhQd", "p4 sm JhTh", "d db 3s", "d db 4c"]
    state = theirs.create_state()
    for action in theirs.actions:
        if state.can_burn_card():
            state.burn_card("??")
        notation.parse_action(state, action)
    assert state.stacks == theirs.finishing_stacks == [160, 180, 300, 50]


def _required(phh: Phh) -> tuple[Any, ...]:
    return phh.variant, phh.antes, phh.blinds, phh.bets, phh.stacks, phh.steps


@pytest.mark.parametrize("limit", [False, True], ids=["no-limit", "limit"])
@pytest.mark.parametrize("players", SEATS)
def test_what_pokerkit_writes_we_replay_to_the_same_stacks(players: int, limit: bool) -> None:
    for number in range(25):
        text = _written_by_pokerkit(Random(f"{players} {number} {limit}"), players, limit=limit)
        assert replay(read_phh(text)).verdict() in SOUND, text


def test_what_pokerkit_writes_with_decimals_we_replay_to_the_same_stacks() -> None:
    for number in range(60):
        text = _written_by_pokerkit(Random(number), 2, unit=Decimal("0.25"))
        phh = read_phh(text)
        assert phh.scale > 1
        assert replay(phh).verdict() is Verdict.MATCHED, text


def test_a_file_of_several_that_pokerkit_wrote_is_replayed() -> None:
    notation = pytest.importorskip("pokerkit.notation")
    loads = notation.HandHistory.loads
    hands = [loads(_written_by_pokerkit(Random(number), 3)) for number in range(5)]
    texts = split_hands(notation.HandHistory.dumps_all(hands))
    assert [replay(read_phh(text)).verdict() for text in texts] == [Verdict.MATCHED] * 5
    ours = join_hands([write_phh(read_phh(text)) for text in texts])
    assert [list(theirs)[-1].stacks for theirs in notation.HandHistory.loads_all(ours)] == [
        hand.finishing_stacks for hand in hands
    ]


def _written_by_pokerkit(random: Random, players: int, *, limit: bool = False, unit: int | Decimal = 1) -> str:
    """A random hand that PokerKit deals, plays and writes by itself."""
    pokerkit = pytest.importorskip("pokerkit")
    automations = tuple(each for each in pokerkit.Automation if each.name not in ("HOLE_DEALING", "BOARD_DEALING"))
    big = random.choice((2, 4, 10))
    blinds = [random.randint(1, big - 1) * unit, big * unit] + [0] * (players - 2)
    antes = [random.choice((0, 0, 1, 3)) * unit] * players
    bets = (big * unit, 2 * big * unit) if limit else (big * unit,)
    kind = pokerkit.FixedLimitTexasHoldem if limit else pokerkit.NoLimitTexasHoldem
    game = kind(automations, True, antes, blinds, *bets, mode=pokerkit.Mode.CASH_GAME)
    state = game([random.randint(1, random.choice((12, 60, 300))) * unit for _ in range(players)], players)
    cards = random.sample([repr(card) for card in pokerkit.Deck.STANDARD], 2 * players + 5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while state.status:
            _move(state, random, cards)
    history = pokerkit.HandHistory.from_game_state(
        game, state, finishing_stacks=state.stacks, ante_trimming_status=True
    )
    text: str = history.dumps()
    return text


def _move(state: Any, random: Random, cards: list[str]) -> None:
    if state.can_deal_hole():
        state.deal_hole(cards.pop() + cards.pop())
    elif state.can_deal_board():
        state.deal_board("".join(cards.pop() for _ in range(state.board_dealing_count)))
    elif state.checking_or_calling_amount and random.random() < 0.25:
        state.fold()
    elif random.random() < 0.35 and state.can_complete_bet_or_raise_to():
        least = state.min_completion_betting_or_raising_to_amount
        most = state.max_completion_betting_or_raising_to_amount
        state.complete_bet_or_raise_to(random.choice((least, most)))
    else:
        state.check_or_call()


# ---- PokerStars ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["side_pots", "fractional", "heads_up", "mucked", "fixed_limit"])
def test_a_hand_reads_like_one_of_pokerstars(name: str) -> None:
    """To renew the texts: tahur hand-history export tests/data/phh/good/NAME.phh --to pokerstars; review the diff."""
    history = replay(read_phh((DATA / "good" / f"{name}.phh").read_text("utf-8")))
    when = datetime.datetime(2024, 2, 3, 4, 5, 6)
    assert pokerstars_text(history, when=when) == (DATA / "pokerstars" / f"{name}.txt").read_text("utf-8")


@pytest.mark.parametrize("dealt_in", SEATS)
def test_pokerkit_reads_our_pokerstars_text_and_ends_as_we_do(dealt_in: int) -> None:
    notation = pytest.importorskip("pokerkit.notation")
    for number in range(10):
        random = Random(f"{dealt_in} {number}")
        game = no_limit(stacks=[random.randint(20, 400) for _ in range(dealt_in)], blinds=[1, 2], button=dealt_in - 1)
        hands, _ = random_hands_and_board(random, game.stakes)
        last = last_table(game, random, hands)
        record = Record(game.name, game.settings, hands, last.history, game.payoffs(last, hands))
        history = history_of(record)
        text = pokerstars_text(history, when=datetime.datetime(2024, 2, 3))
        (theirs,) = notation.HandHistory.from_pokerstars(text, error_status=True)
        assert theirs.starting_stacks == [game.stakes.stacks[seat] for seat in game.stakes.order]
        *_, end = theirs
        read_back = Phh(*_required(phh_of(history)), tuple(end.stacks))
        assert replay(read_back).verdict() in SOUND, text


@pytest.mark.parametrize(
    ("cards", "phrase"),
    [
        ("AsKsQsJsTs", "a Royal Flush"),
        ("9s8s7s6s5s", "a straight flush, Five to Nine"),
        ("6c6d6h6s2c", "four of a kind, Sixes"),
        ("KcKdKh4s4c", "a full house, Kings full of Fours"),
        ("Ac9c7c4c2c", "a flush, Ace high"),
        ("5s4d3c2hAs", "a straight, Ace to Five"),
        ("AsKdQcJhTs", "a straight, Ten to Ace"),
        ("TcTdTh4s2c", "three of a kind, Tens"),
        ("QcQd2h2s3c", "two pair, Queens and Deuces"),
        ("8c8d2h4s3c", "a pair of Eights"),
        ("AcJd9h4s3c", "high card Ace"),
    ],
)
def test_hands_are_named_as_pokerstars_does(cards: str, phrase: str) -> None:
    assert hand_phrase(evaluate(parse_cards(cards))) == phrase


def test_names_are_made_fit_for_a_line() -> None:
    phh = hand(players=["Ann\nB:  x", "Twin", "Twin"])
    text = pokerstars_text(replay(phh))
    assert "Seat 1: Ann B: x (200 in chips)" in text
    assert "Seat 2: Twin (2) (200 in chips)" in text
    assert "Seat 3: Twin (3) (200 in chips)" in text
    assert "Seat 2: Player2 (200 in chips)" in pokerstars_text(replay(hand()))


# ---- the story -----------------------------------------------------------------------------------


@pytest.mark.parametrize("dealt_in", SEATS)
def test_the_chips_of_the_story_add_up(dealt_in: int) -> None:
    puts = (Kind.ANTE, Kind.SMALL_BLIND, Kind.BIG_BLIND, Kind.CALL)
    for number in range(40):
        history = history_of(random_record(Random(f"story {dealt_in} {number}"), dealt_in, limit=number % 3 == 0))
        moved = [0] * history.game.seats
        street = [0] * history.game.seats
        for event in story(history):
            if event.kind in puts:
                moved[event.seat] -= event.chips
                street[event.seat] += event.chips if event.kind is not Kind.ANTE else 0
            elif event.kind in (Kind.BET, Kind.RAISE):
                moved[event.seat] -= event.to - street[event.seat]
                street[event.seat] = event.to
            elif event.kind in (Kind.RETURN, Kind.COLLECT):
                moved[event.seat] += event.chips
            elif event.kind is Kind.BOARD:
                street = [0] * history.game.seats
        assert tuple(moved) == history.payoffs


def test_the_last_to_raise_shows_first() -> None:
    raised = heads_up(
        "d dh p1 AsKs", "d dh p2 7h5c", *CHECKED_DOWN[:-2], "p1 cc", "p2 cbr 4", "p1 cc", "p1 sm -", "p2 sm -"
    )
    assert [event.seat for event in story(raised) if event.kind is Kind.SHOW] == [1, 0]
    checked = heads_up("d dh p1 AsKs", "d dh p2 7h5c", *CHECKED_DOWN, "p1 sm -", "p2 sm -")
    assert [event.seat for event in story(checked) if event.kind is Kind.SHOW] == [0, 1]


def test_fixed_limit_is_read_with_its_two_bets() -> None:
    history = replay(read_phh((DATA / "good" / "fixed_limit.phh").read_text("utf-8")))
    assert history.game.stakes.structure == Limit(2, 4, (4, 4, 4, 4))
    assert phh_of(history).variant is Variant.FIXED_LIMIT
