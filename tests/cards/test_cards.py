import copy
import pickle
from contextlib import suppress
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tahur.cards.cards import (
    COMBOS,
    DECK,
    RANKS,
    SUITS,
    Card,
    cards_of,
    cards_text,
    check_distinct,
    combo_of,
    parse_card,
    parse_cards,
)
from tahur.core.errors import CardError

SOLID, HOLLOW = "♣♦♥♠", "♧♢♡♤"
GAPS = ["", " ", ",", ", ", "\t", "  "]


def spellings(number: int) -> list[str]:
    """Every way to write a card that we promise to read, built without looking at the parser."""
    rank, suit = divmod(number, 4)
    ranks = ["T", "t", "10"] if RANKS[rank] == "T" else sorted({RANKS[rank], RANKS[rank].lower()})
    suits = [
        SUITS[suit],
        SUITS[suit].upper(),
        SOLID[suit],
        HOLLOW[suit],
        SOLID[suit] + "\ufe0e",
        SOLID[suit] + "\ufe0f",
    ]
    return [first + second for first in ranks for second in suits]


decks = st.permutations(DECK).flatmap(lambda deck: st.integers(0, 52).map(lambda count: tuple(deck[:count])))


# Text.


@pytest.mark.parametrize("number", range(52))
def test_every_spelling_of_a_card_is_that_card(number: int) -> None:
    for text in spellings(number):
        assert parse_card(text) == Card(text) == Card(number) == number


