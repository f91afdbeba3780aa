"""Equities against four outsiders: known numbers, OMPEval (by way of pokerfast), a brute-force twin, and themselves.

The two exact ways share no loop, so each is held against the twin, and both against each other.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, product
from math import comb, prod, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerfast.equity import equity as ompeval

from tahur.cards.cards import cards_of, cards_text, combo_of, parse_cards
from tahur.cards.equity import Equity, Method, Share, ask, equity, equity_steps
from tahur.cards.evaluator import evaluate_many
from tahur.cards.ranges import Range
from tahur.cards.rankings import EQUITY_ORDER, class_names
from tahur.cards.suits import RELABELINGS
from tahur.core.errors import EquityError, TahurError

OOP_B = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP_B = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
NINE_PAIRS = ["AsAh", "KsKh", "QsQh", "JsJh", "TsTh", "9s9h", "8s8h", "7s7h", "6s6h"]

seeds = st.integers(0, 2**32 - 1)
Rows = list[tuple[float, float, float]]


# ---- questions ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Question:
    """What `equity` is asked."""

    hands: tuple[Range, ...]
    board: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()

    def ask(self, **options: object) -> Equity:
        return equity(*self.hands, board=self.board, dead=self.dead, **options)  # type: ignore[arg-type]

    def by(self, way: Callable[..., object]) -> Equity:
        """The answer of one of the exact ways, whichever `equity` would have taken."""
        question = ask._ask(self.hands, ask._cards(self.board), ask._cards(self.dead))
        return finish(way(question))[1]  # type: ignore[arg-type]


def random_question(rng: np.random.Generator, *, players: int, board: int, hands: int, dead: int = 0) -> Question:
    """Scattered hands of any weight; half of the time whole classes, which suit symmetries shorten."""
    deck = rng.permutation(52).tolist()
    if rng.random() < 0.5:
        ranges = tuple(_some_combos(rng, deck[board + dead :], hands) for _ in range(players))
        return Question(ranges, tuple(deck[:board]), tuple(deck[board : board + dead]))
    ranks = {card // 4 for card in deck[:board]}
    dead_ranks = [rank for rank in rng.permutation(13).tolist() if rank not in ranks][: dead // 4]
    ranges = tuple(_some_classes(rng, hands) for _ in range(players))
    return Question(ranges, tuple(deck[:board]), tuple(4 * rank + suit for rank in dead_ranks for suit in range(4)))


def _some_combos(rng: np.random.Generator, deck: Sequence[int], hands: int) -> Range:
    vector = np.zeros(1326)
    for _ in range(rng.integers(1, hands + 1)):
        vector[combo_of(rng.choice(deck, 2, replace=False).tolist())] = rng.choice([1.0, 0.5, rng.random()])
    return Range.from_vector(vector)


def _some_classes(rng: np.random.Generator, hands: int) -> Range:
    names = rng.choice(class_names(), max(1, int(rng.integers(hands + 1)) // 4), replace=False)
    return Range(",".join(f"{name}:{rng.choice([1.0, 0.5, 0.25])}" for name in names))


def small_question(seed: int, work: int = 400_000) -> Question:
    """A question that brute force answers in no time: few deals, of any kind."""
    rng = np.random.default_rng(seed)
    while True:
        players, board = int(rng.integers(2, 6)), int(rng.integers(0, 6))
        hands = int(rng.integers(1, 13 if players == 2 else 6))
        question = random_question(rng, players=players, board=board, hands=hands, dead=int(rng.integers(0, 33)))
        left = 52 - board - len(question.dead) - 2 * players
        runouts = comb(max(left, 0), 5 - board)
        if 0 < runouts * prod(map(len, question.hands)) * players < work and can_be_dealt(question):
            return question


def can_be_dealt(question: Question) -> bool:
    return next(deals(question), None) is not None


def deals(question: Question) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way to give each player a hand of theirs, as cards."""
    gone = {*question.board, *question.dead}
    for combos in product(*(hand.indices.tolist() for hand in question.hands)):
        hands = tuple(cards_of(combo) for combo in combos)
        cards = [card for hand in hands for card in hand]
        if len({*cards, *gone}) == len(cards) + len(gone):
            yield hands


