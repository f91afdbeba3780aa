"""Prints what subgame solving does to exploitability, measured exactly on a hold'em game that begins on the turn.

    python tools/subgame_safety.py

A first solution of the game, of 10, 100 or 300 iterations, is kept on the turn; every river is solved again from its
ranges, with a doubted share of the opponent's range from 0 (unsafe) to 1 (CFR-D). A figure is what the best response of
the opponent wins above the value of the game, in % of the pot; the first column is that against the first solution. In
the last row the first solution has no river bet but all-in, and the opponent also bets 75 % of the pot there: bets that
the first solution lacks. Takes about three minutes of one core.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from tahur.solvers.nolimit.safety import solve_rivers_again, value_of, won_against
from tahur.solvers.postflop.engine import Engine
from tahur.solvers.postflop.layout import lay_out
from tahur.solvers.postflop.spot import spot

OOP, IP = "QQ,TT,AQs,QJs,T9s,76s,AKs", "AA,KK,99,AQs,J9s,87s,A5s"
SHARES = (0.0, 0.05, 0.2, 0.5, 1.0)
TRUNKS = (10, 100, 300)  # iterations
RIVER, ALL_IN_ONLY = "75%,a / a", "a"
ITERATIONS, EXACT = 400, 1500


def game(river: str = RIVER) -> Engine:
    """The game with these river bets; the rest of the pot is 200, stacks are 500."""
    small = spot(board="Td9d6hQc", oop=OOP, ip=IP, pot=200, stack=500, turn="75% / a", river=river)
    return Engine(lay_out(small, symmetry=False))


def solved(iterations: int, river: str = RIVER) -> Engine:
    """That game after so many iterations."""
    engine = game(river)
    engine.iterate(iterations)
    return engine


def above_value(trunk: Engine, seat: int, share: float, value: float) -> float:
    """What the opponent's best response wins above the value of the game after every river was solved again."""
    full = game()
    for _done, _all in solve_rivers_again(trunk, full, seat, share=share, iterations=ITERATIONS):
        pass
    return won_against(full, seat) - value


def main() -> None:
    """Print the table in Markdown, a row at a time."""
    exact = solved(EXACT)
    print("| first solution | seat | before | " + " | ".join(f"{share:g}" for share in SHARES) + " |")
    print("|---" * (3 + len(SHARES)) + "|")
    trunks = [(f"{count} iterations", RIVER, count) for count in TRUNKS]
    for name, river, count in (*trunks, ("300, all-in only", ALL_IN_ONLY, 300)):
        trunk = solved(count, river)
        for seat, position in enumerate(("first", "last")):
            value = -value_of(exact, seat)
            before = f"{won_against(trunk, seat) - value:.3f}" if river == RIVER else ""
            figures = (f"{above_value(trunk, seat, share, value):.3f}" for share in SHARES)
            print(f"| {name} | {position} | {before} | " + " | ".join(figures) + " |", flush=True)


if __name__ == "__main__":
    main()
