"""How often each hand or range wins: exact where that is quick, sampled with its error stated where it is not.

What is asked for is loaded when it is: whoever wants the tables of this folder alone need not wait for the kernels.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tahur.cards.equity.ask import Equity, Method, Share, equity, equity_steps

__all__ = ["Equity", "Method", "Share", "equity", "equity_steps"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from tahur.cards.equity import ask

    return getattr(ask, name)