def by_brute_force(question: Question) -> tuple[Rows, int]:
    """Every deal, every runout, ranked card by card: win, tie and share of each player, and the number of deals."""
    totals, weight_of_all, count = np.zeros((len(question.hands), 3)), 0.0, 0
    for hands in deals(question):
        weight = prod(held.vector[combo_of(hand)] for held, hand in zip(question.hands, hands, strict=True))
        ranks = _ranks(hands, question)
        best = ranks == ranks.max(0)
        winners = best.sum(0)
        totals[:, 0] += weight * (best & (winners == 1)).sum(1)
        totals[:, 1] += weight * (best & (winners > 1)).sum(1)
        totals[:, 2] += weight * (best / winners).sum(1)
        weight_of_all += weight * ranks.shape[1]
        count += ranks.shape[1]
    return [tuple(row) for row in (totals / weight_of_all).tolist()], count


def _ranks(hands: tuple[tuple[int, ...], ...], question: Question) -> np.ndarray:
    """(players, runouts)."""
    gone = {*question.board, *question.dead, *(card for hand in hands for card in hand)}
    left, to_come = [card for card in range(52) if card not in gone], 5 - len(question.board)
    runouts = np.array(list(combinations(left, to_come)), np.uint8)
    known = [np.tile(np.array([*hand, *question.board], np.uint8), (len(runouts), 1)) for hand in hands]
    return np.array([evaluate_many(np.hstack([cards, runouts])) for cards in known])


def rows_of(answer: Equity) -> Rows:
    return [(player.win, player.tie, player.equity) for player in answer.players]


def assert_same(answer: Equity, expected: Rows, within: float = 1e-12) -> None:
    np.testing.assert_allclose(rows_of(answer), expected, rtol=0, atol=within)


def finish(steps: Iterator[float]) -> tuple[list[float], Equity]:
    """The fractions on the way, and the answer."""
    fractions = []
    while True:
        try:
            fractions.append(next(steps))
        except StopIteration as stop:
            return fractions, stop.value


# ---- known numbers -----------------------------------------------------------------------------------------------


def test_aces_against_kings_are_what_everybody_knows() -> None:
    answer = equity("AsAh", "KdKc")
    assert answer.method is Method.EXACT
    assert answer.boards == 1_712_304  # C(48, 5)
    assert answer.stderr is None
    assert [player.hand for player in answer.players] == ["AsAh", "KdKc"]
    assert answer.players[0].equity == pytest.approx(0.8125549, abs=5e-8)


@pytest.mark.parametrize(
    ("hands", "board", "first"),
    [
        (("AhKh", "QQ+,AKs,AKo,JTs,77,22"), "Qs7h2h", 0.5108405),
        (("AsAh", "any"), "", 0.8520371),
        (("AA", "any"), "", 0.8520371),
    ],
)
def test_a_hand_against_a_range_is_what_other_calculators_say(hands: tuple[str, ...], board: str, first: float) -> None:
    answer = equity(*hands, board=board)
    assert answer.method is Method.EXACT
    assert answer.players[0].equity == pytest.approx(first, abs=5e-8)


@pytest.mark.parametrize(
    ("board", "percent"), [("Td9d6hQc2s", 51.617), ("Td9d6hQc", 53.060), ("Td9d6h", 53.647), ("Td9d6d", 53.313)]
)
def test_two_wide_ranges_are_what_postflop_solver_says(board: str, percent: float) -> None:
    """The ranges and figures of the examples of b-inary/postflop-solver."""
    answer = equity(OOP_B, IP_B, board=board)
    assert answer.method is Method.EXACT
    assert 100 * answer.players[0].equity == pytest.approx(percent, abs=5e-4)


def test_a_full_house_beats_a_flush_where_no_symmetry_hides_it() -> None:
    """Once any flush beat a full house; aces against kings came out right all the same, the errors being equal."""
    assert equity("AhKh", "QdQc").players[0].equity == pytest.approx(ompeval(["AhKh", "QdQc"])[0], abs=1e-12)


def test_a_full_house_beats_a_flush_on_the_board() -> None:
    assert rows_of(equity("AhQh", "2s2c", board="2h7h9h7d")) == [(0.0, 0.0, 0.0), (1.0, 0.0, 1.0)]
    assert equity("AhQh", "7s2c", "Kh3h", board="2h7h9h7d2d").players[1] == Share("7s2c", 1.0, 0.0, 1.0)


