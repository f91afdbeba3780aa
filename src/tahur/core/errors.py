"""The errors tahur raises on purpose.

Each message says what was asked, where, and what would have been right. The doors (`cli`, `web`) turn a
`TahurError` into one line for a person; anything else is a bug and shows its traceback.
"""


class TahurError(Exception):
    """The base of every error that is the input's fault, not ours."""


class CardError(TahurError, ValueError):
    """Text or numbers that are not cards, or the same card twice."""


class RangeError(TahurError, ValueError):
    """Text or numbers that are not a range of hands."""


class EquityError(TahurError, ValueError):
    """A question about equity that has no answer, such as two players holding the same card."""


class UnknownName(TahurError, LookupError):
    """A name that is in no list of ours; the message suggests the nearest one."""


class ResultsError(TahurError, ValueError):
    """Results that no statistics can be made of, or a question about them that has no answer."""


class IllegalAction(TahurError, ValueError):
    """An action that the rules do not allow here; the message lists those they do."""


class RecordError(TahurError, ValueError):
    """Text that is not a record, or a record that its game cannot have produced."""


class SettingError(TahurError, ValueError):
    """A game's setting that makes no sense: its name, its value, and what would."""


class GameError(TahurError, ValueError):
    """A game whose parts contradict each other, such as `terminal` and `payoffs`."""


class MissingExtra(TahurError, ImportError):
    """Something that needs an optional library which is not installed; the message names the extra."""


def missing_extra(what: str, extra: str) -> MissingExtra:
    """The error for a missing optional library, with the commands that install it from a clone or from a wheel."""
    return MissingExtra(
        f"{what}; in a clone of tahur: pip install -e '.[{extra}]', with a wheel: pip install 'FILE.whl[{extra}]'"
    )


class WorkersLost(TahurError, RuntimeError):
    """Processes that were to do the work died again and again."""


class PlayerError(TahurError, ValueError):
    """A player that cannot be made, or that does not play the game."""


class SolverError(TahurError, ValueError):
    """A game that cannot be solved so, a tree that is too big, or numbers that are no longer numbers."""


class StrategyError(TahurError, ValueError):
    """A file that is no strategy or is corrupted, a strategy for another game, or a view that it does not know."""
