"""A spot: the complete input of the solver, as one frozen value that converts to text (TOML) and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite
from typing import Any, Final

from tahur.cards.cards import Card, cards_text, check_distinct, parse_cards
from tahur.cards.ranges import Range
from tahur.core.chips import Amount, amount_text, in_unit, parse_amount, scale_of, unit_of
from tahur.core.errors import SolverError
from tahur.core.limits import parse_toml
from tahur.solvers.postflop.sizes import BetSize, Street, parse_bets, parse_street, with_preset

STREETS: Final = ("flop", "turn", "river")


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When all-ins are added or forced and sizes merged; 0 means never.

    `add`: an all-in of at most this many pots is always offered. `force`: a bet that would leave at most this many pots
    behind once called becomes an all-in. `merge`: of two sizes X > Y (in pots), Y is removed if
    (1 + X) / (1 + Y) < 1 + merge.
    """

    add: float = 0.0
    force: float = 0.0
    merge: float = 0.0

    def __post_init__(self) -> None:
        for name in ("add", "force", "merge"):
            if not (isfinite(getattr(self, name)) and getattr(self, name) >= 0):
                raise SolverError(f"the threshold {name} is {getattr(self, name)}; it must be 0 (never) or more pots")


@dataclass(frozen=True, slots=True)
class Rake:
    """The rake of a pot: a share of it, at most `cap` chips."""

    share: float = 0.0
    cap: float = inf

    def __post_init__(self) -> None:
        if not (0 <= self.share <= 1 and self.cap >= 0):
            raise SolverError(f"rake {self.share} up to {self.cap}: the share must be 0 to 1 and the cap not negative")

    def of(self, pot: float) -> float:
        return min(pot * self.share, self.cap)


@dataclass(frozen=True, slots=True)
class Spot:
    """Board, ranges (out of position first), chips and the allowed betting. `spot(...)` parses it from text."""

    board: tuple[Card, ...]
    ranges: tuple[Range, Range]
    pot: int
    stack: int  # the effective stack: what each seat can still bet
    streets: tuple[Street, Street, Street] = (Street(), Street(), Street())
    donks: tuple[tuple[BetSize, ...] | None, tuple[BetSize, ...] | None] = (
        None,
        None,
    )  # turn, river; None: the usual bets
    thresholds: Thresholds = Thresholds()
    raise_cap: int = 0  # bets and raises on one street, 0: as many as the stack allows
    rake: Rake = Rake()
    big_blind: int = 0  # chips, if amounts were given in big blinds and are shown so; 0: in chips

    def __post_init__(self) -> None:
        """Reject a board, chips or a raise cap out of range."""
        if not 3 <= len(self.board) <= 5:
            raise SolverError(f"the board '{cards_text(self.board)}' has {len(self.board)} cards; a spot has 3, 4 or 5")
        check_distinct(("the board", self.board))
        for name, chips in (("pot", self.pot), ("stack", self.stack)):
            if chips != int(chips) or chips < 1:
                raise SolverError(
                    f"{name} {chips}: chips must be whole numbers of at least 1; big blinds are written 5.5bb"
                )
        if self.raise_cap < 0:
            raise SolverError(f"raise cap {self.raise_cap}: it must be 0 (none) or more")

    @property
    def first_street(self) -> int:
        """0 flop, 1 turn, 2 river."""
        return len(self.board) - 3

    @property
    def unit(self) -> str:
        """The unit in which amounts are shown."""
        return unit_of(self.big_blind)

    def in_unit(self, chips: float) -> float:
        """Chips in the unit shown: big blinds if the spot was given in big blinds."""
        return in_unit(chips, self.big_blind)

    def amount(self, chips: float) -> str:
        """The same as text: `550`, or `5.5bb`."""
        return amount_text(chips, self.big_blind)

    def _toml(self, chips: float) -> str:
        return f'"{self.amount(chips)}"' if self.big_blind and isfinite(chips) else repr(chips)

    def text(self) -> str:
        """TOML that `parse_spot` reads back."""
        lines = {
            "board": f'"{cards_text(self.board)}"',
            "oop": f'"{self.ranges[0].text()}"',
            "ip": f'"{self.ranges[1].text()}"',
            "pot": self._toml(self.pot),
            "stack": self._toml(self.stack),
            **{name: f'"{street}"' for name, street in zip(STREETS, self.streets, strict=True)},
            **{
                name: f'"{_donk_text(donk)}"' for name, donk in zip(_DONKS, self.donks, strict=True) if donk is not None
            },
            **{name: repr(getattr(self.thresholds, key)) for name, key in _THRESHOLDS.items()},
            "raise_cap": str(self.raise_cap),
            "rake": repr(self.rake.share),
            "rake_cap": self._toml(self.rake.cap),
        }
        return "".join(f"{name} = {value}\n" for name, value in lines.items())