@pytest.mark.parametrize("players", range(2, 10))
def test_a_royal_flush_on_the_board_is_shared_by_all(players: int) -> None:
    hands = [text.replace("s", "d").replace("AdAh", "2d2h") for text in NINE_PAIRS[:players]]
    for player in equity(*hands, board="AsKsQsJsTs").players:
        assert (player.win, player.tie, player.equity) == (0.0, 1.0, pytest.approx(1 / players, abs=1e-15))


# ---- OMPEval -----------------------------------------------------------------------------------------------------


def peer_question(seed: int, *, most_players: int, most_hands: int) -> Question:
    """Hands and ranges of full weight, before the flop only few: OMPEval goes through every board."""
    rng = np.random.default_rng(seed)
    while True:
        players, board = int(rng.integers(2, most_players + 1)), int(rng.choice([0, 3, 4, 5]))
        hands = 2 if board == 0 or players > 4 else most_hands if players == 2 else 6
        drawn = random_question(rng, players=players, board=board, hands=hands, dead=int(rng.choice([0, 0, 3, 8])))
        question = replace(drawn, hands=tuple(Range.from_vector(hand.vector > 0) for hand in drawn.hands))
        if prod(map(len, question.hands)) <= (30 if board == 0 else 20_000) and can_be_dealt(question):
            return question


def assert_ompeval_agrees(question: Question) -> None:
    texts = [",".join(cards_text(cards_of(combo)) for combo in hand.indices.tolist()) for hand in question.hands]
    expected = ompeval(texts, board=cards_text(question.board), dead=cards_text(question.dead))
    answer = question.ask()
    assert answer.method is Method.EXACT
    assert [player.equity for player in answer.players] == pytest.approx(expected, abs=1e-9), (texts, question)


@pytest.mark.parametrize("seed", range(150))
def test_ompeval_gives_a_random_question_the_same_answer(seed: int) -> None:
    assert_ompeval_agrees(peer_question(seed, most_players=4, most_hands=25))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1_000, 1_020))
def test_ompeval_gives_fifty_random_questions_the_same_answers(seed: int) -> None:
    for at in range(50):
        assert_ompeval_agrees(peer_question(100 * seed + at, most_players=6, most_hands=130))


@pytest.mark.slow
@pytest.mark.parametrize("hands", [("AsAh", "any"), ("7d2c", "any"), ("TT+", "A9s+", "KQs"), ("66+", "T2s+,T9o")])
def test_ompeval_gives_ranges_before_the_flop_the_same_answers(hands: tuple[str, ...]) -> None:
    expected = ompeval([hand.replace("any", "random") for hand in hands])
    assert [player.equity for player in equity(*hands).players] == pytest.approx(expected, abs=1e-9)


# ---- the brute-force twin, and the two ways against each other ----------------------------------------------------


@pytest.mark.parametrize("seed", range(80))
def test_brute_force_gives_a_random_question_the_same_wins_ties_and_shares(seed: int) -> None:
    question = small_question(seed)
    expected, count = by_brute_force(question)
    answer = question.ask()
    assert answer.method is Method.EXACT
    assert answer.boards == count
    assert_same(answer, expected)
    if len(question.hands) == 2:
        swept = question.by(ask._by_sweep)
        assert_same(swept, expected)
        assert swept.boards == count


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1_000, 1_040))
def test_brute_force_gives_longer_questions_the_same_wins_ties_and_shares(seed: int) -> None:
    for at in range(10):
        question = small_question(100 * seed + at, work=5_000_000)
        assert_same(question.ask(), by_brute_force(question)[0])


@pytest.mark.parametrize(
    ("hands", "board"),
    [
        (("AhKh", "QdQc"), "2h"),
        (("AhKh", "QdQc"), "2h7h"),
        (("AhKh:0.3,Th9h", "QdQc,AsAd:0.5"), "2h7h"),
        (("AhKh", "QdQc", "5h4h"), "2h"),
        (("AhKh:0.3,Th9h", "QdQc", "5h4h"), "2h7h"),
    ],
)
def test_brute_force_agrees_where_no_street_ends(hands: tuple[str, ...], board: str) -> None:
    """One or two board cards are no street of hold'em, but a fair question."""
    question = Question(tuple(map(Range, hands)), parse_cards(board), parse_cards("2s2d3s3d8s8c9s9cJsJcQsQhKsKc"))
    assert_same(question.ask(), by_brute_force(question)[0])
    if len(hands) == 2:
        assert_same(question.by(ask._by_sweep), by_brute_force(question)[0])


