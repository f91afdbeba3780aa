"""The fourteen actions: a menu of fold, check or call, ten sizes of the pot, a minimum raise and all-in.

The table plays any number of chips; this is an action abstraction for learners and solvers that need a short list.
Every index either is a legal move or is masked with a reason in words. Amounts are never adjusted: a size that is too
small or that reaches the whole stack is masked, not moved, so an index does what its name says. No two legal indices do
the same. A menu depends only on a `BettingSituation`, not on cards or other seats.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, assert_never

from tahur.core.errors import IllegalAction, SettingError

if TYPE_CHECKING:
    from tahur.games.holdem.table import HoldemTable

FOLD: Final = 0
CALL: Final = 1
MIN_RAISE: Final = 2
ALL_IN: Final = 13
PERCENTS: Final = (10, 25, 33, 50, 75, 100, 125, 150, 200, 300)  # indices 3 to 12
FIRST_PERCENT: Final = 3
NAMES: Final = ("fold", "check/call", "min-raise", *(f"{percent} %" for percent in PERCENTS), "all-in")

_CHIPS: Final = ("big_blind", "pot", "bet", "committed", "stack", "last_raise", "useful")
_NO_RAISE: Final = (False,) * 12  # indices 2 to 13


class PotBase(Enum):
    """What percentages refer to when there is something to call."""

    AFTER_CALL = "after-call"  # the pot once this seat has called
    PLAIN = "plain"  # the pot as it is now


@dataclass(frozen=True, slots=True)
class BettingSituation:
    """One seat's turn, in chips: everything that a menu depends on."""

    pot: int  # all chips in the middle, including this street's bets
    bet: int  # the highest bet of this street; preflop the blind is one
    committed: int  # the seat's own chips on this street
    stack: int  # the seat's chips behind
    big_blind: int
    last_raise: int  # the last full bet or raise of this street; before the first, the big blind
    reopened: bool = True  # whether this seat may raise; not when only a short all-in came after its own action
    useful: int | None = None  # the largest total that another seat could call; None: at least this seat's own

    def __post_init__(self) -> None:
        if complaint := _complaint(self):
            raise SettingError(f"fourteen actions: {complaint}")

    @property
    def to_call(self) -> int:
        return self.bet - self.committed

    @property
    def minimum(self) -> int:
        """The smallest full bet, or the smallest full raise to."""
        return self.bet + self.last_raise if self.bet else self.big_blind

    @property
    def most(self) -> int:
        """The total of all-in: the whole stack, or the smallest full raise that puts everybody else all-in."""
        whole = self.committed + self.stack
        if self.useful is None or self.useful >= whole:
            return whole
        return min(whole, max(self.useful, self.minimum)) if self.useful > self.bet else self.bet


@dataclass(frozen=True, slots=True)
class FourteenEntry:
    """One of the fourteen: a legal move, or the reason why it is masked."""

    index: int
    name: str
    legal: bool
    raise_to: int | None  # chips, the seat's total on this street; None if it is not a legal raise
    reason: str | None  # why it is masked; None if it is legal


def situation_of(table: HoldemTable) -> BettingSituation:
    """The situation of the seat to act."""
    seat = table.turn
    if seat < 0:
        raise IllegalAction("fourteen: no seat is to act on this table")
    return BettingSituation(
        pot=table.pot,
        bet=table.bet,
        committed=table.bets[seat],
        stack=table.stacks[seat],
        big_blind=table.stakes.blinds[1],
        last_raise=table.full_raise,
        reopened=table.is_reopened,
        useful=max(table.bets[other] + table.stacks[other] for other in table.live if other != seat),
    )


def menu(
    situation: BettingSituation, *, strict: bool = False, pot_base: PotBase = PotBase.AFTER_CALL
) -> tuple[FourteenEntry, ...]:
    """All fourteen entries. `strict`: in an unopened pot, a percentage has to be more than one big blind."""
    raises = _raises(situation, pot_base)
    why_no_fold = None if situation.to_call else "checking is free"
    reasons = (why_no_fold, None, *_raise_reasons(situation, raises, strict))
    return tuple(map(_entry, range(len(NAMES)), (None, None, *raises), reasons))


def legal_mask(
    situation: BettingSituation, *, strict: bool = False, pot_base: PotBase = PotBase.AFTER_CALL
) -> tuple[bool, ...]:
    """Which entries of `menu` are legal, without the reasons; fast, for environments that ask at every step."""
    bet, most = situation.bet, situation.most
    to_call = bet - situation.committed
    if most <= bet or not situation.reopened:
        return (to_call > 0, True, *_NO_RAISE)
    minimum = bet + situation.last_raise if bet else situation.big_blind
    base = percentage_base(situation, pot_base)
    mask = [to_call > 0, True, bet > 0 and minimum < most]
    last = minimum if bet or strict else minimum - 1  # amounts grow with the index, so one test finds small and equal
    for percent in PERCENTS:
        amount = bet + (percent * base + 50) // 100
        fits = last < amount < most
        mask.append(fits)
        if fits:
            last = amount
    mask.append(True)
    return tuple(mask)


def action_of(
    situation: BettingSituation, index: int, *, strict: bool = False, pot_base: PotBase = PotBase.AFTER_CALL
) -> int:
    """The action number in the rules of hold'em: 0 folds, 1 checks or calls, x + 1 raises to x."""
    if not 0 <= index < len(NAMES):
        raise IllegalAction(f"there is no action {index}: the fourteen actions are 0 to {ALL_IN}")
    if not legal_mask(situation, strict=strict, pot_base=pot_base)[index]:
        entries = menu(situation, strict=strict, pot_base=pot_base)
        legal = ", ".join(f"{entry.index} ({entry.name})" for entry in entries if entry.legal)
        raise IllegalAction(f"action {index} ({NAMES[index]}) is masked: {entries[index].reason}; legal: {legal}")
    if index < MIN_RAISE:
        return FOLD if index == FOLD else CALL
    return _raises(situation, pot_base)[index - MIN_RAISE] + 1


