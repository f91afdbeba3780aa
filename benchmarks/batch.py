"""Thousands of random hold'em hands at once, against OpenSpiel's `universal_poker`, one hand after another.

All legal actions are equally likely, on both sides. In no-limit OpenSpiel has five actions (`fchpa`: fold, call, half
pot, pot, all-in) and tahur fourteen, so tahur's hands are longer; limit is the same game on both sides. OpenSpiel runs
in two ways: a loop in Python, as learners use it, and its own C++ bots against each other. Before timing, tahur's hands
are replayed in OpenSpiel, card by card and move by move, and must end with the same chips.

Limit with five players or more is left out: OpenSpiel crashes the interpreter.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import Contest, Race, Side
from tahur.games.holdem.batch import Batch
from tahur.games.holdem.limit import PRESETS
from tahur.games.holdem.rules import Holdem, no_limit

ROWS = 4096
STEPS = 20
HANDS = 50
REPLAYS, REPLAY_STEPS = 32, 40  # hands at once, and steps, that are replayed in OpenSpiel
THEIRS = {0: 0, 1: 1, 6: 4, 8: 2, 13: 3}  # tahur's fourteen actions -> fchpa's: fold, call, 50 %, 100 %, all-in
THEIRS_IN_LIMIT = {0: 0, 1: 1, 2: 2}

PYTHON, CPP = "OpenSpiel, loop in Python", "OpenSpiel, its own C++ bots"


def no_limit_settings(seats: int) -> dict[str, Any]:
    """100 big blinds each. OpenSpiel's player 0 posts the first blind; heads-up that is the big one."""
    blinds = ("100 50" if seats == 2 else "50 100") + " 0" * (seats - 2)
    return {
        "betting": "nolimit",
        "bettingAbstraction": "fchpa",
        "numPlayers": seats,
        "numRounds": 4,
        "blind": blinds,
        "firstPlayer": "2 1 1 1" if seats == 2 else "3 1 1 1",
        "numSuits": 4,
        "numRanks": 13,
        "numHoleCards": 2,
        "numBoardCards": "0 3 1 1",
        "stack": " ".join(["10000"] * seats),
    }


LIMIT_SETTINGS = {
    "betting": "limit",
    "numPlayers": 2,
    "numRounds": 4,
    "blind": "2 1",
    "firstPlayer": "2 1 1 1",
    "numSuits": 4,
    "numRanks": 13,
    "numHoleCards": 2,
    "numBoardCards": "0 3 1 1",
    "raiseSize": "2 2 4 4",
    "maxRaises": "3 4 4 4",
    "stack": "200 200",
}


def _no_limit(seats: int, peer: Callable[[Any], Side]) -> Contest:
    return _contest(no_limit(seats=seats, stack=10_000, blinds=(50, 100)), no_limit_settings(seats), THEIRS, peer)


def _limit(peer: Callable[[Any], Side]) -> Contest:
    acpc = next(preset for preset in PRESETS if preset.name == "acpc")
    return _contest(acpc(stack=200), LIMIT_SETTINGS, THEIRS_IN_LIMIT, peer)


def _contest(game: Holdem, settings: dict[str, Any], theirs: dict[int, int], peer: Callable[[Any], Side]) -> Contest:
    import pyspiel

    their_game = pyspiel.load_game("universal_poker", settings)
    batch = Batch(game, hands=ROWS)
    return Contest(peer(their_game), partial(_play, batch), partial(_replays_agree, game, their_game, theirs))


def _play(batch: Batch) -> int:
    """Steps of random actions; returns how many hands ended."""
    return sum(int(np.count_nonzero(batch.step(batch.random_actions()).done)) for _ in range(STEPS))


def _play_seeing(batch: Batch) -> int:
    """The same, with each seat's observations."""
    ended = 0
    for _ in range(STEPS):
        assert len(batch.observation) == ROWS
        ended += int(np.count_nonzero(batch.step(batch.random_actions()).done))
    return ended