@pytest.mark.parametrize("seed", range(60))
def test_hand_by_hand_and_board_by_board_agree_on_two_ranges(seed: int) -> None:
    rng = np.random.default_rng(seed)
    board = int(rng.integers(0, 6))
    dead = [32, 28, 24, 8, 0, 0][board]
    question = random_question(rng, players=2, board=board, hands=60, dead=dead)
    while not can_be_dealt(question):
        question = random_question(rng, players=2, board=board, hands=60, dead=dead)
    by_hands, by_boards = question.by(ask._by_matchups), question.by(ask._by_sweep)
    assert_same(by_hands, rows_of(by_boards))
    assert by_hands.boards == by_boards.boards


def test_hand_by_hand_and_board_by_board_agree_on_ranges_that_share_every_hand() -> None:
    rng = np.random.default_rng(1)
    for board in ("Td9d6h", "Td9d6d", "TdTh6d", "Td9d6hQc", "Td9d6hQc2s"):
        hands = tuple(Range.from_vector(rng.random(1326) * (rng.random(1326) < 0.15)) for _ in range(2))
        question = Question(hands, parse_cards(board))
        assert_same(question.by(ask._by_matchups), rows_of(question.by(ask._by_sweep)))


# ---- what is true of every answer --------------------------------------------------------------------------------


@settings(max_examples=40)
@given(seeds)
def test_shares_add_up_to_the_pot_and_are_made_of_wins_and_ties(seed: int) -> None:
    answer = small_question(seed).ask()
    assert sum(player.equity for player in answer.players) == pytest.approx(1, abs=1e-12)
    for player in answer.players:
        assert player.win >= 0 <= player.tie
        assert player.win - 1e-12 <= player.equity <= player.win + player.tie + 1e-12
        if len(answer.players) == 2:
            assert player.win + player.tie / 2 == pytest.approx(player.equity, abs=1e-12)


@settings(max_examples=40)
@given(seeds)
def test_players_who_change_seats_take_their_shares_along(seed: int) -> None:
    question = small_question(seed)
    turned = replace(question, hands=question.hands[::-1]).ask()
    assert_same(turned, rows_of(question.ask())[::-1])


@settings(max_examples=40)
@given(seeds, st.sampled_from(RELABELINGS))
def test_relabeling_the_suits_changes_nothing(seed: int, suits: tuple[int, ...]) -> None:
    question = small_question(seed)
    alike = Question(
        tuple(relabeled(hand, suits) for hand in question.hands),
        tuple(card & ~3 | suits[card & 3] for card in question.board),
        tuple(card & ~3 | suits[card & 3] for card in question.dead),
    )
    assert_same(alike.ask(), rows_of(question.ask()))


def relabeled(hand: Range, suits: Sequence[int]) -> Range:
    vector = np.zeros(1326)
    for combo in hand.indices.tolist():
        vector[combo_of([card & ~3 | suits[card & 3] for card in cards_of(combo)])] = hand.vector[combo]
    return Range.from_vector(vector)


@settings(max_examples=40)
@given(seeds, st.floats(0.001, 1))
def test_scaling_all_weights_of_a_player_changes_nothing(seed: int, factor: float) -> None:
    question = small_question(seed)
    first, *others = question.hands
    scaled = replace(question, hands=(Range.from_vector(first.vector * factor), *others))
    assert_same(scaled.ask(), rows_of(question.ask()))
    halved = replace(question, hands=tuple(Range.from_vector(hand.vector / 2) for hand in question.hands))
    assert rows_of(halved.ask()) == rows_of(question.ask())


def test_scaling_changes_nothing_even_for_weights_whose_product_is_too_small_for_a_float() -> None:
    assert rows_of(equity("AA:1e-200", "KK:1e-200")) == rows_of(equity("AA", "KK"))


@pytest.mark.parametrize("board", ["Td9d6h", "Td9d6d", "TdTh6d", "Td9d6hQc", "Td9d6hQc2s", "AsKsQsJsTs"])
def test_a_range_against_itself_has_half_the_pot(board: str) -> None:
    rng = np.random.default_rng(3)
    for hand in (Range("any"), Range(OOP_B), Range.from_vector(rng.random(1326) * (rng.random(1326) < 0.5))):
        for player in equity(hand, hand, board=board).players:
            assert player.equity == pytest.approx(0.5, abs=1e-12)


