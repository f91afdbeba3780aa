"""Equity computations: two to nine hands or ranges, a board of zero to five cards, dead cards.

There are two exact methods and a sampled one (kernels/); `_exact_way` estimates the cost of the exact ones and selects
the cheaper. If even that takes too long the answer is sampled, and says so, with its standard error.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import accumulate
from math import comb, prod, sqrt
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tahur.cards.cards import DECK_SIZE, Card, cards_of, cards_text, check_distinct, parse_cards
from tahur.cards.equity.kernels.common import POT, symmetries
from tahur.cards.equity.kernels.matchups import matchups, winners
from tahur.cards.equity.kernels.samples import sample
from tahur.cards.equity.kernels.sweep import sweep
from tahur.cards.equity.tables import combos, runouts
from tahur.cards.ranges import Range
from tahur.cards.tables import load
from tahur.core.errors import EquityError

MOST_PLAYERS = 9
DEFAULT_SAMPLES = 2_000_000
TOO_LONG = 6e9  # nanoseconds of one core, by the estimates below
TINY = 1e-30  # weights below this are scaled up, or the product of nine of them would be zero
CHUNK = 2e8  # nanoseconds between two reports of progress

# The cost of one matchup by the number of cards to come, and of one combo of one board in a sweep; measured, in ns.
_MATCHUP_COST = (600.0, 1_000.0, 2_000.0, 10_000.0, 45_000.0, 260_000.0)
_SWEEP_COST = 31.0

Result = TypeVar("Result")
Steps = Generator[float, None, Result]


class Method(StrEnum):
    EXACT = "exact"
    SAMPLED = "sampled"


@dataclass(frozen=True, slots=True)
class Share:
    """One player's result: probabilities to win alone and to tie, and the expected share of the pot."""

    held: Range | str
    win: float
    tie: float
    equity: float

    @property
    def hand(self) -> str:
        """The hand or range as it was given; a `Range` is converted to text only when this is read."""
        return self.held if isinstance(self.held, str) else self.held.text()


@dataclass(frozen=True, slots=True)
class Equity:
    """`boards`: deals (hands and board) that were enumerated, or samples. `stderr`: the largest of any share."""

    method: Method
    boards: int
    stderr: float | None
    players: tuple[Share, ...]


def equity(
    *hands: Range | str,
    board: str | Sequence[int] = (),
    dead: str | Sequence[int] = (),
    samples: int | None = None,
    rng: np.random.Generator | None = None,
) -> Equity:
    """The equity of each hand or range. `samples` requests sampling; without an `rng` they are always the same."""
    return _finish(equity_steps(*hands, board=board, dead=dead, samples=samples, rng=rng))


def equity_steps(
    *hands: Range | str,
    board: str | Sequence[int] = (),
    dead: str | Sequence[int] = (),
    samples: int | None = None,
    rng: np.random.Generator | None = None,
) -> Steps[Equity]:
    """Like `equity`, but yields the fraction done a few times per second."""
    question = _ask(hands, _cards(board), _cards(dead))
    if samples is None:
        way = _exact_way(question)
        if way is not None:
            return (yield from way(question))
        samples = DEFAULT_SAMPLES
    elif samples < 1:
        raise EquityError(f"cannot draw {samples} samples; valid: 1 or more")
    return (yield from _sample(question, samples, rng or np.random.default_rng(0)))


# ---- input -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Question:
    """Hands and cards in the form of the kernels, without combos that contain board or dead cards."""

    held: tuple[Range | str, ...]
    board: int
    dead: int
    to_come: int
    sizes: tuple[int, ...]
    combo: NDArray[np.int64]
    weight: NDArray[np.float64]
    start: NDArray[np.int64]
    cards_left: int

    def dense(self) -> NDArray[np.float64]:
        """(players, 1326) weights."""
        weights = np.zeros((len(self.held), 1326))
        weights[np.repeat(np.arange(len(self.held)), self.sizes), self.combo] = self.weight
        return weights

    def led_by(self, player: int) -> _Question:
        """The same question with that player first."""
        order = [player, *(other for other in range(len(self.held)) if other != player)]
        pieces = [slice(self.start[at], self.start[at + 1]) for at in order]
        sizes = tuple(self.sizes[at] for at in order)
        return replace(
            self,
            held=tuple(self.held[at] for at in order),
            sizes=sizes,
            combo=np.concatenate([self.combo[piece] for piece in pieces]),
            weight=np.concatenate([self.weight[piece] for piece in pieces]),
            start=np.array([0, *accumulate(sizes)]),
        )


