"""Table talk: short lines of the persona's own, or of a model; never what it holds, before the showdown or after.

A line of a model is said only if it names no card, no rank, no suit and no made hand, in whatever disguise we could
think of: spaced out, in other letters, with digits for letters, backwards, turned by thirteen, in base64. The sieve is
coarse on purpose. A line lost costs nothing; a card told costs the hand.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from tahur.cards.cards import Card
from tahur.players.bounded.names import plain_line

LONGEST_TALK: Final = 90  # letters
LONGEST_WORD: Final = 18  # longer ones are codes, not words

RANK_WORDS: Final = """
    ace aces king kings queen queens jack jacks ten tens nine nines eight eights seven sevens six sixes five fives
    four fours three threes trey treys two twos deuce deuces
    ases rey reyes dama damas reina reinas sota jota roi rois dame damen valet valets bube buben konig konige
    asso assi regina donna fante
    cowboy cowboys rocket rockets bullet bullets lady ladies hook hooks fishhook fishhooks duck ducks snowmen snowman
    slick siegfried kournikova
"""
SUIT_WORDS: Final = """
    heart hearts spade spades diamond diamonds club clubs suited suit offsuit unsuited coeur pique carreau trefle
    corazon corazones pica picas herz pik karo kreuz cuori picche quadri fiori
"""
HAND_WORDS: Final = """
    pair pairs paired pocket pockets set sets trips quads quad boat flush straight draw drawing nuts nut overpair
    underpair overcard overcards kicker kickers broadway wheel gutshot connectors connector hole card cards
"""
_FORBIDDEN: Final = frozenset(f"{RANK_WORDS} {SUIT_WORDS} {HAND_WORDS}".split())
_PLAIN: Final = "ace aces king kings queen queens jack jacks deuce trey hearts spades diamonds clubs"
_STRICT: Final = frozenset(_PLAIN.split())

_RANKS: Final = frozenset("akqjt")  # two such letters in a row are a hand

_WORD: Final = re.compile(r"[^\W_]+")
_NOTATION: Final = re.compile(r"(?:(?:10|[2-9tjqka])[shdc]){1,2}|[tjqka]{2}[so]?")  # a card or two, or two ranks
_EVERYDAY: Final = frozenset({"as", "at"})  # words first, and cards only to whoever holds them
_CAPITALS: Final = re.compile(r"(?<!\w)A[sTS](?!\w)")  # the same, written as cards are
_SPACED: Final = re.compile(r"(?<!\w)(?:\w[\W_]{1,3}){2,}\w(?!\w)")  # a c e, k.i.n.g
_CODE: Final = re.compile(r"[A-Za-z0-9+/=]{8,}")
_DIGITS: Final = str.maketrans("013457@$!|", "oleastasil")


def sayable(text: str, hole: Sequence[int] = ()) -> str:
    """The line as whoever holds these cards may say it, one line of bounded length; empty if it may not be said."""
    line = plain_line(text, LONGEST_TALK)
    return "" if tells_cards(line, hole) else line


def tells_cards(line: str, hole: Sequence[int] = ()) -> bool:
    """Whether a line may tell what somebody holds: coarse, and rather too strict than not enough."""
    if any(word in _EVERYDAY and word in _notations(hole) for word in _WORD.findall(line.casefold())):
        return True
    if any(_is_odd(sign) for sign in line):
        return True
    words = _WORD.findall(line)
    if _SPACED.search(line) or any(len(word) > LONGEST_WORD for word in words) or any(sign.isdigit() for sign in line):
        return True
    return _names_a_card(line) or any(_hides_a_card(hidden) for hidden in _disguises(line))


def _is_odd(sign: str) -> bool:
    """A letter of another script, or a picture: playing cards, suits, and whatever could stand for them."""
    if sign.isascii():
        return False
    if sign.isalpha():
        return not unicodedata.name(sign, "").startswith("LATIN")
    return unicodedata.category(sign) in ("So", "Sk", "Sm", "No", "Nl", "Lo")


def _names_a_card(line: str) -> bool:
    folded = _folded(line)
    words = [*_WORD.findall(folded), *(_WORD.findall(folded.translate(_DIGITS)))]
    words = [word for word in words if word not in _EVERYDAY]
    if _CAPITALS.search(line) or any(word in _FORBIDDEN or _NOTATION.fullmatch(word) for word in words):
        return True
    return any(one in _RANKS and other in _RANKS for one, other in pairwise(words))


def _notations(hole: Sequence[int]) -> tuple[str, ...]:
    """The cards and their two ranks, in small letters: as, kd, ak."""
    cards = [str(Card(card)).casefold() for card in hole]
    ranks = [card[0] for card in cards]
    return (*cards, "".join(ranks), "".join(reversed(ranks)))


def _hides_a_card(text: str) -> bool:
    return not _STRICT.isdisjoint(_WORD.findall(_folded(text)))


def _disguises(line: str) -> Iterator[str]:
    """The line read in other ways; here only words that are hardly ever anything else count."""
    yield line[::-1]
    yield codecs.encode(line, "rot13")
    for code in _CODE.findall(line):
        try:
            yield base64.b64decode(code + "=" * (-len(code) % 4)).decode("ascii")
        except (binascii.Error, ValueError):
            continue


def _folded(text: str) -> str:
    """Small letters without accents."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
