"""The fourteen actions: a menu of fold, check or call, ten sizes of the pot, a minimum raise and all-in.

The table plays real chips; this is a menu laid over it, for learners and solvers that want a short list. Every index
either is a legal move or is masked for a reason said in words. No amount is ever corrected: a size that is too small
or that reaches the whole stack is masked, never moved, so that what an index says is what it does. No two legal
indices do the same. Nothing here knows the cards or the other seats: a `Situation` is all a menu needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from tahur.core.errors import IllegalAction, SettingError

FOLD: Final = 0
CALL: Final = 1
MIN_RAISE: Final = 2
ALL_IN: Final = 13
PERCENTS: Final = (10, 25, 33, 50, 75, 100, 125, 150, 200, 300)  # indices 3 to 12
FIRST_PERCENT: Final = 3
NAMES: Final = ("fold", "check/call", "min-raise", *(f"{percent} %" for percent in PERCENTS), "all-in")

_NO_RAISE: Final = (False,) * 12  # indices 2 to 13


class PotBase(Enum):
    """What a percentage is a percentage of when there is something to call."""

    AFTER_CALL = "after-call"  # the pot once this seat has called
    PLAIN = "plain"  # the pot as it lies there


@dataclass(frozen=True, slots=True)
class Situation:
    """One seat's turn, in chips: all that a menu depends on."""

    pot: int  # every chip in the middle, this street's bets included
    bet: int  # the highest bet of this street; preflop the blind is one
    committed: int  # the seat's own chips in this street
    stack: int  # the seat's chips behind
    big_blind: int
    last_raise: int  # the last full bet or raise of this street; until there is one, the big blind
    reopened: bool = True  # may this seat raise? Not when only a short all-in came after its own action
    useful: int | None = None  # the greatest raise to that anybody else could call; None: no less than this seat's own

    def __post_init__(self) -> None:
        # One quick look at everything; which of it was wrong is found out only when something was.
        in_the_middle = self.bet + self.committed if self.bet > self.committed else self.bet
        if not (
            0 <= self.committed <= self.bet
            and in_the_middle <= self.pot
            and self.stack > 0
            and 0 < self.big_blind <= self.last_raise
            and (self.useful is None or self.useful >= 0)
            and type(self.pot) is type(self.bet) is type(self.committed) is type(self.stack) is int
            and type(self.big_blind) is type(self.last_raise) is int
            and (self.useful is None or type(self.useful) is int)
        ):
            raise SettingError(f"fourteen actions: {_complaint(self)}")

    @property
    def to_call(self) -> int:
        return self.bet - self.committed

    @property
    def minimum(self) -> int:
        """The smallest full bet, or the smallest full raise to."""
        return self.bet + self.last_raise if self.bet else self.big_blind

    @property
    def most(self) -> int:
        """The greatest raise to: the whole stack, or what the others can call where that is less."""
        whole = self.committed + self.stack
        return whole if self.useful is None or self.useful > whole else self.useful


@dataclass(frozen=True, slots=True)
class Entry:
    """One of the fourteen: a legal move, or the reason why it is none."""

    index: int
    name: str
    legal: bool
    raise_to: int | None  # chips, the seat's total in this street; None for what is no raise, or no legal one
    reason: str | None  # why it is masked; None where it is legal


def menu(
    situation: Situation, *, strict: bool = False, pot_base: PotBase = PotBase.AFTER_CALL
) -> tuple[Entry, ...]:
    """All fourteen entries. `strict`: in an open pot, a percentage has to be more than one big blind."""
    reasons = (
        None if situation.to_call else "checking is free",
        None,
        *_raise_reasons(situation, strict, pot_base),
    )
    return tuple(_entry(situation, index, reason, pot_base) for index, reason in enumerate(reasons))


def legal_mask(
    situation: Situation, *, strict: bool = False, pot_base: PotBase = PotBase.AFTER_CALL
) -> tuple[bool, ...]:
    """What is legal in `menu`, without the words and quickly: environments ask at every step."""
    bet, most = situation.bet, situation.most
    to_call = bet - situation.committed
    if most <= bet or not situation.reopened:
        return (to_call > 0, True, *_NO_RAISE)
    minimum = bet + situation.last_raise if bet else situation.big_blind
    base = situation.pot + to_call if pot_base is PotBase.AFTER_CALL else situation.pot
    mask = [to_call > 0, True, bet > 0 and minimum < most]
    last = minimum if bet or strict else minimum - 1  # amounts grow with the index: too small and double are one test
    for percent in PERCENTS:
        amount = bet + (percent * base + 50) // 100
        fits = last < amount < most
        mask.append(fits)
        if fits:
            last = amount
    mask.append(True)
    return tuple(mask)


