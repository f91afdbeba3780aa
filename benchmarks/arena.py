"""The overhead of the arena: hands of a duplicate match against the same players driven directly through the object
API.

The direct loop does only what a deal requires: it deals, shows each player its view, plays the answer and pays. The
arena also checks every action, stores the record, informs each player, rotates the seats and sums the results. Both
play the same deals with the same random streams, so the results must be equal to the last chip.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from benchmarks.measure import Contest, Race
from tahur.arena.match import DealBlock, Match, play_block
from tahur.core.chance import Streams
from tahur.core.game import CHANCE, OVER
from tahur.core.player import View
from tahur.games.registry import GAMES, make
from tahur.players.simple import RandomPlayer

DEALS = 20


def _by_hand(match: Match, block: DealBlock) -> np.ndarray[Any, Any]:
    """Results: (deals, players), the mean over the seatings."""
    game, streams = match.game, Streams(match.seed, match.game.seats)
    players = [make_one() for make_one in match.makers]
    results = np.zeros((block.count, game.seats))
    for deal in range(block.first, block.first + block.count):
        for number, seating in match.seatings_of(deal):
            streams.turn_to(deal, seating=number)
            hands, table = game.deal(streams.chance), game.start()
            while table.turn != OVER:
                if table.turn == CHANCE:
                    cards = game.outcomes(table, hands)
                    table = table.after(cards[int(streams.chance.random() * len(cards))])
                    continue
                seat = table.turn
                who = seating[seat]
                view = View(game, table, seat, hands[seat])
                table = table.after(players[who].act(view, streams.seats[who]).action)
            results[deal - block.first, seating] += game.payoffs(table, hands)
    return results / match.hands_per_deal


def _overhead(seats: int) -> Contest:
    game = make("nlhe", {"seats": seats, "stack": 200})
    names = tuple(f"player {number}" for number in range(seats))
    match = Match(game, GAMES["nlhe"].scorings(game)[0], names, (RandomPlayer,) * seats, seed=1, duplicate=True)
    block = DealBlock(0, DEALS)

    def hands(play: Any) -> int:
        play(match, block)
        return DEALS * match.hands_per_deal

    def agree() -> bool:
        return np.array_equal(_by_hand(match, block), play_block(match, block).results)

    return Contest(partial(hands, _by_hand), partial(hands, play_block), agree)


BENCHMARKS = (
    Race("hands of a duplicate match, 2 seats", "the same players by hand", 1 / 1.2, partial(_overhead, 2), "hands"),
    Race("hands of a duplicate match, 6 seats", "the same players by hand", 1 / 1.2, partial(_overhead, 6), "hands"),
)