@settings(max_examples=30)
@given(seeds)
def test_dead_cards_on_a_whole_board_do_what_taking_their_combos_away_does(seed: int) -> None:
    rng = np.random.default_rng(seed)
    deck = rng.permutation(52).tolist()
    vectors = rng.random((2, 1326)) * (rng.random((2, 1326)) < 0.3)
    dead = deck[5 : 5 + int(rng.integers(1, 9))]
    touched = [combo for combo in range(1326) if {*cards_of(combo)} & {*dead}]
    left = vectors.copy()
    left[:, touched] = 0
    with_dead = equity(*map(Range.from_vector, vectors), board=deck[:5], dead=dead)
    without = equity(*map(Range.from_vector, left), board=deck[:5])
    assert_same(with_dead, rows_of(without))


def test_a_dead_card_comes_on_no_board() -> None:
    """Kings are drawing to two outs on the river; one of them dead leaves one of 43 cards, not of 44."""
    assert equity("AsAh", "KdKc", board="2c3d7h9s").players[1].win == pytest.approx(2 / 44)
    assert equity("AsAh", "KdKc", board="2c3d7h9s", dead="Ks").players[1].win == pytest.approx(1 / 43)


def test_no_probability_is_negative_or_above_one() -> None:
    """Quads against hands that cannot beat them, with weights that do not add up to round numbers."""
    rng = np.random.default_rng(5)
    board = parse_cards("KsKhKd2c7h")
    case_king = np.array([parse_cards("Kc")[0] in cards_of(combo) for combo in range(1326)])
    for _ in range(20):
        quads, others = rng.random(1326) * case_king, rng.random(1326) * ~case_king
        for hands in ((quads, others), (others, quads)):
            for player in equity(*map(Range.from_vector, hands), board=board).players:
                assert 0 <= player.win <= 1
                assert 0 <= player.tie <= 1
                assert 0 <= player.equity <= 1


def test_hands_may_be_texts_or_ranges_and_boards_texts_or_cards() -> None:
    texts = equity("AhKh", "QQ+", board="Qs7h2h", dead="2c")
    values = equity(Range("AhKh"), Range("QQ+"), board=parse_cards("Qs7h2h"), dead=[0])
    numbers = equity("AhKh", Range("QQ+"), board=np.array(parse_cards("Qs7h2h")), dead="2c")
    shares = [[(p.hand, p.win, p.tie, p.equity) for p in answer.players] for answer in (texts, values, numbers)]
    assert shares[0] == shares[1] == shares[2]


# ---- samples -----------------------------------------------------------------------------------------------------

OVERLAPPING = ("AA,KK:0.3,AKs:0.05", "AKs,AA:0.2,QJs:0.7", "KK,AKo:0.1")
WIDE = tuple(Range.from_vector(np.random.default_rng(seed).random(1326) ** 4) for seed in (1, 2))


def assert_samples_agree(question: Question, seed: int, samples: int) -> None:
    sampled, exact = question.ask(samples=samples, rng=np.random.default_rng(seed)), question.ask()
    assert (sampled.method, sampled.boards, exact.method) == (Method.SAMPLED, samples, Method.EXACT)
    for one, other in zip(sampled.players, exact.players, strict=True):
        assert abs(one.equity - other.equity) <= 5 * sampled.stderr + 1e-12
        for drawn, true in ((one.win, other.win), (one.tie, other.tie)):
            assert abs(drawn - true) <= 5 * sqrt(max(0.0, true * (1 - true)) / samples) + 5 / samples


@pytest.mark.parametrize("seed", range(40))
def test_samples_are_within_five_standard_errors_of_the_truth(seed: int) -> None:
    assert_samples_agree(small_question(500 + seed), seed, 100_000)


@pytest.mark.parametrize(
    "question",
    [
        Question(tuple(map(Range, OVERLAPPING))),
        Question(tuple(map(Range, OVERLAPPING)), parse_cards("Kd7s2h")),
        Question(WIDE, parse_cards("Td9d6h")),
        Question(WIDE, parse_cards("Td9d6hQc"), parse_cards("AsAhKc")),
        Question((Range("AsAh"), Range("any"))),
        Question((Range(OOP_B), Range(IP_B)), parse_cards("Td9d6d")),
        Question(tuple(map(Range, NINE_PAIRS))),
    ],
    ids=["overlap", "overlap on a flop", "wide", "wide with dead cards", "aces v any", "flop", "nine pairs"],
)
def test_two_million_samples_are_within_five_standard_errors_of_the_truth(question: Question) -> None:
    assert_samples_agree(question, 11, 2_000_000)


