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