def _ask(hands: Sequence[Range | str], board: tuple[Card, ...], dead: tuple[Card, ...]) -> _Question:
    """Validate the hands, the board and the dead cards, and list the combos that each player may hold."""
    if not 2 <= len(hands) <= MOST_PLAYERS:
        raise EquityError(f"equity needs 2 to {MOST_PLAYERS} hands or ranges, not {len(hands)}")
    if len(board) > 5:
        raise EquityError(f"a board has at most 5 cards; {cards_text(board)} has {len(board)}")
    check_distinct(("the board", board), ("the dead cards", dead))
    cards_left = DECK_SIZE - len(board) - len(dead)
    if cards_left < 2 * len(hands) + 5 - len(board):
        raise EquityError(f"{cards_left} cards are left: too few for {len(hands)} hands and a full board")
    board_bits, dead_bits = (sum(1 << card for card in cards) for cards in (board, dead))
    live = [_live(hand, board_bits | dead_bits) for hand in hands]
    for hand, (left, _) in zip(hands, live, strict=True):
        if not len(left):
            raise _empty_range_error(_name(hand), board + dead)
    sizes = tuple(len(left) for left, _ in live)
    if sizes.count(1) > 1:  # converting a range to text takes a while
        one = [(hand, left) for hand, (left, _) in zip(hands, live, strict=True) if len(left) == 1]
        check_distinct(*((_name(hand), cards_of(int(left[0]))) for hand, left in one))
    combo, weight = (np.concatenate(parts) for parts in zip(*live, strict=True))
    start = np.array([0, *accumulate(sizes)])
    return _Question(
        held=tuple(hands),
        board=board_bits,
        dead=dead_bits,
        to_come=5 - len(board),
        sizes=sizes,
        combo=combo,
        weight=weight,
        start=start,
        cards_left=cards_left,
    )


def _name(hand: Range | str) -> str:
    return hand if isinstance(hand, str) else hand.text()


def _empty_range_error(name: str, gone: tuple[Card, ...]) -> EquityError:
    if gone:
        return EquityError(f"{name} cannot be held: {cards_text(gone)} is already out")
    return EquityError(f"{name} contains no hand; write hands such as 22+,A5s")


