"""The errors that tahur raises deliberately.

Each message states what was given, where, and what would be valid. `cli` and `web` show a `TahurError` to the user as
one line; any other exception is a bug and shows its traceback.
"""

from __future__ import annotations

from collections.abc import Iterable


class TahurError(Exception):
    """Base class of all errors caused by the input rather than by a bug."""


class CardError(TahurError, ValueError):
    """Text or numbers that are not cards, or a duplicate card."""


class RangeError(TahurError, ValueError):
    """Text or numbers that are not a range of hands."""


class EquityError(TahurError, ValueError):
    """An equity question that has no answer, such as two players holding the same card."""


class UnknownName(TahurError, LookupError):
    """A name that is not in the list; the message suggests the closest one."""


class ResultsError(TahurError, ValueError):
    """Results that do not allow the requested statistics."""


class IllegalAction(TahurError, ValueError):
    """An action that is illegal here; the message lists the legal ones."""


class RecordError(TahurError, ValueError):
    """Text that is not a record, or a record that its game cannot have produced."""


class SettingError(TahurError, ValueError):
    """An invalid setting of a game; the message gives its name, its value and the valid values."""


class GameError(TahurError, ValueError):
    """A game whose parts contradict each other, such as `terminal` and `payoffs`."""


class MissingExtra(TahurError, ImportError):
    """A feature needs an optional library that is not installed; the message names the extra to install."""


def missing_extra(what: str, extra: str) -> MissingExtra:
    """The error for a missing optional library, with the commands that install it from a clone or from a wheel."""
    return MissingExtra(
        f"{what}; in a clone of tahur: pip install -e '.[{extra}]', with a wheel: pip install 'FILE.whl[{extra}]'"
    )


class WorkersLost(TahurError, RuntimeError):
    """Worker processes died repeatedly."""


class PlayerError(TahurError, ValueError):
    """A player that cannot be created, or that does not play the game."""


class SolverError(TahurError, ValueError):
    """A game that cannot be solved this way, a tree that is too large, or a computation that became non-finite."""


class Diverged(SolverError):
    """A computation whose numbers became non-finite (NaN or infinity)."""


class TreeTooLarge(SolverError):
    """A game whose tree needs more memory than the caller allows."""


class StrategyError(TahurError, ValueError):
    """A file that is not a strategy or is corrupted, a strategy for another game, or a view it does not cover."""


def hint_for(name: str, known: Iterable[str], label: str = "valid") -> str:
    """The end of an error message about an unknown name: the known one most like it, or all of them."""
    from difflib import get_close_matches

    names = list(known)
    near = get_close_matches(name, names, n=1)
    return f"did you mean '{near[0]}'?" if near else f"{label}: {', '.join(names)}"
