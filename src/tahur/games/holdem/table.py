"""The public state of one deal of hold'em: the bets, the seat to act and its legal actions.

Chips are whole numbers. FOLD is 0, CALL is 1 (a check when nothing is owed), and a raise to x chips is x + 1, where x
is the seat's total bet on this street. A bet is a raise from nothing. Each board card is one move of chance, its number
(0 to 51).

The rulings, where customs differ:

- A seat cannot fold when it owes nothing, and does not act if it also has nobody left to bet against.
- A raise adds at least the largest bet or raise of the street so far, and at least the big blind (in limit games the
  street's bet). An all-in may be for less.
- A seat may raise when what it owes is at least the largest bet or raise of the street so far. So a short all-in does
  not reopen the betting to a seat that has acted since the last full raise; several may, if they add up to one.
  The blinds are not raises: an all-in over nothing but checks or limps, however short, lets everybody raise.
- Nobody may raise when no other seat could call any of it. A raise may be for more than others can call; the uncalled
  part is returned when the street ends.
- The amount to call is the highest bet on the table, even if the big blind could not post in full.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, overload

from tahur.cards.cards import DECK_SIZE, cards_text
from tahur.core.errors import IllegalAction
from tahur.core.game import CHANCE, OVER, Action, Seat
from tahur.games.holdem.stakes import Stakes


@dataclass(frozen=True, slots=True)
class Pot:
    """Chips, and the seats that can win them, in the order in which odd chips are given out."""

    chips: int
    seats: tuple[Seat, ...]


def pots_of(committed: Sequence[int], live: Sequence[Seat]) -> tuple[Pot, ...]:
    """The pots, the main pot first, from what each seat has put in; `live` seats have not folded.

    Each pot is one layer of chips from every seat that reached it, including folded ones. A layer ends where a live
    seat has no more in. Antes, blinds and bets count alike, so a seat all-in on its ante wins as much from each seat.
    """
    levels = sorted({committed[seat] for seat in live})
    pots = []
    floor = 0
    for level in levels:
        chips = sum(min(paid, level) - floor for paid in committed if paid > floor)
        pots.append(Pot(chips, tuple(seat for seat in live if committed[seat] >= level)))
        floor = level
    return tuple(pots)


def winnings(pots: Sequence[Pot], ranks: Mapping[Seat, int]) -> dict[Seat, int]:
    """What each live seat wins from the pots; all odd chips of a split pot go to the first of its winners."""
    won = dict.fromkeys(ranks, 0)
    for pot in pots:
        best = max(ranks[seat] for seat in pot.seats)
        winners = [seat for seat in pot.seats if ranks[seat] == best]
        share, odd = divmod(pot.chips, len(winners))
        for seat in winners:
            won[seat] += share
        won[winners[0]] += odd
    return won


FOLD: Final = 0
CALL: Final = 1

Chips = tuple[int, ...]  # one number per seat

_STREET: Final = (0, 0, 0, 1, 2, 3)  # by the number of board cards; the flop is a street once it is complete
_NO_RAISE: Final = range(0)


@dataclass(frozen=True, slots=True)
class Moves(Sequence[Action]):
    """The legal actions of a seat in order: fold if allowed, call, raise to any of `raises` chips."""

    may_fold: bool
    raises: range

    def __len__(self) -> int:
        return self.may_fold + 1 + len(self.raises)

    @overload
    def __getitem__(self, index: int) -> Action: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Action, ...]: ...

    def __getitem__(self, index: int | slice) -> Action | tuple[Action, ...]:
        """The legal action at an index: fold, if allowed, then call, then the raises."""
        if isinstance(index, slice):
            return tuple(self[place] for place in range(*index.indices(len(self))))
        position = index if index >= 0 else index + len(self)
        above_call = position - self.may_fold - 1
        if above_call >= 0:
            return self.raises[above_call] + 1
        if position < 0:
            raise IndexError(f"{index} in {len(self)} moves")
        return CALL if above_call == -1 else FOLD

    def __iter__(self) -> Iterator[Action]:
        if self.may_fold:
            yield FOLD
        yield CALL
        for chips in self.raises:
            yield chips + 1

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, int):
            return False
        return action == CALL or (action == FOLD and self.may_fold) or action - 1 in self.raises


@dataclass(frozen=True, slots=True)
class HoldemTable:
    """One deal as everybody sees it. It is determined by the stakes and the history; the other fields are derived."""

    stakes: Stakes
    history: tuple[Action, ...]
    turn: Seat = field(compare=False)
    board: tuple[int, ...] = field(compare=False)
    stacks: Chips = field(compare=False)  # what each seat has left
    bets: Chips = field(compare=False)  # on this street
    live: tuple[Seat, ...] = field(compare=False)  # the seats that have not folded, starting left of the button
    pending: tuple[Seat, ...] = field(compare=False)  # the seats yet to act, the seat to act first
    bet: int = field(compare=False)  # the highest on this street
    last_raise: int = field(compare=False)  # the largest bet or raise of this street, 0 before the first
    raised: int = field(compare=False)  # the number of bets and raises on this street
    _moves: Moves | None = field(default=None, init=False, compare=False, repr=False)  # cached legal actions

    @property
    def street(self) -> int:
        """0 before the flop, then 1, 2, 3."""
        return _STREET[len(self.board)]

    @property
    def committed(self) -> Chips:
        """What each seat has put in the middle: antes, blinds and bets, including this street's."""
        return tuple(had - has for had, has in zip(self.stakes.stacks, self.stacks, strict=True))

    @property
    def pot(self) -> int:
        """All chips in the middle, including this street's bets."""
        return sum(self.stakes.stacks) - sum(self.stacks)

    @property
    def pots(self) -> tuple[Pot, ...]:
        """The main pot and the side pots, as if this street's bets were already in them."""
        return pots_of(self.committed, self.live)

    @property
    def to_call(self) -> int:
        """What a call costs the seat to act: at most its stack, 0 for a check."""
        if self.turn < 0:
            return 0
        return min(self.bet - self.bets[self.turn], self.stacks[self.turn])

    @property
    def full_raise(self) -> int:
        """The minimum that a raise must add, unless it is all-in."""
        return max(self.last_raise, self.stakes.least_bets[self.street])

    @property
    def is_reopened(self) -> bool:
        """Whether the seat to act owes enough to raise; not if it faces only an all-in that is too short."""
        return self.turn >= 0 and self.bet - self.bets[self.turn] >= self.last_raise

    @property
    def raises(self) -> range:
        """The totals that the seat to act may raise to, lowest first; empty if it may not raise."""
        if self.turn < 0:
            return _NO_RAISE
        return self._find_moves().raises if self._moves is None else self._moves.raises

    @property
    def folded(self) -> tuple[Seat, ...]:
        """The seats that were dealt in and have folded."""
        return tuple(seat for seat in self.stakes.order if seat not in self.live)

    @property
    def all_in(self) -> tuple[Seat, ...]:
        """The live seats that have no chips left."""
        return tuple(seat for seat in self.live if not self.stacks[seat])

    def actions(self) -> Sequence[Action]:
        if self.turn < 0:
            return ()
        return self._find_moves() if self._moves is None else self._moves

    def after(self, action: Action) -> HoldemTable:
        """The table after an action of the seat to act, or after a card."""
        if self.turn >= 0:
            if action == CALL:
                return self._after_call()
            if action == FOLD and self._may_fold():
                return self._after_fold()
            raises = self.raises
            if raises.start < action <= raises.stop:
                return self._after_raise(action - 1)
        elif self.turn == CHANCE and 0 <= action < DECK_SIZE and action not in self.board:
            return self._after_card(action)
        raise IllegalAction(self._refusal(action))

    def _find_moves(self) -> Moves:
        """The legal actions, cached: the player, the referee and the table itself all ask for them."""
        moves = Moves(self._may_fold(), self._find_raises())
        object.__setattr__(self, "_moves", moves)
        return moves

    def _find_raises(self) -> range:
        """The totals that the seat to act may raise to."""
        seat = self.turn
        bet, own = self.bet, self.bets[seat]
        most = own + self.stacks[seat]
        if most <= bet or bet - own < self.last_raise or not self._somebody_can_call():
            return _NO_RAISE
        street = _STREET[len(self.board)]
        least = min(most, bet + max(self.last_raise, self.stakes.least_bets[street]))
        return self.stakes.structure.sizes(least, most, street=street, raised=self.raised)

    def _may_fold(self) -> bool:
        return self.bet > self.bets[self.turn] or self.stakes.free_folds

    def _after_call(self) -> HoldemTable:
        """The table after a check or call."""
        seat, stacks, bets = self.turn, self.stacks, self.bets
        paid = min(self.bet - bets[seat], stacks[seat])
        if paid:
            stacks = _with(stacks, seat, stacks[seat] - paid)
            bets = _with(bets, seat, bets[seat] + paid)
        return self._pass_turn(CALL, stacks, bets, self.live)

    def _after_fold(self) -> HoldemTable:
        index = self.live.index(self.turn)
        return self._pass_turn(FOLD, self.stacks, self.bets, self.live[:index] + self.live[index + 1 :])

    def _after_raise(self, chips: int) -> HoldemTable:
        """The table after a raise to this total: everybody else with chips may act again."""
        seat, live = self.turn, self.live
        stacks = _with(self.stacks, seat, self.stacks[seat] + self.bets[seat] - chips)
        index = live.index(seat)
        pending = tuple([other for other in live[index + 1 :] + live[:index] if stacks[other]])
        return HoldemTable(
            stakes=self.stakes,
            history=(*self.history, chips + 1),
            turn=pending[0],
            board=self.board,
            stacks=stacks,
            bets=_with(self.bets, seat, chips),
            live=live,
            pending=pending,
            bet=chips,
            last_raise=max(self.last_raise, chips - self.bet),
            raised=self.raised + 1,
        )

    def _pass_turn(self, action: Action, stacks: Chips, bets: Chips, live: tuple[Seat, ...]) -> HoldemTable:
        """The table after a fold or a call: the next seat's turn if anybody has a choice left, else the street ends."""
        pending = self.pending[1:]
        history = (*self.history, action)
        if len(live) == 1 or not _has_choice(pending, stacks, bets, live):
            return _street_over(self.stakes, history, self.board, stacks, bets, live)
        return HoldemTable(
            stakes=self.stakes,
            history=history,
            turn=pending[0],
            board=self.board,
            stacks=stacks,
            bets=bets,
            live=live,
            pending=pending,
            bet=self.bet,
            last_raise=self.last_raise,
            raised=self.raised,
        )

    def _after_card(self, card: Action) -> HoldemTable:
        """The table after a board card; betting begins if the street is complete and two seats have chips."""
        board = (*self.board, card)
        stacks = self.stacks
        pending: tuple[Seat, ...] = ()
        if len(board) in self.stakes.betting_boards:
            pending = tuple([seat for seat in self.live if stacks[seat]])
        if len(pending) > 1:
            turn = pending[0]
        else:
            turn, pending = OVER if len(board) == self.stakes.showdown_board else CHANCE, ()
        history = (*self.history, card)
        return HoldemTable(
            stakes=self.stakes,
            history=history,
            turn=turn,
            board=board,
            stacks=stacks,
            bets=self.bets,
            live=self.live,
            pending=pending,
            bet=0,
            last_raise=0,
            raised=0,
        )

    def _somebody_can_call(self) -> bool:
        """Whether a seat other than the one to act could put in more than the highest bet."""
        stacks, bets, bet, turn = self.stacks, self.bets, self.bet, self.turn
        for seat in self.live:  # noqa: SIM110  `any` over a generator takes three times as long
            if stacks[seat] + bets[seat] > bet and seat != turn:
                return True
        return False

    def _refusal(self, action: Action) -> str:
        """The error message for an illegal action, with the legal ones."""
        if self.turn == OVER:
            return f"holdem: action {action} after the deal is over"
        if self.turn == CHANCE:
            on_board = f" but {cards_text(self.board)}" if self.board else ""
            return f"holdem: chance cannot deal card {action}; legal: 0 to {DECK_SIZE - 1}{on_board}"
        fold = f"{FOLD} (fold), " if self._may_fold() else ""
        raises = self.raises
        up_to = f", {raises.start + 1} to {raises.stop} (raise to {raises.start} to {raises.stop - 1})"
        return (
            f"holdem: seat {self.turn} cannot play action {action}; "
            f"legal: {fold}{CALL} (check or call){up_to if raises else ''}"
        )