def _live(hand: Range | str, gone: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The combos of a hand or range that contain none of the cards in the mask `gone`, and their weights.

    Tiny weights are scaled so that the largest is 1: only their proportions matter, and their products must not be 0.
    """
    held = Range.parse(hand) if isinstance(hand, str) else hand
    indices, weights = held.indices, held.weights
    if gone:
        free = combos().mask[indices] & gone == 0
        indices, weights = indices[free], weights[free]
    top = weights.max(initial=0.0)
    return indices, weights / top if 0 < top < TINY else weights


def _cards(cards: str | Sequence[int]) -> tuple[Card, ...]:
    return parse_cards(cards) if isinstance(cards, str) else tuple(Card(card) for card in cards)


# ---- exact methods ----------------------------------------------------------------------------------------------


def _exact_way(question: _Question) -> Callable[[_Question], Steps[Equity]] | None:
    """The cheaper exact method, or None if both would take too long."""
    by_hands = prod(question.sizes) * _matchup_cost(question)
    if by_hands <= CHUNK / 100:  # a few hands: cheap even without symmetries
        return _by_matchups
    by_hands /= _group(question).bit_count()
    by_boards = _sweep_cost(question) if len(question.held) == 2 else float("inf")
    if min(by_hands, by_boards) > TOO_LONG:
        return None
    return _by_matchups if by_hands <= by_boards else _by_sweep


def _matchup_cost(question: _Question) -> float:
    return _MATCHUP_COST[question.to_come] * len(question.held) / 2


def _sweep_cost(question: _Question) -> float:
    boards = comb(question.cards_left, question.to_come) / _group(question).bit_count()
    return boards * len(np.unique(question.combo)) * _SWEEP_COST


def _group(question: _Question) -> int:
    return symmetries(question.combo, question.weight, question.start, question.board, question.dead, combos())


def _by_matchups(question: _Question) -> Steps[Equity]:
    """Every tuple of hands, in chunks of the widest player's hands."""
    widest = question.sizes.index(max(question.sizes))
    if widest and prod(question.sizes) * _matchup_cost(question) > CHUNK:
        answer = yield from _by_matchups(question.led_by(widest))
        first, *rest = answer.players
        return replace(answer, players=(*rest[:widest], first, *rest[widest:]))
    group = _group(question)
    result = np.zeros((len(question.held), 3))
    total, deals = 0.0, 0
    first_hands, *others = question.sizes
    stretch = max(1, int(CHUNK / (_matchup_cost(question) * prod(others))))
    for at in range(0, first_hands, stretch):
        part = matchups(
            question.combo,
            question.weight,
            question.start,
            (at, min(at + stretch, first_hands)),
            question.board,
            question.dead,
            group,
            load(),
            combos(),
            runouts(),
            result,
        )
        total, deals = total + part[0], deals + part[1]
        yield min(1.0, (at + stretch) / first_hands)
    return _answer(question, Method.EXACT, deals, None, result, total)


def _by_sweep(question: _Question) -> Steps[Equity]:
    """Every board, in chunks with the same lowest new card."""
    weights = question.dense()
    group = _group(question)
    result = np.zeros((2, 3))
    total, done = 0.0, 0
    left = [card for card in range(52) if not (question.board | question.dead) >> card & 1]
    firsts = left if question.to_come else [-1]
    boards = comb(len(left), question.to_come)
    for index, first in enumerate(firsts):
        total += sweep(first, weights, question.board, question.dead, group, load(), combos(), result)
        done += comb(len(left) - index - 1, max(0, question.to_come - 1))
        yield min(1.0, done / boards)
    return _answer(question, Method.EXACT, _pairs(weights) * _runouts(question), None, result, total)


def _pairs(weights: NDArray[np.float64]) -> int:
    """The number of pairs of the two players' combos that share no card."""
    has = weights > 0
    cards = combos().cards
    holding = [np.bincount(cards[player].ravel(), minlength=52) for player in has]
    return int(has[0].sum()) * int(has[1].sum()) - int(holding[0] @ holding[1]) + int((has[0] & has[1]).sum())


def _runouts(question: _Question) -> int:
    return comb(question.cards_left - 2 * len(question.held), question.to_come)


# ---- sampling ---------------------------------------------------------------------------------------------------


def _sample(question: _Question, samples: int, rng: np.random.Generator) -> Steps[Equity]:
    """Estimate equities from random deals, yielding after each batch."""
    players = len(question.held)
    counts, squares = np.zeros((players, 3), np.int64), np.zeros(players, np.int64)
    counter = int(rng.integers(-(2**63), 2**63, dtype=np.int64))
    done = 0
    while done < samples:
        part = min(samples - done, 1_000 if done == 0 else 2_000_000)
        counter, dealt = sample(
            part,
            question.combo,
            question.weight,
            question.start,
            question.board,
            question.dead,
            counter,
            load(),
            combos(),
            counts,
            squares,
        )
        if dealt < part:
            raise _impossible(question)
        done += part
        yield done / samples
    mean = counts[:, 2] / (samples * POT)
    spread = squares / (samples * POT**2) - mean**2
    return _answer(question, Method.SAMPLED, samples, sqrt(max(0.0, *spread) / samples), counts, samples)


# ---- result -----------------------------------------------------------------------------------------------------


def _answer(
    question: _Question, method: Method, boards: int, stderr: float | None, result: NDArray[Any], total: float
) -> Equity:
    """The players' shares from the counted results of all boards; `total`: their weight."""
    if total <= 0:
        raise _impossible(question)
    pot = total * POT
    rows = zip(question.held, np.clip(result, 0, (total, total, pot)).tolist(), strict=True)  # clips rounding errors
    players = tuple(Share(held, won / total, tied / total, shared / pot) for held, (won, tied, shared) in rows)
    return Equity(method, boards, stderr, players)


def _impossible(question: _Question) -> EquityError:
    return EquityError(
        f"{' v '.join(map(_name, question.held))} cannot be dealt: every way gives two players the same card"
    )


def _finish(steps: Steps[Result]) -> Result:
    """Run all steps and return the result."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            result: Result = stop.value
            return result


def winner_counts(
    hands: Sequence[int], board: Sequence[int] = (), dead: int = 0, showdown_board: int = 5
) -> tuple[tuple[int, int], ...]:
    """(set of winners, runouts) for every set that wins some runout; a set has bit i for `hands[i]`, a combo.

    `dead`: other cards that cannot come, as bits of 52. The caller must ensure that no card occurs twice.

    `equity` gives shares of a pot; this gives which hands win or split, so that whole chips can be paid out.
    """
    lying = 0
    for card in board:
        lying |= 1 << card
    held = np.array(hands, np.int64)
    counts = winners(held, lying, dead, showdown_board - len(board), load(), combos(), runouts())
    return tuple((int(rank), int(counts[rank])) for rank in np.flatnonzero(counts))
