"""Table talk: short lines of the persona's own or of a model; never what it holds, before the showdown or after.

A model's line is said only if it names no card, rank, suit or made hand, in any disguise we could think of: spaced out,
in other letters, with digits for letters, backwards, in ROT13, in base64. The filter is strict on purpose: losing a
line costs nothing, revealing a card costs the hand.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Final

from tahur.cards.cards import Card

LONGEST_TALK: Final = 90  # characters
LONGEST_WORD: Final = 18  # longer ones are taken for codes

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
_EVERYDAY: Final = frozenset({"as", "at"})  # ordinary words; cards only if the speaker holds them
_CAPITALS: Final = re.compile(r"(?<!\w)A[sTS](?!\w)")  # the same, capitalized as cards are
_SPACED: Final = re.compile(r"(?<!\w)(?:\w[\W_]{1,3}){2,}\w(?!\w)")  # a c e, k.i.n.g
_CODE: Final = re.compile(r"[A-Za-z0-9+/=]{8,}")
_DIGITS: Final = str.maketrans("013457@$!|", "oleastasil")


def sayable(text: str, hole: Sequence[int] = ()) -> str:
    """The line as a player with these hole cards may say it, on one line of limited length; empty if forbidden."""
    line = plain_line(text, LONGEST_TALK)
    return "" if tells_cards(line, hole) else line


def tells_cards(line: str, hole: Sequence[int] = ()) -> bool:
    """Whether a line may reveal what a player holds; errs on the strict side."""
    if any(word in _EVERYDAY and word in _notations(hole) for word in _WORD.findall(line.casefold())):
        return True
    if any(_is_odd(sign) for sign in line):
        return True
    words = _WORD.findall(line)
    if _SPACED.search(line) or any(len(word) > LONGEST_WORD for word in words) or any(sign.isdigit() for sign in line):
        return True
    return _names_a_card(line) or any(_hides_a_card(hidden) for hidden in _disguises(line))


def _is_odd(sign: str) -> bool:
    """Whether it is a letter of another script or a pictograph: playing cards, suits, and possible substitutes."""
    if sign.isascii():
        return False
    if sign.isalpha():
        return not unicodedata.name(sign, "").startswith("LATIN")
    return unicodedata.category(sign) in ("So", "Sk", "Sm", "No", "Nl", "Lo")


def _names_a_card(line: str) -> bool:
    folded = _without_accents(line)
    words = [*_WORD.findall(folded), *(_WORD.findall(folded.translate(_DIGITS)))]
    words = [word for word in words if word not in _EVERYDAY]
    if _CAPITALS.search(line) or any(word in _FORBIDDEN or _NOTATION.fullmatch(word) for word in words):
        return True
    return any(one in _RANKS and other in _RANKS for one, other in pairwise(words))


def _notations(hole: Sequence[int]) -> tuple[str, ...]:
    """The cards and their two ranks, in lower case: as, kd, ak."""
    cards = [str(Card(card)).casefold() for card in hole]
    ranks = [card[0] for card in cards]
    return (*cards, "".join(ranks), "".join(reversed(ranks)))


def _hides_a_card(text: str) -> bool:
    return not _STRICT.isdisjoint(_WORD.findall(_without_accents(text)))


def _disguises(line: str) -> Iterator[str]:
    """The line decoded in other ways; only words that are almost never anything else are checked in these."""
    yield line[::-1]
    yield codecs.encode(line, "rot13")
    for code in _CODE.findall(line):
        try:
            yield base64.b64decode(code + "=" * (-len(code) % 4)).decode("ascii")
        except (binascii.Error, ValueError):
            continue


def _without_accents(text: str) -> str:
    """The text in lower case, without accents."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


# ---- names and other people's words --------------------------------------------------------------
# Makes untrusted names and lines safe for a prompt, a log or a screen: one line, of limited length, no tricks. NFKC
# folds letters that only look different (fullwidth, mathematical); characters that control a terminal, change the
# direction of writing or are invisible are removed, and so are stacked accents. The result is still untrusted text: a
# prompt quotes it and never follows it.


LONGEST_NAME: Final = 24  # characters
LONGEST_LINE: Final = 160
MOST_MARKS: Final = 2  # accents on one letter
_LONGEST_READ: Final = 20  # times the maximal length: the rest of a huge text is ignored

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})  # control, bidi, surrogates, private, unassigned
_MARKS: Final = frozenset({"Mn", "Me", "Mc"})


def plain_line(text: str, most: int = LONGEST_LINE) -> str:
    """One line of at most `most` characters, in NFKC, without invisible characters."""
    folded = unicodedata.normalize("NFKC", text[: most * _LONGEST_READ])
    kept = "".join(_without_heaps(_visible(folded)))
    return " ".join(unicodedata.normalize("NFKC", kept).split())[:most].rstrip()


def plain_name(name: str, seat: int) -> str:
    """A safe name for a seat; an empty result becomes `seat 3`, counted from one."""
    return plain_line(name, LONGEST_NAME) or f"seat {seat + 1}"


def plain_names(names: tuple[str, ...], seats: int) -> tuple[str, ...]:
    """A distinct name for each seat: later duplicates are numbered."""
    plain = [plain_name(name, seat) for seat, name in enumerate(islice((*names, *[""] * seats), seats))]
    return tuple(
        f"{name[: LONGEST_NAME - 4]} ({seat + 1})" if name in plain[:seat] else name for seat, name in enumerate(plain)
    )


def _visible(text: str) -> Iterator[str]:
    """The visible characters; any white space becomes a space."""
    for sign in text:
        if sign.isspace():
            yield " "
        elif unicodedata.category(sign) not in _UNSEEN:
            yield sign


def _without_heaps(signs: Iterator[str]) -> Iterator[str]:
    """The characters, with at most a few combining marks on each."""
    marks = 0
    for sign in signs:
        marks = marks + 1 if unicodedata.category(sign) in _MARKS else 0
        if marks <= MOST_MARKS:
            yield sign