@pytest.mark.parametrize("number", range(52))
def test_a_card_writes_what_it_reads(number: int) -> None:
    card = Card(number)
    assert str(card) == RANKS[number // 4] + SUITS[number % 4]
    assert card.sign == RANKS[number // 4] + SOLID[number % 4]
    assert Card(str(card)) is Card(card.sign) is Card(card) is card
    assert (card.rank, card.suit) == (number // 4, number % 4)


def test_the_deck_is_numbered_from_the_deuce_of_clubs_to_the_ace_of_spades() -> None:
    assert cards_text(DECK) == "".join(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
    assert [int(card) for card in DECK] == list(range(52))


@pytest.mark.parametrize("text", ["AsKd2c", "As Kd 2c", "As,Kd,2c", "as, kd, 2c", "  A♠K♦\t2♣,", "A♠️ K♦️ 2♣️"])
def test_separators_do_not_matter(text: str) -> None:
    assert parse_cards(text) == (51, 45, 0)


def test_no_text_is_no_cards() -> None:
    assert parse_cards("") == parse_cards(" , ") == ()
    assert cards_text([]) == ""


@given(decks, st.data())
def test_cards_come_back_from_their_text_however_it_is_spelled(cards: tuple[Card, ...], data: st.DataObject) -> None:
    assert parse_cards(cards_text(cards)) == cards
    spelled = "".join(
        data.draw(st.sampled_from(spellings(card))) + data.draw(st.sampled_from(GAPS)) for card in cards[:7]
    )
    assert parse_cards(spelled) == cards[:7]


@given(st.text() | st.text("AaKkTt10 23456789,cdhsCDHS♠♡\ufe0f\t-xX", max_size=30))
def test_hostile_text_is_read_as_it_is_written_or_refused_with_a_card_error(text: str) -> None:
    with suppress(CardError):
        cards = parse_cards(text)
        assert len(set(cards)) == len(cards)
        assert parse_cards(cards_text(cards)) == cards
    with suppress(CardError):
        assert Card(text) in DECK


# Errors.


@pytest.mark.parametrize(
    ("text", "position", "what"),
    [
        ("Xs", 1, "'X' is not a rank"),
        ("As Xd", 4, "'X' is not a rank"),
        ("1s", 1, "'1' is not a rank"),
        ("As,Kd,Qx", 8, "'x' is not a suit"),
        ("A s", 2, "' ' is not a suit"),
        ("AsK", 3, "'K' has no suit"),
        ("As 10", 4, "'10' has no suit"),
        ("10x", 3, "'x' is not a suit"),
        ("As-Kd", 3, "'-' is not a rank"),
        ("As\nKd", 3, "'\n' is not a rank"),
    ],
)
def test_an_error_names_the_text_and_the_place_counted_from_one(text: str, position: int, what: str) -> None:
    with pytest.raises(CardError) as error:
        parse_cards(text)
    assert str(error.value).startswith(f"cannot read '{text}' at position {position}: {what}")


@pytest.mark.parametrize(
    ("text", "card", "position"), [("AsAs", "As", 3), ("As Kd a♠", "As", 7), ("2c, 10h Th", "Th", 9)]
)
def test_a_card_that_comes_twice_is_refused_by_name_and_place(text: str, card: str, position: int) -> None:
    with pytest.raises(CardError, match=f"^{card} appears twice in '{text}', again at position {position}$"):
        parse_cards(text)


def test_a_long_text_is_shown_by_its_beginning() -> None:
    with pytest.raises(CardError) as error:
        parse_cards("x" * 10_000)
    assert "'xxxxx" in str(error.value)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(("text", "count"), [("", 0), (" ", 0), ("AsKd", 2)])
def test_one_card_is_neither_none_nor_two(text: str, count: int) -> None:
    with pytest.raises(CardError, match=f"is {count} cards"):
        Card(text)


@pytest.mark.parametrize("number", [-1, 52, 10**30, -(10**30)])
def test_a_number_outside_the_deck_is_no_card(number: int) -> None:
    with pytest.raises(CardError, match=f"no card number {number};"):
        Card(number)
    with pytest.raises(CardError, match=str(number)):
        cards_text([number])


def test_a_card_in_two_places_is_refused_with_both_places() -> None:
    check_distinct(("the board", [1, 2, 3]), ("AsKd", [51, 45]))
    with pytest.raises(CardError, match="As is both in AsKd and in the board"):
        check_distinct(("AsKd", [51, 45]), ("the board", [0, 51]))
    with pytest.raises(CardError, match="2c is twice in the board"):
        check_distinct(("the board", [0, 7, 0]))


# A card is a value.


@pytest.mark.parametrize("card", DECK)
def test_a_card_survives_pickling_copying_and_its_own_repr(card: Card) -> None:
    assert pickle.loads(pickle.dumps(card)) is card
    assert copy.deepcopy(card) is copy.copy(card) is card
    assert eval(repr(card), {"Card": Card}) is card
    assert repr(card) == f"Card('{card}')"


def test_a_card_counts_and_indexes_as_its_number() -> None:
    assert Card(np.int64(51)) is Card(np.uint8(51)) is Card("As")
    assert np.arange(52)[Card("As")] == 51
    assert np.array(parse_cards("As2c"), np.uint8).tolist() == [51, 0]
    assert sorted(parse_cards("As2cKd")) == [0, 45, 51]
    assert {Card("As"): "ace"}[51] == "ace"


def test_a_card_takes_no_attributes() -> None:
    with pytest.raises(AttributeError):
        Card("As").color = "black"  # type: ignore[attr-defined]


# Combos.


def test_the_1326_combos_are_numbered_by_their_higher_card_then_their_lower() -> None:
    pairs = sorted(combinations(range(52), 2), key=lambda pair: (pair[1], pair[0]))
    assert len(pairs) == COMBOS == 1326
    for number, (low, high) in enumerate(pairs):
        assert combo_of((low, high)) == combo_of((high, low)) == number
        assert cards_of(number) == (high, low)
        assert all(type(card) is Card for card in cards_of(number))


def test_the_named_ends_of_the_combos_are_as_the_errors_say() -> None:
    assert cards_text(cards_of(0)) == "2d2c"
    assert cards_text(cards_of(1325)) == "AsAh"


@pytest.mark.parametrize("number", [-1, 1326, 10**30])
def test_a_number_beyond_the_combos_is_refused(number: int) -> None:
    with pytest.raises(CardError, match=f"no combo number {number};"):
        cards_of(number)
