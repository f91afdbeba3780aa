"""The habits of random hands, counted a second time from their PokerStars text."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime
from random import Random

from holdem_play import STYLES, random_hands_and_board, random_stakes

from tahur.core.game import CHANCE, OVER
from tahur.core.record import Record
from tahur.games.holdem.habits import ALL_HABITS, HABITS
from tahur.games.holdem.history import history_of
from tahur.games.holdem.pokerstars import pokerstars_text
from tahur.games.holdem.rules import Holdem

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
    return game, Record(
        game=game.name, settings=game.settings, hands=hands, actions=table.history, payoffs=game.payoffs(table, hands)
    )


def test_random_hands_are_counted_as_their_pokerstars_text_tells_them() -> None:
    random, seen = Random(11), Counter[str]()
    for _ in range(1500):
        game, played = random_record(random)
        text = pokerstars_text(history_of(played), number=1, when=datetime(2024, 1, 1, tzinfo=UTC))
        told = recount(text, game.seats)
        tallies = HABITS.tallies(game, played).tolist()
        for seat, row in enumerate(tallies):
            for habit, counts in zip(ALL_HABITS, row, strict=True):
                for which, number in zip(("hits", "chances"), counts, strict=True):
                    if (habit.name, which) not in UNTOLD and not habit.name.startswith("river"):
                        assert number == told[seat, habit.name, which], f"{seat} {habit.name} {which}\n{text}"
                        seen[habit.name] += number
    assert min(seen.values()) > 20
    assert len(seen) == len(ALL_HABITS) - 2


def test_chances_are_never_fewer_than_hits_but_for_the_odds() -> None:
    random = Random(5)
    for _ in range(300):
        game, played = random_record(random)
        for row in HABITS.tallies(game, played).tolist():
            for habit, (hits, chances) in zip(ALL_HABITS, row, strict=True):
                assert 0 <= hits <= chances or habit.name == "aggression factor"