def action_of(
    situation: Situation, index: int, *, strict: bool = False, pot_base: PotBase = PotBase.AFTER_CALL
) -> int:
    """The number of the move in the rules of hold'em: 0 folds, 1 checks or calls, x + 1 raises to x."""
    if not 0 <= index < len(NAMES):
        raise IllegalAction(f"there is no action {index}: the fourteen actions are 0 to {ALL_IN}")
    if not legal_mask(situation, strict=strict, pot_base=pot_base)[index]:
        entries = menu(situation, strict=strict, pot_base=pot_base)
        legal = ", ".join(f"{entry.index} ({entry.name})" for entry in entries if entry.legal)
        raise IllegalAction(f"action {index} ({NAMES[index]}) is masked: {entries[index].reason}; legal: {legal}")
    if index in (FOLD, CALL):
        return index
    return _raise_to(situation, index, pot_base) + 1


def percentage_base(situation: Situation, pot_base: PotBase = PotBase.AFTER_CALL) -> int:
    """The chips that the percentages are taken of."""
    return situation.pot + situation.to_call if pot_base is PotBase.AFTER_CALL else situation.pot


def _entry(situation: Situation, index: int, reason: str | None, pot_base: PotBase) -> Entry:
    is_raise = reason is None and index >= MIN_RAISE
    raise_to = _raise_to(situation, index, pot_base) if is_raise else None
    return Entry(index, NAMES[index], reason is None, raise_to, reason)


def _raise_to(situation: Situation, index: int, pot_base: PotBase) -> int:
    """What the index comes to in chips, legal or not."""
    if index == MIN_RAISE:
        return situation.minimum
    if index == ALL_IN:
        return situation.most
    part = PERCENTS[index - FIRST_PERCENT] * percentage_base(situation, pot_base)
    return situation.bet + (part + 50) // 100  # half a chip rounds up


def _raise_reasons(situation: Situation, strict: bool, pot_base: PotBase) -> tuple[str | None, ...]:
    """Why indices 2 to 13 are masked, each."""
    if no_raise := _why_no_raise(situation):
        return (no_raise,) * len(_NO_RAISE)
    percents = _percent_reasons(situation, strict, pot_base)
    return (_why_no_minimum(situation), *percents, None)


def _why_no_raise(situation: Situation) -> str | None:
    """What forbids every raise, all-in included."""
    if situation.stack <= situation.to_call:
        return f"all-in for {situation.stack} is only a call ({situation.to_call} to call): that is index {CALL}"
    if not situation.reopened:
        return "betting is not reopened to this seat"
    if situation.most <= situation.bet:
        return f"nobody else can call more than {situation.most}"
    return None


def _why_no_minimum(situation: Situation) -> str | None:
    if not situation.bet:
        return "no bet to raise"
    if situation.minimum > situation.most:
        return f"minimum raise to {situation.minimum} > {_top(situation)}"
    if situation.minimum == situation.most:
        return f"minimum raise to {situation.minimum} is all-in: that is index {ALL_IN}"
    return None


def _percent_reasons(situation: Situation, strict: bool, pot_base: PotBase) -> list[str | None]:
    """Why indices 3 to 12 are masked, each; of several that come to the same chips, the first is not."""
    reasons: list[str | None] = []
    taken: dict[int, str] = {}
    for index in range(FIRST_PERCENT, ALL_IN):
        amount = _raise_to(situation, index, pot_base)
        reason = _why_no_amount(situation, amount, strict)
        if reason is None and amount in taken:
            reason = f"{amount} is already {taken[amount]}"
        if reason is None:
            taken[amount] = f"{NAMES[index]}: that is index {index}"
        reasons.append(reason and f"{NAMES[index]}: {reason}")
    return reasons


def _why_no_amount(situation: Situation, amount: int, strict: bool) -> str | None:
    minimum = situation.minimum
    words = f"minimum {'raise to' if situation.bet else 'bet'} {minimum}"
    if amount < minimum:
        return f"{amount} < {words}"
    if amount >= situation.most:
        return f"{amount} {'=' if amount == situation.most else '>'} {_top(situation)}: that is index {ALL_IN}"
    if amount == minimum and situation.bet:
        return f"{amount} = {words}: that is index {MIN_RAISE}"
    if amount == minimum and strict:
        return f"{amount} = {words}, and strict asks for more"
    return None


def _top(situation: Situation) -> str:
    whole = situation.committed + situation.stack
    return f"all-in {whole}" if situation.most == whole else f"{situation.most}, the most that others can call"


def _complaint(situation: Situation) -> str:
    """What is wrong with a situation that cannot be."""
    chips = ("pot", "bet", "committed", "stack", "big_blind", "last_raise", "useful")
    for name in chips:
        value = getattr(situation, name)
        if type(value) is not int and not (name == "useful" and value is None):
            return f"{name} is whole chips, not {value!r}"
    for name, least in zip(chips, (0, 0, 0, 1, 1, 1, 0), strict=True):
        value = getattr(situation, name)
        if value is not None and value < least:
            return f"{name} is at least {least}, not {value}"
    if situation.committed > situation.bet:
        return f"committed {situation.committed} cannot be more than bet {situation.bet}, the highest of the street"
    if situation.last_raise < situation.big_blind:
        return f"last_raise {situation.last_raise} cannot be less than big_blind {situation.big_blind}"
    return (
        f"pot {situation.pot} has every chip in the middle, so it cannot be less than this street's bets: "
        f"bet {situation.bet}, committed {situation.committed}"
    )