def percentage_base(situation: BettingSituation, pot_base: PotBase = PotBase.AFTER_CALL) -> int:
    """The chips that the percentages refer to."""
    match pot_base:
        case PotBase.AFTER_CALL:
            return situation.pot + situation.bet - situation.committed
        case PotBase.PLAIN:
            return situation.pot
        case _:
            assert_never(pot_base)


def _entry(index: int, raise_to: int | None, reason: str | None) -> FourteenEntry:
    legal = reason is None
    return FourteenEntry(
        index=index, name=NAMES[index], legal=legal, raise_to=raise_to if legal else None, reason=reason
    )


def _raises(situation: BettingSituation, pot_base: PotBase) -> tuple[int, ...]:
    """The totals of indices 2 to 13 in chips, legal or not."""
    bet, base = situation.bet, percentage_base(situation, pot_base)
    percents = (bet + (percent * base + 50) // 100 for percent in PERCENTS)  # half a chip rounds up
    return (situation.minimum, *percents, situation.most)


def _raise_reasons(situation: BettingSituation, raises: tuple[int, ...], strict: bool) -> tuple[str | None, ...]:
    """Why each of indices 2 to 13 is masked, or None."""
    if no_raise := _why_no_raise(situation):
        return (no_raise,) * len(raises)
    percents = _percent_reasons(situation, raises[1:-1], strict)
    return (_why_no_minimum(situation), *percents, None)


def _why_no_raise(situation: BettingSituation) -> str | None:
    """Why every raise, including all-in, is illegal, or None."""
    if situation.stack <= situation.to_call:
        return f"all-in for {situation.stack} of {situation.to_call} is only a call (index {CALL})"
    if not situation.reopened:
        return "betting is not reopened to this seat"
    if situation.most <= situation.bet:
        return f"nobody else can call more than {situation.useful}"
    return None


def _why_no_minimum(situation: BettingSituation) -> str | None:
    """Why the minimum raise (index 2) is not legal, or None."""
    if not situation.bet:
        return "no bet to raise"
    if situation.minimum > situation.most:
        return f"{_least(situation)} > {_top(situation)}"
    if situation.minimum == situation.most:
        return f"{_least(situation)} = {_top(situation)} (index {ALL_IN})"
    return None


def _percent_reasons(situation: BettingSituation, amounts: tuple[int, ...], strict: bool) -> list[str | None]:
    """Why each of indices 3 to 12 is masked, or None; of several with the same chips, the first is legal."""
    reasons: list[str | None] = []
    taken: dict[int, int] = {}
    for index, amount in enumerate(amounts, start=FIRST_PERCENT):
        reason = _why_no_amount(situation, amount, strict)
        if reason is None and (first := taken.setdefault(amount, index)) != index:
            reason = f"{amount} is already {NAMES[first]} (index {first})"
        reasons.append(reason and f"{NAMES[index]}: {reason}")
    return reasons


def _why_no_amount(situation: BettingSituation, amount: int, strict: bool) -> str | None:
    """Why a raise to `amount` chips is not legal as a percentage of the pot, or None.

    The minimum raise and all-in are never legal as percentages, because they have indices of their own. `strict`: an
    opening bet must be larger than the minimum.
    """
    minimum, most = situation.minimum, situation.most
    if amount < minimum:
        return f"{amount} < {_least(situation)}"
    if amount >= most:
        return f"{amount} {'=' if amount == most else '>'} {_top(situation)} (index {ALL_IN})"
    if amount == minimum and situation.bet:
        return f"{amount} = {_least(situation)} (index {MIN_RAISE})"
    if amount == minimum and strict:
        return f"{amount} = {_least(situation)}, and strict asks for more"
    return None


def _least(situation: BettingSituation) -> str:
    return f"minimum {'raise to' if situation.bet else 'bet'} {situation.minimum}"


def _top(situation: BettingSituation) -> str:
    whole = situation.committed + situation.stack
    return f"all-in {whole}" if situation.most == whole else f"{situation.most}, all-in for all others"


def _complaint(situation: BettingSituation) -> str | None:
    """What is wrong with an impossible situation, or None."""
    pot, bet, committed, last_raise = situation.pot, situation.bet, situation.committed, situation.last_raise
    useful = 0 if situation.useful is None else situation.useful
    chips = (situation.big_blind, pot, bet, committed, situation.stack, last_raise, useful)
    if set(map(type, chips)) != {int} or min(chips) < 0:
        name, value = next(pair for pair in zip(_CHIPS, chips, strict=True) if type(pair[1]) is not int or pair[1] < 0)
        return f"{name} is a whole number of chips, not {value!r}"
    if not situation.stack or not situation.big_blind:
        return f"{'stack' if situation.big_blind else 'big_blind'} is at least 1 chip, not 0"
    if last_raise < situation.big_blind:
        return f"last_raise {last_raise} is less than big_blind {situation.big_blind}, the smallest full bet"
    if committed > bet:
        return f"committed {committed} is more than bet {bet}, the highest of this street"
    if pot < (bet + committed if committed < bet else bet):
        return f"pot {pot} is less than the bets in it: bet {bet}, committed {committed}"
    return None
