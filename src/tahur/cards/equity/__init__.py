"""How often each hand or range wins: exact where that is fast, otherwise sampled with its standard error.

Names are imported on first use, so that importing only the tables of this package does not load the kernels.
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
