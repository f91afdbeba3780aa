"""`check_game(game)`: play random deals of a game and raise `GameError` where its parts contradict each other.

A solver uses a game's `terminal`, `symmetries`, `prior` and `outcomes` and never looks at `payoffs`. If they disagree,
the solver silently solves a different game. So the solvers call this for every game that is not part of this package,
and authors of games may call it in their tests. Deals are sampled: a fault that appears only in rare deals may be
missed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import numpy as np

from tahur.core.errors import GameError, IllegalAction
from tahur.core.game import CHANCE, OVER, Action, Hand, Symmetry

DEALS: Final = 100
SEED: Final = 20260101
SAMPLE: Final = 24  # hands per seat that are compared at a terminal
TOLERANCE: Final = 1e-9
LONGEST: Final = 10_000  # actions in one deal
NEEDED: Final = (  # the methods that solvers call, plus `payoffs`, which they are compared with
    *("name", "seats", "start", "outcomes", "payoffs", "hands", "prior", "possible"),
    *("terminal", "holdings", "shown", "symmetries"),
)


def check_game(game: Any, *, deals: int = DEALS, seed: int = SEED) -> None:
    """Check a two-player game that is to be solved; raises `GameError`."""
    missing = [name for name in NEEDED if not hasattr(game, name)]
    if missing:
        raise GameError(f"{type(game).__name__}: no {', '.join(missing)}; a game needs them to be solved")
    if game.seats != 2:
        raise GameError(f"{game.name}: {game.seats} seats; only games with two seats can be solved")
    check_prior(game)
    rng = np.random.default_rng(seed)
    symmetries = tuple(game.symmetries())
    for number in range(deals):
        deal = play_random(game, rng, number)
        check_payoffs(deal)
        check_terminal(deal)
        for symmetry in symmetries:
            check_symmetry(deal, symmetry)


@dataclass(frozen=True, slots=True)
class RandomDeal:
    """One deal between players who choose at random, with all its tables."""

    game: Any
    number: int
    hands: tuple[Hand, ...]
    tables: tuple[Any, ...]

    @property
    def end(self) -> Any:
        return self.tables[-1]

    @property
    def where(self) -> str:
        return f"{self.game.name}, deal {self.number}, hands {list(self.hands)}, actions {list(self.end.history)}"

    @property
    def shown(self) -> set[int]:
        """The cards that chance put on the table."""
        moves = zip(self.tables, self.end.history, strict=False)
        return {card for table, move in moves if table.turn == CHANCE for card in self.game.shown(table, move)}


def play_random(game: Any, rng: np.random.Generator, number: int = 0) -> RandomDeal:
    """A deal in which every seat, and chance, takes a random legal action."""
    hands = tuple(game.deal(rng)) if hasattr(game, "deal") else _draw_hands(game, rng)
    tables = [game.start()]
    while tables[-1].turn != OVER:
        table = tables[-1]
        moves = game.outcomes(table, hands) if table.turn == CHANCE else table.actions()
        if not len(moves) or len(tables) > LONGEST:
            what = "there is no legal action" if not len(moves) else f"the deal is not over after {LONGEST:,} actions"
            raise GameError(f"{game.name}: {what} after {list(table.history)[:20]}, turn {table.turn}")
        tables.append(table.after(moves[int(rng.integers(len(moves)))]))
    return RandomDeal(game, number, hands, tuple(tables))


def _draw_hands(game: Any, rng: np.random.Generator) -> tuple[Hand, ...]:
    """A compatible pair of hands drawn from the priors, for a game without a `deal` method."""
    for _ in range(LONGEST):
        indices = [int(rng.choice(len(game.hands(seat)), p=game.prior(seat))) for seat in range(game.seats)]
        hands = tuple(game.hands(seat)[index] for seat, index in enumerate(indices))
        if game.possible(hands):
            return hands
    raise GameError(f"{game.name}: of {LONGEST:,} pairs of hands drawn from the priors none is possible")


def check_prior(game: Any) -> None:
    """Check that each seat's hands are distinct and that their probabilities add up to one."""
    for seat in range(game.seats):
        hands, prior = game.hands(seat), np.asarray(game.prior(seat))
        if len(set(hands)) != len(hands) or prior.shape != (len(hands),):
            raise GameError(f"{game.name}: seat {seat} has {len(set(hands))} distinct hands, prior {prior.shape}")
        if not np.all(prior >= 0) or not math.isclose(prior.sum(), 1, abs_tol=TOLERANCE):
            raise GameError(f"{game.name}: the prior of seat {seat} adds up to {prior.sum()}; it must be 1")


