"""Questions of equity for the tests, and their answers by brute force: every deal of the hands and the board."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb, prod

import numpy as np
from hypothesis import strategies as st

from tahur.cards.cards import cards_of, combo_of
from tahur.cards.equity import Equity, ask, equity
from tahur.cards.evaluator import evaluate_many
from tahur.cards.ranges import Range
from tahur.cards.rankings import class_names

OOP_B = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP_B = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
NINE_PAIRS = ["AsAh", "KsKh", "QsQh", "JsJh", "TsTh", "9s9h", "8s8h", "7s7h", "6s6h"]

seeds = st.integers(0, 2**32 - 1)
Rows = list[tuple[float, float, float]]


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
