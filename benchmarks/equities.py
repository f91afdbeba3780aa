"""Equities: exact ones against OMPEval (through pokerfast), sampled ones against eval7.

All arguments are text, as a user would write them, and the process is warm. Every exact answer must cover the number of
deals given by combinatorics.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import cycle, product
from math import comb

from benchmarks.measure import Contest, Race
from tahur.cards.equity import Method, equity

OMPEVAL = "OMPEval (pokerfast)"
SAMPLES = 1_000_000
RUNOUTS = comb(48, 5)  # with four cards known
ON_FLOP = comb(45, 2)  # with the flop and four cards known

FLOP = "Qs7h2h"
RIVER = "Qs7h2h9c4d"
FIFTY = "99+,AJs+,KQs,AQo+"  # 50 combos that share no card with the flop or AhKh
WIDE = "22+,A2s+,K9s+,Q9s+,J9s+,T8s+,97s+,87s,76s,65s,ATo+,KTo+,QTo+,JTo"  # 237 such combos


def _exact(hands: tuple[str, str], board: str, deals: int) -> Contest:
    return _beside_ompeval(hands, board, deals, (hands[1],))


def _exact_of_new_text(hands: tuple[str, str], board: str, deals: int) -> Contest:
    """The second text is written differently each time, so that no cache of texts helps."""
    return _beside_ompeval(hands, board, deals, list(_rewritten(hands[1])))


def _rewritten(text: str) -> Iterator[str]:
    """A range of four items in 512 equivalent spellings, twice as many as tahur caches."""
    first, *others = text.split(",")
    for signs in product((",", ", ", " ,", ";", "; ", " ;", " ", "  "), repeat=len(others)):
        yield first + "".join(sign + item for sign, item in zip(signs, others, strict=True))


def _beside_ompeval(hands: tuple[str, str], board: str, deals: int, texts: Iterable[str]) -> Contest:
    from pokerfast import equity as ompeval

    if not ompeval.available():
        raise ImportError("pokerfast came without its compiled library")
    first, text = hands[0], cycle(texts)
    asked = ["random" if hand == "any" else hand for hand in hands]

    def peer() -> int:
        ompeval.equity(asked, board=board)
        return 1

    def ours() -> int:
        equity(first, next(text), board=board)
        return 1

    def agree() -> bool:
        answer = equity(first, next(text), board=board)
        shares = zip(ompeval.equity(asked, board=board), answer.players, strict=True)
        whole = answer.method is Method.EXACT and answer.boards == deals
        return whole and all(abs(theirs - player.equity) < 1e-9 for theirs, player in shares)

    return Contest(peer, ours, agree)


def _sampled(hands: tuple[str, str]) -> Contest:
    import eval7

    first, second = hands
    hand, villain = [eval7.Card(first[:2]), eval7.Card(first[2:])], eval7.HandRange(second)
    function = eval7.py_hand_vs_range_monte_carlo  # its C loop; `py_all_hands_vs_range` runs the same one

    def peer() -> int:
        function(hand, villain, [], SAMPLES)
        return SAMPLES

    def ours() -> int:
        return equity(first, second, samples=SAMPLES).boards

    def agree() -> bool:
        truth = equity(first, second).players[0].equity
        answer = equity(first, second, samples=SAMPLES)
        most = 5 * (answer.stderr or 0.0)
        theirs, mine = function(hand, villain, [], SAMPLES), answer.players[0].equity
        return abs(mine - truth) <= most and abs(theirs - truth) <= most

    return Contest(peer, ours, agree)


def _race(work: str, target: float | None, hands: tuple[str, str], deals: int, board: str = "") -> Race:
    return Race(work, OMPEVAL, target, partial(_exact, hands, board, deals))


BENCHMARKS = (
    _race("AsAh v KdKc, exact", 1, ("AsAh", "KdKc"), RUNOUTS),
    _race("AA v KK (36 pairs of hands), exact", 1, ("AA", "KK"), 36 * RUNOUTS),
    _race("AsAh v any two, exact", 2, ("AsAh", "any"), comb(50, 2) * RUNOUTS),
    _race("AhKh v 50 combos on a flop, exact", 1, ("AhKh", FIFTY), 50 * ON_FLOP, FLOP),
    Race(
        "AhKh v 50 combos on a flop, a text never seen",
        OMPEVAL,
        None,
        partial(_exact_of_new_text, ("AhKh", FIFTY), FLOP, 50 * ON_FLOP),
    ),
    _race("AhKh v 237 combos on a flop, exact", 1, ("AhKh", WIDE), 237 * ON_FLOP, FLOP),
    _race("any v any on a flop, exact", 1, ("any", "any"), comb(49, 2) * comb(47, 2) * ON_FLOP, FLOP),
    _race("any v any on the river, exact", 1, ("any", "any"), comb(47, 2) * comb(45, 2), RIVER),
    Race("AsAh v KdKc, sampled", "eval7, C loop", 2, partial(_sampled, ("AsAh", "KdKc")), "samples"),
)