def check_payoffs(deal: RandomDeal) -> None:
    """Check that the dealt hands are listed and possible, and that every seat is paid a finite number."""
    game = deal.game
    for seat, hand in enumerate(deal.hands):
        if hand not in game.hands(seat):
            raise GameError(f"{deal.where}: seat {seat} was dealt {hand}, which is not in hands({seat})")
    if not game.possible(deal.hands):
        raise GameError(f"{deal.where}: dealt, but possible() is false")
    paid = game.payoffs(deal.end, deal.hands)
    if len(paid) != game.seats or not all(math.isfinite(number) for number in paid):
        raise GameError(f"{deal.where}: payoffs {paid}; expected one finite number for each of {game.seats} seats")


def check_terminal(deal: RandomDeal) -> None:
    """Check that `terminal` and `payoffs` pay every sampled pair of hands the same."""
    game, table = deal.game, deal.end
    terminal = game.terminal(table)
    for one, other in product(*(_sample_hands(deal, seat) for seat in (0, 1))):
        hands = game.hands(0)[one], game.hands(1)[other]
        if game.possible(hands):
            _compare(deal, hands, terminal.payoffs(one, other), game.payoffs(table, hands))


def _compare(deal: RandomDeal, hands: Sequence[Hand], listed: Sequence[float], paid: Sequence[float]) -> None:
    if not np.allclose(listed, paid, rtol=0, atol=TOLERANCE):
        raise GameError(
            f"{deal.game.name} after {list(deal.end.history)}: terminal() pays hands {list(hands)} {tuple(listed)}, "
            f"payoffs() {tuple(paid)}; they must be the same"
        )


def _sample_hands(deal: RandomDeal, seat: int) -> list[int]:
    """Indices of hands that no card on the table rules out, at most SAMPLE of them."""
    holdings = deal.game.holdings(seat)
    count = len(deal.game.hands(seat))
    if holdings is not None and len(holdings) != count:
        raise GameError(f"{deal.game.name}: seat {seat} has {count} hands and holdings of {len(holdings)}")
    shown = deal.shown
    left = [index for index in range(count) if holdings is None or not shown & {*holdings[index].tolist()}]
    return [left[int(at)] for at in np.linspace(0, len(left) - 1, min(SAMPLE, len(left))).round()]


def check_symmetry(deal: RandomDeal, symmetry: Symmetry) -> None:
    """Check that the relabeled deal is equally likely, has the same legal actions and pays the same."""
    game = deal.game
    hands = tuple(_rename_hand(deal, symmetry, seat) for seat in (0, 1))
    if not game.possible(hands):
        raise GameError(f"{deal.where}: a symmetry maps the hands to {list(hands)}, which are not possible together")
    table = game.start()
    for before, action in zip(deal.tables, deal.end.history, strict=False):
        _check_moves(deal, symmetry, before, table, hands)
        renamed = symmetry.moves[action] if before.turn == CHANCE else action
        try:
            table = table.after(renamed)
        except IllegalAction as error:
            raise GameError(f"{deal.where}: under a symmetry an action becomes illegal: {error}") from None
    paid, again = game.payoffs(deal.end, deal.hands), game.payoffs(table, hands)
    if not np.allclose(paid, again, rtol=0, atol=TOLERANCE):
        raise GameError(
            f"{deal.where} pays {paid}; under a symmetry, hands {list(hands)} and actions {list(table.history)}, "
            f"it pays {again}; they must be the same"
        )


def _rename_hand(deal: RandomDeal, symmetry: Symmetry, seat: int) -> Hand:
    """The hand that a hand becomes under a symmetry."""
    listed, names = list(deal.game.hands(seat)), np.asarray(symmetry.hands[seat])
    if sorted(names.tolist()) != list(range(len(listed))):
        raise GameError(
            f"{deal.game.name}: a symmetry maps the hands of seat {seat} to {names.tolist()[:12]}: not a permutation"
        )
    index = listed.index(deal.hands[seat])
    prior = deal.game.prior(seat)
    if not math.isclose(prior[index], prior[names[index]], abs_tol=TOLERANCE):
        raise GameError(f"{deal.where}: under a symmetry seat {seat}'s hand has probability {prior[names[index]]}")
    renamed: Hand = listed[int(names[index])]
    return renamed


def _check_moves(deal: RandomDeal, symmetry: Symmetry, before: Any, after: Any, hands: Sequence[Hand]) -> None:
    """Check that the same seat is to act with the same actions, or that chance has the relabeled outcomes."""
    game = deal.game
    if before.turn != after.turn:
        raise GameError(f"{deal.where}: under a symmetry it is the turn of {after.turn} instead of {before.turn}")
    if before.turn == CHANCE:
        expected: list[Action] = sorted(symmetry.moves[move] for move in game.outcomes(before, deal.hands))
        actual = sorted(game.outcomes(after, hands))
    else:
        expected, actual = list(before.actions()), list(after.actions())
    if expected != actual:
        raise GameError(f"{deal.where}: under a symmetry the moves after {list(after.history)} are {actual[:12]}")