def _in_python(game: Any, *, seeing: bool = False) -> Side:
    pick = random.Random(1)

    def loop() -> int:
        for _ in range(HANDS):
            state = game.new_initial_state()
            while not state.is_terminal():
                if seeing and not state.is_chance_node():
                    state.observation_tensor()
                actions = state.legal_actions()  # at a chance node: the cards, equally likely
                state.apply_action(actions[int(pick.random() * len(actions))])
            state.returns()
        return HANDS

    return loop


def _in_cpp(game: Any) -> Side:
    import pyspiel

    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]

    def loop() -> int:
        for seed in range(HANDS):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return HANDS

    return loop


def _seeing() -> Contest:
    contest = _no_limit(2, partial(_in_python, seeing=True))
    batch = Batch(no_limit(seats=2, stack=10_000, blinds=(50, 100)), hands=ROWS)
    return Contest(contest.peer, partial(_play_seeing, batch), contest.agree)


# ---- the same hands in OpenSpiel -----------------------------------------------------------------


class _Replay:
    """The hand of one row, in OpenSpiel. Its player 0 is tahur's first seat left of the button."""

    def __init__(self, batch: Batch, row: int, game: Any) -> None:
        self.seats = [(int(batch.button[row]) + step) % batch.seats for step in range(1, batch.seats + 1)]
        self.board = iter(batch.deal_of(row)[1])
        self.state = game.new_initial_state()
        for seat in self.seats:
            for card in batch.rows["hole"][row, seat].tolist():
                self.state.apply_action(card)

    def play(self, action: int) -> None:
        self.state.apply_action(action)
        while self.state.is_chance_node():
            self.state.apply_action(next(self.board))

    @property
    def is_over(self) -> bool:
        return bool(self.state.is_terminal())

    def ends_with(self, chips: NDArray[np.float64]) -> bool:
        """Whether the chips are the same, except for odd chips of a split pot, which OpenSpiel divides into
        fractions."""
        return self.is_over and np.allclose(chips[self.seats], self.state.returns(), rtol=0, atol=len(self.seats) - 1)


def _replays_agree(game: Holdem, their_game: Any, theirs: dict[int, int]) -> bool:
    """Whether tahur's hands, restricted to common actions, end in OpenSpiel with the same chips."""
    batch, pick = Batch(game, hands=REPLAYS), random.Random(1)
    replays = [_Replay(batch, row, their_game) for row in range(REPLAYS)]
    for _ in range(REPLAY_STEPS):
        actions = [_common_action(batch.mask[row], replays[row], theirs, pick) for row in range(REPLAYS)]
        rewards, done = batch.step(actions)
        for row, replay in enumerate(replays):
            replay.play(theirs[actions[row]])
            if not (replay.ends_with(rewards[row] * game.stakes.blinds[1]) if done[row] else not replay.is_over):
                return False
        replays = [_Replay(batch, row, their_game) if done[row] else replays[row] for row in range(REPLAYS)]
    return True


def _common_action(mask: NDArray[np.bool_], replay: _Replay, theirs: dict[int, int], pick: random.Random) -> int:
    legal = replay.state.legal_actions()
    return pick.choice([ours for ours, their in theirs.items() if mask[ours] and their in legal])


def _race(work: str, peer: str, target: float | None, contest: Callable[[], Contest]) -> Race:
    return Race(f"random {work}, {ROWS:,} at once", peer, target, contest, "hands")


BENCHMARKS = (
    _race("no-limit hands, 2 seats", PYTHON, 10, partial(_no_limit, 2, _in_python)),
    _race("no-limit hands, 2 seats", CPP, None, partial(_no_limit, 2, _in_cpp)),
    _race("no-limit hands, 6 seats", PYTHON, 10, partial(_no_limit, 6, _in_python)),
    _race("no-limit hands, 2 seats, with observations", PYTHON, None, _seeing),
    _race("limit hands, 2 seats", PYTHON, 20, partial(_limit, _in_python)),
    _race("limit hands, 2 seats", CPP, None, partial(_limit, _in_cpp)),
)
