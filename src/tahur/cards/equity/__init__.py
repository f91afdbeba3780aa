"""How often each hand or range wins: exact where that is quick, sampled with its error stated where it is not."""

from tahur.cards.equity.ask import Equity, Method, Share, equity, equity_steps

__all__ = ["Equity", "Method", "Share", "equity", "equity_steps"]