@pytest.mark.parametrize(
    ("hands", "board"),
    [
        (("AhKh", "QQ:0.3,JTs,72o:0.1"), ""),
        (OVERLAPPING, ""),
        (("AhKh", "QQ", "22"), "Qs7h2h"),
        (("22+:0.2,A2s+", "22+,A2o+:0.1"), "AsKsQsJs2d"),
    ],
)
def test_the_stated_error_is_the_spread_of_many_answers(hands: tuple[str, ...], board: str) -> None:
    answers = [equity(*hands, board=board, samples=2_000, rng=np.random.default_rng(seed)) for seed in range(200)]
    shares = np.array([[player.equity for player in answer.players] for answer in answers])
    stated = np.mean([answer.stderr for answer in answers])
    assert shares.std(axis=0, ddof=1).max() == pytest.approx(stated, rel=0.2)


def test_the_same_seed_gives_the_same_answer_and_another_another() -> None:
    def drawn(seed: int) -> Equity:
        return equity("QQ+,AK", "22+", "any", samples=5_000, rng=np.random.default_rng(seed))

    assert drawn(7) == drawn(7)
    assert len({drawn(seed).players[0].equity for seed in range(10)}) == 10
    assert equity("AA", "KK", samples=5_000) == equity("AA", "KK", samples=5_000)


def test_one_generator_gives_new_samples_every_time() -> None:
    rng = np.random.default_rng(7)
    assert equity("AA", "72o", samples=5_000, rng=rng) != equity("AA", "72o", samples=5_000, rng=rng)


@pytest.mark.parametrize("samples", [1, 255, 256, 257, 999, 1_000, 1_001, 1_257])
def test_exactly_so_many_samples_are_drawn_as_asked_for(samples: int) -> None:
    for hands in (("AhKh", "QdQc"), ("AhKh", "QQ", "any")):
        answer = equity(*hands, samples=samples)
        assert answer.boards == samples
        assert sum(player.equity for player in answer.players) == pytest.approx(1, abs=1e-12)
        for player in answer.players:
            assert player.win * samples == pytest.approx(round(player.win * samples), abs=1e-6)


@pytest.mark.parametrize("players", range(2, 10))
@pytest.mark.parametrize("samples", [1, 7, 1_000])
def test_samples_that_all_agree_have_no_error(players: int, samples: int) -> None:
    hands = [text.replace("s", "d").replace("AdAh", "2d2h") for text in NINE_PAIRS[:players]]
    answer = equity(*hands, board="AsKsQsJsTs", samples=samples)
    assert answer.stderr == pytest.approx(0, abs=1e-7)
    assert [player.equity for player in answer.players] == pytest.approx([1 / players] * players)


def test_a_question_too_long_for_an_exact_answer_is_sampled_and_says_so() -> None:
    answer = equity("any", "any", "any")
    assert (answer.method, answer.boards) == (Method.SAMPLED, 2_000_000)
    assert 0.0001 < answer.stderr < 0.001
    for player in answer.players:
        assert player.equity == pytest.approx(1 / 3, abs=5 * answer.stderr)


# ---- progress ----------------------------------------------------------------------------------------------------


def exactly(way: Callable[..., object], *hands: str, board: str = "") -> Iterator[float]:
    return way(ask._ask(hands, parse_cards(board), ()))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("steps", "least"),
    [
        (lambda: equity_steps("AsAh", "KdKc"), 1),
        (lambda: equity_steps("any", "any", board="Td9d6h"), 49),
        (lambda: equity_steps("any", "any", board="Td9d6hQc2s"), 1),
        (lambda: equity_steps("AA", "KK", "any", samples=4_500_000), 4),
        (lambda: equity_steps("AA", "KK", samples=1), 1),
        (lambda: exactly(ask._by_matchups, "22+", "any"), 4),
        (lambda: exactly(ask._by_sweep, OOP_B, IP_B, board="Td9d6h"), 49),
    ],
    ids=["one matchup", "flop", "river", "samples", "one sample", "hand by hand", "board by board"],
)
def test_the_fractions_done_rise_to_one(steps: Callable[[], Iterator[float]], least: int) -> None:
    fractions, answer = finish(steps())
    assert isinstance(answer, Equity)
    assert len(fractions) >= least
    assert all(0 < done <= 1 for done in fractions)
    assert all(before <= after for before, after in pairwise(fractions))
    assert fractions[-1] == 1