_DONKS: Final = ("donk_turn", "donk_river")
_THRESHOLDS: Final = {"add_all_in": "add", "force_all_in": "force", "merge": "merge"}
_NEEDED: Final = ("board", "oop", "ip", "pot", "stack")
_WHOLE: Final = ("pot", "stack")
_AMOUNTS: Final = (*_WHOLE, "rake_cap")
_SIZES: Final = ("sizes", *STREETS, *_DONKS)
_KNOWN: Final = (*_NEEDED, "sizes", *STREETS, *_DONKS, *_THRESHOLDS, "raise_cap", "rake", "rake_cap")


def spot(**arguments: Any) -> Spot:
    """From text and numbers: `spot(board="Td9d6h", oop="22+", ip="any", pot=200, stack=900, sizes="50% / 60%")`.

    `sizes` is for all streets, or the name of a preset (`PRESETS`); `flop`, `turn` and `river` override it;
    `donk_turn` and `donk_river` are bets into the last street's aggressor. Amounts may be in big blinds: `pot="5.5bb"`.
    """
    _check_names(arguments)
    arguments = _in_chips(with_preset(arguments))
    streets = tuple(parse_street(arguments.get(name, arguments.get("sizes", ""))) for name in STREETS)
    donks = tuple(parse_bets(arguments[name]) if arguments.get(name) is not None else None for name in _DONKS)
    return Spot(
        board=tuple(parse_cards(arguments["board"])),
        ranges=(Range.parse(arguments["oop"]), Range.parse(arguments["ip"])),
        pot=arguments["pot"],
        stack=arguments["stack"],
        streets=(streets[0], streets[1], streets[2]),
        donks=(donks[0], donks[1]),
        thresholds=Thresholds(**{key: arguments.get(name, 0.0) for name, key in _THRESHOLDS.items()}),
        raise_cap=arguments.get("raise_cap", 0),
        rake=Rake(arguments.get("rake", 0.0), arguments.get("rake_cap", inf)),
        big_blind=arguments["big_blind"],
    )


def _in_chips(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The same with every amount in chips, and the number of chips in a big blind."""
    amounts = {
        name: parse_amount(f"a {name.replace('_', ' ')}", arguments[name])
        for name in _AMOUNTS
        if isinstance(arguments.get(name), str)
    }
    plain = [
        Amount(f"a {name}", Fraction(arguments[name]), False) for name in _WHOLE if isinstance(arguments[name], int)
    ]
    big_blind = scale_of([*amounts.values(), *plain])
    chips = {name: amount.chips(big_blind) for name, amount in amounts.items()}
    sizes = {name: _sizes_in_chips(arguments[name], big_blind) for name in _SIZES if arguments.get(name) is not None}
    return {**arguments, **chips, **sizes, "big_blind": big_blind}


def _sizes_in_chips(text: str, big_blind: int) -> str:
    """`2.5bb` as `250c`."""

    def chips(amount: re.Match[str]) -> str:
        if not big_blind:
            raise SolverError(f"the size '{amount[0]}' is in big blinds and the pot in chips; use one unit for both")
        return f"{parse_amount('a bet', amount[0]).chips(big_blind)}c"

    return re.sub(r"\d+(\.\d+)?bb", chips, text, flags=re.IGNORECASE)


def parse_spot(text: str) -> Spot:
    """The spot that a TOML text describes; the keys are the arguments of `spot`."""
    try:
        arguments = parse_toml(text)
    except ValueError as error:
        raise SolverError(f"the spot is not valid TOML: {error}") from None
    return spot(**arguments)


def _check_names(arguments: Mapping[str, Any]) -> None:
    unknown = [name for name in arguments if name not in _KNOWN]
    missing = [name for name in _NEEDED if name not in arguments]
    if unknown:
        raise SolverError(f"unknown spot setting '{unknown[0]}'; valid: {', '.join(_KNOWN)}")
    if missing:
        raise SolverError(f"the spot lacks '{missing[0]}'; required: {', '.join(_NEEDED)}")


def _donk_text(donk: tuple[BetSize, ...]) -> str:
    return ",".join(map(str, donk)) or "-"
