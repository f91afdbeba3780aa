"""Habits of hold'em: hand-made hands with every figure known, and thousands recounted from their PokerStars text."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime
from random import Random

import pytest
from holdem_play import STYLES, hands_of, play, random_hands_and_board, random_stakes

from tahur.cards.cards import cards_of, combo_of, parse_cards
from tahur.cards.evaluator import evaluate
from tahur.core.errors import RecordError
from tahur.core.game import CHANCE, OVER, Hand
from tahur.core.record import Record
from tahur.games.holdem.habits import EACH, HABITS, is_weak
from tahur.games.holdem.history import history_of
from tahur.games.holdem.pokerstars import pokerstars_text
from tahur.games.holdem.rules import NO_HAND, Holdem
from tahur.games.registry import make

HOLE = ("AsAh", "KsKh", "QsQh", "JsJh", "TsTh", "9s9h")
WEAK = "3c2d"

Figures = dict[str, tuple[int, int]]


def record(game: Holdem, moves: str, *hole: str) -> Record:
    hands = hands_of(*(hole or HOLE)[: game.seats])
    return recorded(game, moves, hands)


def recorded(game: Holdem, moves: str, hands: tuple[Hand, ...]) -> Record:
    table = play(game, moves)
    assert table.turn == OVER
    return Record(game.name, game.settings, hands, table.history, game.payoffs(table, hands))


def figures(game: Holdem, moves: str, *hole: str) -> list[Figures]:
    """Hits and chances of each seat, habits without either left out."""
    return figures_of(game, record(game, moves, *hole))


def figures_of(game: Holdem, played: Record) -> list[Figures]:
    tallies = HABITS.tallies(game, played).tolist()
    return [
        {habit.name: (hits, chances) for habit, (hits, chances) in zip(EACH, seat, strict=True) if hits or chances}
        for seat in tallies
    ]


def no_limit(seats: int, **settings: object) -> Holdem:
    """Blinds 1 and 2. Seat 0 has the button, and the small blind too when there are two seats."""
    game = make("nlhe", {"seats": seats, "stack": 200} | settings if "stacks" not in settings else settings)
    assert isinstance(game, Holdem)
    return game


# ---- before the flop -----------------------------------------------------------------------------


def test_a_walk_is_no_chance_for_the_big_blind() -> None:
    button, small, big = figures(no_limit(3), "f f")
    assert button == small == {"VPIP": (0, 1), "PFR": (0, 1)}
    assert big == {}


def test_in_a_limped_pot_the_checking_big_blind_paid_nothing_of_its_own_will() -> None:
    button, small, big = figures(no_limit(3), "c c c 2c7d8h c c r2 f f")
    assert button["VPIP"] == small["VPIP"] == (1, 1)
    assert big["VPIP"] == (0, 1)
    assert {seat["PFR"] for seat in (button, small, big)} == {(0, 1)}
    assert not any("3-bet" in seat or "c-bet" in seat for seat in (button, small, big))


def test_who_raises_limpers_has_made_the_first_raise() -> None:
    button, small, big = figures(no_limit(3), "c c r10 f r30 f")
    assert big["PFR"] == (1, 1)
    assert button["3-bet"] == (0, 1)  # limped, folded to the raise
    assert small["3-bet"] == (1, 1)  # limped and re-raised
    assert big["fold to 3-bet"] == (1, 1)
    assert big["4-bet"] == (0, 1)
    assert "3-bet" not in big


def test_a_hand_counts_once_however_often_one_pays_in_it() -> None:
    button, big = figures(no_limit(2), "r6 r18 r50 r120 f")
    assert button["VPIP"] == button["PFR"] == (1, 1)
    assert big["VPIP"] == big["PFR"] == (1, 1)


def test_a_cold_4_bet_takes_the_chance_to_fold_to_a_3_bet_away() -> None:
    game = no_limit(6)  # seats 3, 4, 5 act first
    figure = figures(game, "r6 r18 f r50 f f f f")
    opener, three_bettor, folder, cold = (figure[seat] for seat in (3, 4, 5, 0))
    assert opener == {"VPIP": (1, 1), "PFR": (1, 1)}  # faces three raises: neither a 3-bet nor a chance to 4-bet
    assert three_bettor["3-bet"] == (1, 1)
    assert "fold to 3-bet" not in three_bettor
    assert folder["4-bet"] == (0, 1)
    assert "3-bet" not in folder
    assert cold["4-bet"] == (1, 1)
    assert figure[1] == figure[2] == {"VPIP": (0, 1), "PFR": (0, 1)}


def test_a_caller_between_raise_and_3_bet_does_not_fold_to_the_3_bet() -> None:
    opener, caller, squeezer = (figures(no_limit(4), "r6 c f r30 f f")[seat] for seat in (3, 0, 2))
    assert opener["fold to 3-bet"] == (1, 1)
    assert caller["3-bet"] == (0, 1)
    assert "fold to 3-bet" not in caller
    assert caller["4-bet"] == (0, 1)
    assert squeezer["3-bet"] == (1, 1)


def test_calling_a_3_bet_is_a_chance_not_taken_to_fold() -> None:
    button, _ = figures(no_limit(2), "r6 r18 c 2c7d8h c c 9c c c 4d c c")
    assert button["fold to 3-bet"] == (0, 1)
    assert button["4-bet"] == (0, 1)


def test_who_is_covered_by_the_raise_cannot_3_bet() -> None:
    game = no_limit(2, stacks=[200, 50])
    _, big = figures(game, "r200 f")
    assert big == {"VPIP": (0, 1), "PFR": (0, 1)}


def test_a_short_all_in_is_a_raise_and_can_be_folded_to_though_not_raised() -> None:
    game = no_limit(3, stacks=[200, 200, 14])
    button, small, big = figures(game, "r10 f r14 f")
    assert big["3-bet"] == (1, 1)
    assert button["fold to 3-bet"] == (1, 1)
    assert "4-bet" not in button  # the betting is not reopened
    assert small["3-bet"] == (0, 1)


def test_blinds_that_take_the_last_chip_are_no_decision() -> None:
    game = no_limit(3, stacks=[200, 200, 2])
    button, small, big = figures(game, "c c 2c7d8h c c 9c c c 4d c c")
    assert "VPIP" not in big
    assert button["VPIP"] == small["VPIP"] == (1, 1)
    assert big["WTSD"] == (1, 1)


def test_in_limit_nobody_can_raise_past_the_cap() -> None:
    game = make("limit", {"seats": 2, "caps": [1, 4, 4, 4]})
    assert isinstance(game, Holdem)
    _, big = figures(game, "r4 f")
    assert "3-bet" not in big


# ---- the flop ------------------------------------------------------------------------------------


def test_the_last_raiser_continues_and_two_answer() -> None:
    button, small, big = figures(no_limit(3), "r6 c c 2c7d8h c c r10 f c 9c c c 4d c c")
    assert button["c-bet"] == (1, 1)
    assert small["fold to c-bet"] == (1, 1)
    assert big["fold to c-bet"] == (0, 1)
    assert "fold to c-bet" not in button
    assert "c-bet" not in small
    assert "c-bet" not in big


def test_a_bet_before_the_raiser_leaves_no_c_bet_even_if_it_raises() -> None:
    button, small, big = figures(no_limit(3), "r6 c c 2c7d8h r5 c r20 f f")
    assert not any(name in seat for name in ("c-bet", "fold to c-bet") for seat in (button, small, big))


def test_a_raised_c_bet_is_none_for_those_behind() -> None:
    small, big, opener, button = (
        figures(no_limit(4), "r6 c c c 2c7d8h c c r10 r40 f f f")[seat] for seat in (1, 2, 3, 0)
    )
    assert opener["c-bet"] == (1, 1)
    assert button["fold to c-bet"] == (0, 1)  # it raised
    assert "fold to c-bet" not in small
    assert "fold to c-bet" not in big
    assert "fold to c-bet" not in opener


def test_a_checked_flop_is_a_c_bet_not_made_and_the_turn_is_none() -> None:
    button, big = figures(no_limit(2), "r6 c 2c7d8h c c 9c c r10 f")
    assert button["c-bet"] == (0, 1)
    assert "fold to c-bet" not in big


def test_the_3_bettor_has_the_c_bet() -> None:
    button, big = figures(no_limit(2), "r6 r18 c 2c7d8h r20 f")
    assert big["c-bet"] == (1, 1)
    assert button["fold to c-bet"] == (1, 1)
    assert "c-bet" not in button


def test_an_all_in_raiser_has_no_c_bet_beside_a_side_pot() -> None:
    game = no_limit(3, stacks=[20, 200, 200])
    button, small, big = figures(game, "r20 c c 2c7d8h r20 f 9c4d")
    assert button["WTSD"] == (1, 1)
    assert not any(name in seat for name in ("c-bet", "fold to c-bet") for seat in (button, small, big))


def test_where_the_flop_cannot_be_bet_there_is_no_c_bet() -> None:
    game = make("limit", {"seats": 2, "caps": [3, 0, 4, 4]})
    assert isinstance(game, Holdem)
    button, _ = figures(game, "r4 c 2c7d8h c c 9c c c 4d c c")
    assert button["PFR"] == (1, 1)
    assert "c-bet" not in button


# ---- aggression and folds ------------------------------------------------------------------------


def test_a_check_raise_is_one_raise_and_checks_count_nowhere() -> None:
    button, big = figures(no_limit(2), "c c 2c7d8h c r4 r12 c 9c c c 4d c c")
    assert big["aggression factor"] == (1, 0)
    assert big["aggression frequency"] == (1, 1)
    assert big["fold to a bet"] == (0, 1)
    assert button["aggression factor"] == (1, 1)
    assert button["aggression frequency"] == (1, 2)
    assert button["fold to a bet"] == (0, 1)


def test_every_bet_faced_is_a_chance_to_fold() -> None:
    _, big = figures(no_limit(2), "c c 2c7d8h c r4 c 9c c r4 c 4d c r4 f")
    assert big["fold to a bet"] == (1, 3)
    assert big["aggression factor"] == (0, 2)
    assert big["aggression frequency"] == (0, 3)


def test_what_is_done_before_the_flop_is_no_aggression() -> None:
    assert not any("aggression frequency" in seat for seat in figures(no_limit(2), "r6 r18 f"))


# ---- showdowns -----------------------------------------------------------------------------------


def test_all_in_before_the_flop_goes_to_a_showdown_without_another_turn() -> None:
    button, big = figures(no_limit(2), "r200 c 2c7d8h 9c 4d")
    assert button["WTSD"] == big["WTSD"] == (1, 1)
    assert button["W$SD"] == button["WWSF"] == (1, 1)
    assert big["W$SD"] == big["WWSF"] == (0, 1)
    assert set(big) == {"VPIP", "PFR", "WTSD", "W$SD", "WWSF"}  # covered, it could not re-raise


def test_who_folds_before_the_flop_has_not_seen_it() -> None:
    button, small, big = figures(no_limit(3), "f c c 2c7d8h c c 9c c c 4d c c")
    assert button == {"VPIP": (0, 1), "PFR": (0, 1)}
    assert small["WTSD"] == big["WTSD"] == (1, 1)


def test_a_pot_won_by_a_bet_is_won_without_a_showdown() -> None:
    button, big = figures(no_limit(2), "c c 2c7d8h r4 f")
    assert big["WWSF"] == (1, 1)
    assert button["WWSF"] == (0, 1)
    assert big["WTSD"] == button["WTSD"] == (0, 1)
    assert "W$SD" not in big


def test_both_win_a_shared_pot() -> None:
    seats = figures(no_limit(2), "c c AsKsQs c c Js c c Ts c c", "2c2d", "3c3d")
    assert [seat["W$SD"] for seat in seats] == [(1, 1), (1, 1)]


def test_a_side_pot_is_a_win_though_more_was_lost_in_the_main_pot() -> None:
    game = no_limit(3, stacks=[100, 120, 120])
    played = record(game, "r100 c r120 c 2c7d8h 9c 4d")  # aces on the button win the main pot, kings the side pot
    assert played.payoffs == (200, -80, -120)
    button, small, big = figures_of(game, played)
    assert (button["W$SD"], small["W$SD"], big["W$SD"]) == ((1, 1), (1, 1), (0, 1))


def test_chips_that_come_back_uncalled_are_no_win() -> None:
    game = no_limit(2, stacks=[200, 50])
    button, big = figures(game, "r200 c 2c7d8h 9c 4d", "KsKh", "AsAh")
    assert button["W$SD"] == (0, 1)
    assert big["W$SD"] == (1, 1)


# ---- bluffs --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("big", "share"), [(WEAK, (1, 1)), ("AsAh", (0, 1))])
def test_a_river_bet_is_a_bluff_by_the_hand_behind_it(big: str, share: tuple[int, int]) -> None:
    _, bettor = figures(no_limit(2), "c c AcKd8h c c 9c c c 4d r4 f", "QsQh", big)
    assert bettor["river bluff share"] == share
    assert bettor.get("river bluff") == ((1, 1) if big == WEAK else None)


def test_a_weak_hand_checked_on_the_river_is_a_chance_not_taken() -> None:
    button, big = figures(no_limit(2), "c c AcKd8h c c 9c c c 4d c r4 f", "AsAh", WEAK)
    assert big["river bluff"] == (0, 2)  # checked, then folded to a bet it could have raised
    assert button["river bluff share"] == (0, 1)
    assert "river bluff" not in button


def test_bets_before_the_river_are_not_asked_for_their_hand() -> None:
    _, big = figures(no_limit(2), "c c AcKd8h r4 f", "QsQh", WEAK)
    assert not any(name.startswith("river") for name in big)


def test_the_last_board_of_flop_holdem_is_the_flop() -> None:
    game = make("fhp")
    assert isinstance(game, Holdem)
    _, big = figures(game, "c c AcKd8h r2 f", "QsQh", WEAK)
    assert big["river bluff share"] == (1, 1)


def test_a_hand_that_nobody_saw_is_no_chance_to_bluff() -> None:
    game = no_limit(2)
    played = recorded(game, "c c AcKd8h c c 9c c c 4d r4 f", (hands_of("QsQh")[0], NO_HAND))
    _, big = figures_of(game, played)
    assert big["aggression frequency"] == (1, 1)
    assert not any(name.startswith("river") for name in big)


def test_weak_is_less_than_half_against_every_other_hand_one_by_one() -> None:
    random = Random(4)
    for size in (3, 5, 5, 5):
        cards = random.sample(range(52), 2 + size)
        hand, board = combo_of(cards[:2]), cards[2:]
        own = evaluate(cards)
        others = [cards_of(combo) for combo in range(1326)]
        ranks = [evaluate((*map(int, other), *board)) for other in others if not set(other) & set(cards)]
        assert is_weak(hand, board) == (sum((own > rank) - (own < rank) for rank in ranks) < 0)


def test_about_half_of_all_hands_are_weak_and_a_board_that_plays_makes_none() -> None:
    board = parse_cards("AcKd8h9c4d")
    hands = [combo_of((one, two)) for one in range(52) for two in range(one) if one not in board and two not in board]
    assert 0.45 < sum(is_weak(hand, board) for hand in hands) / len(hands) < 0.55
    assert not is_weak(hands_of("2c2d")[0], parse_cards("AsKsQsJsTs"))


# ---- records that are none -----------------------------------------------------------------------


def test_a_record_that_stops_early_is_refused() -> None:
    game = no_limit(2)
    with pytest.raises(RecordError, match="before the end"):
        HABITS.tallies(game, Record("nlhe", game.settings, (1, 2), (1,), (0, 0)))


def test_a_record_with_a_seat_too_few_is_refused() -> None:
    game = no_limit(2)
    with pytest.raises(RecordError, match="1 hands and 2 payoffs for 2 seats"):
        HABITS.tallies(game, Record("nlhe", game.settings, (1,), (0,), (-1, 1)))


# ---- the same from the text ----------------------------------------------------------------------


Told = Counter[tuple[int, str, str]]  # by seat, habit, and `hits` or `chances`
Lines = list[tuple[int, str]]  # who did what


def recount(text: str, seats: int) -> Told:
    """What the PokerStars text alone can tell."""
    told: Told = Counter()
    streets = [_lines(part) for part in re.split(r"\*\*\* (?:FLOP|TURN|RIVER).*\n", text.partition("HOLE CARDS")[2])]
    # without blinds on the table the text calls the first raise a bet
    preflop = [(seat, "raises" if verb == "bets" else verb) for seat, verb in streets[0]]
    for seat in range(seats):
        own = [verb for who, verb in preflop if who == seat]
        told[seat, "VPIP", "chances"] = told[seat, "PFR", "chances"] = bool(own)
        told[seat, "VPIP", "hits"] = "calls" in own or "raises" in own
        told[seat, "PFR", "hits"] = "raises" in own
        _tell_aggression(told, seat, Counter(verb for street in streets[1:] for who, verb in street if who == seat))
    raises = [place for place, (_, verb) in enumerate(preflop) if verb == "raises"]
    _tell_re_raises(told, preflop, raises)
    if raises and streets[1:]:
        _tell_c_bet(told, streets[1], preflop[raises[-1]][0])
    _tell_end(told, text)
    return told


def _lines(part: str) -> Lines:
    found = re.findall(r"^Player(\d): (folds|checks|calls|bets|raises)", part, re.M)
    return [(int(who) - 1, verb) for who, verb in found]


def _tell_aggression(told: Told, seat: int, did: Counter[str]) -> None:
    aggressive = did["bets"] + did["raises"]
    told[seat, "aggression factor", "hits"] = told[seat, "aggression frequency", "hits"] = aggressive
    told[seat, "aggression factor", "chances"] = did["calls"]
    told[seat, "aggression frequency", "chances"] = aggressive + did["calls"] + did["folds"]
    told[seat, "fold to a bet", "hits"] = did["folds"]
    told[seat, "fold to a bet", "chances"] = did["raises"] + did["calls"] + did["folds"]


def _tell_re_raises(told: Told, preflop: Lines, raises: list[int]) -> None:
    for place, name in zip(raises[1:], ("3-bet", "4-bet"), strict=False):
        told[preflop[place][0], name, "hits"] = 1
    if len(raises) > 1:
        opener = preflop[raises[0]][0]
        until = raises[2] + 1 if len(raises) > 2 else None
        for verb in [verb for seat, verb in preflop[raises[1] + 1 : until] if seat == opener]:
            told[opener, "fold to 3-bet", "chances"] = 1
            told[opener, "fold to 3-bet", "hits"] = verb == "folds"


def _tell_c_bet(told: Told, flop: Lines, raiser: int) -> None:
    bet = next((place for place, line in enumerate(flop) if line[1] == "bets"), None)
    if bet is None or flop[bet][0] != raiser:
        return
    told[raiser, "c-bet", "hits"] = 1
    for seat, verb in flop[bet + 1 :]:
        told[seat, "fold to c-bet", "chances"] = 1
        told[seat, "fold to c-bet", "hits"] = verb == "folds"
        if verb == "raises":
            return


def _tell_end(told: Told, text: str) -> None:
    for number, line in re.findall(r"^Seat (\d): (Player.*)$", text.partition("SUMMARY")[2], re.M):
        seat = int(number) - 1
        shown, won = "showed" in line, "collected (" in line or "won (" in line
        saw = "*** FLOP" in text and "before Flop" not in line
        told[seat, "WTSD", "chances"] = told[seat, "WWSF", "chances"] = saw
        told[seat, "WTSD", "hits"] = told[seat, "W$SD", "chances"] = shown
        told[seat, "W$SD", "hits"] = shown and won
        told[seat, "WWSF", "hits"] = saw and won


UNTOLD = {("3-bet", "chances"), ("4-bet", "chances"), ("c-bet", "chances")}  # the text does not say who can raise


def random_record(random: Random) -> tuple[Holdem, Record]:
    stakes = random_stakes(random, random.randint(2, 6))
    game = Holdem("nlhe", stakes)
    hands, board = random_hands_and_board(random, stakes)
    table, style = game.start(), random.choice(STYLES)
    while table.turn != OVER:
        table = table.after(board[len(table.board)] if table.turn == CHANCE else style(table, random))
    return game, Record(game.name, game.settings, hands, table.history, game.payoffs(table, hands))


def test_random_hands_are_counted_as_their_pokerstars_text_tells_them() -> None:
    random, seen = Random(11), Counter[str]()
    for _ in range(1500):
        game, played = random_record(random)
        text = pokerstars_text(history_of(played), number=1, when=datetime(2024, 1, 1, tzinfo=UTC))
        told = recount(text, game.seats)
        tallies = HABITS.tallies(game, played).tolist()
        for seat, row in enumerate(tallies):
            for habit, counts in zip(EACH, row, strict=True):
                for which, number in zip(("hits", "chances"), counts, strict=True):
                    if (habit.name, which) not in UNTOLD and not habit.name.startswith("river"):
                        assert number == told[seat, habit.name, which], f"{seat} {habit.name} {which}\n{text}"
                        seen[habit.name] += number
    assert min(seen.values()) > 20
    assert len(seen) == len(EACH) - 2


def test_chances_are_never_fewer_than_hits_but_for_the_odds() -> None:
    random = Random(5)
    for _ in range(300):
        game, played = random_record(random)
        for row in HABITS.tallies(game, played).tolist():
            for habit, (hits, chances) in zip(EACH, row, strict=True):
                assert 0 <= hits <= chances or habit.name == "aggression factor"