# ---- what cannot be answered -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "options", "complaint"),
    [
        (("AsKs", "AsQd"), {}, "As is both in AsKs and in AsQd"),
        (("AsKs", "QQ", "KsQd"), {}, "Ks is both in AsKs and in KsQd"),
        (("AsKs", "AsAh,AsAd"), {"board": "AhKd2c"}, "As is both in AsKs and in AsAh,AsAd"),
        (("AsKs", "QdQc"), {"board": "As7h2h"}, "AsKs cannot be held: As7h2h is already out"),
        (("AsKs", "QdQc"), {"dead": "Qd"}, "QdQc cannot be held: Qd is already out"),
        (("AA", "KK"), {"board": "AsAhAd"}, "AA cannot be held"),
        (("AsKs", "QdQc"), {"board": "2c3c4c5c6c7c"}, "a board has at most 5 cards; 2c3c4c5c6c7c has 6"),
        (("AsKs", "QdQc"), {"board": "2c3c4c", "dead": "4c"}, "4c is both in the board and in the dead cards"),
        (("AsKs", "QdQc"), {"board": "2c2c4c"}, "2c appears twice"),
        (("AsKs", "QdQc"), {"board": [0, 0, 4]}, "2c is twice in the board"),
        (("AsKs", "QdQc"), {"board": [0, 52]}, "no card number 52"),
        (("AsKs", "QdQc"), {"board": "2x"}, "'x' is no suit"),
        (("AsKs", "zz"), {}, "cannot read 'zz'"),
        ((), {}, "needs 2 to 9 hands or ranges, not 0"),
        (("AsKs",), {}, "needs 2 to 9 hands or ranges, not 1"),
        (["any"] * 10, {}, "needs 2 to 9 hands or ranges, not 10"),
        (("AA", "AA", "AA"), {}, "AA v AA v AA cannot be dealt"),
        (("AA", "AA", "AA"), {"samples": 10}, "AA v AA v AA cannot be dealt"),
        (("AsKs,AsQs", "AsJs,AsTs"), {}, "cannot be dealt"),
        (("AsKs,AsQs", "AsJs,AsTs"), {"board": "2c3c4d5h7s"}, "cannot be dealt"),
        (("AsKs", "QdQc"), {"samples": 0}, "cannot draw 0 samples"),
        (("AsKs", "QdQc"), {"samples": -5}, "cannot draw -5 samples"),
        (("any", "any"), {"dead": list(range(44))}, "8 cards are left: too few for 2 hands and a whole board"),
    ],
)
def test_a_question_without_an_answer_is_refused_and_says_why(
    hands: Sequence[str], options: dict[str, object], complaint: str
) -> None:
    with pytest.raises(TahurError) as error:
        equity(*hands, **options)  # type: ignore[arg-type]
    assert complaint in str(error.value)


def test_the_last_nine_cards_are_enough_for_two_hands_and_a_board() -> None:
    answer = equity("any", "any", dead=list(range(43)))
    assert answer.boards == comb(9, 2) * comb(7, 2)
    assert answer.players[0].equity == pytest.approx(0.5)


@pytest.mark.parametrize("nothing", ["none", "AA:0"])
def test_an_empty_range_is_refused_without_blaming_cards_that_are_not_there(nothing: str) -> None:
    with pytest.raises(EquityError) as error:
        equity(nothing, "KK")
    assert nothing in str(error.value)
    assert "already out" not in str(error.value)


# ---- the ranking of the 169 hands --------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_order_of_the_169_hands_is_that_of_their_equities_against_any_hand() -> None:
    shares = {name: equity(name, "any").players[0].equity for name in class_names()}
    assert sorted(shares, key=shares.__getitem__, reverse=True) == EQUITY_ORDER.split()
    assert len({round(share, 9) for share in shares.values()}) == 169
    assert f"{shares['AA']:.4f} {shares['32o']:.4f}" == "0.8520 0.3230"