def opening(stakes: Stakes) -> HoldemTable:
    """The table after antes and blinds are posted, as far as the stacks allow."""
    order = stakes.order
    stacks = stakes.stacks
    antes = tuple(min(stakes.ante, stack) for stack in stacks)
    stacks, _ = _return_uncalled(tuple(had - ante for had, ante in zip(stacks, antes, strict=True)), antes)
    bets = (0,) * len(stacks)
    for seat, blind in zip(stakes.blind_seats, stakes.blinds, strict=True):
        bets = _with(bets, seat, min(blind, stacks[seat]))
        stacks = _with(stacks, seat, stacks[seat] - bets[seat])
    first = order.index(stakes.blind_seats[1]) + 1
    pending = tuple(seat for seat in order[first:] + order[:first] if stacks[seat])
    if not _has_choice(pending, stacks, bets, order):
        return _street_over(stakes, (), (), stacks, bets, order)
    return HoldemTable(
        stakes=stakes,
        history=(),
        turn=pending[0],
        board=(),
        stacks=stacks,
        bets=bets,
        live=order,
        pending=pending,
        bet=max(bets),
        last_raise=0,
        raised=0,
    )


def _has_choice(pending: tuple[Seat, ...], stacks: Chips, bets: Chips, live: tuple[Seat, ...]) -> bool:
    """Whether a pending seat can do more than check; the last one with chips cannot if it owes nothing."""
    if len(pending) != 1:
        return bool(pending)
    return bets[pending[0]] < max(bets) or len([seat for seat in live if stacks[seat]]) > 1


def _street_over(
    stakes: Stakes,
    history: tuple[Action, ...],
    board: tuple[int, ...],
    stacks: Chips,
    bets: Chips,
    live: tuple[Seat, ...],
) -> HoldemTable:
    """The table after a street: bets collected, the uncalled part returned; then the next card, or the end."""
    stacks, none = _return_uncalled(stacks, bets)
    turn = OVER if len(live) == 1 or len(board) == stakes.showdown_board else CHANCE
    return HoldemTable(
        stakes=stakes,
        history=history,
        turn=turn,
        board=board,
        stacks=stacks,
        bets=none,
        live=live,
        pending=(),
        bet=0,
        last_raise=0,
        raised=0,
    )


def _return_uncalled(stacks: Chips, bets: Chips) -> tuple[Chips, Chips]:
    """The stacks after the highest bet is reduced to the second highest, and the bets, all moved into the pot."""
    *_, second, highest = sorted(bets)
    if highest > second:
        seat = bets.index(highest)
        stacks = _with(stacks, seat, stacks[seat] + highest - second)
    return stacks, (0,) * len(bets)


def _with(chips: Chips, seat: Seat, value: int) -> Chips:
    return (*chips[:seat], value, *chips[seat + 1 :])
