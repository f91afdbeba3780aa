"""Print the accuracy of subsets of flops against all 1,755: `python tools/flop_subsets.py [PAIR ...]`, a minute a pair.

The figure is the equity of one range against the other, exact on each flop, in percent.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

import numpy as np

from tahur.cards.equity.ask import equity
from tahur.cards.ranges import Range
from tahur.solvers.postflop.flops import Flop, all_flops, representative_flops

COUNTS: Final = (10, 25, 49, 95, 184)
PAIRS: Final = {
    "raised": (
        "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
        "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
    ),
    "blind against button": (
        "22-99,A2s-A9s,A2o-A9o,K2s-KJs,K7o+,Q5s+,Q9o+,J7s+,J9o+,T7s+,T9o,96s+,86s+,75s+,64s+,54s",
        "22+,A2s+,A5o+,K5s+,K9o+,Q8s+,QTo+,J8s+,JTo,T8s+,97s+,87s,76s,65s",
    ),
    "raised again": (
        "QQ+,AKs,AKo,AQs,A5s-A4s,KQs,JTs",
        "TT-66,AQs-ATs,AQo,KQs-KTs,QJs,JTs,T9s,98s",
    ),
}


def main() -> None:
    print(f"| ranges | all flops | spread | {' | '.join(f'with {count}' for count in COUNTS)} |")
    print("|---|" + "--:|" * (2 + len(COUNTS)))
    for name in sys.argv[1:] or PAIRS:
        print(_line(name), flush=True)


def _line(name: str) -> str:
    oop, ip = (Range.parse(text) for text in PAIRS[name])
    flops = all_flops((oop, ip))
    known = {flop.cards: equity(oop, ip, board=flop.cards).players[0].equity for flop in flops}

    def mean(some: Sequence[Flop]) -> float:
        return float(np.average([known[flop.cards] for flop in some], weights=[flop.deals for flop in some]))

    truth = mean(flops)
    spread = np.sqrt(np.average([(known[flop.cards] - truth) ** 2 for flop in flops], weights=[f.deals for f in flops]))
    errors = " | ".join(f"{100 * (mean(representative_flops(flops, count)) - truth):+.3f}" for count in COUNTS)
    return f"| {name} | {100 * truth:.3f} | {100 * spread:.2f} | {errors} |"


if __name__ == "__main__":
    main()
