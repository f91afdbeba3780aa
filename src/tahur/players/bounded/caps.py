"""Limits on the use of a model: seconds for a decision; tokens and money for a decision, a hand and a day.

A request that would exceed a cap is not made. The default caps are defined here and nowhere else.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from tahur.core.cache import append_line, read_whole
from tahur.core.errors import SettingError

LETTERS_PER_TOKEN: Final = 3  # fewer than in any of our texts, so that guesses are high
MILLION: Final = 1_000_000
DEADLINE: Final = 20.0  # seconds for a decision, including retries


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a million tokens, input and output, in the currency of the endpoint."""

    read: float
    written: float

    def of(self, read: int, written: int) -> float:
        return (self.read * read + self.written * written) / MILLION


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens and money; the money is 0 if no price is known."""

    tokens: int = 0
    money: float = 0.0

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.tokens + other.tokens, self.money + other.money)


@dataclass(frozen=True, slots=True)
class Caps:
    """The maximum for one decision, one hand and one day; None: no cap."""

    decision_tokens: int | None = 6_000
    hand_tokens: int | None = 60_000
    day_tokens: int | None = 5_000_000
    decision_money: float | None = None
    hand_money: float | None = None
    day_money: float | None = None

    def __post_init__(self) -> None:
        for name in self.__slots__:
            cap = getattr(self, name)
            if cap is not None and cap < 0:
                raise SettingError(f"a cap of {cap} for {name.replace('_', ' ')}; it must be 0 or more")

    @property
    def of_money(self) -> bool:
        return any(cap is not None for cap in (self.decision_money, self.hand_money, self.day_money))


class Ledger(Protocol):
    """What was spent today by everything that shares the ledger."""

    def today(self) -> Spent: ...

    def add(self, spent: Spent) -> None: ...


class OwnLedger:
    """A ledger of one player: its day ends with the player."""

    def __init__(self) -> None:
        self._spent = Spent()

    def today(self) -> Spent:
        return self._spent

    def add(self, spent: Spent) -> None:
        self._spent += spent


class Budget:
    """Tracks what one player spends and says when a cap is reached."""

    def __init__(self, caps: Caps, price: Price | None = None, ledger: Ledger | None = None) -> None:
        if caps.of_money and price is None:
            raise SettingError("a cap on money needs a price: what a million tokens cost, read and written")
        self._caps, self._price = caps, price or Price(0.0, 0.0)
        self._ledger: Ledger = ledger or OwnLedger()
        self._hand, self._decision = Spent(), Spent()

    @property
    def decision(self) -> Spent:
        """What the current decision has cost so far."""
        return self._decision

    def begin_hand(self) -> None:
        self._hand = Spent()

    def begin_decision(self) -> None:
        self._decision = Spent()

    def refusal(self, letters: int, written: int) -> str | None:
        """The cap that a request of `letters` characters and `written` reply tokens would exceed; None if allowed."""
        read = guess_tokens(letters)
        more = Spent(read + written, self._price.of(read, written))
        today = (
            self._ledger.today() if self._caps.day_tokens is not None or self._caps.day_money is not None else Spent()
        )
        for span, so_far in (("decision", self._decision), ("hand", self._hand), ("day", today)):
            for what in ("tokens", "money"):
                cap = getattr(self._caps, f"{span}_{what}")
                if cap is not None and getattr(so_far, what) + getattr(more, what) > cap:
                    return f"cap on {what} for a {span}"
        return None

    def spend(self, read: int, written: int) -> Spent:
        spent = Spent(read + written, self._price.of(read, written))
        self._decision += spent
        self._hand += spent
        self._ledger.add(spent)
        return spent


def guess_tokens(letters: int) -> int:
    """A rough upper bound of the tokens in a text."""
    return letters // LETTERS_PER_TOKEN + 1


# ---- the ledger of a day -------------------------------------------------------------------------
# Files about the use of models: a log of decisions, one JSON line each, and what was spent today. Several processes may
# write at once: each line is appended in a single write. The date and time are passed in.


class LogFile:
    """A file to which decisions are appended; `at` returns the time as text."""

    def __init__(self, path: Path, at: Callable[[], str]) -> None:
        self._path, self._at = path, at

    def add(self, entry: dict[str, Any]) -> None:
        append_line(self._path, json.dumps({"at": self._at(), **entry}))


class SharedLedger:
    """What all programs on this machine spent today: one file per day, one line per answer."""

    def __init__(self, folder: Path, day: Callable[[], str]) -> None:
        self._folder, self._day = folder, day

    def today(self) -> Spent:
        try:
            lines = read_whole(self._file()).decode("ascii", errors="replace").splitlines()
        except FileNotFoundError:
            return Spent()
        parts = [line.split() for line in lines]
        good = [Spent(int(part[0]), float(part[1])) for part in parts if len(part) == 2 and part[0].isdecimal()]
        return sum(good, Spent())

    def add(self, spent: Spent) -> None:
        append_line(self._file(), f"{spent.tokens} {spent.money:.8f}")

    def _file(self) -> Path:
        return self._folder / f"spent-{self._day()}.txt"
